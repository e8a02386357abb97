# Nix: `make release` fills in version, address and digests. Then: nix run . -- run
{
  description = "Measure servers on the work that servers do";

  inputs.nixpkgs.url = "nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      version = "@version@";
      digests = {
        x86_64-linux = "@sha256-x86_64@";
        aarch64-linux = "@sha256-aarch64@";
      };
      package = system: digest:
        let
          pkgs = nixpkgs.legacyPackages.${system};
          architecture = pkgs.lib.removeSuffix "-linux" system;
        in
        pkgs.stdenv.mkDerivation {
          pname = "sizeup";
          inherit version;
          src = pkgs.fetchurl {
            url = "@url@/sizeup-${version}-${architecture}-linux.tar.gz";
            sha256 = digest;
          };
          nativeBuildInputs = [ pkgs.autoPatchelfHook pkgs.installShellFiles ];
          buildInputs = [ pkgs.stdenv.cc.cc.lib ];
          dontConfigure = true;
          dontBuild = true;
          # Symbols stay: profilers read them.
          dontStrip = true;
          installPhase = ''
            runHook preInstall
            mkdir -p $out/share/doc/sizeup
            cp -R bin lib libexec $out
            cp -R share/sizeup $out/share
            cp -R docs bom.cdx.json versions share/licences $out/share/doc/sizeup
            installManPage share/man/man1/*.1
            installShellCompletion --cmd sizeup --bash share/completions/sizeup.bash \
              --zsh share/completions/sizeup.zsh --fish share/completions/sizeup.fish
            runHook postInstall
          '';
          meta = {
            description = "Measure servers on the work that servers do";
            license = pkgs.lib.licenses.asl20;
            mainProgram = "sizeup";
            platforms = builtins.attrNames digests;
            sourceProvenance = [ pkgs.lib.sourceTypes.binaryNativeCode ];
          };
        };
    in
    {
      packages = builtins.mapAttrs (system: digest: { default = package system digest; }) digests;
    };
}

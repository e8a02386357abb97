# Homebrew on Linux: `make release` fills in version, address and digests, for a tap of yours.
class Sizeup < Formula
  desc "Measure servers on the work that servers do"
  homepage "@url@"
  version "@version@"
  license "Apache-2.0"

  depends_on :linux

  on_intel do
    url "@url@/sizeup-@version@-x86_64-linux.tar.gz"
    sha256 "@sha256-x86_64@"
  end

  on_arm do
    url "@url@/sizeup-@version@-aarch64-linux.tar.gz"
    sha256 "@sha256-aarch64@"
  end

  # Measured programs stay as they were built: those that the release's run files were made with.
  skip_clean "bin", "lib", "libexec"

  def install
    prefix.install "bin", "lib", "libexec"
    share.install "share/sizeup"
    man1.install Dir["share/man/man1/*.1"]
    bash_completion.install "share/completions/sizeup.bash" => "sizeup"
    zsh_completion.install "share/completions/sizeup.zsh" => "_sizeup"
    fish_completion.install "share/completions/sizeup.fish"
    doc.install "docs", "bom.cdx.json", "versions", "share/licences"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/sizeup --version")
    assert_match "gzip-6/zlib", shell_output("#{bin}/sizeup list workloads")
  end
end

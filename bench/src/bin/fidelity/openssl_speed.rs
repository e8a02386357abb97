//! `openssl speed`, the program of the system's OpenSSL, or of the one that the worker `openssl` is linked with.

use super::peer::{Libraries, Peer, Site, path_text};
use anyhow::{Context, bail, ensure};

/// `openssl speed` with one algorithm, and which of its figures is meant.
#[derive(Debug)]
pub struct OpensslSpeed {
    algorithm: &'static [&'static str],
    figure: Figure,
    /// Whether it is the program that `bench/fidelity/build` made.
    is_of_worker: bool,
}

/// A figure of a line of `-mr` output.
#[derive(Debug, Clone, Copy)]
enum Figure {
    /// `+F2` (RSA) or `+F4` (ECDSA), with the key's bits: ops/s of signing come first.
    Sign(&'static str, &'static str),
    /// The second on the same line.
    Verify(&'static str, &'static str),
    /// `+F5` with the curve's bits: ops/s.
    Derive(&'static str),
    /// `+F9` (KEM) or `+F10` (signatures) of the one algorithm that was asked for: ops/s of making a key come first.
    Rate(&'static str, usize),
    /// `+F6` with the curve's name: ops/s of signing come first.
    EdDsa(&'static str, usize),
    /// `+F` with the cipher's name: bytes/s, in pieces of so many bytes.
    Cipher(&'static str, u32),
}

impl OpensslSpeed {
    /// For the operation of a workload.
    ///
    /// A cipher is timed without `-aead`: one context, and nothing but `EVP_EncryptUpdate` in the loop,
    /// which is what the workload is.
    pub fn of(operation: &str) -> anyhow::Result<Self> {
        let (algorithm, figure): (&[&str], _) = match operation {
            "rsa2048-sign" => (&["rsa2048"], Figure::Sign("+F2", "2048")),
            "rsa2048-verify" => (&["rsa2048"], Figure::Verify("+F2", "2048")),
            "rsa3072-sign" => (&["rsa3072"], Figure::Sign("+F2", "3072")),
            "rsa3072-verify" => (&["rsa3072"], Figure::Verify("+F2", "3072")),
            "ecdsa-p256-sign" => (&["ecdsap256"], Figure::Sign("+F4", "256")),
            "ecdsa-p256-verify" => (&["ecdsap256"], Figure::Verify("+F4", "256")),
            "ecdh-p256-derive" => (&["ecdhp256"], Figure::Derive("256")),
            "x25519-derive" => (&["ecdhx25519"], Figure::Derive("253")),
            "chacha20-poly1305-seal-16KiB" => (
                &["-bytes", "16384", "-evp", "chacha20-poly1305"],
                Figure::Cipher("ChaCha20-Poly1305", 16384),
            ),
            _ => bail!("`openssl speed` does nothing that is called {operation:?}"),
        };
        Ok(Self { algorithm, figure, is_of_worker: false })
    }

    /// For the operation of a workload, with the worker's OpenSSL.
    pub fn of_worker(operation: &str) -> Option<Self> {
        let (algorithm, figure): (&[&str], _) = match operation {
            "mlkem768-keygen" => (&["ML-KEM-768"], Figure::Rate("+F9", 0)),
            "mlkem768-encaps" => (&["ML-KEM-768"], Figure::Rate("+F9", 1)),
            "mlkem768-decaps" => (&["ML-KEM-768"], Figure::Rate("+F9", 2)),
            "mldsa65-sign" => (&["ML-DSA-65"], Figure::Rate("+F10", 1)),
            "mldsa65-verify" => (&["ML-DSA-65"], Figure::Rate("+F10", 2)),
            "slh-dsa-sha2-128f-sign" => (&["SLH-DSA-SHA2-128f"], Figure::Rate("+F10", 1)),
            "slh-dsa-sha2-128f-verify" => (&["SLH-DSA-SHA2-128f"], Figure::Rate("+F10", 2)),
            "ed25519-sign" => (&["ed25519"], Figure::EdDsa("Ed25519", 0)),
            "ed25519-verify" => (&["ed25519"], Figure::EdDsa("Ed25519", 1)),
            "ecdsa-p384-sign" => (&["ecdsap384"], Figure::Sign("+F4", "384")),
            "ecdsa-p384-verify" => (&["ecdsap384"], Figure::Verify("+F4", "384")),
            "ecdh-p384-derive" => (&["ecdhp384"], Figure::Derive("384")),
            "rsa4096-sign" => (&["rsa4096"], Figure::Sign("+F2", "4096")),
            "rsa4096-verify" => (&["rsa4096"], Figure::Verify("+F2", "4096")),
            _ => return None,
        };
        Some(Self { algorithm, figure, is_of_worker: true })
    }

    fn program(&self, site: &Site) -> String {
        if self.is_of_worker { path_text(&site.programs.join("openssl")) } else { "openssl".into() }
    }
}

impl Peer for OpensslSpeed {
    fn prove(&self, site: &Site) -> anyhow::Result<Libraries> {
        let text = site.pinned.text(&self.program(site), &["version".to_owned()])?;
        Ok(Libraries::from([("openssl".to_owned(), library(&text)?.to_owned())]))
    }

    /// It takes whole seconds.
    fn run_ns(&self, _: &Site) -> u64 {
        1_000_000_000
    }

    fn run(&self, site: &Site) -> anyhow::Result<f64> {
        let options = ["speed", "-mr", "-elapsed", "-seconds", "1"];
        let arguments: Vec<String> =
            options.iter().chain(self.algorithm).map(ToString::to_string).collect();
        let text = site.pinned.text(&self.program(site), &arguments)?;
        ops_per_s(&text, self.figure).with_context(|| format!("openssl speed wrote {text:?}"))
    }
}

/// The version of the library, which need not be the program's.
fn library(text: &str) -> anyhow::Result<&str> {
    text.trim_end()
        .strip_suffix(')')
        .and_then(|text| text.split_once(" (Library: "))
        .map(|(_, library)| library)
        .with_context(|| format!("openssl version wrote {text:?}"))
}

/// Ops per second out of the `-mr` output on stdout.
fn ops_per_s(text: &str, figure: Figure) -> anyhow::Result<f64> {
    let begin = match figure {
        Figure::Sign(begin, _) | Figure::Verify(begin, _) => begin,
        Figure::Derive(_) => "+F5",
        Figure::Rate(begin, _) => begin,
        Figure::EdDsa(..) => "+F6",
        Figure::Cipher(..) => "+F",
    };
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(':').collect()).collect();
    let found: Vec<&Vec<&str>> = lines.iter().filter(|fields| fields[0] == begin).collect();
    let [line] = found[..] else {
        bail!("expected one line {begin:?}");
    };
    // The second field is the algorithm's place in a list.
    let value = match (figure, &line[..]) {
        // Since 3.2 RSA's encryption and decryption follow.
        (Figure::Sign("+F2", bits), [_, _, b, sign, _verify, _, _]) if *b == bits => number(sign)?,
        (Figure::Verify("+F2", bits), [_, _, b, _sign, verify, _, _]) if *b == bits => {
            number(verify)?
        }
        (Figure::Sign(_, bits), [_, _, b, sign, _verify]) if *b == bits => number(sign)?,
        (Figure::Verify(_, bits), [_, _, b, _sign, verify]) if *b == bits => number(verify)?,
        (Figure::Rate(_, n), [_, _, rates @ ..]) if rates.len() == 3 => number(rates[n])?,
        (Figure::EdDsa(name, n), [_, _, _bits, curve, rates @ ..])
            if *curve == name && rates.len() == 2 =>
        {
            number(rates[n])?
        }
        (Figure::Derive(bits), [_, _, b, derive, _seconds]) if *b == bits => number(derive)?,
        (Figure::Cipher(name, bytes), [_, _, n, bytes_per_s]) if *n == name => {
            let length = format!("+H:{bytes}");
            ensure!(text.lines().any(|line| line == length), "the length is not {bytes} bytes");
            number(bytes_per_s)? / f64::from(bytes)
        }
        _ => bail!("{line:?} is not {figure:?}"),
    };
    Ok(value)
}

fn number(text: &str) -> anyhow::Result<f64> {
    match text.parse() {
        Ok(value) if f64::is_finite(value) && value > 0.0 => Ok(value),
        _ => bail!("{text:?} is not a rate"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RSA: &str = "+F2:2:2048:3027.000000:48732.000000\n";

    #[test]
    fn signing_and_verifying_stand_on_one_line() {
        let sign = ops_per_s(RSA, Figure::Sign("+F2", "2048")).unwrap();
        let verify = ops_per_s(RSA, Figure::Verify("+F2", "2048")).unwrap();
        assert_eq!((sign, verify), (3027.0, 48732.0));
    }

    #[test]
    fn a_derivation_has_a_rate_and_then_a_time() {
        let text = "+F5:22:253:27744.000000:0.000036\n";
        assert_eq!(ops_per_s(text, Figure::Derive("253")).unwrap(), 27744.0);
    }

    #[test]
    fn later_versions_add_figures_and_algorithms() {
        let text = "+F2:6:4096:300.5:20000.5:19000.0:301.0\n";
        assert_eq!(ops_per_s(text, Figure::Sign("+F2", "4096")).unwrap(), 300.5);
        assert_eq!(ops_per_s(text, Figure::Verify("+F2", "4096")).unwrap(), 20000.5);
        let text = "+F6:0:253:Ed25519:30000.0:9000.0\n";
        assert_eq!(ops_per_s(text, Figure::EdDsa("Ed25519", 1)).unwrap(), 9000.0);
        assert!(ops_per_s(text, Figure::EdDsa("Ed448", 1)).is_err());
        let text = "+F9:13:17000.0:25000.0:18000.0\n";
        assert_eq!(ops_per_s(text, Figure::Rate("+F9", 2)).unwrap(), 18000.0);
        assert!(ops_per_s(text, Figure::Rate("+F10", 2)).is_err());
    }

    #[test]
    fn bytes_per_second_of_a_cipher_become_calls_per_second() {
        let text = "+H:16384\n+F:25:AES-128-GCM:3401711616.00\n";
        assert_eq!(ops_per_s(text, Figure::Cipher("AES-128-GCM", 16384)).unwrap(), 207_624.0);
    }

    #[test]
    fn whatever_else_is_refused() {
        let sign = Figure::Sign("+F2", "2048");
        let cipher = Figure::Cipher("AES-128-GCM", 16384);
        for (text, figure) in [
            ("", sign),
            ("+F2:2:3072:3027.0:48732.0\n", sign),
            ("+F4:2:2048:3027.0:48732.0\n", sign),
            ("+F2:2:2048:3027.0\n", sign),
            ("+F2:2:2048:3027.0:48732.0:1.0\n", sign),
            ("+F2:2:2048:0.0:48732.0\n", sign),
            ("+F2:2:2048:inf:48732.0\n", sign),
            ("+F2:2:2048:x:48732.0\n", sign),
            ("+F2:2:2048:1.0:2.0\n+F2:3:2048:1.0:2.0\n", sign),
            ("+H:8192\n+F:25:AES-128-GCM:3401711616.00\n", cipher),
            ("+H:16384\n+F:25:AES-256-GCM:3401711616.00\n", cipher),
            ("+H:16384:8192\n+F:25:AES-128-GCM:34.00:35.00\n", cipher),
        ] {
            assert!(ops_per_s(text, figure).is_err(), "{text:?} as {figure:?}");
        }
    }

    #[test]
    fn the_version_is_that_of_the_library_and_not_of_the_program() {
        let text = "OpenSSL 3.0.18 1 Jan 2026 (Library: OpenSSL 3.0.19 27 Jan 2026)\n";
        assert_eq!(library(text).unwrap(), "OpenSSL 3.0.19 27 Jan 2026");
        assert!(library("OpenSSL 1.0.2k 26 Jan 2017\n").is_err());
    }
}

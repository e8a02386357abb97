//! `go test -bench`: the benchmarks of bench/fidelity/go.

use super::peer::{Libraries, Peer, Site, field, path_text};
use anyhow::{Context, bail, ensure};

/// One benchmark.
#[derive(Debug)]
pub struct GoBench {
    benchmark: &'static str,
}

impl GoBench {
    /// For the operation of a workload.
    pub fn of(operation: &str) -> anyhow::Result<Self> {
        let benchmark = match operation {
            "regexp-easy-256KiB" => "BenchmarkRegexpEasy",
            "regexp-easy-i-256KiB" => "BenchmarkRegexpEasyI",
            "regexp-easy2-256KiB" => "BenchmarkRegexpEasy2",
            "regexp-medium-256KiB" => "BenchmarkRegexpMedium",
            "regexp-hard-256KiB" => "BenchmarkRegexpHard",
            "regexp-hard2-256KiB" => "BenchmarkRegexpHard2",
            "json-parse-api" => "BenchmarkJSONParse",
            "json-decode-api" => "BenchmarkJSONDecode",
            "json-encode-api" => "BenchmarkJSONEncode",
            "regex-log" => "BenchmarkRegexLog",
            "regex-waf" => "BenchmarkRegexWAF",
            "regex-literals" => "BenchmarkRegexLiterals",
            "sort-u64-1M" => "BenchmarkSortU64",
            "sort-strings-1M" => "BenchmarkSortStrings",
            "hash-insert-1M" => "BenchmarkHashInsert",
            "jpeg-decode" => "BenchmarkJPEGDecode",
            "image-scale" => "BenchmarkImageScale",
            "jpeg-encode" => "BenchmarkJPEGEncode",
            "thumbnail-jpeg" => "BenchmarkThumbnailJPEG",
            "ecdsa-p256-sign" => "BenchmarkECDSAP256Sign",
            "ecdsa-p256-verify" => "BenchmarkECDSAP256Verify",
            "rsa2048-sign" => "BenchmarkRSA2048Sign",
            "mlkem768-keygen" => "BenchmarkMLKEM768Keygen",
            "mlkem768-encaps" => "BenchmarkMLKEM768Encaps",
            "mlkem768-decaps" => "BenchmarkMLKEM768Decaps",
            "ed25519-sign" => "BenchmarkEd25519Sign",
            "ed25519-verify" => "BenchmarkEd25519Verify",
            "rsa2048-3prime-sign" => "BenchmarkRSA2048Sign3Primes",
            "aes-128-gcm-seal-8KiB" => "BenchmarkAES128GCMSeal8KiB",
            "chacha20-poly1305-seal-8KiB" => "BenchmarkChaCha20Poly1305Seal8KiB",
            "html-escape" => "BenchmarkHTMLEscape",
            "html-unescape" => "BenchmarkHTMLUnescape",
            "gzip-8-text" => "BenchmarkGzip8Text",
            "gunzip-text" => "BenchmarkGunzipText",
            "gzip-8-digits" => "BenchmarkGzip8Digits",
            "gunzip-digits" => "BenchmarkGunzipDigits",
            "reed-solomon-8+8-1MiB" => "BenchmarkReedSolomon8x8x1MiB",
            "reed-solomon-8+8-5MiB" => "BenchmarkReedSolomon8x8x5MiB",
            "reed-solomon-12+4-1MiB" => "BenchmarkReedSolomon12x4x1MiB",
            "reed-solomon-12+4-5MiB" => "BenchmarkReedSolomon12x4x5MiB",
            "reed-solomon-8+8-reconstruct-1MiB" => "BenchmarkReconstruct8x8x1MiB",
            "reed-solomon-12+4-reconstruct-1MiB" => "BenchmarkReconstruct12x4x1MiB",
            "highwayhash-256-1MiB" => "BenchmarkHighwayHash1MiB",
            "highwayhash-256-10MiB" => "BenchmarkHighwayHash10MiB",
            "highwayhash-256-25MiB" => "BenchmarkHighwayHash25MiB",
            "aes-128-gcm-seal-64KiB" => "BenchmarkAES128GCMSeal64KiB",
            "aes-128-gcm-seal-1MiB" => "BenchmarkAES128GCMSeal1MiB",
            "aes-128-gcm-seal-10MiB" => "BenchmarkAES128GCMSeal10MiB",
            "split-buzhash-1M" => "BenchmarkBuzhash1M",
            "split-buzhash-4M" => "BenchmarkBuzhash4M",
            "split-rabinkarp-1M" => "BenchmarkRabinKarp1M",
            "split-rabinkarp-4M" => "BenchmarkRabinKarp4M",
            "compress-deflate-best-speed-edited-text" => "BenchmarkCompressDeflateBestSpeed",
            "compress-deflate-default-edited-text" => "BenchmarkCompressDeflateDefault",
            "compress-gzip-best-speed-edited-text" => "BenchmarkCompressGzipBestSpeed",
            "compress-pgzip-best-speed-edited-text" => "BenchmarkCompressPgzipBestSpeed",
            "compress-pgzip-edited-text" => "BenchmarkCompressPgzip",
            "compress-s2-default-edited-text" => "BenchmarkCompressS2Default",
            "compress-s2-parallel-4-edited-text" => "BenchmarkCompressS2Parallel4",
            "compress-s2-parallel-4-random" => "BenchmarkCompressS2Parallel4Random",
            "compress-zstd-edited-text" => "BenchmarkCompressZstd",
            "compress-zstd-fastest-edited-text" => "BenchmarkCompressZstdFastest",
            "compress-zstd-random" => "BenchmarkCompressZstdRandom",
            "compress-lz4-edited-text" => "BenchmarkCompressLZ4",
            "decompress-gzip-edited-text" => "BenchmarkDecompressGzip",
            "decompress-pgzip-edited-text" => "BenchmarkDecompressPgzip",
            "decompress-zstd-edited-text" => "BenchmarkDecompressZstd",
            "decompress-s2-default-edited-text" => "BenchmarkDecompressS2Default",
            "hash-BLAKE2S-256" => "BenchmarkHashBLAKE2S256",
            "hash-BLAKE2B-256-128" => "BenchmarkHashBLAKE2B256128",
            "hash-BLAKE3-256" => "BenchmarkHashBLAKE3256",
            "hash-HMAC-SHA256" => "BenchmarkHashHMACSHA256",
            "hash-HMAC-SHA3-256" => "BenchmarkHashHMACSHA3256",
            "encrypt-AES256-GCM-HMAC-SHA256" => "BenchmarkEncryptAES256GCM",
            "encrypt-CHACHA20-POLY1305-HMAC-SHA256" => "BenchmarkEncryptChaCha20Poly1305",
            "pipeline-BLAKE3-256+AES256-GCM-HMAC-SHA256" => "BenchmarkPipelineBLAKE3AES256GCM",
            "pipeline-BLAKE2B-256+CHACHA20-POLY1305-HMAC-SHA256" => {
                "BenchmarkPipelineBLAKE2BChaCha20Poly1305"
            }
            "ecc-rs-crc32-5%-encode" => "BenchmarkECCEncode5",
            "ecc-rs-crc32-5%-repair" => "BenchmarkECCRepair5",
            _ => bail!("no Go benchmark for {operation:?}"),
        };
        Ok(Self { benchmark })
    }
}

impl Peer for GoBench {
    fn prove(&self, site: &Site) -> anyhow::Result<Libraries> {
        let arguments = ["-test.run", "^TestLibraries$"].map(str::to_owned);
        libraries(&site.pinned.text(&site.program("go-bench"), &arguments)?)
    }

    fn run(&self, site: &Site) -> anyhow::Result<f64> {
        // Tests off; as many Ps as the worker has.
        let cpus = site.pinned.cpus.len();
        let arguments = [
            format!("-inputs={}", path_text(&site.inputs)),
            "-test.run=^$".to_owned(),
            format!("-test.bench=^{}$", self.benchmark),
            format!("-test.benchtime={}ns", site.sample_ns),
            format!("-test.cpu={cpus}"),
        ];
        let text = site.pinned.text(&site.program("go-bench"), &arguments)?;
        let name = match cpus {
            1 => self.benchmark.to_owned(),
            _ => format!("{}-{cpus}", self.benchmark),
        };
        let ns =
            ns_per_op(&text, &name).with_context(|| format!("the Go benchmarks wrote {text:?}"))?;
        Ok(1e9 / ns)
    }
}

/// All lines `library NAME VERSION`.
fn libraries(text: &str) -> anyhow::Result<Libraries> {
    let mut libraries = Libraries::new();
    for line in text.lines().filter(|line| line.starts_with("library")) {
        let (name, version) = field(Some(line), "library")?
            .split_once(' ')
            .with_context(|| format!("{line:?} has no version"))?;
        libraries.insert(name.to_owned(), version.to_owned());
    }
    ensure!(text.lines().last() == Some("PASS"), "the test did not pass: {text:?}");
    Ok(libraries)
}

/// Nanoseconds of an op out of the output of `-test.bench`.
fn ns_per_op(text: &str, benchmark: &str) -> anyhow::Result<f64> {
    ensure!(text.lines().last() == Some("PASS"), "the benchmark did not pass");
    let lines: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("Benchmark"))
        .map(|line| line.split_whitespace().collect())
        .collect();
    // Behind ns/op other figures may follow.
    let [[name, count, ns, "ns/op", ..]] = lines.iter().map(Vec::as_slice).collect::<Vec<_>>()[..]
    else {
        bail!("expected one line with ns/op");
    };
    ensure!(*name == benchmark, "{name:?} is not {benchmark:?}");
    ensure!(count.parse().is_ok_and(|count: u64| count > 0), "{count:?} is not a count");
    match ns.parse() {
        Ok(ns) if f64::is_finite(ns) && ns > 0.0 => Ok(ns),
        _ => bail!("{ns:?} is not a time"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "goos: linux\ngoarch: amd64\npkg: sizeup/bench-fidelity\ncpu: A CPU\n\
        BenchmarkAES128GCMSeal8KiB   \t   89538\t      2505 ns/op\t3270.06 MB/s\nPASS\n";

    #[test]
    fn the_time_of_an_op_is_read() {
        assert_eq!(ns_per_op(OUTPUT, "BenchmarkAES128GCMSeal8KiB").unwrap(), 2505.0);
        let without = "BenchmarkX\t 7\t 105.5 ns/op\nPASS\n";
        assert_eq!(ns_per_op(without, "BenchmarkX").unwrap(), 105.5);
    }

    #[test]
    fn whatever_else_is_refused() {
        for text in [
            "",
            "PASS\n",
            "BenchmarkX\t 7\t 105.5 ns/op\n",
            "BenchmarkX\t 7\t 105.5 ns/op\nFAIL\n",
            "BenchmarkX\t 0\t 105.5 ns/op\nPASS\n",
            "BenchmarkX\t 7\t 0 ns/op\nPASS\n",
            "BenchmarkX\t 7\t 105.5 us/op\nPASS\n",
            "BenchmarkX-2\t 7\t 105.5 ns/op\nPASS\n",
            "BenchmarkXY\t 7\t 105.5 ns/op\nPASS\n",
            "BenchmarkX\t 7\t 105.5 ns/op\nBenchmarkX\t 7\t 105.5 ns/op\nPASS\n",
        ] {
            assert!(ns_per_op(text, "BenchmarkX").is_err(), "{text:?}");
        }
    }

    #[test]
    fn each_line_has_a_library() {
        let told = libraries("library go go1.26.8\nlibrary a/b v0.1.0\nPASS\n").unwrap();
        assert_eq!(told["go"], "go1.26.8");
        assert_eq!(told["a/b"], "v0.1.0");
        assert!(libraries("library go go1.26.8\nFAIL\n").is_err());
        assert!(libraries("library go\nPASS\n").is_err());
    }

    /// The benchmarks repeat what `workloads/go.toml` defines.
    #[test]
    fn the_benchmarks_have_the_patterns_of_the_table() {
        let table: toml::Table = include_str!("../../../../workloads/go.toml").parse().unwrap();
        let benchmarks = include_str!("../../../fidelity/go/regexp_test.go");
        let swept =
            |workload: &toml::Value| workload.get("sweep")?.get("pattern")?.as_array().cloned();
        let workloads = table["workload"].as_array().unwrap();
        let patterns: Vec<toml::Value> = workloads.iter().filter_map(swept).flatten().collect();
        for pattern in &patterns {
            let quoted = format!("{:?}", pattern["text"].as_str().unwrap());
            assert!(benchmarks.contains(&quoted), "{quoted}");
        }
        assert_eq!(patterns.len(), 6);
    }
}

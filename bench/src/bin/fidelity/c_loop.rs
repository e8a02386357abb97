//! The programs of bench/fidelity/c and bench/fidelity/rust: a loop over the very library that a worker is linked with.

use super::peer::{Libraries, Peer, Site, field, path_text};
use anyhow::{Context, bail, ensure};
use catalog::Workload;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// So long ops go untimed, as workers warm up before their first sample.
const WARM_UP_NS: u64 = 50_000_000;

/// A program with what it works on.
#[derive(Debug)]
pub struct CLoop {
    program: &'static str,
    library: &'static str,
    /// A size, a level, a number of bits; 0 where there is none.
    parameter: u64,
    input: Input,
}

/// The input of a program.
#[derive(Debug, PartialEq, Eq)]
enum Input {
    /// A Lua program of this name.
    Lua(String),
    /// The page that is compressed.
    Page,
    /// Bytes of its own, more and more of one message.
    Message,
    /// A group, `full` or `resumed`, and the file of an identity.
    Handshake(String, String, String),
    /// An operation of the worker `system`.
    Kernel(String),
    /// So many bytes of memory, which is the parameter.
    Memory,
    /// Blocks of sizes that the program knows.
    Blocks,
    /// An operation of the worker `data`.
    Data(String),
}

/// Operations of the kernel that need one CPU.
const KERNEL: [&str; 7] =
    ["syscall", "switch", "page-fault", "page-fault-thp", "exec", "fork-exit", "tcp-echo-64"];

/// Rust's libraries in the worker `data`.
const RUST: [&str; 9] = [
    "serde_json",
    "simd-json",
    "prost",
    "rust-regex",
    "std",
    "zune-jpeg",
    "fast_image_resize",
    "jpeg-encoder",
    "rust-libs",
];

impl CLoop {
    /// A Lua program, by the operation of a workload (`NAME-SIZE`).
    pub fn lua(operation: &str, size: u64) -> anyhow::Result<Self> {
        let name = operation
            .strip_suffix(&format!("-{size}"))
            .with_context(|| format!("{operation:?} does not end with its size {size}"))?;
        Ok(Self {
            program: "lua-loop",
            library: "luajit",
            parameter: size,
            input: Input::Lua(name.to_owned()),
        })
    }

    /// Brotli at a quality.
    pub fn brotli(quality: u64) -> Self {
        Self { program: "brotli-loop", library: "brotli", parameter: quality, input: Input::Page }
    }

    /// Cloudflare's zlib at a level.
    pub fn gzip(level: u64) -> Self {
        Self {
            program: "gzip-loop",
            library: "cloudflare-zlib",
            parameter: level,
            input: Input::Page,
        }
    }

    /// AES-GCM of the system's OpenSSL with a key of so many bits. `openssl speed` is no peer: since 3.0.16
    /// (and 3.1.8, 3.2.4, 3.3.3, 3.4.1) it begins and ends a message in each op
    /// (<https://github.com/openssl/openssl/pull/25823>).
    pub fn gcm(key_bits: u64) -> Self {
        Self { program: "gcm-loop", library: "openssl", parameter: key_bits, input: Input::Message }
    }

    /// Handshakes of the workload's terms, whose both sides count.
    pub fn handshake(workload: &Workload) -> anyhow::Result<Self> {
        let text = |name: &str| workload.parameters[name].as_str().map(str::to_owned);
        ensure!(text("counted").as_deref() == Some("both"), "the program times both sides");
        let (group, kind) = (text("group"), text("handshake"));
        let identity = workload.inputs.get("identity").cloned();
        let terms = group.zip(kind).zip(identity);
        let ((group, kind), identity) = terms.context("a handshake has a group and an identity")?;
        let input = Input::Handshake(group.to_uppercase(), kind, format!("{identity}.pem"));
        Ok(Self { program: "handshake-loop", library: "openssl", parameter: 0, input })
    }

    /// The kernel's work on one thread.
    pub fn kernel(operation: &str) -> anyhow::Result<Self> {
        let is_known = KERNEL.contains(&operation);
        ensure!(is_known, "{operation:?} needs two CPUs, and the program has one");
        let input = Input::Kernel(operation.to_owned());
        Ok(Self { program: "kernel-loop", library: "linux", parameter: 0, input })
    }

    /// STREAM's triad over as many bytes.
    pub fn triad(bytes: u64) -> Self {
        Self { program: "memory-loop", library: "stream", parameter: bytes, input: Input::Memory }
    }

    /// malloc and free of the system's C library.
    pub fn allocator() -> Self {
        Self { program: "alloc-loop", library: "glibc", parameter: 0, input: Input::Blocks }
    }

    /// The counterpart of the worker `data`, using Rust's libraries.
    pub fn rust(operation: &str, implementation: &str) -> Option<Self> {
        let library = RUST.into_iter().find(|library| *library == implementation)?;
        let input = Input::Data(operation.to_owned());
        Some(Self { program: "data-loop", library, parameter: 0, input })
    }

    fn stretch(&self, site: &Site, warm_up_ns: u64, sample_ns: u64) -> anyhow::Result<Stretch> {
        let mut arguments = self.work(site);
        arguments.extend([warm_up_ns.to_string(), sample_ns.to_string()]);
        let text = site.pinned.text(&site.program(self.program), &arguments)?;
        Stretch::read(&text).with_context(|| format!("{} wrote {text:?}", self.program))
    }

    /// The arguments that say what is done.
    fn work(&self, site: &Site) -> Vec<String> {
        let parameter = self.parameter.to_string();
        match &self.input {
            Input::Lua(name) => {
                vec![path_text(&site.lua.join(format!("{name}.lua"))), parameter]
            }
            Input::Page => vec![parameter, path_text(&site.inputs.join("page.html"))],
            Input::Message => vec![parameter, "more".to_owned()],
            Input::Handshake(group, kind, identity) => {
                vec![group.clone(), kind.clone(), path_text(&site.inputs.join(identity))]
            }
            Input::Kernel(operation) => vec![operation.clone()],
            Input::Memory => vec![parameter],
            Input::Blocks => Vec::new(),
            Input::Data(operation) => {
                vec![operation.clone(), self.library.to_owned(), path_text(&site.inputs)]
            }
        }
    }

    /// Whether a Lua program returns here what it must.
    fn check_output(&self, name: &str, site: &Site) -> anyhow::Result<()> {
        let file = site.lua.join("expected.toml");
        let table: toml::Table = std::fs::read_to_string(&file)
            .with_context(|| format!("{} can't be read", file.display()))?
            .parse()?;
        let expected = table.get(name).and_then(|program| program.get("sha256"));
        let expected = expected.and_then(toml::Value::as_str);
        let mut arguments = self.work(site);
        arguments.push("output".to_owned());
        let output = site.pinned.run(&site.program(self.program), &arguments)?;
        let digest = HEXLOWER.encode(&Sha256::digest(&output));
        ensure!(
            expected == Some(&digest),
            "{name}.lua returns what has SHA-256 {digest}, not {expected:?}"
        );
        Ok(())
    }
}

impl Peer for CLoop {
    /// The others check their work each time before they time anything: a round trip, a known tag.
    fn prove(&self, site: &Site) -> anyhow::Result<Libraries> {
        if let Input::Lua(name) = &self.input {
            self.check_output(name, site)?;
        }
        let mut version = self.stretch(site, 1, 1)?.library;
        if let Input::Kernel(_) | Input::Memory = &self.input {
            // The kernel is the machine's, one for both; STREAM is a loop. The worker names itself.
            version = env!("CARGO_PKG_VERSION").to_owned();
        }
        Ok(Libraries::from([(self.library.to_owned(), version)]))
    }

    fn run(&self, site: &Site) -> anyhow::Result<f64> {
        let stretch = self.stretch(site, WARM_UP_NS, site.sample_ns)?;
        ensure!(stretch.elapsed_ns >= site.sample_ns, "it took only {} ns", stretch.elapsed_ns);
        Ok(stretch.ops as f64 * 1e9 / stretch.elapsed_ns as f64)
    }
}

/// A line of a C program's output.
#[derive(Debug, PartialEq, Eq)]
struct Stretch {
    library: String,
    ops: u64,
    elapsed_ns: u64,
}

impl Stretch {
    fn read(text: &str) -> anyhow::Result<Self> {
        let mut lines = text.lines();
        let library = field(lines.next(), "library")?.to_owned();
        let ops = field(lines.next(), "ops")?.parse()?;
        let elapsed_ns = field(lines.next(), "elapsed_ns")?.parse()?;
        if let Some(line) = lines.next() {
            bail!("{line:?} follows");
        }
        ensure!(ops > 0 && elapsed_ns > 0, "nothing was done");
        Ok(Self { library, ops, elapsed_ns })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_is_three_lines() {
        let stretch = Stretch::read("library LuaJIT 2.1.17\nops 35\nelapsed_ns 305859981\n");
        let known = Stretch { library: "LuaJIT 2.1.17".into(), ops: 35, elapsed_ns: 305_859_981 };
        assert_eq!(stretch.unwrap(), known);
    }

    #[test]
    fn whatever_else_is_refused() {
        for text in [
            "",
            "library 1.2.0\nops 35\n",
            "library \nops 35\nelapsed_ns 5\n",
            "library1.2.0\nops 35\nelapsed_ns 5\n",
            "ops 35\nlibrary 1.2.0\nelapsed_ns 5\n",
            "library 1.2.0\nops 0\nelapsed_ns 5\n",
            "library 1.2.0\nops 35\nelapsed_ns 0\n",
            "library 1.2.0\nops -35\nelapsed_ns 5\n",
            "library 1.2.0\nops 3.5\nelapsed_ns 5\n",
            "library 1.2.0\nops 35\nelapsed_ns 5\nops 36\n",
        ] {
            assert!(Stretch::read(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_lua_program_is_named_by_the_part_before_the_size() {
        assert_eq!(CLoop::lua("n-body-2000", 2000).unwrap().input, Input::Lua("n-body".into()));
        assert!(CLoop::lua("n-body-2000", 200).is_err());
    }
}

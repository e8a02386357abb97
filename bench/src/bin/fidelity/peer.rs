//! An established tool that does the same as a workload.

use super::c_loop::CLoop;
use super::go_bench::GoBench;
use super::openssl_speed::OpensslSpeed;
use super::pinned::Pinned;
use anyhow::{Context, bail};
use catalog::Workload;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Library → version, by the names that workers use.
pub type Libraries = BTreeMap<String, String>;

/// In how many places the code of the programs that `bench/fidelity/build` made lies.
pub const PLACEMENTS: u64 = 4;

/// Placement and paths that peers need.
#[derive(Debug, Clone)]
pub struct Site {
    /// Where peers run.
    pub pinned: Pinned,
    /// The programs that `bench/fidelity/build` made.
    pub programs: PathBuf,
    /// Where their code lies, below [`PLACEMENTS`].
    pub placement: u64,
    /// sizeup's input files.
    pub inputs: PathBuf,
    /// The Lua programs, and what they must return.
    pub lua: PathBuf,
    /// Least measuring time of a peer that has such an option.
    pub sample_ns: u64,
}

impl Site {
    /// A program that `bench/fidelity/build` made.
    pub fn program(&self, name: &str) -> String {
        path_text(&self.programs.join(format!("placement-{}", self.placement)).join(name))
    }

    /// With the programs whose code lies in the `n`-th place, of a few that take turns.
    pub fn placed(&self, n: u64) -> Self {
        Self { placement: n % PLACEMENTS, ..self.clone() }
    }
}

/// A path as an argument.
pub fn path_text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// A tool, set up for one workload.
pub trait Peer {
    /// Verifies as far as possible that the tool does the same work, and returns its libraries.
    ///
    /// # Errors
    /// When it can't be run, or does something else.
    fn prove(&self, site: &Site) -> anyhow::Result<Libraries>;

    /// How long the timed part of a run is, about.
    fn run_ns(&self, site: &Site) -> u64 {
        site.sample_ns
    }

    /// One run of it: ops per second as the tool has them.
    ///
    /// # Errors
    /// When it fails, or says what isn't understood.
    fn run(&self, site: &Site) -> anyhow::Result<f64>;
}

/// The peer of a workload.
///
/// # Errors
/// When there is none for it.
pub fn peer_of(workload: &Workload) -> anyhow::Result<Box<dyn Peer>> {
    let id = &workload.id;
    let (operation, implementation) =
        id.split_once('/').with_context(|| format!("{id:?} names no implementation"))?;
    Ok(match implementation {
        "openssl" if operation == "aes-128-gcm-seal-16KiB" => Box::new(CLoop::gcm(128)),
        "openssl" if operation == "aes-256-gcm-seal-16KiB" => Box::new(CLoop::gcm(256)),
        "openssl" if operation.starts_with("tls13-") => Box::new(CLoop::handshake(workload)?),
        "openssl" => match OpensslSpeed::of_worker(operation) {
            Some(speed) => Box::new(speed),
            None => Box::new(OpensslSpeed::of(operation)?),
        },
        "go" | "klauspost" | "minio" | "pgzip" | "pierrec" | "rollinghash" | "x-crypto"
        | "x-image" | "zeebo" => Box::new(GoBench::of(operation)?),
        "luajit" => Box::new(CLoop::lua(operation, whole(workload, "size")?)?),
        "brotli" => Box::new(CLoop::brotli(whole(workload, "quality")?)),
        _ if workload.definition.worker == "data" => Box::new(
            CLoop::rust(operation, implementation)
                .with_context(|| format!("{id}: the program has no {implementation}"))?,
        ),
        "linux" => Box::new(CLoop::kernel(operation)?),
        "glibc" if operation == "alloc-server" => Box::new(CLoop::allocator()),
        "stream" => Box::new(CLoop::triad(whole(workload, "bytes")?)),
        "cloudflare-zlib" => Box::new(CLoop::gzip(whole(workload, "level")?)),
        _ => bail!("{id}: no established tool is known for {implementation:?}"),
    })
}

fn whole(workload: &Workload, parameter: &str) -> anyhow::Result<u64> {
    workload.parameters[parameter]
        .as_u64()
        .with_context(|| format!("{} has no whole number as {parameter:?}", workload.id))
}

/// The value of `NAME VALUE`, if a text is just that line.
pub fn field<'a>(line: Option<&'a str>, name: &str) -> anyhow::Result<&'a str> {
    line.and_then(|line| line.strip_prefix(name)?.strip_prefix(' '))
        .filter(|value| !value.is_empty())
        .with_context(|| format!("{line:?} is not {name:?} and a value"))
}

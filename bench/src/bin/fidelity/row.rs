//! A workload with its worker and its peer.

use super::peer::{Libraries, PLACEMENTS, Peer, Site, peer_of};
use super::raw::Pair;
use anyhow::{Context, anyhow, ensure};
use record::Timing;
use sizeup_bench::Workers;
use std::time::{SystemTime, UNIX_EPOCH};

/// Uncounted work before a sample: the default of `sizeup run`.
const WARMUP_NS: u64 = 5_000_000;
/// One row of the table.
pub struct Row<'a> {
    pub id: String,
    pub libraries: Libraries,
    workers: &'a Workers,
    peer: Box<dyn Peer>,
}

impl<'a> Row<'a> {
    /// Sets a row up: both sides can do it and are linked with the same library.
    pub fn new(id: &str, workers: &'a Workers, site: &Site) -> anyhow::Result<Self> {
        let workload = workers.workload(id)?;
        let peer = peer_of(workload)?;
        let launch = workers.launch(id, &site.pinned.cpus)?;
        let libraries = launch.ready.build.libraries.clone();
        launch.finish().map_err(|e| anyhow!("{id}: {e}"))?;
        for placement in 0..PLACEMENTS {
            let theirs =
                peer.prove(&site.placed(placement)).with_context(|| format!("the peer of {id}"))?;
            for (library, version) in &libraries {
                ensure!(
                    theirs.get(library) == Some(version),
                    "{id}: sizeup's {library} is {version:?}, the peer's is {:?}; build both anew",
                    theirs.get(library)
                );
            }
        }
        Ok(Self { id: id.to_owned(), libraries, workers, peer })
    }

    /// A sample of a fresh worker, a run of the peer and another sample of that worker, one directly
    /// after the other. What drifts meanwhile meets both sides alike. The worker is ready before it
    /// begins and sleeps while the peer runs.
    pub fn pair(&self, pass: u64, site: &Site) -> anyhow::Result<Pair> {
        let site = site.placed(pass);
        let sample_ns = self.peer.run_ns(&site) / 2;
        let timing = Timing { warmup_ns: WARMUP_NS, sample_ns, rounds_per_launch: 1 };
        let failed = |e| anyhow!("{}: {e}", self.id);
        let mut launch = self.workers.launch(&self.id, &site.pinned.cpus)?;
        let started = SystemTime::now().duration_since(UNIX_EPOCH)?;
        let before = launch.measure(&timing).map_err(failed)?.measured;
        let peer_ops_per_s =
            self.peer.run(&site).with_context(|| format!("the peer of {}", self.id))?;
        let after = launch.measure(&timing).map_err(failed)?.measured;
        launch.finish().map_err(failed)?;
        Ok(Pair {
            row: self.id.clone(),
            pass,
            placement: site.placement,
            started_unix_ns: u64::try_from(started.as_nanos())?,
            samples: [before, after],
            peer_ops_per_s,
        })
    }
}

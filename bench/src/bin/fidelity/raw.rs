//! The raw pairs, in a file that more can be added to.

use super::peer::Libraries;
use anyhow::{Context, ensure};
use record::Measured;
use serde::{Deserialize, Serialize};
use sizeup_bench::throughput;
use stats::mean;
use std::collections::BTreeMap;
use std::path::Path;

const FORMAT: u32 = 2;

/// All that was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Raw {
    format: u32,
    /// The requested rows, with their libraries.
    pub rows: BTreeMap<String, Libraries>,
    /// In the order in which they were taken.
    pub pairs: Vec<Pair>,
}

/// A run of the peer between two samples of sizeup.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// The workload.
    pub row: String,
    /// From 1; in a pass each row that is due has one pair.
    pub pass: u64,
    pub started_unix_ns: u64,
    /// Where the code of the peer lay; nothing to `openssl speed`, which is as the system has it.
    pub placement: u64,
    /// The worker's, before and after the peer's run.
    pub samples: [Measured; 2],
    /// As the peer reports it.
    pub peer_ops_per_s: f64,
}

impl Pair {
    /// The mean of both samples.
    pub fn sizeup_ops_per_s(&self) -> f64 {
        mean(&self.samples.each_ref().map(throughput))
    }

    /// How much of the CPU the samples had: less than nearly all means that something else ran on it.
    pub fn cpu_share(&self) -> f64 {
        let threads = || self.samples.iter().flat_map(|sample| &sample.threads);
        let cpu_ns: u64 = threads().filter_map(|thread| thread.cpu_ns).sum();
        let elapsed_ns: u64 = threads().map(|thread| thread.elapsed_ns).sum();
        cpu_ns as f64 / elapsed_ns as f64
    }

    /// sizeup's figure ÷ the peer's.
    pub fn ratio(&self) -> f64 {
        self.sizeup_ops_per_s() / self.peer_ops_per_s
    }
}

impl Raw {
    pub fn new() -> Self {
        Self { format: FORMAT, rows: BTreeMap::new(), pairs: Vec::new() }
    }

    /// Adds a row; pairs of one row must be of the same libraries.
    pub fn add_row(&mut self, id: &str, libraries: &Libraries) -> anyhow::Result<()> {
        let before = self.rows.insert(id.to_owned(), libraries.clone());
        ensure!(
            before.is_none_or(|before| before == *libraries),
            "{id}: the pairs in the file are of other libraries; use another file"
        );
        Ok(())
    }

    /// The pairs of a row.
    pub fn of(&self, row: &str) -> Vec<&Pair> {
        self.pairs.iter().filter(|pair| pair.row == row).collect()
    }

    /// How many passes there were.
    pub fn passes(&self) -> u64 {
        self.pairs.iter().map(|pair| pair.pass).max().unwrap_or(0)
    }

    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let context = || format!("{}", path.display());
        let text = std::fs::read_to_string(path).with_context(context)?;
        let raw: Self = serde_json::from_str(&text).with_context(context)?;
        ensure!(raw.format == FORMAT, "{}: its format is not {FORMAT}", path.display());
        for pair in &raw.pairs {
            let ratio = pair.ratio();
            ensure!(
                raw.rows.contains_key(&pair.row) && ratio.is_finite() && ratio > 0.0,
                "{}: a pair of {:?} can't be",
                path.display(),
                pair.row
            );
        }
        Ok(raw)
    }

    /// Writes the file whole or not at all.
    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        let context = || format!("{} can't be written", path.display());
        let aside = path.with_extension("part");
        std::fs::write(&aside, serde_json::to_string(self)? + "\n").with_context(context)?;
        std::fs::rename(&aside, path).with_context(context)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use record::{Pulse, ThreadSample, fixture};

    /// A pair of a row with a ratio.
    pub fn pair(row: &str, ratio: f64) -> Pair {
        // 0.9 million and 1.1 million ops/s.
        let samples = [sample(900), sample(1100)];
        let peer_ops_per_s = 1e6 / ratio;
        Pair {
            row: row.to_owned(),
            pass: 1,
            placement: 1,
            started_unix_ns: 1,
            samples,
            peer_ops_per_s,
        }
    }

    /// A sample of a millisecond.
    fn sample(ops: u64) -> Measured {
        let pulse = Pulse { clock_ops: 1, clock_ns: 1, width_ops: 1, width_ns: 1 };
        let thread = fixture::thread(0, (ops, 1_000_000), [pulse; 2]);
        let thread = ThreadSample { cpu_ns: Some(990_000), ..thread };
        fixture::measured((1, 1), vec![thread])
    }

    #[test]
    fn a_pair_holds_the_mean_of_its_samples_against_the_peer() {
        let pair = pair("a/b", 1.1);
        assert!((pair.sizeup_ops_per_s() - 1e6).abs() < 1e-3);
        assert!((pair.cpu_share() - 0.99).abs() < 1e-9);
        assert!((pair.ratio() - 1.1).abs() < 1e-9);
    }

    #[test]
    fn what_was_written_is_read_and_added_to() {
        let path = std::env::temp_dir().join(format!("fidelity-{}.json", std::process::id()));
        let libraries = Libraries::from([("brotli".to_owned(), "1.2.0".to_owned())]);
        let mut raw = Raw::new();
        raw.add_row("a/b", &libraries).unwrap();
        raw.pairs.push(pair("a/b", 1.1));
        raw.write(&path).unwrap();
        let mut back = Raw::read(&path).unwrap();
        assert_eq!(back, raw);
        back.add_row("a/b", &libraries).unwrap();
        assert!(back.add_row("a/b", &Libraries::new()).is_err());
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_file_with_a_pair_that_cannot_be_is_refused() {
        let path = std::env::temp_dir().join(format!("fidelity-bad-{}.json", std::process::id()));
        for (row, ratio) in [("a/b", 0.0), ("a/b", -1.0), ("c/d", 1.0)] {
            let mut raw = Raw::new();
            raw.add_row("a/b", &Libraries::new()).unwrap();
            raw.pairs.push(pair(row, ratio));
            raw.write(&path).unwrap();
            assert!(Raw::read(&path).is_err(), "{row} {ratio}");
        }
        std::fs::remove_file(path).unwrap();
    }
}

//! What each worker is made of, as far as it is known.

use super::failure::Failure;
use super::ready::learn;
use super::receipt::Receipts;
use record::WorkerBuild;
use std::collections::BTreeMap;

/// What each worker's receipt told, and its launches since.
#[derive(Debug)]
pub(super) struct Builds<'a> {
    receipts: &'a Receipts,
    known: BTreeMap<String, WorkerBuild>,
}

impl<'a> Builds<'a> {
    pub fn of(receipts: &'a Receipts) -> Self {
        let told = receipts.iter().filter_map(|(name, answer)| Some((name, answer.as_ref().ok()?)));
        let known = told.map(|(name, listed)| (name.clone(), listed.receipt.build.clone()));
        Self { receipts, known: known.collect() }
    }

    /// Of a worker. Of one without a receipt nothing is measured.
    pub fn find(&self, worker: &str) -> Result<&WorkerBuild, Failure> {
        match (self.known.get(worker), self.receipts.get(worker)) {
            (Some(build), _) => Ok(build),
            // The user did not wait for it: no outcome either.
            (_, Some(Err(failure))) if failure.kind == "interrupted" => Err(failure.clone()),
            (_, Some(Err(failure))) => {
                Err(Failure { kind: "unavailable".to_owned(), ..failure.clone() })
            }
            _ => Err(Failure::new("unavailable", "the worker was not asked for a receipt", "")),
        }
    }

    /// Adds what a launch told.
    pub fn learn(&mut self, worker: &str, told: &WorkerBuild) {
        if let Some(build) = self.known.get_mut(worker) {
            learn(build, told);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_without_a_receipt_is_unavailable_but_one_that_was_not_waited_for_is_not() {
        let failed = |kind: &str| Err(Failure::new(kind, "why", ""));
        let receipts: Receipts = [("dead", failed("died")), ("left", failed("interrupted"))]
            .map(|(name, answer)| (name.to_owned(), answer))
            .into();
        let builds = Builds::of(&receipts);
        let kind = |worker: &str| builds.find(worker).map_err(|failure| failure.kind).unwrap_err();
        assert_eq!(
            ["dead", "left", "never asked"].map(kind),
            ["unavailable", "interrupted", "unavailable"]
        );
    }
}

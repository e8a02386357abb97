//! Whether a worker that says that it is ready is one.

use super::failure::Failure;
use super::receipt::{PROTOCOL, check_versions, wrong_protocol};
use crate::record::{Ready, WorkerBuild};

/// Parts have CPUs of the case; only one that is on another machine has none.
pub(super) fn check_parts(ready: &Ready, cpus: &[u32]) -> Result<(), Failure> {
    let is_served = ready.parts.first().is_none_or(|first| !first.cpus.is_empty());
    match ready.parts.iter().flat_map(|part| &part.cpus).find(|cpu| !cpus.contains(cpu)) {
        None if is_served => Ok(()),
        None => Err(Failure::not_the_protocol("the first part has no CPU")),
        Some(cpu) => {
            Err(Failure::not_the_protocol(format!("a part has CPU {cpu}, which is not the case's")))
        }
    }
}

/// The protocol is ours, and the libraries are those of the receipt.
pub(super) fn check_ready(ready: &Ready, build: &WorkerBuild) -> Result<(), Failure> {
    if ready.protocol != PROTOCOL {
        return Err(wrong_protocol(ready.protocol));
    }
    check_versions(&ready.build)?;
    for (library, version) in &ready.build.libraries {
        let told = build.libraries.get(library);
        if told != Some(version) {
            return Err(Failure::not_the_protocol(format!(
                "{library} is {version:?} now, but the receipt said {told:?}"
            )));
        }
    }
    if ready.batch_ops == 0 || ready.pulse.clock_cycles_per_op == 0 {
        return Err(Failure::not_the_protocol("a batch or a clock pulse of nothing"));
    }
    Ok(())
}

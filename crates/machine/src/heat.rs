//! How often cores had to slow down because they were too hot, where the kernel counts it (Intel does).

use std::path::Path;

use super::fact::{Fact, Read};
use super::files::Files;

/// Thermal throttling events of cores since boot, summed over the machine's CPUs.
pub fn thermal_throttles(root: &Path) -> Fact<u64> {
    let files = Files::new(root);
    count(&files).into()
}

fn count(files: &Files) -> Read<u64> {
    let folder = "/sys/devices/system/cpu";
    let count = |cpu: u32| {
        let path = format!("{folder}/cpu{cpu}/thermal_throttle/core_throttle_count");
        files.number::<u64>(&path).ok()
    };
    let counts: Vec<u64> =
        files.numbered(folder, "cpu").unwrap_or_default().into_iter().filter_map(count).collect();
    if counts.is_empty() {
        return Err(files.or_no_sys("the kernel does not count thermal throttling here"));
    }
    Ok(counts.into_iter().fold(0, u64::saturating_add))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    #[test]
    fn the_counts_of_all_cpus_are_summed() {
        let tree = "/sys/devices/system/cpu/cpu{2-4}/thermal_throttle/core_throttle_count: {}\n";
        assert_eq!(thermal_throttles(Fixture::unpack(tree).root()), Fact::Known(9));
    }

    #[test]
    fn a_machine_that_counts_none_says_so() {
        let fixture = Fixture::unpack("/sys/devices/system/cpu/cpu0/uevent: x\n");
        let reason = "the kernel does not count thermal throttling here";
        assert_eq!(thermal_throttles(fixture.root()).reason(), Some(reason));
        let without_sys = Fixture::unpack("/proc/stat: x\n");
        let reason = "/sys/devices/system/cpu does not exist";
        assert_eq!(thermal_throttles(without_sys.root()).reason(), Some(reason));
    }
}

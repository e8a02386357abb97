//! The caches, and which CPUs share them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::cpu_list::CpuList;
use super::fact::{Fact, Read};
use super::files::Files;
use super::topology::Topology;

/// All caches of one kind: same level, type and size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Cache {
    /// The level, 1 being the nearest to the core.
    #[schemars(range(min = 1))]
    pub level: u32,
    /// `data`, `instruction` or `unified`.
    pub kind: String,
    /// The size of one instance in bytes.
    pub size_bytes: Fact<u64>,
    /// The length of a line in bytes.
    #[serde(default)]
    pub line_bytes: Fact<u32>,
    /// How many instances the machine has.
    pub instances: u32,
    /// The CPUs that share each instance.
    #[serde(default)]
    pub shared_by: Vec<CpuList>,
}

/// No CPU has more levels and types than this.
const MOST_PER_CPU: usize = 16;

/// Caches that agree in these are of one kind.
type CacheKind = (u32, String, Option<u64>);

pub(super) fn read(files: &Files, topology: &Topology) -> Fact<Vec<Cache>> {
    let mut kinds: BTreeMap<CacheKind, Cache> = BTreeMap::new();
    let mut instances: BTreeMap<CacheKind, BTreeSet<CpuList>> = BTreeMap::new();
    for cpu in topology.cpus.iter().map(|cpu| cpu.cpu) {
        let folder = format!("/sys/devices/system/cpu/cpu{cpu}/cache");
        let indices = files.numbered(&folder, "index").unwrap_or_default();
        for index in indices.into_iter().take(MOST_PER_CPU) {
            if let Some((cache, shared)) = read_one(files, &format!("{folder}/index{index}"), cpu) {
                let kind = kind_of(&cache);
                instances.entry(kind.clone()).or_default().insert(shared);
                kinds.entry(kind).or_insert(cache);
            }
        }
    }
    if kinds.is_empty() {
        return Fact::not_available(files.or_no_sys(
            "the kernel lists no caches (firmware or hypervisor did not describe them)",
        ));
    }
    let count = |(kind, cache): (CacheKind, Cache)| {
        let shared_by = instances.remove(&kind).unwrap_or_default();
        Cache {
            instances: shared_by.len() as u32,
            shared_by: shared_by.into_iter().collect(),
            ..cache
        }
    };
    Fact::Known(kinds.into_iter().map(count).collect())
}

/// The CPUs that share an instance of the last-level cache with one of `cpus`, these included; empty where caches are not
/// known.
pub fn sharing_last_level(caches: &Fact<Vec<Cache>>, cpus: &BTreeSet<u32>) -> BTreeSet<u32> {
    let caches = caches.known().map_or(&[][..], Vec::as_slice);
    let last = caches.iter().map(|cache| cache.level).max();
    let shared = caches.iter().filter(|cache| Some(cache.level) == last).flat_map(|c| &c.shared_by);
    let with_ours = shared.filter(|sharing| sharing.iter().any(|cpu| cpus.contains(cpu)));
    with_ours.flat_map(|sharing| sharing.to_vec()).collect()
}

fn kind_of(cache: &Cache) -> CacheKind {
    let size = cache.size_bytes.known().copied();
    (cache.level, cache.kind.clone(), size)
}

/// One cache of a CPU, and the CPUs that share it.
fn read_one(files: &Files, folder: &str, cpu: u32) -> Option<(Cache, CpuList)> {
    let cache = Cache {
        level: files.number(&format!("{folder}/level")).ok()?,
        kind: files.value(&format!("{folder}/type")).ok()?.to_lowercase(),
        size_bytes: size_bytes(files, &format!("{folder}/size")).into(),
        line_bytes: files.number(&format!("{folder}/coherency_line_size")).into(),
        instances: 0,
        shared_by: Vec::new(),
    };
    let shared = files.cpu_list(&format!("{folder}/shared_cpu_list"));
    let shared = shared.ok().filter(|list| list.holds(cpu));
    // A cache without a list of sharing CPUs belongs to this CPU alone.
    Some((cache, shared.unwrap_or_else(|| CpuList::from(vec![cpu]))))
}

/// A size as sysfs writes it: `32K`.
fn size_bytes(files: &Files, path: &str) -> Read<u64> {
    let value = files.value(path)?;
    parse_size(&value).ok_or_else(|| format!("{path} does not hold a size"))
}

fn parse_size(value: &str) -> Option<u64> {
    let (digits, unit): (&str, u64) = match value.as_bytes().last()? {
        b'K' => (&value[..value.len() - 1], 1 << 10),
        b'M' => (&value[..value.len() - 1], 1 << 20),
        _ => (value, 1),
    };
    let bytes = digits.parse::<u64>().ok()?.checked_mul(unit)?;
    (bytes > 0).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn caches(fixture: &Fixture) -> Fact<Vec<Cache>> {
        let files = Files::new(fixture.root());
        read(&files, &Topology::read(&files))
    }

    #[test]
    fn each_kind_of_cache_is_counted_with_the_cpus_that_share_it() {
        let caches = caches(&Fixture::named("xeon-2s"));
        let caches = caches.known().unwrap();
        let actual: Vec<_> = caches
            .iter()
            .map(|c| (c.level, c.kind.as_str(), c.size_bytes.known().copied(), c.instances))
            .collect();
        assert_eq!(
            actual,
            [
                (1, "data", Some(48 << 10), 8),
                (1, "instruction", Some(32 << 10), 8),
                (2, "unified", Some(1280 << 10), 8),
                (3, "unified", Some(54 << 20), 2),
            ]
        );
        assert_eq!(caches[3].shared_by[1].to_string(), "4-7,12-15");
        assert_eq!(caches[3].line_bytes, Fact::Known(64));
    }

    #[test]
    fn a_machine_that_lists_none_says_why() {
        let caches = caches(&Fixture::unpack("/sys/devices/system/cpu/cpu0/uevent: x\n"));
        assert!(caches.reason().unwrap().contains("lists no caches"));
        let caches = self::caches(&Fixture::unpack("/proc/stat: x\n"));
        assert_eq!(caches.reason(), Some("/sys/devices/system/cpu does not exist"));
    }

    #[test]
    fn a_cache_without_a_size_is_listed_with_the_reason() {
        let caches = caches(&Fixture::unpack(
            "/sys/devices/system/cpu/cpu{0-1}/cache/index0/level: 1\n\
             /sys/devices/system/cpu/cpu{0-1}/cache/index0/type: Data\n",
        ));
        let cache = &caches.known().unwrap()[0];
        assert_eq!(cache.instances, 2);
        assert_eq!(
            cache.size_bytes.reason(),
            Some("/sys/devices/system/cpu/cpu0/cache/index0/size does not exist")
        );
    }

    #[test]
    fn a_cache_whose_list_lacks_its_own_cpu_is_that_cpus_alone() {
        let caches = caches(&Fixture::unpack(
            "/sys/devices/system/cpu/cpu{0-1}/cache/index0/level: 1\n\
             /sys/devices/system/cpu/cpu{0-1}/cache/index0/type: Data\n\
             /sys/devices/system/cpu/cpu{0-1}/cache/index0/shared_cpu_list: 7\n",
        ));
        let cache = &caches.known().unwrap()[0];
        let shared: Vec<String> = cache.shared_by.iter().map(ToString::to_string).collect();
        assert_eq!(shared, ["0", "1"]);
    }

    #[test]
    fn sizes_are_read_with_their_unit_and_nothing_else() {
        assert_eq!(parse_size("32K"), Some(32_768));
        assert_eq!(parse_size("2M"), Some(2_097_152));
        assert_eq!(parse_size("512"), Some(512));
        for wrong in ["", "K", "0K", "-1K", "1.5M", "32 K", "18446744073709551615K", "1é"] {
            assert_eq!(parse_size(wrong), None, "{wrong}");
        }
    }
}

//! Memory: size, nodes and page sizes.

use serde::{Deserialize, Serialize};

use super::cpu_list::CpuList;
use super::fact::{Fact, Read};
use super::files::Files;
use super::modules::{MemoryModules, channels, modules};

const HUGEPAGE_FOLDER: &str = "/sys/kernel/mm/transparent_hugepage";

/// The machine's memory and how the kernel allocates it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct Memory {
    /// Memory that the kernel manages, in bytes; a little less than installed.
    pub total_bytes: Fact<u64>,
    /// The modules, equal ones together.
    pub modules: Fact<Vec<MemoryModules>>,
    /// How many channels have memory, over all memory controllers.
    pub channels: Fact<u32>,
    /// Swap space in bytes; 0 for none.
    pub swap_bytes: Fact<u64>,
    /// The size of an ordinary page in bytes.
    pub page_bytes: Fact<u64>,
    /// When the kernel uses transparent huge pages: `always`, `madvise` or `never`.
    pub transparent_huge_pages: Fact<String>,
    /// How hard the kernel tries to free a transparent huge page when none is free.
    pub transparent_huge_pages_defrag: Fact<String>,
    /// The size of a transparent huge page in bytes.
    pub transparent_huge_page_bytes: Fact<u64>,
    /// Reserved huge pages, by size.
    pub huge_pages: Fact<Vec<HugePages>>,
    /// Whether the kernel moves pages to the node that uses them (0 no, else a mode).
    pub numa_balancing: Fact<u32>,
    /// The NUMA nodes.
    pub nodes: Fact<Vec<NumaNode>>,
}

/// Reserved huge pages of one size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct HugePages {
    /// The size of a page in bytes.
    #[schemars(range(min = 1))]
    pub page_bytes: u64,
    pub count: u64,
}

/// One NUMA node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct NumaNode {
    /// The kernel's number for it.
    pub node: u32,
    /// Its CPUs; none where the node is memory only.
    pub cpus: CpuList,
    /// Its memory in bytes.
    pub memory_bytes: Fact<u64>,
}

impl Memory {
    pub(super) fn read(files: &Files) -> Memory {
        let folder = HUGEPAGE_FOLDER;
        Memory {
            total_bytes: meminfo_bytes(files, "MemTotal").into(),
            modules: modules(files).into(),
            channels: channels(files).into(),
            swap_bytes: meminfo_bytes(files, "SwapTotal").into(),
            page_bytes: page_bytes(files).into(),
            transparent_huge_pages: chosen(files, &format!("{folder}/enabled")).into(),
            transparent_huge_pages_defrag: chosen(files, &format!("{folder}/defrag")).into(),
            transparent_huge_page_bytes: files.number(&format!("{folder}/hpage_pmd_size")).into(),
            huge_pages: huge_pages(files).into(),
            numa_balancing: files.number("/proc/sys/kernel/numa_balancing").into(),
            nodes: nodes(files).into(),
        }
    }
}

/// A line of `/proc/meminfo`, in bytes.
pub(super) fn meminfo_bytes(files: &Files, key: &str) -> Read<u64> {
    kib_field(files, "/proc/meminfo", key)
}

/// The value of `…key: N kB` in a file, in bytes.
fn kib_field(files: &Files, path: &str, key: &str) -> Read<u64> {
    let text = files.text(path)?;
    let key = format!("{key}:");
    let line = text.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        words.by_ref().find(|word| *word == key)?;
        words.next()
    });
    let kib = line.ok_or_else(|| format!("{path} has no line '{key}'"))?;
    let bytes = kib.parse::<u64>().ok().and_then(|kib| kib.checked_mul(1_024));
    bytes.ok_or_else(|| format!("{path}: the line '{key}' does not hold a size"))
}

/// From the running kernel, or for a recorded tree from the memory map of a process.
fn page_bytes(files: &Files) -> Read<u64> {
    if files.are_live() {
        let size = nix::unistd::sysconf(nix::unistd::SysconfVar::PAGE_SIZE);
        if let Ok(Some(size)) = size
            && let Ok(size) = u64::try_from(size)
        {
            return Ok(size);
        }
    }
    kib_field(files, "/proc/self/smaps", "KernelPageSize")
}

/// The choice in brackets: `always [madvise] never`.
fn chosen(files: &Files, path: &str) -> Read<String> {
    let choices = files.value(path)?;
    choices
        .split_whitespace()
        .find_map(|word| word.strip_prefix('[')?.strip_suffix(']'))
        .map(str::to_owned)
        .ok_or_else(|| format!("{path} shows no choice in brackets"))
}

fn huge_pages(files: &Files) -> Read<Vec<HugePages>> {
    let folder = "/sys/kernel/mm/hugepages";
    let mut sizes = Vec::new();
    for name in files.names(folder)? {
        let kib = name.strip_prefix("hugepages-").and_then(|n| n.strip_suffix("kB"));
        let bytes = kib.and_then(|kib| kib.parse::<u64>().ok()?.checked_mul(1_024));
        let Some(page_bytes) = bytes else { continue };
        let count = files.number(&format!("{folder}/{name}/nr_hugepages"))?;
        sizes.push(HugePages { page_bytes, count });
    }
    sizes.sort_by_key(|size| size.page_bytes);
    Ok(sizes)
}

fn nodes(files: &Files) -> Read<Vec<NumaNode>> {
    let folder = "/sys/devices/system/node";
    let numbers = files.numbered(folder, "node")?;
    if numbers.is_empty() {
        return Err(format!("{folder} lists no node"));
    }
    let node = |node| NumaNode {
        node,
        cpus: files.cpu_list(&format!("{folder}/node{node}/cpulist")).unwrap_or_default(),
        memory_bytes: kib_field(files, &format!("{folder}/node{node}/meminfo"), "MemTotal").into(),
    };
    Ok(numbers.into_iter().map(node).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn read(tree: &str) -> Memory {
        Memory::read(&Files::new(Fixture::unpack(tree).root()))
    }

    #[test]
    fn a_two_node_machine_is_read_whole() {
        let memory = Memory::read(&Files::new(Fixture::named("xeon-2s").root()));
        assert_eq!(memory.total_bytes, Fact::Known(263_750_120 * 1_024));
        assert_eq!(memory.page_bytes, Fact::Known(4_096));
        assert_eq!(memory.transparent_huge_pages, Fact::Known("madvise".into()));
        assert_eq!(memory.transparent_huge_page_bytes, Fact::Known(2 << 20));
        let huge = memory.huge_pages.known().unwrap();
        assert_eq!((huge[0].page_bytes, huge[0].count), (2 << 20, 512));
        assert_eq!((huge[1].page_bytes, huge[1].count), (1 << 30, 0));
        let nodes = memory.nodes.known().unwrap();
        assert_eq!(nodes[1].cpus.to_string(), "4-7,12-15");
        assert_eq!(nodes[1].memory_bytes, Fact::Known(132_104_316 * 1_024));
    }

    #[test]
    fn a_node_with_memory_only_has_no_cpus() {
        let memory = read(
            "/sys/devices/system/node/node0/cpulist: 0-3\n\
             /sys/devices/system/node/node1/cpulist <<\n\n>>\n\
             /sys/devices/system/node/node1/meminfo: Node 1 MemTotal: 1024 kB\n",
        );
        let nodes = memory.nodes.known().unwrap();
        assert!(nodes[1].cpus.is_empty());
        assert_eq!(nodes[1].memory_bytes, Fact::Known(1 << 20));
    }

    #[test]
    fn pages_of_64_kib_are_found_in_a_process_map() {
        let memory = read("/proc/self/smaps: KernelPageSize:       64 kB\n");
        assert_eq!(memory.page_bytes, Fact::Known(65_536));
    }

    #[test]
    fn sizes_that_are_none_or_overflow_are_reasons() {
        let total = |line: &str| read(&format!("/proc/meminfo: {line}")).total_bytes;
        assert_eq!(total("MemFree: 1 kB").reason(), Some("/proc/meminfo has no line 'MemTotal:'"));
        for value in ["18446744073709551615", "lots", "-1"] {
            let reason = total(&format!("MemTotal: {value} kB"));
            assert!(reason.reason().unwrap().contains("does not hold a size"));
        }
    }

    #[test]
    fn a_kernel_without_huge_pages_says_so() {
        let memory = read("/proc/version: x\n");
        assert_eq!(
            memory.transparent_huge_pages.reason(),
            Some("/sys/kernel/mm/transparent_hugepage/enabled does not exist")
        );
        assert_eq!(memory.huge_pages.reason(), Some("/sys/kernel/mm/hugepages does not exist"));
    }
}

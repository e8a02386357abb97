//! The logical CPUs and their cores, sockets and NUMA nodes.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::core_name::arm_core;
use super::cpu_list::CpuList;
use super::cpuinfo::CpuInfo;
use super::fact::{Fact, Read};
use super::files::Files;

const FOLDER: &str = "/sys/devices/system/cpu";

/// The machine's CPUs as its kernel sees them. A hypervisor may hide the true topology: it may present hyperthreads
/// of one core as separate cores, for example.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct Topology {
    /// Sockets with a CPU that is online.
    pub sockets: Fact<u32>,
    /// Physical cores.
    pub cores: Fact<u32>,
    /// Logical CPUs.
    pub threads: Fact<u32>,
    /// Logical CPUs of the core that has most.
    pub threads_per_core: Fact<u32>,
    /// The kernel's switch for simultaneous multithreading: `on`, `off`, `notsupported`…
    pub smt: Fact<String>,
    /// Every logical CPU that is online, by number; empty if unknown.
    pub cpus: Vec<LogicalCpu>,
}

/// One logical CPU.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LogicalCpu {
    /// The kernel's number for it.
    pub cpu: u32,
    /// 0 if unknown.
    pub package: u32,
    /// The kernel's number of the core, unique within a die at best; [`LogicalCpu::siblings`]
    /// distinguishes cores.
    #[serde(default)]
    pub core: Option<u32>,
    /// The die within the socket, if any.
    #[serde(default)]
    pub die: Option<u32>,
    /// The cluster of cores within the die, if any.
    #[serde(default)]
    pub cluster: Option<u32>,
    /// The NUMA node, where the kernel knows nodes.
    #[serde(default)]
    pub numa_node: Option<u32>,
    /// The logical CPUs on the same core, this one included.
    #[serde(default)]
    pub siblings: CpuList,
}

impl LogicalCpu {
    /// Identifies its core: the lowest CPU number on it.
    pub fn core_key(&self) -> u32 {
        self.siblings.first().copied().unwrap_or(self.cpu)
    }
}

impl Topology {
    pub(super) fn read(files: &Files) -> Topology {
        let smt = files.value(&format!("{FOLDER}/smt/control")).into();
        match online(files) {
            Ok(online) => Topology { smt, ..Topology::of(read_cpus(files, &online)) },
            Err(reason) => Topology {
                sockets: Fact::not_available(&reason),
                cores: Fact::not_available(&reason),
                threads: Fact::not_available(&reason),
                threads_per_core: Fact::not_available(&reason),
                smt,
                cpus: Vec::new(),
            },
        }
    }

    /// The topology that a list of CPUs amounts to.
    pub fn of(cpus: Vec<LogicalCpu>) -> Topology {
        let sockets: BTreeSet<u32> = cpus.iter().map(|cpu| cpu.package).collect();
        let mut cores: BTreeMap<u32, u32> = BTreeMap::new();
        for cpu in &cpus {
            *cores.entry(cpu.core_key()).or_default() += 1;
        }
        Topology {
            sockets: Fact::Known(sockets.len() as u32),
            cores: Fact::Known(cores.len() as u32),
            threads: Fact::Known(cpus.len() as u32),
            threads_per_core: Fact::Known(cores.values().copied().max().unwrap_or(0)),
            smt: Fact::default(),
            cpus,
        }
    }

    /// The numbers of all CPUs.
    pub fn cpu_list(&self) -> CpuList {
        CpuList::from(self.cpus.iter().map(|cpu| cpu.cpu).collect::<Vec<_>>())
    }
}

/// The CPUs that are online and have a folder: a garbled list must not cause reads of tens of thousands of missing
/// folders.
fn online(files: &Files) -> Read<CpuList> {
    let folders = CpuList::from(files.numbered(FOLDER, "cpu")?);
    if folders.is_empty() {
        return Err(format!("{FOLDER} lists no CPU"));
    }
    // Kernels without hot-plugging have no such file: all are online.
    match files.cpu_list(&format!("{FOLDER}/online")) {
        Ok(online) if !online.intersection(&folders).is_empty() => {
            Ok(online.intersection(&folders))
        }
        _ => Ok(folders),
    }
}

fn read_cpus(files: &Files, online: &CpuList) -> Vec<LogicalCpu> {
    let nodes = node_of_each(files);
    let mut cpus: Vec<LogicalCpu> = online
        .iter()
        .map(|&cpu| {
            let id = |name: &str| topology_id(files, cpu, name);
            LogicalCpu {
                cpu,
                package: id("physical_package_id").unwrap_or(0),
                core: id("core_id"),
                die: id("die_id"),
                cluster: id("cluster_id"),
                numa_node: nodes.get(&cpu).copied(),
                siblings: siblings(files, cpu, online),
            }
        })
        .collect();
    join_by_core_id(&mut cpus);
    join_clusters(&mut cpus, &CpuInfo::read(files).unwrap_or_default());
    cpus
}

/// More CPUs than a cluster of Arm's cores for phones and boards has.
const MOST_OF_A_CLUSTER: usize = 8;

/// Where firmware does not describe sockets, older arm64 kernels number clusters of cores as packages. They are clusters if
/// they are of unlike cores, which no two sockets are, or of a few cores that are made for one socket only.
fn join_clusters(cpus: &mut [LogicalCpu], info: &CpuInfo) {
    let mut packages: BTreeMap<u32, (usize, BTreeSet<(u32, u32)>)> = BTreeMap::new();
    for cpu in cpus.iter() {
        let package = packages.entry(cpu.package).or_default();
        package.0 += 1;
        package.1.extend(info.arm_core_of.get(&cpu.cpu));
    }
    if packages.len() < 2 || info.arm_core_of.is_empty() {
        return;
    }
    let kinds: BTreeSet<&BTreeSet<(u32, u32)>> =
        packages.values().map(|(_, kinds)| kinds).collect();
    let is_of_boards = |core: &(u32, u32)| {
        arm_core(core.0, core.1).is_some_and(|name| name.starts_with("Cortex-"))
    };
    let are_of_boards = packages.values().all(|(count, kinds)| {
        *count <= MOST_OF_A_CLUSTER && !kinds.is_empty() && kinds.iter().all(is_of_boards)
    });
    if kinds.len() > 1 || are_of_boards {
        for cpu in cpus {
            cpu.cluster = cpu.cluster.or(Some(cpu.package));
            cpu.package = 0;
        }
    }
}

/// An identifier in a CPU's topology; kernels write -1 or 65535 for none.
fn topology_id(files: &Files, cpu: u32, name: &str) -> Option<u32> {
    let path = format!("{FOLDER}/cpu{cpu}/topology/{name}");
    let id = files.number::<i64>(&path).ok()?;
    u32::try_from(id).ok().filter(|&id| id != 65_535)
}

/// `core_cpus_list` in newer kernels, `thread_siblings_list` in older ones; empty without either.
fn siblings(files: &Files, cpu: u32, online: &CpuList) -> CpuList {
    ["core_cpus_list", "thread_siblings_list"]
        .iter()
        .filter_map(|name| {
            let path = format!("{FOLDER}/cpu{cpu}/topology/{name}");
            let listed = files.cpu_list(&path).ok()?.intersection(online);
            listed.holds(cpu).then_some(listed)
        })
        .next()
        .unwrap_or_default()
}

/// Without sibling lists, CPUs with equal identifiers form a core; without identifiers, every CPU is a core.
fn join_by_core_id(cpus: &mut [LogicalCpu]) {
    let mut cores: BTreeMap<_, Vec<u32>> = BTreeMap::new();
    let key = |cpu: &LogicalCpu| cpu.core.map(|core| (cpu.package, cpu.die, core));
    for cpu in cpus.iter().filter(|cpu| cpu.siblings.is_empty()) {
        if let Some(key) = key(cpu) {
            cores.entry(key).or_default().push(cpu.cpu);
        }
    }
    for cpu in cpus.iter_mut().filter(|cpu| cpu.siblings.is_empty()) {
        let same_core = key(cpu).and_then(|key| cores.get(&key).cloned());
        cpu.siblings = CpuList::from(same_core.unwrap_or_else(|| vec![cpu.cpu]));
    }
}

fn node_of_each(files: &Files) -> BTreeMap<u32, u32> {
    let folder = "/sys/devices/system/node";
    let mut node_of = BTreeMap::new();
    for node in files.numbered(folder, "node").unwrap_or_default() {
        let cpus = files.cpu_list(&format!("{folder}/node{node}/cpulist"));
        for &cpu in cpus.unwrap_or_default().iter() {
            node_of.insert(cpu, node);
        }
    }
    node_of
}

impl Topology {
    /// CPUs of one socket with siblings by a function.
    pub fn with_siblings(cpus: u32, siblings: impl Fn(u32) -> Vec<u32>) -> Self {
        let cpu = |cpu| LogicalCpu {
            cpu,
            package: 0,
            core: None,
            die: None,
            cluster: None,
            numa_node: None,
            siblings: CpuList::from(siblings(cpu)),
        };
        Self::of((0..cpus).map(cpu).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn read(tree: &str) -> Topology {
        Topology::read(&Files::new(Fixture::unpack(tree).root()))
    }

    fn counts(topology: &Topology) -> [u32; 4] {
        let Topology { sockets, cores, threads, threads_per_core, .. } = topology;
        [sockets, cores, threads, threads_per_core].map(|fact| *fact.known().unwrap())
    }

    #[test]
    fn a_two_socket_machine_with_hyperthreads_is_counted_right() {
        let topology = Topology::read(&Files::new(Fixture::named("xeon-2s").root()));
        assert_eq!(counts(&topology), [2, 8, 16, 2]);
        let last = topology.cpus.last().unwrap();
        assert_eq!((last.cpu, last.package, last.numa_node), (15, 1, Some(1)));
        assert_eq!(last.siblings.to_string(), "7,15");
        assert_eq!(last.core_key(), 7);
        assert_eq!(topology.smt, Fact::Known("on".into()));
    }

    #[test]
    fn equal_core_ids_on_two_sockets_are_two_cores() {
        let topology = read(
            "/sys/devices/system/cpu/cpu{0-1}/topology/physical_package_id: {}\n\
             /sys/devices/system/cpu/cpu{0-1}/topology/core_id: 0\n",
        );
        assert_eq!(counts(&topology), [2, 2, 2, 1]);
    }

    #[test]
    fn without_sibling_lists_equal_core_ids_make_a_core() {
        let topology = read(
            "/sys/devices/system/cpu/cpu{0-3}/topology/physical_package_id: 0\n\
             /sys/devices/system/cpu/cpu{0,2}/topology/core_id: 0\n\
             /sys/devices/system/cpu/cpu{1,3}/topology/core_id: 1\n",
        );
        assert_eq!(counts(&topology), [1, 2, 4, 2]);
    }

    #[test]
    fn cpus_without_topology_are_cores_of_their_own() {
        let topology = read("/sys/devices/system/cpu/cpu{0-2}/uevent: x\n");
        assert_eq!(counts(&topology), [1, 3, 3, 1]);
    }

    #[test]
    fn offline_cpus_are_left_out_of_the_list_and_of_the_siblings() {
        let topology = read(
            "/sys/devices/system/cpu/online: 0-1\n\
             /sys/devices/system/cpu/cpu{0,2}/topology/core_cpus_list: 0,2\n\
             /sys/devices/system/cpu/cpu{1,3}/topology/core_cpus_list: 1,3\n",
        );
        assert_eq!(topology.cpu_list().to_string(), "0-1");
        assert_eq!(topology.cpus[0].siblings.to_string(), "0");
    }

    #[test]
    fn a_sibling_list_without_the_cpu_itself_is_ignored() {
        let topology = read(
            "/sys/devices/system/cpu/cpu{0-1}/topology/core_cpus_list: 7\n\
             /sys/devices/system/cpu/cpu{0-1}/topology/thread_siblings_list: 0-1\n",
        );
        assert_eq!(counts(&topology), [1, 1, 2, 2]);
    }

    /// A tree with so many CPUs, each of a package and a core.
    fn arm(cpus: &[(u32, &str)]) -> String {
        let mut tree = String::new();
        for (cpu, (package, _)) in cpus.iter().enumerate() {
            let topology = format!("/sys/devices/system/cpu/cpu{cpu}/topology");
            tree += &format!("{topology}/physical_package_id: {package}\n{topology}/core_id: 0\n");
            tree += &format!("{topology}/core_cpus_list: {cpu}\n");
        }
        tree += "/proc/cpuinfo <<\n";
        for (cpu, (_, part)) in cpus.iter().enumerate() {
            tree += &format!("processor : {cpu}\nCPU implementer : 0x41\nCPU part : {part}\n\n");
        }
        tree + ">>\n"
    }

    #[test]
    fn clusters_of_arm_cores_are_not_sockets() {
        let mixed = [(0, "0xd46"), (0, "0xd46"), (1, "0xd4d"), (1, "0xd47"), (2, "0xd4e")];
        let topology = read(&arm(&mixed));
        assert_eq!(counts(&topology), [1, 5, 5, 1]);
        assert_eq!((topology.cpus[4].package, topology.cpus[4].cluster), (0, Some(2)));
        // Two alike, of a board's cores, and one of an unknown core.
        assert_eq!(counts(&read(&arm(&[(0, "0xd03"), (1, "0xd03")])))[0], 1);
        assert_eq!(counts(&read(&arm(&[(0, "0xd03"), (1, "0xfff")])))[0], 1);
        // Two sockets of a server.
        assert_eq!(counts(&read(&arm(&[(0, "0xd0c"), (1, "0xd0c")])))[0], 2);
    }

    #[test]
    fn identifiers_that_mean_none_are_none() {
        let topology = read(
            "/sys/devices/system/cpu/cpu0/topology/physical_package_id: -1\n\
             /sys/devices/system/cpu/cpu0/topology/cluster_id: 65535\n\
             /sys/devices/system/cpu/cpu0/topology/die_id: 3\n",
        );
        let cpu = &topology.cpus[0];
        assert_eq!((cpu.package, cpu.cluster, cpu.die), (0, None, Some(3)));
    }

    #[test]
    fn a_garbled_online_list_leaves_the_cpus_that_have_folders() {
        let topology = read(
            "/sys/devices/system/cpu/online: 0-4294967295\n\
             /sys/devices/system/cpu/cpu{0-1}/uevent: x\n",
        );
        assert_eq!(topology.cpu_list().to_string(), "0-1");
    }

    #[test]
    fn a_machine_without_the_folder_says_so() {
        let topology = read("/proc/version: x\n");
        assert!(topology.cpus.is_empty());
        let reason = topology.threads.reason();
        assert_eq!(reason, Some("/sys/devices/system/cpu does not exist"));
    }
}

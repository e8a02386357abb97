//! The machine as a table: a pure function from a [`Machine`] to rows of text.

mod summary;

use std::fmt::Display;

use super::cache::Cache;
use super::cap::Cap;
use super::fact::Fact;
use super::memory::{HugePages, NumaNode};
use super::modules::MemoryModules;
use super::topology::Topology;
use super::{Machine, units};

pub(super) use summary::summary;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecRow {
    /// The part of the machine that it belongs to; rows of a group follow each other.
    pub group: &'static str,
    pub label: String,
    /// The value with its unit, or why it is unknown.
    pub value: String,
}

/// A group of rows under construction.
struct Section {
    name: &'static str,
    rows: Vec<SpecRow>,
}

impl Section {
    fn new(name: &'static str) -> Section {
        let rows = Vec::new();
        Section { name, rows }
    }

    fn row(mut self, label: impl Into<String>, value: impl Display) -> Section {
        self.rows.push(SpecRow { group: self.name, label: label.into(), value: value.to_string() });
        self
    }

    /// One row per entry of a list that is known, or one with the reason.
    fn rows<T>(
        self,
        label: &str,
        list: &Fact<Vec<T>>,
        row: impl Fn(&T) -> (String, String),
    ) -> Section {
        match list {
            Fact::Known(list) => list.iter().map(row).fold(self, |group, (l, v)| group.row(l, v)),
            Fact::NotAvailable(_) => self.row(label, list.map(|_| "")),
        }
    }
}

pub(super) fn rows(machine: &Machine) -> Vec<SpecRow> {
    let groups = [
        cpu(machine),
        frequency(machine),
        topology(machine),
        caches(machine),
        memory(machine),
        kernel(machine),
        mitigations(machine),
        platform(machine),
        limits(machine),
    ];
    groups.into_iter().flat_map(|group| group.rows).collect()
}

fn cpu(machine: &Machine) -> Section {
    let cpu = &machine.cpu;
    let group = Section::new("CPU")
        .row("model", &cpu.model)
        .row("core", &cpu.core)
        .row("vendor", &cpu.vendor)
        .row("architecture", &cpu.architecture)
        .row("identity", &cpu.identity)
        .row("microcode", &cpu.microcode)
        .row("features", cpu.features.map(|names| list(names)));
    // A CPU without scalable vectors has no length of them to explain.
    match cpu.sve_vector_bytes.known() {
        Some(length) => group.row("SVE vector", format!("{} bits", u64::from(*length) * 8)),
        None => group,
    }
}

fn frequency(machine: &Machine) -> Section {
    let frequency = &machine.frequency;
    let hertz = |fact: &Fact<u64>| fact.map(|&khz| units::frequency(khz));
    let mut group = Section::new("Frequency").row("driver", &frequency.driver);
    // Without a driver, one reason covers all values that only a driver reports.
    if frequency.driver.known().is_some() || frequency.governor.known().is_some() {
        group = group
            .row("governor", &frequency.governor)
            .row("energy preference", &frequency.energy_preference)
            .row("lowest", hertz(&frequency.min_khz))
            .row("highest", hertz(&frequency.max_khz))
            .row("highest allowed", hertz(&frequency.allowed_khz));
    }
    let turbo = frequency.boost.map(|&on| if on { "on" } else { "off" });
    group
        .row("base", hertz(&frequency.base_khz))
        .row("turbo", turbo)
        .row("shown by /proc/cpuinfo", hertz(&frequency.shown_khz))
}

fn topology(machine: &Machine) -> Section {
    let Topology { sockets, cores, threads, threads_per_core, smt, .. } = &machine.topology;
    let are_siblings_offline = threads_per_core.known() == Some(&1);
    let smt = smt.map(|smt| match smt.as_str() {
        "on" if are_siblings_offline => "on, but each core has one CPU online".to_owned(),
        smt => smt.to_owned(),
    });
    Section::new("Topology")
        .row("sockets", sockets)
        .row("cores", cores)
        .row("threads", threads)
        .row("threads per core", threads_per_core)
        .row("SMT", smt)
}

fn caches(machine: &Machine) -> Section {
    Section::new("Caches").rows("caches", &machine.caches, |cache| {
        let kind = match cache.kind.as_str() {
            "data" => "d",
            "instruction" => "i",
            _ => "",
        };
        (format!("L{}{kind}", cache.level), cache_value(cache))
    })
}

fn cache_value(cache: &Cache) -> String {
    let size = cache.size_bytes.map(|&size| units::bytes(size));
    let instances = units::count(cache.instances.into(), "instance");
    match cache.shared_by.iter().map(|cpus| cpus.len()).max() {
        Some(cpus) if cpus > 1 && cache.instances > 1 => {
            format!("{size} ({instances} of {cpus} CPUs each)")
        }
        _ => format!("{size} ({instances})"),
    }
}

fn memory(machine: &Machine) -> Section {
    let memory = &machine.memory;
    let bytes = |fact: &Fact<u64>| fact.map(|&size| units::bytes(size));
    let swap = memory.swap_bytes.map(|&size| match size {
        0 => "none".to_owned(),
        size => units::bytes(size),
    });
    Section::new("Memory")
        .row("total", bytes(&memory.total_bytes))
        .row("modules", memory.modules.map(|modules| module_list(modules)))
        .row("channels", &memory.channels)
        .row("swap", swap)
        .row("page", bytes(&memory.page_bytes))
        .row("transparent huge pages", &memory.transparent_huge_pages)
        .row("huge page defragmentation", &memory.transparent_huge_pages_defrag)
        .row("transparent huge page size", bytes(&memory.transparent_huge_page_bytes))
        .row("reserved huge pages", memory.huge_pages.map(|sizes| huge_pages(sizes)))
        .row(
            "NUMA balancing",
            memory.numa_balancing.map(|&mode| match mode {
                0 => "off".to_owned(),
                mode => format!("on (mode {mode})"),
            }),
        )
        .rows("NUMA nodes", &memory.nodes, |node| {
            (format!("NUMA node {}", node.node), numa_node(node))
        })
}

/// `12 × 32 GiB DDR5-4800`.
fn module_list(modules: &[MemoryModules]) -> String {
    let in_words = |module: &MemoryModules| {
        let size = format!("{} × {}", module.count, units::bytes(module.bytes));
        let speed = module.speed_mt_s.map(|speed| speed.to_string());
        let kind: Vec<String> = module.kind.clone().into_iter().chain(speed).collect();
        format!("{size} {}", kind.join("-")).trim_end().to_owned()
    };
    modules.iter().map(in_words).collect::<Vec<_>>().join(", ")
}

fn huge_pages(sizes: &[HugePages]) -> String {
    let aside = sizes.iter().filter(|size| size.count > 0);
    let parts: Vec<String> =
        aside.map(|size| format!("{} of {}", size.count, units::bytes(size.page_bytes))).collect();
    if parts.is_empty() { "none".into() } else { parts.join(", ") }
}

fn numa_node(node: &NumaNode) -> String {
    let memory = node.memory_bytes.map(|&size| units::bytes(size));
    match node.cpus.is_empty() {
        true => format!("{memory}, no CPUs"),
        false => format!("{memory}, CPUs {}", node.cpus),
    }
}

fn kernel(machine: &Machine) -> Section {
    let kernel = &machine.kernel;
    Section::new("Kernel")
        .row("release", &kernel.release)
        .row("performance boot parameters", kernel.parameters.map(|parameters| list(parameters)))
        .row("clock source", &kernel.clock_source)
        .row("idle driver", &kernel.idle_driver)
        .row("idle governor", &kernel.idle_governor)
        .row("system call filter", &kernel.call_filter)
        .row("isolated CPUs", kernel.isolated_cpus.map(|cpus| list(std::slice::from_ref(cpus))))
}

/// Vulnerabilities that do not affect this CPU share one row; the others have one each.
fn mitigations(machine: &Machine) -> Section {
    let group = Section::new("Mitigations");
    let Some(all) = machine.kernel.mitigations.known() else {
        return group.row("mitigations", machine.kernel.mitigations.map(|_| ""));
    };
    let (without, with): (Vec<_>, Vec<_>) =
        all.iter().partition(|(_, status)| status.as_str() == "Not affected");
    let group = with.into_iter().fold(group, |group, (name, status)| group.row(name, status));
    let names: Vec<&String> = without.into_iter().map(|(name, _)| name).collect();
    group.row("not affected", list(&names))
}

fn platform(machine: &Machine) -> Section {
    let platform = &machine.platform;
    Section::new("Platform")
        .row("hypervisor", &platform.hypervisor)
        .row("container", &platform.container)
        .row("maker", &platform.maker)
        .row("product", &platform.product)
        .row("instance type", &platform.instance_type)
        .row("firmware", &platform.firmware)
        .row("operating system", &platform.os)
        .row("C library", &platform.libc)
}

fn limits(machine: &Machine) -> Section {
    let limits = &machine.limits;
    let usable = limits.usable_threads();
    let bytes = |&size: &u64| units::bytes(size);
    let memory = limits.memory_limit_bytes.map(|cap| match cap {
        Cap::At(size) => bytes(size),
        Cap::Unlimited => Cap::<u64>::Unlimited.to_string(),
    });
    let quota = limits.cpu_quota.map(|cap| match cap {
        Cap::At(cpus) => format!("{} CPUs", units::decimal(*cpus)),
        Cap::Unlimited => Cap::<u64>::Unlimited.to_string(),
    });
    Section::new("Limits")
        .row("usable threads", format!("{}: {}", usable.threads, usable.because))
        .row("CPUs allowed", list(std::slice::from_ref(&limits.allowed_cpus)))
        .row("CPUs by affinity", &limits.affinity)
        .row("CPUs by cpuset", &limits.cpuset)
        .row("CPU quota", quota)
        .row("memory limit", memory)
        .row("memory available", limits.memory_available_bytes.map(bytes))
        .row("task limit of the group", &limits.max_tasks)
        .row("task limit of the user", &limits.max_processes)
        .row("open files", &limits.max_open_files)
        .row("open files after raising", &limits.max_open_files_hard)
}

/// Words separated by spaces, or a word for an empty list.
fn list(words: &[impl Display]) -> String {
    let text = words.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    if text.is_empty() { "none".into() } else { text }
}

#[cfg(test)]
mod tests;

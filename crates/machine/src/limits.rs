//! Limits of this process: CPUs, time on them, memory, processes, open files.

use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
use serde::{Deserialize, Serialize};

use super::cap::Cap;
use super::cgroup::{self, ControlGroup, Version};
use super::cpu_list::CpuList;
use super::fact::{Fact, Read};
use super::files::Files;
use super::memory::meminfo_bytes;
use super::topology::Topology;
use super::units;

/// The limits of this process; the affinity is that of the thread that reads them, so read them
/// before pinning anything.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct Limits {
    /// The CPUs that the machine has online.
    pub online_cpus: CpuList,
    /// The CPUs that the process's affinity mask allows.
    pub affinity: Fact<CpuList>,
    /// The CPUs that the control group allows.
    pub cpuset: Fact<CpuList>,
    /// Allowed CPUs: online, in the affinity mask and in the control group.
    pub allowed_cpus: CpuList,
    /// CPU quota of the control groups, in CPUs.
    pub cpu_quota: Fact<Cap<f64>>,
    /// The tightest memory limit of the control groups, in bytes.
    pub memory_limit_bytes: Fact<Cap<u64>>,
    /// Memory available now, in bytes: that of the machine, or what the control groups leave if that is less. Page
    /// cache counts as available.
    pub memory_available_bytes: Fact<u64>,
    /// Processes and threads that the control groups allow.
    pub max_tasks: Fact<Cap<u64>>,
    /// Processes and threads that the user may have (`RLIMIT_NPROC`); root is exempt.
    pub max_processes: Fact<Cap<u64>>,
    /// Files that a process may open (the soft limit of `RLIMIT_NOFILE`).
    pub max_open_files: Fact<Cap<u64>>,
    /// The hard limit of `RLIMIT_NOFILE`, to which a process may raise the soft one.
    pub max_open_files_hard: Fact<Cap<u64>>,
}

/// The number of threads that `all` means here, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct UsableThreads {
    /// The number of threads, 1 at least.
    pub threads: usize,
    /// The limit that sets it, as a sentence.
    pub because: String,
}

impl Limits {
    pub(super) fn read(files: &Files, topology: &Topology) -> Limits {
        let online = topology.cpu_list();
        let affinity = affinity(files);
        let cpuset = cpuset(files);
        let (soft, hard) = rlimit(files, Resource::RLIMIT_NOFILE, "Max open files");
        Limits {
            allowed_cpus: allowed(&online, &affinity, &cpuset),
            affinity: affinity.into(),
            cpuset: cpuset.into(),
            online_cpus: online,
            cpu_quota: tightest(files, "cpu", |group, folder| quota(files, group, folder)).into(),
            memory_limit_bytes: tightest(files, "memory", |group, folder| {
                memory_limit(files, group, folder)
            })
            .into(),
            memory_available_bytes: memory_available(files).into(),
            max_tasks: tightest(files, "pids", |_, folder| {
                files.number(&format!("{folder}/pids.max")).ok()
            })
            .into(),
            max_processes: rlimit(files, Resource::RLIMIT_NPROC, "Max processes").0.into(),
            max_open_files: soft.into(),
            max_open_files_hard: hard.into(),
        }
    }

    /// The number of threads that `all` means: one per allowed CPU, or the whole CPUs in the quota if that is less,
    /// but at least 1.
    pub fn usable_threads(&self) -> UsableThreads {
        let allowed = self.allowed_cpus.len();
        let granted = self.cpu_quota.bound().copied();
        match granted {
            Some(quota) if (quota.floor() as usize) < allowed => UsableThreads {
                threads: (quota.floor() as usize).max(1),
                because: format!(
                    "the control group's quota is {} CPUs{}",
                    units::decimal(quota),
                    if quota < 1.0 { ", which slows even one thread" } else { "" }
                ),
            },
            _ => UsableThreads { threads: allowed.max(1), because: self.why_these_cpus() },
        }
    }

    /// The quota in CPUs, where it is less than the allowed CPUs.
    pub fn tight_quota(&self) -> Option<f64> {
        let quota = self.cpu_quota.bound().copied()?;
        (quota < self.allowed_cpus.len().max(1) as f64).then_some(quota)
    }

    fn why_these_cpus(&self) -> String {
        let online = self.online_cpus.len();
        let allowed = self.allowed_cpus.len();
        if allowed == 0 {
            return "the kernel does not report which CPUs are allowed".into();
        }
        if online == 0 {
            return format!("{allowed} CPUs are allowed; the total is unknown without /sys");
        }
        if allowed == online {
            return format!("all {online} CPUs are allowed");
        }
        let cut_by = |set: &Fact<CpuList>| {
            set.known().is_some_and(|set| set.intersection(&self.online_cpus).len() == allowed)
        };
        // A cpuset shows in the affinity mask too, so the cpuset is the cause where both agree.
        let cause = match (cut_by(&self.cpuset), cut_by(&self.affinity)) {
            (true, _) => "the control group's cpuset allows",
            (false, true) => "the CPU affinity allows",
            (false, false) => "CPU affinity and cpuset together allow",
        };
        format!("{cause} {allowed} of {online} CPUs")
    }
}

/// An unreadable set limits nothing; sets without a common CPU are ignored.
fn allowed(online: &CpuList, affinity: &Read<CpuList>, cpuset: &Read<CpuList>) -> CpuList {
    let sets = [affinity.as_ref().ok(), cpuset.as_ref().ok()];
    sets.into_iter().flatten().fold(online.clone(), |left, set| {
        let both = if left.is_empty() { set.clone() } else { left.intersection(set) };
        if both.is_empty() { left } else { both }
    })
}

fn affinity(files: &Files) -> Read<CpuList> {
    if files.are_live()
        && let Ok(mask) = nix::sched::sched_getaffinity(nix::unistd::Pid::from_raw(0))
    {
        let cpus = 0..nix::sched::CpuSet::count();
        let set = cpus.filter(|&cpu| mask.is_set(cpu) == Ok(true));
        return Ok(CpuList::from(set.map(|cpu| cpu as u32).collect::<Vec<_>>()));
    }
    // The call above gives up beyond 1,024 CPUs; this file does not.
    let path = "/proc/self/status";
    let text = files.text(path)?;
    let list = text.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let list = list.ok_or_else(|| format!("{path} has no line 'Cpus_allowed_list'"))?;
    let list = list.trim().parse();
    list.map_err(|_| format!("{path}: 'Cpus_allowed_list' does not hold a list of CPUs"))
}

/// The nearest group with a set: a group's effective set is a subset of all sets above it.
fn cpuset(files: &Files) -> Read<CpuList> {
    let group = cgroup::find(files, "cpuset")?;
    let names: &[&str] = match group.version {
        Version::V1 => &["cpuset.effective_cpus", "cpuset.cpus"],
        Version::V2 => &["cpuset.cpus.effective"],
    };
    let cpus_of = |folder: &str| {
        let set = |name: &&str| files.cpu_list(&format!("{folder}/{name}")).ok();
        names.iter().find_map(set).filter(|set| !set.is_empty())
    };
    let nearest = group.each(cpus_of).into_iter().next();
    nearest.ok_or_else(|| "the control group has no cpuset".into())
}

/// The lowest bound among the group and its ancestors.
fn tightest<T: PartialOrd + Copy>(
    files: &Files,
    controller: &str,
    bound: impl Fn(&ControlGroup, &str) -> Option<T>,
) -> Read<Cap<T>> {
    let group = cgroup::find(files, controller)?;
    let bounds = group.each(|folder| bound(&group, folder));
    let lowest = bounds.into_iter().reduce(|a, b| if b < a { b } else { a });
    Ok(lowest.map_or(Cap::Unlimited, Cap::At))
}

/// The quota of one group in CPUs, if it has one.
fn quota(files: &Files, group: &ControlGroup, folder: &str) -> Option<f64> {
    let (quota, period): (u64, u64) = match group.version {
        Version::V2 => {
            let both = files.value(&format!("{folder}/cpu.max")).ok()?;
            let (quota, period) = both.split_once(' ')?;
            (quota.parse().ok()?, period.parse().ok()?)
        }
        // A quota of -1 is none, and no number of this kind.
        Version::V1 => (
            files.number(&format!("{folder}/cpu.cfs_quota_us")).ok()?,
            files.number(&format!("{folder}/cpu.cfs_period_us")).ok()?,
        ),
    };
    (quota > 0 && period > 0).then(|| quota as f64 / period as f64)
}

/// The memory limit of one group in bytes, if it has one.
fn memory_limit(files: &Files, group: &ControlGroup, folder: &str) -> Option<u64> {
    let bytes = |name: &str| files.number::<u64>(&format!("{folder}/{name}")).ok();
    match group.version {
        // Beyond `high` the kernel slows the group down, which no measurement survives.
        Version::V2 => match (bytes("memory.max"), bytes("memory.high")) {
            (Some(max), Some(high)) => Some(max.min(high)),
            (max, high) => max.or(high),
        },
        // Unlimited is the highest number of whole pages, which depends on the size of a page.
        Version::V1 => bytes("memory.limit_in_bytes").filter(|&limit| limit < 1 << 62),
    }
}

fn memory_available(files: &Files) -> Read<u64> {
    let machine = meminfo_bytes(files, "MemAvailable");
    let Ok(group) = cgroup::find(files, "memory") else {
        return machine;
    };
    let left = group.each(|folder| {
        let limit = memory_limit(files, &group, folder)?;
        Some(limit.saturating_sub(unreclaimable(files, &group, folder)?))
    });
    match (machine, left.into_iter().min()) {
        (Ok(machine), Some(left)) => Ok(machine.min(left)),
        (Err(_), Some(left)) => Ok(left),
        (machine, None) => machine,
    }
}

/// Memory that one group uses in bytes, less the page cache that the kernel would reclaim (its inactive
/// files), which is the "working set" of Kubernetes too.
fn unreclaimable(files: &Files, group: &ControlGroup, folder: &str) -> Option<u64> {
    let (usage, inactive) = match group.version {
        Version::V1 => ("memory.usage_in_bytes", "total_inactive_file"),
        Version::V2 => ("memory.current", "inactive_file"),
    };
    let usage = files.number::<u64>(&format!("{folder}/{usage}")).ok()?;
    let stat = files.text(&format!("{folder}/memory.stat")).unwrap_or_default();
    let cache = stat.lines().find_map(|line| {
        let (name, bytes) = line.split_once(' ')?;
        (name == inactive).then(|| bytes.parse::<u64>().ok())?
    });
    Some(usage.saturating_sub(cache.unwrap_or(0)))
}

/// The soft and the hard limit of a resource.
fn rlimit(files: &Files, resource: Resource, label: &str) -> (Read<Cap<u64>>, Read<Cap<u64>>) {
    if files.are_live()
        && let Ok((soft, hard)) = getrlimit(resource)
    {
        let cap = |limit| {
            if limit == RLIM_INFINITY { Cap::Unlimited } else { Cap::At(limit) }
        };
        return (Ok(cap(soft)), Ok(cap(hard)));
    }
    (rlimit_field(files, label, 0), rlimit_field(files, label, 1))
}

fn rlimit_field(files: &Files, label: &str, column: usize) -> Read<Cap<u64>> {
    let path = "/proc/self/limits";
    let text = files.text(path)?;
    let line = text.lines().find_map(|line| line.strip_prefix(label));
    let value = line.and_then(|line| line.split_whitespace().nth(column));
    match value {
        Some("unlimited") => Ok(Cap::Unlimited),
        Some(number) if number.parse::<u64>().is_ok() => Ok(Cap::At(number.parse().unwrap_or(0))),
        _ => Err(format!("{path} has no number in the line '{label}'")),
    }
}

#[cfg(test)]
mod tests;

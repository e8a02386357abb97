use super::*;
use crate::fixture::{self, Fixture};

const V2: &str = "/proc/self/mountinfo: 27 22 0:25 / /cg rw - cgroup2 cgroup2 rw,nsdelegate\n";

fn read(tree: &str) -> Limits {
    let fixture = Fixture::unpack(tree);
    let files = Files::new(fixture.root());
    Limits::read(&files, &Topology::read(&files))
}

/// A process in the groups `/a/b`, with the given files.
fn in_groups(tree: &str) -> Limits {
    read(&format!("/proc/self/cgroup: 0::/a/b\n{V2}{tree}"))
}

fn limits_of(name: &str) -> Limits {
    fixture::machine(name).limits
}

#[test]
fn a_container_is_limited_by_quota_cpuset_memory_and_tasks() {
    let limits = limits_of("epyc-container");
    assert_eq!(limits.allowed_cpus.to_string(), "0-1");
    assert_eq!(limits.cpu_quota, Fact::Known(Cap::At(1.5)));
    assert_eq!(limits.memory_limit_bytes, Fact::Known(Cap::At(4 << 30)));
    assert_eq!(limits.max_tasks, Fact::Known(Cap::At(512)));
    assert_eq!(limits.max_processes, Fact::Known(Cap::Unlimited));
    assert_eq!(limits.max_open_files, Fact::Known(Cap::At(1_048_576)));
    let usable = limits.usable_threads();
    assert_eq!(usable.threads, 1);
    assert_eq!(usable.because, "the control group's quota is 1.5 CPUs");
}

#[test]
fn reclaimable_page_cache_counts_as_available() {
    // 4 GiB of limit, 1.5 GiB used, of which 1 GiB is inactive page cache.
    let available = limits_of("epyc-container").memory_available_bytes;
    assert_eq!(available, Fact::Known((4 << 30) - (1 << 29)));
}

#[test]
fn the_tightest_limit_up_an_old_hierarchy_binds() {
    let limits = limits_of("cgroup-v1");
    assert_eq!(limits.cpu_quota, Fact::Known(Cap::At(3.0)));
    assert_eq!(limits.memory_limit_bytes, Fact::Known(Cap::At(1 << 30)));
    // 1 GiB of limit, 512 MiB used, of which 128 MiB is inactive page cache of the whole group.
    let available = Fact::Known((1 << 30) - (512 << 20) + (128 << 20));
    assert_eq!(limits.memory_available_bytes, available);
    assert_eq!(limits.max_tasks, Fact::Known(Cap::At(4_096)));
    assert_eq!(limits.cpuset.to_string(), "0-3");
    assert_eq!(limits.usable_threads().threads, 3);
    assert_eq!(limits.max_open_files, Fact::Known(Cap::At(1_024)));
    assert_eq!(limits.max_open_files_hard, Fact::Known(Cap::At(4_096)));
}

#[test]
fn the_tightest_limit_up_the_unified_hierarchy_binds() {
    let limits = in_groups(
        "/cg/a/b/cpu.max: max 100000\n/cg/a/cpu.max: 50000 20000\n\
         /cg/a/b/memory.max: 3000\n/cg/a/memory.max: 2000\n/cg/a/memory.high: 1000\n\
         /cg/a/b/pids.max: max\n/cg/a/pids.max: 7\n",
    );
    assert_eq!(limits.cpu_quota, Fact::Known(Cap::At(2.5)));
    assert_eq!(limits.memory_limit_bytes, Fact::Known(Cap::At(1_000)));
    assert_eq!(limits.max_tasks, Fact::Known(Cap::At(7)));
}

#[test]
fn groups_without_limits_are_unlimited_and_missing_groups_are_unknown() {
    let none = in_groups("/proc/meminfo: MemAvailable: 8 kB\n");
    assert_eq!(none.cpu_quota, Fact::Known(Cap::Unlimited));
    assert_eq!(none.memory_limit_bytes, Fact::Known(Cap::Unlimited));
    assert_eq!(none.memory_available_bytes, Fact::Known(8_192));
    assert_eq!(none.cpuset.reason(), Some("the control group has no cpuset"));
    let missing = read("/proc/version: x\n");
    assert_eq!(missing.cpu_quota.reason(), Some("/proc/self/cgroup does not exist"));
    let unmounted = read("/proc/self/cgroup: 0::/\n/proc/self/mountinfo: x\n");
    let reason = "no control group for 'cpu' is mounted";
    assert_eq!(unmounted.cpu_quota.reason(), Some(reason));
}

#[test]
fn garbled_limits_are_no_limits_and_no_panic() {
    let garbled = ["0 0", "0 100000", "100 0", "-1 100000", "99999999999999999999 1", "a b", "1"];
    for garbled in garbled {
        let limits = in_groups(&format!("/cg/a/b/cpu.max: {garbled}\n"));
        assert_eq!(limits.cpu_quota, Fact::Known(Cap::Unlimited), "{garbled}");
    }
}

#[test]
fn the_highest_number_of_whole_pages_means_unlimited() {
    // 2^63 less one page, of 4 KiB and of 64 KiB.
    for highest in [9_223_372_036_854_771_712_u64, 9_223_372_036_854_710_272] {
        let limits = read(&format!(
            "/proc/self/cgroup: 4:memory:/\n\
             /proc/self/mountinfo: 35 31 0:32 / /cg rw - cgroup cgroup rw,memory\n\
             /cg/memory.limit_in_bytes: {highest}\n"
        ));
        assert_eq!(limits.memory_limit_bytes, Fact::Known(Cap::Unlimited));
    }
}

#[test]
fn available_memory_is_what_the_machine_or_the_group_has_whichever_is_less() {
    let available = |limit: u64| {
        let files = format!(
            "/proc/meminfo: MemAvailable: 8 kB\n/cg/a/memory.max: {limit}\n\
             /cg/a/memory.current: 500\n"
        );
        in_groups(&files).memory_available_bytes
    };
    assert_eq!(available(1_000), Fact::Known(500));
    assert_eq!(available(100_000), Fact::Known(8_192));
    assert_eq!(available(100), Fact::Known(0));
}

#[test]
fn cpus_are_those_in_the_affinity_and_in_the_nearest_cpuset_that_are_online() {
    let limits = in_groups(
        "/sys/devices/system/cpu/online: 0-6\n/sys/devices/system/cpu/cpu{0-7}/uevent: x\n\
         /proc/self/status: Cpus_allowed_list:\t2-7\n\
         /cg/a/cpuset.cpus.effective: 0-4\n/cg/cpuset.cpus.effective: 0-2\n",
    );
    assert_eq!(limits.allowed_cpus.to_string(), "2-4");
    assert_eq!(
        limits.usable_threads().because,
        "CPU affinity and cpuset together allow 3 of 7 CPUs"
    );
}

#[test]
fn the_reason_names_what_binds() {
    let because = |name: &str| limits_of(name).usable_threads();
    let usable = because("altra");
    assert_eq!(usable.threads, 8);
    assert_eq!(usable.because, "the CPU affinity allows 8 of 16 CPUs");
    let usable = because("xeon-2s");
    assert_eq!(usable.threads, 16);
    assert_eq!(usable.because, "all 16 CPUs are allowed");
    let mut limits = limits_of("epyc-container");
    limits.cpu_quota = Fact::Known(Cap::Unlimited);
    let because = limits.usable_threads().because;
    assert_eq!(because, "the control group's cpuset allows 2 of 8 CPUs");
}

#[test]
fn a_quota_binds_only_below_the_number_of_cpus() {
    let mut limits = limits_of("xeon-2s");
    for (quota, threads) in [(16.0, 16), (15.9, 15), (1.0, 1), (0.25, 1), (1e300, 16)] {
        limits.cpu_quota = Fact::Known(Cap::At(quota));
        assert_eq!(limits.usable_threads().threads, threads, "{quota}");
    }
    limits.cpu_quota = Fact::Known(Cap::At(0.25));
    assert_eq!(
        limits.usable_threads().because,
        "the control group's quota is 0.25 CPUs, which slows even one thread"
    );
}

#[test]
fn one_thread_is_usable_if_nothing_is_known() {
    let usable = Limits::default().usable_threads();
    assert_eq!(usable.threads, 1);
    assert_eq!(usable.because, "the kernel does not report which CPUs are allowed");
}

#[test]
fn sets_without_a_common_cpu_are_ignored() {
    let limits = in_groups(
        "/sys/devices/system/cpu/cpu{0-3}/uevent: x\n\
         /proc/self/status: Cpus_allowed_list: 2-3\n/cg/a/b/cpuset.cpus.effective: 8-9\n",
    );
    assert_eq!(limits.allowed_cpus.to_string(), "2-3");
}

#[test]
fn unlimited_and_limited_read_back_as_they_were_written() {
    let limits = limits_of("epyc-container");
    let json = serde_json::to_value(&limits).unwrap();
    assert_eq!(json["max_processes"], "unlimited");
    assert_eq!(json["cpu_quota"], 1.5);
    assert_eq!(serde_json::from_value::<Limits>(json).unwrap(), limits);
}

#[test]
fn this_machines_kernel_is_queried() {
    let files = Files::new(std::path::Path::new("/"));
    let limits = Limits::read(&files, &Topology::read(&files));
    let mask = nix::sched::sched_getaffinity(nix::unistd::Pid::from_raw(0)).unwrap();
    for &cpu in limits.allowed_cpus.iter() {
        assert!(mask.is_set(cpu as usize).unwrap());
    }
    let (soft, _) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    let actual = limits.max_open_files.bound().copied();
    assert_eq!(actual, (soft != RLIM_INFINITY).then_some(soft));
}

#[test]
fn without_sys_the_total_of_cpus_is_unknown() {
    let usable = read("/proc/self/status: Cpus_allowed_list: 0-1\n").usable_threads();
    assert_eq!(usable.threads, 2);
    assert_eq!(usable.because, "2 CPUs are allowed; the total is unknown without /sys");
}

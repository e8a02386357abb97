//! Rules on activity, with synthetic evidence.

use super::*;
use machine::Use;
use machine::fixture::machine;

pub(super) fn used(pid: u32, command: &str, cpu: Option<u32>, ticks: u64) -> Use {
    Use { pid, command: command.to_owned(), cpu, ticks, ended_ticks: 0 }
}

/// A minute on two CPUs with no work but sizeup's.
pub(super) fn quiet_minute() -> Activity {
    Activity {
        since_ns: 0,
        at_ns: 60_000_000_000,
        took_ns: 1_000_000,
        cpus: vec![0, 1],
        elapsed: Some(Elapsed { steal: 0, busy: 6_000, total: 12_000 }),
        own_ticks: 5_990,
        others_ticks: 10,
        processes: Some(Vec::new()),
        throttled: Some(Throttling::default()),
        swapped_pages: Some(0),
        thermal_throttles: Some(0),
    }
}

pub(super) fn with_activity(change: impl FnOnce(&mut Activity)) -> Evidence {
    let mut activity = quiet_minute();
    change(&mut activity);
    let machine = machine("epyc-container");
    Evidence { machine, activity: Some(activity), ..Evidence::default() }
}

#[test]
fn every_rule_finds_a_quiet_minute_fine() {
    let findings = judge(&with_activity(|_| ()), &[RuleKind::Activity]);
    assert_eq!(findings.len(), 6);
    assert!(findings.iter().all(|f| f.severity == Severity::Fine), "{findings:?}");
}

#[test]
fn processes_that_take_a_cpu_are_named_with_their_shares() {
    let others = |uses: Vec<Use>| with_activity(|activity| activity.processes = Some(uses));
    let yes = || used(123, "yes", Some(0), 2_760);
    let seen = "other processes used 46 % of CPU 0 (yes, pid 123: 28 s)";
    expect(&others(vec![yes()]), "others", Severity::Unfit, seen);
    let remedy = finding(&others(vec![yes()]), "others").remedy;
    assert!(remedy.contains("kill -STOP 123;") && remedy.ends_with("--cpus 1"), "{remedy}");
    let seen = "other processes used 46 % of CPU 0 (yes, pid 123: 28 s; cron, pid 9: 0.6 s), \
                2.0 % of CPU 1 (sh, pid 7: 1.2 s)";
    let tiny = used(4, "init", Some(0), 50);
    let three = vec![yes(), used(9, "cron", Some(0), 60), used(7, "sh", Some(1), 120), tiny];
    expect(&others(three), "others", Severity::Unfit, &seen.replace("46 %", "47 %"));
    let waited = |pid| Use { ticks: 0, ended_ticks: 900, ..used(pid, "sh", Some(0), 0) };
    let remedy =
        finding(&others(vec![yes(), waited(8), used(1, "init", Some(0), 900)]), "others").remedy;
    assert!(remedy.contains("kill -STOP 123;"), "{remedy}");
    let remedy = finding(&others(vec![waited(8)]), "others").remedy;
    assert!(!remedy.contains("kill"), "{remedy}");
    // A shell may be the reader's own, another sizeup has its own work, and who only started others did none.
    let idle = Use { ended_ticks: 900, ..used(5, "make", Some(0), 2) };
    let spared = vec![used(7, "bash", Some(1), 500), used(6, "sizeup", Some(1), 900), idle];
    let all = others([vec![yes()], spared.clone()].concat());
    let remedy = finding(&all, "others").remedy;
    assert!(remedy.contains("kill -STOP 123;") && remedy.contains("kill -CONT 123"), "{remedy}");
    let remedy = finding(&others(spared), "others").remedy;
    assert_eq!(remedy, "another sizeup measures here: wait until it is done");
    // Use of a CPU that rounds to 0.0 % is not reported.
    let told = finding(&all, "others").seen;
    assert!(!told.contains("0.0 %") && !told.contains("0.0 s"), "{told}");
    let small = others(vec![used(7, "sh", Some(1), 120)]);
    expect(
        &small,
        "others",
        Severity::Note,
        "other processes used 2.0 % of CPU 1 (sh, pid 7: 1.2 s)",
    );
    let seen = "other processes used 1.3 CPUs in several threads (java, pid 5: 78 s)";
    expect(&others(vec![used(5, "java", None, 7_800)]), "others", Severity::Unfit, seen);
    let build = Use { ended_ticks: 1_200, ..used(6, "make", Some(0), 6) };
    let seen = "other processes used 0.1 % of CPU 0 (make, pid 6: 0.1 s), 0.2 CPUs in child processes that ended \
                (make, pid 6: 12 s)";
    expect(&others(vec![build]), "others", Severity::Warning, seen);
    let elsewhere = others(vec![used(8, "yes", Some(6), 6_000)]);
    let seen = "other processes used 100 % of CPU 6, which is not measured (yes, pid 8: 60 s)";
    expect(&elsewhere, "others", Severity::Note, seen);
}

#[test]
fn activity_is_reported_with_its_amount() {
    let evidence = with_activity(|activity| {
        activity.throttled = Some(Throttling { times: 120, waited_ns: 3_400_000_000 });
        activity.elapsed = Some(Elapsed { steal: 600, busy: 8_000, total: 12_000 });
        activity.swapped_pages = Some(6_000);
        activity.thermal_throttles = Some(2);
    });
    let seen = "throttled 120 times for 3.4 s (quota of 1.5 CPUs)";
    expect(&evidence, "throttling", Severity::Unfit, seen);
    expect(&evidence, "steal", Severity::Warning, "the hypervisor took 5.0 % of CPU time");
    let seen = "processes not visible here used 17 % of CPU time";
    expect(&evidence, "unseen", Severity::Warning, seen);
    let seen = "6000 pages swapped, 100 per second";
    expect(&evidence, "swapping", Severity::Warning, seen);
    expect(&evidence, "heat", Severity::Warning, "thermal throttling: 2 times");
}

#[test]
fn a_tick_in_a_short_observation_is_not_steal() {
    let evidence = with_activity(|activity| {
        activity.at_ns = 200_000_000;
        activity.elapsed = Some(Elapsed { steal: 1, busy: 30, total: 40 });
    });
    for id in ["steal", "unseen"] {
        expect(&evidence, id, Severity::NotAvailable, "observed for less than 4 s");
    }
}

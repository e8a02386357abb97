//! Measures one machine, from the user's request to a run file.
//!
//! # The life of a run
//!
//! 1. `cli/run.rs` notes the time, catches SIGINT and SIGTERM, and makes the process the parent of its
//!    descendants' orphans.
//! 2. `catalog` reads all tables, including those of `--with` folders. `machine` describes the machine.
//! 3. `plan` turns suite, threads, placement and CPUs into numbered cases; controls come last.
//! 4. Every worker of the plan is started with `--list` and prints its *manifest*: build, library versions, operations and
//!    their parameters. sizeup computes its program's SHA-256. A worker without a manifest is not measured; its cases end
//!    as *unavailable*. In parallel, a *preflight check* examines the machine by the rules of `doctor`.
//! 5. `record` creates the file, which must not exist, and writes the header. If the budget is too short for all rows,
//!    `session/short_budget.rs` leaves out the least informative workloads (`plan/telling.rs`) and records that, too.
//! 6. `execute` (`execution.rs`) decides which cases come next. Each case is a *runner* (`runner.rs`), which does its own
//!    part with the file, clock and settings that it gets (`context.rs`). First it opens a *cohort* (`opening.rs`): it
//!    launches case after case (`prepare` → `ready`, `runner/worker.rs`) as long as there is room (`admission.rs`) and time
//!    (`budget.rs`, `costs.rs`).
//! 7. *Rounds* (`round.rs`): the due cases in random order, a *turn* each (`runner/turn.rs`). A turn replaces the launch if
//!    it is due (`finish` → `done`, then a fresh one), reads `/proc/stat`, sends `measure`, waits for the `sample`, checks
//!    it, reads `/proc/stat` again, and writes the sample. Where the plan has co-runners, a row's turn has as many more
//!    samples, in random order, each beside some of them (`beside.rs`). After the round of a mix, all its cases take a sample at the
//!    same time (`mixed.rs`), or all threads go through one list of their work (`rolling.rs`). Then come readings, every ten seconds a check of who else uses the machine
//!    (`telemetry/activity.rs`), and a flush. Converged cases (`widths.rs`) pause, their workers asleep, until the floor
//!    rises.
//! 8. The cohort ends when no case needs more samples, when its share of the time is used up, or when someone stops it. All
//!    live workers finish, which verifies their work for the last time. Cases that had no room form the next cohort; if
//!    much time is left after the last one, cases that have not converged form another.
//! 9. An error in a case (`failure.rs`) becomes its *outcome* and ends only that case. sizeup kills its worker's process
//!    group, and processes that it left behind (`orphans.rs`).
//! 10. `record` writes the closing line with the digest and syncs.
//! 11. `cli` reads the file back, estimates, and prints the same table as `sizeup show`.
//!
//! `--resume` (`session/resume.rs`) locks the file, reads it, and checks variants (they name programs to start, so the
//! command line must name them again), machine, definitions and builds. It cuts a torn line off, and enters at step 6 with
//! the data of the file.
//!
//! # Processes and threads
//!
//! - The harness has one thread while it measures, and where no other can be started (`cli/threads.rs`: those that read files
//!   side by side); only `sizeup machine --measure` starts more to measure, pinned, outside of any run. Signals only add to a counter
//!   (`interrupt.rs`): at 1 the run ends cleanly, at 2 it does not wait for workers. SIGXFSZ (`ulimit -f`) is caught, so that it is
//!   an error of the write.
//! - Each live launch is one worker process in a process group of its own. The kernel kills it when the harness dies, and before
//!   the harness when memory is short (`oom_score_adj`). It is reaped only after its group was killed (`worker_process.rs`). It
//!   starts on the case's CPUs, with at most seven of our environment variables (`catalog/program.rs`, also for `test-worker`) and
//!   a pipe each for stdin, stdout and stderr (`spawn.rs`, `channel.rs`). Every wait for an answer has a deadline: the requested time plus `--answer-timeout`.
//! - A Rust worker has a main thread for the protocol and one thread for each thread of the case, pinned before
//!   it allocates (`kit/src/crew.rs`). They sleep on a channel between samples and meet at a gate
//!   (`kit/src/sample.rs`). The Go worker does the same with goroutines locked to threads.

#![allow(missing_docs)]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests read what they wrote"))]

pub mod contract;
pub mod examine;
pub mod execute;
pub mod plan;
pub mod session;
pub mod telemetry;

//! Decides how many workers can be live at once, and which case is too large for this machine.

use super::Failure;
use super::task::Task;
use machine::{Cap, Fact, Limits, format_bytes};
use std::collections::BTreeSet;

/// All workers together may use this share of the free memory …
const MEMORY_SHARE: f64 = 0.5;
/// … a single one this one …
const MEMORY_SHARE_ALONE: f64 = 0.9;
/// All workers together may use this share of the allowed tasks.
const TASK_SHARE: f64 = 0.5;
/// Open files of sizeup itself, and per worker for its pipes.
const OWN_FILES: u64 = 64;
const FILES_PER_WORKER: u64 = 4;
/// Extra threads of a worker; a managed runtime starts some of its own.
const SPARE_TASKS: u64 = 8;

/// Resources left for more workers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Room {
    memory_bytes: u64,
    tasks: u64,
    files: u64,
}

impl Room {
    /// The share of this process's limits that workers may use.
    pub fn of(limits: &Limits) -> Self {
        let share = |share: f64, all: u64| (all as f64 * share) as u64;
        let bound = |fact: &Fact<Cap<u64>>| fact.bound().copied().unwrap_or(u64::MAX);
        let memory = limits.memory_available_bytes.known().copied().unwrap_or(u64::MAX);
        let tasks = bound(&limits.max_tasks).min(bound(&limits.max_processes));
        Self {
            memory_bytes: share(MEMORY_SHARE, memory),
            tasks: share(TASK_SHARE, tasks),
            files: bound(&limits.max_open_files).saturating_sub(OWN_FILES),
        }
    }

    /// Whether a worker with these threads and this memory can be started.
    pub fn is_for(&self, threads: usize, memory_bytes: u64) -> bool {
        self.memory_bytes > memory_bytes
            && self.tasks >= threads as u64 + SPARE_TASKS
            && self.files >= FILES_PER_WORKER
    }

    /// Reserves what a worker needs.
    pub fn take(&mut self, threads: usize, resident_bytes: u64) {
        self.memory_bytes = self.memory_bytes.saturating_sub(resident_bytes);
        self.tasks = self.tasks.saturating_sub(threads as u64 + SPARE_TASKS);
        self.files = self.files.saturating_sub(FILES_PER_WORKER);
    }
}

/// Why a case has fewer CPUs than its work is about; checked before its worker starts.
pub fn too_few_cpus(task: &Task) -> Option<Failure> {
    let has = task.case.cpus.iter().collect::<BTreeSet<_>>().len();
    let needed = task.workload.needs.min_cpus;
    ((has as u64) < needed).then(|| {
        let what = format!("it needs at least {needed} CPUs, and has {has}");
        let hint = format!("use at least {needed} threads on as many CPUs: --threads {needed}");
        Failure::new("unavailable", what, &hint)
    })
}

/// Why a case would not even fit alone; checked before its worker starts.
pub fn too_large(task: &Task, limits: &Limits) -> Option<Failure> {
    let free = *limits.memory_available_bytes.known()?;
    let most = (free as f64 * MEMORY_SHARE_ALONE) as u64;
    (task.memory_bytes() > most).then(|| {
        let (needed, free) = (format_bytes(task.memory_bytes()), format_bytes(free));
        let who = match task.case.threads {
            1 => "1 thread needs".to_owned(),
            threads => format!("{threads} threads need"),
        };
        Failure::new(
            "memory",
            format!("{who} {needed}, but only {free} is free"),
            "use fewer threads: --threads",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(memory_bytes: u64, tasks: u64, files: u64) -> Room {
        Room { memory_bytes, tasks, files }
    }

    /// How many workers of a size fit.
    fn workers(mut room: Room, threads: usize, resident_bytes: u64) -> usize {
        let mut workers = 0;
        while room.is_for(threads, 0) && workers < 1000 {
            room.take(threads, resident_bytes);
            workers += 1;
        }
        workers
    }

    #[test]
    fn memory_tasks_and_files_each_bound_the_live_set() {
        let much = u64::MAX;
        assert_eq!(workers(room(100, much, much), 1, 30), 4);
        assert_eq!(workers(room(much, 100, much), 2, 1), 10);
        assert_eq!(workers(room(much, much, 40), 1, 1), 10);
    }

    #[test]
    fn limits_that_are_not_known_do_not_bind() {
        assert_eq!(workers(Room::of(&Limits::default()), 64, 1 << 20), 1000);
    }

    #[test]
    fn a_worker_that_needs_more_memory_than_is_left_waits_for_another_cohort() {
        let room = room(100, u64::MAX, u64::MAX);
        assert!(room.is_for(1, 99) && !room.is_for(1, 100));
    }

    #[test]
    fn work_between_cpus_is_refused_with_fewer() {
        let mut task = Task::sample(0, record::fixture::header().plan.cases[0].clone());
        task.workload.needs.min_cpus = 2;
        task.case.cpus = vec![3, 3];
        let refusal = too_few_cpus(&task).expect("one CPU, twice");
        assert_eq!(refusal.message, "it needs at least 2 CPUs, and has 1");
        task.case.cpus = vec![3, 4];
        assert!(too_few_cpus(&task).is_none());
    }

    #[test]
    fn half_of_the_free_memory_is_left_alone() {
        let limits = Limits { memory_available_bytes: Fact::Known(1000), ..Limits::default() };
        assert_eq!(workers(Room::of(&limits), 1, 100), 5);
    }
}

//! The worker for what the kernel and the memory cost: system calls, switches, faults and processes; bandwidth, latency
//! and tables that no cache holds.

mod echo;
mod exec;
mod fault;
mod fork;
mod helper;
mod map;
mod memory;
mod mutex;
mod program;
mod shootdown;
mod switch;
mod syscall;
mod wake;

use sizeup_kit::{Language, Libraries, Operation, Paths, Worker};
use std::process::ExitCode;

fn main() -> ExitCode {
    sizeup_kit::run(&Worker {
        name: "system",
        operations: operations(),
        libraries,
        paths: Paths::new,
        self_test: || Ok(()),
    })
}

fn operations() -> Vec<Operation> {
    [kernel(), memory::operations()].concat()
}

fn kernel() -> Vec<Operation> {
    vec![
        Operation::new("syscall", "linux", syscall::setup),
        Operation::new("switch", "linux", switch::setup),
        Operation::new("wake", "linux", wake::setup),
        Operation::new("page-fault", "linux", fault::setup),
        Operation::new("page-fault-thp", "linux", fault::setup_huge),
        Operation::new("unmap-shootdown", "linux", shootdown::setup),
        Operation::new("exec", "linux", exec::setup),
        Operation::new("fork-exit", "linux", fork::setup),
        Operation::new("mutex", "linux", mutex::setup),
        Operation::new("tcp-echo-64", "linux", echo::setup),
    ]
}

/// Versions of what does the work. The kernel is a part of the machine: its release is recorded there, and machines are
/// compared with the kernels that they run. What is no library has the version of this worker's code.
fn libraries() -> Libraries {
    let own = env!("CARGO_PKG_VERSION").to_owned();
    let rust = Language::rust().compiler.split(' ').nth(1).unwrap_or("unknown").to_owned();
    Libraries::from([
        ("linux".to_owned(), own.clone()),
        ("stream".to_owned(), own.clone()),
        ("loads".to_owned(), own),
        ("hashbrown".to_owned(), memory::HASHBROWN.to_owned()),
        ("std".to_owned(), rust),
        ("glibc".to_owned(), memory::glibc_version()),
        ("mimalloc".to_owned(), memory::mimalloc_version()),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use sizeup_kit::proof::Team;
    use sizeup_kit::{Kind, pin};
    use std::thread;

    /// The first two CPUs that this process may use.
    fn cpus() -> Vec<u32> {
        let is_allowed =
            |cpu: &u32| thread::scope(|s| s.spawn(|| pin(*cpu)).join().unwrap().is_ok());
        (0..1024).filter(is_allowed).take(2).collect()
    }

    /// Parameters by which an operation is set up in no time.
    fn parameters(operation: &str) -> &'static str {
        match operation.split('/').next() {
            Some("memory-triad" | "memory-random-read") => r#"{"bytes":16777216}"#,
            Some("hash-get" | "btree-get") => r#"{"entries":100000,"sharing":"shared"}"#,
            _ => "{}",
        }
    }

    #[test]
    fn every_check_takes_what_an_op_makes_and_refuses_any_flipped_bit() {
        let cpus = cpus();
        let mut tried = 0;
        for operation in operations() {
            let name = operation.name().to_owned();
            let team = Team::new(&operation, parameters(&name), &[], &cpus).unwrap();
            let check = || {
                pin(cpus[0]).unwrap();
                let mut work = match team.set_up(0) {
                    Ok(work) => work,
                    // Huge pages are not to be had everywhere, nor is a second CPU.
                    Err(e) if e.kind == Kind::Unavailable => {
                        println!("not tested: {name}: {e}");
                        let between = ["wake/linux", "unmap-shootdown/linux"];
                        // As release/test-arm says.
                        let is_emulated = std::env::var_os("SIZEUP_EMULATED").is_some();
                        let of_kernel = ["exec/linux", "page-fault/linux"];
                        let may_lack = name == "page-fault-thp/linux"
                            || is_emulated && of_kernel.contains(&name.as_str())
                            || cpus.len() < 2 && between.contains(&name.as_str());
                        assert!(may_lack, "{name}: {e}");
                        return 0;
                    }
                    Err(e) => panic!("{name}: {e}"),
                };
                work.batch(work.least_batch_ops()).unwrap_or_else(|e| panic!("{name}: {e}"));
                let output = work.output().unwrap_or_else(|e| panic!("{name}: {e}"));
                assert_eq!(work.check(&output), Ok(()), "{name}");
                for bit in [0, 8 * output.len() / 3, 8 * output.len() / 2, 8 * output.len() - 1] {
                    let mut flipped = output.clone();
                    flipped[bit / 8] ^= 1 << (bit % 8);
                    assert!(work.check(&flipped).is_err(), "{name}: bit {bit}");
                }
                assert!(work.check(&output[1..]).is_err(), "{name}: a byte less");
                1
            };
            tried += thread::scope(|s| s.spawn(check).join().unwrap());
        }
        assert!(tried >= 12, "{tried} operations");
    }

    #[test]
    fn threads_that_share_a_lock_count_together_what_it_protects() {
        let operation = Operation::new("mutex", "linux", mutex::setup);
        let team = Team::new(&operation, "{}", &[], &[0; 4]).unwrap();
        let locks = |thread| {
            let mut work = team.set_up(thread).unwrap();
            for _ in 0..20 {
                work.batch(1_000).unwrap();
                let output = work.output().unwrap();
                assert_eq!(work.check(&output), Ok(()));
            }
        };
        thread::scope(|s| (0..4).for_each(|thread| drop(s.spawn(move || locks(thread)))));
    }
    #[test]
    fn each_of_many_threads_finds_its_memory_gone_though_others_map_at_the_same_places() {
        let cpus = cpus();
        if cpus.len() < 2 {
            println!("not tested: there is one CPU");
            return;
        }
        let cpus: Vec<u32> = cpus.into_iter().cycle().take(16).collect();
        let operation = Operation::new("unmap-shootdown", "linux", shootdown::setup);
        let team = Team::new(&operation, "{}", &[], &cpus).unwrap();
        let unmap = |thread| {
            pin(cpus[thread]).unwrap();
            let mut work = team.set_up(thread).unwrap();
            for _ in 0..20 {
                work.batch(64).unwrap();
                let output = work.output().unwrap();
                assert_eq!(work.check(&output), Ok(()));
            }
        };
        thread::scope(|s| (0..16).for_each(|thread| drop(s.spawn(move || unmap(thread)))));
    }
}

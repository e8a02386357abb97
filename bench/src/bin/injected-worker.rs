//! A worker whose work takes as much longer as the variable `SLOWER_PERMILLE` says.

use sizeup_kit::{
    Libraries, OpError, Operation, Parameter, Paths, Setting, Work, Worker, WorkerError,
};
use std::hint::black_box;
use std::process::ExitCode;

/// Rounds of Vigna's SplitMix64, each of which needs the one before.
struct Mixing {
    rounds: u64,
}

fn mixing(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let rounds: u64 = setting.integer("rounds");
    let slower = std::env::var("SLOWER_PERMILLE").unwrap_or_else(|_| "0".to_owned());
    let permille: u64 = slower.parse().map_err(OpError::new)?;
    Ok(Box::new(Mixing { rounds: rounds + rounds * permille / 1000 }))
}

impl Work for Mixing {
    fn op(&mut self) -> Result<(), OpError> {
        let mut z = 1_u64;
        for _ in 0..black_box(self.rounds) {
            z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        }
        black_box(z);
        Ok(())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.op()?;
        Ok(self.rounds.to_le_bytes().to_vec())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        if output == self.rounds.to_le_bytes() { Ok(()) } else { Err("other rounds".to_owned()) }
    }

    fn verified(&self) -> &'static str {
        "the rounds are those requested"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

fn main() -> ExitCode {
    sizeup_kit::run(&Worker {
        name: "injected",
        operations: vec![
            Operation::new("mixing", "injected", mixing)
                .takes([Parameter::integer("rounds", 1..=1 << 32)]),
        ],
        libraries: || Libraries::from([("injected".into(), env!("CARGO_PKG_VERSION").into())]),
        paths: Paths::new,
        self_test: || Ok(()),
    })
}

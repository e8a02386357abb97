//! How a target is run.

use std::panic::{RefUnwindSafe, UnwindSafe};

/// Runs a target by name: with `cfg(fuzzing)` under libFuzzer, which chooses inputs by what they reach and goes on as
/// long as its arguments say; else over its corpus (`corpus/NAME/`) and this number of seeded inputs, always the same, or
/// `FUZZ_TIMES` times as many.
///
/// # Panics
/// When the test does, on which input is then on stderr.
pub fn check(name: &str, executions: u64, test: impl Fn(&[u8]) + RefUnwindSafe + UnwindSafe) {
    #[cfg(fuzzing)]
    {
        let _ = (name, executions);
        bolero::check!().for_each(test);
    }
    #[cfg(not(fuzzing))]
    seeded::check(name, executions, test);
}

#[cfg(not(fuzzing))]
mod seeded {
    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::fs;
    use std::path::Path;

    /// Longer inputs change nothing: all targets make fewer choices.
    const MOST_BYTES: usize = 256;

    pub fn check(name: &str, executions: u64, test: impl Fn(&[u8])) {
        for (file, input) in corpus(name) {
            run(&format!("{name}, {file}"), &input, &test);
        }
        let times = std::env::var("FUZZ_TIMES").map_or(1, |times| times.parse().expect("a number"));
        // Each from a seed of its own: fewer executions are the first of more.
        for number in 0..executions * times {
            let mut random = ChaCha8Rng::seed_from_u64(number);
            let mut input = vec![0; random.random_range(1..=MOST_BYTES)];
            random.fill_bytes(&mut input);
            run(&format!("{name}, execution {number}"), &input, &test);
        }
    }

    /// Inputs that once reached what others did not, or found something; in the order of their names.
    fn corpus(name: &str) -> Vec<(String, Vec<u8>)> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
        let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        let mut found: Vec<(String, Vec<u8>)> = entries
            .map(|entry| {
                let path = entry.expect("an entry").path();
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                (name, fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
            })
            .collect();
        found.sort();
        found
    }

    fn run(what: &str, input: &[u8], test: &impl Fn(&[u8])) {
        let on_panic = OnPanic { what, input };
        test(input);
        std::mem::forget(on_panic);
    }

    /// Says on which input a test panicked.
    struct OnPanic<'a> {
        what: &'a str,
        input: &'a [u8],
    }

    impl Drop for OnPanic<'_> {
        fn drop(&mut self) {
            let hex = data_encoding::HEXLOWER.encode(self.input);
            eprintln!("failed: {}, on the input {hex}", self.what);
        }
    }
}

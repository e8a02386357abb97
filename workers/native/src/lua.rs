//! Well-known small programs under LuaJIT: one state a thread, which lives as long as its launch.

use crate::fingerprint;
use crate::lua_state::State;
use serde::Deserialize;
use sizeup_kit::{OpError, Setting, Work, WorkerError};
use std::time::{Duration, Instant};

/// A warm-up is at least this long and this many ops, so that hot loops are compiled.
const WARM_UP: Duration = Duration::from_millis(30);
const WARM_UP_OPS: u32 = 5;

/// A program of `workers/lua` and the SHA-256 of its output at the size that suites use
/// (`workers/lua/expected.toml` says how that was checked).
struct Program {
    name: &'static str,
    source: &'static str,
    size: u32,
    known: &'static str,
}

macro_rules! program {
    ($setup:ident, $name:literal, $size:literal, $known:literal) => {
        #[doc = concat!("Sets up `", $name, ".lua`.")]
        pub fn $setup(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
            Run::setup(
                setting,
                &Program {
                    name: $name,
                    source: include_str!(concat!("../../lua/", $name, ".lua")),
                    size: $size,
                    known: $known,
                },
            )
        }
    };
}

program!(
    binary_trees,
    "binary-trees",
    6,
    "1e93372ab23c98137fc156de0f57f67fb53ced95d810e56cf784bd18f6c439fd"
);
program!(fasta, "fasta", 1000, "62d1e8d0df7938d2aefda9a37887e0389231ea72c099c29a51afb6edca1bdc73");
program!(
    fibonacci,
    "fibonacci",
    30,
    "93a9b2b38d0ff170e51dfa05feafc9832ba25b87d3fabd8e4ffbb0778220cd50"
);
program!(
    mandelbrot,
    "mandelbrot",
    100,
    "1f858379256dad2c1758924ef51540794ac5992982d08018939bc841947bf637"
);
program!(
    n_body,
    "n-body",
    2000,
    "fb0fb79f1d3b2a8aa24f29fb67ed170a024be89784a7cdc2225ae91216c2de84"
);
program!(
    spectral_norm,
    "spectral-norm",
    100,
    "a95e11fa07f7b196ef488e73f67afbbbc16cf6a2c6de5f8d54ea49821fe604e6"
);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    size: u32,
}

/// The version as LuaJIT itself tells it, e.g. `LuaJIT 2.1.1700000000`.
pub fn version() -> String {
    ask("return jit.version").unwrap_or_else(|e| format!("unknown: {e}"))
}

/// Whether the compiler is on, and the features of the CPU that it uses.
pub fn path() -> String {
    ask("local t = {jit.status()} t[1] = t[1] and 'on' or 'off' return table.concat(t, ' ')")
        .unwrap_or_default()
}

fn ask(question: &str) -> Result<String, String> {
    State::new()?.eval(question)
}

/// Proves that it is LuaJIT 2.1 (not Lua, not LuaJIT 2.0) and that its compiler is on.
pub fn self_test() -> Result<(), String> {
    let (version, path) = (version(), path());
    if !version.starts_with("LuaJIT 2.1.") {
        return Err(format!("LuaJIT says that it is {version:?}"));
    }
    if !path.starts_with("on") {
        return Err(format!("LuaJIT's compiler is {path:?}"));
    }
    Ok(())
}

/// An error of Lua's as an error of an op.
fn failure(message: String) -> OpError {
    OpError::new(format!("LuaJIT: {message}"))
}

/// One op is one run of the loaded program.
struct Run {
    state: State,
    size: u32,
    known: &'static str,
}

impl Run {
    fn setup(setting: &Setting, program: &Program) -> Result<Box<dyn Work>, WorkerError> {
        let Parameters { size } = setting.parameters()?;
        if size != program.size {
            let message = format!("there is no known answer for size {size}");
            return Err(WorkerError::bad_request(message));
        }
        let mut state = State::new().map_err(failure)?;
        state.load(program.source, &format!("{}.lua", program.name)).map_err(failure)?;
        let mut run = Self { state, size, known: program.known };
        let start = Instant::now();
        let mut ops = 0;
        while ops < WARM_UP_OPS || start.elapsed() < WARM_UP {
            run.op()?;
            ops += 1;
        }
        Ok(Box::new(run))
    }
}

impl Work for Run {
    fn op(&mut self) -> Result<(), OpError> {
        self.state.call(self.size).map_err(failure)
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.state.output(self.size).map_err(failure)
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        fingerprint::expect("the program", output, self.known)
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

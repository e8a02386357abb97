//! Well-known small programs under LuaJIT: one state a thread, which lives as long as its launch.

use crate::lua_state::State;
use sizeup_kit::fingerprint;
use sizeup_kit::{Kind, OpError, Operation, Parameter, Setting, Work, WorkerError};
use std::env;
use std::time::{Duration, Instant};

/// A warm-up is at least this long and this many ops, so that hot loops are compiled.
const WARM_UP: Duration = Duration::from_millis(30);
const WARM_UP_OPS: u32 = 5;

/// A program of `workers/lua` and the SHA-256 of its output at the size that suites use (`workers/lua/expected.toml`
/// says how that was checked).
struct Program {
    name: &'static str,
    source: &'static str,
    size: u32,
    known: &'static str,
}

impl Program {
    fn load_into(&self, state: &mut State) -> Result<(), OpError> {
        if let Ok(path) = env::var("SIZEUP_JIT_MAP") {
            state
                .run_with(include_str!("jit_map.lua"), "jit_map.lua", &[&path, self.source])
                .map_err(failure)?;
        }
        state.load(self.source, &format!("{}.lua", self.name)).map_err(failure)
    }
}

/// The operation of a program: its name, the sizes that it takes, the known size and its output's SHA-256.
macro_rules! program {
    ($name:literal, $sizes:expr, $size:literal, $known:literal) => {{
        const PROGRAM: Program = Program {
            name: $name,
            source: include_str!(concat!("../../lua/", $name, ".lua")),
            size: $size,
            known: $known,
        };
        Operation::new($name, "luajit", |setting| Run::setup(setting, &PROGRAM))
            .takes([Parameter::integer("size", $sizes)])
    }};
}

/// All programs, with sizes up to a few seconds a run in the interpreter, which checks them.
#[rustfmt::skip]
pub fn operations() -> Vec<Operation> {
    vec![
        // The program raises any size below 6 to 6.
        program!("binary-trees", 6..=16, 6, "1e93372ab23c98137fc156de0f57f67fb53ced95d810e56cf784bd18f6c439fd"),
        program!("fasta", 1..=1_000_000, 1000, "62d1e8d0df7938d2aefda9a37887e0389231ea72c099c29a51afb6edca1bdc73"),
        program!("fibonacci", 0..=40, 30, "93a9b2b38d0ff170e51dfa05feafc9832ba25b87d3fabd8e4ffbb0778220cd50"),
        program!("mandelbrot", 1..=2000, 100, "1f858379256dad2c1758924ef51540794ac5992982d08018939bc841947bf637"),
        program!("n-body", 0..=5_000_000, 2000, "fb0fb79f1d3b2a8aa24f29fb67ed170a024be89784a7cdc2225ae91216c2de84"),
        program!("spectral-norm", 1..=1000, 100, "a95e11fa07f7b196ef488e73f67afbbbc16cf6a2c6de5f8d54ea49821fe604e6"),
    ]
}

/// The version as LuaJIT itself reports it, e.g. `LuaJIT 2.1.1700000000`.
pub fn version() -> String {
    ask("return jit.version").unwrap_or_else(|e| format!("unknown: {e}"))
}

/// Whether the compiler is on, and the CPU features that it uses.
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
        return Err(format!("LuaJIT reports {version:?}, not LuaJIT 2.1"));
    }
    if !path.starts_with("on") {
        return Err(format!("LuaJIT's compiler is {path:?}, not on"));
    }
    Ok(())
}

/// An error of Lua as an error of an op.
fn failure(message: String) -> OpError {
    OpError::new(format!("LuaJIT: {message}"))
}

/// One op is one run of the loaded program.
struct Run {
    state: State,
    size: u32,
    expected: String,
    verified: &'static str,
}

impl Run {
    fn setup(setting: &Setting, program: &Program) -> Result<Box<dyn Work>, WorkerError> {
        let size = setting.integer("size");
        let (expected, verified) = if size == program.size {
            (program.known.to_owned(), "the program's output matches the known answer")
        } else {
            (
                interpreted(program, size)?,
                "the program's output matches that of LuaJIT's interpreter",
            )
        };
        let mut state = State::new().map_err(failure)?;
        program.load_into(&mut state)?;
        let mut run = Self { state, size, expected, verified };
        let start = Instant::now();
        let mut ops = 0;
        while ops < WARM_UP_OPS || start.elapsed() < WARM_UP {
            run.op()?;
            ops += 1;
        }
        Ok(Box::new(run))
    }
}

/// The digest of a program's output with the compiler off, after the interpreter has reproduced the known one.
fn interpreted(program: &Program, size: u32) -> Result<String, WorkerError> {
    let mut state = State::new().map_err(failure)?;
    let compiler = state.eval("jit.off() return tostring(jit.status())").map_err(failure)?;
    if compiler != "false" {
        return Err(OpError::new(format!("LuaJIT's compiler is {compiler}, not off")).into());
    }
    program.load_into(&mut state)?;
    let known = state.output(program.size).map_err(failure)?;
    fingerprint::expect("the interpreter", &known, program.known)
        .map_err(|what| WorkerError::new(Kind::WrongAnswer, what))?;
    Ok(fingerprint::sha256(&state.output(size).map_err(failure)?))
}

impl Work for Run {
    fn op(&mut self) -> Result<(), OpError> {
        self.state.call(self.size).map_err(failure)
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.state.output(self.size).map_err(failure)
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        fingerprint::expect("the program", output, &self.expected)
    }

    fn verified(&self) -> &'static str {
        self.verified
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

#[cfg(test)]
mod tests;

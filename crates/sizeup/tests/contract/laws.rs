//! What must be true of all answers of a launch together, as `docs/protocol.md` has it. A pattern
//! looks at one answer; here it meets the request, the clock and the answers before it.

use serde_json::Value;
use std::collections::VecDeque;

/// The instructions of a pulse: multiplies of 3 cycles or 1-cycle ones, then additions.
const CLOCK_PULSE_CYCLES: u64 = 1_800_000;
const WIDTH_PULSE_OPS: u64 = 6_000_000;
const MIN_OPS: u64 = 3;
/// How much more CPU time than elapsed time a thread may have: they are read one after the other.
const CPU_SLACK_NS: u64 = 1_000_000;

/// One worker from its start to its end.
#[derive(Default)]
pub struct Launch {
    unanswered: VecDeque<(Value, u64)>,
    prepare: Value,
    ready: Value,
    windows: u64,
    ops: u64,
    last_end_ns: u64,
}

type Law = Result<(), String>;

impl Launch {
    /// A request was sent, whatever it is.
    pub fn sent(&mut self, request: &[u8], now_ns: u64) {
        let request = serde_json::from_slice(request).unwrap_or_default();
        self.unanswered.push_back((request, now_ns));
    }

    /// Whether an answer is still to come.
    pub fn waits(&self) -> bool {
        !self.unanswered.is_empty()
    }

    /// Looks at an answer to the oldest request that has none.
    pub fn answered(&mut self, answer: &Value, now_ns: u64) -> Law {
        let (request, sent_ns) = self.unanswered.pop_front().unwrap_or_default();
        match answer["answer"].as_str() {
            Some("list") => Ok(()),
            Some("ready") => self.ready(request, answer),
            Some("window") => self.window(&request, answer, sent_ns.max(self.last_end_ns), now_ns),
            Some("done") => self.done(answer),
            Some("error") => error(answer),
            _ => Err("it is no answer that the protocol knows".to_owned()),
        }
    }

    fn ready(&mut self, request: Value, answer: &Value) -> Law {
        law(number(answer, "/batch_ops")?.is_power_of_two(), "batch_ops is a power of two")?;
        self.prepare = request;
        self.ready = answer.clone();
        Ok(())
    }

    fn window(&mut self, request: &Value, answer: &Value, after_ns: u64, now_ns: u64) -> Law {
        let threads = answer["threads"].as_array().cloned().unwrap_or_default();
        law(
            number(&self.prepare, "/threads")? == threads.len() as u64,
            "a window has an entry for each thread",
        )?;
        let (start_ns, end_ns) = (number(answer, "/start_ns")?, number(answer, "/end_ns")?);
        law(
            after_ns <= start_ns && start_ns < end_ns && end_ns <= now_ns,
            &format!("a window lies between request ({after_ns} ns) and answer ({now_ns} ns)"),
        )?;
        let mut longest_ns = 0;
        for (i, thread) in threads.iter().enumerate() {
            self.thread(request, thread, i).map_err(|e| format!("thread {i}: {e}"))?;
            longest_ns = longest_ns.max(number(thread, "/elapsed_ns")?);
            self.ops += number(thread, "/ops")?;
        }
        let whole_ns = end_ns - start_ns;
        law(
            longest_ns <= whole_ns && (threads.len() > 1 || longest_ns == whole_ns),
            "start_ns and end_ns are the earliest start and the latest end",
        )?;
        law(
            number(answer, "/process_elapsed_ns")? >= number(answer, "/threads/0/elapsed_ns")?,
            "process_elapsed_ns covers the window of thread 0",
        )?;
        self.windows += 1;
        self.last_end_ns = end_ns;
        Ok(())
    }

    fn thread(&self, request: &Value, thread: &Value, index: usize) -> Law {
        let cpus = self.prepare["cpus"].as_array();
        let cpu = cpus.and_then(|cpus| cpus.get(index % cpus.len().max(1)));
        law(cpu == Some(&thread["cpu"]), "thread i is on cpus[i mod len]")?;
        let (ops, elapsed_ns) = (number(thread, "/ops")?, number(thread, "/elapsed_ns")?);
        law(elapsed_ns >= number(request, "/window_ns")?, "elapsed_ns is at least window_ns")?;
        law(ops >= MIN_OPS, "a window has at least 3 ops")?;
        law(ops % number(&self.ready, "/batch_ops")?.max(1) == 0, "a window has whole batches")?;
        law(
            number(thread, "/cpu_ns")? <= elapsed_ns + elapsed_ns / 50 + CPU_SLACK_NS,
            "a thread has no more CPU time than there was time",
        )?;
        let cycles = number(&self.ready, "/pulse/clock_cycles_per_op")?;
        for pulse in ["/pulse_before", "/pulse_after"] {
            law(
                number(thread, &format!("{pulse}/clock_ops"))? * cycles == CLOCK_PULSE_CYCLES,
                "clock_ops are 600,000 of 3 cycles or 1,800,000 of 1",
            )?;
            law(
                number(thread, &format!("{pulse}/width_ops"))? == WIDTH_PULSE_OPS,
                "width_ops are 6,000,000",
            )?;
        }
        Ok(())
    }

    fn done(&self, answer: &Value) -> Law {
        let told = (number(answer, "/windows")?, number(answer, "/ops")?);
        law(
            told == (self.windows, self.ops),
            &format!("windows and ops add up: {}, {}", self.windows, self.ops),
        )
    }
}

/// What every error holds.
fn error(answer: &Value) -> Law {
    law(answer["message"].as_str().is_some_and(|text| !text.is_empty()), "an error has a message")?;
    law(answer["hint"].is_string(), "an error has a hint, which may be empty")
}

fn law(holds: bool, law: &str) -> Law {
    if holds { Ok(()) } else { Err(format!("broken: {law}")) }
}

fn number(object: &Value, pointer: &str) -> Result<u64, String> {
    let value = object.pointer(pointer).unwrap_or(&Value::Null);
    value.as_u64().ok_or_else(|| format!("{pointer} is {value}, not a whole number"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const WINDOW: &[u8] = br#"{"request":"measure","settle_ns":0,"window_ns":1000}"#;

    /// A launch on CPU 5 that was asked for a window at 100 ns.
    fn launch() -> Launch {
        let mut launch = Launch::default();
        launch.sent(br#"{"request":"prepare","threads":1,"cpus":[5]}"#, 0);
        let ready = json!({"answer": "ready", "batch_ops": 4, "pulse": {"clock_cycles_per_op": 3}});
        launch.answered(&ready, 50).expect("ready is good");
        launch.sent(WINDOW, 100);
        launch
    }

    fn good() -> Value {
        let pulse =
            json!({"clock_ops": 600_000, "clock_ns": 1, "width_ops": 6_000_000, "width_ns": 1});
        json!({"answer": "window", "start_ns": 200, "end_ns": 1300, "process_cpu_ns": 1,
            "process_elapsed_ns": 1200, "threads": [{"cpu": 5, "ops": 8, "elapsed_ns": 1100,
            "cpu_ns": 1, "pulse_before": pulse, "pulse_after": pulse}]})
    }

    #[test]
    fn a_good_window_breaks_no_law() {
        let mut launch = launch();
        launch.answered(&good(), 2000).expect("the window is good");
        let done = json!({"answer": "done", "windows": 1, "ops": 8});
        launch.answered(&done, 2100).expect("the sums are right");
    }

    #[test]
    fn every_law_can_be_broken() {
        for (pointer, value, law) in [
            ("/threads", json!([]), "an entry for each thread"),
            ("/start_ns", json!(99), "between request"),
            ("/end_ns", json!(2001), "between request"),
            ("/end_ns", json!(200), "between request"),
            ("/end_ns", json!(1299), "the earliest start"),
            ("/process_elapsed_ns", json!(1099), "covers the window of thread 0"),
            ("/threads/0/cpu", json!(6), "cpus[i mod len]"),
            ("/threads/0/ops", json!(0), "at least 3 ops"),
            ("/threads/0/ops", json!(6), "whole batches"),
            ("/threads/0/elapsed_ns", json!(999), "at least window_ns"),
            ("/threads/0/cpu_ns", json!(2_000_000), "CPU time"),
            ("/threads/0/pulse_after/clock_ops", json!(600_001), "clock_ops"),
            ("/threads/0/pulse_before/width_ops", json!(null), "whole number"),
        ] {
            let mut window = good();
            *window.pointer_mut(pointer).expect("the place is there") = value;
            let broken = launch().answered(&window, 2000).expect_err(pointer);
            assert!(broken.contains(law), "{pointer}: {broken}");
        }
    }

    #[test]
    fn sums_that_do_not_add_up_and_errors_without_a_hint_are_told() {
        let done = json!({"answer": "done", "windows": 1, "ops": 0});
        assert!(launch().answered(&done, 200).is_err());
        let error = json!({"answer": "error", "kind": "internal", "message": "m"});
        assert!(launch().answered(&error, 200).is_err());
        assert!(launch().answered(&json!({}), 200).is_err());
    }
}

//! Laws for the answers of a launch together, as stated in `docs/protocol.md`. A pattern looks at one answer; here it meets the
//! request, the clock and the answers before it.

use serde_json::Value;
use std::collections::VecDeque;

/// The instructions of a pulse: multiplies of 3 cycles or 1-cycle ones, then additions.
const CLOCK_PULSE_CYCLES: u64 = 1_800_000;
const WIDTH_PULSE_OPS: u64 = 6_000_000;
/// A chain inside a sample.
const CHAIN_CYCLES: u64 = 12_000;
const MOST_CHAINS: usize = 9;
const MIN_OPS: u64 = 3;
/// Fields of a thread that does its own work.
const COUNTERS: [&str; 6] = [
    "cpu_ns",
    "cpu_elapsed_ns",
    "minor_faults",
    "major_faults",
    "voluntary_switches",
    "involuntary_switches",
];
/// How much more CPU time than elapsed time a thread may have: the two clocks are not one.
const CPU_SLACK_NS: u64 = 1_000_000;

/// One worker from its start to its end.
#[derive(Default)]
pub struct Exchange {
    unanswered: VecDeque<(Value, u64)>,
    prepare: Value,
    ready: Value,
    samples: u64,
    ops: u64,
    last_end_ns: u64,
}

type Law = Result<(), String>;

impl Exchange {
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
            Some("sample") => self.sample(&request, answer, sent_ns.max(self.last_end_ns), now_ns),
            Some("done") => self.done(answer),
            Some("error") => error(answer),
            _ => Err("it is no answer that the protocol knows".to_owned()),
        }
    }

    fn ready(&mut self, request: Value, answer: &Value) -> Law {
        law(number(answer, "/batch_ops")?.is_power_of_two(), "batch_ops is a power of two")?;
        self.prepare = request;
        self.ready = answer.clone();
        // Nothing can be put between ops that other processes do.
        if self.parts().is_empty() {
            let cycles = number(answer, "/pulse/clock_cycles_per_op")?;
            law(
                number(answer, "/chain/ops")? * cycles == CHAIN_CYCLES,
                "chain.ops are 4,000 of 3 cycles or 12,000 of 1",
            )?;
        } else {
            law(answer["chain"].is_null(), "there are no chains where others do the work")?;
        }
        for (i, part) in self.parts().iter().enumerate() {
            let cpus = part["cpus"].as_array().cloned().unwrap_or_default();
            let asked = self.prepare["cpus"].as_array().cloned().unwrap_or_default();
            law(i > 0 || !cpus.is_empty(), "the first part has a CPU")?;
            law(cpus.iter().all(|cpu| asked.contains(cpu)), "parts have CPUs of the request")?;
        }
        Ok(())
    }

    /// A thread has a count for each event that its launch counts, or leaves all out.
    fn counters(&self, thread: &Value) -> Law {
        let lengths = |groups: &Value, more: usize| -> Vec<usize> {
            let length = |group: &Value| group.as_array().map_or(0, Vec::len) + more;
            groups.as_array().into_iter().flatten().map(length).collect()
        };
        let counts = lengths(&thread["counters"], 0);
        let is_whole = counts == lengths(&self.ready["counters"]["groups"], 2);
        law(counts.is_empty() || is_whole, "counters are those that ready named")
    }

    /// The parts that other processes have in the work; none where the worker does it.
    fn parts(&self) -> &[Value] {
        self.ready["parts"].as_array().map_or(&[], Vec::as_slice)
    }

    /// Whether ops are counted on a CPU.
    fn counts(&self, cpu: &Value) -> bool {
        let first = self.parts().first().and_then(|part| part["cpus"].as_array());
        first.is_none_or(|cpus| cpus.contains(cpu))
    }

    fn sample(&mut self, request: &Value, answer: &Value, after_ns: u64, now_ns: u64) -> Law {
        let threads = answer["threads"].as_array().cloned().unwrap_or_default();
        law(
            number(&self.prepare, "/threads")? == threads.len() as u64,
            "a sample has an entry for each thread",
        )?;
        let (start_ns, end_ns) = (number(answer, "/start_ns")?, number(answer, "/end_ns")?);
        law(
            after_ns <= start_ns && start_ns < end_ns && end_ns <= now_ns,
            &format!("a sample lies between request ({after_ns} ns) and answer ({now_ns} ns)"),
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
        // A client tells the time of a sample by a clock of its own, and may have begun before the worker looked.
        let covered_ns =
            number(answer, "/threads/0/elapsed_ns")? + u64::from(self.parts().is_empty());
        law(
            number(answer, "/process_elapsed_ns")? >= covered_ns,
            "process_elapsed_ns covers the sample of thread 0",
        )?;
        self.parts_of_sample(answer)?;
        self.samples += 1;
        self.last_end_ns = end_ns;
        Ok(())
    }

    fn thread(&self, request: &Value, thread: &Value, index: usize) -> Law {
        let cpus = self.prepare["cpus"].as_array();
        let cpu = cpus.and_then(|cpus| cpus.get(index % cpus.len().max(1)));
        law(cpu == Some(&thread["cpu"]), "thread i is on cpus[i mod len]")?;
        let (ops, elapsed_ns) = (number(thread, "/ops")?, number(thread, "/elapsed_ns")?);
        law(elapsed_ns >= number(request, "/sample_ns")?, "elapsed_ns is at least sample_ns")?;
        if self.counts(&thread["cpu"]) {
            law(ops >= MIN_OPS, "a sample has at least 3 ops")?;
        } else {
            law(ops == 0, "a CPU that is not the first part's has no ops")?;
        }
        law(ops % number(&self.ready, "/batch_ops")?.max(1) == 0, "a sample has whole batches")?;
        self.time_that_counts(thread)?;
        for counter in COUNTERS {
            let is_reported = !thread[counter].is_null();
            law(
                is_reported || !self.parts().is_empty(),
                "a thread that does the work tells counters",
            )?;
        }
        if !thread["system_ns"].is_null() {
            number(thread, "/system_ns")?;
            law(self.parts().is_empty(), "kernel time is of a thread that does the work")?;
        }
        for of_runtime in ["gc_ns", "jit_ns"] {
            if !thread[of_runtime].is_null() {
                number(thread, &format!("/{of_runtime}"))?;
                law(self.parts().is_empty(), "a runtime's time is of a thread that does the work")?;
            }
        }
        if !thread["gc_ns"].is_null() {
            law(
                number(thread, "/gc_ns")? <= most_cpu_ns(number(thread, "/cpu_elapsed_ns")?),
                "collections take no more time than there was",
            )?;
        }
        if !thread["cpu_ns"].is_null() {
            let read_ns = number(thread, "/cpu_elapsed_ns")?;
            // Readings of its own enclose those of CPU time: more than the sample in any case.
            law(read_ns > elapsed_ns, "cpu_elapsed_ns covers the sample")?;
            law(
                number(thread, "/cpu_ns")? <= most_cpu_ns(read_ns),
                "a thread has no more CPU time than there was while it was read",
            )?;
        }
        self.counters(thread)?;
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
        self.memory(thread)?;
        self.chains(thread)
    }

    /// A thread has time that counts where ready announced it.
    fn time_that_counts(&self, thread: &Value) -> Law {
        if self.ready["counts_part"] != true {
            let has_none = thread["counted_ns"].is_null() && thread["counted_stretches"].is_null();
            return law(has_none, "time that counts is announced by ready");
        }
        let counted_ns = number(thread, "/counted_ns")?;
        let is_within = 0 < counted_ns && counted_ns <= number(thread, "/elapsed_ns")?;
        law(is_within, "the time that counts lies within the sample")?;
        let is_each = number(thread, "/counted_stretches")? >= number(thread, "/ops")?;
        law(is_each, "each op has a stretch that counts")
    }

    /// A thread has memory pulses on both sides of its sample, or none.
    fn memory(&self, thread: &Value) -> Law {
        let pulses = ["memory_before", "memory_after"].map(|name| &thread[name]);
        if pulses.iter().all(|pulse| pulse.is_null()) {
            return Ok(());
        }
        law(self.parts().is_empty(), "there are no memory pulses where others do the work")?;
        for pulse in pulses {
            for field in ["/loads", "/loads_ns", "/lines", "/lines_ns"] {
                law(
                    number(pulse, field)? > 0,
                    "a memory pulse reads on both sides and takes time",
                )?;
            }
        }
        Ok(())
    }

    /// A thread that does the work has chains in its sample, and one at its end.
    fn chains(&self, thread: &Value) -> Law {
        let chains = thread["chains_ns"].as_array().cloned().unwrap_or_default();
        if !self.parts().is_empty() {
            return law(chains.is_empty(), "there are no chains where others do the work");
        }
        law((1..=MOST_CHAINS).contains(&chains.len()), "a thread has 1 to 9 chains")?;
        let sum_ns: u64 = chains.iter().filter_map(Value::as_u64).sum();
        let took_time = |ns: &Value| ns.as_u64().is_some_and(|ns| ns > 0);
        law(
            chains.iter().all(took_time) && sum_ns <= number(thread, "/cpu_elapsed_ns")?,
            "chains take time, and no more than there was",
        )
    }

    /// Checks the parts and latencies of a sample.
    fn parts_of_sample(&self, answer: &Value) -> Law {
        let parts = answer["parts"].as_array().cloned().unwrap_or_default();
        law(parts.len() == self.parts().len(), "a sample reports the parts that ready named")?;
        for part in &parts {
            let given_ns = number(part, "/elapsed_ns")? * number(part, "/cpu_count")?;
            law(
                number(part, "/cpu_ns")? <= most_cpu_ns(given_ns),
                "a part has no more CPU time than its CPUs gave",
            )?;
        }
        let Some(latency) = answer["latency"].as_array() else { return Ok(()) };
        let counted = latency.iter().filter_map(|bucket| bucket[1].as_u64()).sum::<u64>();
        law(counted == number(answer, "/due_ops")?, "latencies are of the ops that were due")
    }

    fn done(&self, answer: &Value) -> Law {
        let reported = (number(answer, "/samples")?, number(answer, "/ops")?);
        law(
            reported == (self.samples, self.ops),
            &format!("samples and ops add up: {}, {}", self.samples, self.ops),
        )
    }
}

/// The most CPU time that can be told of so much time.
fn most_cpu_ns(elapsed_ns: u64) -> u64 {
    elapsed_ns + elapsed_ns / 50 + CPU_SLACK_NS
}

/// Fields that every error has.
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

    const SAMPLE: &[u8] = br#"{"request":"measure","warmup_ns":0,"sample_ns":1000}"#;

    /// A launch on CPU 5 that was asked for a sample at 100 ns.
    fn launch() -> Exchange {
        let mut launch = Exchange::default();
        launch.sent(br#"{"request":"prepare","threads":1,"cpus":[5]}"#, 0);
        let ready = json!({"answer": "ready", "batch_ops": 4, "pulse": {"clock_cycles_per_op": 3},
            "chain": {"ops": 4000, "cost_ns": 9}, "counters": {"groups": [["cycles"]], "kernel": true}});
        launch.answered(&ready, 50).expect("ready is good");
        launch.sent(SAMPLE, 100);
        launch
    }

    fn good() -> Value {
        let pulse =
            json!({"clock_ops": 600_000, "clock_ns": 1, "width_ops": 6_000_000, "width_ns": 1});
        let memory = json!({"loads": 2048, "loads_ns": 1, "lines": 16_384, "lines_ns": 1});
        json!({"answer": "sample", "start_ns": 200, "end_ns": 1300, "process_cpu_ns": 1,
            "process_elapsed_ns": 1200, "threads": [{"cpu": 5, "ops": 8, "elapsed_ns": 1100,
            "cpu_ns": 1, "cpu_elapsed_ns": 1150, "system_ns": 0, "gc_ns": 1100, "jit_ns": 0,
            "counters": [[2, 2, 7]], "minor_faults": 0, "major_faults": 0, "voluntary_switches": 0,
            "involuntary_switches": 0, "pulse_before": pulse, "pulse_after": pulse, "chains_ns": [500, 600],
            "memory_before": memory, "memory_after": memory}]})
    }

    /// A server on CPU 5 and its client on CPU 6.
    fn served(change: impl Fn(&mut Value)) -> Law {
        let mut launch = Exchange::default();
        launch.sent(br#"{"request":"prepare","threads":2,"cpus":[5,6]}"#, 0);
        let parts = json!([{"name": "server", "cpus": [5]}, {"name": "client", "cpus": [6]}]);
        let pulse = json!({"clock_cycles_per_op": 3});
        let ready = json!({"answer": "ready", "batch_ops": 1, "pulse": pulse, "parts": parts});
        launch.answered(&ready, 50)?;
        launch.sent(SAMPLE, 100);
        let mut sample = good();
        let mut client = sample["threads"][0].clone();
        (client["cpu"], client["ops"]) = (json!(6), json!(0));
        sample["threads"].as_array_mut().expect("threads").push(client);
        for counter in COUNTERS {
            sample["threads"][0][counter] = Value::Null;
        }
        for thread in [0, 1] {
            sample["threads"][thread]["chains_ns"] = json!([]);
            for name in ["system_ns", "gc_ns", "jit_ns"] {
                sample["threads"][thread][name] = Value::Null;
            }
            sample["threads"][thread]["counters"] = Value::Null;
            for pulse in ["memory_before", "memory_after"] {
                sample["threads"][thread][pulse] = Value::Null;
            }
        }
        let part = json!({"cpu_count": 1, "cpu_ns": 900, "elapsed_ns": 1100});
        sample["parts"] = json!([part, part]);
        sample["due_ops"] = json!(8);
        sample["latency"] = json!([[10, 5], [20, 3]]);
        change(&mut sample);
        launch.answered(&sample, 2000)
    }

    #[test]
    fn the_laws_of_parts_hold_and_can_be_broken() {
        served(|_| ()).expect("the sample is good");
        for (pointer, value, law) in [
            ("/parts", json!([]), "the parts that ready named"),
            ("/parts/1/cpu_ns", json!(2_000_000), "a part has no more CPU time"),
            ("/threads/1/ops", json!(1), "not the first part's"),
            ("/threads/0/ops", json!(0), "at least 3 ops"),
            ("/latency/1/1", json!(4), "that were due"),
            ("/due_ops", json!(null), "whole number"),
            ("/threads/0/chains_ns", json!([1]), "no chains where others"),
            ("/threads/0/memory_after", json!({"loads": 1}), "no memory pulses where others"),
            ("/threads/0/system_ns", json!(1), "a thread that does the work"),
            ("/threads/0/gc_ns", json!(0), "a runtime's time is of a thread"),
            ("/threads/0/jit_ns", json!(0), "a runtime's time is of a thread"),
        ] {
            let change = |sample: &mut Value| {
                *sample.pointer_mut(pointer).expect("the place is there") = value.clone();
            };
            let broken = served(change).expect_err(pointer);
            assert!(broken.contains(law), "{pointer}: {broken}");
        }
    }

    #[test]
    fn a_good_sample_breaks_no_law() {
        let mut launch = launch();
        launch.answered(&good(), 2000).expect("the sample is good");
        let done = json!({"answer": "done", "samples": 1, "ops": 8});
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
            ("/process_elapsed_ns", json!(1100), "covers the sample of thread 0"),
            ("/threads/0/cpu", json!(6), "cpus[i mod len]"),
            ("/threads/0/ops", json!(0), "at least 3 ops"),
            ("/threads/0/ops", json!(6), "whole batches"),
            ("/threads/0/elapsed_ns", json!(999), "at least sample_ns"),
            ("/threads/0/cpu_ns", json!(2_000_000), "CPU time"),
            ("/threads/0/cpu_elapsed_ns", json!(1100), "covers the sample"),
            ("/threads/0/system_ns", json!(-1), "whole number"),
            ("/threads/0/gc_ns", json!(1.5), "whole number"),
            ("/threads/0/gc_ns", json!(2_000_000), "no more time than there was"),
            ("/threads/0/jit_ns", json!(-1), "whole number"),
            ("/threads/0/counters", json!([[2, 2, 7], [2, 2]]), "those that ready named"),
            ("/threads/0/major_faults", json!(null), "tells counters"),
            ("/threads/0/pulse_after/clock_ops", json!(600_001), "clock_ops"),
            ("/threads/0/pulse_before/width_ops", json!(null), "whole number"),
            ("/threads/0/memory_after", json!(null), "whole number"),
            ("/threads/0/memory_before/lines_ns", json!(0), "a memory pulse reads on both sides"),
            ("/threads/0/chains_ns", json!([]), "1 to 9 chains"),
            ("/threads/0/chains_ns", json!(vec![1; 10]), "1 to 9 chains"),
            ("/threads/0/chains_ns/0", json!(0), "chains take time"),
            ("/threads/0/chains_ns/0", json!(551), "no more than there was"),
        ] {
            let mut sample = good();
            *sample.pointer_mut(pointer).expect("the place is there") = value;
            let broken = launch().answered(&sample, 2000).expect_err(pointer);
            assert!(broken.contains(law), "{pointer}: {broken}");
        }
    }

    #[test]
    fn the_laws_of_time_that_counts_hold_and_can_be_broken() {
        let answered = |is_announced: bool, counted_ns: Value, stretches: Value| {
            let mut launch = launch();
            launch.ready["counts_part"] = json!(is_announced);
            let mut sample = good();
            sample["threads"][0]["counted_ns"] = counted_ns;
            sample["threads"][0]["counted_stretches"] = stretches;
            launch.answered(&sample, 2000)
        };
        answered(true, json!(900), json!(16)).expect("the sample is good");
        for (is_announced, counted_ns, stretches, law) in [
            (false, json!(900), json!(16), "announced by ready"),
            (true, json!(null), json!(16), "whole number"),
            (true, json!(0), json!(16), "lies within the sample"),
            (true, json!(2_000_000), json!(16), "lies within the sample"),
            (true, json!(900), json!(7), "each op has a stretch"),
        ] {
            let broken = answered(is_announced, counted_ns, stretches).expect_err(law);
            assert!(broken.contains(law), "{law}: {broken}");
        }
    }

    #[test]
    fn sums_that_do_not_add_up_and_errors_without_a_hint_are_told() {
        let done = json!({"answer": "done", "samples": 1, "ops": 0});
        assert!(launch().answered(&done, 200).is_err());
        let error = json!({"answer": "error", "kind": "internal", "message": "m"});
        assert!(launch().answered(&error, 200).is_err());
        assert!(launch().answered(&json!({}), 200).is_err());
    }
}

//! The other load generators: wrk for HTTP/1.1, h2load for HTTP/2.

use anyhow::{Context, bail, ensure};
use record::Ready;
use serde_json::Value;
use std::process::Command;

/// A load generator, set up to load a server as the worker's client does: as many connections and requests under
/// way, on the same CPUs.
pub struct Peer {
    program: &'static str,
    arguments: Vec<String>,
    per_s: fn(&str) -> Option<f64>,
}

impl Peer {
    pub fn of(ready: &Ready, parameters: &Value, port: u16) -> anyhow::Result<Self> {
        let [server, client] = &ready.parts[..] else { bail!("there are no two parts") };
        let per_cpu = parameters["connections_per_server_cpu"].as_u64().context("connections")?;
        let connections = per_cpu * server.cpus.len() as u64;
        let cpus: Vec<String> = client.cpus.iter().map(u32::to_string).collect();
        let path = match parameters["answer"].as_str() {
            Some("page") => "page",
            Some("plain") => "plain",
            _ => "",
        };
        let mut arguments = vec!["--cpu-list".to_owned(), cpus.join(",")];
        let streams = parameters["http2_streams"].as_u64();
        let program = if streams.is_some() { "h2load" } else { "wrk" };
        arguments.extend([
            program.to_owned(),
            format!("-t{}", cpus.len()),
            format!("-c{connections}"),
            "-HAccept-Encoding: br".to_owned(),
        ]);
        match streams {
            Some(streams) => arguments.push(format!("-m{streams}")),
            None => arguments.push("-d1s".to_owned()),
        }
        if parameters["connections"] == "new" {
            arguments.push("-HConnection: close".to_owned());
        }
        arguments.push(format!("https://127.0.0.1:{port}/{path}"));
        Ok(Self { program, arguments, per_s: if streams.is_some() { h2load } else { wrk } })
    }

    /// Which one this is.
    pub fn version(&self) -> anyhow::Result<String> {
        let flag = if self.program == "wrk" { "-v" } else { "--version" };
        // wrk ends with status 1 after it.
        let output = Command::new(self.program).arg(flag).output();
        let output = output.with_context(|| format!("{} can't be started", self.program))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = text.lines().next().with_context(|| format!("{}: no version", self.program))?;
        Ok(line.trim().to_owned())
    }

    /// Requests/s in about a second, in which so many are answered.
    pub fn run(&self, expected: f64) -> anyhow::Result<f64> {
        let mut command = Command::new("taskset");
        command.args(&self.arguments);
        if self.program == "h2load" {
            // Its -D does not end where answers are slow.
            command.arg(format!("-n{}", expected.ceil()));
        }
        let output = command.output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        ensure!(output.status.success(), "{} ended with {}: {text}", self.program, output.status);
        (self.per_s)(&text).with_context(|| format!("{} says: {text}", self.program))
    }
}

/// Requests per second by wrk's report; `None` if requests failed.
fn wrk(text: &str) -> Option<f64> {
    if text.contains("Socket errors") || text.contains("Non-2xx or 3xx") {
        return None;
    }
    text.lines().find_map(|line| line.strip_prefix("Requests/sec:"))?.trim().parse().ok()
}

/// Requests per second by h2load's report; `None` if requests failed.
fn h2load(text: &str) -> Option<f64> {
    if !text.contains(" succeeded, 0 failed, 0 errored, 0 timeout") {
        return None;
    }
    let (_, rest) = text.split_once("finished in ")?;
    let (_, rest) = rest.split_once(", ")?;
    rest.split_once(" req/s")?.0.parse().ok()
}

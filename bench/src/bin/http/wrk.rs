//! wrk, the other load generator.

use anyhow::{Context, bail, ensure};
use record::Ready;
use serde_json::Value;
use std::process::Command;

/// wrk, set up to load a server as the worker's client does: as many connections, on the same CPUs.
pub struct Wrk {
    arguments: Vec<String>,
}

/// Which wrk this is.
pub fn version() -> anyhow::Result<String> {
    // It ends with status 1 after it.
    let output = Command::new("wrk").arg("-v").output().context("wrk can't be started")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.lines().next().context("wrk does not tell its version")?.trim().to_owned())
}

impl Wrk {
    pub fn of(ready: &Ready, parameters: &Value, port: u16) -> anyhow::Result<Self> {
        let [server, client] = &ready.parts[..] else { bail!("there are no two parts") };
        let per_cpu = parameters["connections_per_server_cpu"].as_u64().context("connections")?;
        let cpus: Vec<String> = client.cpus.iter().map(u32::to_string).collect();
        let path = match parameters["answer"].as_str() {
            Some("page") => "page",
            Some("plain") => "plain",
            _ => "",
        };
        let mut arguments = vec![
            "--cpu-list".to_owned(),
            cpus.join(","),
            "wrk".to_owned(),
            format!("-t{}", cpus.len()),
            format!("-c{}", per_cpu * server.cpus.len() as u64),
            "-d1s".to_owned(),
            "-HAccept-Encoding: br".to_owned(),
        ];
        if parameters["connections"] == "new" {
            arguments.push("-HConnection: close".to_owned());
        }
        arguments.push(format!("https://127.0.0.1:{port}/{path}"));
        Ok(Self { arguments })
    }

    /// Requests/s in a second.
    pub fn run(&self) -> anyhow::Result<f64> {
        let output = Command::new("taskset").args(&self.arguments).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        ensure!(output.status.success(), "wrk ended with {}: {text}", output.status);
        for fault in ["Socket errors", "Non-2xx or 3xx"] {
            ensure!(!text.contains(fault), "wrk says: {text}");
        }
        let line = text.lines().find_map(|line| line.strip_prefix("Requests/sec:"));
        Ok(line.with_context(|| format!("wrk says: {text}"))?.trim().parse()?)
    }
}

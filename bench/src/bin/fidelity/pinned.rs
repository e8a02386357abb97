//! Programs that run to their end on some CPUs, in the environment that sizeup gives to its workers.

use anyhow::{Context, ensure};
use std::process::{Command, Stdio};

/// The variables that sizeup passes to its workers (docs/methodology.md); any other could bend results unseen.
const ENVIRONMENT: [&str; 7] =
    ["PATH", "HOME", "LANG", "TMPDIR", "LD_LIBRARY_PATH", "SIZEUP_NGINX", "SSH_AUTH_SOCK"];
/// No peer takes nearly as long; one that hangs is ended.
const LONGEST_S: &str = "120";

/// The CPUs that programs are kept to.
#[derive(Debug, Clone)]
pub struct Pinned {
    pub cpus: Vec<u32>,
}

impl Pinned {
    /// As a list, such as `0,1`.
    pub fn list(&self) -> String {
        self.cpus.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
    }

    /// Runs a program and returns its stdout.
    ///
    /// # Errors
    /// When it can't be started, or ends with another status than 0.
    pub fn run(&self, program: &str, arguments: &[String]) -> anyhow::Result<Vec<u8>> {
        let output = Command::new("timeout")
            .args(["--foreground", "--signal=KILL", LONGEST_S])
            .args(["taskset", "--cpu-list", &self.list(), program])
            .args(arguments)
            .env_clear()
            .envs(ENVIRONMENT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))))
            .stdin(Stdio::null())
            .output()
            .context("`timeout` can't be started")?;
        ensure!(
            output.status.success(),
            "{program} {} ended with {}: {}",
            arguments.join(" "),
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
        Ok(output.stdout)
    }

    /// Returns stdout as text.
    ///
    /// # Errors
    /// As [`Self::run`], and when it is not UTF-8.
    pub fn text(&self, program: &str, arguments: &[String]) -> anyhow::Result<String> {
        String::from_utf8(self.run(program, arguments)?)
            .with_context(|| format!("{program} does not write UTF-8"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A CPU that may be used here.
    fn some_cpu() -> u32 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
        list.trim().split([',', '-']).next().unwrap().parse().unwrap()
    }

    fn shell(script: &str) -> anyhow::Result<String> {
        Pinned { cpus: vec![some_cpu()] }.text("sh", &["-c".to_owned(), script.to_owned()])
    }

    #[test]
    fn a_program_gets_one_cpu_and_a_cleared_environment() {
        let text =
            shell("taskset --cpu-list --pid $$ | sed 's/.*: //'; env | cut -d= -f1").unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some(&*some_cpu().to_string()));
        for name in lines {
            // The shell sets the last three itself.
            let known = ENVIRONMENT.contains(&name) || ["PWD", "OLDPWD", "_"].contains(&name);
            assert!(known, "{name}");
        }
    }

    #[test]
    fn a_program_that_fails_is_an_error_that_holds_what_it_said() {
        let error = shell("echo margin; echo why >&2; exit 3").unwrap_err().to_string();
        assert!(error.contains("exit status: 3: why"), "{error}");
    }
}

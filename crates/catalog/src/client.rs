//! Another machine as the client of measured servers.

use super::{Catalog, Workload};
use serde_json::{Value, json};
use std::fmt;
use std::str::FromStr;

/// The parameter of workloads that can have their client on another machine.
const PARAMETER: &str = "client";
/// The parameter's value in definitions and run files, which do not name the machine.
pub const ANOTHER_MACHINE: &str = "another machine";

/// Precedes `[USER@]HOST[:/FOLDER]` where a worker is given a client.
const BY_SSH: &str = "ssh ";

const LONGEST: usize = 255;

/// `[USER@]HOST[:/FOLDER]`: where `ssh` finds the machine, and the release's folder there, which may begin with `~/`. It
/// holds nothing else that a shell obeys, and nothing that could pass for an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientHost(String);

impl fmt::Display for ClientHost {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ClientHost {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (login, folder) = text.split_once(':').map_or((text, None), |(l, f)| (l, Some(f)));
        let (user, host) = login.split_once('@').map_or((None, login), |(u, h)| (Some(u), h));
        let is_host = is_word(host, ".-") && !host.starts_with(['.', '-']);
        let is_user = user.is_none_or(|user| is_word(user, "_.-") && !user.starts_with(['.', '-']));
        let is_folder = folder.is_none_or(|f| {
            let absolute = f.strip_prefix('~').unwrap_or(f);
            absolute.starts_with('/') && is_word(absolute, "/._+-")
        });
        if is_host && is_user && is_folder && text.len() <= LONGEST {
            Ok(Self(text.to_owned()))
        } else {
            Err("not [USER@]HOST[:/FOLDER] or [USER@]HOST[:~/FOLDER]; allowed are letters, digits and . - (in USER and FOLDER \
                 also _, in FOLDER also / and +)"
                .to_owned())
        }
    }
}

fn is_word(text: &str, more: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c))
}

impl Workload {
    /// Whether its client can be another machine.
    pub fn takes_client(&self) -> bool {
        self.definition.parameters.get(PARAMETER).is_some_and(Value::is_string)
    }

    /// The words by which `--client` names a machine and its user. They are for `ssh`, and get into no run file.
    pub fn client_names(&self) -> Vec<String> {
        let asked = self.parameters.get(PARAMETER).and_then(Value::as_str);
        let Some(client) = asked.and_then(|text| text.strip_prefix(BY_SSH)) else {
            return Vec::new();
        };
        let login = client.split_once(':').map_or(client, |(login, _)| login);
        // The longest first: it holds the others.
        let mut names = vec![login.to_owned()];
        names.extend(login.split_once('@').map(|(_, host)| host.to_owned()));
        names.extend(login.split_once('@').map(|(user, _)| user.to_owned()));
        names
    }
}

impl Catalog {
    /// Lets another machine be the client of all workloads that can have one. Their definitions say so: what
    /// was measured that way is not compared with what was measured on one machine.
    #[must_use]
    pub fn with_client(mut self, client: Option<&ClientHost>) -> Self {
        let Some(ClientHost(host)) = client else { return self };
        for workload in self.workloads.values_mut().filter(|workload| workload.takes_client()) {
            workload.parameters[PARAMETER] = json!(format!("{BY_SSH}{host}"));
            workload.definition.parameters[PARAMETER] = json!(ANOTHER_MACHINE);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_users_and_folders_are_taken() {
        for text in [
            "load1",
            "load-1.example.org",
            "me@192.0.2.7",
            "a_b@h:/opt/sizeup-0.1.0",
            "h:~/.sizeup",
        ] {
            assert_eq!(text.parse(), Ok(ClientHost(text.to_owned())));
        }
    }

    #[test]
    fn what_a_shell_or_ssh_would_obey_is_refused() {
        for text in [
            "",
            "-oProxyCommand=x",
            "-h",
            "a@-h",
            "-u@h",
            "h;id",
            "h id",
            "h$(id)",
            "h`id`",
            "h\nid",
            "h'",
            "h\"",
            "h|id",
            "h&",
            "h>f",
            "~h",
            "h:",
            "h:folder",
            "h:~folder",
            "h:~~/a",
            "h:/a~",
            "h:/a b",
            "h:/a;id",
            "h:/a$b",
            "h:/a'",
            "@h",
            "u@",
            "a@b@c",
            "h\0",
            "hö",
            "[::1]",
            "h:22:/x",
            "../h",
            ".h",
        ] {
            assert!(text.parse::<ClientHost>().is_err(), "{text:?}");
        }
        assert!("h".repeat(256).parse::<ClientHost>().is_err());
    }
}

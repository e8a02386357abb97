//! How each host stands.

use super::event::HostEvent;
use crate::briefing::Briefing;
use judge::numbers::counted;
use std::path::Path;
use terminal::table::{Entry, Heading, Table, Tone};

/// How a host stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HostStanding {
    Waiting,
    Working,
    Done,
    Failed,
}

/// A host, and what it says in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HostLine {
    pub name: String,
    pub standing: HostStanding,
    pub text: String,
    /// In comparisons; `None` for that of its label.
    pub group: Option<String>,
    /// The host's last reported activity.
    stage: String,
    notes: Vec<String>,
}

impl HostLine {
    /// Whether another line of the host is about something else than how far it is.
    pub fn is_elsewhere(&self, other: &Self) -> bool {
        (self.standing, &self.stage) != (other.standing, &other.stage)
    }
}

/// All hosts, in the order of the inventory.
#[derive(Debug, Default)]
pub(super) struct Board {
    hosts: Vec<HostLine>,
    /// A failure that affects all hosts.
    problem: Option<String>,
    next: Vec<String>,
}

impl Board {
    /// Takes an event into account.
    pub fn see(&mut self, event: HostEvent) {
        match event {
            HostEvent::Hosts { hosts } => {
                hosts.iter().for_each(|name| {
                    self.host(name);
                });
            }
            HostEvent::Stage { host, text } => {
                let host = self.host(&host);
                if host.standing != HostStanding::Failed {
                    (host.standing, host.stage) = (HostStanding::Working, text.clone());
                    host.text = text;
                }
            }
            HostEvent::Progress { host, text } => {
                let host = self.host(&host);
                if host.standing != HostStanding::Failed {
                    host.standing = HostStanding::Working;
                    host.text = text;
                }
            }
            HostEvent::Note { host, text } => self.host(&host).notes.push(text),
            HostEvent::Group { host, text } => self.host(&host).group = Some(text),
            HostEvent::Done { host, text } => {
                let host = self.host(&host);
                if host.standing != HostStanding::Failed {
                    (host.standing, host.text) = (HostStanding::Done, text);
                }
            }
            // The first reason is the cause; what fails behind it follows from it.
            HostEvent::Failed { host: Some(host), text } => {
                let host = self.host(&host);
                if host.standing != HostStanding::Failed {
                    (host.standing, host.text) = (HostStanding::Failed, text);
                }
            }
            HostEvent::Failed { host: None, text } => {
                self.problem.get_or_insert(text);
            }
            HostEvent::Next { text } => self.next.push(text),
        }
    }

    pub fn hosts(&self) -> &[HostLine] {
        &self.hosts
    }

    /// Why nothing could be done at all.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    pub fn has_failed(&self) -> bool {
        self.count(HostStanding::Failed) > 0
    }

    /// Whether all hosts are.
    pub fn is_done(&self) -> bool {
        self.count(HostStanding::Done) == self.hosts.len()
    }

    fn count(&self, standing: HostStanding) -> usize {
        self.hosts.iter().filter(|host| host.standing == standing).count()
    }

    /// The host of that name, new if it was never heard of.
    fn host(&mut self, name: &str) -> &mut HostLine {
        let place = self.hosts.iter().position(|host| host.name == name);
        let place = place.unwrap_or_else(|| {
            self.hosts.push(HostLine {
                name: name.to_owned(),
                standing: HostStanding::Waiting,
                text: String::new(),
                group: None,
                stage: String::new(),
                notes: Vec::new(),
            });
            self.hosts.len() - 1
        });
        &mut self.hosts[place]
    }

    /// How many hosts are ready, then each; what to do next.
    pub fn briefing(&self, measures: bool, runs: &Path) -> Briefing {
        let mut answer = Briefing::default();
        let (done, all) = (self.count(HostStanding::Done), self.hosts.len());
        let missing = match self.count(HostStanding::Failed) {
            0 => String::new(),
            failed => format!("; {failed} failed"),
        };
        answer.say(format!(
            "{done} of {} done{missing}. Run files: {}.",
            counted(all, "host"),
            runs.display()
        ));
        let mut table = Table::new([
            Heading::left("host").shrinks(),
            Heading::left("state"),
            Heading::left("what").wraps(),
        ]);
        for host in &self.hosts {
            let state = match host.standing {
                HostStanding::Waiting => Entry::of("waiting", Tone::Dim),
                HostStanding::Working => "not done".into(),
                HostStanding::Done => Entry::of("done", Tone::Good),
                HostStanding::Failed => Entry::of("failed", Tone::Bad),
            };
            table.row([host.name.as_str().into(), state, host.text.as_str().into()]);
        }
        answer.table("", table, "hosts");
        let names: Vec<&str> = self.hosts.iter().map(|host| host.name.as_str()).collect();
        for host in &self.hosts {
            for note in &host.notes {
                answer.note_of(&names, &format!("{}: {note}", host.name));
            }
        }
        if measures && !self.is_done() {
            answer.note(
                "Run the same command again to finish what is missing; partial runs are resumed",
            );
        }
        self.next.iter().for_each(|command| answer.next(command.as_str()));
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::briefing::{Extent, Screen};

    fn board(lines: &[&str]) -> Board {
        let mut board = Board::default();
        for line in lines {
            board.see(serde_json::from_str(line).unwrap());
        }
        board
    }

    const SCREEN: Screen = Screen::of_width(100);
    const HOSTS: &str = r#"{"event": "hosts", "hosts": ["b", "a"]}"#;

    #[test]
    fn hosts_stay_in_the_order_of_the_inventory_and_say_what_they_last_said() {
        let board = board(&[
            HOSTS,
            r#"{"event": "stage", "host": "a", "text": "starting"}"#,
            r#"{"event": "progress", "host": "a", "text": "round 3, 1:20 left"}"#,
        ]);
        let lines: Vec<(&str, HostStanding, &str)> =
            board.hosts().iter().map(|h| (h.name.as_str(), h.standing, h.text.as_str())).collect();
        assert_eq!(
            lines,
            [("b", HostStanding::Waiting, ""), ("a", HostStanding::Working, "round 3, 1:20 left")]
        );
        assert!(!board.is_done() && !board.has_failed());
    }

    #[test]
    fn the_first_failure_of_a_host_is_its_reason_and_stays() {
        let board = board(&[
            HOSTS,
            r#"{"event": "failed", "host": "a", "text": "its host key has changed"}"#,
            r#"{"event": "stage", "host": "a", "text": "connecting"}"#,
            r#"{"event": "failed", "host": "a", "text": "sizeup_release is undefined"}"#,
            r#"{"event": "done", "host": "b", "text": "measured: 4 rows"}"#,
        ]);
        let text = board.briefing(true, Path::new("runs")).text(&SCREEN, Extent::default());
        assert!(text.starts_with("1 of 2 hosts done; 1 failed. Run files: runs.\n"), "{text}");
        assert!(text.contains("its host key has changed") && !text.contains("undefined"), "{text}");
        assert!(text.contains("again"), "{text}");
    }

    #[test]
    fn what_fails_before_any_host_is_a_problem_of_all() {
        let board = board(&[r#"{"event": "failed", "text": "no such release"}"#]);
        assert_eq!(board.problem(), Some("no such release"));
    }
}

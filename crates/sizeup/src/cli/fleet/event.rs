//! Events of hosts: the JSON lines that the collection's callback plugin writes.

use serde::Deserialize;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub(super) enum HostEvent {
    /// Hosts of a play, in the order of the inventory.
    Hosts { hosts: Vec<String> },
    /// The host has begun this step.
    Stage { host: String, text: String },
    /// How far it is with it.
    Progress { host: String, text: String },
    /// A caveat about a host.
    Note { host: String, text: String },
    /// Which group a host is of in comparisons, if that was said.
    Group { host: String, text: String },
    /// A host is ready, and what came of it.
    Done { host: String, text: String },
    /// Why a host failed, or without a host why all did.
    Failed { host: Option<String>, text: String },
    /// A command that leads on.
    Next { text: String },
}

/// Cuts what a file grew by into lines. A line that is not finished yet waits for its rest.
#[derive(Debug, Default)]
pub(super) struct EventLines {
    rest: Vec<u8>,
}

impl EventLines {
    /// The events of the lines that these bytes finish.
    ///
    /// # Errors
    /// If a line is none.
    pub fn push(&mut self, bytes: &[u8]) -> serde_json::Result<Vec<HostEvent>> {
        self.rest.extend_from_slice(bytes);
        let Some(end) = self.rest.iter().rposition(|byte| *byte == b'\n') else {
            return Ok(Vec::new());
        };
        let rest = self.rest.split_off(end + 1);
        let whole = std::mem::replace(&mut self.rest, rest);
        let lines = whole.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        lines.map(serde_json::from_slice).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_comes_in_pieces_is_one_event() {
        let mut lines = EventLines::default();
        let line = "{\"event\": \"stage\", \"host\": \"a\", \"text\": \"größer\"}\n".as_bytes();
        for (number, byte) in line.iter().enumerate() {
            let events = lines.push(&[*byte]).unwrap();
            assert_eq!(events.len(), usize::from(number == line.len() - 1));
        }
    }

    #[test]
    fn each_event_of_the_collection_is_understood() {
        let text = concat!(
            "{\"event\": \"hosts\", \"hosts\": [\"a\", \"b\"]}\n",
            "{\"event\": \"progress\", \"host\": \"a\", \"text\": \"round 2\"}\n",
            "{\"event\": \"note\", \"host\": \"a\", \"text\": \"busy\"}\n",
            "{\"event\": \"group\", \"host\": \"a\", \"text\": \"m8g\"}\n",
            "{\"event\": \"done\", \"host\": \"a\", \"text\": \"4 rows\"}\n",
            "{\"event\": \"failed\", \"host\": \"b\", \"text\": \"unreachable\"}\n",
            "{\"event\": \"failed\", \"text\": \"no such suite\"}\n",
            "{\"event\": \"next\", \"text\": \"sizeup compare\"}\n",
        );
        let events = EventLines::default().push(text.as_bytes()).unwrap();
        assert_eq!(events.len(), 8);
        assert_eq!(events[6], HostEvent::Failed { host: None, text: "no such suite".to_owned() });
    }

    #[test]
    fn what_is_no_event_is_refused() {
        for text in ["{\"event\": \"dance\"}\n", "{\"event\": \"done\"}\n", "PLAY [Measure]\n"] {
            assert!(EventLines::default().push(text.as_bytes()).is_err(), "{text}");
        }
    }
}

//! Transcripts as they are written down. See `workers/contract/README.md`.

use super::variables::{Variables, WorkloadNeeds};
use serde_json::Value;
use std::path::Path;

/// A behaviour that every worker must show.
pub struct Transcript {
    /// The file's name without its ending.
    pub name: String,
    /// Parts of a request that the worker's workload must have for the transcript to make sense.
    pub needs: WorkloadNeeds,
    lines: Vec<(usize, String)>,
}

/// One step of a transcript for one worker.
#[derive(Debug, PartialEq)]
pub struct TranscriptStep {
    /// Its line in the file.
    pub line: usize,
    /// The line as it stands there.
    pub text: String,
    /// Something to do, or to expect.
    pub action: Action,
}

/// A line of a transcript.
#[derive(Debug, PartialEq)]
pub enum Action {
    /// A new worker with these arguments.
    Run(Vec<String>),
    /// These bytes, as one request.
    Send(Vec<u8>),
    /// An answer that fits the pattern.
    Answer(Value),
    /// Our end of its stdin is closed.
    CloseStdin,
    /// Our end of its stdout is closed.
    CloseStdout,
    /// The end of the worker with this status, and nothing more on stdout.
    Exit(i32),
    /// Its stderr so far fits the pattern.
    Stderr(Value),
}

/// Reads all transcripts of a folder, in order.
///
/// # Errors
/// When one can't be read or there is none.
pub fn read_all(folder: &Path) -> Result<Vec<Transcript>, String> {
    let cannot = |e: std::io::Error| format!("{} can't be read: {e}", folder.display());
    let mut transcripts = Vec::new();
    for entry in folder.read_dir().map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        if path.extension().is_some_and(|ending| ending == "transcript") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let text =
                catalog::read_text(&path).map_err(|what| format!("{} {what}", path.display()))?;
            transcripts.push(Transcript::parse(&name, &text)?);
        }
    }
    if transcripts.is_empty() {
        return Err(format!("{} holds no transcript", folder.display()));
    }
    transcripts.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(transcripts)
}

impl Transcript {
    /// Takes a text apart into lines; their meaning depends on the worker.
    ///
    /// # Errors
    /// When a line continues nothing.
    pub fn parse(name: &str, text: &str) -> Result<Self, String> {
        let mut transcript =
            Self { name: name.to_owned(), needs: WorkloadNeeds::default(), lines: Vec::new() };
        for (line, text) in (1..).zip(text.lines()) {
            match text {
                "$ workload with inputs" => transcript.needs.inputs = true,
                "$ workload with parameters" => transcript.needs.parameters = true,
                _ if text.is_empty() || text.starts_with('#') => {}
                _ if text.starts_with([' ', '\t']) => match transcript.lines.last_mut() {
                    Some((_, above)) => {
                        above.push(' ');
                        above.push_str(text.trim());
                    }
                    None => return Err(transcript.bad(line, "continues nothing")),
                },
                _ => transcript.lines.push((line, text.to_owned())),
            }
        }
        Ok(transcript)
    }

    /// The steps for the worker that the variables are about.
    ///
    /// # Errors
    /// When a line can't be understood, or a worker is not seen to its end.
    pub fn steps(&self, variables: &Variables) -> Result<Vec<TranscriptStep>, String> {
        let mut steps = Vec::new();
        for (line, text) in &self.lines {
            let filled = variables.fill(text).map_err(|e| self.bad(*line, &e))?;
            steps.push(TranscriptStep {
                line: *line,
                text: text.clone(),
                action: action(&filled).map_err(|e| self.bad(*line, &e))?,
            });
        }
        self.check_order(&steps)?;
        Ok(steps)
    }

    /// Every worker that is started is seen to its end, and every error is seen to be final.
    fn check_order(&self, steps: &[TranscriptStep]) -> Result<(), String> {
        let mut runs = false;
        for (i, step) in steps.iter().enumerate() {
            let started = matches!(step.action, Action::Run(_));
            let needs_worker = !started && !matches!(step.action, Action::Stderr(_));
            if started && runs {
                return Err(self.bad(step.line, "the worker before has no `$ exit`"));
            }
            if needs_worker && !runs {
                return Err(self.bad(step.line, "no worker runs: `$ run` starts one"));
            }
            runs = needs_worker || started;
            if matches!(step.action, Action::Exit(_)) {
                runs = false;
            }
            let next = steps.get(i + 1).map(|step| &step.action);
            if is_error(&step.action) && next != Some(&Action::Exit(1)) {
                return Err(self.bad(step.line, "after an error comes `$ exit 1`"));
            }
        }
        match steps.last() {
            Some(last) if runs => Err(self.bad(last.line, "the worker has no `$ exit`")),
            Some(_) => Ok(()),
            None => Err(self.bad(0, "holds nothing")),
        }
    }

    fn bad(&self, line: usize, what: &str) -> String {
        format!("transcript {}, line {line}: {what}", self.name)
    }
}

fn is_error(action: &Action) -> bool {
    matches!(action, Action::Answer(pattern) if pattern["answer"] == "error")
}

/// The meaning of a line whose variables are filled in.
fn action(line: &str) -> Result<Action, String> {
    if let Some(text) = line.strip_prefix("< ") {
        return json(text).map(Action::Answer);
    }
    if let Some(text) = line.strip_prefix(">raw ") {
        return unescape(text).map(Action::Send);
    }
    if let Some(rest) = line.strip_prefix(">pad ") {
        let (bytes, text) = rest.split_once(' ').ok_or(">pad takes a length and a text")?;
        let bytes: usize = bytes.parse().map_err(|e| format!("{bytes}: {e}"))?;
        let mut line = text.as_bytes().to_vec();
        line.resize(bytes.max(1) - 1, b' ');
        line.push(b'\n');
        return Ok(Action::Send(line));
    }
    if let Some(text) = line.strip_prefix("> ") {
        return Ok(Action::Send(format!("{text}\n").into_bytes()));
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["$", "run", ..] => Ok(Action::Run(words[2..].iter().map(ToString::to_string).collect())),
        ["$", "close", "stdin"] => Ok(Action::CloseStdin),
        ["$", "close", "stdout"] => Ok(Action::CloseStdout),
        ["$", "exit", status] => {
            status.parse().map(Action::Exit).map_err(|e| format!("{status}: {e}"))
        }
        ["$", "stderr", ..] => json(line.trim_start_matches("$ stderr")).map(Action::Stderr),
        _ => Err(format!("{line:?} is no line of a transcript")),
    }
}

fn json(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|e| format!("{text}: {e}"))
}

/// Bytes written with the escapes `\n`, `\r`, `\\` and `\xHH`.
fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        bytes.extend_from_slice(before.as_bytes());
        let (byte, length) = match after.as_bytes() {
            [b'n', ..] => (b'\n', 1),
            [b'r', ..] => (b'\r', 1),
            [b'\\', ..] => (b'\\', 1),
            [b'x', _, _, ..] => {
                let digits = after.get(1..3).unwrap_or_default();
                let byte =
                    u8::from_str_radix(digits, 16).map_err(|e| format!("\\x{digits}: {e}"))?;
                (byte, 3)
            }
            _ => return Err(format!("\\{after}: an unknown escape")),
        };
        bytes.push(byte);
        rest = &after[length..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &str) -> Result<Vec<Action>, String> {
        let steps = Transcript::parse("t", text)?.steps(&Variables::of_nothing())?;
        Ok(steps.into_iter().map(|step| step.action).collect())
    }

    fn assert_refused(text: &str, why: &str) {
        assert_eq!(steps(text).unwrap_err(), why);
    }

    #[test]
    fn every_kind_of_line_is_understood() {
        let text = "# why\n\n$ run --list  -x\n> {}\n>raw a\\xff\\\\\\n\n>pad 5 {}\n< {\"a\":\n   1}\n\
                    $ close stdin\n$ close stdout\n$ exit 0\n$ stderr \"<text>\"\n";
        let expected = [
            Action::Run(vec!["--list".to_owned(), "-x".to_owned()]),
            Action::Send(b"{}\n".to_vec()),
            Action::Send(b"a\xff\\\n".to_vec()),
            Action::Send(b"{}  \n".to_vec()),
            Action::Answer(serde_json::json!({"a": 1})),
            Action::CloseStdin,
            Action::CloseStdout,
            Action::Exit(0),
            Action::Stderr(serde_json::json!("<text>")),
        ];
        assert_eq!(steps(text).unwrap(), expected);
    }

    #[test]
    fn a_line_that_is_not_understood_is_told_with_its_number() {
        assert_refused(
            "$ run\n$ exti 0\n",
            "transcript t, line 2: \"$ exti 0\" is no line of a transcript",
        );
        assert_refused("$ run\n> $HOME\n", "transcript t, line 2: $HOME is no variable");
        assert_refused("$ run\n>raw \\q\n", "transcript t, line 2: \\q: an unknown escape");
        assert_refused("  {}\n", "transcript t, line 1: continues nothing");
    }

    #[test]
    fn a_worker_that_is_not_seen_to_its_end_is_no_transcript() {
        assert_refused("$ run\n> {}\n", "transcript t, line 2: the worker has no `$ exit`");
        assert_refused("$ run\n$ run\n", "transcript t, line 2: the worker before has no `$ exit`");
        assert_refused("> {}\n", "transcript t, line 1: no worker runs: `$ run` starts one");
    }

    #[test]
    fn an_error_that_is_not_seen_to_be_final_is_no_transcript() {
        let why = "transcript t, line 2: after an error comes `$ exit 1`";
        assert_refused("$ run\n< {\"answer\":\"error\"}\n$ exit 0\n", why);
        assert_refused("$ run\n< {\"answer\":\"error\"}\n> {}\n$ exit 1\n", why);
    }
}

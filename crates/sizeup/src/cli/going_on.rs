//! A run that may not have been written to its end, and how it goes on.

use super::run_args::RunArgs;
use measure::session::flag;
use record::{Run, WriteError};

/// Explains why a run file can no longer be written, and how to resume the run.
pub(super) fn advice(run: &Run, args: &RunArgs, error: &WriteError) -> String {
    let samples = run.samples.len();
    let (remedy, command) = (error.remedy(), command(run, args));
    format!("{error}; it holds {samples} samples. {remedy}, then resume: {command}")
}

/// The command that goes on with a run, for a shell.
pub(super) fn command(run: &Run, args: &RunArgs) -> String {
    let mut words = vec!["sizeup run --resume".to_owned(), quoted(&run.path.display().to_string())];
    for folder in &args.folders {
        words.extend(["--with".to_owned(), quoted(&folder.display().to_string())]);
    }
    words.extend(args.client.iter().map(|client| format!("--client {client}")));
    words.extend(args.variants.iter().filter_map(flag));
    words.join(" ")
}

/// A text as one word of a shell.
pub(super) fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._+-:@%,=".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use record::fixture;

    #[derive(Parser)]
    struct Asked {
        #[command(flatten)]
        args: RunArgs,
    }

    #[test]
    fn the_command_that_goes_on_names_all_that_a_resumed_run_must_be_given_again() {
        let asked = "run --with own --with ./it's --client me@load:/opt/x --variant base --variant gc=GOGC=20";
        let args = Asked::parse_from(asked.split(' ')).args;
        let mut run = fixture::run(&[("a/x", &[1])]);
        run.path = "runs/my cpu.run.jsonl".into();
        assert_eq!(
            command(&run, &args),
            "sizeup run --resume 'runs/my cpu.run.jsonl' --with own --with './it'\\''s' \
             --client me@load:/opt/x --variant 'base' --variant 'gc=GOGC=20'"
        );
    }
}

//! Commands that the pages and the help show are commands that the program takes, and outputs say which run they are of.

use super::{Cli, command};
use clap::{CommandFactory, FromArgMatches};
use std::fs;
use std::path::{Path, PathBuf};

/// Words that may stand before a program on a line.
const BEFORE: [&str; 5] = ["$", "-", "do", "run:", "sudo"];
/// A usual terminal's columns.
const COLUMNS: usize = 80;
/// Options that the pages name, of other programs.
const OF_OTHERS: [&str; 9] = [
    "--",
    "--benchmark_format",
    "--cap-add",
    "--cpuset-cpus",
    "--export-csv",
    "--export-json",
    "--find-links",
    "--index-url",
    "--list",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The pages that show how the program is used, by their names.
fn pages() -> Vec<(String, String)> {
    let docs = fs::read_dir(root().join("docs")).expect("docs/");
    let docs = docs.map(|entry| entry.expect("an entry").file_name());
    let docs = docs.map(|name| format!("docs/{}", name.to_string_lossy()));
    let others = ["README.md", "CONTRIBUTING.md", "bench/README.md", "reference/README.md"];
    let names = docs.chain(others.map(str::to_owned));
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".md")).collect();
    names.sort();
    let read = |name: String| {
        let text = fs::read_to_string(root().join(&name)).expect("a page");
        (name, text)
    };
    names.into_iter().map(read).collect()
}

/// A fenced block of a page.
struct Block<'a> {
    /// Behind the fence: `sh`, `toml`; nothing of output.
    language: &'a str,
    text: String,
    /// The last line with text before it.
    before: &'a str,
    /// That it follows a block of commands that a test runs, without text between: it is what they answer.
    is_answer: bool,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let (mut found, mut before, mut is_run) = (Vec::new(), "", false);
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            let inside = lines.by_ref().take_while(|line| line.trim() != "```");
            let text = inside.collect::<Vec<_>>().join("\n");
            let is_answer = is_run && before.is_empty();
            is_run = before.starts_with("<!-- run");
            found.push(Block { language, text, before, is_answer });
            before = "";
        } else if !line.trim().is_empty() {
            before = line;
        }
    }
    found
}

/// The commands of a script, without those in its here-documents.
fn script(text: &str) -> Vec<Vec<String>> {
    let (mut found, mut end) = (Vec::new(), None);
    for line in text.replace("\\\n", " ").lines() {
        match &end {
            Some(marker) if line == marker => end = None,
            Some(_) => {}
            None => {
                found.extend(parts(line).iter().filter_map(|part| ours(part)));
                end = line
                    .split_once("<<")
                    .map(|(_, marker)| marker.trim().trim_matches('\'').to_owned());
            }
        }
    }
    found
}

/// A line's commands: what stands between `|`, `&&`, `;` and brackets outside of quotes, without redirections and comments.
fn parts(line: &str) -> Vec<String> {
    let (mut parts, mut quote, mut is_file, mut last) = (vec![String::new()], None, false, ' ');
    for c in line.chars() {
        let begins_word = last.is_whitespace();
        match (quote, c) {
            (None, '#') if begins_word => break,
            (None, '|' | '&' | ';' | '(' | ')') => {
                parts.push(String::new());
                is_file = false;
            }
            (None, '>' | '<') => is_file = true,
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if c == open => quote = None,
            _ => {}
        }
        let is_between = quote.is_none() && "|&;()".contains(c);
        if !is_between && !is_file {
            parts.last_mut().expect("one").push(c);
        }
        last = c;
    }
    parts
}

/// A command's words if it starts sizeup.
fn ours(part: &str) -> Option<Vec<String>> {
    let words = shlex::split(part)?;
    let is_ours = |word: &String| word == "sizeup" || word.ends_with("/sizeup");
    let place = words.iter().position(is_ours)?;
    let is_before = |word: &String| BEFORE.contains(&word.as_str()) || word.contains('=');
    let is_called = words[..place].iter().all(is_before) && words.len() > place + 1;
    is_called.then(|| words[place..].iter().filter(|word| *word != "…").cloned().collect())
}

/// The commands in a page's blocks.
fn commands_of(page: &str) -> Vec<Vec<String>> {
    let typed = |block: &Block| match block.language {
        "sh" | "yaml" => block.text.clone(),
        "" => {
            block.text.lines().filter(|line| line.starts_with("$ ")).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    };
    blocks(page).iter().flat_map(|block| script(&typed(block))).collect()
}

/// The examples of a command's help and of its subcommands'.
fn examples(command: &clap::Command) -> Vec<Vec<String>> {
    let help = command.get_after_long_help().or(command.get_after_help());
    let help = help.map(ToString::to_string).unwrap_or_default();
    let lines = help.lines().map(|line| {
        let line = line.trim_start_matches("Examples:").trim_start_matches("Example:");
        line.trim_start().to_owned()
    });
    let own = lines.filter(|line| line.starts_with("sizeup ")).flat_map(|line| script(&line));
    own.chain(command.get_subcommands().flat_map(examples)).collect()
}

/// Why the program does not take a command.
fn refusal(words: &[String]) -> Option<String> {
    let matches = command().try_get_matches_from(words);
    let read = matches.and_then(|found| Cli::from_arg_matches(&found));
    let error = read.err().filter(clap::Error::use_stderr)?;
    Some(format!("{}\n  {}", words.join(" "), error.to_string().lines().next()?))
}

#[test]
fn every_command_of_the_pages_and_of_the_help_is_one() {
    let of_pages = pages().into_iter().flat_map(|(name, page)| {
        commands_of(&page).into_iter().map(move |words| (name.clone(), words))
    });
    let of_help = examples(&command()).into_iter().map(|words| ("--help".to_owned(), words));
    let all: Vec<(String, Vec<String>)> = of_pages.chain(of_help).collect();
    assert!(all.len() > 150, "only {} commands were found", all.len());
    let refused =
        all.iter().filter_map(|(name, words)| Some(format!("{name}: {}", refusal(words)?)));
    let refused: Vec<String> = refused.collect();
    assert!(refused.is_empty(), "{} of {}:\n{}", refused.len(), all.len(), refused.join("\n"));
}

#[test]
fn every_command_has_examples_and_an_option_a_line_in_short_help() {
    fn check(command: &clap::Command, wrong: &mut Vec<String>) {
        let (name, help) =
            (command.get_name(), command.clone().term_width(COLUMNS).render_help().to_string());
        if !help.contains("Example") {
            wrong.push(format!("{name}: no example"));
        }
        // Text that does not fit continues on the next line, indented further than an example.
        let pairs = help.lines().zip(help.lines().skip(1));
        let wrapped = pairs.filter(|(_, next)| next.starts_with("            "));
        // Examples are not cut.
        let wrapped = wrapped.filter(|(line, _)| line.trim_start().starts_with('-'));
        wrong.extend(wrapped.map(|(line, next)| format!("{name}: {line} …{}", next.trim())));
        command.get_subcommands().for_each(|sub| check(sub, wrong));
    }
    let mut wrong = Vec::new();
    command().get_subcommands().for_each(|sub| check(sub, &mut wrong));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Inline code of a Markdown page, code blocks excluded.
fn code_of(page: &str) -> Vec<String> {
    let prose: String = page.split("```").step_by(2).collect();
    let code = prose.split('`').skip(1).step_by(2).filter(|code| !code.contains('\n'));
    code.map(str::to_owned).collect()
}

/// The command that some code begins with, and the options behind it.
fn named(code: &str) -> Option<(clap::Command, Vec<&str>)> {
    let cli = command();
    let mut words = code.split_whitespace().skip_while(|word| *word == "sizeup").peekable();
    let mut command = cli.find_subcommand(words.next()?)?.clone();
    while let Some(sub) = words.peek().and_then(|word| command.find_subcommand(word)).cloned() {
        words.next();
        command = sub;
    }
    let options = words.take_while(|word| !["--", "|", ">", "&&"].contains(word));
    let options = options.filter(|word| word.starts_with("--"));
    Some((command, options.map(|word| word.split('=').next().unwrap_or(word)).collect()))
}

fn has_option(command: &clap::Command, option: &str) -> bool {
    let name = option.trim_start_matches('-');
    let is_it = |argument: &clap::Arg| argument.get_long() == Some(name);
    name == "help" || command.get_arguments().chain(Cli::command().get_arguments()).any(is_it)
}

#[test]
fn every_option_that_a_page_names_behind_a_command_is_one_of_it() {
    let mut checked = 0;
    let mut unknown = Vec::new();
    for (name, page) in pages() {
        for code in code_of(&page) {
            if code.starts_with("sizeup ")
                && !code.starts_with("sizeup --")
                && named(&code).is_none()
            {
                unknown.push(format!("{name}: `{code}`: no such command"));
            }
            let Some((command, options)) = named(&code) else { continue };
            for option in options {
                checked += 1;
                if !has_option(&command, option) {
                    unknown.push(format!("{name}: `{code}`: no {option}"));
                }
            }
        }
    }
    assert!(checked > 50, "only {checked} options were found");
    assert!(unknown.is_empty(), "of {checked} options:\n{}", unknown.join("\n"));
}

#[test]
fn every_option_that_a_page_names_by_itself_is_one_of_a_command() {
    fn any(command: &clap::Command, option: &str) -> bool {
        has_option(command, option) || command.get_subcommands().any(|sub| any(sub, option))
    }
    let (cli, mut unknown) = (command(), Vec::new());
    let others = |(name, _): &(String, String)| name != "bench/README.md"; // of programs of its own
    for (name, page) in pages().into_iter().filter(others) {
        for code in code_of(&page).iter().filter(|code| code.starts_with("--")) {
            let option = code.split(['=', ' ', '…', ',']).next().unwrap_or(code);
            if !any(&cli, option) && !OF_OTHERS.contains(&option) {
                unknown.push(format!("{name}: {option}"));
            }
        }
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}

#[test]
fn every_output_of_a_page_is_run_or_says_which_run_it_is_of() {
    let mut unmarked = Vec::new();
    for (name, page) in pages() {
        let outputs = blocks(&page);
        let outputs = outputs.iter().filter(|block| block.language.is_empty());
        let marks = ["<!-- run", "<!-- from: "];
        for block in outputs {
            if !block.is_answer && !marks.iter().any(|mark| block.before.starts_with(mark)) {
                unmarked.push(format!("{name}: {}", block.text.lines().next().unwrap_or_default()));
            }
        }
    }
    assert!(unmarked.is_empty(), "neither run nor marked:\n{}", unmarked.join("\n"));
}

#[test]
fn commands_are_found_in_scripts() {
    let text = "cat > a <<'END'\nsizeup nothing\nEND\n\
                A=1 sizeup runs 2>&1 | jq . # sizeup list\nfor x in a b; do sizeup show '$x; y' > z; done\n\
                cp -r dist ~/sizeup && ~/sizeup/bin/sizeup run --suite \\\n  edge";
    let found: Vec<String> = script(text).iter().map(|words| words.join(" ")).collect();
    assert_eq!(found[1..], ["sizeup show $x; y", "~/sizeup/bin/sizeup run --suite edge"]);
    assert!(found[0].starts_with("sizeup runs"), "{found:?}");
    assert!(refusal(&["sizeup".to_owned(), "runs".to_owned(), "--nothing".to_owned()]).is_some());
}

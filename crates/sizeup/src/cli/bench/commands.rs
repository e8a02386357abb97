//! Commands as they are typed: words, and what each is called.

use super::super::going_on::quoted;
use anyhow::{Context, bail};
use record::Variant;
use std::path::Path;
use terminal::table::shortened;

/// The words of a command that is typed as one. With `shell` a shell reads it.
pub(super) fn words(text: &str, shell: bool) -> anyhow::Result<Vec<String>> {
    if shell {
        return Ok(["sh", "-c", text].map(str::to_owned).to_vec());
    }
    let words = shlex::split(text).filter(|words| !words.is_empty());
    let words = words
        .with_context(|| format!("{text:?} is not a command: it is empty or a quote is open"))?;
    if let Some(c) = of_shell(text) {
        bail!("{text:?} has {c:?}, which only a shell understands: quote it, or add --shell");
    }
    // `A=1 program`.
    if words[0].split_once('=').is_some_and(|(name, _)| !name.contains('/')) {
        bail!("{text:?} sets a variable, which only a shell understands: add --shell");
    }
    Ok(words)
}

/// The first character outside of quotes that a shell would not take for itself.
fn of_shell(text: &str) -> Option<char> {
    let (mut quote, mut is_escaped, mut is_first) = (None, false, true);
    for c in text.chars() {
        let begins_word = std::mem::replace(&mut is_first, c.is_ascii_whitespace());
        match (quote, c) {
            _ if is_escaped => is_escaped = false,
            (None | Some('"'), '\\') => is_escaped = true,
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if c == open => quote = None,
            (None | Some('"'), '$' | '`') => return Some(c),
            (None, '|' | '&' | ';' | '<' | '>' | '(' | ')' | '*' | '?' | '[') => return Some(c),
            (None, '~' | '#') if begins_word => return Some(c),
            _ => {}
        }
    }
    None
}

/// A name for each command, short enough for a variant with a number behind it.
pub(super) fn names_of(commands: &[Vec<String>]) -> Vec<String> {
    let names: Vec<String> = commands.iter().map(|command| name_of(command)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    shortened(&names, Variant::LONGEST_NAME - 4, "..")
}

/// `sort-n-numbers.txt` of `/usr/bin/sort -n numbers.txt`; of `sh -c TEXT` the text.
fn name_of(command: &[String]) -> String {
    let words = match command {
        [shell, flag, text] if shell == "sh" && flag == "-c" => vec![text.clone()],
        [program, arguments @ ..] => {
            let name =
                Path::new(program).file_name().map(|name| name.to_string_lossy().into_owned());
            [&[name.unwrap_or_default()], arguments].concat()
        }
        [] => Vec::new(),
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_.+".contains(c);
    let text = words.join(" ");
    let parts: Vec<&str> = text.split(|c| !is_plain(c)).filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { "command".to_owned() } else { parts.join("-") }
}

/// A command as one would type it.
pub(super) fn in_shell(words: &[String]) -> String {
    match words {
        [shell, flag, text] if shell == "sh" && flag == "-c" => text.clone(),
        _ => words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_a_shell_is_refused_unless_there_is_one() {
        for text in [
            "ls | wc",
            "a > b",
            "a && b",
            "a >b",
            "cd x; ls",
            "echo a|cat",
            "echo $HOME",
            "ls *.txt",
            "sort <a",
            "cat ~/a",
            "A=1 true",
            "true;false",
            "echo \"$HOME\"",
            "echo `date`",
        ] {
            let refusal = words(text, false).unwrap_err().to_string();
            assert!(refusal.ends_with("add --shell"), "{refusal}");
            assert_eq!(words(text, true).unwrap(), ["sh", "-c", text]);
        }
        assert!(words("'open", false).is_err() && words("  ", false).is_err());
        for (text, expected) in [
            ("grep -e 'a|b' x", &["grep", "-e", "a|b", "x"][..]),
            (r#"a "it's *" b\$c '$d' x~ y#"#, &["a", "it's *", "b$c", "$d", "x~", "y#"]),
            ("dd if=/dev/null ./a=b", &["dd", "if=/dev/null", "./a=b"]),
        ] {
            assert_eq!(words(text, false).unwrap(), expected);
        }
    }
}

//! The `--variant` flags. What they name is set and started, so it comes from the command line and never from
//! a file.

use anyhow::{Context, bail};
use catalog::in_path;
use record::Variant;
use std::path::PathBuf;
use terminal::printable;

/// The same variants, ready to be started from any folder. A run file keeps programs as they were named.
pub(super) fn located(variants: &[Variant]) -> anyhow::Result<Vec<Variant>> {
    let mut variants = variants.to_vec();
    for variant in &mut variants {
        for (worker, program) in &mut variant.workers {
            let path = locate(program).with_context(|| {
                format!(
                    "--variant {}: there is no program {program:?} for the worker {worker:?}; a path \
                     starts from the current folder, a name is looked for in PATH",
                    variant.name
                )
            })?;
            *program = path.to_string_lossy().into_owned();
        }
    }
    Ok(variants)
}

/// The file that a program is, from the current folder: workers are started in another.
fn locate(program: &str) -> Option<PathBuf> {
    let path = if program.contains('/') { PathBuf::from(program) } else { in_path(program)? };
    std::path::absolute(path).ok().filter(|path| path.is_file())
}

/// Whether the variants that were asked for are those of the run that is to go on.
pub(super) fn check_same(of_run: &[Variant], asked: &[Variant]) -> anyhow::Result<()> {
    if of_run == asked {
        return Ok(());
    }
    if of_run.is_empty() {
        bail!("the run has no variants: leave --variant out");
    }
    let has = if asked.is_empty() { "has variants" } else { "has other variants than these" };
    let Some(flags) = of_run.iter().map(flag).collect::<Option<Vec<_>>>() else {
        bail!(
            "the run {has}, and --variant can't give them: its file was changed and can't be resumed"
        );
    };
    bail!(
        "the run {has}. They set variables and start programs, so --resume takes them from the command \
         line only. If they are what you once asked for, add: {}",
        flags.join(" ")
    )
}

/// What to type for a variant; `None` if that would not be read as this one.
pub fn flag(variant: &Variant) -> Option<String> {
    let text = variant.to_string();
    let is_read_alike = text.parse::<Variant>().as_ref() == Ok(variant);
    let quoted = text.replace('\'', "'\\''");
    (is_read_alike && printable(&text) == text).then(|| format!("--variant '{quoted}'"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn variants(texts: &[&str]) -> Vec<Variant> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    fn refusal(of_run: &[Variant], asked: &[Variant]) -> String {
        check_same(of_run, asked).unwrap_err().to_string()
    }

    #[test]
    fn the_flags_of_a_run_are_told_if_they_are_missing_or_others() {
        let of_run = variants(&["base", "gc=GOGC=20 worker:go=/x/go"]);
        check_same(&of_run, &of_run).unwrap();
        check_same(&[], &[]).unwrap();
        let told = "add: --variant 'base' --variant 'gc=GOGC=20 worker:go=/x/go'";
        let missing = refusal(&of_run, &[]);
        assert!(missing.contains("has variants.") && missing.ends_with(told), "{missing}");
        let other = refusal(&of_run, &variants(&["base", "gc=GOGC=30 worker:go=/x/go"]));
        assert!(other.contains("other variants") && other.ends_with(told), "{other}");
        assert!(refusal(&of_run, &of_run[..1]).ends_with(told));
        assert!(refusal(&[], &of_run).contains("leave --variant out"));
    }

    #[test]
    fn a_shell_reads_a_flag_as_the_text_that_it_was_made_of() {
        for text in ["base", "x=A=$(touch${IFS}x) B=`id`;'", "x=A='';\"\\ B=*&|>#"] {
            let flag = flag(&text.parse().unwrap()).unwrap();
            let script = format!("set -- {flag}; printf '%s|%s' \"$#\" \"$2\"");
            let output = Command::new("sh").args(["-c", &script]).output().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("2|{text}"));
        }
    }

    #[test]
    fn programs_are_found_from_the_current_folder_or_in_path() {
        let located =
            located(&variants(&["base", "x=A=b worker:a=./src/lib.rs worker:b=sh"])).unwrap();
        let here = std::env::current_dir().unwrap();
        assert_eq!(located[1].workers["a"], here.join("src/lib.rs").to_string_lossy());
        assert!(PathBuf::from(&located[1].workers["b"]).is_absolute());
        assert_eq!(located[1].environment["A"], "b");
        for nowhere in ["./src/nowhere", "src", "no-program-has-this-name"] {
            let text = format!("x=worker:go={nowhere}");
            let error = super::located(&variants(&[&text])).unwrap_err().to_string();
            let told =
                format!("--variant x: there is no program {nowhere:?} for the worker \"go\"");
            assert!(error.starts_with(&told), "{error}");
        }
    }

    #[test]
    fn what_no_flag_can_say_is_not_told_as_one() {
        let mut split: Variant = "x=A=b".parse().unwrap();
        split.environment.insert("A".to_owned(), "b LD_PRELOAD=/x".to_owned());
        let mut hidden: Variant = "x".parse().unwrap();
        hidden.workers.insert("own: worker".to_owned(), "/x".to_owned());
        let mut turned: Variant = "x".parse().unwrap();
        turned.environment.insert("A".to_owned(), "\u{202e}x".to_owned());
        for variant in [split, hidden, turned] {
            let error = refusal(&[variant], &[]);
            assert!(error.contains("its file was changed"), "{error}");
        }
    }
}

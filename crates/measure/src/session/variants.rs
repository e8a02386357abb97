//! The `--variant` flags. They set variables and start programs, so they come only from the command line, never from a
//! file.

use anyhow::{Context, bail};
use catalog::in_path;
use record::Variant;
use std::path::PathBuf;
use terminal::is_hidden;

/// The variants with absolute program paths. A run file keeps the paths that the user wrote.
pub(super) fn located(variants: &[Variant]) -> anyhow::Result<Vec<Variant>> {
    if variants.len() > Variant::MOST {
        bail!("{} variants: a run has at most {}", variants.len(), Variant::MOST);
    }
    let mut variants = variants.to_vec();
    for variant in &mut variants {
        for (worker, program) in &mut variant.workers {
            let path = locate(program).with_context(|| {
                format!(
                    "--variant {}: cannot find the program {program:?} for the worker {worker:?}; a path \
                     is relative to the current folder, a bare name is looked up in PATH",
                    variant.name
                )
            })?;
            *program = path.to_string_lossy().into_owned();
        }
    }
    Ok(variants)
}

/// The absolute path of a program, because workers start in another folder.
fn locate(program: &str) -> Option<PathBuf> {
    let path = if program.contains('/') { PathBuf::from(program) } else { in_path(program)? };
    std::path::absolute(path).ok().filter(|path| path.is_file())
}

/// Checks that the given variants are those of the run to resume.
pub(super) fn check_same(of_run: &[Variant], given: &[Variant]) -> anyhow::Result<()> {
    if of_run == given {
        return Ok(());
    }
    if of_run.is_empty() {
        bail!("the run has no variants: omit --variant");
    }
    let has = if given.is_empty() { "has variants" } else { "has different variants" };
    let Some(flags) = of_run.iter().map(flag).collect::<Option<Vec<_>>>() else {
        bail!(
            "the run {has} that --variant cannot express: the file was modified and cannot be resumed"
        );
    };
    bail!(
        "the run {has}. They set variables and start programs, so --resume takes them from the command \
         line only. If you trust them, add: {}",
        flags.join(" ")
    )
}

/// The flag that gives a variant; `None` if no flag can express it.
pub fn flag(variant: &Variant) -> Option<String> {
    let text = variant.to_string();
    let is_read_alike = text.parse::<Variant>().as_ref() == Ok(variant);
    let quoted = text.replace('\'', "'\\''");
    (is_read_alike && !text.contains(is_hidden)).then(|| format!("--variant '{quoted}'"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn variants(texts: &[&str]) -> Vec<Variant> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    fn refusal(of_run: &[Variant], given: &[Variant]) -> String {
        check_same(of_run, given).unwrap_err().to_string()
    }

    #[test]
    fn missing_or_different_flags_are_refused_with_those_of_the_run() {
        let of_run = variants(&["base", "gc=GOGC=20 worker:go=/x/go"]);
        check_same(&of_run, &of_run).unwrap();
        check_same(&[], &[]).unwrap();
        let advice = "add: --variant 'base' --variant 'gc=GOGC=20 worker:go=/x/go'";
        let missing = refusal(&of_run, &[]);
        assert!(missing.contains("has variants.") && missing.ends_with(advice), "{missing}");
        let other = refusal(&of_run, &variants(&["base", "gc=GOGC=30 worker:go=/x/go"]));
        assert!(other.contains("different variants") && other.ends_with(advice), "{other}");
        assert!(refusal(&of_run, &of_run[..1]).ends_with(advice));
        assert!(refusal(&[], &of_run).contains("omit --variant"));
    }

    #[test]
    fn a_shell_reads_a_flag_as_the_original_text() {
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
            let expected =
                format!("--variant x: cannot find the program {nowhere:?} for the worker \"go\"");
            assert!(error.starts_with(&expected), "{error}");
        }
    }

    #[test]
    fn a_variant_that_no_flag_can_express_is_not_suggested() {
        let mut split: Variant = "x=A=b".parse().unwrap();
        split.environment.insert("A".to_owned(), "b LD_PRELOAD=/x".to_owned());
        let mut hidden: Variant = "x".parse().unwrap();
        hidden.workers.insert("own: worker".to_owned(), "/x".to_owned());
        let mut turned: Variant = "x".parse().unwrap();
        turned.environment.insert("A".to_owned(), "\u{202e}x".to_owned());
        for variant in [split, hidden, turned] {
            let error = refusal(&[variant], &[]);
            assert!(error.contains("the file was modified"), "{error}");
        }
    }
}

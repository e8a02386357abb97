//! Outcomes of limits (`--fail-if`): sentences, or a paragraph for a pull request.

use judge::answer::{how_much, range};
use judge::compare::Difference;
use judge::gate::{Gated, JudgedFigure};
use judge::numbers::counted;
use terminal::Printable;

/// So many rows are named in a sentence.
const MOST_NAMED: usize = 3;

/// Whether one of the limits was broken, and by what: a sentence each.
pub fn gate_sentences(gates: &[Gated]) -> Vec<String> {
    gates.iter().map(|gate| sentence(gate, &|text| text.to_owned())).collect()
}

/// One paragraph of Markdown.
pub fn gate_paragraph(gates: &[Gated], baseline: &str, other: &str) -> String {
    let verdict = match () {
        () if gates.iter().any(Gated::is_broken) => "slower",
        () if gates.iter().any(Gated::is_undecided) => "undecided",
        () => "no loss beyond the limits",
    };
    let sentences: Vec<String> = gates.iter().map(|gate| sentence(gate, &code)).collect();
    let (baseline, other) = (code(baseline), code(other));
    format!("**sizeup: {verdict}.** {other} against {baseline}. {}\n", sentences.join(" "))
}

fn sentence(gate: &Gated, code: &dyn Fn(&str) -> String) -> String {
    let Gated { limit, checked, failed, unjudged, unseen, passed, machines } = gate;
    let limit = code(limit);
    if !machines.is_empty() {
        let in_words = |Difference { what, baseline, other, .. }: &Difference| {
            format!("{what} is {} on one, {} on the other", code(baseline), code(other))
        };
        let differ = machines.iter().map(in_words).collect::<Vec<_>>().join("; ");
        return format!(
            "Can't judge {limit}: {differ}, so that a loss may be the machine's. Measure both on one machine; `--allow machine` judges \
             them all the same."
        );
    }
    let figures = counted(*checked, "figure");
    let in_words = |figure: &JudgedFigure| {
        format!(
            "{} is {} ({})",
            code(&figure.name),
            how_much(figure.ratio.centre),
            range(&figure.ratio)
        )
    };
    let mut text = match (&failed[..], &passed[..]) {
        ([], []) if unjudged.len() == *checked => {
            return format!("Can't judge {limit}: no figure of {checked} has a verdict.");
        }
        ([], []) => format!("Can't judge {limit}."),
        ([], [only]) if *checked == 1 => format!("Passes {limit}: {}.", in_words(only)),
        ([], [lowest, ..]) if passed.len() == *checked => {
            format!("Passes {limit}: none of {figures} fails; the lowest: {}.", in_words(lowest))
        }
        ([], _) => format!("Can't judge {limit} of all: {} of {figures} pass.", passed.len()),
        _ => {
            format!(
                "Fails {limit} in {} of {figures}: {}.",
                failed.len(),
                listed(failed, "; ", in_words)
            )
        }
    };
    if !unjudged.is_empty() {
        text += &format!(" Without a verdict: {}.", listed(unjudged, ", ", |name| code(name)));
    }
    if !unseen.is_empty() {
        text += &format!(" Too noisy to show such a loss: {}.", listed(unseen, "; ", in_words));
    }
    text
}

/// The first few.
fn listed<T>(all: &[T], between: &str, in_words: impl Fn(&T) -> String) -> String {
    let mut named: Vec<String> = all.iter().take(MOST_NAMED).map(in_words).collect();
    let more = all.len().saturating_sub(MOST_NAMED);
    if more > 0 {
        named.push(format!("and {more} more"));
    }
    named.join(between)
}

/// Text that no reader of Markdown takes for more than text: no link, no mention, no HTML.
fn code(text: &str) -> String {
    format!("`{}`", Printable::from(text).replace('`', "'"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::Interval;

    fn figure(name: &str, centre: f64) -> JudgedFigure {
        let (low, high) = (centre - 0.01, centre + 0.01);
        let ratio = Interval { centre, low, high, freedom: f64::INFINITY };
        JudgedFigure { name: format!("{name} on 1 thread"), ratio }
    }

    fn gate(failed: usize, passed: usize) -> Gated {
        Gated {
            limit: "slower:3%".to_owned(),
            checked: failed + passed,
            failed: (0..failed).map(|n| figure(&format!("gzip-{n}/zlib"), 0.94)).collect(),
            passed: (0..passed).map(|n| figure(&format!("brotli-{n}/brotli"), 0.99)).collect(),
            ..Gated::default()
        }
    }

    fn of_one(gate: Gated) -> String {
        gate_sentences(&[gate]).concat()
    }

    #[test]
    fn what_failed_is_named_and_of_what_passed_the_lowest() {
        assert_eq!(
            of_one(gate(0, 1)),
            "Passes slower:3%: brotli-0/brotli on 1 thread is 1.0 % slower (95 % CI 0.980–1.00)."
        );
        assert_eq!(
            of_one(gate(0, 9)),
            "Passes slower:3%: none of 9 figures fails; the lowest: brotli-0/brotli on 1 thread is 1.0 % slower (95 % CI \
             0.980–1.00)."
        );
        assert_eq!(
            of_one(gate(1, 8)),
            "Fails slower:3% in 1 of 9 figures: gzip-0/zlib on 1 thread is 6.0 % slower (95 % CI 5.0–7.0 %)."
        );
        let mut noisy = gate(5, 0);
        noisy.unjudged = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        noisy.unseen = vec![figure("e", 0.98)];
        let text = of_one(noisy);
        assert!(text.contains("; and 2 more. Without a verdict: a, b, c, and 1 more."), "{text}");
        assert!(
            text.contains("Too noisy to show such a loss: e on 1 thread is 2.0 % slower"),
            "{text}"
        );
    }

    #[test]
    fn without_verdicts_or_with_noise_nothing_passes() {
        let none = Gated { checked: 9, unjudged: vec!["a/x".to_owned(); 9], ..gate(0, 0) };
        assert_eq!(of_one(none), "Can't judge slower:3%: no figure of 9 has a verdict.");
        let some = Gated { checked: 9, unjudged: vec!["a/x".to_owned()], ..gate(0, 8) };
        assert_eq!(
            of_one(some.clone()),
            "Can't judge slower:3% of all: 8 of 9 figures pass. Without a verdict: a/x."
        );
        let noisy = Gated { checked: 1, unseen: vec![figure("e", 0.98)], ..gate(0, 0) };
        let text = of_one(noisy.clone());
        assert!(
            text.starts_with("Can't judge slower:3%. Too noisy to show such a loss: e on"),
            "{text}"
        );
        for undecided in [some, noisy] {
            let text = gate_paragraph(&[gate(0, 1), undecided], "a", "b");
            assert!(text.starts_with("**sizeup: undecided.**"), "{text}");
        }
    }

    #[test]
    fn between_two_machines_the_paragraph_is_undecided_and_names_both() {
        let machines = [Difference {
            kind: judge::compare::MustMatch::Machine,
            what: "the CPU".to_owned(),
            baseline: "EPYC".to_owned(),
            other: "Xeon `x`".to_owned(),
        }];
        let text = gate_paragraph(&[gate(1, 0).across(&machines)], "a", "b");
        let says = "**sizeup: undecided.** `b` against `a`. Can't judge `slower:3%`: the CPU is `EPYC` on one, `Xeon 'x'` on the";
        assert!(text.starts_with(says) && text.contains("--allow machine"), "{text}");
    }

    #[test]
    fn a_paragraph_is_one_line_in_which_names_are_text_only() {
        let text = gate_paragraph(&[gate(1, 0)], "<img src=x>", "new-1\n# `[a](b)`");
        let says = "**sizeup: slower.** `new-1\u{fffd}# '[a](b)'` against `<img src=x>`. Fails `slower:3%` in";
        assert!(text.starts_with(says), "{text}");
        assert_eq!(text.matches('\n').count(), 1);
        let fine = gate_paragraph(&[gate(0, 1)], "base", "new");
        assert!(
            fine.starts_with("**sizeup: no loss beyond the limits.** `new` against `base`. Passes")
        );
    }
}

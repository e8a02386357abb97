//! Sentences on scores by a mix.

use crate::compare::{MixLack, Score, ScoreLine, ScoredMix};
use record::ThreadSpec;
use verdict::stands;

/// More works that a mix lacks are not named.
const MOST_NAMED: usize = 3;

/// How a scored group stands to its baseline as a mix weighs, on these threads: `By the mix ampere-web-2023 (86 % of its weights), c7g
/// is 12 % faster than c6i on all threads (…)`. `None` without such a score.
pub fn answer_by_mix(score: &Score, threads: ThreadSpec, on: &str) -> Option<String> {
    let is_it = |line: &&ScoreLine| line.is_of_mix() && line.threads == threads;
    let ratio = score.lines.iter().find(is_it)?.score?;
    let ScoredMix { name, lacks, .. } = score.mix.as_ref()?;
    let lack = lacks.iter().find(|lack| lack.threads == threads);
    let part = lack.map(|lack| format!(" ({} of its weights)", percent(1.0 - lack.share)));
    let stands = stands(&score.label, &score.baseline, &ratio, on);
    Some(format!("By the mix {name}{}, {stands}", part.unwrap_or_default()))
}

/// Why a mix that was asked for has no score at all.
pub fn unscored_mix(score: &Score) -> Option<String> {
    let name = &score.mix.as_ref()?.name;
    if score.lines.iter().any(ScoreLine::is_of_mix) {
        return None;
    }
    let why = score.missing.iter().find_map(|why| why.strip_prefix("the mix, "));
    Some(format!("No score by the mix {name}: {}", why.unwrap_or("no row in both runs")))
}

/// Where the weights of a mix are from, and what of them is in no score on each number of threads.
pub fn mix_notes(mix: &ScoredMix) -> Vec<String> {
    let name = &mix.name;
    let source = mix.source.as_ref().map(|source| {
        format!(
            "{name}: weights of {}, {}; rows are only similar to the original's.",
            source.by, source.date
        )
    });
    source.into_iter().chain(mix.lacks.iter().map(|lack| lack_note(name, lack))).collect()
}

/// `ampere-web-2023 on all threads: 14 % of its weights have no row in both runs: postgres-mixed/postgresql.`
fn lack_note(name: &str, lack: &MixLack) -> String {
    let all = lack.workloads.iter().chain(&lack.others);
    let named: Vec<&str> = all.clone().take(MOST_NAMED).map(String::as_str).collect();
    let more = match all.count() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "{name} on {}: {} of its weights have no row in both runs: {}{more}.",
        lack.threads.in_words(),
        percent(lack.share),
        named.join(", ")
    )
}

/// `14 %`, `less than 1 %`.
fn percent(share: f64) -> String {
    match share * 100.0 {
        little if little < 1.0 => "less than 1 %".to_owned(),
        percent => format!("{percent:.0} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::MixSource;

    fn lack(share: f64, workloads: &[&str], others: &[&str]) -> MixLack {
        let own = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        let (workloads, others) = (own(workloads), own(others));
        MixLack { threads: ThreadSpec::All, share, workloads, others }
    }

    #[test]
    fn a_mix_names_its_source_and_what_share_of_its_weights_has_no_row() {
        let source = MixSource {
            about: "a web service".to_owned(),
            by: "a vendor".to_owned(),
            date: "2023".to_owned(),
            similar: Vec::new(),
        };
        let lacks = vec![
            lack(0.14, &["a/x"], &["the database"]),
            lack(0.004, &["a/x", "b/x", "c/x", "d/x", "e/x"], &[]),
        ];
        let mix = ScoredMix { name: "web-1".to_owned(), source: Some(source), lacks };
        assert_eq!(
            mix_notes(&mix),
            [
                "web-1: weights of a vendor, 2023; rows are only similar to the original's.",
                "web-1 on all threads: 14 % of its weights have no row in both runs: a/x, the database.",
                "web-1 on all threads: less than 1 % of its weights have no row in both runs: a/x, b/x, c/x and 2 more.",
            ]
        );
        let own = ScoredMix { name: "mix.toml".to_owned(), source: None, lacks: Vec::new() };
        assert_eq!(mix_notes(&own), Vec::<String>::new());
    }
}

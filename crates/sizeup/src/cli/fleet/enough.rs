//! How many hosts would settle which type of them is faster, by the run files that are here.

use super::board::{Board, HostStanding};
use crate::briefing::Briefing;
use crate::cli::groups::{GroupArgs, NamedFiles};
use crate::tables::enough_sentences;
use judge::compare::{Comparison, Pairs};
use std::path::Path;

/// Says it of hosts of two types or more: of two in the answer, of more below it. Run files that can't be compared fail nothing.
pub(super) fn say_enough(answer: &mut Briefing, board: &Board, runs: &Path) {
    match comparisons(board, runs).map(|comparisons| enough_sentences(&comparisons)) {
        Ok(sentences) if sentences.len() == 1 => answer.say(&*sentences[0]),
        Ok(sentences) => sentences.into_iter().for_each(|sentence| answer.note(sentence)),
        Err(error) => answer.note(format!(
            "How many hosts would settle which type is faster is unknown: {error:#}"
        )),
    }
}

/// Compares the first type, in the order of the inventory, with each of the others, as `compare` does.
fn comparisons(board: &Board, runs: &Path) -> anyhow::Result<Vec<Comparison>> {
    let mut args = GroupArgs { by_label: true, ..GroupArgs::default() };
    for host in board.hosts().iter().filter(|host| host.standing == HostStanding::Done) {
        let file = runs.join(format!("{}.run.jsonl", host.name));
        // A client of servers is done without a run of its own.
        if !file.exists() {
            continue;
        }
        match &host.group {
            Some(group) => args.groups.push(NamedFiles::of_file(group, &file)),
            None => args.files.push(file),
        }
    }
    if args.files.len() + args.groups.len() < 2 {
        return Ok(Vec::new());
    }
    let groups = args.read_against(None)?;
    let Some((baseline, others)) = groups.split_first() else { return Ok(Vec::new()) };
    Ok(others.iter().map(|other| Pairs::of(baseline, other, &[]).comparison()).collect())
}

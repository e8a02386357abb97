//! Which runs are judged, and which of them stand for the same thing: the arguments that the judging commands share.

use super::going_on::quoted;
use super::names::one_of;
use super::threads;
use crate::tables::without_asides;
use anyhow::{Context, anyhow, bail};
use catalog::{Family, is_said, near_said};
use clap::Args;
use estimate::{RunEstimate, ViewKind};
use judge::compare::{
    Contention, Group, MeasuredRows, MustMatch, Sheet, distinct, share_thread_counts, shared_cores,
};
use judge::numbers::counted;
use rayon::prelude::*;
use record::{Grade, Header, ReadError, Run};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

/// Longer arguments are not repeated in what to do next.
const LONGEST_COMMAND: usize = 100;
const RUN: &str = ".run.jsonl";
/// So many files are read at a time.
const FILES_AT_ONCE: usize = 64;

/// Headings of the help of all commands that judge runs.
pub(super) const RUNS: &str = "Runs";
const JUDGED: &str = "How they are judged";

#[derive(Args, Clone, Default)]
pub(super) struct GroupArgs {
    /// Run files, each a group of its own, or folders of them (*.run.jsonl)
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Runs to treat as one, e.g. of one machine or type
    ///
    /// * and ? in FILES match several files. Can be given more than once, also with the same NAME.
    #[arg(long = "group", value_name = "NAME=FILES", help_heading = RUNS)]
    pub groups: Vec<NamedFiles>,
    /// Only workloads whose name or family contains this
    ///
    /// Or whose category does. Can be given more than once.
    #[arg(long = "workload", value_name = "TEXT", help_heading = RUNS)]
    pub workloads: Vec<String>,
    /// Group files whose runs have the same label
    #[arg(long, help_heading = RUNS)]
    pub by_label: bool,
    /// Accept these differences between rows, and name them
    #[arg(long, value_delimiter = ',', value_name = "KINDS", value_parser = one_of(MustMatch::ALLOWABLE), hide_possible_values = true,
        long_help = allow_help(), help_heading = JUDGED)]
    pub allow: Vec<MustMatch>,
    /// Samples to judge: uncontended, delivered or per-ghz
    ///
    /// Uncontended by default; delivered takes all samples, per-ghz divides by the clock.
    #[arg(long, value_name = "VIEW", value_parser = one_of(ViewKind::ALL), hide_possible_values = true, help_heading = JUDGED)]
    pub view: Option<ViewKind>,
    /// Runs that were read already.
    #[arg(skip)]
    pub known: Vec<Arc<ReadRun>>,
}

fn allow_help() -> String {
    format!(
        "Accept these differences between rows, and name them: {}",
        MustMatch::ALLOWABLE.map(|kind| kind.to_string()).join(", ")
    )
}

/// A group as it is asked for.
#[derive(Debug, Clone)]
pub(super) struct NamedFiles {
    name: String,
    pattern: String,
}

impl FromStr for NamedFiles {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((name, pattern)) if !name.trim().is_empty() && !pattern.is_empty() => {
                Ok(Self { name: name.to_owned(), pattern: pattern.to_owned() })
            }
            _ => Err(format!("{text:?} is not NAME=FILES, e.g. m7g=runs/m7g-*.jsonl")),
        }
    }
}

impl NamedFiles {
    /// One file, which is there.
    pub fn of_file(name: &str, file: &Path) -> Self {
        Self { name: name.to_owned(), pattern: file.display().to_string() }
    }

    /// The files that it names, in the order of their names. A name without wildcards is that file.
    fn files(&self) -> anyhow::Result<Vec<PathBuf>> {
        if !self.pattern.contains(['*', '?', '[']) || Path::new(&self.pattern).exists() {
            return Ok(vec![PathBuf::from(&self.pattern)]);
        }
        let found = glob::glob(&self.pattern)
            .with_context(|| format!("--group {}: {:?} is no pattern", self.name, self.pattern))?;
        let files: Vec<PathBuf> = found.collect::<Result<_, _>>()?;
        if files.is_empty() {
            bail!("--group {}: no file is named {}", self.name, self.pattern);
        }
        Ok(files)
    }
}

/// A run that was read and estimated.
pub(super) struct ReadRun {
    pub run: Run,
    pub estimate: RunEstimate,
}

impl ReadRun {
    pub fn read(file: &Path) -> Result<Self, ReadError> {
        Ok(Self::of(record::read(file)?))
    }

    pub fn of(run: Run) -> Self {
        Self { estimate: RunEstimate::of(&run), run }
    }

    /// Its sheet, which can be judged in the view that is requested, or in those that are chosen from.
    pub fn sheet(&self, requested: Option<ViewKind>) -> Sheet {
        let views =
            requested.map_or(vec![ViewKind::Uncontended, ViewKind::Delivered], |view| vec![view]);
        Sheet::of_estimate(&self.run, &self.estimate, &views)
    }
}

/// A run file, reduced to its figures and to `kept`, which the caller extracts.
struct ReadFile<T> {
    /// The name of its group, unless it is one of its own.
    group: Option<String>,
    sheet: Sheet,
    kept: T,
    said: Said,
}

/// Names by which users select measured workloads: ID → family, and categories.
#[derive(Default)]
pub(super) struct Said {
    families: BTreeMap<String, Family>,
    categories: BTreeSet<String>,
}

impl Said {
    /// Only judged workloads count.
    pub fn of(run: &Run) -> Self {
        let Header { workloads, categories, .. } = &run.header;
        let judged: BTreeSet<&String> =
            run.judged_cases().map(|(_, case)| &case.workload).collect();
        let judged = workloads.iter().filter(|(id, _)| judged.contains(id));
        Self {
            families: judged.map(|(id, workload)| (id.clone(), workload.family.clone())).collect(),
            categories: categories.iter().map(|category| category.name.clone()).collect(),
        }
    }

    fn add(&mut self, other: &Self) {
        self.families.extend(other.families.clone());
        self.categories.extend(other.categories.clone());
    }

    /// `11 of 20 workloads: those whose name, family or category contains compress`; `None` where nothing was asked for.
    pub fn selection<'a>(
        &self,
        texts: &[String],
        kept: impl Iterator<Item = &'a str>,
    ) -> Option<String> {
        let kept = kept.collect::<BTreeSet<&str>>().len();
        let all = counted(self.families.len(), "workload");
        let texts = (!texts.is_empty()).then(|| texts.join(" or "))?;
        Some(format!("{kept} of {all}: those whose name, family or category contains {texts}"))
    }

    /// None of them contains any of these texts.
    pub fn nothing_contains(&self, texts: &[String]) -> anyhow::Error {
        let families: BTreeSet<String> = self.families.values().map(Family::to_string).collect();
        let all = || {
            let ids = self.families.keys().chain(&self.categories).chain(&families);
            ids.map(String::as_str)
        };
        let near: String = texts.iter().map(|text| near_said(text, all())).collect();
        let near = if near.is_empty() { "." } else { &near };
        anyhow!(
            "no workload of these runs contains {} in its name, family or category{near} They have {}",
            texts.join(" or "),
            in_words(&self.families)
        )
    }
}

/// Whether a workload of a run is one that any of these texts asks for, by its name, its family or its category; all are
/// where there is no text.
pub(super) fn asked_for<'a>(texts: &'a [String], header: &'a Header) -> impl Fn(&str) -> bool + 'a {
    let mut categories: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for category in &header.categories {
        for workload in &category.workloads {
            categories.entry(workload).or_default().push(&category.name);
        }
    }
    move |workload| {
        let is_asked = |said: &str| texts.iter().any(|text| is_said(text, [said]));
        let family = || header.workloads.get(workload).map(|recorded| recorded.family.to_string());
        let categories = || categories.get(workload).into_iter().flatten();
        texts.is_empty()
            || is_asked(workload)
            || categories().any(|category| is_asked(category))
            || family().is_some_and(|family| is_asked(&family))
    }
}

/// Runs are invalid, and those that are left answer nothing.
#[derive(Debug, thiserror::Error)]
#[error(
    "No answer: {}. Follow `sizeup doctor` and measure again. `--allow invalid` judges these figures anyway, and \
     `--allow invalid --view delivered` what the run got while other processes ran.",
    left_out.join("; ")
)]
pub(super) struct NoAnswer {
    left_out: Vec<String>,
}

impl NoAnswer {
    /// The reason for each run that is invalid.
    pub fn of(runs: &[Sheet]) -> Self {
        Self { left_out: runs.iter().filter_map(|run| why_invalid(run, runs.iter())).collect() }
    }
}

impl GroupArgs {
    /// The only run that is named, if it is one file, without a baseline. It will not be read again.
    pub fn read_alone(&mut self, baseline: Option<&str>) -> anyhow::Result<Option<Arc<ReadRun>>> {
        let in_folders: anyhow::Result<Vec<Vec<PathBuf>>> =
            self.files.iter().map(|path| run_files(path)).collect();
        self.files = in_folders?.concat();
        let ([file], [], None) = (&self.files[..], &self.groups[..], baseline) else {
            return Ok(None);
        };
        let read = Arc::new(ReadRun::read(file)?);
        self.known.push(Arc::clone(&read));
        Ok(Some(read))
    }

    /// The groups in the order in which they are named, with different labels, all in one view.
    pub fn read(&self) -> anyhow::Result<Vec<Group>> {
        let groups = self.group(self.read_files(&|_| ())?)?;
        Ok(groups.into_iter().map(|(group, _)| group).collect())
    }

    /// Like [`Self::read`], with the baseline first: the group with this name or file, else the first group named.
    pub fn read_against(&self, baseline: Option<&str>) -> anyhow::Result<Vec<Group>> {
        let groups = self.read_against_keeping(baseline, |_| ())?;
        Ok(groups.into_iter().map(|(group, _)| group).collect())
    }

    /// Like [`Self::read_against`], each group with what `keep` extracts from its runs. The baseline may be a file that is not
    /// named elsewhere.
    pub fn read_against_keeping<T: Send>(
        &self,
        baseline: Option<&str>,
        keep: impl Fn(&ReadRun) -> T + Sync,
    ) -> anyhow::Result<Vec<(Group, Vec<T>)>> {
        let mut files = self.read_files(&keep)?;
        if let Some(name) = baseline {
            let labels = labels(&files);
            let path = real_path(Path::new(name));
            let is_read = files.iter().any(|file| real_path(&file.sheet.path) == path);
            if !is_read && !labels.iter().any(|label| label == name) {
                let one_more = [(None, PathBuf::from(name))];
                let read = self.read_each(&one_more, &keep).with_context(|| {
                    let known = labels.join(", ");
                    format!("--baseline: {name:?} is neither a file nor one of the groups {known}")
                })?;
                files.splice(0..0, read);
            }
        }
        let mut groups = self.group(files)?;
        if let Some(name) = baseline {
            let path = real_path(Path::new(name));
            let is_it = |(group, _): &(Group, Vec<T>)| {
                group.label == name || group.runs.iter().any(|run| real_path(&run.path) == path)
            };
            if let Some(place) = groups.iter().position(is_it) {
                groups[..=place].rotate_right(1);
            }
        }
        let mut all: Vec<&mut Group> = groups.iter_mut().map(|(group, _)| group).collect();
        share_thread_counts(&mut all);
        Ok(groups)
    }

    /// All files that are named, each once.
    fn read_files<T: Send>(
        &self,
        keep: &(impl Fn(&ReadRun) -> T + Sync),
    ) -> anyhow::Result<Vec<ReadFile<T>>> {
        let mut files: Vec<(Option<String>, PathBuf)> = Vec::new();
        for path in &self.files {
            files.extend(run_files(path)?.into_iter().map(|file| (None, file)));
        }
        for group in &self.groups {
            files.extend(group.files()?.into_iter().map(|file| (Some(group.name.clone()), file)));
        }
        if files.is_empty() {
            bail!("name a run file or a --group");
        }
        check_once(files.iter().map(|(_, file)| file.as_path()))?;
        self.read_each(&files, keep)
    }

    fn read_each<T: Send>(
        &self,
        files: &[(Option<String>, PathBuf)],
        keep: &(impl Fn(&ReadRun) -> T + Sync),
    ) -> anyhow::Result<Vec<ReadFile<T>>> {
        let (mut all, mut known) = (Vec::new(), BTreeSet::new());
        threads::start();
        for some in files.chunks(FILES_AT_ONCE) {
            let read = some.par_iter().map(|(group, file)| -> anyhow::Result<ReadFile<T>> {
                let read = match self.known.iter().find(|known| known.run.path == *file) {
                    Some(known) => Arc::clone(known),
                    None => Arc::new(ReadRun::read(file)?),
                };
                let mut sheet = read.sheet(self.view);
                sheet.retain(asked_for(&self.workloads, &read.run.header));
                let said = Said::of(&read.run);
                let group = group.clone().or_else(|| self.by_label.then(|| sheet.label.clone()));
                Ok(ReadFile { group, sheet, kept: keep(&read), said })
            });
            for mut file in read.collect::<anyhow::Result<Vec<_>>>()? {
                file.sheet.share_identities(&mut known);
                all.push(file);
            }
        }
        if !self.workloads.is_empty() && all.iter().all(|file| file.sheet.rows.is_empty()) {
            return Err(all_said(&all).nothing_contains(&self.workloads));
        }
        Ok(all)
    }

    /// Groups files, and judges all in one view.
    ///
    /// # Errors
    /// [`NoAnswer`] where invalid runs leave too few.
    fn group<T>(&self, mut files: Vec<ReadFile<T>>) -> anyhow::Result<Vec<(Group, Vec<T>)>> {
        let named = firsts(&files).len();
        let left_out = self.leave_out(&mut files);
        let kept = files.iter().flat_map(|file| &file.sheet.rows).map(|row| &*row.workload);
        let selection = all_said(&files).selection(&self.workloads, kept);
        let labels = labels(&files);
        if !left_out.is_empty() && labels.len() < named.min(2) {
            return Err(NoAnswer { left_out }.into());
        }
        let files = grouped(files);
        let sheets: Vec<Vec<&Sheet>> =
            files.iter().map(|files| files.iter().map(|file| &file.sheet).collect()).collect();
        sheets.iter().try_for_each(|sheets| check_different(sheets))?;
        let measured = labels.iter().zip(&sheets);
        let measured = measured.map(|(label, sheets)| MeasuredRows::of_runs(label, sheets));
        let view = self.view.unwrap_or(ViewKind::Uncontended);
        let contention = Contention::of(&measured.collect::<Vec<_>>(), view);
        let groups = labels.into_iter().zip(files).filter_map(|(label, files)| {
            let (sheets, kept) = files.into_iter().map(|file| (file.sheet, file.kept)).unzip();
            let mut group = Group::of(label, view, sheets)?;
            group.contention.clone_from(&contention);
            group.left_out.clone_from(&left_out);
            group.selection.clone_from(&selection);
            Some((group, kept))
        });
        Ok(groups.collect())
    }

    /// Takes out the runs that are invalid, by themselves or beside the others, unless they are allowed, and says of each why.
    fn leave_out<T>(&self, files: &mut Vec<ReadFile<T>>) -> Vec<String> {
        if self.allow.contains(&MustMatch::Invalid) {
            return Vec::new();
        }
        let all = || files.iter().map(|file| &file.sheet);
        let whys: Vec<Option<String>> = all().map(|sheet| why_invalid(sheet, all())).collect();
        let mut of_files = whys.iter();
        files.retain(|_| of_files.next().is_some_and(Option::is_none));
        whys.into_iter().flatten().collect()
    }
}

/// Names from all files together.
fn all_said<T>(files: &[ReadFile<T>]) -> Said {
    let mut all = Said::default();
    files.iter().for_each(|file| all.add(&file.said));
    all
}

/// A file; of a folder the run files in it, in the order of their names.
fn run_files(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    // A folder that is named like a run is refused as one.
    if !path.is_dir() || path.to_string_lossy().ends_with(RUN) {
        return Ok(vec![path.to_owned()]);
    }
    let entries = path.read_dir().and_then(|all| all.map(|entry| Ok(entry?.path())).collect());
    let mut files: Vec<PathBuf> =
        entries.with_context(|| format!("{} can't be read", path.display()))?;
    files.retain(|file| file.to_string_lossy().ends_with(RUN));
    if files.is_empty() {
        bail!("{} can't be read: no file in it ends in {RUN}", path.display());
    }
    files.sort();
    Ok(files)
}

/// The first file of each group.
fn firsts<T>(files: &[ReadFile<T>]) -> Vec<&ReadFile<T>> {
    let mut seen = BTreeSet::new();
    let files = files.iter();
    files.filter(|file| file.group.as_ref().is_none_or(|name| seen.insert(name.clone()))).collect()
}

/// The files of each group, in the order in which the groups come first.
fn grouped<T>(files: Vec<ReadFile<T>>) -> Vec<Vec<ReadFile<T>>> {
    let mut groups: Vec<Vec<ReadFile<T>>> = Vec::new();
    for file in files {
        let is_its = |group: &&mut Vec<ReadFile<T>>| group[0].group == file.group;
        match groups.iter_mut().filter(|_| file.group.is_some()).find(is_its) {
            Some(group) => group.push(file),
            None => groups.push(vec![file]),
        }
    }
    groups
}

/// The names of the groups. Runs of one label have what differs in their files' names behind it, or numbers.
fn labels<T>(files: &[ReadFile<T>]) -> Vec<String> {
    let all: Vec<(&String, Option<&str>)> = firsts(files)
        .into_iter()
        .map(|first| match &first.group {
            Some(name) => (name, None),
            None => (&first.sheet.label, file_name(&first.sheet.path)),
        })
        .collect();
    let named = all.iter().map(|(label, file)| {
        let sharing = all.iter().filter(|(other, _)| other == label);
        let sharing: Vec<&str> = sharing.filter_map(|(_, file)| *file).collect();
        match file {
            Some(file) if sharing.len() > 1 => format!("{label} ({})", difference(file, &sharing)),
            _ => (*label).clone(),
        }
    });
    let named: Vec<String> = named.collect();
    distinct(named.iter().map(String::as_str))
}

/// A name without the words that all of the names begin with; the last word at least: `20261126T152110Z` of
/// `c7g-quick-20261126T152110Z`.
fn difference<'a>(name: &'a str, all: &[&str]) -> &'a str {
    let shared =
        |length: &usize| all.iter().all(|other| other.get(..*length) == name.get(..*length));
    let starts = name.match_indices('-').map(|(at, _)| at + 1);
    name.get(starts.take_while(shared).last().unwrap_or(0)..).unwrap_or(name)
}

/// `c7g (c7g.run.jsonl) is invalid: other processes used 1.6 of 2 CPUs`. `None` where it is not, by itself or beside the others.
fn why_invalid<'a>(sheet: &Sheet, others: impl Iterator<Item = &'a Sheet>) -> Option<String> {
    let why = match sheet.validity.grade {
        Grade::Invalid => {
            let reasons = sheet.validity.reasons.iter();
            let reasons = reasons.filter(|reason| reason.grade == Grade::Invalid);
            reasons.map(|reason| without_asides(&reason.seen)).collect::<Vec<_>>().join("; ")
        }
        Grade::Valid | Grade::Suspect => shared_cores(sheet, others)?,
    };
    Some(format!("{} ({}) is invalid: {why}", sheet.label, sheet.path.display()))
}

/// The name of a run file, without what all of them end in.
pub(super) fn file_name(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    Some(name.strip_suffix(RUN).or_else(|| name.strip_suffix(".jsonl")).unwrap_or(name))
}

/// The arguments that name the same groups, for a shell.
pub(super) fn named(args: &GroupArgs) -> String {
    let files = args.files.iter().map(|file| quoted(&file.display().to_string()));
    let groups = args.groups.iter().map(|NamedFiles { name, pattern }| {
        format!("--group {}", quoted(&format!("{name}={pattern}")))
    });
    let by_label = args.by_label.then(|| "--by-label".to_owned());
    let workloads = args.workloads.iter().map(|text| format!("--workload {}", quoted(text)));
    let all = files.chain(groups).chain(by_label).chain(workloads).collect::<Vec<_>>().join(" ");
    if all.len() > LONGEST_COMMAND { "… (the same files)".to_owned() } else { all }
}

/// The baseline and the others.
pub(super) fn baseline_and_others(groups: &[Group]) -> anyhow::Result<(&Group, &[Group])> {
    match groups {
        [baseline, others @ ..] if !others.is_empty() => Ok((baseline, others)),
        _ => {
            bail!("name at least two run files or groups")
        }
    }
}

/// A run that stood on both sides would only say that it is like itself.
fn check_once<'a>(files: impl Iterator<Item = &'a Path>) -> anyhow::Result<()> {
    let mut seen: BTreeMap<PathBuf, &Path> = BTreeMap::new();
    for file in files {
        match seen.insert(real_path(file), file) {
            Some(first) if first == file => {
                bail!("{} is named twice", file.display())
            }
            Some(first) => {
                let (first, file) = (first.display(), file.display());
                bail!("{first} and {file} are the same file. Leave one out")
            }
            None => {}
        }
    }
    Ok(())
}

/// The file, whatever leads to it.
fn real_path(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// A run counts once in its group, also if its file was copied.
fn check_different(runs: &[&Sheet]) -> anyhow::Result<()> {
    let mut seen: BTreeMap<&str, &Path> = BTreeMap::new();
    for run in runs {
        let digest = run.digest.as_deref();
        if let Some(first) = digest.and_then(|digest| seen.insert(digest, &run.path)) {
            bail!("{} and {} are the same run", first.display(), run.path.display());
        }
    }
    Ok(())
}
/// How many workloads of each family there are, and one: `36 of cipher (aes-128-cbc/openssl), …; \`sizeup show FILE --all\` lists them`.
fn in_words(families: &BTreeMap<String, Family>) -> String {
    let mut members: BTreeMap<&Family, Vec<&str>> = BTreeMap::new();
    families.iter().for_each(|(id, family)| members.entry(family).or_default().push(id));
    let members = members.into_iter();
    let members = members.map(|(family, ids)| format!("{} of {family} ({})", ids.len(), ids[0]));
    let members: Vec<String> = members.collect();
    format!("{}; `sizeup show FILE --all` lists them", members.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_run_that_was_read_is_not_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("plain.run.jsonl");
        let plain = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testkit/runs/plain.jsonl");
        fs::copy(plain, &file).unwrap();
        let (files, allow) = (vec![file.clone()], vec![MustMatch::Invalid]);
        let mut args = GroupArgs { files, allow, ..GroupArgs::default() };
        assert!(args.read_alone(None).unwrap().is_some());
        fs::remove_file(&file).unwrap();
        assert_eq!(args.read_against(None).unwrap().len(), 1);
    }

    #[test]
    fn a_run_whose_cores_were_shared_beside_another_of_its_cpu_is_left_out() {
        let plain = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testkit/runs/plain.jsonl");
        let file = |label: &str, width: f64| {
            let read = ReadRun::read(&plain).unwrap();
            let mut sheet = read.sheet(None);
            (sheet.label, sheet.validity.grade) = (label.to_owned(), Grade::Valid);
            (sheet.cpu_model, sheet.width) = (Some("X".to_owned()), Some(width));
            ReadFile { group: None, sheet, kept: (), said: Said::of(&read.run) }
        };
        let files = || vec![file("shared", 3.0), file("alone", 4.7)];
        let (mut judged, args) = (files(), GroupArgs::default());
        let left_out = args.leave_out(&mut judged);
        assert_eq!(judged.iter().map(|file| &*file.sheet.label).collect::<Vec<_>>(), ["alone"]);
        assert!(left_out[0].starts_with("shared (") && left_out.len() == 1, "{left_out:?}");
        let allowed = GroupArgs { allow: vec![MustMatch::Invalid], ..GroupArgs::default() };
        assert_eq!(allowed.leave_out(&mut files()), Vec::<String>::new());
    }
}

//! Which runs are judged, and which of them stand for the same thing: the arguments that the judging commands share.

use super::going_on::quoted;
use super::names::one_of;
use super::threads;
use anyhow::{Context, bail};
use catalog::{Definition, Family};
use clap::Args;
use estimate::{RunEstimate, ViewKind};
use judge::compare::{
    Allow, Contention, Figures, Group, MeasuredRows, Needs, Weightings, distinct, score,
    share_thread_counts,
};
use rayon::prelude::*;
use record::Run;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Longer arguments are not repeated in what to do next.
const LONGEST_COMMAND: usize = 100;
/// So many files are read at a time.
const FILES_AT_ONCE: usize = 64;

#[derive(Args, Clone, Default)]
pub(super) struct GroupArgs {
    /// Run files, each a group of its own
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Runs to treat as one: the suites of one machine, or several hosts of one type. NAME=FILE; * and ? in
    /// FILE match several files; can be given more than once
    #[arg(long = "group", value_name = "NAME=FILES")]
    pub groups: Vec<NamedFiles>,
    /// Only workloads whose name contains this; can be given more than once
    #[arg(long = "workload", value_name = "TEXT")]
    pub workloads: Vec<String>,
    /// Group files whose runs have the same label
    #[arg(long)]
    pub by_label: bool,
    /// Accept these differences between rows; the output names them
    #[arg(long, value_delimiter = ',', value_name = "KINDS", value_parser = one_of(Allow::ALL))]
    pub allow: Vec<Allow>,
    /// Which samples are judged: uncontended ones, all (delivered), or uncontended ones per GHz  [default: uncontended, or
    /// delivered where most rows on a number of threads lack uncontended figures]
    #[arg(long, value_name = "VIEW", value_parser = one_of(ViewKind::ALL))]
    pub view: Option<ViewKind>,
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

impl GroupArgs {
    /// The groups in the order in which they are named, with different labels, all in one view.
    pub fn read(&self, needs: Needs) -> anyhow::Result<Vec<Group>> {
        Ok(without(self.read_behind(None, needs, &nothing)?))
    }

    /// The same, behind one more file, each with what is kept of its runs.
    fn read_behind<T: Send>(
        &self,
        first: Option<&Path>,
        needs: Needs,
        keep: &(impl Fn(&Run, &RunEstimate) -> T + Sync),
    ) -> anyhow::Result<Vec<(Group, Vec<T>)>> {
        let alone = first.into_iter().chain(self.files.iter().map(PathBuf::as_path));
        let mut files: Vec<(Option<&str>, PathBuf)> =
            alone.map(|file| (None, file.to_owned())).collect();
        for group in &self.groups {
            files.extend(group.files()?.into_iter().map(|file| (Some(group.name.as_str()), file)));
        }
        if files.is_empty() {
            bail!("name a run file or a --group");
        }
        check_once(files.iter().map(|(_, file)| file.as_path()))?;
        let figures = self.figures(&files, keep)?;
        let mut members: Vec<Member<T>> = Vec::new();
        for ((name, _), InViews { figures, delivered, kept }) in files.iter().zip(figures) {
            let of_label = self.by_label.then(|| figures.label.clone());
            let name = name.map(str::to_owned).or(of_label);
            match members.iter_mut().find(|member| name.is_some() && member.name == name) {
                Some(member) => {
                    member.runs.push(figures);
                    member.delivered.extend(delivered);
                    member.kept.push(kept);
                }
                None => {
                    let (runs, delivered) = (vec![figures], Vec::from_iter(delivered));
                    members.push(Member { name, runs, delivered, kept: vec![kept] });
                }
            }
        }
        members.iter().try_for_each(|member| check_different(&member.runs))?;
        let labels = labels(&members);
        Ok(self.in_one_view(labels, members, needs))
    }

    /// Uncontended figures, unless another view is asked for or too many rows lack them.
    fn in_one_view<T>(
        &self,
        labels: Vec<String>,
        members: Vec<Member<T>>,
        needs: Needs,
    ) -> Vec<(Group, Vec<T>)> {
        let measured = labels.iter().zip(&members);
        let measured = measured.map(|(label, member)| MeasuredRows::of_runs(label, &member.runs));
        let contention = Contention::of(&measured.collect::<Vec<_>>(), needs, self.view);
        let falls_back = contention.as_ref().is_some_and(|contention| contention.falls_back);
        let view = if falls_back { ViewKind::Delivered } else { self.view_of_files() };
        let groups = labels.into_iter().zip(members).filter_map(|(label, member)| {
            let runs = if falls_back { member.delivered } else { member.runs };
            let mut group = Group::of(label, view, runs)?;
            group.contention.clone_from(&contention);
            Some((group, member.kept))
        });
        groups.collect()
    }

    /// The view that is asked for, or that of uncontended figures.
    fn view_of_files(&self) -> ViewKind {
        self.view.unwrap_or(ViewKind::Uncontended)
    }

    fn figures<T: Send>(
        &self,
        files: &[(Option<&str>, PathBuf)],
        keep: &(impl Fn(&Run, &RunEstimate) -> T + Sync),
    ) -> anyhow::Result<Vec<InViews<T>>> {
        let (mut all, mut known) = (Vec::new(), BTreeSet::new());
        let mut families: BTreeMap<String, Family> = BTreeMap::new();
        threads::start();
        for some in files.chunks(FILES_AT_ONCE) {
            let figures = some.par_iter().map(
                |(_, file)| -> anyhow::Result<(InViews<T>, BTreeMap<String, Family>)> {
                    let run = record::read(file)?;
                    let estimate = RunEstimate::of(&run);
                    let of = |view| {
                        let mut figures = Figures::of_estimate(&run, &estimate, view);
                        figures.retain(|workload| self.is_wanted(workload));
                        figures
                    };
                    let delivered = self.view.is_none().then(|| of(ViewKind::Delivered));
                    let (figures, kept) = (of(self.view_of_files()), keep(&run, &estimate));
                    let family = |(id, of): (&String, &Definition)| (id.clone(), of.family.clone());
                    let families = run.header.workloads.iter().map(family).collect();
                    Ok((InViews { figures, delivered, kept }, families))
                },
            );
            for (mut run, of_run) in figures.collect::<anyhow::Result<Vec<_>>>()? {
                families.extend(of_run);
                let views = [Some(&mut run.figures), run.delivered.as_mut()];
                views.into_iter().flatten().for_each(|of| of.share_identities(&mut known));
                all.push(run);
            }
        }
        if !self.workloads.is_empty() && all.iter().all(|run| run.figures.rows.is_empty()) {
            let asked = self.workloads.join(" or ");
            bail!("no workload of these runs contains {asked}. They have {}", in_words(&families));
        }
        Ok(all)
    }

    /// Whether `--workload` asks for it.
    pub fn is_wanted(&self, workload: &str) -> bool {
        self.workloads.is_empty() || self.workloads.iter().any(|text| workload.contains(text))
    }

    /// The same, the one that is called or read from `baseline` first, or else the first that was named.
    /// The baseline may be a file that is not named elsewhere.
    pub fn read_against(&self, baseline: Option<&str>) -> anyhow::Result<Vec<Group>> {
        Ok(without(self.read_against_keeping(baseline, nothing)?))
    }

    /// The same, each with what is kept of its runs.
    pub fn read_against_keeping<T: Send>(
        &self,
        baseline: Option<&str>,
        keep: impl Fn(&Run, &RunEstimate) -> T + Sync,
    ) -> anyhow::Result<Vec<(Group, Vec<T>)>> {
        let mut groups = self.read_behind(None, Needs::Most, &keep)?;
        if let Some(name) = baseline {
            let file = itself(Path::new(name));
            let is_it = |(group, _): &(Group, Vec<T>)| {
                group.label == name || group.runs.iter().any(|run| itself(&run.path) == file)
            };
            match groups.iter().position(is_it) {
                Some(place) => groups[..=place].rotate_right(1),
                None => {
                    let known: Vec<&str> =
                        groups.iter().map(|(group, _)| group.label.as_str()).collect();
                    let known = known.join(", ");
                    groups = self
                        .read_behind(Some(Path::new(name)), Needs::Most, &keep)
                        .with_context(|| {
                            format!(
                                "--baseline: {name:?} is neither a file nor one of the groups {known}"
                            )
                        })?;
                }
            }
        }
        let mut all: Vec<&mut Group> = groups.iter_mut().map(|(group, _)| group).collect();
        share_thread_counts(&mut all);
        Ok(groups)
    }
}

/// A single run as a group, in a view.
pub(super) fn group_of_run(run: &Run, view: ViewKind) -> Option<Group> {
    Group::of(run.header.label.clone(), view, vec![Figures::of(run, view)])
}

/// A group in the making.
struct Member<T> {
    name: Option<String>,
    runs: Vec<Figures>,
    /// The same runs as delivered, where no view is asked for.
    delivered: Vec<Figures>,
    kept: Vec<T>,
}

/// A run that was read.
struct InViews<T> {
    figures: Figures,
    /// To fall back to, where no view is asked for.
    delivered: Option<Figures>,
    kept: T,
}

/// What the groups are called: runs of the same label by their files' names, too, and by numbers where these are the same.
fn labels<T>(members: &[Member<T>]) -> Vec<String> {
    let is_shared = |label: &str| members.iter().filter(|other| other.label() == label).count() > 1;
    let told: Vec<String> = members
        .iter()
        .map(|member| match (&member.name, member.file()) {
            (None, Some(file)) if is_shared(member.label()) => {
                format!("{} ({file})", member.label())
            }
            _ => member.label().to_owned(),
        })
        .collect();
    distinct(told.iter().map(String::as_str))
}

impl<T> Member<T> {
    /// The name of its only file, without what all run files end in.
    fn file(&self) -> Option<&str> {
        let [run] = &self.runs[..] else { return None };
        let name = run.path.file_name()?.to_str()?;
        Some(
            name.strip_suffix(".run.jsonl").or_else(|| name.strip_suffix(".jsonl")).unwrap_or(name),
        )
    }

    fn label(&self) -> &str {
        self.name.as_ref().unwrap_or(&self.runs[0].label)
    }
}

/// Nothing is kept of a run but its figures.
fn nothing(_: &Run, _: &RunEstimate) {}

fn without(groups: Vec<(Group, Vec<()>)>) -> Vec<Group> {
    groups.into_iter().map(|(group, _)| group).collect()
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

/// Of two groups the one that is behind first, so that it is the baseline and the one that is ahead the subject.
pub(super) fn ahead_last(groups: &mut [Group], allow: &[Allow]) {
    if let [one, other] = groups
        && score(other, one, allow, None, &Weightings::of(0)).is_behind()
    {
        groups.swap(0, 1);
    }
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
        match seen.insert(itself(file), file) {
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
fn itself(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// A run counts once in its group, also if its file was copied.
fn check_different(runs: &[Figures]) -> anyhow::Result<()> {
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
    members.remove(&Family::Control);
    let members = members.into_iter();
    let members = members.map(|(family, ids)| format!("{} of {family} ({})", ids.len(), ids[0]));
    let members: Vec<String> = members.collect();
    format!("{}; `sizeup show FILE --all` lists them", members.join(", "))
}

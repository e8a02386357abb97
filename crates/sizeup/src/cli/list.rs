//! `sizeup list`.

use super::exit::Exit;
use super::{json, say};
use crate::briefing::{Briefing, Extent, Screen};
use anyhow::bail;
use catalog::{
    Catalog, Category, Definition, Home, NamedMix, Suite, Workload, is_said, near, near_said,
};
use clap::Args;
use judge::numbers::counted;
use measure::execute::Interrupt;
use measure::session::{PATIENCE, manifests, why_not};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use terminal::table::{Heading, Table};

/// For those who look for work that sizeup does not have.
const OWN: &str = "No workload measures .NET, Ruby, PHP, a disk, a network card or a GPU. For a service of your own, \
                   use `sizeup new worker NAME`; for a program, `sizeup bench` (docs/own-workloads.md).";

/// A heading of the help.
const OWN_TABLES: &str = "Tables of your own";

#[derive(Args)]
#[command(after_help = "Examples: sizeup list edge\n          \
                        sizeup list workloads gzip\n          \
                        sizeup list workloads --json | jq '.data[] | select(.why_not)'")]
pub(super) struct ListArgs {
    /// suites, workloads, mixes, a suite's or a mix's name, or a text to search for
    ///
    /// A suite's name lists its workloads, a mix's name its weights; any other text lists the workloads whose name, family, category or description has it.
    #[arg(default_value = "suites", value_name = "WHAT")]
    what: String,
    /// Only those that contain this text
    ///
    /// In their name; of workloads also in family, category or description, listed one by one.
    text: Option<String>,
    /// A folder with tables of your own
    #[arg(long = "with", value_name = "FOLDER", help_heading = OWN_TABLES)]
    folders: Vec<PathBuf>,
    /// Also see whether programs of --with tables run here
    #[arg(long, requires = "folders", help_heading = OWN_TABLES)]
    check: bool,
    #[command(flatten)]
    extent: Extent,
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// A workload as `--json` prints it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ListedWorkload<'a> {
    id: &'a str,
    /// Defines one op.
    about: &'a str,
    definition: &'a Definition,
    /// SHA-256 over the ID and the definition, in hex.
    digest: String,
    /// Why it can't run here, as far as that is known.
    why_not: Option<String>,
    /// Whether its worker was started and knows it; programs of `--with` tables are started only for `--check`.
    is_checked: bool,
}

/// Servers, compilers and libraries of the apps pack.
const NOT_LOOKED_FOR: &str = "Programs and libraries that are not part of sizeup are looked for when a row begins: `run` says what it lacks.";

/// A workload, and what is known of whether it can run here.
struct Looked<'a> {
    workload: &'a Workload,
    why_not: Option<String>,
    is_checked: bool,
}

pub(super) fn list(args: &ListArgs, screen: &Screen) -> anyhow::Result<Exit> {
    let home = Home::find()?;
    let mut catalog = Catalog::load(&home, &args.folders)?;
    if !catalog.suites.contains_key(&args.what) {
        let mixes = NamedMix::all(&home)?;
        match (args.what.as_str(), mixes.get(&args.what), &args.text) {
            ("mixes", _, text) => return list_mixes(args, &mixes, text.as_deref(), screen),
            (_, Some(mix), None) => return list_mix(args, mix, &catalog, screen),
            _ => {}
        }
    }
    let suite = catalog.suites.get(&args.what);
    let is_of_all = matches!(args.what.as_str(), "suites" | "workloads");
    // Any other text is searched for among all workloads.
    let text = match (&args.text, is_of_all || suite.is_some()) {
        (None, false) => Some(&args.what),
        (Some(_), false) => {
            let near = near(&args.what, catalog.suites.keys());
            let names = catalog.suites.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            bail!(
                "no suite is named {:?}{near}. Use suites, workloads, mixes or a suite: {names}",
                args.what
            )
        }
        (text, true) => text.as_ref(),
    };
    if args.what == "suites" {
        if let Some(text) = text {
            catalog.suites.retain(|name, _| is_said(text, [name.as_str()]));
            if catalog.suites.is_empty() {
                bail!(
                    "no suite has {text:?} in its name; `sizeup list {text}` looks for workloads"
                );
            }
        }
        suites(args, &catalog, screen)?;
        return Ok(Exit::Fine);
    }
    if let Some(suite) = suite {
        let wanted: BTreeSet<String> =
            suite.categories.iter().flat_map(|category| &category.workloads).cloned().collect();
        catalog.workloads.retain(|id, _| wanted.contains(id));
    }
    let found = text.map(|text| find(text, &mut catalog)).transpose()?;
    workloads(args, &catalog, found, screen)?;
    Ok(Exit::Fine)
}

/// How a text was found.
#[derive(PartialEq)]
enum Found {
    /// In names, families or categories.
    Named,
    /// In descriptions alone, of work that is like it.
    Mentioned,
}

/// Keeps the workloads that a text is said of.
///
/// # Errors
/// When there is none: what may have been meant, and how to measure what sizeup does not have.
fn find(text: &str, catalog: &mut Catalog) -> anyhow::Result<Found> {
    let categories = catalog.suites.values().flat_map(|suite| &suite.categories);
    let categories: Vec<Category> = categories.cloned().collect();
    let names = |workload: &Workload| -> Vec<String> {
        let its = categories.iter().filter(|category| category.workloads.contains(&workload.id));
        let named = [workload.id.clone(), workload.definition.family.to_string()];
        named.into_iter().chain(its.map(|category| category.name.clone())).collect()
    };
    let is_named = |workload: &Workload| is_said(text, names(workload).iter().map(String::as_str));
    let all: BTreeSet<String> = catalog.workloads.values().flat_map(names).collect();
    let found = match catalog.workloads.values().any(is_named) {
        true => Found::Named,
        false => Found::Mentioned,
    };
    catalog
        .workloads
        .retain(|_, workload| is_named(workload) || is_said(text, [workload.about.as_str()]));
    if catalog.workloads.is_empty() {
        let near = near_said(text, all.iter().map(String::as_str));
        let near = if near.is_empty() { "." } else { &near };
        bail!("no workload has {text:?} in its name, family, category or description{near} {OWN}");
    }
    Ok(found)
}

fn suites(args: &ListArgs, catalog: &Catalog, screen: &Screen) -> anyhow::Result<()> {
    if args.json {
        return json::print(
            "list",
            None,
            &Briefing::default(),
            &catalog.suites.values().collect::<Vec<_>>(),
            &[],
        );
    }
    let mut table = Table::new([
        Heading::left("suite"),
        Heading::right("workloads"),
        Heading::right("budget").rank(1),
        Heading::left("about").wraps(),
    ]);
    for suite in catalog.suites.values() {
        let workloads: BTreeSet<&String> =
            suite.categories.iter().flat_map(|category| &category.workloads).collect();
        table.row([
            suite.name.clone(),
            workloads.len().to_string(),
            suite.budget.clone(),
            suite.about.clone(),
        ]);
    }
    let mut answer = Briefing::default();
    let suites = counted(catalog.suites.len(), "suite");
    answer.say(format!("{suites}; `sizeup list mixes` shows weights that others published."));
    answer.table("", table, "suites");
    answer.next("sizeup list NAME   # the workloads of a suite");
    answer.next("sizeup run --suite NAME");
    say(&answer, screen, args.extent)
}

/// A line a mix, of those whose names have a text.
fn list_mixes(
    args: &ListArgs,
    mixes: &BTreeMap<String, NamedMix>,
    text: Option<&str>,
    screen: &Screen,
) -> anyhow::Result<Exit> {
    let is_asked = |mix: &&NamedMix| text.is_none_or(|text| is_said(text, [mix.name.as_str()]));
    let listed: Vec<&NamedMix> = mixes.values().filter(is_asked).collect();
    if let (Some(text), []) = (text, &listed[..]) {
        bail!("no mix has {text:?} in its name; `sizeup list mixes` shows all");
    }
    let mut answer = Briefing::default();
    let count =
        if listed.len() == 1 { "1 mix".to_owned() } else { format!("{} mixes", listed.len()) };
    answer.say(format!("{count} with weights that others published."));
    let mut table = Table::new([
        Heading::left("mix"),
        Heading::right("workloads"),
        Heading::right("date").rank(1),
        Heading::left("about").wraps(),
    ]);
    for mix in &listed {
        let source = mix.source.as_ref();
        table.row([
            mix.name.clone(),
            mix.mix.demands.len().to_string(),
            source.map(|source| source.date.clone()).unwrap_or_default(),
            source.map(|source| source.about.clone()).unwrap_or_default(),
        ]);
    }
    answer.table("", table, "mixes");
    answer.next("sizeup list NAME   # its weights, their source, and what is only similar");
    answer.next("sizeup run --mix NAME");
    answer.next("sizeup score --mix NAME FILE FILE");
    show_mixes(args, &answer, &listed, screen)
}

/// The weights of a mix, and where they are from.
fn list_mix(
    args: &ListArgs,
    mix: &NamedMix,
    catalog: &Catalog,
    screen: &Screen,
) -> anyhow::Result<Exit> {
    let demanded = mix.mix.demands.iter().map(|demand| (demand.workload.as_str(), demand.weight));
    let lacks = mix.lacks.iter().map(|lack| (lack.what.as_str(), Some(lack.weight)));
    let all: f64 = demanded.clone().chain(lacks.clone()).filter_map(|(_, weight)| weight).sum();
    let share = |weight: Option<f64>| {
        weight.map_or_else(String::new, |weight| format!("{:.1} %", weight / all * 100.0))
    };
    let mut table = Table::new([
        Heading::left("workload"),
        Heading::right("weight"),
        Heading::left("about").shrinks(),
    ]);
    for (workload, weight) in demanded {
        let about = catalog.workloads.get(workload).map(|known| known.about.clone());
        table.row([workload.to_owned(), share(weight), about.unwrap_or_default()]);
    }
    let mut unlike =
        Table::new([Heading::right("weight"), Heading::left("no workload is like it").wraps()]);
    for (what, weight) in lacks {
        unlike.row([share(weight), what.to_owned()]);
    }
    let mut answer = Briefing::default();
    if let Some(source) = &mix.source {
        answer.say(format!("{}: {}.", mix.name, source.about));
        answer.note(format!("Weights of {}, {}.", source.by, source.date));
    }
    answer.table("", table, "workloads");
    if !mix.lacks.is_empty() {
        answer.table("", unlike, "parts");
    }
    if let Some(source) = &mix.source {
        let mut similar = Table::new([Heading::left("what is only similar").wraps()]);
        source.similar.iter().for_each(|note| similar.row([note.clone()]));
        answer.table("", similar, "notes");
    }
    answer.next(format!("sizeup run --mix {}", mix.name));
    answer.next(format!("sizeup score --mix {} FILE FILE", mix.name));
    show_mixes(args, &answer, &[mix], screen)
}

fn show_mixes(
    args: &ListArgs,
    answer: &Briefing,
    mixes: &[&NamedMix],
    screen: &Screen,
) -> anyhow::Result<Exit> {
    match args.json {
        true => json::print("list", None, &Briefing::default(), mixes, &[])?,
        false => say(answer, screen, args.extent)?,
    }
    Ok(Exit::Fine)
}

fn workloads(
    args: &ListArgs,
    catalog: &Catalog,
    found: Option<Found>,
    screen: &Screen,
) -> anyhow::Result<()> {
    // Whoever looks at tables does not want their programs to run.
    let is_checked = |workload: &Workload| args.check || !workload.program.is_own();
    let programs = catalog.workloads.values().filter(|workload| is_checked(workload));
    let programs = programs.map(|workload| &workload.program);
    let manifests = manifests(programs, PATIENCE, &Interrupt::default());
    let listed = catalog.workloads.values().map(|workload| {
        let is_checked = is_checked(workload);
        let why_not = is_checked.then(|| why_not(&workload.program, workload, &manifests));
        let why_not = why_not.flatten().or_else(|| workload.missing_command());
        Looked { workload, why_not, is_checked }
    });
    let listed: Vec<Looked> = listed.collect();
    if args.json {
        let all: Vec<ListedWorkload> = listed
            .into_iter()
            .map(|Looked { workload, why_not, is_checked }| ListedWorkload {
                id: &workload.id,
                about: &workload.about,
                definition: &workload.definition,
                digest: workload.definition.digest(&workload.id),
                why_not,
                is_checked,
            })
            .collect();
        return json::print("list", None, &Briefing::default(), &all, &[]);
    }
    let mut answer = Briefing::default();
    // Programs and libraries whose version a manifest can't name are not part of sizeup, and only a launch looks for them.
    let mut known = manifests.values().flatten();
    let needs_others = known.any(|listed| !listed.manifest.build.late_libraries.is_empty());
    answer.say(count(&listed, needs_others));
    if needs_others {
        answer.note(NOT_LOOKED_FOR);
    }
    if found == Some(Found::Mentioned) {
        answer.note("Only descriptions mention it.");
    }
    if found.is_some() || args.extent.all || args.what != "workloads" {
        answer.table("", each(&listed, catalog.suites.get(&args.what)), "workloads");
    } else {
        answer.table("", families(&listed), "families");
        answer.next("sizeup list workloads TEXT   # one by one, those whose name, family, category or description contains TEXT");
    }
    reasons(&mut answer, &listed);
    if listed.iter().any(|looked| !looked.is_checked) {
        answer
            .next("add --check   # start the programs of --with tables, to check their workloads");
    }
    say(&answer, screen, args.extent)
}

fn count(listed: &[Looked], needs_others: bool) -> String {
    let unable = listed.iter().filter(|looked| looked.why_not.is_some()).count();
    let unchecked = listed.iter().filter(|looked| !looked.is_checked).count();
    let workloads = counted(listed.len(), "workload");
    let unchecked = match unchecked {
        0 => String::new(),
        _ => format!("; {unchecked} not checked, because list starts no program of --with tables"),
    };
    match unable {
        0 if unchecked.is_empty() && !needs_others => format!("{workloads}; all can run here."),
        0 => format!("{workloads}{unchecked}."),
        unable => format!("{workloads}; {unable} can't run here{unchecked}."),
    }
}

/// A line a workload: a suite's by its categories, others by family.
fn each(listed: &[Looked], suite: Option<&Suite>) -> Table {
    let kind = if suite.is_some() { "category" } else { "family" };
    let mut table = Table::new([
        Heading::left(kind),
        Heading::left("workload"),
        Heading::left("runs here"),
        Heading::left("about").loses_end(),
    ]);
    let mut row = |kind: &str, looked: &Looked| {
        let Looked { workload, why_not, is_checked } = looked;
        let runs_here = match (why_not, is_checked) {
            (Some(_), _) => "no",
            (None, true) => "",
            (None, false) => "not checked",
        };
        table.row([kind, &workload.id, runs_here, &workload.about]);
    };
    match suite {
        Some(suite) => {
            for category in &suite.categories {
                let its = category.workloads.iter();
                let its = its.filter_map(|id| listed.iter().find(|it| it.workload.id == *id));
                its.for_each(|looked| row(&category.name, looked));
            }
        }
        None => {
            let family = |looked: &&Looked| looked.workload.definition.family.to_string();
            let mut listed: Vec<&Looked> = listed.iter().collect();
            listed.sort_by_key(family);
            listed.iter().for_each(|looked| row(&family(looked), looked));
        }
    }
    table
}

/// A line a family.
fn families(listed: &[Looked]) -> Table {
    let mut families: BTreeMap<String, Vec<&Workload>> = BTreeMap::new();
    for Looked { workload, .. } in listed {
        families.entry(workload.definition.family.to_string()).or_default().push(workload);
    }
    let mut table = Table::new([
        Heading::left("family"),
        Heading::right("workloads"),
        Heading::left("for example").rank(1),
        Heading::left("implementations").shrinks().rank(2),
    ]);
    for (family, workloads) in families {
        let implementations: BTreeSet<&str> =
            workloads.iter().filter_map(|workload| Some(workload.id.split_once('/')?.1)).collect();
        let implementations: Vec<&str> = implementations.into_iter().collect();
        table.row([
            family,
            workloads.len().to_string(),
            workloads[0].id.clone(),
            implementations.join(", "),
        ]);
    }
    table
}

/// Why workloads can't run here, each reason once.
fn reasons(answer: &mut Briefing, listed: &[Looked]) {
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for Looked { workload, why_not, .. } in listed {
        if let Some(why) = why_not {
            reasons.entry(why).or_default().push(&workload.id);
        }
    }
    for (why, ids) in reasons {
        let more =
            if ids.len() > 1 { format!(" and {} more", ids.len() - 1) } else { String::new() };
        answer.note(format!("{}{more} can't run here: {why}", ids[0]));
    }
}

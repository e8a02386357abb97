//! `sizeup report`.

use super::diagnostic;
use super::exit::Exit;
use super::groups::{GroupArgs, RUNS, ReadRun, Said, asked_for};
use super::link::link;
use super::notes;
use super::output::{Piece, check, write_all};
use super::price_args::{GroupPrices, PriceArgs};
use super::progress::Stage;
use super::reference;
use super::threads;
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use export::page::{Chart, Page, PageInput, PageRun, SHARE_CARD};
use jiff::Timestamp;
use judge::cost::check_view;
use judge::numbers::counted;
use rayon::prelude::*;
use record::ThreadSpec;
use std::path::{Path, PathBuf};
use std::{env, fs};
use terminal::Printable;

#[derive(Args)]
#[command(
    after_help = "Examples: sizeup report xeon.run.jsonl altra.run.jsonl -o report.html\n          \
                        sizeup report --group m6i=m6i-*.jsonl --group m7g=m7g-*.jsonl --prices prices.toml -o report.html\n          \
                        sizeup report xeon.run.jsonl altra.run.jsonl --format md --charts charts -o report.md\n\
                        The page is self-contained: it opens from disk or from an email and makes no network \
                        requests. Exit status 1 if the figures of a run must not be used."
)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    groups: GroupArgs,
    /// Group or file to compare the others with
    ///
    /// Readers can choose another. [default: the first; of three or more, this machine if it was measured, or else the cheapest if prices
    /// are known; of a folder, otherwise the machine that was measured first]
    #[arg(long, value_name = "NAME", help_heading = RUNS)]
    baseline: Option<String>,
    #[command(flatten)]
    prices: PriceArgs,
    /// Thread counts to show  [default: all, beside 1]
    ///
    /// The page opens with the first; Markdown and charts show each.
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = RUNS)]
    threads: Vec<ThreadSpec>,
    /// The file, or - for stdout  [default: report.*]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Format: html or md (Markdown)
    #[arg(
        long,
        default_value = "html",
        value_name = "FORMAT",
        hide_possible_values = true,
        help_heading = "Output"
    )]
    format: PageFormat,
    /// Also write every chart into this folder, as SVG and PNG
    ///
    /// Named NAME.svg and NAME.png; Markdown links to the latter.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    charts: Option<PathBuf>,
    /// Overwrite existing files, but never an input file
    #[arg(long, help_heading = "Output")]
    force: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PageFormat {
    /// A page that a browser shows
    Html,
    /// Markdown, for a pull request or a blog
    Md,
}

pub(super) fn report(args: &mut ReportArgs) -> anyhow::Result<Exit> {
    let output = args.output();
    let is_file = output != Path::new("-");
    if is_file {
        // Refuse an unwritable output before the work; input files are checked against it once they are read.
        check(&output, &args.groups.files, args.force)?;
    }
    let order = Order::of(&args.groups.files);
    let alone = args.groups.read_alone(args.baseline.as_deref())?;
    let of_variants = alone.map(|alone| of_variants(args, &alone)).transpose()?.flatten();
    let (mut page, inputs) = match of_variants {
        Some(of_variants) => of_variants,
        None => {
            // A single run is compared with the reference that is shipped.
            reference::add_reference(&mut args.groups);
            page_of(&args.groups, args.baseline.as_deref(), &args.prices, order)?
        }
    };
    page.show_threads(args.threads.iter().map(ToString::to_string).collect())
        .map_err(anyhow::Error::msg)?;
    let (charts, mut pieces) = match &args.charts {
        Some(folder) => pictures(folder, &page)?,
        None => (Vec::new(), Vec::new()),
    };
    let text = text(args, &page, &charts)?;
    if is_file {
        pieces.push(Piece { path: output.clone(), bytes: text.clone().into_bytes() });
    }
    write_all(&pieces, &inputs, args.force)?;
    if let Some(folder) = &args.charts {
        diagnostic(format_args!("wrote {} charts to {}", charts.len(), folder.display()));
    }
    if is_file {
        diagnostic(format_args!("wrote {}", output.display()));
    } else {
        super::print(Printable::lines(&text))?;
    }
    let is_fit = page.is_fit();
    Ok(if is_fit { Exit::Fine } else { Exit::CheckFailed })
}

/// Judges the variants of a single run by pairs, and lists the file it was read from. `None` for other runs.
fn of_variants(
    args: &ReportArgs,
    ReadRun { run, estimate }: &ReadRun,
) -> anyhow::Result<Option<(Page, Vec<PathBuf>)>> {
    let is_wanted = asked_for(&args.groups.workloads, &run.header);
    let mut page = Page::of_variants(run, estimate, args.groups.view, &is_wanted, made()?);
    if let Some(page) = &mut page {
        if !args.groups.allow.is_empty() || !args.prices.is_empty() {
            bail!("--allow, prices and watts need two runs or more; variants are judged by pairs");
        }
        let names = run.judged_cases().map(|(_, case)| &*case.workload);
        let mut wanted = names.filter(|name| is_wanted(name)).peekable();
        if wanted.peek().is_none() {
            return Err(Said::of(run).nothing_contains(&args.groups.workloads));
        }
        page.selection = Said::of(run).selection(&args.groups.workloads, wanted);
        notes::of_file(&run.path, &run.notes).iter().for_each(diagnostic);
    }
    Ok(page.map(|page| (page, vec![run.path.clone()])))
}

impl ReportArgs {
    fn output(&self) -> PathBuf {
        let usual = match self.format {
            PageFormat::Html => "report.html",
            PageFormat::Md => "report.md",
        };
        self.output.clone().unwrap_or_else(|| usual.into())
    }

    /// From where the report is written to a folder, as a link has it.
    fn way_to(&self, folder: &Path) -> anyhow::Result<String> {
        let output = self.output();
        let from = output.parent().unwrap_or(Path::new(""));
        link(from, folder).with_context(|| {
            format!("no path leads from {} to {}", output.display(), folder.display())
        })
    }
}

/// Who gave the order of the runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// The user, who named them.
    Named,
    /// The alphabet: they are those of a folder.
    Folder,
}

impl Order {
    fn of(files: &[PathBuf]) -> Self {
        if files.iter().any(|path| path.is_dir()) { Self::Folder } else { Self::Named }
    }
}

/// A run reduced to what the page needs.
struct Kept {
    shown: PageRun,
    /// Whether it was measured on this machine since it booted.
    is_here: bool,
    started_unix_ns: u64,
}

impl Kept {
    fn of(ReadRun { run, estimate }: &ReadRun, here: Option<&str>) -> Self {
        Self {
            shown: PageRun::of(run, estimate),
            is_here: here.is_some() && run.header.boot.as_deref() == here,
            started_unix_ns: run.header.started_unix_ns,
        }
    }
}

/// The group to compare the others with, where none was named.
fn usual_baseline(runs: &[Vec<Kept>], found: &[GroupPrices], order: Order) -> usize {
    if order == Order::Named && runs.len() <= 2 {
        return 0;
    }
    let here = runs.iter().position(|runs| runs.iter().any(|run| run.is_here));
    let priced =
        found.iter().enumerate().filter_map(|(place, prices)| Some((place, prices.first()?)));
    let cheapest = || priced.min_by(|(_, one), (_, other)| one.per_hour.total_cmp(&other.per_hour));
    let usual = || match order {
        Order::Named => 0,
        Order::Folder => {
            let started = |place: &usize| runs[*place].iter().map(|run| run.started_unix_ns).min();
            (0..runs.len()).min_by_key(started).unwrap_or_default()
        }
    };
    here.or_else(|| cheapest().map(|(place, _)| place)).unwrap_or_else(usual)
}

/// A report on runs, with the files that it was read from.
pub(super) fn page_of(
    args: &GroupArgs,
    baseline: Option<&str>,
    prices: &PriceArgs,
    order: Order,
) -> anyhow::Result<(Page, Vec<PathBuf>)> {
    let made = made()?;
    let here = machine::boot(Path::new("/"));
    let stage = Stage::of(format!("reading {}", counted(args.files.len(), "run")));
    let groups =
        args.read_against_keeping(baseline, |read: &ReadRun| Kept::of(read, here.as_deref()))?;
    drop(stage);
    let (groups, runs): (Vec<_>, Vec<_>) = groups.into_iter().unzip();
    notes::merged(&groups).iter().for_each(diagnostic);
    let found = prices.find_all(&groups)?;
    if found.iter().any(|prices| !prices.all.is_empty() || prices.watts.is_some()) {
        check_view(groups[0].view).map_err(|what| anyhow::anyhow!("{what}"))?;
    }
    let paths = groups.iter().flat_map(|group| &group.runs).map(|run| run.path.as_path());
    let files = paths.chain(prices.file()).map(Path::to_owned).collect();
    let first = if baseline.is_some() { 0 } else { usual_baseline(&runs, &found, order) };
    let inputs = groups.into_iter().zip(runs).zip(found).map(|((group, runs), found)| PageInput {
        group,
        runs: runs.into_iter().map(|run| run.shown).collect(),
        prices: found.all,
        watts: found.watts,
    });
    let mut inputs: Vec<PageInput> = inputs.collect();
    if first > 0 {
        inputs[..=first].rotate_right(1);
    }
    let _stage = Stage::of(format!("comparing {}", counted(inputs.len(), "machine")));
    Ok((Page::of(inputs, &args.allow, made), files))
}

/// Now, or what `SOURCE_DATE_EPOCH` says (<https://reproducible-builds.org/specs/source-date-epoch/>): the same runs then
/// give the same bytes.
fn made() -> anyhow::Result<Timestamp> {
    let Some(said) = env::var_os("SOURCE_DATE_EPOCH") else {
        return Ok(Timestamp::from_nanosecond(record::wall_clock_ns()?.into())?);
    };
    let seconds = said.to_str().and_then(|said| said.parse().ok());
    let time = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
    time.with_context(|| {
        format!("SOURCE_DATE_EPOCH is {said:?}: set it to whole seconds since 1970, or unset it")
    })
}

fn text(args: &ReportArgs, page: &Page, charts: &[Chart]) -> anyhow::Result<String> {
    match (args.format, &args.charts) {
        (PageFormat::Html, None) => export::page::html(page, None),
        (PageFormat::Html, Some(folder)) => {
            let card = args.way_to(folder)? + &format!("{SHARE_CARD}.png");
            export::page::html(page, Some(&card))
        }
        (PageFormat::Md, None) => export::page::markdown(page, &[]),
        (PageFormat::Md, Some(folder)) => {
            let way = args.way_to(folder)?;
            let links = charts.iter().map(|chart| format!("{way}{}.png", chart.name));
            export::page::markdown(page, &links.collect::<Vec<_>>())
        }
    }
}

/// The charts and their files; makes the folder.
fn pictures(folder: &Path, page: &Page) -> anyhow::Result<(Vec<Chart>, Vec<Piece>)> {
    let charts = export::page::charts(page)?;
    fs::create_dir_all(folder).with_context(|| format!("{} can't be created", folder.display()))?;
    let both = |chart: &Chart| {
        let Chart { name, svg, .. } = chart;
        let png =
            export::page::png(chart).with_context(|| format!("chart {name} can't be drawn"))?;
        let piece = |end: &str, bytes| Piece { path: folder.join(format!("{name}.{end}")), bytes };
        Ok([piece("svg", svg.clone().into_bytes()), piece("png", png)])
    };
    threads::start();
    let pairs: anyhow::Result<Vec<_>> = charts.par_iter().map(both).collect();
    let pieces = pairs?.into_iter().flatten().collect();
    Ok((charts, pieces))
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::Price;

    /// Runs of machines: whether they are of this one, and when they began.
    fn runs(all: &[(bool, u64)]) -> Vec<Vec<Kept>> {
        let plain = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testkit/runs/plain.jsonl");
        let read = ReadRun::read(&plain).unwrap();
        let kept = all.iter().map(|(is_here, started_unix_ns)| {
            let shown = PageRun::of(&read.run, &read.estimate);
            vec![Kept { shown, is_here: *is_here, started_unix_ns: *started_unix_ns }]
        });
        kept.collect()
    }

    fn prices(all: &[Option<f64>]) -> Vec<GroupPrices> {
        let group_prices = |per_hour: &Option<f64>| GroupPrices {
            all: per_hour.iter().map(|it| Price { per_hour: *it, ..Price::default() }).collect(),
            ..GroupPrices::default()
        };
        all.iter().map(group_prices).collect()
    }

    #[test]
    fn the_baseline_is_this_machine_or_the_cheapest_or_the_first_and_never_that_of_the_alphabet() {
        let baseline = |machines: &[(bool, u64)], priced: &[Option<f64>], order| {
            usual_baseline(&runs(machines), &prices(priced), order)
        };
        let (here, there) = ((true, 5), (false, 5));
        let unpriced = [None; 3];
        let priced = [None, Some(3.0), Some(2.0)];
        assert_eq!(baseline(&[there, here, there], &priced, Order::Named), 1);
        assert_eq!(baseline(&[there, there, there], &priced, Order::Named), 2);
        assert_eq!(baseline(&[there, there, there], &unpriced, Order::Named), 0);
        // Two stand as they were named.
        assert_eq!(baseline(&[there, here], &[None, Some(2.0)], Order::Named), 0);
        let measured = [(false, 7), (false, 6), (false, 6)];
        assert_eq!(baseline(&measured, &unpriced, Order::Folder), 1);
        assert_eq!(baseline(&measured[..2], &[Some(1.0), Some(2.0)], Order::Folder), 0);
    }
}

//! `sizeup report`.

use super::diagnostic;
use super::exit::Exit;
use super::groups::{GroupArgs, RUNS, ReadRun, Said, asked_for};
use super::link::link;
use super::notes;
use super::output::{Piece, check, write_all};
use super::price_args::PriceArgs;
use super::reference;
use super::threads;
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use jiff::Timestamp;
use judge::cost::check_view;
use page::{Chart, Page, PageInput, PageRun, SHARE_CARD};
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
    /// The group or file to compare the others with  [default: the first]
    ///
    /// Until the reader chooses another.
    #[arg(long, value_name = "NAME", help_heading = RUNS)]
    baseline: Option<String>,
    #[command(flatten)]
    prices: PriceArgs,
    /// Thread counts to show, e.g. 1 or 1,all  [default: all, beside 1]
    ///
    /// The page opens with the first; Markdown and charts show each.
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = RUNS)]
    threads: Vec<ThreadSpec>,
    /// The file to write; - is stdout  [default: report.html or report.md]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// What to make: html, or md for a pull request or a blog
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
        // What can't be written is refused before the work; the files that were read are checked behind it.
        check(&output, &args.groups.files, args.force)?;
    }
    let alone = args.groups.read_alone(args.baseline.as_deref())?;
    let of_variants = alone.map(|alone| of_variants(args, &alone)).transpose()?.flatten();
    let (mut page, inputs) = match of_variants {
        Some(of_variants) => of_variants,
        None => {
            // A single run is compared with the reference that is shipped.
            if let Some(reference) = reference::reference_for_single(&args.groups) {
                reference::stand_against(&mut args.groups, reference);
            }
            page_of(&args.groups, args.baseline.as_deref(), &args.prices)?
        }
    };
    page.of_workloads(args.groups.workloads.clone());
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

/// Of a single run with variants these are judged, pair by pair: the page, and the file that it was read from.
fn of_variants(
    args: &ReportArgs,
    ReadRun { run, estimate }: &ReadRun,
) -> anyhow::Result<Option<(Page, Vec<PathBuf>)>> {
    let is_wanted = asked_for(&args.groups.workloads, &run.header);
    let page = Page::of_variants(run, estimate, args.groups.view, &is_wanted, made()?);
    if page.is_some() {
        if !args.groups.allow.is_empty() || !args.prices.is_empty() {
            bail!("--allow, prices and watts need two runs or more; variants are judged by pairs");
        }
        if !run.judged_cases().any(|(_, case)| is_wanted(&case.workload)) {
            return Err(Said::of(run).nothing_contains(&args.groups.workloads));
        }
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

/// What a report on runs shows, and the files that it was read from.
pub(super) fn page_of(
    args: &GroupArgs,
    baseline: Option<&str>,
    prices: &PriceArgs,
) -> anyhow::Result<(Page, Vec<PathBuf>)> {
    let made = made()?;
    let groups = args
        .read_against_keeping(baseline, |read: &ReadRun| PageRun::of(&read.run, &read.estimate))?;
    let (groups, runs): (Vec<_>, Vec<_>) = groups.into_iter().unzip();
    notes::tell_notes(&groups);
    let found = prices.find_all(&groups)?;
    if found.iter().any(|of| !of.all.is_empty() || of.watts.is_some()) {
        check_view(groups[0].view).map_err(|what| anyhow::anyhow!("{what}"))?;
    }
    let paths = groups.iter().flat_map(|group| &group.runs).map(|run| run.path.as_path());
    let files = paths.chain(prices.file()).map(Path::to_owned).collect();
    let inputs = groups.into_iter().zip(runs).zip(found).map(|((group, runs), found)| PageInput {
        group,
        runs,
        prices: found.all,
        watts: found.watts,
    });
    Ok((Page::of(inputs.collect(), &args.allow, made), files))
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
        (PageFormat::Html, None) => page::html(page, None),
        (PageFormat::Html, Some(folder)) => {
            let card = args.way_to(folder)? + &format!("{SHARE_CARD}.png");
            page::html(page, Some(&card))
        }
        (PageFormat::Md, None) => page::markdown(page, &[]),
        (PageFormat::Md, Some(folder)) => {
            let way = args.way_to(folder)?;
            let links = charts.iter().map(|chart| format!("{way}{}.png", chart.name));
            page::markdown(page, &links.collect::<Vec<_>>())
        }
    }
}

/// The charts and their files; makes the folder.
fn pictures(folder: &Path, page: &Page) -> anyhow::Result<(Vec<Chart>, Vec<Piece>)> {
    let charts = page::charts(page)?;
    fs::create_dir_all(folder).with_context(|| format!("{} can't be created", folder.display()))?;
    let both = |chart: &Chart| {
        let Chart { name, svg, .. } = chart;
        let png = page::png(chart).with_context(|| format!("chart {name} can't be drawn"))?;
        let piece = |end: &str, bytes| Piece { path: folder.join(format!("{name}.{end}")), bytes };
        Ok([piece("svg", svg.clone().into_bytes()), piece("png", png)])
    };
    threads::start();
    let pairs: anyhow::Result<Vec<_>> = charts.par_iter().map(both).collect();
    let pieces = pairs?.into_iter().flatten().collect();
    Ok((charts, pieces))
}

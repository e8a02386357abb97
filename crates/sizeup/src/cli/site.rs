//! `sizeup site`.

use super::diagnostic;
use super::exit::Exit;
use super::groups::{GroupArgs, RUNS};
use super::names::one_of;
use super::output::{Piece, write_all};
use super::price_args::PriceArgs;
use super::progress::Stage;
use super::report::{Order, page_of};
use anyhow::{Context, bail};
use clap::Args;
use estimate::ViewKind;
use export::page::SHARE_CARD;
use judge::compare::MustMatch;
use record::ReadError;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Files of a folder whose names end so are runs.
const RUN: &str = ".run.jsonl";
/// The folder of a site's pages of workloads.
const WORKLOADS: &str = "workload";
/// Marks a generated page, within its first `MARK_WITHIN` bytes. A report, which anyone may have put there, has it further down
/// and in other letters.
const MARK: &str = r#"<meta name="generator" content="sizeup"/>"#;
const MARK_WITHIN: u64 = 1024;

#[derive(Args)]
#[command(after_help = "Example: sizeup site runs --prices prices.toml -o site\n\
                        Writes index.html (all machines, any two of them), report.html (the report on all) and workload/ (a page \
                        per workload). Open it from a disk or serve it as it is. Exit status 1 if a run must not be trusted.")]
pub(super) struct SiteArgs {
    /// The folder with the runs (*.run.jsonl), without its subfolders
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Group files whose runs have the same label
    #[arg(long, help_heading = RUNS)]
    by_label: bool,
    /// Group or file to compare the others with
    ///
    /// Readers can choose another. [default: this machine if it was measured, or else the cheapest if prices are known, or else the
    /// machine that was measured first]
    #[arg(long, value_name = "NAME", help_heading = RUNS)]
    baseline: Option<String>,
    /// Accept these differences between rows
    #[arg(long, value_delimiter = ',', value_name = "KINDS", value_parser = one_of(MustMatch::ALLOWABLE), hide_possible_values = true,
        help_heading = RUNS)]
    allow: Vec<MustMatch>,
    /// Samples to judge: uncontended, delivered or per-ghz
    ///
    /// Uncontended by default; delivered takes all samples, per-ghz divides by the clock.
    #[arg(long, value_name = "VIEW", value_parser = one_of(ViewKind::ALL), hide_possible_values = true, help_heading = RUNS)]
    view: Option<ViewKind>,
    #[command(flatten)]
    prices: PriceArgs,
    /// The folder to write, empty or new
    #[arg(short, long, value_name = "DIR", default_value = "site", help_heading = "Output")]
    output: PathBuf,
    /// Overwrite existing files, but never an input file
    ///
    /// Also removes workload pages left from an older site.
    #[arg(long, help_heading = "Output")]
    force: bool,
}

pub(super) fn site(args: &SiteArgs) -> anyhow::Result<Exit> {
    let groups = GroupArgs {
        files: runs(&args.folder)?,
        by_label: args.by_label,
        allow: args.allow.clone(),
        view: args.view,
        ..GroupArgs::default()
    };
    check_empty(&args.output, args.force)?;
    let (page, inputs) = page_of(&groups, args.baseline.as_deref(), &args.prices, Order::Folder)
        .map_err(|e| what_to_do(e, &groups.files, &args.folder))?;
    let piece =
        |name: &str, html: String| Piece { path: args.output.join(name), bytes: html.into_bytes() };
    let image = format!("{SHARE_CARD}.png");
    let stage = Stage::of("writing pages".to_owned());
    let site = export::page::site(&page, &image)?;
    let card = export::page::png(&site.card)?;
    drop(stage);
    let mut pieces = vec![piece("report.html", site.report)];
    pieces.extend(site.pages.into_iter().map(|file| piece(&file.path, file.html)));
    let workloads = args.output.join(WORKLOADS);
    fs::create_dir_all(&workloads)
        .with_context(|| format!("{} can't be created", workloads.display()))?;
    let page_count = pieces.len();
    pieces.push(Piece { path: args.output.join(image), bytes: card });
    write_all(&pieces, &inputs, args.force)?;
    remove_older(&workloads, &pieces)?;
    diagnostic(format_args!("wrote {page_count} pages to {}", args.output.display()));
    let is_fit = page.is_fit();
    Ok(if is_fit { Exit::Fine } else { Exit::CheckFailed })
}

/// In the order of their names.
fn runs(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let (mut files, others): (Vec<_>, Vec<_>) =
        entries(folder)?.into_iter().partition(|path| is_run(path));
    files.sort();
    let deeper = others.iter().filter_map(|folder| entries(folder).ok()).flatten();
    let deeper = deeper.filter(|path| is_run(path)).count();
    if deeper > 0 {
        diagnostic(format_args!(
            "skipped {deeper} files ending in {RUN} in subfolders of {}: a site covers one folder",
            folder.display()
        ));
    }
    if files.is_empty() {
        bail!("no file in {} ends in {RUN}", folder.display());
    }
    Ok(files)
}

fn entries(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).and_then(|all| all.map(|entry| Ok(entry?.path())).collect());
    entries.with_context(|| format!("{} can't be read", folder.display()))
}

fn is_run(path: &Path) -> bool {
    path.to_string_lossy().ends_with(RUN)
}

/// A run of the folder that can't be read is not passed over: a site without it would look whole.
fn what_to_do(error: anyhow::Error, files: &[PathBuf], folder: &Path) -> anyhow::Error {
    match error.downcast_ref::<ReadError>() {
        Some(what) if files.iter().any(|file| file == what.path()) => anyhow::anyhow!(
            "{what}. Fix it or move it out of {}: a site shows all runs there",
            folder.display()
        ),
        _ => error,
    }
}

fn check_empty(folder: &Path, over: bool) -> anyhow::Result<()> {
    let is_full = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    if is_full && !over {
        bail!("{} is not empty. Choose another folder with -o or use --force", folder.display());
    }
    Ok(())
}

/// Removes pages that an older site had and this one has not. Nothing else goes: neither links nor what is behind them,
/// nor any file that is no page of a workload.
fn remove_older(folder: &Path, pieces: &[Piece]) -> anyhow::Result<()> {
    if folder.is_symlink() {
        return Ok(());
    }
    for path in entries(folder)? {
        let is_new = pieces.iter().any(|piece| piece.path == path);
        if !is_new && is_page(&path).unwrap_or(false) {
            let shown = path.display();
            fs::remove_file(&path).with_context(|| format!("{shown} can't be removed"))?;
            diagnostic(format_args!("removed {shown}, left from an older site"));
        }
    }
    Ok(())
}

fn is_page(path: &Path) -> io::Result<bool> {
    if !path.symlink_metadata()?.is_file() {
        return Ok(false);
    }
    let mut first = Vec::new();
    foreign::open(path)?.take(MARK_WITHIN).read_to_end(&mut first)?;
    Ok(String::from_utf8_lossy(&first).contains(MARK))
}

//! `sizeup report`.

use super::exit::Exit;
use super::groups::{GroupArgs, tell_notes};
use super::prices::PriceArgs;
use super::talk;
use crate::cost::check_currencies;
use crate::report::page::{self, Page, PageInput, Sheet};
use anyhow::{Context, bail};
use clap::Args;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(
    after_help = "Examples: sizeup report xeon.run.jsonl altra.run.jsonl -o report.html\n          \
                        sizeup report --group m6i=m6i-*.jsonl --group m7g=m7g-*.jsonl --prices prices.toml -o report.html\n\
                        The page holds all that it needs: it opens from a disk or a mail, and asks no network for \
                        anything. Exit status 1 if a run must not be trusted."
)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    groups: GroupArgs,
    /// The group or file that the others are compared to until the reader chooses another  [default: the first]
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    #[command(flatten)]
    prices: PriceArgs,
    /// The file to write
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
    /// Write over the file if it is there
    #[arg(long)]
    force: bool,
}

pub(super) fn report(args: &ReportArgs) -> anyhow::Result<Exit> {
    let groups = args.groups.read_against_keeping(args.baseline.as_deref(), Sheet::of)?;
    let (groups, sheets): (Vec<_>, Vec<_>) = groups.into_iter().unzip();
    tell_notes(&groups);
    let prices = args.prices.find(&groups)?;
    check_currencies(prices.iter().flatten()).map_err(|what| anyhow::anyhow!("{what}"))?;
    let inputs = groups.into_iter().zip(sheets).zip(prices).map(|((group, sheets), price)| {
        let watts = args.prices.rated(&group).or(price.as_ref().and_then(|price| price.watts));
        PageInput { group, sheets, price, watts }
    });
    let made = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    let page = Page::of(inputs.collect(), &args.groups.allow, made);
    write(&args.output, &page::html(&page)?, args.force)?;
    talk(format_args!("{} is written", args.output.display()));
    let is_fit = page.groups.iter().all(|group| !group.is_unfit);
    Ok(if is_fit { Exit::Fine } else { Exit::CheckFailed })
}

fn write(path: &Path, text: &str, over: bool) -> anyhow::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(!over).create(over).truncate(over);
    match options.open(path) {
        Ok(mut file) => file.write_all(text.as_bytes()),
        Err(e) if e.kind() == ErrorKind::AlreadyExists => {
            bail!("{} is there already: name another by -o, or say --force", path.display())
        }
        Err(e) => Err(e),
    }
    .with_context(|| format!("{} can't be written", path.display()))
}

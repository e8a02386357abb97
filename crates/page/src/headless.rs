//! The page's pictures and words without a browser: the same program in an engine of its own. It sees nothing but the
//! page's data, and may take this much memory and no more.

use super::Page;
use anyhow::{Context as _, bail};
use rquickjs::prelude::Rest;
use rquickjs::{CatchResultExt, CaughtError, Context, Function, Runtime};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::thread;

/// What `npm run build` made of `report/src/headless/`.
const PROGRAM: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../report/dist/headless.js"));
/// The style of the page, which a site's pages share.
const STYLE: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../report/dist/style.css"));
pub(super) const MEMORY_BYTES: usize = 2 << 30;
const STACK_BYTES: usize = 16 << 20;
/// The engine measures its own stack only, and not what its C functions take in between.
const THREAD_STACK_BYTES: usize = 2 * STACK_BYTES;
const LONGEST_NAME: usize = 80;
/// The name of the share card among the pictures of a page.
pub const SHARE_CARD: &str = "share-card";

/// A picture of a report.
#[derive(Debug, Deserialize)]
pub struct Chart {
    /// What a file of it may be called: small letters, digits and hyphens.
    pub name: String,
    /// The picture.
    pub svg: String,
    /// How many pixels of a PNG file a pixel is.
    pub scale: f32,
}

/// What other sites show of a link to a page.
#[derive(Debug, Deserialize)]
pub(super) struct Description {
    pub title: String,
    pub text: String,
}

/// The headline and the figures behind it.
pub(super) fn description(page: &Page) -> anyhow::Result<Description> {
    let written = call("describe", &[&serde_json::to_string(page)?], MEMORY_BYTES);
    serde_json::from_str(&written.context("no description can be written")?)
        .context("no description can be written")
}

/// The answer as a picture of 1200×630 pixels, which sites show beside a link.
///
/// # Errors
/// When the program fails, or takes more memory than it may.
pub fn share_card(page: &Page) -> anyhow::Result<Chart> {
    let drawn = call("drawCard", &[&serde_json::to_string(page)?], MEMORY_BYTES);
    let card: Chart = serde_json::from_str(&drawn.context("no share card can be drawn")?)?;
    check_names(std::slice::from_ref(&card))?;
    Ok(card)
}

/// All pictures of a page as it is before a reader chooses anything.
///
/// # Errors
/// When the program fails, or takes more memory than it may.
pub fn charts(page: &Page) -> anyhow::Result<Vec<Chart>> {
    let json = serde_json::to_string(page)?;
    let drawn = call("drawCharts", &[&json], MEMORY_BYTES).context("no charts can be drawn")?;
    let charts: Vec<Chart> = serde_json::from_str(&drawn).context("no charts can be drawn")?;
    check_names(&charts)?;
    Ok(charts)
}

/// The page as Markdown, with links to its pictures in the order of [`charts`] if they are files.
///
/// # Errors
/// When the program fails, or takes more memory than it may.
pub fn markdown(page: &Page, links: &[String]) -> anyhow::Result<String> {
    let (json, links) = (serde_json::to_string(page)?, serde_json::to_string(links)?);
    call("writeMarkdown", &[&json, &links], MEMORY_BYTES).context("no Markdown can be written")
}

/// A page of a site.
#[derive(Debug, Deserialize)]
pub struct SitePage {
    /// Where it lies in the site's folder.
    pub path: String,
    /// All of it.
    pub html: String,
}

/// The pages of a site but for the report itself.
///
/// # Errors
/// When the program fails, takes more memory than it may, or names a page that would lie elsewhere.
pub fn site(page: &Page) -> anyhow::Result<Vec<SitePage>> {
    let json = serde_json::to_string(page)?;
    let written =
        call("writeSite", &[&json, STYLE], MEMORY_BYTES).context("no site can be written")?;
    let pages: Vec<SitePage> = serde_json::from_str(&written).context("no site can be written")?;
    for SitePage { path, .. } in &pages {
        let name = path.strip_prefix("workload/").unwrap_or(path).strip_suffix(".html");
        if !name.is_some_and(is_harmless) {
            bail!("{path:?} can't be the name of a page");
        }
    }
    Ok(pages)
}

/// Names become names of files: whatever the program says, no name leads elsewhere, and none is there twice.
fn check_names(charts: &[Chart]) -> anyhow::Result<()> {
    let mut known = BTreeSet::new();
    for Chart { name, .. } in charts {
        if !is_harmless(name) || !known.insert(name) {
            bail!("{name:?} can't be the name of a chart");
        }
    }
    Ok(())
}

fn is_harmless(name: &str) -> bool {
    let is_plain = name.bytes().all(|c| matches!(c, b'a'..=b'z' | b'0'..=b'9' | b'-'));
    is_plain && !name.is_empty() && name.len() <= LONGEST_NAME
}

/// What a function of the program answers. It gets a thread of its own for its stack.
pub(super) fn call(
    function: &str,
    arguments: &[&str],
    memory_bytes: usize,
) -> anyhow::Result<String> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(THREAD_STACK_BYTES);
        let call = thread.spawn_scoped(scope, || call_here(function, arguments, memory_bytes));
        let call = call.context("no thread can be started")?;
        call.join().unwrap_or_else(|_| bail!("the engine failed"))
    })
}

fn call_here(function: &str, arguments: &[&str], memory_bytes: usize) -> anyhow::Result<String> {
    let runtime = Runtime::new()?;
    runtime.set_memory_limit(memory_bytes);
    runtime.set_max_stack_size(STACK_BYTES);
    Context::full(&runtime)?.with(|context| {
        let answer = context.eval::<(), _>(PROGRAM).and_then(|()| {
            let function: Function = context.globals().get(function)?;
            function.call::<_, String>((Rest(arguments.to_vec()),))
        });
        answer.catch(&context).map_err(|error| anyhow::anyhow!("{}", said(&error)))
    })
}

/// What went wrong, without the program's stack.
fn said(error: &CaughtError) -> String {
    match error {
        CaughtError::Exception(exception) => {
            exception.message().unwrap_or_else(|| "it doesn't say why".to_owned())
        }
        // There was no memory left to say so.
        CaughtError::Value(value) if value.is_null() => "it ran out of memory".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(function: &str, argument: &str, memory_bytes: usize) -> String {
        call(function, &[argument], memory_bytes).expect_err("it fails").to_string()
    }

    fn chart(name: &str) -> Chart {
        Chart { name: name.to_owned(), svg: String::new(), scale: 2.0 }
    }

    #[test]
    fn what_the_program_throws_is_a_message() {
        let message = message("drawCharts", "{", MEMORY_BYTES);
        assert!(message.contains("JSON") || message.contains("expect"), "{message}");
    }

    #[test]
    fn memory_that_runs_out_is_a_message() {
        let argument = format!("[{}0]", "{},".repeat(1_000_000));
        for mib in [1, 2, 4, 8, 12, 16, 24, 32, 48] {
            let message = message("drawCharts", &argument, mib << 20);
            assert!(message.contains("memory"), "{mib} MiB: {message}");
        }
    }

    #[test]
    fn a_stack_that_runs_out_is_a_message() {
        let argument = "[".repeat(10_000_000);
        let message = message("drawCharts", &argument, MEMORY_BYTES);
        assert!(message.contains("stack"), "{message}");
    }

    #[test]
    fn a_name_that_leads_elsewhere_is_refused() {
        for name in ["", "..", "a/b", "A", "a b", "a.svg", "ä", &"a".repeat(81)] {
            assert!(check_names(&[chart(name)]).is_err(), "{name}");
        }
        assert!(check_names(&[chart("a"), chart("a")]).is_err());
        assert!(check_names(&[chart("family-key-exchange"), chart("scores")]).is_ok());
    }
}

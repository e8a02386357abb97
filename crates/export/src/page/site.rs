//! A folder of pages about a folder of runs, of which the program writes all but the report.

use super::Page;
use super::headless::{ALLOWANCE, Chart, Description, call, check_names, is_harmless};
use super::html::filled;
use anyhow::{Context, bail};
use serde::Deserialize;

/// The style of the page, which a site's pages share.
const STYLE: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../report/dist/style.css"));

/// A page of a site.
#[derive(Debug, Deserialize)]
pub struct SitePage {
    /// Where it lies in the site's folder.
    pub path: String,
    /// All of it.
    pub html: String,
}

/// All of a site.
#[derive(Debug)]
pub struct Site {
    /// The report, which the pages link to.
    pub report: String,
    /// All other pages.
    pub pages: Vec<SitePage>,
    /// The answer as a picture of 1200×630 pixels, which other sites show beside a link.
    pub card: Chart,
}

/// A site as the program writes it: at once, for reading the data takes it longer than most pages.
#[derive(Deserialize)]
struct Written {
    pages: Vec<SitePage>,
    card: Chart,
    description: Description,
}

/// The pages of a site; `image` is where its share card lies.
///
/// # Errors
/// When the program fails, takes more memory than it may, or names a page that would lie elsewhere.
pub fn site(page: &Page, image: &str) -> anyhow::Result<Site> {
    let json = serde_json::to_string(page)?;
    let written =
        call("writeSite", &[&json, STYLE], ALLOWANCE).context("no site can be written")?;
    let Written { pages, card, description } =
        serde_json::from_str(&written).context("no site can be written")?;
    check_names(std::slice::from_ref(&card))?;
    for SitePage { path, .. } in &pages {
        let name = path.strip_prefix("workload/").unwrap_or(path).strip_suffix(".html");
        if !name.is_some_and(is_harmless) {
            bail!("{path:?} can't be the name of a page");
        }
    }
    Ok(Site { report: filled(&json, &description, Some(image))?, pages, card })
}

//! Facts about the machine that the user states: arguments of `run`.

use anyhow::{Context, anyhow, bail};
use clap::Args;
use record::{UserFact, UserFacts, user_facts};
use std::path::{Path, PathBuf};

#[derive(Args, Clone)]
#[command(next_help_heading = super::run_args::FILE)]
pub(super) struct FactArgs {
    /// A fact about this machine, e.g. tdp_w=250
    ///
    /// Or process_nm=5, memory="8 × DDR5-4800": kept in the run file as your words, and shown beside those of other machines. Can
    /// be given more than once.
    #[arg(long = "fact", value_name = "KEY=VALUE")]
    pub fact: Vec<UserFact>,
    /// A TOML file of such facts, a line each: KEY = VALUE
    #[arg(long, value_name = "FILE")]
    pub facts: Option<PathBuf>,
}

impl FactArgs {
    /// All of them.
    pub fn read(&self) -> anyhow::Result<UserFacts> {
        let of_file = self.facts.as_deref().map(of_file).transpose()?.unwrap_or_default();
        user_facts(of_file.into_iter().chain(self.fact.iter().cloned())).map_err(|e| anyhow!(e))
    }
}

fn of_file(path: &Path) -> anyhow::Result<Vec<UserFact>> {
    let name = path.display();
    let text = catalog::read_text(path).map_err(|what| anyhow!("{name}: {what}"))?;
    let table: toml::Table = toml::from_str(&text).map_err(|e| {
        let before = text.get(..e.span().unwrap_or_default().start).unwrap_or_default();
        anyhow!("{name}:{}: {}", before.matches('\n').count() + 1, e.message())
    })?;
    table.iter().map(|(key, value)| fact(key, value).with_context(|| format!("{name}"))).collect()
}

fn fact(key: &str, value: &toml::Value) -> anyhow::Result<UserFact> {
    let value = match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Array(_) | toml::Value::Table(_) => {
            bail!("the fact {key:?} is not a text, a number, a date or a truth value")
        }
        plain => plain.to_string(),
    };
    UserFact::new(key, &value).map_err(|e| anyhow!(e))
}

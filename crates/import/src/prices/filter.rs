//! Prices that a user selects from lists, and the alternatives that lists have where nothing matches.

use catalog::Price;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// So many of a list's names are told.
const MOST_NAMED: usize = 10;

/// Regions and parts of instance types' names, either of which may be empty: all are wanted. Keeps what it has seen.
#[derive(Debug)]
pub struct Filter<'a> {
    regions: &'a [String],
    instances: &'a [String],
    has_prices: Cell<bool>,
    has_region: Cell<bool>,
    known_regions: RefCell<Names>,
    /// In regions that are wanted.
    known_instances: RefCell<Names>,
}

impl<'a> Filter<'a> {
    /// Takes the values of `--region` and `--instance`; empty selects all.
    pub fn new(regions: &'a [String], instances: &'a [String]) -> Self {
        Self {
            regions,
            instances,
            has_prices: Cell::new(false),
            has_region: Cell::new(false),
            known_regions: RefCell::default(),
            known_instances: RefCell::default(),
        }
    }

    /// Whether a price is asked for.
    pub fn lets_pass(&self, price: &Price) -> bool {
        self.has_prices.set(true);
        if let Some(region) = &price.region {
            self.known_regions.borrow_mut().note(region);
        }
        let is_there = |region: &String| price.region.as_ref() == Some(region);
        if !self.regions.is_empty() && !self.regions.iter().any(is_there) {
            return false;
        }
        self.has_region.set(true);
        self.known_instances.borrow_mut().note(&price.label);
        let is_it = |text: &String| price.label.contains(text.as_str());
        self.instances.is_empty() || self.instances.iter().any(is_it)
    }

    /// Whether a price was in a region that is asked for.
    pub fn has_region(&self) -> bool {
        self.has_region.get()
    }

    /// Why no price of these files passed, and what they have.
    pub fn why_none(&self, files: &[PathBuf]) -> String {
        let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        let (names, is_one) = (names.join(", "), files.len() == 1);
        let their = if is_one { "its" } else { "their" };
        if !self.has_prices.get() {
            let they = if is_one { "it has" } else { "they have" };
            return format!(
                "no price in {names}: {they} none that can be read (what is read: docs/judging.md)"
            );
        }
        let regions = self.regions.join(", ");
        if !self.has_region() {
            let known = match self.known_regions.borrow().told(&format!("{their} region")) {
                Some(known) => known,
                None => format!("{their} prices name no region"),
            };
            return format!("no price of {names} is of --region {regions}: {known}");
        }
        let place = if regions.is_empty() { regions } else { format!(" in {regions}") };
        let known = self.known_instances.borrow().told(&format!("{their} instance type"));
        let instances = self.instances.join(", ");
        format!(
            "no price of {names} is of --instance {instances}{place}: {}",
            known.unwrap_or_default()
        )
    }
}

/// The first names in order, and one more where there are more: a list can have any number.
#[derive(Debug, Default)]
struct Names(BTreeSet<String>);

impl Names {
    fn note(&mut self, name: &str) {
        if self.0.contains(name) {
            return;
        }
        self.0.insert(name.to_owned());
        if self.0.len() > MOST_NAMED + 1 {
            self.0.pop_last();
        }
    }

    /// `its regions are eu-west-1, us-east-1`, of at least one.
    fn told(&self, what: &str) -> Option<String> {
        let mut names: Vec<&str> = self.0.iter().take(MOST_NAMED).map(String::as_str).collect();
        if self.0.len() > MOST_NAMED {
            names.push("…");
        }
        match &names[..] {
            [] => None,
            [one] => Some(format!("{what} is {one}")),
            several => Some(format!("{what}s are {}", several.join(", "))),
        }
    }
}

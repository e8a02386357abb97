//! Values of closed sets that crates below define: on the command line they have the names that they have in files.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::fmt::Display;

/// Takes one of these by its name; an unknown one, and the help, list those that there are.
pub(super) fn one_of<T>(all: impl IntoIterator<Item = T>) -> impl TypedValueParser<Value = T>
where
    T: Display + Clone + Send + Sync + 'static,
{
    let all: Vec<T> = all.into_iter().collect();
    let names: Vec<String> = all.iter().map(ToString::to_string).collect();
    PossibleValuesParser::new(names).map(move |name| {
        let its = all.iter().find(|known| known.to_string() == name);
        its.expect("clap lets only these names in").clone()
    })
}

//! JSON Schemas of what `--json` prints, in docs/schemas, made from the types that are printed.

use super::compare::Compared;
use super::cost::Costs;
use super::document::OneOrMore;
use super::json::Envelope;
use super::list::ListedWorkload;
use super::machine::MachineView;
use super::runs::ListedRun;
use crate::tables::{DoctorView, ForecastView, PricedInstance, ShowView};
use catalog::{NamedMix, Suite};
use judge::capacity::MachinesNeeded;
use judge::compare::{Implementations, Score};
use judge::explain::Explanation;
use judge::scaling::Scaling;
use profile::{Profile, ProfilePair};
use schemars::JsonSchema;

/// Either of two outputs of one command, depending on its options.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only its shape counts")]
enum Either<A, B> {
    First(A),
    Second(B),
}

fn hold<T: JsonSchema>(name: &str) {
    let mut schema = testkit::shapes::schema::<Envelope<T>>();
    schema.insert("title".to_owned(), format!("sizeup {name} --json").into());
    let text = serde_json::to_string_pretty(&schema).expect("JSON");
    testkit::shapes::hold(&format!("docs/schemas/{name}.schema.json"), &(text + "\n"));
}

#[test]
fn the_schema_of_every_json_is_what_its_types_give() {
    hold::<Compared>("compare");
    hold::<Costs>("cost");
    hold::<DoctorView>("doctor");
    hold::<Explanation>("explain");
    hold::<Implementations>("implementations");
    hold::<Either<Vec<Suite>, Either<Vec<ListedWorkload>, Vec<NamedMix>>>>("list");
    hold::<MachineView>("machine");
    hold::<Vec<MachinesNeeded>>("capacity");
    hold::<Vec<PricedInstance>>("prices");
    hold::<Either<Profile, ProfilePair>>("profile");
    hold::<Either<ShowView, ForecastView>>("run");
    hold::<Vec<ListedRun>>("runs");
    hold::<Vec<Scaling>>("scaling");
    hold::<Vec<Score>>("score");
    hold::<OneOrMore<ShowView>>("show");
    hold::<ShowView>("bench");
}

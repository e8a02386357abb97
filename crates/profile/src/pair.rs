//! Two profiles of one workload, function by function.

use crate::code::HotCode;
use crate::hot::HotFunction;
use crate::saved::Profile;
use serde::Serialize;
use std::collections::BTreeMap;

/// Where two machines spend their time in one workload.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct ProfilePair {
    /// The workload's ID, or both where they differ.
    pub workloads: Vec<String>,
    /// The machines, in the order of the command line.
    pub sides: [ProfiledSide; 2],
    /// By the larger of both shares.
    pub functions: Vec<PairedFunction>,
}

/// The machine, libraries and profiler of one of the profiles.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct ProfiledSide {
    /// The machine's label.
    pub label: String,
    /// The CPU's model; `null` if it is unknown.
    pub cpu_model: Option<String>,
    /// As `uname -m` names it.
    pub architecture: String,
    /// How many threads did the work.
    pub threads: usize,
    /// How many stacks were taken.
    pub samples: u64,
    /// By which profiler.
    pub profiler: String,
    /// The worker's libraries and their versions.
    pub libraries: BTreeMap<String, String>,
}

/// A function on both machines.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct PairedFunction {
    /// As on both machines.
    pub name: String,
    /// The name of the program or library that holds it.
    pub module: String,
    /// Its part of the samples of each machine; `null` where it was in none.
    pub shares: [Option<f64>; 2],
    /// Its hot code on each machine; `null` if unknown.
    pub codes: [Option<HotCode>; 2],
}

impl ProfilePair {
    /// Matches functions by name and module.
    pub fn of(profiles: [&Profile; 2]) -> Self {
        let mut rows: BTreeMap<(&str, &str), PairedFunction> = BTreeMap::new();
        for (side, profile) in profiles.into_iter().enumerate() {
            for function in &profile.functions {
                let key = (&function.name[..], &function.module[..]);
                let row = rows.entry(key).or_insert_with(|| PairedFunction::named(function));
                row.shares[side] = Some(profile.share(function));
                row.codes[side].clone_from(&function.code);
            }
        }
        let mut functions: Vec<PairedFunction> = rows.into_values().collect();
        functions.sort_by(|a, b| b.largest_share().total_cmp(&a.largest_share()));
        let mut workloads: Vec<String> = profiles.map(|profile| profile.workload.clone()).into();
        workloads.dedup();
        Self { workloads, sides: profiles.map(ProfiledSide::of), functions }
    }

    /// The function in which a side spends most time.
    pub fn hottest(&self, side: usize) -> Option<&PairedFunction> {
        let by_share = |a: &&PairedFunction, b: &&PairedFunction| {
            let [a, b] = [a, b].map(|function| function.shares[side].unwrap_or_default());
            a.total_cmp(&b)
        };
        self.functions.iter().filter(|function| function.shares[side].is_some()).max_by(by_share)
    }

    /// The hottest function whose code is of another kind on each side.
    pub fn most_telling(&self) -> Option<&PairedFunction> {
        self.functions.iter().find(|function| function.is_of_other_code())
    }
}

impl ProfiledSide {
    fn of(profile: &Profile) -> Self {
        Self {
            label: profile.label.clone(),
            cpu_model: profile.cpu_model.clone(),
            architecture: profile.architecture.clone(),
            threads: profile.threads,
            samples: profile.samples,
            profiler: profile.method.profiler.clone(),
            libraries: profile.build.libraries.clone(),
        }
    }
}

impl PairedFunction {
    fn named(function: &HotFunction) -> Self {
        let (name, module) = (function.name.clone(), function.module.clone());
        Self { name, module, shares: [None; 2], codes: [None, None] }
    }

    /// On the side where it takes more.
    pub fn largest_share(&self) -> f64 {
        self.shares.into_iter().flatten().fold(0.0, f64::max)
    }

    /// Whether both sides' code is known and holds other kinds of instructions.
    pub fn is_of_other_code(&self) -> bool {
        matches!(&self.codes, [Some(one), Some(other)] if one.kinds != other.kinds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::CodeKind::Vector256;
    use crate::saved::tests::profile;

    #[test]
    fn functions_are_matched_by_name_and_the_one_of_other_code_is_found() {
        let fast: &[_] = &[("match", 70, Some(&[][..])), ("IndexByte", 10, Some(&[Vector256][..]))];
        let slow: &[_] =
            &[("IndexByte", 55, Some(&[][..])), ("match", 40, Some(&[][..])), ("gc", 5, None)];
        let pair = ProfilePair::of([&profile("x86", fast), &profile("arm", slow)]);
        let shares: Vec<_> =
            pair.functions.iter().map(|function| (&function.name[..], function.shares)).collect();
        let expected = [
            ("match", [Some(0.7), Some(0.4)]),
            ("IndexByte", [Some(0.1), Some(0.55)]),
            ("gc", [None, Some(0.05)]),
        ];
        assert_eq!(shares, expected);
        assert_eq!(pair.most_telling().unwrap().name, "IndexByte");
        let hottest = [0, 1].map(|side| &pair.hottest(side).unwrap().name[..]);
        assert_eq!(hottest, ["match", "IndexByte"]);
        assert_eq!(pair.workloads, ["sum/go"]);
    }

    #[test]
    fn code_that_is_unknown_is_not_other_code() {
        let known: &[_] = &[("f", 50, Some(&[Vector256][..]))];
        let pair = ProfilePair::of([&profile("a", known), &profile("b", &[("f", 50, None)])]);
        assert_eq!(pair.most_telling(), None);
    }
}

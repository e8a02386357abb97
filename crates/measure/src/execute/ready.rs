//! Whether a worker that says that it is ready is one.

use super::failure::Failure;
use super::manifest::{PROTOCOL, check_versions, wrong_protocol};
use record::{Ready, WorkerBuild};

/// The protocol is ours, the libraries are those of the manifest and of the launches before, and a run file can hold it.
pub(super) fn check_ready(ready: &Ready, build: &WorkerBuild, cpus: &[u32]) -> Result<(), Failure> {
    if ready.protocol != PROTOCOL {
        return Err(wrong_protocol(ready.protocol));
    }
    check_versions(&ready.build)?;
    for (library, version) in &ready.build.libraries {
        let told = build.libraries.get(library);
        let is_new = told.is_none() && build.late_libraries.contains(library);
        if told != Some(version) && !is_new {
            return Err(Failure::not_the_protocol(format!(
                "{library} is {version:?} now, but the manifest said {told:?}"
            )));
        }
    }
    ready.check(cpus).map_err(Failure::not_the_protocol)
}

/// Adds the versions that a manifest left to be told by the first worker that is ready; they hold from then on.
pub(super) fn learn(build: &mut WorkerBuild, ready: &WorkerBuild) {
    for (library, version) in &ready.libraries {
        build.libraries.entry(library.clone()).or_insert_with(|| version.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Record, samples};

    fn build(versions: &[(&str, &str)], late: &[&str]) -> WorkerBuild {
        let pair = |(name, version): &(&str, &str)| ((*name).to_owned(), (*version).to_owned());
        WorkerBuild {
            libraries: versions.iter().map(pair).collect(),
            late_libraries: late.iter().map(ToString::to_string).collect(),
            ..WorkerBuild::default()
        }
    }

    fn refusal(manifest: &WorkerBuild, versions: &[(&str, &str)]) -> Option<String> {
        let Record::Launch(launch) = samples::launch() else { unreachable!() };
        let ready = Ready { build: build(versions, &[]), protocol: PROTOCOL, ..launch.ready };
        check_ready(&ready, manifest, &[0]).err().map(|failure| failure.message)
    }

    #[test]
    fn a_library_of_which_the_manifest_tells_nothing_is_refused_unless_it_says_so() {
        let manifest = build(&[("server", "1")], &["script"]);
        assert_eq!(refusal(&manifest, &[("server", "1"), ("script", "2")]), None);
        let other = refusal(&manifest, &[("server", "1"), ("other", "2")]);
        assert_eq!(other.as_deref(), Some("other is \"2\" now, but the manifest said None"));
        assert!(refusal(&manifest, &[("server", "2")]).is_some());
    }

    #[test]
    fn a_version_that_the_first_launch_told_holds_for_the_others() {
        let mut manifest = build(&[("server", "1")], &["script"]);
        learn(&mut manifest, &build(&[("server", "1"), ("script", "2")], &[]));
        assert_eq!(refusal(&manifest, &[("script", "2")]), None);
        assert!(refusal(&manifest, &[("script", "3")]).is_some());
    }
}

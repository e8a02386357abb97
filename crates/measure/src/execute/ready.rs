//! Checks a worker's answer to `prepare`.

use super::failure::Failure;
use super::manifest::{PROTOCOL, check_versions, wrong_protocol};
use record::{Ready, WorkerBuild};

/// Checks the protocol version, that libraries match the manifest and earlier launches, and that a run file can hold it.
pub(super) fn check_ready(ready: &Ready, build: &WorkerBuild, cpus: &[u32]) -> Result<(), Failure> {
    if ready.protocol != PROTOCOL {
        return Err(wrong_protocol(ready.protocol));
    }
    check_versions(&ready.build)?;
    for (library, version) in &ready.build.libraries {
        let listed = build.libraries.get(library);
        let is_new = listed.is_none() && build.late_libraries.contains(library);
        if listed != Some(version) && !is_new {
            return Err(Failure::not_the_protocol(format!(
                "{library} is now {version:?}, but the manifest lists {listed:?}"
            )));
        }
    }
    ready.check(cpus).map_err(Failure::not_the_protocol)
}

/// Adds the versions that only the first ready worker reports; later launches must match them.
pub(super) fn learn(build: &mut WorkerBuild, ready: &WorkerBuild) {
    for (library, version) in &ready.libraries {
        build.libraries.entry(library.clone()).or_insert_with(|| version.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Record, fixture};

    fn build(versions: &[(&str, &str)], late: &[&str]) -> WorkerBuild {
        let pair = |(name, version): &(&str, &str)| ((*name).to_owned(), (*version).to_owned());
        WorkerBuild {
            libraries: versions.iter().map(pair).collect(),
            late_libraries: late.iter().map(ToString::to_string).collect(),
            ..WorkerBuild::default()
        }
    }

    fn refusal(manifest: &WorkerBuild, versions: &[(&str, &str)]) -> Option<String> {
        let Record::Launch(launch) = fixture::launch() else { unreachable!() };
        let ready = Ready { build: build(versions, &[]), protocol: PROTOCOL, ..launch.ready };
        check_ready(&ready, manifest, &[0]).err().map(|failure| failure.message)
    }

    #[test]
    fn a_library_missing_from_the_manifest_is_refused_unless_declared_late() {
        let manifest = build(&[("server", "1")], &["script"]);
        assert_eq!(refusal(&manifest, &[("server", "1"), ("script", "2")]), None);
        let other = refusal(&manifest, &[("server", "1"), ("other", "2")]);
        assert_eq!(other.as_deref(), Some("other is now \"2\", but the manifest lists None"));
        assert!(refusal(&manifest, &[("server", "2")]).is_some());
    }

    #[test]
    fn later_launches_must_match_the_version_of_the_first() {
        let mut manifest = build(&[("server", "1")], &["script"]);
        learn(&mut manifest, &build(&[("server", "1"), ("script", "2")], &[]));
        assert_eq!(refusal(&manifest, &[("script", "2")]), None);
        assert!(refusal(&manifest, &[("script", "3")]).is_some());
    }
}

use super::*;
use std::fs;
use tempfile::TempDir;

mod changed;

/// A release folder with one input, and a user's folder with the given tables.
fn load(tables: &[(&str, &str)]) -> Result<(Catalog, TempDir), String> {
    let folder = TempDir::new().unwrap();
    let home = Home::at(&folder.path().join("home"));
    for folder in [home.workloads(), home.suites(), home.inputs()] {
        fs::create_dir_all(folder).unwrap();
    }
    let input = format!(
        "[[input]]\nname = \"page\"\nfile = \"p\"\nbytes = 1\nsha256 = \"{}\"\nversion = 1\n\
         about = \"a page\"\nsource = \"here\"\n",
        "0".repeat(64)
    );
    fs::write(home.inputs().join("inputs.toml"), input).unwrap();
    let own = folder.path().join("own");
    fs::create_dir(&own).unwrap();
    for (name, text) in tables {
        fs::write(own.join(name), text).unwrap();
    }
    let catalog = Catalog::load(&home, std::slice::from_ref(&own)).map_err(|e| e.to_string())?;
    Ok((catalog, folder))
}

fn refusal(text: &str) -> String {
    load(&[("t.toml", text)]).map(|_| ()).unwrap_err()
}

const GOOD: &str = r#"
worker = "native"
[[workload]]
id = "zip-1/zip"
family = "compress"
about = "zips"
parameters = { level = 1 }
inputs = { data = "page" }
"#;

const SUITE: &str = r#"
name = "s"
version = 1
about = "a"
study = "none"
threads = ["1"]
precision = "1%"
budget = "1m"
[[category]]
name = "c"
workloads = ["zip-1/zip"]
"#;

#[test]
fn workloads_and_suites_are_read_from_a_folder() {
    let (catalog, _folder) = load(&[("a-suite.toml", SUITE), ("t.toml", GOOD)]).unwrap();
    let workload = &catalog.workloads["zip-1/zip"];
    assert_eq!(workload.definition.parameters["level"], 1);
    assert_eq!(workload.definition.inputs["data"], "0".repeat(64));
    assert!(workload.program.run[0].ends_with("libexec/sizeup/native"));
    assert_eq!(catalog.suites["s"].categories[0].workloads, ["zip-1/zip"]);
}

#[test]
fn broken_toml_is_reported_with_file_and_line() {
    let error = refusal("worker = \"native\"\n[[workload]]\nid = zip\n");
    assert!(error.contains("own/t.toml:3: "), "{error}");
}

#[test]
fn an_unknown_field_is_reported_with_its_name_and_line() {
    let error = refusal(&GOOD.replace("about", "abuot"));
    assert!(error.contains("abuot") && error.contains("t.toml:6:"), "{error}");
}

#[test]
fn an_unknown_input_family_or_worker_is_refused() {
    assert!(refusal(&GOOD.replace("\"page\"", "\"pag\"")).contains("t.toml:8: unknown input"));
    assert!(refusal(&GOOD.replace("compress", "other")).contains("t.toml:3: the family"));
    assert!(refusal(&GOOD.replace("\"native\"", "\"../native\"")).contains("t.toml:2:"));
    assert!(refusal(&GOOD.replace("worker = \"native\"", "")).contains("needs a worker"));
}

#[test]
fn a_family_is_any_word_of_lower_case() {
    let table = GOOD.replace("compress", "time-series2");
    let (catalog, _folder) = load(&[("t.toml", &table)]).unwrap();
    let family = &catalog.workloads["zip-1/zip"].definition.family;
    assert_eq!(family.to_string(), "time-series2");
    // A family survives a run file: it is read back unchanged.
    assert_eq!(serde_json::from_value::<Family>(serde_json::json!(family)).unwrap(), *family);
    for bad in ["Database", "two words", "2d", "", "café", "a/b", &"a".repeat(41)] {
        let error = refusal(&GOOD.replace("compress", bad));
        assert!(error.contains("a family is a word of lower-case letters"), "{bad}: {error}");
    }
}

#[test]
fn values_that_json_lacks_and_invalid_workers_are_refused() {
    for bad in ["nan", "inf", "[1, -inf]", "1979-05-27T07:32:00Z"] {
        let error = refusal(&GOOD.replace("level = 1", &format!("level = {bad}")));
        assert!(error.contains("t.toml:3: parameters must not be dates"), "{error}");
    }
    let error = refusal(&GOOD.replace("\"native\"", "{ run = [\"x\"], env = 1 }"));
    assert!(error.contains("a worker is a name or a table"), "{error}");
    let error = refusal(&GOOD.replace("inputs", "command = { run = [\"ls\"] }\ninputs"));
    assert!(error.contains("a command takes no operation"), "{error}");
}

#[test]
fn a_table_says_what_a_workload_needs_and_how_its_samples_are_taken() {
    let keys = "memory_mib = 1024\nmemory_mib_per_thread = 2\nsetup_ms = 4000\nmin_cpus = 2\n\
                sample_ms = 1000\nrounds_per_launch = 12\n";
    let (catalog, _folder) = load(&[("t.toml", &format!("{GOOD}{keys}"))]).unwrap();
    let workload = &catalog.workloads["zip-1/zip"];
    assert_eq!((workload.needs.setup_ms, workload.needs.min_cpus), (4000, 2));
    assert_eq!(workload.memory_bytes(8), (1024 + 8 * 2) << 20);
    let definition = &workload.definition;
    assert_eq!((definition.sample_ms, definition.rounds_per_launch), (Some(1000), Some(12)));
    // A definition without these keys keeps the digest that it always had.
    let (plain, _folder) = load(&[("t.toml", GOOD)]).unwrap();
    let plain = &plain.workloads["zip-1/zip"];
    assert_eq!((plain.needs, plain.memory_bytes(8)), (Needs::default(), 0));
    assert!(!serde_json::json!(plain.definition).to_string().contains("rounds"));
    assert_ne!(plain.definition.digest("zip-1/zip"), definition.digest("zip-1/zip"));
}

#[test]
fn numbers_of_needs_and_samples_out_of_range_are_refused() {
    for bad in [
        "sample_ms = 0",
        "sample_ms = 600001",
        "min_cpus = -1",
        "setup_ms = \"long\"",
        "rounds_per_launch = 1.5",
    ] {
        let key = bad.split(' ').next().unwrap();
        let error = refusal(&format!("{GOOD}{bad}\n"));
        assert!(error.contains(&format!("{key} must be a number from 1 to")), "{bad}: {error}");
    }
}

#[test]
fn a_category_must_not_be_called_like_the_score_over_all() {
    let suite = SUITE.replace("\"c\"", "\"overall\"");
    let error = load(&[("s.toml", &suite), ("t.toml", GOOD)]).map(|_| ()).unwrap_err();
    assert!(error.contains("s.toml:10: \"overall\" is reserved for"), "{error}");
}

#[test]
fn an_id_that_could_do_harm_is_refused() {
    for id in ["zip", "a/b/c", "../zip", "zip/\\u001b[2J", "zip zip/z", "/zip", ".zip/zip"] {
        let error = refusal(&GOOD.replace("zip-1/zip", id));
        assert!(error.contains("is not an ID"), "{id}: {error}");
    }
}

#[test]
fn what_is_defined_twice_is_refused() {
    let error = load(&[("a.toml", GOOD), ("b.toml", GOOD)]).map(|_| ()).unwrap_err();
    assert!(error.contains("b.toml:3: the workload \"zip-1/zip\" is defined twice"), "{error}");
    let error =
        load(&[("a.toml", GOOD), ("s.toml", SUITE), ("t.toml", SUITE)]).map(|_| ()).unwrap_err();
    assert!(error.contains("the suite \"s\" is defined twice"), "{error}");
}

#[test]
fn a_suite_of_an_unknown_workload_is_refused_with_its_line() {
    let error = load(&[("s.toml", SUITE)]).map(|_| ()).unwrap_err();
    assert!(error.contains("s.toml:11: unknown workload \"zip-1/zip\""), "{error}");
}

#[test]
fn a_suite_has_the_categories_that_it_includes_with_their_threads() {
    let own = SUITE.replace("\"s\"", "\"t\"").replace("\"1\"", "\"8\"");
    let own = own.replace("name = \"c\"", "name = \"d\"\nthreads = [\"4\"]");
    let all =
        SUITE.replace("\"s\"", "\"a\"").replace("threads", "include = [\"s\", \"t\"]\nthreads");
    let (catalog, _folder) =
        load(&[("a.toml", &all), ("s.toml", SUITE), ("t.toml", &own), ("w.toml", GOOD)]).unwrap();
    let categories: Vec<(&str, String)> = catalog.suites["a"]
        .categories
        .iter()
        .map(|category| (category.name.as_str(), category.threads.join(",")))
        .collect();
    assert_eq!(
        categories,
        [("s/c", "1".to_owned()), ("t/d", "4".to_owned()), ("c", String::new())]
    );
}

#[test]
fn a_category_may_have_no_workload_yet() {
    let suite = format!("{SUITE}[[category]]\nname = \"d\"\nworkloads = []\n");
    let (catalog, _folder) = load(&[("a-suite.toml", &suite), ("t.toml", GOOD)]).unwrap();
    let categories = catalog.suites["s"].categories.iter();
    let found: Vec<(&str, usize)> =
        categories.map(|category| (category.name.as_str(), category.workloads.len())).collect();
    assert_eq!(found, [("c", 1), ("d", 0)]);
}

#[test]
fn a_suite_includes_only_suites_that_are_there_and_include_none() {
    let including =
        |name: &str| SUITE.replace("threads", &format!("include = [\"{name}\"]\nthreads"));
    for name in ["elsewhere", "s"] {
        let error =
            load(&[("s.toml", &including(name)), ("w.toml", GOOD)]).map(|_| ()).unwrap_err();
        let expected = format!("s.toml:6: {name:?} is not a suite without includes");
        assert!(error.contains(&expected), "{error}");
    }
    let empty = &SUITE[..SUITE.find("[[").unwrap()];
    let error = load(&[("s.toml", &format!("{empty}category = []\n"))]).map(|_| ()).unwrap_err();
    assert!(error.contains("needs a category or an include"), "{error}");
}

#[test]
fn a_users_own_worker_is_named_without_its_path_and_only_once() {
    let table = |id: &str, run: &str| {
        GOOD.replace("\"native\"", &format!("{{ run = {run} }}")).replace("zip-1/zip", id)
    };
    let own = table("a/a", r#"["./my-worker", "--fast"]"#);
    let (catalog, _folder) = load(&[("t.toml", &own)]).unwrap();
    assert_eq!(catalog.workloads["a/a"].definition.worker, "own: my-worker");
    let other = table("b/b", r#"["sub/my-worker"]"#);
    let error = load(&[("t.toml", &own), ("u.toml", &other)]).map(|_| ()).unwrap_err();
    assert!(error.contains("two workers are named \"own: my-worker\""), "{error}");
}

#[test]
fn a_plain_command_is_a_workload() {
    let table = r#"
[[workload]]
id = "list/ls"
family = "script"
about = "lists"
command = { run = ["./ls.sh", "-l"], bytes = 10 }
"#;
    let (catalog, folder) = load(&[("t.toml", table)]).unwrap();
    let workload = &catalog.workloads["list/ls"];
    assert_eq!(workload.definition.operation, "execution/command");
    assert_eq!(workload.definition.parameters["bytes"], 10);
    let run = workload.parameters["run"][0].as_str().unwrap();
    assert!(run.starts_with(&*folder.path().to_string_lossy()), "{run}");
    // Run files do not contain the location of user files.
    assert_eq!(workload.definition.parameters["run"][0], "./ls.sh");
}

#[test]
fn a_command_that_is_missing_or_no_program_says_so() {
    let table = |run: &str| {
        format!(
            "[[workload]]\nid = \"list/ls\"\nfamily = \"script\"\nabout = \"lists\"\ncommand = {{ run = [{run:?}] }}\n"
        )
    };
    let missing = |run: &str| {
        let (catalog, _folder) = load(&[("t.toml", &table(run))]).unwrap();
        catalog.workloads["list/ls"].missing_command().unwrap_or_default()
    };
    assert_eq!(missing("sh"), "");
    let absent = missing("no-program-has-this-name");
    assert_eq!(absent, "the command no-program-has-this-name is not in PATH: install it");
    let nowhere = missing("./nowhere");
    assert!(nowhere.contains("nowhere can't be started: No such file"), "{nowhere}");
    // The table itself lies there.
    assert!(missing("./t.toml").ends_with("t.toml is not an executable program"));
    let (catalog, _folder) = load(&[("t.toml", GOOD)]).unwrap();
    assert_eq!(catalog.workloads["zip-1/zip"].missing_command(), None);
}

#[test]
fn a_table_with_a_name_that_nothing_has_is_refused_with_those_that_are_near() {
    let input = refusal(&GOOD.replace("\"page\"", "\"pgae\""));
    assert!(input.ends_with("unknown input \"pgae\"; did you mean page?"), "{input}");
    let suite = SUITE.replace("zip-1/zip", "zip-1");
    let error = load(&[("s.toml", &suite), ("t.toml", GOOD)]).map(|_| ()).unwrap_err();
    assert!(error.ends_with("unknown workload \"zip-1\"; did you mean zip-1/zip?"), "{error}");
}

#[test]
fn a_definition_that_differs_has_another_digest() {
    let digest = |text: &str| {
        let (catalog, _folder) = load(&[("t.toml", text)]).unwrap();
        catalog.workloads["zip-1/zip"].definition.digest("zip-1/zip")
    };
    assert_eq!(digest(GOOD), digest(&GOOD.replace("zips", "also zips")));
    assert_ne!(digest(GOOD), digest(&GOOD.replace("level = 1", "level = 2")));
    assert_ne!(digest(GOOD), digest(&GOOD.replace("inputs = { data = \"page\" }", "")));
}

#[test]
fn the_tables_of_this_repository_are_read() {
    let repository = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let repository = repository.canonicalize().unwrap();
    let folder = TempDir::new().unwrap();
    let home = Home::at(folder.path());
    fs::create_dir_all(home.workloads().parent().unwrap()).unwrap();
    for (name, at) in [
        ("workloads", home.workloads()),
        ("suites", home.suites()),
        ("mixes", home.mixes()),
        ("inputs", home.inputs()),
    ] {
        std::os::unix::fs::symlink(repository.join(name), at).unwrap();
    }
    let catalog = Catalog::load(&home, &[]).unwrap_or_else(|e| panic!("{e}"));
    assert!(catalog.workloads.len() > 400 && catalog.suites.contains_key("quick"));
    let mixes = NamedMix::all(&home).unwrap_or_else(|e| panic!("{e}"));
    assert!(mixes.len() >= 6, "{:?}", mixes.keys());
    for (name, named) in mixes {
        let source = named.source.unwrap_or_else(|| panic!("{name} has no [source]"));
        assert!(!source.similar.is_empty() && named.mix.has_weights(), "{name}");
        for demand in &named.mix.demands {
            let workload = &demand.workload;
            assert!(catalog.workloads.contains_key(workload), "{name}: no workload {workload}");
        }
        let demanded = named.mix.demands.iter().filter_map(|demand| demand.weight);
        let sum: f64 = demanded.chain(named.lacks.iter().map(|lack| lack.weight)).sum();
        assert!((sum - 100.0).abs() < 1e-9, "{name}: its weights are {sum} percent");
        let is_taken = catalog.suites.contains_key(&name) || catalog.workloads.contains_key(&name);
        assert!(!is_taken, "{name} is also the name of a suite or a workload");
    }
}

//! Every workload of the catalog is performed once by its worker, and one of each algorithm with an injected wrong answer: no
//! check is dead, no table names what a worker doesn't have, no size is made up.

use crate::contract::installation::{Installation, is_interpreted};
use crate::support::not_tested;
use catalog::{Family, Program, Workload};
use measure::contract::{PlayedWorker, cpus, inputs_of};
use measure::execute::{Interrupt, Listed};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{LazyLock, Mutex};
use std::thread;
use std::time::Duration;

/// An answer takes seconds at most, and a minute for the largest shards where instructions are translated, beside other tests longer.
const PATIENCE: Duration = Duration::from_secs(600);

static INSTALLATION: LazyLock<Result<Installation, String>> = LazyLock::new(Installation::find);

/// Workload → its `ready`, or what went wrong between `prepare` and the worker's end.
static LAUNCHES: LazyLock<Launches> = LazyLock::new(|| launches(installation()));

type Launches = BTreeMap<String, Result<Value, String>>;

fn launches(installation: &Installation) -> Launches {
    let one_of_each = std::env::var_os("SIZEUP_ONE_OF_EACH").is_some();
    let launch = |workload: &Workload, cpu| launch(installation, workload, cpu);
    let mut launches = of_each(installation, one_of_each, launch);
    launches.retain(|id, launch| match launch {
        Err(what) if is_missing_here(&installation.catalog.workloads[id], what) => {
            not_tested(format_args!("{id}: {what}"));
            false
        }
        _ => true,
    });
    launches
}

/// Which workloads are launched: all, or of each operation and algorithm the smallest, for another level or size of it is the same code.
/// Where instructions are translated, `SIZEUP_LEAVE_OUT` has beginnings of the names of those that take long.
fn asked_for(workloads: &BTreeMap<String, Workload>, one_of_each: bool) -> Vec<&Workload> {
    let left_out = std::env::var("SIZEUP_LEAVE_OUT").unwrap_or_default();
    let is_left_out = |id: &str| left_out.split_whitespace().any(|start| id.starts_with(start));
    let mut asked: Vec<&Workload> =
        workloads.values().filter(|workload| !is_left_out(&workload.id)).collect();
    if one_of_each {
        asked.sort_by_key(|workload| workload.memory_bytes(1));
        let mut seen = BTreeSet::new();
        asked.retain(|workload| seen.insert(algorithm(workload)));
    }
    asked
}

/// Its operation, and those of its parameters that are neither numbers nor levels.
fn algorithm(workload: &Workload) -> (&str, Vec<&str>) {
    let parameters = workload.parameters.as_object().into_iter().flatten();
    let others = parameters.filter(|(name, _)| *name != "level");
    let texts = others.filter_map(|(_, value)| value.as_str());
    (&workload.definition.operation, texts.collect())
}

/// Maps each workload to its outcome, a thread per CPU.
fn of_each<T: Send>(
    installation: &Installation,
    one_of_each: bool,
    outcome: impl Fn(&Workload, usize) -> T + Sync,
) -> BTreeMap<String, T> {
    let all = &installation.catalog.workloads;
    let mut asked = asked_for(all, one_of_each);
    if asked.len() < all.len() {
        println!("left out, as asked: {} of {}", all.len() - asked.len(), all.len());
    }
    // Another build may have more workers.
    let [here, there] = [self::installation(), installation].map(workers_here);
    let is_here = |name: &String| here.contains(name) && there.contains(name);
    asked.retain(|workload| is_here(&workload.program.name));
    let waiting = Mutex::new(asked.into_iter());
    let done = Mutex::new(BTreeMap::new());
    let next = || waiting.lock().expect("nobody panics here").next();
    thread::scope(|scope| {
        for cpu in cpus().expect("the kernel tells CPUs") {
            let (outcome, next, done) = (&outcome, &next, &done);
            scope.spawn(move || {
                while let Some(workload) = next() {
                    let result = outcome(workload, cpu);
                    done.lock().expect("nobody panics here").insert(workload.id.clone(), result);
                }
            });
        }
    });
    done.into_inner().expect("nobody panics here")
}

/// Servers, libraries of the apps pack and what agents start are not part of a release, and kernels may have no huge pages or start no
/// program of ours: without them there is nothing to be tested. Whatever else a worker calls unavailable is a fault here.
fn is_missing_here(workload: &Workload, what: &str) -> bool {
    let families = [Family::Http, Family::Database, Family::Kernel, Family::Agents];
    let is_packed =
        ["/onnxruntime", "/llamacpp", "/usearch", "/duckdb", "/jackson", "/lucene", "/jinja"]
            .iter()
            .any(|end| workload.id.ends_with(end));
    (families.contains(&workload.definition.family) || is_packed)
        && what.contains(r#""kind":"unavailable""#)
}

/// The workers that can run on this machine.
fn workers_here(installation: &Installation) -> Vec<String> {
    let mut workers = installation.workers().expect("the workers can be listed");
    workers.retain(|worker| match installation.why_not_here(worker) {
        Ok(why) => {
            why.iter().for_each(|why| not_tested(format_args!("{worker}: {why}")));
            why.is_none()
        }
        Err(error) => panic!("{error}"),
    });
    workers
}

fn installation() -> &'static Installation {
    match &*INSTALLATION {
        Ok(installation) => installation,
        Err(error) => panic!("{error}"),
    }
}

/// Sets a workload up on as few threads as it can have, and finishes.
fn launch(installation: &Installation, workload: &Workload, cpu: usize) -> Result<Value, String> {
    let mut worker = prepare(installation, workload, cpu, None)?;
    let mut ready = answer(&mut worker, "ready")?;
    ready["peak_bytes"] = json!(worker.peak_bytes()?);
    worker.send(b"{\"request\":\"finish\"}\n")?;
    let done = answer(&mut worker, "done")?;
    if ready["verified"] != done["verified"] {
        return Err(format!("at the end it verified {}", done["verified"]));
    }
    match worker.exit()? {
        0 => Ok(ready),
        status => Err(format!("exit status {status} after done")),
    }
}

/// Its parameters, but for how much data a server is filled with and how long compilers work: that takes seconds, and the checks
/// are the same.
fn with_less_data(workload: &Workload) -> Value {
    let mut parameters = workload.parameters.clone();
    if workload.definition.family == Family::Database {
        for (name, less) in [("keys", 1000), ("scale", 1), ("scale_per_server_cpu", 1)] {
            if parameters.get(name).is_some() {
                parameters[name] = json!(less);
            }
        }
    }
    let warms_up = ["jvm", "node"].contains(&workload.program.name.as_str());
    if warms_up && parameters["warm_up_ms"].is_null() {
        parameters["warm_up_ms"] = json!(1);
    }
    parameters
}

fn threads_of(workload: &Workload) -> usize {
    usize::try_from(workload.needs.min_cpus).expect("a number of CPUs")
}

/// A worker that was asked to prepare a workload.
fn prepare(
    installation: &Installation,
    workload: &Workload,
    cpu: usize,
    inject: Option<&str>,
) -> Result<PlayedWorker, String> {
    let program = installation.worker(&workload.program.name)?;
    let mut worker = PlayedWorker::start(&program, &[], PATIENCE)?;
    let threads = threads_of(workload);
    let others = cpus()?.into_iter().filter(|other| *other != cpu);
    let cpus: Vec<usize> = [cpu].into_iter().chain(others).take(threads).collect();
    let mut request = json!({
        "request": "prepare",
        "protocol": 1,
        "operation": workload.definition.operation,
        "parameters": with_less_data(workload),
        "threads": threads,
        "cpus": cpus,
        "seed": 42,
        "inputs": inputs_of(&installation.catalog, workload),
    });
    if let Some(inject) = inject {
        request["inject"] = json!(inject);
    }
    worker.send(format!("{request}\n").as_bytes())?;
    Ok(worker)
}

/// The next answer, which must be of a kind.
fn answer(worker: &mut PlayedWorker, kind: &str) -> Result<Value, String> {
    let line = worker.receive()?;
    let answer: Value = serde_json::from_str(&line).map_err(|e| format!("{e}: {line}"))?;
    if answer["answer"] == kind { Ok(answer) } else { Err(format!("no {kind:?} but {line}")) }
}

/// The worker's answer to `--list`.
fn manifest(worker: &str) -> Result<Value, String> {
    let program = installation().worker(worker)?;
    let mut process = PlayedWorker::start(&program, &["--list"], PATIENCE)?;
    answer(&mut process, "list")
}

/// Tells all failures at once, each with its workload.
fn assert_none(failures: impl Iterator<Item = (String, String)>) {
    let failures: Vec<String> = failures.map(|(id, what)| format!("{id}: {what}")).collect();
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_workload_is_prepared_verified_and_finished() {
    let failures = LAUNCHES.iter().filter_map(|(id, launch)| {
        let what = launch.as_ref().err()?;
        Some(((*id).to_owned(), what.clone()))
    });
    assert_none(failures);
    println!("all {} workloads of the tables and of the contract verified", LAUNCHES.len());
}

/// Compressed bytes, digests, tags, texts: what an op makes is the same wherever it is done.
#[test]
#[ignore = "needs another build in the release folder that SIZEUP_PEER names: make test-arm"]
fn every_workload_makes_the_same_output_in_another_build() {
    let folder = std::env::var_os("SIZEUP_PEER").expect("SIZEUP_PEER names a release folder");
    let peer = Installation::at(folder.as_ref()).unwrap_or_else(|error| panic!("{error}"));
    let known = launches(&peer);
    let told = |launch: &Result<Value, String>, what: &str| {
        launch.as_ref().map(|ready| ready.pointer(what).cloned()).map_err(String::clone)
    };
    let output = |launch| told(launch, "/output_sha256");
    let varies =
        |(id, launch): (&String, _)| (output(launch) == Ok(Some(Value::Null))).then(|| id.clone());
    let varying: Vec<String> = LAUNCHES.iter().filter_map(varies).collect();
    println!("{} workloads, of which the outputs of {varying:?} vary", LAUNCHES.len());
    for id in &varying {
        let family = &installation().catalog.workloads[id].definition.family;
        // Signatures, handshakes, ML-KEM's new secrets and the backup's encryption have random numbers in them, and
        // control work goes on from where it was. ONNX Runtime and llama.cpp round as the CPU's instructions do.
        let varies =
            matches!(family, Family::Pki | Family::Tls | Family::Pipeline | Family::Control);
        let is_drawn = ["encrypt-", "mlkem768-keygen", "mlkem768-encaps", "embed-", "llm-"];
        let varies = varies || is_drawn.iter().any(|start| id.starts_with(start));
        assert!(varies, "{id} makes two outputs");
    }
    let worker = |id: &String| &installation().catalog.workloads[id].program.name;
    let built = LAUNCHES.iter().filter(|(id, _)| !is_interpreted(worker(id)));
    assert_none(built.filter_map(|(id, launch)| {
        let target = told(launch, "/build/target");
        (Some(&target) == known.get(id).map(|launch| told(launch, "/build/target")).as_ref())
            .then(|| (id.clone(), format!("both builds are for {target:?}")))
    }));
    assert_none(LAUNCHES.iter().filter_map(|(id, launch)| {
        let (here, there) = (output(launch), known.get(id).map(output));
        (Some(&here) != there.as_ref())
            .then(|| ((*id).to_owned(), format!("it made {here:?}, the other build {there:?}")))
    }));
}

#[test]
fn every_algorithm_refuses_an_injected_wrong_answer() {
    let refusal = |workload: &Workload, cpu| {
        let mut worker = prepare(installation(), workload, cpu, Some("wrong-answer"))?;
        let error = answer(&mut worker, "error")?;
        match (error["kind"].as_str(), worker.exit()?) {
            (Some("wrong-answer"), 1) => Ok(()),
            (_, status) => Err(format!("exit status {status} after {error}")),
        }
    };
    let refusals = of_each(installation(), true, refusal);
    let refusals = refusals.into_iter().filter(|(id, _)| LAUNCHES.contains_key(id));
    assert_none(refusals.filter_map(|(id, refusal)| Some((id, refusal.err()?))));
}

/// Memory allowed to a worker whose table states none, and to any beyond what its table states.
const SMALL_BYTES: u64 = 64 << 20;

#[test]
fn every_workload_keeps_within_the_memory_that_its_table_tells() {
    assert_none(LAUNCHES.iter().filter_map(|(id, launch)| {
        let peak = launch.as_ref().ok()?["peak_bytes"].as_u64()?;
        let workload = &installation().catalog.workloads[id];
        // Most of it is the server's, which is another process, and here it has less data.
        if workload.definition.family == Family::Database {
            return None;
        }
        let told = workload.memory_bytes(threads_of(workload));
        // Java's heap has the size that it is told, and a few ops don't fill it.
        let is_made_up = workload.program.name != "jvm" && told > 2 * (peak + SMALL_BYTES);
        let is_within = peak <= told + SMALL_BYTES && !is_made_up;
        (!is_within).then(|| (id.clone(), format!("it took {peak} bytes, its table says {told}")))
    }));
}

#[test]
fn workers_have_the_operations_that_tables_ask_for_and_no_other() {
    let installation = installation();
    let workers = installation.workers().expect("the workers can be listed");
    let workloads = || installation.catalog.workloads.values();
    let named: BTreeSet<&String> = workloads().map(|workload| &workload.program.name).collect();
    assert_eq!(named, workers.iter().collect(), "workers that tables name and that are built");
    for worker in &workers_here(installation) {
        let program =
            workloads().find(|workload| workload.program.name == *worker).expect("it is named");
        let listed = listed(&program.program);
        assert_none(
            installation
                .workloads_of(worker)
                .filter_map(|workload| Some((workload.id.clone(), listed.why_not(workload)?))),
        );
        let asked_for: BTreeSet<&String> = installation
            .workloads_of(worker)
            .map(|workload| &workload.definition.operation)
            .collect();
        let had: BTreeSet<&String> =
            listed.operations.iter().map(|operation| &operation.name).collect();
        assert_eq!(had, asked_for, "operations of {worker}, and those that tables ask for");
    }
}

/// The harness holds tables against ranges; a worker that is driven by hand must do so itself.
#[test]
fn every_operation_refuses_a_number_above_its_range() {
    let installation = installation();
    let cpu = cpus().expect("the kernel tells CPUs")[0];
    let mut refused = 0;
    for worker in workers_here(installation) {
        let manifest = manifest(&worker).expect("the worker has a manifest");
        for operation in manifest["operations"].as_array().expect("operations") {
            let ranges = operation["parameters"].as_object().expect("parameters");
            let most = ranges.iter().find_map(|(name, range)| Some((name, range["to"].as_u64()?)));
            let Some((name, most)) = most else { continue };
            let is_it =
                |workload: &&Workload| workload.definition.operation == operation["operation"];
            let mut workload =
                installation.workloads_of(&worker).find(is_it).expect("a row").clone();
            workload.parameters[name] = json!(most + 1);
            let mut process = prepare(installation, &workload, cpu, None).expect("it starts");
            let error = answer(&mut process, "error").unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(error["kind"], "bad-request", "{error}");
            let message = error["message"].as_str().unwrap_or_default();
            assert!(message.starts_with("parameters: ") && message.contains(name), "{error}");
            refused += 1;
        }
    }
    assert!(refused > 50, "only {refused} operations take numbers");
}

fn listed(program: &Program) -> Listed {
    measure::execute::manifest(program, PATIENCE, &Interrupt::default())
        .unwrap_or_else(|failure| panic!("{}: {failure}", program.name))
}

#[test]
fn every_workload_names_libraries_of_the_manifest_with_the_same_versions() {
    let workers = workers_here(installation());
    let manifests: BTreeMap<String, Value> = workers
        .into_iter()
        .map(|worker| {
            let manifest = manifest(&worker).expect("the worker has a manifest");
            (worker, manifest["build"].clone())
        })
        .collect();
    assert_none(LAUNCHES.iter().filter_map(|(id, launch)| {
        let ready = launch.as_ref().ok()?;
        let build = &manifests[ready["worker"].as_str()?];
        let (all, late) = (&build["libraries"], &build["late_libraries"]);
        let is_late = |name: &str| late.as_array().is_some_and(|late| late.contains(&json!(name)));
        let used = ready["build"]["libraries"].as_object()?;
        let is_wrong = |(name, version): (&String, &Value)| {
            all[name] != *version && !(is_late(name) && all[name].is_null())
        };
        let wrong = used.is_empty() || used.iter().any(is_wrong);
        wrong.then(|| ((*id).to_owned(), format!("{used:?} of {all}")))
    }));
}

/// A worker that asks its libraries too early, before they looked at the CPU, would tell another story there.
#[test]
fn every_workload_names_the_paths_of_the_manifest() {
    let workers = workers_here(installation());
    let paths = |worker: String| {
        let manifest = manifest(&worker).expect("the worker has a manifest");
        (worker, manifest["build"]["paths"].clone())
    };
    let manifests: BTreeMap<String, Value> = workers.into_iter().map(paths).collect();
    assert_none(LAUNCHES.iter().filter_map(|(id, launch)| {
        let ready = launch.as_ref().ok()?;
        let all = &manifests[ready["worker"].as_str()?];
        let chosen = ready["build"]["paths"].as_object()?;
        let differs = chosen.iter().any(|(name, path)| all[name] != *path);
        differs.then(|| (id.clone(), format!("{chosen:?}, but the manifest has {all}")))
    }));
}

#[test]
fn the_bytes_of_an_op_are_those_of_its_input() {
    assert_none(installation().catalog.workloads.values().filter_map(|workload| {
        let expected = bytes_per_op(workload)?;
        let ready = LAUNCHES.get(&workload.id)?.as_ref().ok()?;
        let told = &ready["bytes_per_op"];
        let what = || (workload.id.clone(), format!("bytes_per_op is {told}, not {expected}"));
        (*told != expected).then(what)
    }));
}

/// Bytes per op that the workload's definition implies; `None` if it implies none.
fn bytes_per_op(workload: &Workload) -> Option<Value> {
    let parameter = |name: &str| workload.parameters.get(name).cloned();
    let data = workload.inputs.get("data");
    match &workload.definition.family {
        Family::Pki
        | Family::KeyExchange
        | Family::Tls
        | Family::Http
        | Family::Database
        | Family::Agents => Some(Value::Null),
        Family::Aead | Family::Hash => parameter("message_bytes"),
        // The unescaped text; the escaped one is longer by 3, 3, 4, 4 and 4 bytes in every 40.
        Family::Text if workload.id.starts_with("html-unescape/") => Some(json!(580_000)),
        // Made by the worker, out of an input if any.
        Family::Compress | Family::Decompress if parameter("piece_bytes").is_some() => {
            parameter("piece_bytes")
        }
        // Compressed or to be decompressed, what counts is the uncompressed text.
        _ => data.map(|name| json!(installation().catalog.inputs[name].bytes)),
    }
}

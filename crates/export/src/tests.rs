use super::*;
use record::{Imported, Origin, Run, ThreadSpec, fixture};
use serde_json::Value;
use std::io::Write;
use std::sync::{Arc, Mutex};

/// Two rows with three samples each, and one that failed.
fn run() -> Run {
    let ops: &[u64] = &[100, 101, 102];
    let mut run = fixture::run(&[("gzip-6/zlib", ops), ("sum/x", ops), ("bad/x", ops)]);
    run.outcomes.push(fixture::wrong_answer(2));
    run
}

/// Takes bytes, and keeps them for whoever has the other end.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn csv_of(batches: Vec<Batch>) -> Vec<Vec<String>> {
    let kept = Kept::default();
    let mut sink: Box<dyn Sink> = Box::new(CsvSink::new(kept.clone()));
    batches.into_iter().for_each(|batch| sink.add(batch).unwrap());
    sink.end().unwrap();
    let bytes = kept.0.lock().unwrap().clone();
    let mut reader = ::csv::ReaderBuilder::new().has_headers(false).from_reader(&bytes[..]);
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

#[test]
fn every_sample_and_every_estimate_is_a_row_of_a_csv_table_with_one_head() {
    let rows = csv_of(vec![samples(&run()), samples(&run())]);
    assert_eq!(rows.len(), 1 + 2 * 9);
    let place = |name: &str| rows[0].iter().position(|head| head == name).expect(name);
    assert_eq!(
        (rows[1][place("workload")].as_str(), rows[1][place("ops")].as_str()),
        ("gzip-6/zlib", "100")
    );
    assert_eq!(rows[1][place("ops_per_s")], "1000000000");
    let clock = rows[0].iter().position(|head| head == "clock_hz").unwrap();
    assert_eq!(rows[1][clock], "3000000000");
    let estimates = csv_of(vec![estimates(&run())]);
    assert_eq!(estimates.len(), 1 + 3 * 3, "a view a row");
    let why = estimates[0].iter().position(|head| head == "why_none").unwrap();
    assert_eq!(estimates[9][why], "a bit was wrong");
}

#[test]
fn tables_say_that_their_run_is_not_to_be_believed() {
    let mut run = run();
    run.notes.push(record::Note::Changed);
    for table in [csv_of(vec![estimates(&run)]), csv_of(vec![samples(&run)])] {
        let place = table[0].iter().position(|head| head == "validity").unwrap();
        assert!(table[1..].iter().all(|row| row[place] == "invalid"), "{table:?}");
    }
}

#[test]
fn an_imported_figure_is_one_row_with_the_view_imported() {
    let mut run = run();
    let (tool, sources, lacks) = ("a test".to_owned(), Vec::new(), Vec::new());
    run.header.origin = Some(Origin { tool, sources, lacks, failed: Vec::new() });
    run.header.plan.cases.truncate(1);
    (run.launches, run.samples, run.outcomes) = Default::default();
    run.imported.push(Imported { case: 0, per_s: 1.0, bytes_per_op: None });
    let rows = csv_of(vec![estimates(&run)]);
    let place = |name: &str| rows[0].iter().position(|head| head == name).expect(name);
    assert_eq!(rows.len(), 2, "{rows:?}");
    let cell = |name: &str| rows[1][place(name)].parse::<f64>();
    assert_eq!((rows[1][place("view")].as_str(), cell("value")), ("imported", Ok(1.0)));
    for unknown in ["clock_hz", "low", "high", "row_margin", "run_effect_margin"] {
        assert_eq!(rows[1][place(unknown)], "", "{unknown}");
    }
}

#[test]
fn every_format_has_the_clock_of_what_was_measured() {
    let run = fixture::run(&[("a/x", &[100; 20])]);
    let rows = csv_of(vec![estimates(&run)]);
    let clock = rows[0].iter().position(|head| head == "clock_hz").unwrap();
    let clocks: Vec<f64> = rows[1..].iter().map(|row| row[clock].parse().unwrap()).collect();
    assert!(clocks.len() == 3 && clocks.iter().all(|hz| (hz - 3e9).abs() < 1.0), "{clocks:?}");
    let lines = go_bench(&run);
    assert!(lines.last().unwrap().ends_with(" 3 GHz"), "{lines:?}");
    let google = serde_json::to_value(GoogleBenchmark::of(&run)).unwrap();
    assert_eq!(google["benchmarks"][0]["clock_hz"], 3e9);
}

#[test]
fn figures_in_bytes_are_no_operations_in_any_format() {
    let rows: &[_] = &[("a/x", record::ThreadSpec::All, 4, &[2_097_152.0][..])];
    let import = fixture::imported("m", &catalog::Unit::Bytes, rows);
    let rows = csv_of(vec![estimates(&import)]);
    let cell = |name: &str| {
        let place = rows[0].iter().position(|head| head == name).expect(name);
        rows[1][place].as_str()
    };
    assert_eq!((cell("unit"), cell("bytes_per_op")), ("bytes/s", ""));
    let near = |name: &str, expected: f64| {
        (cell(name).parse::<f64>().unwrap() / expected - 1.0).abs() < 1e-9
    };
    assert!(near("value", 2_097_152.0) && near("mib_per_s", 2.0), "{rows:?}");
    let lines = go_bench(&import);
    assert_eq!(**lines.last().unwrap(), *"BenchmarkA/impl=x/threads=all 1 2.097152 MB/s");
    let google = serde_json::to_value(GoogleBenchmark::of(&import)).unwrap();
    let row = &google["benchmarks"][0];
    assert_eq!(
        (&row["bytes_per_second"], row.get("items_per_second")),
        (&2_097_152.0.into(), None)
    );
    let measured = csv_of(vec![estimates(&run())]);
    let place = measured[0].iter().position(|head| head == "unit").unwrap();
    let units: Vec<&str> = measured[1..4].iter().map(|row| row[place].as_str()).collect();
    assert_eq!(units, ["ops/s", "ops/s", "ops/s per GHz"]);
}

/// Takes so many bytes and then no more.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0 == 0 {
            return Err(std::io::ErrorKind::StorageFull.into());
        }
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn what_could_not_be_written_says_so_as_the_system_did() {
    let ops: Vec<u64> = (100_000..102_000).collect();
    let table = samples(&fixture::run(&[("gzip-6/zlib", &ops)]));
    let sinks: [fn(Full) -> Box<dyn Sink>; 2] =
        [|to| Box::new(CsvSink::new(to)), |to| Box::new(ParquetSink::new(to))];
    for new in sinks {
        let written = |room: usize| {
            let mut sink = new(Full(room));
            let ended = sink.add(table.clone()).and_then(|()| sink.end());
            ended.map_err(|error| error.kind())
        };
        // From nothing that can be written, past buffers, to a part of the last page and of what stands after it.
        let mut rooms = (0..).step_by(499);
        let fits = rooms.find(|room| match written(*room) {
            Ok(()) => true,
            Err(kind) => {
                assert_eq!(kind, std::io::ErrorKind::StorageFull, "{room}");
                false
            }
        });
        assert!(fits > Some(8_192), "{fits:?}");
    }
}

#[test]
fn no_spreadsheet_finds_a_formula_in_a_label() {
    let mut run = run();
    for (label, cell) in [
        ("=cmd|'/c calc'!A1", "'=cmd|'/c calc'!A1"),
        ("  +1", "'  +1"),
        ("＝1", "'＝1"),
        ("a,b\"", "a,b\""),
        // A cell of its own where semicolons end cells.
        ("a; =1|@x;b-1", "a;' =1|'@x;b-1"),
        ("a\r\n=1\t=2", "a\u{fffd}\u{fffd}=1\u{fffd}=2"),
    ] {
        run.header.label = label.to_owned();
        assert_eq!(csv_of(vec![samples(&run)])[1][0], cell);
    }
}

#[test]
fn a_parquet_file_holds_what_the_csv_table_does() {
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::Field;
    let kept = Kept::default();
    let mut sink: Box<dyn Sink> = Box::new(ParquetSink::new(kept.clone()));
    sink.add(samples(&run())).unwrap();
    sink.add(samples(&run())).unwrap();
    sink.end().unwrap();
    let bytes = ::parquet::data_type::ByteArray::from(kept.0.lock().unwrap().clone());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    std::fs::write(&path, bytes.data()).unwrap();
    let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
    let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
    let csv = csv_of(vec![samples(&run()), samples(&run())]);
    assert_eq!(rows.len(), csv.len() - 1);
    for (row, line) in rows.iter().zip(&csv[1..]) {
        for (place, (name, field)) in row.get_column_iter().enumerate() {
            let text = match field {
                Field::Null => String::new(),
                Field::Str(text) => text.clone(),
                Field::Long(count) => count.to_string(),
                Field::Double(quantity) => quantity.to_string(),
                other => panic!("{name}: {other:?}"),
            };
            assert_eq!((name, text.as_str()), (&csv[0][place], line[place].as_str()));
        }
    }
}

#[test]
fn gos_format_has_a_line_a_sample_and_nothing_of_a_row_that_failed() {
    let lines = go_bench(&run());
    assert!(lines[0].starts_with("# ") && *lines[1] == *"goos: linux", "{lines:?}");
    let samples: Vec<_> = lines.iter().filter(|line| line.starts_with("Benchmark")).collect();
    assert_eq!(samples.len(), 6);
    let [name, iterations, ns, unit, ..] = samples[0].split(' ').collect::<Vec<_>>()[..] else {
        panic!("{samples:?}");
    };
    assert_eq!((name, iterations), ("BenchmarkGzip-6/impl=zlib/threads=1", "100"));
    assert!((ns.parse::<f64>().unwrap() - 1.0).abs() < 1e-12 && unit == "ns/op");
}

#[test]
fn googles_format_has_a_repetition_a_sample() {
    let json: Value = serde_json::to_value(GoogleBenchmark::of(&run())).unwrap();
    let benchmarks = json["benchmarks"].as_array().unwrap();
    assert_eq!(benchmarks.len(), 6);
    assert_eq!(benchmarks[1]["name"], "gzip-6/zlib/threads:1");
    assert_eq!(
        (&benchmarks[1]["repetition_index"], &benchmarks[1]["iterations"]),
        (&1.into(), &101.into())
    );
    assert_eq!(json["context"]["library_build_type"], "release");
}

#[test]
fn benchers_format_has_a_figure_of_each_row_with_one_and_its_interval_where_it_has_that() {
    let ops: Vec<u64> = (0..24).map(|n| 100 + n % 7).collect();
    let mut run = fixture::run(&[("a/x", &ops), ("bad/x", &ops)]);
    run.outcomes.push(fixture::wrong_answer(1));
    let metrics = |run: &Run| serde_json::to_value(BencherMetrics::of(run)).unwrap();
    let json = metrics(&run);
    assert_eq!(json.as_object().unwrap().keys().collect::<Vec<_>>(), ["a/x on 1 thread"]);
    let throughput = &json["a/x on 1 thread"]["throughput"];
    let [value, lower, upper] =
        ["value", "lower_value", "upper_value"].map(|key| throughput[key].as_f64().unwrap());
    assert!((1e9..=1.06e9).contains(&value) && lower < value && value < upper, "{json}");
    let rows: &[(&str, ThreadSpec, usize, &[f64])] = &[("a/x", ThreadSpec::Count(1), 1, &[5.0])];
    let imported = metrics(&fixture::imported("m", &catalog::Unit::Ops, rows));
    assert_eq!(
        imported,
        serde_json::json!({ "a/x on 1 thread": { "throughput": { "value": 5.0 } } })
    );
}

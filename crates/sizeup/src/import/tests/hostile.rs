//! What tools print that is easily taken for something else.

use super::*;

#[test]
fn benchmarks_of_the_same_name_in_two_packages_are_two_rows() {
    let text = "pkg: ex/a\nBenchmarkEncode-8 100 500.0 ns/op\nPASS\npkg: ex/b\n\
                BenchmarkEncode-8 100 700.0 ns/op\nBenchmarkEncode-8 100 710.0 ns/op\n";
    let run = crate::import::go::read(text, "here").unwrap();
    assert_eq!(row(&run, "ex.a.Encode/go-bench").ops_per_s, [2e6]);
    assert_eq!(row(&run, "ex.b.Encode/go-bench").ops_per_s.len(), 2);
}

#[test]
fn bytes_of_an_op_may_differ_by_rounding_and_no_more() {
    let read = |lines: &str| crate::import::go::read(lines, "here");
    // 1024 bytes at 0.5 MB/s: 2007872 and 2048000 ns are told as 0.51 and 0.50 MB/s.
    let near = read("BenchmarkX 1 2007872 ns/op 0.51 MB/s\nBenchmarkX 1 2048000 ns/op 0.50 MB/s\n");
    assert_eq!(near.unwrap().rows.len(), 1);
    let far =
        read("BenchmarkX 1 500.0 ns/op 2048.00 MB/s\nBenchmarkX 1 500.0 ns/op 4096.00 MB/s\n");
    let said = far.unwrap_err();
    assert!(said.starts_with("line 2: X/go-bench on 1 threads is {\"package\":\"\"}"), "{said}");
    assert!(said.contains("2048 bytes an op") && said.contains("1024 bytes an op"), "{said}");
}

//! `a2lint report`: a page without external resources. `tests/editors/report.sh` tests it in a browser.

use std::process::Output;

use serde_json::{Value, json};

/// Maximum size in bytes of the page on flash attention.
const MOST_BYTES: usize = 1_500_000;

fn a2lint(args: &[&str]) -> Output {
    let mut command = crate::common::binary();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args);
    command.output().expect("the binary runs")
}

/// Returns the page on a kernel, and the JSON object in it.
fn page(kernel: &str, args: &[&str]) -> (String, Value) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("page.html");
    let path = path.to_str().expect("UTF-8");
    let output = a2lint(&[&["report", kernel, "-o", path], args].concat());
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
    let page = std::fs::read_to_string(path).expect("a page");
    let start = page.find("id=\"data\">").expect("an object") + "id=\"data\">".len();
    let end = start + page[start..].find("</script>").expect("its end");
    let data = serde_json::from_str(&page[start..end]).expect("JSON");
    (page, data)
}

fn list<'v>(data: &'v Value, key: &str) -> &'v [Value] {
    data[key].as_array().expect("a list")
}

#[test]
fn a_kernel_in_cpp_has_its_findings_and_verdicts() {
    let (_, data) = page("docs/mistakes/store_without_queue.cpp", &[]);
    let rules: Vec<_> = list(&data, "findings")
        .iter()
        .map(|it| &it["name"])
        .collect();
    assert_eq!(rules, ["race"]);
    assert_eq!(list(&data, "verdicts").len(), 8);
    assert!(
        data["known"]
            .as_str()
            .is_some_and(|it| it.contains("refuted"))
    );
    assert!(
        list(&data, "races")
            .iter()
            .all(|it| it["ends"][0]["core"] == data["core"])
    );
}

#[test]
fn flash_attention_fits_into_one_small_file() {
    let (page, data) = page("tests/kernels/flash_attention.py", &["--cores", "2"]);
    assert!(page.len() <= MOST_BYTES, "{} bytes", page.len());
    let outside = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!outside.contains("http://") && !outside.contains("https://"));
    assert_eq!(list(&data, "verdicts").len(), 8);
    let memories: Vec<_> = list(&data, "memories")
        .iter()
        .map(|it| &it["name"])
        .collect();
    assert_eq!(memories, ["L1", "L0C", "UB"]);
    let slots = data["memories"][0]["slots"].as_array().expect("slots");
    assert!(
        slots
            .iter()
            .any(|it| it["from"].is_i64() && it["to"].is_i64()),
        "{slots:?}"
    );
    let tracks: Vec<_> = list(&data, "tracks")
        .iter()
        .map(|it| it["name"].as_str())
        .collect();
    assert!(
        tracks.contains(&Some("cube M")) && tracks.contains(&Some("vec0 V")),
        "{tracks:?}"
    );
    let steps = list(&data, "steps");
    assert!(steps.len() > 40, "{} steps", steps.len());
    for step in steps {
        for operand in list(step, "operands") {
            let after = &operand["after"];
            let Some(levels) = after["levels"].as_str() else {
                continue;
            };
            let cells = after["grid"][0].as_u64().unwrap() * after["grid"][1].as_u64().unwrap();
            assert_eq!(levels.len() as u64, cells);
            let flags = after["flags"].as_array().unwrap().iter();
            assert_eq!(
                flags.map(|run| run[0].as_u64().unwrap()).sum::<u64>(),
                cells
            );
        }
    }
}

#[test]
fn a_finding_leads_to_its_tiles() {
    let (_, data) = page("tests/kernels/broken/dup_narrow.py", &[]);
    let findings = list(&data, "findings");
    let finding = findings
        .iter()
        .find(|it| it["name"] == "dup-coverage")
        .expect("a finding");
    let step = &data["steps"][finding["step"].as_u64().expect("a step") as usize];
    assert_eq!(step["line"], finding["line"]);
    let after = &step["operands"][0]["after"];
    let flags = after["flags"].as_array().expect("flags");
    // A part of the buffer is written, and a part is undefined.
    assert!(flags.iter().any(|run| run[1] == 1), "{flags:?}");
    assert!(
        flags.iter().any(|run| run[1].as_u64().unwrap() & 1 == 0),
        "{flags:?}"
    );
    let line = finding["line"].as_u64().unwrap() as usize;
    assert!(
        data["files"][0]["lines"][line - 1]
            .as_str()
            .unwrap()
            .contains("dup("),
        "{data}"
    );
}

#[test]
fn a_race_is_marked_at_both_ends() {
    let (_, data) = page("tests/rules/race/bad_reload_of_stored.py", &[]);
    let races = list(&data, "races");
    // A race on each vector lane.
    let [race, _] = races else {
        panic!("{races:?}");
    };
    let ends = list(race, "ends");
    let tracks: Vec<_> = ends.iter().map(|it| it["track"].as_str()).collect();
    assert_eq!(tracks, [Some("vec0 MTE3"), Some("vec0 MTE2")]);
    for end in ends {
        assert_eq!(end["tensor"], "ub");
        // The timeline has a slice to mark.
        let mut tracks = list(&data, "tracks").iter();
        let track = tracks.find(|it| it["name"] == end["track"]).expect("a row");
        let mut slices = list(track, "slices").iter();
        assert!(
            slices.any(|it| it[0] == end["from"] && it[2] == end["line"]),
            "{end}"
        );
    }
    // The store of one iteration and the load of the next.
    let iterations = ends.iter().map(|it| &it["iteration"]);
    assert_eq!(iterations.collect::<Vec<_>>(), [&json!([0]), &json!([1])]);
    let (_, data) = page("tests/kernels/flash_attention.py", &["--cores", "2"]);
    assert_eq!(list(&data, "races").len(), 0);
}

#[test]
fn several_sizes_are_a_plot() {
    let kernel = "tests/kernels/rms_norm.py";
    let (_, data) = page(kernel, &["--bind", "M=1024..4096:x2"]);
    let sweep = &data["sweep"];
    assert_eq!(
        (&sweep["name"], &sweep["multiplies"]),
        (&json!("M"), &json!(true))
    );
    let points = list(sweep, "points");
    let values: Vec<_> = points.iter().map(|it| it["value"].as_f64()).collect();
    assert_eq!(values, [1024.0, 2048.0, 4096.0].map(Some));
    // The times are those of `a2lint cost`, which also says what limits each of them.
    let costs = a2lint(&["cost", kernel, "--json", "--bind", "M=1024..4096:x2"]);
    let costs: Value = serde_json::from_slice(&costs.stdout).expect("JSON");
    for (point, run) in points.iter().zip(list(&costs, "costs")) {
        assert_eq!(point["microseconds"], run["cost"]["microseconds"]);
        assert_eq!(point["bound"], run["cost"]["bound"]);
        assert_eq!(point["remark"], Value::Null, "{point}");
    }
    // The rest of the page is on the first value.
    let arguments = list(&data["launch"], "arguments");
    assert!(arguments.contains(&json!("M=1024")), "{arguments:?}");
    let (_, data) = page(kernel, &["--bind", "M=1024"]);
    assert_eq!(data["sweep"], Value::Null);
}

#[test]
fn sizes_that_are_not_run_are_said() {
    let kernel = "tests/kernels/rms_norm.py";
    let limits = ["--max-memory", "8M", "--bind", "M=1024..1048576:x1024"];
    let (_, data) = page(kernel, &limits);
    let [first, second] = list(&data["sweep"], "points") else {
        panic!("{}", data["sweep"])
    };
    assert!(
        first["microseconds"]
            .as_f64()
            .is_some_and(|time| time > 0.0)
    );
    assert_eq!(
        (&second["microseconds"], &second["bound"]),
        (&Value::Null, &Value::Null)
    );
    let remark = second["remark"].as_str().expect("a remark");
    assert!(remark.starts_with("not run: "), "{remark}");
    // A plot has a single axis.
    let output = a2lint(&["report", kernel, "--bind", "M=1..8", "--bind", "N=1..8"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(error.contains("`M` or to `N`"), "{error}");
}

#[test]
fn what_cannot_be_launched_is_said() {
    let output = a2lint(&["report", "README.md", "-o", "/nowhere/page.html"]);
    assert_eq!(output.status.code(), Some(2));
    let output = a2lint(&[
        "report",
        "tests/kernels/broken/dup_narrow.py",
        "-o",
        "/nowhere/page.html",
    ]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(error.contains("cannot write /nowhere/page.html"), "{error}");
}

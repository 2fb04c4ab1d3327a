//! The cost model: an Add kernel that was measured step by step, and properties of every estimate.

use std::path::Path;
use std::time::{Duration, Instant};

use a2lint::device::Device;
use a2lint::frontend::dsl::trace;
use a2lint::ir::Program;
use a2lint::machine::cost::Expense;
use a2lint::machine::{
    Bindings, BoundLaunch, Clock, Estimate, NullObserver, Observer, Options, Site, SyncOp, simulate,
};
use a2lint::text::SourceText;
use serde_json::Value;

use crate::common::{files, read, root};

/// Number of elements of the measured Add: 8192 x 8192.
const MEASURED: usize = 8192 * 8192;

fn cost(kernel: &str, elements: usize, cores: u32, options: &[&str]) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cost/add.py");
    let mut command = crate::common::binary();
    command
        .args(["run", &format!("{}::{kernel}", path.display())])
        .args(["--json", "--device", "b1", "--cores", &cores.to_string()])
        .args(["--max-memory", "2000000000", "--max-seconds", "3000"])
        .arg("--bind")
        .arg(format!("N={elements}"))
        .args(options);
    for tensor in ["x", "y", "z"] {
        command.args(["--shape", &format!("{tensor}=1,{elements}")]);
        command.args(["--dtype", &format!("{tensor}=half")]);
    }
    let output = command.output().expect("the binary runs");
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(report["end"]["kind"], "finished", "{kernel}: {report}");
    report["cost"].clone()
}

fn microseconds(cost: &Value) -> f64 {
    cost["microseconds"].as_f64().expect("a time")
}

/// Only runs with `A2LINT_COST_WHOLE=1`, because it takes some minutes.
///
/// The six steps with the times that were measured on the device. For the fourth, the total time was published. For
/// the others, the busy times of the pipes are known; serial steps take their sum and three handshakes per iteration,
/// others the bytes at the published rate, and both the time between task and core. The second and the last are only
/// known to lie between their neighbours.
#[test]
fn the_steps_of_a_measured_add_are_in_order() {
    if std::env::var_os("A2LINT_COST_WHOLE").is_none() {
        return;
    }
    let bypass: &[&str] = &["--bypass-l2", "x", "--bypass-l2", "y"];
    let steps: [(&str, u32, &[&str], Option<f64>); 6] = [
        ("one_lane", 1, &[], Some(9876.0)),
        ("serial_8k", 24, &[], None),
        ("serial_32k", 24, &[], Some(263.1)),
        ("double_32k", 24, &[], Some(257.6)),
        ("double_32k", 24, bypass, Some(178.3)),
        ("apart_32k", 24, bypass, None),
    ];
    let mut before = f64::INFINITY;
    for (kernel, cores, options, measured) in steps {
        let cost = cost(kernel, MEASURED, cores, options);
        let time = microseconds(&cost);
        println!("{kernel} {cores} {options:?}: {time:.1} µs, measured {measured:?}");
        assert!(time <= before * 1.01, "{kernel}: {time} after {before}");
        if let Some(measured) = measured {
            assert!((time / measured - 1.0).abs() < 0.25, "{kernel}: {time}");
        }
        before = time;
    }
}

/// Compares lanes that load a matrix in the same order with lanes that begin at different places: the ratio of their
/// MTE2 times on the device.
#[test]
fn loads_of_the_same_addresses_take_longer() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cost/loads.py");
    let cycles = |kernel: &str, rows: &str| {
        let mut command = crate::common::binary();
        command
            .args(["run", &format!("{}::{kernel}", path.display()), "--json"])
            .args(["--device", "b1", "--cores", "24", "--bypass-l2", "x"])
            .args(["--bind", &format!("M={rows}"), "--bind", "N=512"])
            .args(["--shape", &format!("x={rows},512"), "--dtype", "x=half"]);
        let output = command.output().expect("the binary runs");
        let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        assert_eq!(report["end"]["kind"], "finished", "{kernel}: {report}");
        report["cost"]["cycles"].as_f64().expect("a number")
    };
    let measured = [("ub", 474.7 / 307.4), ("l1", 240.2 / 209.8)];
    for (memory, measured) in measured {
        let [same, apart] =
            ["same", "apart"].map(|order| cycles(&format!("{memory}_{order}"), "6144"));
        let ratio = same / apart;
        println!("{memory}: {ratio:.2}, measured {measured:.2}");
        assert!((ratio / measured - 1.0).abs() < 0.1, "{memory}: {ratio}");
    }
}

/// The MTE2 time of a load while all lanes load their own rows: from memory, and with three quarters from L2.
#[test]
fn loads_of_all_lanes_take_what_was_measured() {
    let path = root().join("tests/cost/loads.py");
    let measured = [
        ("ub_narrow", 64, 1.0, 531.8),
        ("ub_wide", 1024, 1.0, 7810.7),
        ("ub_again", 1024, 4.0, 3416.3),
        ("l1_narrow", 64, 1.0, 341.5),
        ("l1_wide", 256, 1.0, 1033.5),
        ("l1_again", 1024, 4.0, 1916.5),
    ];
    for (kernel, columns, passes, measured) in measured {
        let lanes = if kernel.starts_with("ub") { 48 } else { 24 };
        let rows = 64 * 4 * lanes;
        let mut command = crate::common::binary();
        command
            .args(["run", &format!("{}::{kernel}", path.display()), "--json"])
            .args(["--device", "b1", "--cores", "24", "--dtype", "x=half"])
            .args([
                "--bind",
                &format!("M={rows}"),
                "--bind",
                &format!("N={columns}"),
            ])
            .args(["--shape", &format!("x={rows},{columns}")]);
        let output = command.output().expect("the binary runs");
        let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        assert_eq!(report["end"]["kind"], "finished", "{kernel}: {report}");
        let pipes = report["cost"]["pipes"].as_array().expect("pipes").iter();
        let loading = pipes.filter(|pipe| pipe["pipe"] == "MTE2");
        let busy = loading.filter_map(|pipe| pipe["busy"].as_f64());
        let each = busy.fold(0.0, f64::max) / (4.0 * passes);
        println!("{kernel}: {each:.1} cycles a load, measured {measured}");
        assert!((each / measured - 1.0).abs() < 0.02, "{kernel}: {each}");
    }
}

/// The MTE3 time of a store while all lanes store and L2 accepts the data: 1243 cycles without loads, 3475 while
/// other lanes load past L2.
#[test]
fn stores_beside_loads_take_what_was_measured() {
    let each = |kernel: &str, tiles: usize| {
        let bypass = ["--bypass-l2", "x", "--bypass-l2", "y"];
        let cost = cost(kernel, (48 * tiles) << 14, 24, &bypass);
        let pipes = cost["pipes"].as_array().expect("pipes").iter();
        let storing = pipes.filter(|pipe| pipe["pipe"] == "MTE3");
        let busy = storing.filter_map(|pipe| pipe["busy"].as_f64());
        busy.fold(0.0, f64::max)
    };
    let alone = each("serial_32k", 1);
    // No load runs any more when the last tile is stored.
    let beside = (each("double_32k", 8) - each("double_32k", 1)) / 7.0;
    println!("{alone:.0} cycles, {beside:.0} beside loads");
    assert!((alone / 1243.4 - 1.0).abs() < 0.05, "{alone}");
    assert!((beside / 3475.1 - 1.0).abs() < 0.05, "{beside}");
}

#[test]
fn lanes_share_the_way_to_memory() {
    let alone = cost("double_32k", 4 << 14, 1, &[]);
    let many = cost("double_32k", 96 << 14, 24, &[]);
    let load = |cost: &Value| {
        let pipes = cost["pipes"].as_array().expect("pipes").clone();
        let busy = pipes.iter().filter(|pipe| pipe["pipe"] == "MTE2");
        busy.map(|pipe| pipe["busy"].as_i64().expect("cycles"))
            .max()
    };
    // Each lane loads two tiles from two tensors: 709 cycles per load alone, 1954 next to 47 other lanes.
    let alone = load(&alone).expect("loads");
    assert!((4 * 705..=4 * 715).contains(&alone), "{alone}");
    let shared = load(&many).expect("loads");
    assert!((4 * 1900..=4 * 2000).contains(&shared), "{shared}");
    assert_eq!(many["bound"], "global memory");
}

#[test]
fn two_sources_in_one_group_of_banks_take_twice_as_long() {
    let vector = |kernel: &str, elements: usize| {
        let cost = cost(kernel, elements, 1, &[]);
        let pipes = cost["pipes"].as_array().expect("pipes").clone();
        let busy = pipes.iter().filter(|pipe| pipe["pipe"] == "V");
        busy.filter_map(|pipe| pipe["busy"].as_i64()).max()
    };
    assert_eq!(vector("double_32k", 2 << 14), Some(2 * 128));
    // One repeat of `dup`, which takes three cycles.
    assert_eq!(vector("apart_32k", 2 * 126 * 128), Some(126 + 3));
}

#[test]
fn an_estimate_names_stalls_and_the_critical_path() {
    let cost = cost("serial_8k", 64 << 12, 4, &[]);
    let stalls = cost["stalls"].as_array().expect("stalls");
    assert_eq!(stalls.len(), 3);
    let path = cost["critical_path"].as_array().expect("a path");
    let total: i64 = path
        .iter()
        .filter_map(|share| share["cycles"].as_i64())
        .sum();
    let cycles = cost["cycles"].as_i64().expect("cycles");
    assert!(
        (total - cycles).abs() <= path.len() as i64 + 8,
        "{total} of {cycles}"
    );
    assert_eq!(cost["complete"], true);
}

/// An observer that estimates the time of a run.
pub struct Timed<'p>(pub Clock<'p>);

impl Observer for Timed<'_> {
    fn wants_costs(&self) -> bool {
        true
    }

    fn spend(&mut self, site: &Site, expense: &Expense) {
        self.0.spend(site, expense);
    }

    fn synchronise(&mut self, site: &Site, operation: &SyncOp) {
        self.0.synchronise(site, operation);
    }
}

/// Returns the estimate for every launch of `tests/kernels`, and the times that `run` reports without and with the
/// estimate.
fn estimates(
    run: impl Fn(&Program, &BoundLaunch) -> (Estimate, [Duration; 2]),
) -> (Vec<Estimate>, [Duration; 2]) {
    let (mut estimates, mut times) = (Vec::new(), [Duration::ZERO; 2]);
    for path in files(&root().join("tests/kernels"), "py") {
        if path.components().any(|part| part.as_os_str() == "broken") {
            continue;
        }
        let module = trace(&SourceText::new(read(&path).as_str()));
        for launch in &module.launches {
            let mut programs = module.programs.iter();
            let Some(program) = programs.find(|program| program.name == launch.kernel) else {
                continue;
            };
            let (none, device) = (Bindings::default(), Device::default());
            let bound = BoundLaunch::bind(
                program,
                Some(launch),
                &module.launches,
                &none,
                device,
                1 << 30,
            );
            let Ok(bound) = bound else { continue };
            let (estimate, taken) = run(program, &bound);
            times[0] += taken[0];
            times[1] += taken[1];
            estimates.push(estimate);
        }
    }
    (estimates, times)
}

fn estimate(program: &Program, bound: &BoundLaunch) -> Estimate {
    let mut timed = Timed(Clock::new(program, bound.cores, false));
    simulate(program, bound, &Options::default(), &mut timed);
    timed.0.estimate()
}

/// Returns the estimate, and the best times of some runs without and with it.
fn timed(program: &Program, bound: &BoundLaunch) -> (Estimate, [Duration; 2]) {
    let mut best = [Duration::MAX; 2];
    let mut last = Estimate::default();
    for _ in 0..5 {
        let start = Instant::now();
        simulate(program, bound, &Options::default(), &mut NullObserver);
        best[0] = best[0].min(start.elapsed());
        let start = Instant::now();
        last = estimate(program, bound);
        best[1] = best[1].min(start.elapsed());
    }
    (last, best)
}

#[test]
fn estimates_are_the_same_every_time_and_cheap() {
    let untimed =
        |program: &Program, bound: &BoundLaunch| (estimate(program, bound), Default::default());
    let (first, _) = estimates(untimed);
    assert!(first.len() > 40 && first.iter().any(|estimate| estimate.cycles > 10_000));
    for estimate in &first {
        assert!(estimate.memory <= 1.01, "{estimate:?}");
        let busiest = estimate.busiest().map_or(0, |load| load.busy);
        assert!(busiest <= estimate.cycles, "{estimate:?}");
    }
    // The estimates on another thread are the same.
    let again = std::thread::spawn(move || estimates(untimed).0).join();
    assert_eq!(first, again.expect("estimates"));
    if std::env::var_os("A2LINT_COST_TIME").is_some() {
        let (_, [without, with]) = estimates(timed);
        let share = with.as_secs_f64() / without.as_secs_f64();
        println!("{without:?} without costs, {with:?} with them: {share:.3}");
        assert!(share < 1.3, "{share}");
    }
}

/// Runs `a2lint cost` on kernels of `tests/cost/add.py`.
fn cost_command(kernels: &[&str], options: &[&str]) -> std::process::Output {
    let path = root().join("tests/cost/add.py");
    let mut command = crate::common::binary();
    command.arg("cost").args(options).args(["--cores", "2"]);
    for tensor in ["x", "y", "z"] {
        command.args(["--shape", &format!("{tensor}=1,262144")]);
        command.args(["--dtype", &format!("{tensor}=half")]);
    }
    command.args(
        kernels
            .iter()
            .map(|kernel| format!("{}::{kernel}", path.display())),
    );
    command.output().expect("the binary runs")
}

fn costs(kernels: &[&str], options: &[&str]) -> Vec<Value> {
    let options = [options, &["--json"]].concat();
    let output = cost_command(kernels, &options);
    assert!(output.status.success(), "{kernels:?}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    report["costs"].as_array().expect("costs").clone()
}

#[test]
fn statements_add_up_to_what_their_pipes_take() {
    let costs = costs(&["serial_32k"], &["--bind", "N=262144"]);
    let [run] = &costs[..] else {
        panic!("one launch: {costs:?}")
    };
    let list = |name: &str| run["cost"][name].as_array().expect("a list").clone();
    let of_pipe = |list: &[Value], pipe: &str, what: &str| -> Vec<i64> {
        let on = list.iter().filter(|it| it["pipe"] == pipe);
        on.map(|it| it[what].as_i64().expect("cycles")).collect()
    };
    for pipe in ["MTE2", "V", "MTE3"] {
        let statements: i64 = of_pipe(&list("statements"), pipe, "busy").iter().sum();
        let most = of_pipe(&list("pipes"), pipe, "busy").into_iter().max();
        let most = most.expect("a pipe");
        assert!(
            most > 0 && (statements - most).abs() <= 2,
            "{pipe}: {statements} {most}"
        );
    }
    // Three tensors of 262,144 halfs, each moved once.
    assert_eq!(run["cost"]["moved_bytes"], 3 * 2 * 262144);
    let busy = of_pipe(&list("statements"), "MTE2", "busy");
    assert_eq!(
        busy.iter().filter(|cycles| **cycles > 0).count(),
        2,
        "the loads"
    );
    // One addition per element, for three halfs that are moved.
    assert_eq!(run["cost"]["operations"], 262144);
    let roofline = &run["cost"]["roofline"];
    let intensity = roofline["operations_per_byte"].as_f64().expect("a number");
    assert!((intensity - 1.0 / 6.0).abs() < 1e-9, "{roofline}");
    assert_eq!(
        (&roofline["roof"], &roofline["unit"]),
        (&"memory".into(), &"V".into())
    );
}

#[test]
fn variants_and_sizes_are_compared() {
    let ratio = |cost: &Value| cost["ratio"].as_f64();
    let variants = costs(&["serial_32k", "double_32k"], &["--bind", "N=262144"]);
    let ratios: Vec<_> = variants.iter().map(ratio).collect();
    assert_eq!(ratios[0], Some(1.0));
    assert!(ratios[1].is_some_and(|ratio| ratio < 0.95), "{ratios:?}");
    let cycles = |cost: &Value| cost["cost"]["microseconds"].as_f64().expect("a time");
    let exact = cycles(&variants[1]) / cycles(&variants[0]);
    assert!((ratios[1].expect("a ratio") - exact).abs() < 1e-9);

    // An incomplete run is shown but not compared.
    let part = cost_command(&["double_32k"], &["--bind", "N=65536..131072", "--json"]);
    assert_eq!(part.status.code(), Some(1));
    let part: Value = serde_json::from_slice(&part.stdout).expect("one JSON object");
    let mut ratios = part["costs"].as_array().expect("costs").iter().map(ratio);
    assert!(ratios.all(|ratio| ratio.is_none()), "{part}");

    let path = root().join("tests/kernels/rms_norm.py");
    let mut command = crate::common::binary();
    command
        .arg("cost")
        .arg(path)
        .args(["--json", "--bind", "M=1024..4096:x2"]);
    let sizes = command.output().expect("the binary runs").stdout;
    let sizes: Value = serde_json::from_slice(&sizes).expect("one JSON object");
    let sizes = sizes["costs"].as_array().expect("costs");
    let times: Vec<f64> = sizes.iter().map(cycles).collect();
    assert_eq!(times.len(), 3);
    assert!(times[0] < times[1] && times[1] < times[2], "{times:?}");
}

#[test]
fn tables_of_costs_fit_120_columns() {
    for (kernels, options) in [
        (&["serial_32k"][..], &["--bind", "N=262144"][..]),
        (
            &["serial_32k", "double_32k"],
            &["--bind", "N=65536..131072"],
        ),
    ] {
        let output = cost_command(kernels, options);
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let table = text
            .lines()
            .skip_while(|line| !line.contains(" path ") && !line.contains("ratio "));
        let table = table.take_while(|line| !line.is_empty());
        let widths: Vec<usize> = table.map(|line| line.chars().count()).collect();
        assert!(
            widths.len() > 3 && widths.iter().all(|width| *width <= 120),
            "{text}"
        );
    }
}

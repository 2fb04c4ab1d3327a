//! Run time of the binary on a source tree: `cargo bench --bench tree`.
//!
//! Targets on two cores, with the files in the page cache: start-up in 3 ms; 1,000 kernels without replay in 1.2 s;
//! 10,000 files of which 200 have kernels in 1 s. Of a file without kernels, only the head is read.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Number of files in the tree.
const FILES: usize = 10_000;
/// Every 50th file has a kernel, 200 in all.
const KERNEL_EVERY: usize = 50;
/// Number of files in a folder.
const FOLDER: usize = 40;
/// Number of files in the folder that has kernels only.
const ALL_KERNELS: usize = 1000;
/// Number of runs, of which the fastest counts.
const RUNS: usize = 5;
/// Number of starts, of which the fastest counts.
const STARTS: usize = 50;

/// The kernels, which are used in turn and have launches.
const KERNELS: [&str; 17] = [
    include_str!("../tests/kernels/causal_mask.py"),
    include_str!("../tests/kernels/cube_to_vec_bridge.py"),
    include_str!("../tests/kernels/elementwise_chain.py"),
    include_str!("../tests/kernels/flash_attention.py"),
    include_str!("../tests/kernels/gather_rows.py"),
    include_str!("../tests/kernels/int8_matmul.py"),
    include_str!("../tests/kernels/layer_norm.py"),
    include_str!("../tests/kernels/matmul_splitk.py"),
    include_str!("../tests/kernels/matmul_splitn.py"),
    include_str!("../tests/kernels/online_softmax.py"),
    include_str!("../tests/kernels/qk_batched.py"),
    include_str!("../tests/kernels/quantize.py"),
    include_str!("../tests/kernels/reduce_columns.py"),
    include_str!("../tests/kernels/rms_norm.py"),
    include_str!("../tests/kernels/rope.py"),
    include_str!("../tests/kernels/topk.py"),
    include_str!("../tests/kernels/vec_to_cube_bridge.py"),
];

fn main() {
    let started = (0..STARTS)
        .map(|_| run(Path::new("."), &["--version"]))
        .min();
    println!("--version            {:>8.1?}", started.unwrap_or_default());

    let tree = tempfile::tempdir().expect("a temporary folder");
    for at in 0..ALL_KERNELS {
        let path = tree.path().join(format!("kernel_{at}.py"));
        fs::write(path, KERNELS[at % KERNELS.len()]).expect("a new file");
    }
    println!("{ALL_KERNELS} kernels");
    report(tree.path(), &["check", "--no-replay"]);

    let tree = tempfile::tempdir().expect("a temporary folder");
    let bytes = grow(tree.path());
    let kernels = FILES / KERNEL_EVERY;
    println!("{FILES} files, {kernels} with a kernel, {} MB", bytes >> 20);
    report(tree.path(), &["check"]);
    report(tree.path(), &["check", "--no-replay"]);
    report(tree.path(), &["check", "--jobs", "1"]);
}

/// Prints the time of the fastest run in a folder.
fn report(folder: &Path, arguments: &[&str]) {
    let best = (0..RUNS).map(|_| run(folder, arguments)).min();
    println!(
        "{:<20} {:>8.1?}",
        arguments.join(" "),
        best.unwrap_or_default()
    );
}

/// Writes the tree and returns its size in bytes.
fn grow(root: &Path) -> usize {
    let mut bytes = 0;
    for at in 0..FILES {
        let folder = root.join(format!("package_{}", at / FOLDER));
        if at % FOLDER == 0 {
            fs::create_dir(&folder).expect("a new folder");
        }
        let (name, text) = match at % KERNEL_EVERY {
            0 => {
                let kernel = KERNELS[at / KERNEL_EVERY % KERNELS.len()];
                (format!("kernel_{at}.py"), kernel.to_owned())
            }
            1..=9 => (format!("source_{at}.cpp"), cpp(at)),
            _ => (format!("module_{at}.py"), python(at)),
        };
        bytes += text.len();
        fs::write(folder.join(name), text).expect("a new file");
    }
    bytes
}

/// Generates a module of about 250 lines without kernels.
fn python(at: usize) -> String {
    let mut text = String::from("\"\"\"Services.\"\"\"\nimport os\nimport json\n\n");
    for function in 0..20 + at % 20 {
        text += &format!(
            "\ndef step_{function}(values, scale=1.0):\n    total = 0.0\n    for value in values:\n        \
             if value > {function}:\n            total += value * scale\n    \
             return json.dumps({{\"total\": total, \"pid\": os.getpid()}})\n\n"
        );
    }
    text
}

/// Generates a C++ file without kernels.
fn cpp(at: usize) -> String {
    let mut text = String::from("#include <vector>\n\n");
    for function in 0..30 + at % 20 {
        text += &format!(
            "double step_{function}(const std::vector<double> &values) {{\n    double total = 0;\n    \
             for (double value : values) {{\n        total += value * {function};\n    }}\n    return total;\n}}\n\n"
        );
    }
    text
}

/// Returns the time of a run in a folder.
fn run(folder: &Path, arguments: &[&str]) -> Duration {
    let mut command = Command::new(env!("CARGO_BIN_EXE_a2lint"));
    // The cache is off, so that each run checks the files.
    command
        .current_dir(folder)
        .env("A2LINT_NO_CACHE", "1")
        .args(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let status = command.status().expect("the binary runs");
    let taken = start.elapsed();
    assert!(status.success(), "{arguments:?}: {status}");
    taken
}

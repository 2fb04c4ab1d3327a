//! Values that kernels of AscendC compute on the machine, beside references that are computed here.

use std::path::Path;

use crate::common;

/// Runs a kernel of `tests/ascendc/traced` with normal values and returns these tensors, inputs as well.
fn run(file: &str, kernel: &str, inputs: &[&str], tensors: &[&str]) -> Vec<Vec<f64>> {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let path = common::root().join("tests/ascendc/traced").join(file);
    let mut command = common::binary();
    command
        .arg("run")
        .arg(format!("{}::{kernel}", path.display()));
    for (seed, name) in inputs.iter().enumerate() {
        command.args(["--input", &format!("{name}=randn:{}", seed + 1)]);
    }
    let place = |name: &str| folder.path().join(format!("{name}.npy"));
    for name in tensors {
        command.args(["--output", &format!("{name}={}", place(name).display())]);
    }
    let output = command.output().expect("the binary runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{file}: {said}");
    tensors.iter().map(|name| array(&place(name))).collect()
}

/// The numbers of a file of NumPy with half or single floats.
fn array(path: &Path) -> Vec<f64> {
    let bytes = std::fs::read(path).expect("the run writes it");
    let length = u16::from_le_bytes([bytes[8], bytes[9]]) as usize;
    let (header, data) = bytes[10..].split_at(length);
    let header = String::from_utf8_lossy(header);
    match header.contains("<f2") {
        true => data
            .chunks_exact(2)
            .map(|it| half(u16::from_le_bytes([it[0], it[1]])))
            .collect(),
        false => {
            assert!(header.contains("<f4"), "{header}");
            data.chunks_exact(4)
                .map(|it| f64::from(f32::from_le_bytes([it[0], it[1], it[2], it[3]])))
                .collect()
        }
    }
}

fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    sign * match exponent {
        0 => fraction * 2f64.powi(-24),
        31 => f64::NAN,
        _ => (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
    }
}

/// Whether all numbers are as close to a reference as relative and absolute errors of this size allow.
fn agrees(found: &[f64], wanted: impl IntoIterator<Item = f64>, tolerance: f64) {
    let wanted: Vec<f64> = wanted.into_iter().collect();
    assert_eq!(found.len(), wanted.len());
    for (at, (&found, &wanted)) in found.iter().zip(&wanted).enumerate() {
        let near = (found - wanted).abs() <= tolerance * (1.0 + wanted.abs());
        assert!(near, "element {at} is {found} and not {wanted}");
    }
}

#[test]
fn queues_pass_tiles_on() {
    let all = run("add.cpp", "add_custom", &["x", "y"], &["x", "y", "z"]);
    let sums = all[0].iter().zip(&all[1]).map(|(x, y)| x + y);
    agrees(&all[2], sums, 1e-3);
    let all = run("prefetch.cpp", "squares", &["a"], &["a", "b"]);
    agrees(&all[1], all[0].iter().map(|x| x * x), 1e-3);
}

#[test]
fn flags_order_one_buffer() {
    let all = run("tbuf_flags.cpp", "scale_in_place", &["x"], &["x", "y"]);
    agrees(&all[1], all[0].iter().map(|x| 2.0 * x), 0.0);
}

#[test]
fn a_type_is_the_same_one_by_each_of_its_names() {
    let all = run("names.cpp", "names", &["x"], &["x", "y"]);
    agrees(&all[1], all[0].iter().map(|x| x.floor()), 0.0);
}

#[test]
fn fields_of_a_tiling_struct_are_parameters() {
    let all = run("tiling_data.cpp", "scale", &["x"], &["x", "y"]);
    agrees(&all[1], all[0].iter().map(|x| 0.5 * x), 0.0);
}

#[test]
fn chains_of_instructions_compute_what_they_say() {
    let gelu = |x: &f64| x / (1.0 + (-1.595_769_1 * (x + 0.044_715 * x * x * x)).exp());
    for (kernel, tolerance) in [("gelu_float", 1e-5), ("gelu_half", 2e-3)] {
        let all = run("gelu_chain.cpp", kernel, &["x"], &["x", "y"]);
        agrees(&all[1], all[0].iter().map(gelu), tolerance);
    }
}

#[test]
fn rows_are_reduced_by_vector_and_scalar_units() {
    let all = run(
        "softmax_rows.cpp",
        "softmax_rows",
        &["src"],
        &["src", "dst"],
    );
    let rows = all[0].chunks_exact(512);
    let softmax = rows.flat_map(|row| {
        let top = row.iter().copied().fold(f64::MIN, f64::max);
        let powers: Vec<f64> = row.iter().map(|x| (x - top).exp()).collect();
        let sum: f64 = powers.iter().sum();
        powers.into_iter().map(move |it| it / sum)
    });
    agrees(&all[1], softmax, 1e-5);
    let all = run("rms_tail.cpp", "rms_norm", &["x"], &["x", "y"]);
    let rows = all[0].chunks_exact(513);
    let norms = rows.flat_map(|row| {
        let mean = row.iter().map(|x| x * x).sum::<f64>() / 513.0;
        let scale = 1.0 / (mean + 1e-5).sqrt();
        row.iter().map(move |x| x * scale)
    });
    agrees(&all[1], norms, 1e-5);
}

#[test]
fn masks_pick_lanes() {
    let all = run("masks.cpp", "masks", &["x"], &["x", "y"]);
    let lane = |at: usize| {
        let (x, at) = (all[0][at], at % 512);
        let in_repeat = at % 64;
        match at / 128 {
            0 if in_repeat < 40 => x + 1.0,
            1 if in_repeat % 2 == 0 => 2.0 * x,
            2 if in_repeat % 2 == 0 => 2.0 * x,
            3 if at - 384 < 100 => x.exp(),
            _ => 0.0,
        }
    };
    agrees(&all[1], (0..1024).map(lane), 1e-5);
}

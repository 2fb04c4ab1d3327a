//! Measures the errors of results against exact arithmetic, and attributes them to statements.

use rustc_hash::FxHashMap;

use super::subject::{Cut, Subject, Watch, arguments};
use crate::coordinates;
use a2lint_ir::{GlobalId, StmtId};
use a2lint_isa::DType;
use a2lint_machine::memory::Memory;
use a2lint_machine::{Cancellation, End, Numerics, Options, Outcome, Rounding, last_place, number};

/// Upper ends of the classes of errors, in units in the last place. One more class is open-ended.
pub const CLASSES: [f64; 6] = [0.5, 1.0, 2.0, 8.0, 64.0, 1024.0];
/// Number of statements that are listed.
const LISTED: usize = 3;
/// Shares of an error below this are not listed.
const SMALL_SHARE: f64 = 0.05;
/// Cancellations that increase the relative error by a smaller factor are not listed.
const GROWTH: f64 = 16.0;

/// Errors of the results of a kernel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Precision {
    /// One entry for each result, from the launch with its largest error.
    pub outputs: Vec<OutputPrecision>,
    /// Number of launches that were measured.
    pub launches: usize,
    /// Why a launch was not measured.
    pub left_out: Option<String>,
}

/// Errors of one result.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputPrecision {
    /// The tensor.
    pub tensor: String,
    /// The type of the tensor.
    pub dtype: DType,
    /// The arguments of the launch.
    pub launch: String,
    /// Number of elements that could be compared.
    pub elements: usize,
    /// Number of elements that are not finite although their exact values are.
    pub lost: usize,
    /// The largest error, in units in the last place of the exact value.
    pub max_ulp: f64,
    /// The mean error, in units in the last place.
    pub mean_ulp: f64,
    /// The largest error relative to the exact value, over exact values other than 0.
    pub max_relative: f64,
    /// Number of elements in each of [`CLASSES`] and beyond.
    pub classes: [usize; CLASSES.len() + 1],
    /// The element with the largest error: index, value and exact value.
    pub worst: Option<(Vec<i64>, f64, f64)>,
    /// Statements that the error comes from, the largest share first.
    pub blamed: Vec<Blame>,
    /// Sums and differences that increased errors, the worst first.
    pub cancellations: Vec<(StmtId, Cancellation)>,
}

/// A statement that contributes rounding errors.
#[derive(Clone, Debug, PartialEq)]
pub struct Blame {
    /// The statement.
    pub stmt: StmtId,
    /// The share of all errors of the result, from 0 to 1, whose largest source it is.
    pub share: f64,
    /// The rounding errors of the statement.
    pub rounding: Rounding,
}

impl Precision {
    /// Measures a launch.
    pub fn add(&mut self, subject: &Subject, watch: &mut Watch) -> Result<(), Cut> {
        let outcome = followed(subject, &subject.job.bound.launch, watch)?;
        if outcome.end != End::Finished {
            let why = "it takes more than --max-instructions or --max-memory allow";
            self.left_out.get_or_insert(why.to_owned());
            return Ok(());
        }
        self.launches += 1;
        for &id in &subject.outputs {
            let Some(new) = of_output(subject, &outcome, id) else {
                continue;
            };
            let known = self.outputs.iter_mut().find(|it| it.tensor == new.tensor);
            match known {
                Some(known) if (new.lost, new.max_ulp) > (known.lost, known.max_ulp) => {
                    *known = new;
                }
                Some(_) => {}
                None => self.outputs.push(new),
            }
        }
        Ok(())
    }
}

/// Runs a launch with exact values beside its floats.
pub fn followed(
    subject: &Subject,
    launch: &a2lint_machine::BoundLaunch,
    watch: &mut Watch,
) -> Result<Outcome, Cut> {
    let options = Options {
        follows_exact: true,
        ..subject.job.options()
    };
    subject.run(launch, &options, watch)
}

/// Returns the value of an element and its exact value; `None` if it is undefined.
pub fn element(memory: &Memory, dtype: DType, index: usize) -> Option<(f64, f64)> {
    let size = dtype.bytes_of(1).max(1) as usize;
    let at = index * size;
    if !memory.all_defined(at..at + size) {
        return None;
    }
    let real = number(memory, dtype, at, 0);
    let exact = memory.exactly(at, dtype);
    Some((real, exact.map_or(real, |exact| exact.value)))
}

fn of_output(subject: &Subject, outcome: &Outcome, id: GlobalId) -> Option<OutputPrecision> {
    let global = &subject.job.bound.launch.globals[id.index()];
    let (dtype, memory) = (global.dtype, outcome.globals.get(id.index())?);
    let numerics = outcome.numerics.as_ref()?;
    if !dtype.is_float() {
        return None;
    }
    let mut output = OutputPrecision {
        tensor: global.name.clone(),
        dtype,
        launch: arguments(subject.job),
        elements: 0,
        lost: 0,
        max_ulp: 0.0,
        mean_ulp: 0.0,
        max_relative: 0.0,
        classes: [0; CLASSES.len() + 1],
        worst: None,
        blamed: Vec::new(),
        cancellations: cancellations(subject, numerics),
    };
    let size = dtype.bytes_of(1) as usize;
    let (mut sum, mut blamed) = (0.0, FxHashMap::<StmtId, f64>::default());
    for index in 0..memory.capacity() / size {
        let Some((real, exact)) = element(memory, dtype, index) else {
            continue;
        };
        if !exact.is_finite() {
            continue;
        }
        output.elements += 1;
        if !real.is_finite() {
            output.lost += 1;
            let worst = (coordinates(index, &global.shape), real, exact);
            output.worst.get_or_insert(worst);
            continue;
        }
        let error = (real - exact).abs() / last_place(dtype, exact);
        let class = CLASSES.iter().position(|&end| error <= end);
        output.classes[class.unwrap_or(CLASSES.len())] += 1;
        if error == 0.0 {
            continue;
        }
        sum += error;
        if exact != 0.0 {
            let relative = (real - exact).abs() / exact.abs();
            output.max_relative = output.max_relative.max(relative);
        }
        if error > output.max_ulp {
            output.max_ulp = error;
            // A lost element is worse than any error.
            if output.lost == 0 {
                output.worst = Some((coordinates(index, &global.shape), real, exact));
            }
        }
        let exactly = memory.exactly(index * size, dtype);
        if let Some(stmt) = exactly.and_then(|it| Numerics::blamed(it.blame)) {
            *blamed.entry(stmt).or_default() += error;
        }
    }
    output.mean_ulp = sum / (output.elements - output.lost).max(1) as f64;
    let mut blamed: Vec<Blame> = blamed
        .into_iter()
        .map(|(stmt, error)| Blame {
            stmt,
            share: error / sum,
            rounding: numerics.of(stmt),
        })
        .collect();
    blamed.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.stmt.cmp(&b.stmt)));
    blamed.retain(|it| it.share >= SMALL_SHARE);
    blamed.truncate(LISTED);
    output.blamed = blamed;
    Some(output)
}

/// Returns the sums and differences that increased errors much.
fn cancellations(subject: &Subject, numerics: &Numerics) -> Vec<(StmtId, Cancellation)> {
    let mut found = Vec::new();
    subject.job.program.walk(&mut |stmt| {
        let cancellation = numerics.of(stmt.id).cancellation;
        found.extend(cancellation.map(|it| (stmt.id, it)));
    });
    found.retain(|(_, it)| it.before > 0.0 && it.after > GROWTH * it.before);
    found.sort_by(|(_, a), (_, b)| b.after.total_cmp(&a.after));
    found.truncate(LISTED);
    found
}

//! Measures the errors of results against exact arithmetic, and attributes them to statements.

use rustc_hash::FxHashMap;

use super::subject::{Cut, Subject, Watch, arguments};
use crate::coordinates;
use a2lint_ir::{BufferId, GlobalId, StmtId, StmtKind};
use a2lint_isa::DType;
use a2lint_machine::memory::Memory;
use a2lint_machine::{
    Cancellation, End, Extremes, Following, Numerics, Options, Outcome, Rounding, last_place,
    number, rounded,
};

/// Upper ends of the classes of errors, in units in the last place. One more class is open-ended.
pub const CLASSES: [f64; 6] = [0.5, 1.0, 2.0, 8.0, 64.0, 1024.0];
/// Number of statements that are listed.
const LISTED: usize = 3;
/// Number of buffers that are tried in float.
const BUFFERS: usize = 8;
/// A buffer in float is listed where the largest error becomes smaller by this factor.
const GAIN: f64 = 0.95;
/// Shares of an error below this are not listed.
const SMALL_SHARE: f64 = 0.05;
/// Cancellations that increase the relative error by a smaller factor are not listed.
const GROWTH: f64 = 16.0;

/// Errors of the results of a kernel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Precision {
    /// One entry for each result, from the launch with its largest error.
    pub outputs: Vec<OutputPrecision>,
    /// How near the operands of statements come to where floats end, over all launches.
    pub extremes: Vec<(StmtId, Extremes)>,
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
    /// The largest error as a part of the largest exact value.
    pub part: f64,
    /// What the largest error would be with one buffer in float, the one that gains most first.
    pub widened: Vec<Widened>,
    /// Number of elements in each of [`CLASSES`] and beyond.
    pub classes: [usize; CLASSES.len() + 1],
    /// The element with the largest error: index, value and exact value.
    pub worst: Option<(Vec<i64>, f64, f64)>,
    /// Statements that the error comes from, the largest share first.
    pub blamed: Vec<Blame>,
    /// Sums and differences that increased errors, the worst first.
    pub cancellations: Vec<(StmtId, Cancellation)>,
}

/// The error with a buffer of a shorter type in float.
#[derive(Clone, Debug, PartialEq)]
pub struct Widened {
    /// The buffer.
    pub buffer: BufferId,
    /// The type that it has.
    pub dtype: DType,
    /// The largest error as a part of the largest exact value.
    pub part: f64,
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
        for (stmt, seen) in outcome.numerics.iter().flat_map(Numerics::extremes) {
            match self.extremes.iter_mut().find(|(known, _)| known == stmt) {
                Some((_, known)) => known.join(seen),
                None => self.extremes.push((*stmt, *seen)),
            }
        }
        let mut wider: Option<Vec<(BufferId, DType, Outcome)>> = None;
        for &id in &subject.outputs {
            let Some(mut new) = of_output(subject, &outcome, id) else {
                continue;
            };
            let at = self.outputs.iter().position(|it| it.tensor == new.tensor);
            let known = at.map(|at| &self.outputs[at]);
            if known.is_some_and(|known| (new.lost, new.max_ulp) <= (known.lost, known.max_ulp)) {
                continue;
            }
            if wider.is_none() {
                wider = Some(widened(subject, &outcome, watch)?);
            }
            new.widened = gains(
                subject,
                &outcome,
                id,
                new.part,
                wider.as_deref().unwrap_or_default(),
            );
            match at {
                Some(at) => self.outputs[at] = new,
                None => self.outputs.push(new),
            }
        }
        Ok(())
    }
}

/// Runs a launch once for each buffer of a shorter type whose rounding adds to errors, as if it was one of floats.
fn widened(
    subject: &Subject,
    outcome: &Outcome,
    watch: &mut Watch,
) -> Result<Vec<(BufferId, DType, Outcome)>, Cut> {
    let mut all = Vec::new();
    for (buffer, dtype) in short_buffers(subject, outcome) {
        let options = Options {
            following: Following::Widened(buffer),
            ..subject.job.options()
        };
        let launch = &subject.job.bound.launch;
        all.push((buffer, dtype, subject.run(launch, &options, watch)?));
    }
    Ok(all)
}

/// Returns the buffers of a shorter type than float to which statements write rounded results, at most [`BUFFERS`].
fn short_buffers(subject: &Subject, outcome: &Outcome) -> Vec<(BufferId, DType)> {
    let mut found: Vec<(BufferId, DType)> = Vec::new();
    let Some(numerics) = &outcome.numerics else {
        return found;
    };
    subject.job.program.walk(&mut |stmt| {
        let StmtKind::Instr(instr) = &stmt.kind else {
            return;
        };
        let written = instr
            .operands()
            .filter(|(_, operand, _)| operand.access.writes());
        for view in written.filter_map(|(_, _, view)| view.local()) {
            let is_short = view.dtype.is_float() && view.dtype != DType::Float;
            let is_new = !found.iter().any(|(known, _)| *known == view.buffer);
            if is_short && is_new && numerics.of(stmt.id).added > 0.0 {
                found.push((view.buffer, view.dtype));
            }
        }
    });
    found.truncate(BUFFERS);
    found
}

/// Returns the buffers that make the largest error of a result smaller when they are in float.
fn gains(
    subject: &Subject,
    outcome: &Outcome,
    id: GlobalId,
    part: f64,
    wider: &[(BufferId, DType, Outcome)],
) -> Vec<Widened> {
    let dtype = subject.job.bound.launch.globals[id.index()].dtype;
    let measured = wider.iter().filter(|(_, _, run)| run.end == End::Finished);
    let measured = measured.map(|(buffer, of, run)| Widened {
        buffer: *buffer,
        dtype: *of,
        part: {
            let (exact, other) = (&outcome.globals[id.index()], &run.globals[id.index()]);
            largest_part(dtype, exact, |index| {
                // The result itself keeps its type.
                Some(rounded(dtype, element(other, dtype, index)?.1))
            })
        },
    });
    let mut gains: Vec<Widened> = measured.filter(|it| it.part < GAIN * part).collect();
    gains.sort_by(|a, b| a.part.total_cmp(&b.part).then(a.buffer.cmp(&b.buffer)));
    gains.truncate(LISTED);
    gains
}

/// Returns the largest difference of values from the exact ones of a result, as a part of the largest exact one.
fn largest_part(dtype: DType, memory: &Memory, value: impl Fn(usize) -> Option<f64>) -> f64 {
    let size = dtype.bytes_of(1).max(1) as usize;
    let (mut worst, mut largest) = (0.0_f64, 0.0_f64);
    for index in 0..memory.capacity() / size {
        let (Some((_, exact)), Some(value)) = (element(memory, dtype, index), value(index)) else {
            continue;
        };
        if exact.is_finite() && value.is_finite() {
            worst = worst.max((value - exact).abs());
            largest = largest.max(exact.abs());
        }
    }
    match largest > 0.0 {
        true => worst / largest,
        false => 0.0,
    }
}

/// Runs a launch with exact values beside its floats.
pub fn followed(
    subject: &Subject,
    launch: &a2lint_machine::BoundLaunch,
    watch: &mut Watch,
) -> Result<Outcome, Cut> {
    let options = Options {
        following: Following::Errors,
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
        part: largest_part(dtype, memory, |index| {
            Some(element(memory, dtype, index)?.0)
        }),
        widened: Vec::new(),
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

//! No NaN and no infinity comes out of inputs that are finite.

use super::subject::{Cut, Subject, Watch};
use super::tensors::{Input, inputs};
use super::{Attempt, Breach, Note, Place};
use crate::ir::{GlobalId, TensorInit};
use crate::isa::DType;
use crate::machine::{BoundLaunch, End, Outcome, number};
use crate::replay::nonfinite;

/// What inputs are given.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Data {
    /// What the launch gives.
    Own,
    /// The same, so many times as large.
    Scaled(f64),
    /// One value everywhere.
    Constant(f64),
    /// Zeros in the first row of every two.
    ZeroRows,
    /// One and zeros, in each row elsewhere.
    OneHot,
    /// One and minus one.
    Alternating,
    /// The smallest numbers of their type.
    Subnormal,
}

/// What inputs are given, in the order in which it is told.
const ALL: [Data; 12] = [
    Data::Own,
    Data::Scaled(1.0 / GROWTH),
    Data::Scaled(GROWTH),
    Data::Constant(0.0),
    Data::ZeroRows,
    Data::Constant(1.0),
    Data::OneHot,
    Data::Alternating,
    Data::Subnormal,
    Data::Scaled(1e-6),
    Data::Scaled(60.0),
    Data::Scaled(6000.0),
];

/// Where in [`ALL`] inputs are those of the launch, a little smaller, and a little larger.
const OWN: usize = 0;
const SMALLER: usize = 1;
const LARGER: usize = 2;
/// How much smaller and larger.
const GROWTH: f64 = 4.0;
/// Results that grow by more where inputs grow by [`GROWTH`] grow like an exponential.
const MOST_GROWTH: f64 = 1000.0;

impl Data {
    fn text(self) -> String {
        match self {
            Data::Own => "of the launch".to_owned(),
            Data::Scaled(by) => format!("times {by}"),
            Data::Constant(0.0) => "of zeros".to_owned(),
            Data::Constant(value) => format!("of {value} everywhere"),
            Data::ZeroRows => "with rows of zeros".to_owned(),
            Data::OneHot => "with a single 1 in each row".to_owned(),
            Data::Alternating => "of 1 and -1 in turn".to_owned(),
            Data::Subnormal => "of subnormal numbers".to_owned(),
        }
    }

    fn value(self, input: &Input, index: usize, old: f64) -> f64 {
        let columns = input.columns.max(1);
        let (row, column) = (index / columns, index % columns);
        match self {
            Data::Own => old,
            Data::Scaled(by) => old * by,
            Data::Constant(value) => value,
            Data::ZeroRows if row % 2 == 0 => 0.0,
            Data::ZeroRows => old,
            Data::OneHot => f64::from(u8::from(column == row % columns)),
            Data::Alternating => 1.0 - 2.0 * (index % 2) as f64,
            Data::Subnormal => smallest(input) * (1 + index % 3) as f64,
        }
    }
}

/// The least positive number of an input's type.
fn smallest(input: &Input) -> f64 {
    match input.dtype {
        DType::Half => 2.0_f64.powi(-24),
        DType::BFloat16 => 2.0_f64.powi(-133),
        _ => 2.0_f64.powi(-149),
    }
}

/// Whether other values are as good: those that somebody computes or chooses are there for a reason.
fn is_free(init: TensorInit) -> bool {
    matches!(init, TensorInit::Normal | TensorInit::NormalOf(..))
}

/// Tries the law.
pub fn of(subject: &Subject, watch: &mut Watch) -> Result<Attempt, Cut> {
    let free = inputs(subject.job);
    let free: Vec<Input> = free
        .into_iter()
        .filter(|input| is_free(input.init))
        .collect();
    if free.is_empty() {
        return Ok(Attempt::not_run("no input holds normal random numbers"));
    }
    let variant = |data: &Data| {
        let mut launch = subject.job.bound.launch.clone();
        for input in &free {
            input.change(&mut launch, |index, old| data.value(input, index, old));
        }
        (launch, subject.job.options())
    };
    let variants: Vec<_> = ALL.iter().map(variant).collect();
    let outcomes = subject.runs(&variants, watch)?;
    let mut attempt = Attempt::held(String::new());
    let (mut tried, mut beyond) = (0, Vec::new());
    for ((data, (launch, _)), outcome) in ALL.into_iter().zip(&variants).zip(&outcomes) {
        if outcome.end != End::Finished {
            continue;
        }
        tried += 1;
        let Some(found) = nonfinite_result(subject, launch, outcome) else {
            continue;
        };
        let is_blamed = found.2.is_nan() && may_be_finite(subject, data, found.0, &outcomes);
        if !is_blamed {
            beyond.push(data.text());
            continue;
        }
        let breach = breach(subject, data, launch, outcome, found, watch);
        return Ok(Attempt::violated(breach));
    }
    if !beyond.is_empty() {
        let beyond = beyond.join(", ");
        attempt.notes.push(Note::plain(format!(
            "results are not finite for inputs {beyond}"
        )));
    }
    attempt.verdict = super::Verdict::Held(format!("no NaN from {tried} kinds of inputs"));
    Ok(attempt)
}

/// Whether a result can be expected to be finite, by how it grows with its inputs up to the size of those
/// of the launch. What grows by itself beyond the types of the kernel, or like an exponential, is excused.
fn may_be_finite(subject: &Subject, data: Data, output: GlobalId, outcomes: &[Outcome]) -> bool {
    let Data::Scaled(by @ 2.0..) = data else {
        return true;
    };
    let size = |at: usize| largest(subject, output, outcomes.get(at)?);
    let (Some(own), Some(smaller)) = (size(OWN), size(SMALLER)) else {
        return false;
    };
    if size(LARGER).is_some_and(|larger| larger > MOST_GROWTH * own) {
        return false;
    }
    let degree = (own / smaller).log2() / GROWTH.log2();
    own * by.powf(degree.max(0.0)) < most(subject) / 4.0
}

/// The largest number of the shortest type that the kernel works with.
fn most(subject: &Subject) -> f64 {
    let program = subject.job.program;
    let local = program.buffers.iter().map(|buffer| buffer.dtype);
    let global = subject.job.bound.launch.globals.iter().map(|it| it.dtype);
    match local.chain(global).any(|dtype| dtype == DType::Half) {
        true => 65_504.0,
        false => f64::from(f32::MAX),
    }
}

/// The largest element of a result; nothing where one is not finite, or all are zero.
fn largest(subject: &Subject, output: GlobalId, outcome: &Outcome) -> Option<f64> {
    let dtype = subject.job.bound.launch.globals[output.index()].dtype;
    let memory = &outcome.globals[output.index()];
    let size = dtype.bytes_of(1).max(1) as usize;
    let places = (0..memory.capacity() / size).map(|index| index * size);
    let mut largest = 0.0_f64;
    for at in places.filter(|&at| memory.all_defined(at..at + size)) {
        let value = number(memory, dtype, at, 0).abs();
        if !value.is_finite() {
            return None;
        }
        largest = largest.max(value);
    }
    (largest > 0.0).then_some(largest)
}

/// The first element of a result that is NaN, or else infinite.
fn nonfinite_result(
    subject: &Subject,
    launch: &BoundLaunch,
    outcome: &Outcome,
) -> Option<(GlobalId, usize, f64)> {
    let outputs = subject.outputs.iter();
    let found = outputs.filter_map(|&id| {
        let dtype = launch.globals[id.index()].dtype;
        let memory = &outcome.globals[id.index()];
        let size = dtype.bytes_of(1).max(1) as usize;
        let values = (0..memory.capacity() / size)
            .filter(|index| memory.all_defined(index * size..(index + 1) * size))
            .map(|index| (id, index, number(memory, dtype, index * size, 0)));
        let mut wrong = values.filter(|(.., value)| dtype.is_float() && !value.is_finite());
        let first = wrong.next()?;
        Some(match first.2.is_nan() {
            true => first,
            false => wrong.find(|(.., value)| value.is_nan()).unwrap_or(first),
        })
    });
    found.max_by_key(|(.., value)| value.is_nan())
}

fn breach(
    subject: &Subject,
    data: Data,
    launch: &BoundLaunch,
    outcome: &Outcome,
    (output, first, value): (GlobalId, usize, f64),
    watch: &mut Watch,
) -> Breach {
    let program = subject.job.program;
    let what = format!(
        "`{}` holds {value} for inputs {}",
        subject.name(output),
        data.text()
    );
    let values = vec![(format!("for inputs {}", data.text()), Some(value))];
    let mut breach = subject.breach_at(what, (output, first), values, launch, watch);
    let origin = nonfinite::first(program, launch, &subject.job.options(), outcome);
    let place = origin.and_then(|seen| {
        Some(Place {
            stmt: seen.stmt?,
            lane: seen.lane,
            iterations: seen.iterations,
        })
    });
    if let Some(place) = place {
        breach.places.insert(0, ("first made by", place));
    }
    breach
}

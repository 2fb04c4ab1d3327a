//! The law that finite inputs give neither NaN nor infinity.

use half::{bf16, f16};

use super::numerics;
use super::subject::{Cut, Subject, Watch};
use super::tensors::{Input, inputs};
use super::{Attempt, Breach, Note, Place};
use crate::Job;
use a2lint_ir::arithmetic::limits;
use a2lint_ir::{GlobalId, GlobalKind, TensorInit};
use a2lint_isa::DType;
use a2lint_machine::{BoundLaunch, Contents, End, Numerics, Outcome};

/// Contents of inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Data {
    /// The contents that the launch gives.
    Own,
    /// The contents of the launch, multiplied by a factor.
    Scaled(f64),
    /// One value everywhere.
    Constant(f64),
    /// Zeros in every second row, starting with the first.
    ZeroRows,
    /// A single 1 in each row, at varying columns, and zeros.
    OneHot,
    /// 1 and -1 in turn.
    Alternating,
    /// Small multiples of the smallest positive number.
    Subnormal,
}

/// All contents, in the order in which they are reported.
const ALL: [Data; 11] = [
    Data::Own,
    Data::Constant(0.0),
    Data::ZeroRows,
    Data::Constant(1.0),
    Data::OneHot,
    Data::Alternating,
    Data::Subnormal,
    Data::Scaled(1e-6),
    // With this factor, `exp` of products of the data overflows in float but not in double precision.
    Data::Scaled(6.0),
    Data::Scaled(60.0),
    Data::Scaled(6000.0),
];

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

/// Returns the smallest positive number of an input's type.
fn smallest(input: &Input) -> f64 {
    match input.dtype {
        DType::Half => 2.0_f64.powi(-24),
        DType::BFloat16 => 2.0_f64.powi(-133),
        _ => 2.0_f64.powi(-149),
    }
}

/// Returns whether an input may get other values: only random ones may. Values that are computed or chosen were chosen
/// for a purpose that other values would not serve.
fn is_free(init: TensorInit) -> bool {
    matches!(
        init,
        TensorInit::Normal | TensorInit::Any | TensorInit::NormalOf(..)
    )
}

/// Returns the launch of a job with contents that hurt in place of its normal random numbers, each with its
/// description. There are none if no input holds such numbers.
pub fn hurting(job: &Job) -> Vec<(String, BoundLaunch)> {
    let free: Vec<Input> = free(job);
    let others = ALL
        .iter()
        .filter(|data| **data != Data::Own && !free.is_empty());
    let variant = |data: &Data| (data.text(), variant(job, &free, *data));
    others.map(variant).collect()
}

/// Returns the launch of a job with large integers in place of its small random ones, each with its description. Where
/// integers are indices or sizes, these lead out of tensors.
pub fn large_integers(job: &Job) -> Vec<(String, BoundLaunch)> {
    let program = job.program;
    let results = program.results();
    let is_free = |&at: &usize| {
        let global = &job.bound.launch.globals[at];
        let is_param = program.globals[at].kind == GlobalKind::Param;
        let is_number =
            !global.dtype.is_float() && !matches!(global.dtype, DType::Bool | DType::Int4);
        let is_drawn = matches!(global.contents, Contents::Generated(init, _) if is_free(init));
        is_param && is_drawn && is_number && !results.contains(&GlobalId(at as u32))
    };
    let free: Vec<usize> = (0..program.globals.len()).filter(is_free).collect();
    let variant = |(text, limit): (&str, i128)| {
        let mut launch = job.bound.launch.clone();
        for &at in &free {
            let global = &mut launch.globals[at];
            let (least, most) = limits(global.dtype);
            let [least, most] = [least.max(-limit), most.min(limit)].map(|it| it as i64);
            let init = TensorInit::Integers(least, most);
            if let Contents::Generated(_, stream) = global.contents {
                global.contents = Contents::Generated(init, stream);
            }
        }
        (text.to_owned(), launch)
    };
    let sizes = [
        ("with integers up to 5000", 5000),
        // Contents are generated as doubles.
        (
            "with integers of the whole range of their types, at most 2^53",
            1 << 53,
        ),
    ];
    sizes
        .into_iter()
        .filter(|_| !free.is_empty())
        .map(variant)
        .collect()
}

/// Returns the inputs that may get other values.
fn free(job: &Job) -> Vec<Input> {
    let all = inputs(job).into_iter();
    all.filter(|input| is_free(input.init)).collect()
}

/// Returns the launch of a job with other contents of some inputs.
fn variant(job: &Job, free: &[Input], data: Data) -> BoundLaunch {
    let mut launch = job.bound.launch.clone();
    for input in free {
        input.change(&mut launch, |index, old| data.value(input, index, old));
    }
    launch
}

/// Tries the law.
pub fn of(subject: &Subject, watch: &mut Watch) -> Result<Attempt, Cut> {
    let free = free(subject.job);
    if free.is_empty() {
        return Ok(Attempt::not_run("no input holds normal random numbers"));
    }
    let variant = |data: &Data| (variant(subject.job, &free, *data), subject.job.options());
    let variants: Vec<_> = ALL.iter().map(variant).collect();
    let outcomes = subject.runs(&variants, watch)?;
    let mut attempt = Attempt::held(String::new());
    let (mut tried, mut beyond) = (0, Vec::new());
    for ((data, (launch, _)), outcome) in ALL.into_iter().zip(&variants).zip(&outcomes) {
        if outcome.end != End::Finished {
            continue;
        }
        tried += 1;
        if !has_nonfinite(subject, launch, outcome) {
            continue;
        }
        let exact = numerics::followed(subject, launch, watch)?;
        let lost = lost_result(subject, launch, &exact);
        let Some(lost) = lost.filter(|_| !is_too_large(subject, launch, &exact)) else {
            beyond.push(data.text());
            continue;
        };
        let breach = breach(subject, data, launch, &exact, lost, watch);
        return Ok(Attempt::violated(breach));
    }
    if !beyond.is_empty() {
        let beyond = beyond.join(", ");
        attempt.notes.push(Note::plain(format!(
            "results are not finite for inputs {beyond}, nor would they be in exact arithmetic"
        )));
    }
    attempt.verdict = super::Verdict::Held(format!(
        "no NaN or infinity that exact arithmetic would not have, from {tried} kinds of inputs"
    ));
    Ok(attempt)
}

/// An element that is not finite although it should be.
struct LostResult {
    output: GlobalId,
    index: usize,
    /// The value of the element.
    real: f64,
    /// The exact value of the element.
    exact: f64,
}

/// Returns whether an element of a result is NaN or infinite.
fn has_nonfinite(subject: &Subject, launch: &BoundLaunch, outcome: &Outcome) -> bool {
    let mut outputs = subject.outputs.iter();
    outputs.any(|&id| {
        let mut all = elements(launch, outcome, id);
        all.any(|(_, real, _)| !real.is_finite())
    })
}

/// Returns the first element of a result that is NaN, or else infinite, although its exact value is a number that
/// its type can hold.
fn lost_result(subject: &Subject, launch: &BoundLaunch, outcome: &Outcome) -> Option<LostResult> {
    let all = subject.outputs.iter().flat_map(|&output| {
        let largest = largest(launch.globals[output.index()].dtype);
        let all = elements(launch, outcome, output);
        let lost = all.filter(move |(_, real, exact)| !real.is_finite() && exact.abs() <= largest);
        lost.map(move |(index, real, exact)| LostResult {
            output,
            index,
            real,
            exact,
        })
    });
    let mut first = None;
    for lost in all {
        if lost.real.is_nan() {
            return Some(lost);
        }
        first.get_or_insert(lost);
    }
    first
}

/// Returns whether an exact result does not fit into its type. The kernel is not meant for such data, and its
/// intermediate values do not matter: exact results may fit again after overflows.
fn is_too_large(subject: &Subject, launch: &BoundLaunch, outcome: &Outcome) -> bool {
    let mut outputs = subject.outputs.iter();
    outputs.any(|&output| {
        let largest = largest(launch.globals[output.index()].dtype);
        let mut all = elements(launch, outcome, output);
        all.any(|(_, _, exact)| exact.abs() > largest)
    })
}

/// Iterates over the defined elements of a float result: index, value and exact value.
fn elements(
    launch: &BoundLaunch,
    outcome: &Outcome,
    id: GlobalId,
) -> impl Iterator<Item = (usize, f64, f64)> {
    let dtype = launch.globals[id.index()].dtype;
    let memory = &outcome.globals[id.index()];
    let count = match dtype.is_float() {
        true => memory.capacity() / dtype.bytes_of(1) as usize,
        false => 0,
    };
    (0..count).filter_map(move |index| {
        let (real, exact) = numerics::element(memory, dtype, index)?;
        Some((index, real, exact))
    })
}

/// Returns the largest number of a float type.
fn largest(dtype: DType) -> f64 {
    match dtype {
        DType::Half => f16::MAX.to_f64(),
        DType::BFloat16 => bf16::MAX.to_f64(),
        _ => f64::from(f32::MAX),
    }
}

fn breach(
    subject: &Subject,
    data: Data,
    launch: &BoundLaunch,
    outcome: &Outcome,
    lost: LostResult,
    watch: &mut Watch,
) -> Breach {
    let LostResult {
        output,
        index,
        real,
        exact,
    } = lost;
    let global = &launch.globals[output.index()];
    let at = index * global.dtype.bytes_of(1) as usize;
    let exactly = outcome.globals[output.index()].exactly(at, global.dtype);
    let blamed = exactly.and_then(|it| Numerics::blamed(it.blame));
    let numerics = outcome.numerics.as_ref();
    let origin = numerics.and_then(|it| it.lost(blamed));
    let mut what = format!(
        "`{}` holds {real} for inputs {}, and would be finite without rounding",
        subject.name(output),
        data.text()
    );
    if let Some(origin) = origin.filter(|origin| origin.before.is_finite()) {
        let (before, dtype, value) = (origin.before, origin.dtype.name(), origin.value);
        what += &format!(": {before:.6e} becomes {value} in {dtype}");
    }
    let values = vec![
        (format!("for inputs {}", data.text()), Some(real)),
        ("exactly".to_owned(), Some(exact)),
    ];
    let mut breach = subject.breach_at(what, (output, index), values, launch, watch);
    if let Some(origin) = origin {
        let place = Place {
            stmt: origin.stmt,
            lane: origin.lane,
            iterations: origin.iterations.clone(),
        };
        breach.places.insert(0, ("first made by", place));
    }
    breach
}

//! Measures which parts of results depend on which parts of inputs.
//!
//! A part of an input gets other values; results that change depend on it. A dependence that these values do not
//! show is missed, but none is reported that does not exist: the weight 0 of a masked key hides its value,
//! whereas an analysis of the data flow would report a dependence.

use super::subject::{Cut, Subject, Watch};
use super::tensors::Input;
use crate::coordinates;
use a2lint_ir::GlobalId;
use a2lint_machine::{End, Outcome};

/// Number of groups of rows that the map distinguishes.
pub const GROUPS: usize = 8;
/// Number of groups of positions along one axis.
const AXIS_GROUPS: usize = 16;

a2lint_isa::named! {
    /// The pattern in which rows of a result depend on rows of an input.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Shape {
        /// On no row.
        Nothing = "independent",
        /// Each on the row with the same index.
        PerRow = "per row",
        /// Each on the rows of its group, or of a few groups.
        Block = "block-diagonal",
        /// Each on rows up to its own.
        Causal = "causal",
        /// Each on all rows.
        All = "all rows",
        /// Any other pattern.
        Other = "irregular",
    }
    /// Returns the name of a pattern of rows: "per row".
    fn name
}

impl Shape {
    /// Returns the name of a pattern of positions along an axis: "one by one".
    pub fn along_axis(self) -> &'static str {
        match self {
            Shape::PerRow => "one by one",
            Shape::All => "all of it",
            shape => shape.name(),
        }
    }
}

/// The dependence of a result on an input.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependence {
    /// The input.
    pub input: String,
    /// The result.
    pub output: String,
    /// The axes of input and result that the map is about; `None` if it is about rows.
    pub axes: Option<[usize; 2]>,
    /// The pattern of the map: on which rows of the input a row of the result depends.
    pub shape: Shape,
    /// For each group of rows of the input, or of positions along its axis, the groups of the result that depend
    /// on it.
    pub map: Vec<Vec<bool>>,
}

/// Returns a different value of the same sign and about the same magnitude.
pub fn other(value: f64) -> f64 {
    value * 1.375 + 0.125_f64.copysign(value)
}

/// Measures how results depend on an input along each of its axes.
pub fn by_axis(
    subject: &Subject,
    input: &Input,
    watch: &mut Watch,
) -> Result<Vec<Dependence>, Cut> {
    let extents = &subject.job.bound.launch.globals[input.id.index()].shape;
    let mut found = Vec::new();
    for (axis, &extent) in extents
        .iter()
        .enumerate()
        .filter(|(_, extent)| **extent > 1)
    {
        let extent = extent as usize;
        let groups = AXIS_GROUPS.min(extent);
        let variant = |group: usize| {
            let mut launch = subject.job.bound.launch.clone();
            input.change(&mut launch, |index, value| {
                let at = coordinates(index, extents)[axis] as usize;
                match at * groups / extent == group {
                    true => other(value),
                    false => value,
                }
            });
            (launch, subject.job.options())
        };
        let variants: Vec<_> = (0..groups).map(variant).collect();
        let outcomes = subject.runs(&variants, watch)?;
        if outcomes.iter().any(|outcome| outcome.end != End::Finished) {
            continue;
        }
        for &output in &subject.outputs {
            let shape_of = &subject.job.bound.launch.globals[output.index()].shape;
            let Some(to) = counterpart(shape_of, axis, extent) else {
                continue;
            };
            let map = outcomes.iter().map(|it| touched(subject, output, to, it));
            let map: Vec<Vec<bool>> = map.collect();
            let is_whole = groups == extent && map.first().is_some_and(|it| it.len() == extent);
            found.push(Dependence {
                input: subject.name(input.id).to_owned(),
                output: subject.name(output).to_owned(),
                axes: Some([axis, to]),
                shape: match is_diagonal(&map) && is_whole {
                    true => Shape::PerRow,
                    false => shape(&map),
                },
                map,
            });
        }
    }
    Ok(found)
}

/// Returns the axis of a result to compare an axis of an input with: the same one if it has the same extent, else
/// any with that extent, else the last.
fn counterpart(extents: &[i64], axis: usize, extent: usize) -> Option<usize> {
    let is_as_long = |axis: &usize| extents.get(*axis) == Some(&(extent as i64));
    let same = Some(axis).filter(is_as_long);
    let any = || (0..extents.len()).find(is_as_long);
    same.or_else(any).or(extents.len().checked_sub(1))
}

fn is_diagonal(map: &[Vec<bool>]) -> bool {
    let mut rows = map.iter().enumerate();
    rows.all(|(from, to)| to.iter().enumerate().all(|(at, &is)| is == (from == at)))
}

/// Returns which groups of positions along an axis of a result a run changes.
fn touched(subject: &Subject, id: GlobalId, axis: usize, outcome: &Outcome) -> Vec<bool> {
    let global = &subject.job.bound.launch.globals[id.index()];
    let extent = global.shape[axis].max(1) as usize;
    let groups = AXIS_GROUPS.min(extent);
    let size = global.dtype.bytes_of(1).max(1) as usize;
    let [one, other] = [&subject.outcome, outcome].map(|it| &it.globals[id.index()]);
    let mut touched = vec![false; groups];
    for index in 0..one.capacity().min(other.capacity()) / size {
        let range = index * size..(index + 1) * size;
        if one.bytes(range.clone()) != other.bytes(range) {
            let at = coordinates(index, &global.shape)[axis] as usize;
            touched[at * groups / extent] = true;
        }
    }
    touched
}

/// Returns the pattern of a map.
pub fn shape(map: &[Vec<bool>]) -> Shape {
    let cells = || {
        let rows = map.iter().enumerate();
        rows.flat_map(|(from, to)| to.iter().enumerate().map(move |(at, &is)| (from, at, is)))
    };
    let (inputs, outputs) = (map.len(), map.first().map_or(0, Vec::len));
    if cells().all(|(.., is)| !is) {
        return Shape::Nothing;
    }
    if cells().all(|(.., is)| is) {
        return Shape::All;
    }
    if inputs != outputs {
        return Shape::Other;
    }
    if cells().all(|(from, at, is)| is == (from <= at)) {
        return Shape::Causal;
    }
    let has_own = (0..inputs).all(|at| map[at][at]);
    // Groups in a common block depend on each other, so that the map equals its transpose and its square.
    let is_block = cells().all(|(from, at, is)| {
        let shared = (0..inputs).any(|by| map[from][by] && map[by][at]);
        map[at][from] == is && shared == is
    });
    match has_own && is_block {
        true => Shape::Block,
        false => Shape::Other,
    }
}

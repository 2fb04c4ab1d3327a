//! What results depend on, as far as other values show it.
//!
//! Some part of an input gets other values; what comes out otherwise depends on it. A dependence that these
//! values do not show is missed, and none is seen where there is none: the weight 0 of a masked key hides its
//! value, which anything that follows data through instructions would take for a dependence.

use super::subject::{Cut, Subject, Watch};
use super::tensors::Input;
use crate::coordinates;
use a2lint_ir::GlobalId;
use a2lint_machine::{End, Outcome};

/// Groups of rows whose influence is told apart in the map.
pub const GROUPS: usize = 8;
/// Groups of places along one axis.
const AXIS_GROUPS: usize = 16;

/// How rows of a result depend on rows of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// On none.
    Nothing,
    /// Each on its own.
    PerRow,
    /// Each on those of its own group, or of a few groups.
    Block,
    /// Each on those up to its own.
    Causal,
    /// Each on all.
    All,
    /// Otherwise.
    Other,
}

impl Shape {
    /// Its name along an axis.
    pub fn along_axis(self) -> &'static str {
        match self {
            Shape::PerRow => "one by one",
            Shape::All => "all of it",
            shape => shape.name(),
        }
    }

    /// Its name, after "row by row:".
    pub fn name(self) -> &'static str {
        match self {
            Shape::Nothing => "independent",
            Shape::PerRow => "per row",
            Shape::Block => "block-diagonal",
            Shape::Causal => "causal",
            Shape::All => "all rows",
            Shape::Other => "irregular",
        }
    }
}

/// How a result depends on an input.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependence {
    /// The input.
    pub input: String,
    /// The result.
    pub output: String,
    /// The axes of input and result that the map is about; nothing where it is about rows.
    pub axes: Option<[usize; 2]>,
    /// The pattern.
    pub shape: Shape,
    /// For each group of rows of the input, or of places along its axis, the groups of the result that depend
    /// on it.
    pub map: Vec<Vec<bool>>,
}

/// What a value becomes whose influence is measured: another one of its sign and about its size.
pub fn other(value: f64) -> f64 {
    value * 1.375 + 0.125_f64.copysign(value)
}

/// How results depend on an input along each of its axes.
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

/// The axis of a result that an axis of an input is compared with: one as long, in the same place if there are
/// several, or else the last.
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

/// Which groups of places along an axis of a result a run leaves different.
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

/// The pattern of a map.
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
    // Groups that share a block depend on each other: the pattern is its own transpose and square.
    let is_block = cells().all(|(from, at, is)| {
        let shared = (0..inputs).any(|by| map[from][by] && map[by][at]);
        map[at][from] == is && shared == is
    });
    match has_own && is_block {
        true => Shape::Block,
        false => Shape::Other,
    }
}

//! Launches that nobody wrote: the sizes at which tails go wrong.
//!
//! A kernel that takes the smaller of a tile and what is left of a parameter means to handle any
//! value of it, so the parameter is set to one tile, a little less, and a little more than two.
//! How little is what the file's launches suggest: the largest number that divides all values they
//! give it. Everything else stays as one of those launches has it.

use rustc_hash::FxHashMap;

use crate::ir::{
    BinaryOp, Launch, ParamKind, Program, Scalar, ScalarId, StmtKind, VariableId, View,
};

/// A parameter that is cut into tiles.
#[derive(Clone, Debug, PartialEq)]
struct Tail {
    name: String,
    tile: i64,
    /// What every value is a multiple of.
    granule: i64,
}

/// Most tail parameters that are varied.
const MAX_TAILS: usize = 3;
/// What the length of a row is taken to be a multiple of where only one is known: two blocks of
/// bytes, and whole fractals of any type.
const ROW_GRANULE: i64 = 64;

/// Launches to vary, with what changes.
pub(super) fn of<'l>(
    program: &Program,
    launches: &[&'l Launch],
    fixed: &[(String, f64)],
) -> Vec<(&'l Launch, Vec<(String, f64)>)> {
    let Some(&base) = launches.first() else {
        return Vec::new();
    };
    let mut tails = tails(program, launches);
    tails.retain(|tail| fixed.iter().all(|(name, _)| *name != tail.name));
    tails.truncate(MAX_TAILS);
    let sizes: [fn(&Tail) -> i64; 3] = [
        |tail| tail.tile,
        |tail| tail.tile - tail.granule,
        |tail| 2 * tail.tile + tail.granule,
    ];
    let mut variants = Vec::new();
    for size in sizes {
        variants.push(changes(&tails, size));
    }
    if tails.len() > 1 {
        let less = |tail: &Tail| changes(std::slice::from_ref(tail), sizes[1]);
        variants.extend(tails.iter().map(less));
    }
    variants.retain(|changes| !changes.is_empty());
    variants
        .into_iter()
        .map(|changes| (base, changes))
        .collect()
}

/// New values, where they are ones.
fn changes(tails: &[Tail], size: impl Fn(&Tail) -> i64) -> Vec<(String, f64)> {
    let sized = tails.iter().map(|tail| (tail.name.clone(), size(tail)));
    let sensible = sized.filter(|&(_, value)| value > 0);
    sensible.map(|(name, value)| (name, value as f64)).collect()
}

/// The parameters that a kernel cuts into tiles and handles the rest of.
fn tails(program: &Program, launches: &[&Launch]) -> Vec<Tail> {
    let expressions = Expressions::of(program);
    let params = program.params.iter().filter_map(|param| match param.kind {
        ParamKind::Variable(id) => Some((param.name.as_str(), id)),
        _ => None,
    });
    let tail = |(name, id)| {
        let tile = expressions.tile(id)?;
        let values = launches.iter().filter_map(|launch| value(launch, name));
        let granule = granule(values.collect(), expressions.is_row_length(id))?;
        Some(Tail {
            name: name.to_owned(),
            tile,
            granule,
        })
    };
    params.filter_map(tail).collect()
}

fn value(launch: &Launch, name: &str) -> Option<i64> {
    let (_, value) = launch.scalars.iter().find(|(key, _)| key == name)?;
    (value.fract() == 0.0).then_some(*value as i64)
}

/// What the values of a parameter are multiples of; `None` where there are none.
fn granule(mut values: Vec<i64>, is_row_length: bool) -> Option<i64> {
    values.sort();
    values.dedup();
    let common = values.iter().copied().reduce(common_divisor)?;
    match values.len() {
        1 if is_row_length => Some(common_divisor(common, ROW_GRANULE)),
        1 => Some(1),
        _ => Some(common),
    }
}

fn common_divisor(a: i64, b: i64) -> i64 {
    match b {
        0 => a.abs(),
        _ => common_divisor(b, a % b),
    }
}

/// The scalars of a program, with what variables are assigned.
struct Expressions<'p> {
    program: &'p Program,
    assigned: FxHashMap<VariableId, Vec<ScalarId>>,
}

/// Deepest chain of assignments that is followed.
const MAX_CHAIN: u32 = 8;

impl<'p> Expressions<'p> {
    fn of(program: &'p Program) -> Self {
        let mut assigned: FxHashMap<VariableId, Vec<ScalarId>> = FxHashMap::default();
        program.walk(&mut |stmt| {
            if let StmtKind::Assign { variable, value } = stmt.kind {
                assigned.entry(variable).or_default().push(value);
            }
        });
        Expressions { program, assigned }
    }

    /// The tile that a parameter is cut into: `Min(tile, parameter - …)`.
    fn tile(&self, param: VariableId) -> Option<i64> {
        let scalars = &self.program.scalars;
        let all = (0..scalars.len() as u32).map(ScalarId);
        let mut tiles = all.filter_map(|id| {
            let Scalar::Binary(BinaryOp::Min, a, b) = scalars.get(id) else {
                return None;
            };
            let pair = |tile, rest| Some((scalars.as_int(tile)?, rest));
            let (tile, rest) = pair(a, b).or_else(|| pair(b, a))?;
            (tile > 0 && self.is_rest(rest, param, MAX_CHAIN)).then_some(tile)
        });
        tiles.next()
    }

    /// Whether an expression is what is left of a parameter behind some start.
    fn is_rest(&self, id: ScalarId, param: VariableId, chain: u32) -> bool {
        match self.program.scalars.get(id) {
            Scalar::Binary(BinaryOp::Sub, whole, _) => self.is_param(whole, param, chain),
            Scalar::Binary(BinaryOp::Max, a, b) => {
                self.is_rest(a, param, chain) || self.is_rest(b, param, chain)
            }
            Scalar::Variable(variable) => {
                self.any_assigned(variable, chain, |id, chain| self.is_rest(id, param, chain))
            }
            _ => false,
        }
    }

    fn is_param(&self, id: ScalarId, param: VariableId, chain: u32) -> bool {
        match self.program.scalars.get(id) {
            Scalar::Variable(variable) if variable == param => true,
            Scalar::Variable(variable) => {
                self.any_assigned(variable, chain, |id, chain| self.is_param(id, param, chain))
            }
            _ => false,
        }
    }

    /// Whether a parameter takes part in the length of a row of global memory.
    fn is_row_length(&self, param: VariableId) -> bool {
        let instructions = self.program.instructions();
        let mut views = instructions.iter().flat_map(|(_, instr)| {
            instr
                .operands()
                .filter_map(|(_, _, view)| View::global(view))
        });
        views.any(|view| {
            // A tensor with one axis may as well hold a value for each row of another.
            let last = view.axes.last().filter(|_| view.axes.len() > 1);
            last.is_some_and(|axis| self.mentions(axis.span, param, MAX_CHAIN))
        })
    }

    fn mentions(&self, id: ScalarId, param: VariableId, chain: u32) -> bool {
        match self.program.scalars.get(id) {
            Scalar::Variable(variable) if variable == param => true,
            Scalar::Variable(variable) => {
                self.any_assigned(variable, chain, |id, chain| self.mentions(id, param, chain))
            }
            Scalar::Unary(_, a) => self.mentions(a, param, chain),
            Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => {
                self.mentions(a, param, chain) || self.mentions(b, param, chain)
            }
            _ => false,
        }
    }

    fn any_assigned(
        &self,
        variable: VariableId,
        chain: u32,
        test: impl Fn(ScalarId, u32) -> bool,
    ) -> bool {
        let values = self.assigned.get(&variable).map_or(&[][..], Vec::as_slice);
        chain > 0 && values.iter().any(|&value| test(value, chain - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_file_suggest_what_sizes_are_multiples_of() {
        assert_eq!(granule(vec![], false), None);
        assert_eq!(granule(vec![128, 128], false), Some(1));
        assert_eq!(granule(vec![128], true), Some(64));
        assert_eq!(granule(vec![40], true), Some(8));
        assert_eq!(granule(vec![296, 128], true), Some(8));
        assert_eq!(granule(vec![300, 65], false), Some(5));
    }
}

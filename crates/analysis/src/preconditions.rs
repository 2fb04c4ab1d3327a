//! Preconditions of proofs: scalar parameters that are at least 1.

use std::cell::RefCell;
use std::hash::Hash;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use a2lint_ir::{
    Instr, Program, Scalar, ScalarId, StmtKind, UnaryOp, VariableId, VariableKind, View,
};
use a2lint_isa::ParamKind;

/// Maximum number of parameters that preconditions name.
const MOST: usize = 12;

/// Answers to questions that several attempts ask. What holds under some preconditions holds under more, and
/// what cannot be shown under some cannot be shown under fewer.
#[derive(Debug)]
pub struct Answers<Q> {
    sizes: Vec<VariableId>,
    known: RefCell<FxHashMap<Q, Known>>,
}

/// A set of parameters that preconditions name, as bits.
type Parameters = u16;

/// The known answers to a question, each for the parameters that were at least 1.
type Known = SmallVec<[(Parameters, bool); 4]>;

impl<Q: Eq + Hash> Answers<Q> {
    /// Creates an empty collection for a program.
    pub fn new(program: &Program) -> Self {
        let sizes = sizes(program);
        debug_assert!(MOST < Parameters::BITS as usize);
        Answers {
            sizes,
            known: RefCell::default(),
        }
    }

    /// Returns the answer to a question under the condition that these parameters are at least 1: a known
    /// one, or that of `answer`.
    pub fn ask(&self, question: Q, positive: &[VariableId], answer: impl FnOnce() -> bool) -> bool {
        let given = self.parameters(positive);
        let follows = |&&(known, holds): &&(Parameters, bool)| match holds {
            true => known & !given == 0,
            false => given & !known == 0,
        };
        if let Some(known) = self.known.borrow().get(&question)
            && let Some(&(_, holds)) = known.iter().find(follows)
        {
            return holds;
        }
        let holds = answer();
        let mut known = self.known.borrow_mut();
        known.entry(question).or_default().push((given, holds));
        holds
    }

    fn parameters(&self, positive: &[VariableId]) -> Parameters {
        let at = |id| self.sizes.iter().take(MOST).position(|&size| size == id);
        let bits = positive.iter().filter_map(|&id| at(id));
        bits.fold(0, |all, at| all | 1 << at)
    }
}

/// Returns the result of a proof, with the parameters that it requires to be at least 1: as few as possible, or all
/// parameters if the proof fails even with all. `attempt` returns whether the proof succeeds under some parameters.
pub fn weakest_precondition<T>(
    program: &Program,
    attempt: impl FnMut(&[VariableId]) -> (bool, T),
) -> (T, Vec<VariableId>) {
    weakest_precondition_without(program, &sizes(program), attempt)
}

/// As [`weakest_precondition`], for attempts that take long: only parameters in `needless` are left out.
pub fn weakest_precondition_without<T>(
    program: &Program,
    needless: &[VariableId],
    mut attempt: impl FnMut(&[VariableId]) -> (bool, T),
) -> (T, Vec<VariableId>) {
    let (is_proved, plain) = attempt(&[]);
    let mut under = sizes(program);
    // With more parameters than bits, no preconditions are tried.
    if is_proved || under.is_empty() || under.len() > MOST {
        return (plain, Vec::new());
    }
    let (is_proved, mut best) = attempt(&under);
    if !is_proved {
        return (best, under);
    }
    for &parameter in needless {
        let fewer: Vec<VariableId> = under
            .iter()
            .copied()
            .filter(|&id| id != parameter)
            .collect();
        let (is_proved, result) = attempt(&fewer);
        if is_proved {
            (best, under) = (result, fewer);
        }
    }
    (best, under)
}

/// Returns the largest value of a parameter, up to `most`, for which an attempt succeeds; if it fails for one
/// value, it has to fail for all larger ones. It is likely one of `marks`, which have to be in order.
pub fn largest(most: i64, marks: &[i64], mut attempt: impl FnMut(i64) -> bool) -> Option<i64> {
    if !attempt(1) {
        return None;
    }
    let at = marks.partition_point(|&mark| mark <= 1 || attempt(mark));
    let mut holds = at.checked_sub(1).map_or(1, |at| marks[at].max(1));
    let mut fails = marks.get(at).map_or(most + 1, |&mark| mark);
    if fails - holds > 1 && at > 0 {
        match attempt(holds + 1) {
            true => holds += 1,
            false => fails = holds + 1,
        }
    }
    while fails - holds > 1 {
        // Limits are more often small than large, so the search starts by doubling.
        let middle = match holds * 2 < fails {
            true => holds * 2,
            false => holds + (fails - holds) / 2,
        };
        match attempt(middle) {
            true => holds = middle,
            false => fails = middle,
        }
    }
    Some(holds)
}

/// Returns the smallest number up to a limit that satisfies a condition which all larger numbers satisfy,
/// too. It is likely one of `marks`, which have to be in order.
pub fn smallest(limit: i64, marks: &[i64], holds: impl Fn(i64) -> bool) -> Option<i64> {
    let at = marks.partition_point(|&mark| !holds(mark));
    let mut low = marks[..at].last().map_or(0, |mark| mark + 1);
    let mut high = marks.get(at).copied().unwrap_or(limit);
    if at == marks.len() && (low > limit || !holds(limit)) {
        return None;
    }
    // A mark is often the exact answer, which a single attempt below it confirms.
    if low < high && at < marks.len() && !holds(high - 1) {
        return Some(high);
    }
    while low < high {
        let middle = low.midpoint(high);
        match holds(middle) {
            true => high = middle,
            false => low = middle + 1,
        }
    }
    Some(high)
}

/// Returns the integer parameters on which sizes, places or control may depend.
pub fn sizes(program: &Program) -> Vec<VariableId> {
    let uses = Uses::of(program);
    let is_size = |&id: &VariableId| {
        let is_value = uses
            .values
            .iter()
            .any(|&value| program.scalars.get(value) == Scalar::Variable(id));
        let assigned = uses.assigned.iter().map(|(_, value)| value);
        let mut others = uses.sizes.iter().chain(&uses.conditions).chain(assigned);
        !is_value || others.any(|&other| program.scalars.mentions(other, id))
    };
    integers(program).filter(is_size).collect()
}

/// Returns the integer parameters that decide branches, and no size, place or trip count.
pub fn switches(program: &Program) -> Vec<VariableId> {
    let uses = Uses::of(program);
    let in_conditions = uses.sources_of(program, &uses.conditions);
    let in_sizes = uses.sources_of(program, &uses.sizes);
    let is_switch = |id: &VariableId| in_conditions[id.index()] && !in_sizes[id.index()];
    integers(program).filter(is_switch).collect()
}

fn integers(program: &Program) -> impl Iterator<Item = VariableId> {
    let all = (0..program.variables.len() as u32).map(VariableId);
    all.filter(|&id| {
        let variable = program.variable(id);
        // A symbol that names a single extent is that extent, not a parameter.
        let is_extent = program.extent_named(&variable.name).is_some();
        variable.kind == VariableKind::Param
            && !is_extent
            && !variable.dtype.is_some_and(|it| it.is_float())
    })
}

/// The uses of a program's expressions.
#[derive(Default)]
struct Uses {
    /// Values of elements, and operands of square roots. A parameter that is used for nothing else may as
    /// well be a float.
    values: Vec<ScalarId>,
    /// Extents, places, fields of instructions, bounds of loops.
    sizes: Vec<ScalarId>,
    /// Conditions of branches.
    conditions: Vec<ScalarId>,
    /// Values that are assigned to variables.
    assigned: Vec<(VariableId, ScalarId)>,
}

impl Uses {
    fn of(program: &Program) -> Uses {
        let mut uses = Uses::default();
        let sizes = &mut uses.sizes;
        sizes.extend(program.globals.iter().flat_map(|global| &global.shape));
        sizes.extend(program.buffers.iter().flat_map(|buffer| &buffer.shape));
        program.walk(&mut |stmt| match &stmt.kind {
            StmtKind::Assign { variable, value } => match program.scalars.get(*value) {
                Scalar::Unary(UnaryOp::Sqrt, root) if is_alone(program, root) => {
                    uses.values.push(root);
                }
                _ => uses.assigned.push((*variable, *value)),
            },
            StmtKind::Loop {
                start, stop, step, ..
            } => uses.sizes.extend([start, stop, step]),
            StmtKind::If { arms, .. } => {
                uses.conditions.extend(arms.iter().map(|arm| arm.condition));
            }
            StmtKind::Instr(instr) => uses.add(program, instr),
            _ => {}
        });
        uses
    }

    fn add(&mut self, program: &Program, instr: &Instr) {
        for (index, arg) in instr.args.iter().enumerate() {
            let kind = instr.row().param(index).map(|param| param.kind);
            let takes_value = matches!(
                kind,
                Some(ParamKind::Value | ParamKind::Step | ParamKind::OperandOrValue(_))
            );
            let rooted = |id: ScalarId| match program.scalars.get(id) {
                Scalar::Unary(UnaryOp::Sqrt, root) => root,
                _ => id,
            };
            match (arg.value.scalar(), takes_value) {
                (Some(id), true) if is_alone(program, rooted(id)) => self.values.push(rooted(id)),
                (Some(id), _) => self.sizes.push(id),
                (None, _) => {}
            }
        }
        for (_, _, view) in instr.operands() {
            match view {
                View::Local(view) => {
                    let pairs = [view.offset, view.span, view.shape];
                    let all = pairs.into_iter().flatten().chain([view.slot]);
                    self.sizes.extend(all);
                }
                View::Global(view) => {
                    let axes = view.axes.iter();
                    self.sizes
                        .extend(axes.flat_map(|axis| [axis.start, axis.span]));
                }
            }
        }
    }

    /// Returns for each variable whether some expressions depend on it, also through other variables.
    fn sources_of(&self, program: &Program, expressions: &[ScalarId]) -> Vec<bool> {
        let mut values: Vec<Vec<ScalarId>> = vec![Vec::new(); program.variables.len()];
        for &(variable, value) in &self.assigned {
            values[variable.index()].push(value);
        }
        let mut found = vec![false; program.variables.len()];
        let mut seen = FxHashSet::default();
        let mut open = expressions.to_vec();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            match program.scalars.get(id) {
                Scalar::Variable(variable) => {
                    found[variable.index()] = true;
                    open.append(&mut values[variable.index()]);
                }
                Scalar::Unary(_, a) => open.push(a),
                Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => open.extend([a, b]),
                _ => {}
            }
        }
        found
    }
}

fn is_alone(program: &Program, id: ScalarId) -> bool {
    matches!(program.scalars.get(id), Scalar::Variable(_))
}

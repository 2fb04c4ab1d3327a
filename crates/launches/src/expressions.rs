//! What a kernel's scalar expressions reveal about its parameters: tiles, granules, loops, sharing among lanes.

use std::cell::OnceCell;

use rustc_hash::{FxHashMap, FxHashSet};

use a2lint_ir::{
    BinaryOp, CompareOp, Instr, Program, Scalar, ScalarId, SpecialScalar, Stmt, StmtKind, UnaryOp,
    VariableId, View,
};
use a2lint_isa::device::SUB_BLOCKS;

use super::open_sizes::globals;

/// The scalars of a program with the values assigned to each variable.
pub(super) struct Expressions<'p> {
    program: &'p Program,
    assigned: FxHashMap<VariableId, Vec<ScalarId>>,
    /// Computed on first use: a kernel with given launches does not need it.
    uses: OnceCell<Uses>,
}

/// Properties of each variable, as the expressions of a program show them. All are collected in one pass, because a
/// kernel may have a hundred parameters and thousands of expressions.
#[derive(Default)]
struct Uses {
    /// See [`Expressions::tile`].
    tiles: FxHashMap<VariableId, i64>,
    /// The constants of [`Expressions::compared`].
    compared: FxHashMap<VariableId, Vec<i64>>,
    /// The conditions of branches that compare a variable with a constant, in the order of the program.
    branches: FxHashMap<VariableId, Vec<Threshold>>,
    /// See [`Expressions::unit`].
    units: FxHashMap<VariableId, i64>,
    /// See [`Expressions::is_row_length`].
    row_lengths: FxHashSet<VariableId>,
    /// See [`Expressions::bounds_loop`].
    bounds_of_loops: FxHashSet<VariableId>,
    /// See [`Expressions::ends_loop`].
    ends_of_loops: FxHashSet<VariableId>,
    /// See [`Expressions::share`].
    shares: FxHashMap<VariableId, Share>,
    /// See [`Expressions::local_extent`].
    local_extents: FxHashMap<VariableId, i64>,
    /// See [`Expressions::remainder`].
    remainders: FxHashMap<VariableId, i64>,
    /// See [`Expressions::is_rounded`].
    rounded: FxHashSet<VariableId>,
}

impl<'p> Expressions<'p> {
    pub(super) fn of(program: &'p Program) -> Self {
        let mut assigned: FxHashMap<VariableId, Vec<ScalarId>> = FxHashMap::default();
        program.walk(&mut |stmt| {
            if let StmtKind::Assign { variable, value } = stmt.kind {
                assigned.entry(variable).or_default().push(value);
            }
        });
        Expressions {
            program,
            assigned,
            uses: OnceCell::new(),
        }
    }

    fn uses(&self) -> &Uses {
        self.uses.get_or_init(|| {
            let mut uses = Uses::default();
            for id in (0..self.program.scalars.len() as u32).map(ScalarId) {
                self.add_operation(id, &mut uses);
            }
            self.program.walk(&mut |stmt| {
                self.add_loop(stmt, &mut uses);
                self.add_branch(stmt, &mut uses);
            });
            self.add_views(&mut uses);
            uses
        })
    }

    fn add_operation(&self, id: ScalarId, uses: &mut Uses) {
        let scalars = &self.program.scalars;
        match scalars.get(id) {
            Scalar::Binary(BinaryOp::Min, a, b) => {
                let pair = |tile, rest| Some((scalars.as_int(tile)?, rest));
                let Some((tile, rest)) = pair(a, b).or_else(|| pair(b, a)) else {
                    return;
                };
                for param in self.rests(rest).into_iter().filter(|_| tile > 0) {
                    uses.tiles.entry(param).or_insert(tile);
                }
            }
            Scalar::Binary(
                BinaryOp::Div
                | BinaryOp::FloorDiv
                | BinaryOp::FloorMod
                | BinaryOp::CeilDiv
                | BinaryOp::Mod
                | BinaryOp::AlignUp,
                whole,
                part,
            ) => {
                if let Some(part) = scalars.as_int(part) {
                    self.add_unit(whole, part, uses);
                }
            }
            Scalar::Compare(CompareOp::Eq | CompareOp::Ne, a, b) => {
                let pair = |value, constant| Some((value, scalars.as_int(constant)?));
                let Some((value, constant)) = pair(a, b).or_else(|| pair(b, a)) else {
                    return;
                };
                let same = self.closure(value, |scalar| match scalar {
                    Scalar::Unary(UnaryOp::Convert, inner) => [Some(inner), None],
                    _ => [None, None],
                });
                for param in self.variables(&same) {
                    uses.compared.entry(param).or_default().push(constant);
                }
            }
            _ => {}
        }
    }

    fn add_unit(&self, whole: ScalarId, unit: i64, uses: &mut Uses) {
        if unit > 0 {
            for param in self.same(whole) {
                let known = uses.units.entry(param).or_insert(unit);
                *known = unit.max(*known);
            }
        }
    }

    fn add_loop(&self, stmt: &Stmt, uses: &mut Uses) {
        let StmtKind::Loop {
            start, stop, step, ..
        } = stmt.kind
        else {
            return;
        };
        let share = [start, stop, step].into_iter();
        let share = share.filter_map(|bound| self.sharers(bound)).max();
        for param in self.variables(&self.whole(stop)) {
            uses.bounds_of_loops.insert(param);
            if let Some(share) = share {
                let known = uses.shares.entry(param).or_insert(share);
                *known = share.max(*known);
            }
        }
        uses.ends_of_loops.extend(self.same(stop));
        if let Some(stride) = self.stride(step) {
            self.add_unit(stop, stride, uses);
        }
    }

    fn add_branch(&self, stmt: &Stmt, uses: &mut Uses) {
        let StmtKind::If { arms, .. } = &stmt.kind else {
            return;
        };
        let scalars = &self.program.scalars;
        for arm in arms {
            let Scalar::Compare(op, a, b) = scalars.get(arm.condition) else {
                continue;
            };
            let (value, number, is_left) = match (scalars.as_int(a), scalars.as_int(b)) {
                (None, Some(number)) => (a, number, true),
                (Some(number), None) => (b, number, false),
                _ => continue,
            };
            for variable in self.same(value) {
                let known = uses.branches.entry(variable).or_default();
                known.push(Threshold {
                    op,
                    number,
                    is_left,
                });
            }
        }
    }

    fn add_views(&self, uses: &mut Uses) {
        let instructions = self.program.instructions();
        for (_, instr) in &instructions {
            for view in globals(instr) {
                // The axis of a vector is no evidence of a row length: it may hold one value for each row.
                let last = view.axes.last().filter(|_| view.axes.len() > 1);
                if let Some(axis) = last {
                    let params = self.variables(&self.whole(axis.span));
                    uses.row_lengths.extend(params);
                }
                for axis in &view.axes {
                    self.add_lengths(axis.span, uses);
                }
            }
            self.add_local_extents(instr, uses);
        }
        for param in self.counted(&instructions) {
            uses.local_extents.remove(&param);
        }
    }

    /// Notes which parameters a length in global memory takes the remainder of or rounds.
    fn add_lengths(&self, length: ScalarId, uses: &mut Uses) {
        let scalars = &self.program.scalars;
        let parts = self.whole(length);
        for &part in &parts {
            match scalars.get(part) {
                Scalar::Binary(BinaryOp::Mod | BinaryOp::FloorMod, whole, unit) => {
                    let Some(unit) = scalars.as_int(unit).filter(|&unit| unit > 1) else {
                        continue;
                    };
                    for param in self.converted(whole) {
                        let known = uses.remainders.entry(param).or_insert(unit);
                        *known = unit.max(*known);
                    }
                }
                // `total - tiles * TILE` as the length of what the whole tiles leave.
                Scalar::Binary(BinaryOp::Sub, whole, _) => {
                    for param in self.converted(whole) {
                        if let Some(&unit) = uses.units.get(&param).filter(|&&unit| unit > 1) {
                            uses.remainders.entry(param).or_insert(unit);
                        }
                    }
                }
                Scalar::Variable(variable) => self.add_paths(variable, uses),
                Scalar::Binary(BinaryOp::Mul, a, b) => {
                    let quotient = |id| match scalars.get(id) {
                        Scalar::Binary(BinaryOp::Div | BinaryOp::FloorDiv, whole, _) => Some(whole),
                        _ => None,
                    };
                    if let Some(whole) = quotient(a).or_else(|| quotient(b)) {
                        uses.rounded.extend(self.variables(&self.whole(whole)));
                    }
                }
                _ => {}
            }
        }
    }

    /// Notes the tile of a length that is a constant on one path and the remainder of a parameter on another.
    fn add_paths(&self, length: VariableId, uses: &mut Uses) {
        let scalars = &self.program.scalars;
        let values = self.assigned.get(&length).map_or(&[][..], Vec::as_slice);
        let tile = values
            .iter()
            .filter_map(|&value| scalars.as_int(value))
            .max();
        let Some(tile) = tile.filter(|&tile| tile > 1) else {
            return;
        };
        for &value in values {
            if let Scalar::Binary(BinaryOp::Sub, whole, _) = scalars.get(value) {
                for param in self.converted(whole) {
                    uses.remainders.entry(param).or_insert(tile);
                }
            }
        }
    }

    fn add_local_extents(&self, instr: &Instr, uses: &mut Uses) {
        let views = || instr.operands().map(|(_, _, view)| view);
        let global = views().find_map(View::global);
        let (Some(global), Some(local)) = (global, views().find_map(View::local)) else {
            return;
        };
        let sliced: Vec<usize> = global.sliced_axes().map(|(axis, _)| axis).collect();
        for (&axis, &extent) in sliced.iter().rev().zip(local.shape.iter().rev()) {
            let Some(extent) = self.program.size(extent).filter(|&extent| extent > 0) else {
                continue;
            };
            for param in self.variables(&self.whole(global.axes[axis].span)) {
                let known = uses.local_extents.entry(param).or_insert(extent);
                *known = extent.min(*known);
            }
        }
    }

    /// Returns the parameters that are extents of axes which are indexed but never sliced.
    fn counted(&self, instructions: &[(&Stmt, &Instr)]) -> FxHashSet<VariableId> {
        let mut counted = FxHashSet::default();
        let mut sliced = FxHashSet::default();
        let views = instructions.iter().flat_map(|(_, instr)| globals(instr));
        for axis in views.flat_map(|view| &view.axes) {
            if let Scalar::Variable(param) = self.program.scalars.get(axis.extent) {
                let set = match axis.is_slice {
                    true => &mut sliced,
                    false => &mut counted,
                };
                set.insert(param);
            }
        }
        counted.retain(|param| !sliced.contains(param));
        counted
    }

    /// Returns the variables among expressions.
    fn variables(&self, ids: &FxHashSet<ScalarId>) -> Vec<VariableId> {
        let variables = ids
            .iter()
            .filter_map(|&id| match self.program.scalars.get(id) {
                Scalar::Variable(variable) => Some(variable),
                _ => None,
            });
        variables.collect()
    }

    /// Returns the variables whose value an expression is, directly or through assignments.
    fn same(&self, id: ScalarId) -> Vec<VariableId> {
        self.variables(&self.closure(id, |_| [None, None]))
    }

    /// Returns the variables whose value an expression is, directly, converted or through assignments.
    fn converted(&self, id: ScalarId) -> Vec<VariableId> {
        self.variables(&self.closure(id, |scalar| match scalar {
            Scalar::Unary(UnaryOp::Convert, inner) => [Some(inner), None],
            _ => [None, None],
        }))
    }

    /// Returns the variables that an expression depends on, through assignments.
    pub(super) fn read(&self, id: ScalarId) -> Vec<VariableId> {
        self.variables(&self.whole(id))
    }

    /// Returns the variables in differences `variable - start` that an expression is, possibly under `Max`.
    fn rests(&self, id: ScalarId) -> Vec<VariableId> {
        let rests = self.closure(id, |scalar| match scalar {
            Scalar::Binary(BinaryOp::Max, a, b) => [Some(a), Some(b)],
            _ => [None, None],
        });
        let wholes = rests
            .into_iter()
            .filter_map(|id| match self.program.scalars.get(id) {
                Scalar::Binary(BinaryOp::Sub, whole, _) => Some(whole),
                _ => None,
            });
        wholes.flat_map(|whole| self.same(whole)).collect()
    }

    /// Returns the tile that a parameter is cut into, from `Min(tile, parameter - …)`.
    pub(super) fn tile(&self, param: VariableId) -> Option<i64> {
        self.uses().tiles.get(&param).copied()
    }

    /// Returns the tile whose remainder the kernel moves: from `parameter % tile` in the length of an access to global
    /// memory, or from `parameter - …` there and a division by the tile.
    pub(super) fn remainder(&self, param: VariableId) -> Option<i64> {
        self.uses().remainders.get(&param).copied()
    }

    /// Returns whether the length of an access to global memory rounds a value of this parameter, as `n / 8 * 8`. A
    /// transfer of whole blocks does.
    pub(super) fn is_rounded(&self, param: VariableId) -> bool {
        self.uses().rounded.contains(&param)
    }

    /// Returns the constants that a parameter is compared with for equality, and the smallest natural number that is
    /// none of them, with which it takes the remaining arm. Empty if there are no such constants.
    pub(super) fn compared(&self, param: VariableId) -> Vec<i64> {
        let constants = self.uses().compared.get(&param);
        let mut constants = constants.cloned().unwrap_or_default();
        constants.sort_unstable();
        constants.dedup();
        let is_free = |value: &i64| !constants.contains(value);
        if let Some(other) = (0..).find(is_free).filter(|_| !constants.is_empty()) {
            constants.push(other);
        }
        constants
    }

    /// Returns the expressions reachable from `id` through assignments to variables and through `parts`.
    fn closure(
        &self,
        id: ScalarId,
        parts: impl Fn(Scalar) -> [Option<ScalarId>; 2],
    ) -> FxHashSet<ScalarId> {
        let mut reached = FxHashSet::default();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if !reached.insert(id) {
                continue;
            }
            let scalar = self.program.scalars.get(id);
            if let Scalar::Variable(variable) = scalar {
                open.extend(self.assigned.get(&variable).into_iter().flatten());
            }
            open.extend(parts(scalar).into_iter().flatten());
        }
        reached
    }

    /// Returns an expression with all subexpressions, assignments to variables included.
    fn whole(&self, id: ScalarId) -> FxHashSet<ScalarId> {
        self.closure(id, |scalar| match scalar {
            Scalar::Unary(_, a) => [Some(a), None],
            Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => [Some(a), Some(b)],
            _ => [None, None],
        })
    }

    /// Returns whether a parameter takes part in the length of a row of global memory.
    pub(super) fn is_row_length(&self, param: VariableId) -> bool {
        self.uses().row_lengths.contains(&param)
    }

    /// Returns whether the bound of a loop depends on a parameter.
    pub(super) fn bounds_loop(&self, param: VariableId) -> bool {
        self.uses().bounds_of_loops.contains(&param)
    }

    /// Returns whether a parameter itself is the bound of a loop, so that any trip count is plausible.
    pub(super) fn ends_loop(&self, param: VariableId) -> bool {
        self.uses().ends_of_loops.contains(&param)
    }

    /// Returns who shares the tiles of a parameter: the loop over them starts, ends or steps by the number or index of
    /// cores or lanes.
    pub(super) fn share(&self, param: VariableId) -> Option<Share> {
        self.uses().shares.get(&param).copied()
    }

    /// Returns whether an expression depends on the number or index of cores, or of lanes.
    fn sharers(&self, id: ScalarId) -> Option<Share> {
        let parts = self.whole(id);
        let sharers = parts
            .iter()
            .filter_map(|&id| match self.program.scalars.get(id) {
                Scalar::Special(SpecialScalar::CubeNum | SpecialScalar::CubeIdx) => {
                    Some(Share::Cores)
                }
                Scalar::Special(SpecialScalar::VecNum | SpecialScalar::VecIdx) => {
                    Some(Share::Lanes)
                }
                _ => None,
            });
        sharers.max()
    }

    /// Returns a positive value of a parameter, near a constant that a branch compares it with, for which that branch
    /// is decided otherwise than for `value`. It is a multiple of `granule` unless the comparison is `==` or `!=`.
    pub(super) fn other_side(&self, param: VariableId, value: i64, granule: i64) -> Option<i64> {
        let thresholds = self.uses().branches.get(&param).into_iter().flatten();
        let mut flipped = thresholds.filter_map(|it| it.flipped(value, granule));
        flipped.find(|&candidate| candidate > 0)
    }

    /// Returns the smallest on-chip extent that a slice of this length is moved to or from; `None` for a parameter
    /// whose axis is only indexed.
    pub(super) fn local_extent(&self, param: VariableId) -> Option<i64> {
        self.uses().local_extents.get(&param).copied()
    }

    /// Returns the part of a step that belongs to one lane: 64 in `GetVecNum() * 64`.
    fn stride(&self, step: ScalarId) -> Option<i64> {
        let scalars = &self.program.scalars;
        match scalars.get(step) {
            Scalar::Binary(BinaryOp::Mul, a, b) if self.sharers(step).is_some() => {
                scalars.as_int(a).or_else(|| scalars.as_int(b))
            }
            _ => scalars.as_int(step),
        }
    }

    /// Returns the largest constant that a parameter is divided by or stepped through in.
    pub(super) fn unit(&self, param: VariableId) -> Option<i64> {
        self.uses().units.get(&param).copied()
    }
}

/// The condition of a branch: a variable, compared with a constant.
struct Threshold {
    op: CompareOp,
    number: i64,
    /// Whether the variable is the left operand.
    is_left: bool,
}

impl Threshold {
    /// Returns a value near the constant for which the condition is decided otherwise than for `value`.
    fn flipped(&self, value: i64, granule: i64) -> Option<i64> {
        let &Threshold {
            op,
            number,
            is_left,
        } = self;
        let holds = |value: i64| match is_left {
            true => op.holds(value.cmp(&number)),
            false => op.holds(number.cmp(&value)),
        };
        // Beside the ends of the words there is nothing.
        let down = |value: i64| value.div_euclid(granule).checked_mul(granule);
        let up = |value: i64| value.checked_add(granule - 1).and_then(down);
        let (below, above) = (number.checked_sub(1), number.checked_add(1));
        let near = [
            down(number),
            up(number),
            below.and_then(down),
            above.and_then(up),
        ];
        let exact = matches!(op, CompareOp::Eq | CompareOp::Ne).then_some(number);
        let mut candidates = exact.into_iter().chain(near.into_iter().flatten());
        candidates.find(|&candidate| holds(candidate) != holds(value))
    }
}

/// How the iterations of a loop are distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Share {
    /// Cores.
    Cores,
    /// Vec lanes of all cores.
    Lanes,
}

impl Share {
    /// Returns the number of workers on this many cores.
    pub(super) fn workers(self, cores: u32) -> u32 {
        match self {
            Share::Cores => cores,
            Share::Lanes => cores.saturating_mul(SUB_BLOCKS),
        }
    }
}

//! What a kernel's scalar expressions reveal about its parameters: tiles, granules, loops, sharing among lanes.

use rustc_hash::{FxHashMap, FxHashSet};

use a2lint_ir::{
    BinaryOp, CompareOp, Instr, Program, Scalar, ScalarId, SpecialScalar, Stmt, StmtKind, UnaryOp,
    VariableId, View,
};
use a2lint_isa::device::SUB_BLOCKS;

/// The scalars of a program with the values assigned to each variable.
pub(super) struct Expressions<'p> {
    program: &'p Program,
    assigned: FxHashMap<VariableId, Vec<ScalarId>>,
}

impl<'p> Expressions<'p> {
    pub(super) fn of(program: &'p Program) -> Self {
        let mut assigned: FxHashMap<VariableId, Vec<ScalarId>> = FxHashMap::default();
        program.walk(&mut |stmt| {
            if let StmtKind::Assign { variable, value } = stmt.kind {
                assigned.entry(variable).or_default().push(value);
            }
        });
        Expressions { program, assigned }
    }

    /// Returns the tile that a parameter is cut into, from `Min(tile, parameter - …)`.
    pub(super) fn tile(&self, param: VariableId) -> Option<i64> {
        let scalars = &self.program.scalars;
        let all = (0..scalars.len() as u32).map(ScalarId);
        let mut tiles = all.filter_map(|id| {
            let Scalar::Binary(BinaryOp::Min, a, b) = scalars.get(id) else {
                return None;
            };
            let pair = |tile, rest| Some((scalars.as_int(tile)?, rest));
            let (tile, rest) = pair(a, b).or_else(|| pair(b, a))?;
            (tile > 0 && self.is_rest(rest, param)).then_some(tile)
        });
        tiles.next()
    }

    /// Returns whether an expression is the remainder of a parameter: `parameter - start`.
    fn is_rest(&self, id: ScalarId, param: VariableId) -> bool {
        let rests = self.closure(id, |scalar| match scalar {
            Scalar::Binary(BinaryOp::Max, a, b) => [Some(a), Some(b)],
            _ => [None, None],
        });
        rests
            .into_iter()
            .any(|id| match self.program.scalars.get(id) {
                Scalar::Binary(BinaryOp::Sub, whole, _) => self.is_param(whole, param),
                _ => false,
            })
    }

    /// Returns the constants that a parameter is compared with for equality, and the smallest natural number that is
    /// none of them, with which it takes the remaining arm. Empty if there are no such constants.
    pub(super) fn compared(&self, param: VariableId) -> Vec<i64> {
        let scalars = &self.program.scalars;
        let all = (0..scalars.len() as u32).map(ScalarId);
        let constants = all.filter_map(|id| {
            let Scalar::Compare(CompareOp::Eq | CompareOp::Ne, a, b) = scalars.get(id) else {
                return None;
            };
            let pair = |value, constant| Some((value, scalars.as_int(constant)?));
            let (value, constant) = pair(a, b).or_else(|| pair(b, a))?;
            let same = self.closure(value, |scalar| match scalar {
                Scalar::Unary(UnaryOp::Convert, inner) => [Some(inner), None],
                _ => [None, None],
            });
            self.any_is(&same, param).then_some(constant)
        });
        let mut constants: Vec<i64> = constants.collect();
        constants.sort_unstable();
        constants.dedup();
        let is_free = |value: &i64| !constants.contains(value);
        if let Some(other) = (0..).find(is_free).filter(|_| !constants.is_empty()) {
            constants.push(other);
        }
        constants
    }

    fn is_param(&self, id: ScalarId, param: VariableId) -> bool {
        let same = self.closure(id, |_| [None, None]);
        self.any_is(&same, param)
    }

    fn any_is(&self, ids: &FxHashSet<ScalarId>, param: VariableId) -> bool {
        ids.iter()
            .any(|&id| self.program.scalars.get(id) == Scalar::Variable(param))
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
        let instructions = self.program.instructions();
        let mut views = instructions.iter().flat_map(|(_, instr)| {
            instr
                .operands()
                .filter_map(|(_, _, view)| View::global(view))
        });
        views.any(|view| {
            // The axis of a vector says nothing about row lengths: it may hold one value for each row.
            let last = view.axes.last().filter(|_| view.axes.len() > 1);
            last.is_some_and(|axis| self.mentions(axis.span, param))
        })
    }

    fn mentions(&self, id: ScalarId, param: VariableId) -> bool {
        self.any_is(&self.whole(id), param)
    }

    /// Returns whether the bound of a loop depends on a parameter.
    pub(super) fn bounds_loop(&self, param: VariableId) -> bool {
        let mut found = false;
        self.program.walk(&mut |stmt| {
            if let StmtKind::Loop { stop, .. } = stmt.kind {
                found |= self.mentions(stop, param);
            }
        });
        found
    }

    /// Returns whether a parameter itself is the bound of a loop, so that any trip count is plausible.
    pub(super) fn ends_loop(&self, param: VariableId) -> bool {
        let mut found = false;
        self.program.walk(&mut |stmt| {
            if let StmtKind::Loop { stop, .. } = stmt.kind {
                found |= self.is_param(stop, param);
            }
        });
        found
    }

    /// Returns who shares the tiles of a parameter: the loop over them starts, ends or steps by the number or index of
    /// cores or lanes.
    pub(super) fn share(&self, param: VariableId) -> Option<Share> {
        let mut shares: Vec<Share> = Vec::new();
        self.program.walk(&mut |stmt| {
            let StmtKind::Loop {
                start, stop, step, ..
            } = stmt.kind
            else {
                return;
            };
            if self.mentions(stop, param) {
                let bounds = [start, stop, step].into_iter();
                shares.extend(bounds.filter_map(|bound| self.sharers(bound)));
            }
        });
        shares.into_iter().max()
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
        let mut found = None;
        self.program.walk(&mut |stmt| {
            let StmtKind::If { arms, .. } = &stmt.kind else {
                return;
            };
            for arm in arms {
                let candidate = self.flipped(arm.condition, param, value, granule);
                found = found.or(candidate.filter(|&candidate| candidate > 0));
            }
        });
        found
    }

    fn flipped(&self, id: ScalarId, param: VariableId, value: i64, granule: i64) -> Option<i64> {
        let Scalar::Compare(op, a, b) = self.program.scalars.get(id) else {
            return None;
        };
        let is_param = |id| self.is_param(id, param);
        let scalars = &self.program.scalars;
        let (number, is_left) = match (scalars.as_int(a), scalars.as_int(b)) {
            (None, Some(number)) if is_param(a) => (number, true),
            (Some(number), None) if is_param(b) => (number, false),
            _ => return None,
        };
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

    /// Returns the smallest on-chip extent that a slice of this length is moved to or from.
    pub(super) fn local_extent(&self, param: VariableId) -> Option<i64> {
        let instructions = self.program.instructions();
        if self.is_counted(&instructions, param) {
            return None;
        }
        let extents = instructions.iter().filter_map(|(_, instr)| {
            let views = || instr.operands().map(|(_, _, view)| view);
            let global = views().find_map(View::global)?;
            let local = views().find_map(View::local)?;
            let sliced: Vec<usize> = global.sliced_axes().map(|(axis, _)| axis).collect();
            let extents = sliced.iter().rev().zip(local.shape.iter().rev());
            let fitting = extents.filter_map(|(&axis, &extent)| {
                let is_stretch = self.mentions(global.axes[axis].span, param);
                self.program.size(extent).filter(|_| is_stretch)
            });
            fitting.min()
        });
        extents.filter(|&extent| extent > 0).min()
    }

    /// Returns whether a parameter is an extent that is only ever indexed, never sliced.
    fn is_counted(&self, instructions: &[(&Stmt, &Instr)], param: VariableId) -> bool {
        let is_param = |extent| self.program.scalars.get(extent) == Scalar::Variable(param);
        let views = instructions.iter().flat_map(|(_, instr)| {
            let views = instr.operands();
            views.filter_map(|(_, _, view)| View::global(view))
        });
        let axes = views.flat_map(|view| &view.axes);
        let mut own = axes.filter(|axis| is_param(axis.extent)).peekable();
        own.peek().is_some() && own.all(|axis| !axis.is_slice)
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
        let scalars = &self.program.scalars;
        let all = (0..scalars.len() as u32).map(ScalarId);
        let divisors = all.filter_map(|id| match scalars.get(id) {
            Scalar::Binary(
                BinaryOp::Div
                | BinaryOp::FloorDiv
                | BinaryOp::FloorMod
                | BinaryOp::CeilDiv
                | BinaryOp::Mod
                | BinaryOp::AlignUp,
                whole,
                part,
            ) if self.is_param(whole, param) => scalars.as_int(part),
            _ => None,
        });
        let mut units: Vec<i64> = divisors.collect();
        self.program.walk(&mut |stmt| {
            if let StmtKind::Loop { stop, step, .. } = stmt.kind
                && self.is_param(stop, param)
            {
                units.extend(self.stride(step));
            }
        });
        units.into_iter().filter(|&unit| unit > 0).max()
    }
}

/// Who shares the iterations of a loop.
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

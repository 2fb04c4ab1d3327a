//! What scalar expressions say about the parameters in them.

use rustc_hash::FxHashMap;

use crate::device::SUB_BLOCKS;
use crate::ir::{
    BinaryOp, CompareOp, Program, Scalar, ScalarId, SpecialScalar, StmtKind, VariableId, View,
};

/// The scalars of a program, with what variables are assigned.
pub(super) struct Expressions<'p> {
    program: &'p Program,
    assigned: FxHashMap<VariableId, Vec<ScalarId>>,
}

/// Deepest chain of assignments that is followed.
const MAX_CHAIN: u32 = 8;

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

    /// The tile that a parameter is cut into: `Min(tile, parameter - …)`.
    pub(super) fn tile(&self, param: VariableId) -> Option<i64> {
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
    pub(super) fn is_row_length(&self, param: VariableId) -> bool {
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

    /// Whether a loop ends by a parameter.
    pub(super) fn bounds_loop(&self, param: VariableId) -> bool {
        let mut found = false;
        self.program.walk(&mut |stmt| {
            if let StmtKind::Loop { stop, .. } = stmt.kind {
                found |= self.mentions(stop, param, MAX_CHAIN);
            }
        });
        found
    }

    /// Among whom the tiles of a parameter are shared out: the loop over them starts, ends or steps
    /// by the number of those who take part.
    pub(super) fn share(&self, param: VariableId) -> Option<Share> {
        let mut shares: Vec<Share> = Vec::new();
        self.program.walk(&mut |stmt| {
            let StmtKind::Loop {
                start, stop, step, ..
            } = stmt.kind
            else {
                return;
            };
            if self.mentions(stop, param, MAX_CHAIN) {
                let bounds = [start, stop, step].into_iter();
                shares.extend(bounds.filter_map(|bound| self.sharers(bound, MAX_CHAIN)));
            }
        });
        shares.into_iter().max()
    }

    /// Whose number or index an expression depends on.
    fn sharers(&self, id: ScalarId, chain: u32) -> Option<Share> {
        match self.program.scalars.get(id) {
            Scalar::Special(SpecialScalar::CubeNum | SpecialScalar::CubeIdx) => Some(Share::Cores),
            Scalar::Special(SpecialScalar::VecNum | SpecialScalar::VecIdx) => Some(Share::Lanes),
            Scalar::Variable(variable) if chain > 0 => {
                let values = self.assigned.get(&variable).map_or(&[][..], Vec::as_slice);
                let sharers = values.iter().filter_map(|&it| self.sharers(it, chain - 1));
                sharers.max()
            }
            Scalar::Unary(_, a) => self.sharers(a, chain),
            Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => {
                self.sharers(a, chain).max(self.sharers(b, chain))
            }
            _ => None,
        }
    }

    /// A value of a parameter, near `value`, for which a branch that compares it with a number goes
    /// the other way; a multiple of `granule`.
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
        let is_param = |id| self.is_param(id, param, MAX_CHAIN);
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
        let down = |value: i64| value.div_euclid(granule) * granule;
        let up = |value: i64| down(value.saturating_add(granule - 1));
        let near = [down(number), up(number), down(number - 1), up(number + 1)];
        let exact = matches!(op, CompareOp::Eq | CompareOp::Ne).then_some(number);
        let mut candidates = exact.into_iter().chain(near);
        candidates.find(|&candidate| holds(candidate) != holds(value))
    }

    /// The extent of on-chip tensors that a stretch of this many elements is moved to or from.
    pub(super) fn local_extent(&self, param: VariableId) -> Option<i64> {
        let instructions = self.program.instructions();
        let extents = instructions.iter().filter_map(|(_, instr)| {
            let views = || instr.operands().map(|(_, _, view)| view);
            let global = views().find_map(View::global)?;
            let local = views().find_map(View::local)?;
            let sliced: Vec<usize> = global.sliced_axes().map(|(axis, _)| axis).collect();
            let extents = sliced.iter().rev().zip(local.shape.iter().rev());
            let fitting = extents.filter_map(|(&axis, &extent)| {
                let is_stretch = self.mentions(global.axes[axis].span, param, MAX_CHAIN);
                self.program.size(extent).filter(|_| is_stretch)
            });
            fitting.min()
        });
        extents.filter(|&extent| extent > 0).min()
    }

    /// What one of those who share a loop out steps by: the number of a product, `GetVecNum() * 64`.
    fn stride(&self, step: ScalarId) -> Option<i64> {
        let scalars = &self.program.scalars;
        match scalars.get(step) {
            Scalar::Binary(BinaryOp::Mul, a, b) if self.sharers(step, MAX_CHAIN).is_some() => {
                scalars.as_int(a).or_else(|| scalars.as_int(b))
            }
            _ => scalars.as_int(step),
        }
    }

    /// What a parameter is divided by, or counted in steps of.
    pub(super) fn unit(&self, param: VariableId) -> Option<i64> {
        let scalars = &self.program.scalars;
        let all = (0..scalars.len() as u32).map(ScalarId);
        let divisors = all.filter_map(|id| match scalars.get(id) {
            Scalar::Binary(
                BinaryOp::Div | BinaryOp::CeilDiv | BinaryOp::Mod | BinaryOp::AlignUp,
                whole,
                part,
            ) if self.is_param(whole, param, MAX_CHAIN) => scalars.as_int(part),
            _ => None,
        });
        let mut units: Vec<i64> = divisors.collect();
        self.program.walk(&mut |stmt| {
            if let StmtKind::Loop { stop, step, .. } = stmt.kind
                && self.is_param(stop, param, MAX_CHAIN)
            {
                units.extend(self.stride(step));
            }
        });
        units.into_iter().filter(|&unit| unit > 0).max()
    }
}

/// Who shares work out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Share {
    /// Cores.
    Cores,
    /// Vec lanes of all cores.
    Lanes,
}

impl Share {
    /// How many they are on so many cores.
    pub(super) fn workers(self, cores: u32) -> u32 {
        match self {
            Share::Cores => cores,
            Share::Lanes => cores.saturating_mul(SUB_BLOCKS),
        }
    }
}

use rustc_hash::FxHashMap;

use crate::declare_rule;
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_ir::{
    BinaryOp, GlobalView, Program, Scalar, ScalarId, SpecialScalar, Stmt, StmtKind, UnaryOp,
    VariableId, VariableKind,
};

declare_rule! {
    /// ## What it does
    /// Reports numbers that lanes store to global memory less than a cache line of 64 bytes apart.
    ///
    /// ## Why is this bad?
    /// The scalar unit stores through a cache, and each core writes back whole lines. Of two cores that store into one
    /// line, the one that writes back last puts old bytes over what the other one has stored.
    ///
    /// ## Example
    /// ```cpp
    /// yGm.SetValue(GetBlockIdx(), total);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// yGm.SetValue(GetBlockIdx() * 16, total);       // 16 floats are a line
    /// ```
    /// or store the number from UB, by `DataCopyPad`.
    ///
    /// ## Source
    /// AscendC manual on the data cache: its lines of 64 bytes are written back whole, and cores do not see each
    /// other's.
    "MOV017" "scalar-line" Warning, basis = Constants
}

/// Bytes of a line of the data cache.
const LINE: i64 = 64;

fn check(facts: &Facts, sink: &mut Sink) {
    let program = facts.program;
    let mut launches = facts.replay.in_sight();
    let Some(bound) = launches.find(|bound| bound.block_dim(program) > 1) else {
        return;
    };
    let mut walk = Walk {
        program,
        grows: FxHashMap::default(),
        found: Vec::new(),
    };
    walk.block(&program.body);
    for (stmt, view, elements) in walk.found {
        let bytes = bound.globals[view.global.index()]
            .dtype
            .bytes_of(elements)
            .abs();
        let Some(instr) = stmt.kind.instr().filter(|_| (1..LINE).contains(&bytes)) else {
            continue;
        };
        let message = format!(
            "{} stores a number on each core, {bytes} bytes apart, and a cache line has {LINE}",
            call(facts, instr)
        );
        sink.report_from(stmt.origin, stmt.span, message)
            .help("give each core a line of its own, or store the numbers from UB");
    }
}

/// Finds scalar stores that every lane executes, and how far apart those of two lanes are.
struct Walk<'p> {
    program: &'p Program,
    /// By how much counters of loops grow from one lane to the next, in the same iteration.
    grows: FxHashMap<VariableId, i64>,
    found: Vec<(&'p Stmt, &'p GlobalView, i64)>,
}

impl<'p> Walk<'p> {
    fn block(&mut self, block: &'p [Stmt]) {
        for stmt in block {
            match &stmt.kind {
                StmtKind::Instr(instr) if instr.row().writes_scalar() => {
                    let mut views = instr.operands().filter_map(|(_, _, view)| view.global());
                    if let Some(view) = views.next()
                        && let Some(elements) = self.apart(view)
                    {
                        self.found.push((stmt, view, elements));
                    }
                }
                StmtKind::Loop {
                    variable,
                    start,
                    body,
                    ..
                } => {
                    if let Some(factor) = self.factor(*start) {
                        self.grows.insert(*variable, factor);
                    }
                    self.block(body);
                }
                StmtKind::If { arms, otherwise } => {
                    // Lanes that a condition tells apart need not all get there.
                    if arms.iter().all(|arm| self.factor(arm.condition) == Some(0)) {
                        arms.iter().for_each(|arm| self.block(&arm.body));
                        self.block(otherwise);
                    }
                }
                kind => kind.blocks().for_each(|body| self.block(body)),
            }
        }
    }

    /// Elements from the place of a lane to that of the next one.
    fn apart(&self, view: &GlobalView) -> Option<i64> {
        let (mut all, mut pitch) = (0_i64, Some(1_i64));
        for axis in view.axes.iter().rev() {
            match self.factor(axis.start)? {
                0 => {}
                factor => all = all.checked_add(factor.checked_mul(pitch?)?)?,
            }
            let extent = self.program.size(axis.extent);
            pitch = pitch
                .zip(extent)
                .and_then(|(pitch, extent)| pitch.checked_mul(extent));
        }
        Some(all)
    }

    /// By how much a number grows from one lane to the next; `None` where it is not known to grow evenly.
    fn factor(&self, id: ScalarId) -> Option<i64> {
        match self.program.scalars.get(id) {
            Scalar::Special(SpecialScalar::CubeIdx | SpecialScalar::VecIdx) => Some(1),
            Scalar::Special(SpecialScalar::SubBlockIdx) | Scalar::Unknown(_) => None,
            Scalar::Special(SpecialScalar::CubeNum | SpecialScalar::VecNum)
            | Scalar::Int(_)
            | Scalar::Large(_)
            | Scalar::Float(_)
            | Scalar::Extent(..) => Some(0),
            Scalar::Variable(variable) => {
                let is_parameter = self.program.variable(variable).kind == VariableKind::Param;
                let of_loop = self.grows.get(&variable).copied();
                of_loop.or(is_parameter.then_some(0))
            }
            Scalar::Unary(UnaryOp::Convert, of) => self.factor(of),
            Scalar::Unary(_, of) => self.factor(of).filter(|&it| it == 0),
            Scalar::Binary(op, a, b) => {
                let (left, right) = (self.factor(a)?, self.factor(b)?);
                match op {
                    BinaryOp::Add => left.checked_add(right),
                    BinaryOp::Sub => left.checked_sub(right),
                    BinaryOp::Mul if right == 0 && left != 0 => {
                        left.checked_mul(self.program.size(b)?)
                    }
                    BinaryOp::Mul if left == 0 && right != 0 => {
                        right.checked_mul(self.program.size(a)?)
                    }
                    _ => (left == 0 && right == 0).then_some(0),
                }
            }
            Scalar::Compare(_, a, b) => {
                let is_same = self.factor(a) == Some(0) && self.factor(b) == Some(0);
                is_same.then_some(0)
            }
        }
    }
}

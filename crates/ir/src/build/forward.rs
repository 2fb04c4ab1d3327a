//! Substitutes scalars forward.
//!
//! Tracing stores the result of every scalar operation in a temporary, because the device updates variables
//! in place. Where no operand of a temporary has changed before a use, the use gets the expression itself,
//! and temporaries without a use are removed. Parameters, loop counters and variables that are assigned more
//! than once remain.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::known::Known;
use super::unread::remove_unread;
use crate::{
    Arg, ArgValue, Instr, OriginId, Program, Scalar, ScalarId, Scalars, Stmt, StmtKind, VariableId,
    View, assigned,
};
use a2lint_source::text::Span;

/// The greatest depth of an expression that is substituted. A deeper one keeps its variable: an expression
/// deeper than `MAX_DEPTH` of [`Scalars`] would become unknown.
const MAX_SUBSTITUTED_DEPTH: u16 = 48;
/// The greatest number of nodes of an expression that is substituted, for the same reason.
const MAX_SUBSTITUTED_SIZE: u16 = 192;

/// Substitutes in every statement of a program.
pub(super) fn forward(program: &mut Program) {
    let mut body = std::mem::take(&mut program.body).into_statements();
    let mut pass = Forward {
        known: Known::new(program.variables.len()),
        scalars: &mut program.scalars,
        leaves: FxHashMap::default(),
        computed_at: std::mem::take(&mut program.computed_at),
    };
    pass.block(&mut body);
    program.computed_at = std::mem::take(&mut pass.computed_at);
    for buffer in &mut program.buffers {
        pass.pair(&mut buffer.shape);
    }
    for global in &mut program.globals {
        for extent in &mut global.shape {
            *extent = pass.rewrite(*extent);
        }
    }
    for (variable, value) in remove_unread(program, &mut body) {
        let variable = &mut program.variables[variable.index()];
        // A variable that is assigned several times has no single expression for all of its uses.
        variable.folded = Some(value).filter(|_| variable.assignments == 1);
    }
    program.body = body.into();
}

struct Forward<'a> {
    scalars: &'a mut Scalars,
    known: Known,
    /// The variables that each expression mentions.
    leaves: FxHashMap<ScalarId, Rc<[VariableId]>>,
    /// The place, or the first statement, that computes each result which may have no value (division by zero, a shift
    /// that is too wide).
    computed_at: FxHashMap<ScalarId, (OriginId, Span)>,
}

impl Forward<'_> {
    fn block(&mut self, block: &mut [Stmt]) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Assign { variable, value } => {
                *value = self.rewrite(*value);
                if let Scalar::Binary(op, ..) = self.scalars.get(*value)
                    && op.may_have_no_result()
                {
                    let place = (stmt.origin, stmt.span);
                    self.computed_at.entry(*value).or_insert(place);
                }
                let (variable, value) = (*variable, *value);
                self.known.changed(variable);
                let of = self.scalars.variable_type(variable);
                // The variable stores the value in its own type, so the uses get the converted value.
                let value = self.scalars.convert(of, value);
                let leaves = self.leaves(value);
                let shallow = self.scalars.depth(value) <= MAX_SUBSTITUTED_DEPTH
                    && self.scalars.size(value) <= MAX_SUBSTITUTED_SIZE;
                // `x = x + 1` mentions the old value of `x`, which no later use can read.
                if shallow && !leaves.contains(&variable) {
                    self.known.holds(variable, value, leaves);
                }
            }
            StmtKind::Instr(instr) => self.instr(instr),
            StmtKind::Havoc(views) => {
                for view in views {
                    self.view(view);
                }
            }
            StmtKind::Loop {
                variable,
                start,
                stop,
                step,
                body,
            } => {
                for bound in [start, stop, step] {
                    *bound = self.rewrite(*bound);
                }
                let variable = *variable;
                self.repeated(body, Some(variable));
            }
            StmtKind::UnknownLoop { body } => self.repeated(body, None),
            StmtKind::If { arms, otherwise } => {
                for arm in arms.iter_mut() {
                    arm.condition = self.rewrite(arm.condition);
                }
                // Each arm starts from the state before the branch. Afterwards the variables that any arm
                // assigns are unknown, whichever arm runs.
                let before = self.known.mark();
                let mut written = FxHashSet::default();
                for body in arms.iter_mut().map(|arm| &mut arm.body).chain([otherwise]) {
                    self.block(body);
                    self.known.back_to(before);
                    written.extend(assigned(body));
                }
                for variable in written {
                    self.known.changed(variable);
                }
            }
            StmtKind::AutoSync { body, .. }
            | StmtKind::Scope { body, .. }
            | StmtKind::Atomic { body, .. } => self.block(body),
            StmtKind::Break | StmtKind::Continue | StmtKind::Opaque => {}
        }
    }

    /// Substitutes in a loop body. The variables that it assigns are not known at its start, nor after the
    /// loop.
    fn repeated(&mut self, body: &mut [Stmt], counter: Option<VariableId>) {
        let mut written = FxHashSet::default();
        written.extend(assigned(body));
        written.extend(counter);
        // A later iteration reads what an earlier one has assigned, so these are unknown from the start of
        // the body on.
        for variable in written {
            self.known.changed(variable);
        }
        // The body may run zero times: values that are found in it do not hold after it.
        let before = self.known.mark();
        self.block(body);
        self.known.back_to(before);
    }

    fn leaves(&mut self, id: ScalarId) -> Rc<[VariableId]> {
        if let Some(leaves) = self.leaves.get(&id) {
            return leaves.clone();
        }
        let mut leaves: SmallVec<[VariableId; 8]> = SmallVec::new();
        match self.scalars.get(id) {
            Scalar::Variable(variable) => leaves.push(variable),
            Scalar::Unary(_, a) => leaves.extend_from_slice(&self.leaves(a)),
            Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => {
                leaves.extend_from_slice(&self.leaves(a));
                leaves.extend_from_slice(&self.leaves(b));
            }
            _ => {}
        }
        leaves.sort_unstable();
        leaves.dedup();
        let leaves: Rc<[VariableId]> = leaves.as_slice().into();
        self.leaves.insert(id, leaves.clone());
        leaves
    }

    fn rewrite(&mut self, id: ScalarId) -> ScalarId {
        let of = self.scalars.operation_type(id);
        match self.scalars.get(id) {
            // Known values have been rewritten at their assignment already.
            Scalar::Variable(variable) => self.known.get(variable).unwrap_or(id),
            Scalar::Unary(op, a) => {
                let a = self.rewrite(a);
                self.scalars.unary_as(of, op, a)
            }
            Scalar::Binary(op, a, b) => {
                let (a, b) = (self.rewrite(a), self.rewrite(b));
                let new = self.scalars.binary_as(of, op, a, b);
                if new != id
                    && let Some(&place) = self.computed_at.get(&id)
                {
                    self.computed_at.entry(new).or_insert(place);
                }
                new
            }
            Scalar::Compare(op, a, b) => {
                let (a, b) = (self.rewrite(a), self.rewrite(b));
                self.scalars.compare_as(of, op, a, b)
            }
            _ => id,
        }
    }

    fn pair(&mut self, pair: &mut [ScalarId; 2]) {
        for id in pair {
            *id = self.rewrite(*id);
        }
    }

    fn view_scalars(
        &mut self,
        slot: &mut ScalarId,
        shape: &mut [ScalarId; 2],
        offset: &mut [ScalarId; 2],
    ) {
        *slot = self.rewrite(*slot);
        self.pair(shape);
        self.pair(offset);
    }

    fn instr(&mut self, instr: &mut Instr) {
        for Arg { value, .. } in &mut instr.args {
            match value {
                ArgValue::Scalar(id) => *id = self.rewrite(*id),
                ArgValue::View(view) => self.view(view),
                _ => {}
            }
        }
        if let Some(variable) = instr.reads_into() {
            self.known.changed(variable);
        }
    }

    fn view(&mut self, view: &mut View) {
        match view {
            View::Local(view) => {
                self.view_scalars(&mut view.slot, &mut view.shape, &mut view.offset);
                self.pair(&mut view.span);
            }
            View::Global(view) => {
                for axis in &mut view.axes {
                    axis.extent = self.rewrite(axis.extent);
                    axis.start = self.rewrite(axis.start);
                    axis.span = self.rewrite(axis.span);
                }
            }
        }
    }
}

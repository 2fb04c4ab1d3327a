use rustc_hash::FxHashSet;

use crate::declare_rule;
use crate::wording::{call, view_text};
use crate::{Facts, Sink};
use a2lint_analysis::{PathState, follow};
use a2lint_ir::{
    BufferId, CompareOp, Instr, LocalView, Program, Scalar, ScalarId, Stmt, StmtId, StmtKind,
    VariableId, trip_count,
};
use a2lint_isa::{Class, DST};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports a product that starts anew in an accumulator whose last product nothing has read.
    ///
    /// ## Why is this bad?
    /// With `is_init=True` the sum starts at zero: what the product before has computed is lost. In a
    /// loop over parts of k, only the last part is left.
    ///
    /// ## Example
    /// ```python
    /// for k in range(0, K, 128):
    ///     a <<= x[m0:m0 + 128, k:k + 128]
    ///     b <<= w[0:128, k:k + 128]
    ///     matmul(l0c, a, b)                      # is_init is True unless it is given
    /// y[m0:m0 + 128, 0:128] <<= l0c
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// matmul(l0c, a, b, is_init=(k == 0))
    /// ```
    ///
    /// ## Source
    /// The meaning of `is_init`; a lint of this project.
    "INI012" "discarded-product" Warning, basis = Shape, evidence = Inferred, property = None
}

/// An accumulator, or a part of it, with the extents of the product in it.
#[derive(Clone, Debug, PartialEq)]
struct Place {
    buffer: BufferId,
    /// Slot, offset, span and extents of the product.
    scalars: Vec<Option<ScalarId>>,
}

/// Products that nothing has read yet on any path, with their places.
#[derive(Clone, Debug, Default, PartialEq)]
struct Unread(Vec<(Place, Span)>);

impl PathState for Unread {
    fn join(&mut self, other: &Self) {
        // Each arm of a branch may have a product of its own in the same place.
        let is_held = |place: &Place| other.0.iter().any(|(held, _)| held == place);
        self.0.retain(|(place, _)| is_held(place));
    }
}

impl Unread {
    /// Removes places that depend on a variable, because an assignment changes them, and those that are not known,
    /// because it may change them.
    fn assign(&mut self, program: &Program, variable: VariableId) {
        let scalars = &program.scalars;
        let changes = |id: &ScalarId| scalars.mentions(*id, variable) || scalars.has_unknown(*id);
        self.0
            .retain(|(place, _)| !place.scalars.iter().flatten().any(changes));
    }
}

fn check(facts: &Facts, sink: &mut Sink) {
    let program = facts.program;
    if program.hides_instructions() {
        return;
    }
    let mut found: Vec<(&Stmt, Span)> = Vec::new();
    walk(program, &program.body, Unread::default(), &mut found);
    program.walk(&mut |stmt| {
        let StmtKind::Loop {
            variable,
            start,
            stop,
            step,
            body,
        } = &stmt.kind
        else {
            return;
        };
        // A loop that runs at most once has no second iteration to discard anything.
        let known = [start, stop, step].map(|&id| program.size(id));
        if let [Some(start), Some(stop), Some(step)] = known
            && matches!(trip_count(start, stop, step), Some(0 | 1))
        {
            return;
        }
        // The state at the end of an iteration is the state at the start of the next one.
        if let Some(mut left) = walk(program, body, Unread::default(), &mut Vec::new()) {
            left.assign(program, *variable);
            let first = only_first(program, body, *variable, *start);
            let mut later = Vec::new();
            walk(program, body, left, &mut later);
            found.extend(
                later
                    .into_iter()
                    .filter(|(stmt, _)| !first.contains(&stmt.id)),
            );
        }
    });
    found.sort_by_key(|(stmt, _)| stmt.id);
    found.dedup_by_key(|(stmt, _)| stmt.id);
    for (stmt, before) in found {
        let StmtKind::Instr(instr) = &stmt.kind else {
            continue;
        };
        let Some(dst) = instr.local(DST) else {
            continue;
        };
        let (name, sum) = (call(facts, instr), view_text(facts, dst));
        let line = facts.source.line_column(before.start).line;
        let message = match before == stmt.span {
            true => format!(
                "{name} overwrites the product of the previous iteration in `{sum}`, which nothing has read: only the \
                 last one is left"
            ),
            false => format!(
                "{name} overwrites the product of line {line} in `{sum}`, which nothing has read"
            ),
        };
        let report = sink
            .report_from(stmt.origin, stmt.span, message)
            .help("add to it with `is_init=False`, on the first step of a loop `is_init=(k == 0)`; or read it first")
            .in_cpp(
                "add to it with `cmatrixInitVal = false`, on the first step of a loop `cmatrixInitVal = (k == 0)`; or \
                 read it first",
            );
        if before != stmt.span {
            report.label(before, "the product that is lost");
        }
    }
}

/// Returns the statements of a loop that only its first iteration runs: those in arms of `if k == 0`.
fn only_first(
    program: &Program,
    body: &[Stmt],
    variable: VariableId,
    start: ScalarId,
) -> FxHashSet<StmtId> {
    let is_counter = |id| program.scalars.get(id) == Scalar::Variable(variable);
    let is_first = |id| match program.scalars.get(id) {
        Scalar::Compare(CompareOp::Eq, a, b) => {
            (is_counter(a) && b == start) || (is_counter(b) && a == start)
        }
        _ => false,
    };
    let mut found = FxHashSet::default();
    let mut visit = |stmt: &Stmt| {
        let StmtKind::If { arms, .. } = &stmt.kind else {
            return;
        };
        let first = arms.iter().filter(|arm| is_first(arm.condition));
        let inside = first.flat_map(|arm| &arm.body);
        inside.for_each(|stmt| {
            stmt.walk(&mut |stmt| {
                found.insert(stmt.id);
            });
        });
    };
    body.iter().for_each(|stmt| stmt.walk(&mut visit));
    found
}

/// Follows a block and returns the products that are unread at its end.
fn walk<'p>(
    program: &'p Program,
    block: &'p [Stmt],
    start: Unread,
    found: &mut Vec<(&'p Stmt, Span)>,
) -> Option<Unread> {
    follow(
        block,
        start,
        &mut |stmt, state: &mut Unread| match &stmt.kind {
            StmtKind::Instr(instr) if instr.row().class == Class::Matmul => {
                forget_read(state, instr);
                let Some(place) = started(program, instr) else {
                    return;
                };
                if let Some((_, before)) = state.0.iter().find(|(held, _)| *held == place) {
                    found.push((stmt, *before));
                }
                state.0.retain(|(held, _)| *held != place);
                state.0.push((place, stmt.span));
            }
            StmtKind::Instr(instr) => forget_read(state, instr),
            StmtKind::Assign { variable, .. } => state.assign(program, *variable),
            StmtKind::Opaque | StmtKind::Havoc(_) => state.0.clear(),
            _ => {}
        },
    )
}

/// Removes the buffers that an instruction reads. Accumulating onto a product does not count as a read.
fn forget_read(state: &mut Unread, instr: &Instr) {
    let is_product = instr.row().class == Class::Matmul;
    for (at, operand, view) in instr.operands() {
        let reads = operand.access.reads() && !(is_product && at == DST);
        if let Some(view) = view.local().filter(|_| reads) {
            state.0.retain(|(place, _)| place.buffer != view.buffer);
        }
    }
}

/// Returns where a product starts a sum.
fn started(program: &Program, instr: &Instr) -> Option<Place> {
    let starts = instr.flag_named(program, "is_init") == Some(true);
    let dst = instr.local(DST).filter(|_| starts)?;
    let extents = ["m", "n", "M", "N"].map(|name| instr.scalar_named(name));
    Some(Place {
        buffer: dst.buffer,
        scalars: place(dst).into_iter().map(Some).chain(extents).collect(),
    })
}

fn place(view: &LocalView) -> Vec<ScalarId> {
    [view.slot]
        .into_iter()
        .chain(view.offset)
        .chain(view.span)
        .collect()
}

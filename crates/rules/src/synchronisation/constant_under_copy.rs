use rustc_hash::{FxHashMap, FxHashSet};

use crate::declare_rule;
use crate::wording::view_text;
use crate::{Facts, Sink};
use a2lint_analysis::{Followed, Follower, PathState, SlotKey, follow_with, slot_key};
use a2lint_ir::{BufferId, Instr, LocalView, Program, Stmt, StmtId, StmtKind};
use a2lint_isa::{Class, DST, Pipe, Position, Role};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports a load into a tile of L1 that was filled with a constant just before, where a barrier of MTE2
    /// alone stands between the two.
    ///
    /// ## Why is this bad?
    /// On a board, 3 of 4 runs of this form had the constant where the load should have been. The model takes the
    /// barrier to order them, so that no race is reported.
    ///
    /// ## Example
    /// ```python
    /// set_constant_to_l1(rows, 0.0)
    /// bar_mte2()
    /// rows[0:48, 0:64] <<= a[0:48, 0:64]
    /// ```
    ///
    /// ## Use instead
    /// Fill another tile, or load whole tiles and leave out the rows beyond the end by `m=`:
    /// ```python
    /// rows[0:48, 0:64] <<= a[0:48, 0:64]
    /// matmul(product, rows, weights, m=48)
    /// ```
    ///
    /// ## Source
    /// Measured on a board: public list of defects of Ascriptor, 4 of 7 runs wrong without the barrier and 3 of 4
    /// with it. It is a warning: one source, few runs, and no form that is known to be right each time.
    "SYN021" "constant-under-copy" Warning, basis = Assumption, evidence = Measured
}

/// A fill of a tile that neither an access nor synchronisation has followed, except for a barrier of MTE2.
#[derive(Clone, Debug, PartialEq)]
struct Fill {
    view: LocalView,
    stmt: StmtId,
    span: Span,
    /// Whether a barrier of MTE2 has followed it. Without one, the pair is a race and reported as such.
    is_barred: bool,
}

/// The latest fill of each slot on all paths.
#[derive(Clone, Debug, Default, PartialEq)]
struct Fills(FxHashMap<(BufferId, SlotKey), Fill>);

impl PathState for Fills {
    fn join(&mut self, other: &Self) {
        self.0.retain(|tile, fill| other.0.get(tile) == Some(fill));
    }
}

struct Walk<'p> {
    program: &'p Program,
    found: Vec<(&'p Stmt, &'p LocalView, Fill)>,
    seen: FxHashSet<StmtId>,
}

impl<'p> Follower<'p, Fills> for Walk<'p> {
    fn step(&mut self, stmt: &'p Stmt, state: &mut Fills) {
        match &stmt.kind {
            StmtKind::Instr(instr) => self.instruction(stmt, instr, state),
            StmtKind::Assign { .. } | StmtKind::Opaque | StmtKind::Havoc(_) => state.0.clear(),
            _ => {}
        }
    }

    fn again(&mut self, _stmt: &'p Stmt, state: &mut Fills) {
        state.0.clear();
    }
}

impl<'p> Walk<'p> {
    fn instruction(&mut self, stmt: &'p Stmt, instr: &'p Instr, state: &mut Fills) {
        match instr.row().class {
            Class::Barrier if instr.pipe() == Some(Pipe::Mte2) => {
                state.0.values_mut().for_each(|fill| fill.is_barred = true);
            }
            // It was not measured whether these barriers order the fill and the load on a board.
            Class::Barrier if instr.pipe() == Some(Pipe::All) => state.0.clear(),
            Class::Event | Class::CrossFlag | Class::Mutex => state.0.clear(),
            Class::Move if instr.row().role == Role::Fills => {
                let Some(view) = self.in_l1(instr) else {
                    return;
                };
                let fill = Fill {
                    view: view.clone(),
                    stmt: stmt.id,
                    span: stmt.span,
                    is_barred: false,
                };
                state.0.insert(self.tile(view), fill);
            }
            Class::Move if instr.pipe() == Some(Pipe::Mte2) => self.load(stmt, instr, state),
            // An instruction in between that uses the tile has already waited for the fill.
            _ => {
                for (_, _, view) in instr.operands() {
                    if let Some(view) = view.local() {
                        state.0.remove(&self.tile(view));
                    }
                }
            }
        }
    }

    fn load(&mut self, stmt: &'p Stmt, instr: &'p Instr, state: &mut Fills) {
        let Some(view) = self.in_l1(instr) else {
            return;
        };
        let Some(fill) = state.0.remove(&self.tile(view)) else {
            return;
        };
        if fill.is_barred && meet(self.program, &fill.view, view) && self.seen.insert(stmt.id) {
            self.found.push((stmt, view, fill));
        }
    }

    fn in_l1(&self, instr: &'p Instr) -> Option<&'p LocalView> {
        let view = instr.local(DST)?;
        (self.program.buffer(view.buffer).position == Position::L1).then_some(view)
    }

    fn tile(&self, view: &LocalView) -> (BufferId, SlotKey) {
        (view.buffer, slot_key(self.program, view))
    }
}

/// Returns whether two views of a slot are known to share an element.
fn meet(program: &Program, one: &LocalView, other: &LocalView) -> bool {
    (0..2).all(|axis| {
        let range = |view: &LocalView| {
            let start = program.size(view.offset[axis])?;
            Some((start, start + program.size(view.span[axis])?))
        };
        match (range(one), range(other)) {
            (Some((a, b)), Some((c, d))) => a < d && c < b,
            _ => false,
        }
    })
}

fn check(facts: &Facts, sink: &mut Sink) {
    let mut walk = Walk {
        program: facts.program,
        found: Vec::new(),
        seen: FxHashSet::default(),
    };
    let end = follow_with(&facts.program.body, Fills::default(), &mut walk);
    if !matches!(end, Followed::End(_)) {
        return;
    }
    for (stmt, view, fill) in walk.found {
        let message = format!(
            "`{}` is loaded after it was filled, with a barrier of MTE2 alone between: 3 of 4 runs on a board had \
             the constant in its place",
            view_text(facts, view)
        );
        sink.report_from(stmt.origin, stmt.span, message)
            .label(fill.span, "filled here")
            .help("fill another tile, or leave the rows beyond the end out of the product (`m=`)");
    }
}

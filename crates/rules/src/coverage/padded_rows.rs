use rustc_hash::{FxHashMap, FxHashSet};

use crate::declare_rule;
use crate::wording::{call, view_text};
use crate::{Facts, Sink};
use a2lint_analysis::{Followed, Follower, PathState, SlotKey, follow_with, slot_key};
use a2lint_ir::{BufferId, Instr, LocalView, Program, Stmt, StmtId, StmtKind};
use a2lint_isa::{BLOCK_BYTES, Class, DST, ParamKind, Place};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports an instruction or a store that takes as many elements side by side as a load has moved in rows
    /// that are no whole blocks.
    ///
    /// ## Why is this bad?
    /// Each row of a padded load starts on a block of 32 bytes. Elements side by side are the first rows and
    /// their padding; the last rows are left out.
    ///
    /// ## Example
    /// ```cpp
    /// DataCopyPad(rows, xGm, {16, 16, 0, 0, 0}, pad);   // 16 rows of 4 floats, on 16 blocks
    /// Muls(rows, rows, 2.0f, 64);                       // 8 rows and their padding
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// Muls(rows, rows, 2.0f, 128);
    /// ```
    ///
    /// ## Source
    /// Stated: AscendC manual on `DataCopyPad`; measured on a board: TileLang-Ascend, issue 1304. It is a warning,
    /// since the number of elements alone says that rows were taken for dense ones.
    "COV016" "padded-rows" Warning, basis = Shape, evidence = Measured
}

/// A load of several rows whose length is not a multiple of a block.
#[derive(Clone, Debug, PartialEq)]
struct Rows {
    offset: [a2lint_ir::ScalarId; 2],
    count: i64,
    length: i64,
    span: Span,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Loaded(FxHashMap<(BufferId, SlotKey), Rows>);

impl PathState for Loaded {
    fn join(&mut self, other: &Self) {
        self.0.retain(|tile, rows| other.0.get(tile) == Some(rows));
    }
}

struct Walk<'p> {
    program: &'p Program,
    found: Vec<(&'p Stmt, &'p Instr, &'p LocalView, Rows)>,
    seen: FxHashSet<StmtId>,
}

impl<'p> Follower<'p, Loaded> for Walk<'p> {
    fn step(&mut self, stmt: &'p Stmt, state: &mut Loaded) {
        match &stmt.kind {
            StmtKind::Instr(instr) => self.instruction(stmt, instr, state),
            StmtKind::Opaque | StmtKind::Havoc(_) => state.0.clear(),
            _ => {}
        }
    }
}

impl<'p> Walk<'p> {
    fn instruction(&mut self, stmt: &'p Stmt, instr: &'p Instr, state: &mut Loaded) {
        for (_, operand, view) in instr.operands() {
            let Some(view) = view.local() else { continue };
            let tile = (view.buffer, slot_key(self.program, view));
            if !operand.access.reads() {
                continue;
            }
            if let Some(rows) = state.0.get(&tile)
                && rows.offset == view.offset
                && self.side_by_side(instr) == Some(rows.count * rows.length)
                && self.seen.insert(stmt.id)
            {
                self.found.push((stmt, instr, view, rows.clone()));
            }
        }
        // Scratch space and second results overwrite rows as well.
        for (_, operand, view) in instr.operands() {
            if let Some(view) = view.local().filter(|_| operand.access.writes()) {
                let tile = (view.buffer, slot_key(self.program, view));
                state.0.remove(&tile);
            }
        }
        let Some(dst) = instr.local(DST) else { return };
        if let Some(rows) = self.rows(instr, dst, stmt) {
            let tile = (dst.buffer, slot_key(self.program, dst));
            state.0.insert(tile, rows);
        }
    }

    /// Returns the rows of a load if there are several and their length is not a multiple of a block.
    fn rows(&self, instr: &Instr, dst: &LocalView, stmt: &Stmt) -> Option<Rows> {
        if !instr.row().moves(Place::Gm, Place::UB) {
            return None;
        }
        let number = |name| self.program.size(instr.scalar_named(name)?);
        let (count, length) = (number("n_burst")?, number("burst_len_element")?);
        let is_ragged = dst.dtype.bytes_of(length) % BLOCK_BYTES != 0;
        (count > 1 && is_ragged).then_some(Rows {
            offset: dst.offset,
            count,
            length,
            span: stmt.span,
        })
    }

    /// Returns the number of contiguous elements that an instruction accesses: its count, or the row length of a store
    /// of a single row.
    fn side_by_side(&self, instr: &Instr) -> Option<i64> {
        if instr.row().moves(Place::UB, Place::Gm) {
            let number = |name| self.program.size(instr.scalar_named(name)?);
            return (number("n_burst")? == 1)
                .then(|| number("burst_len_element"))
                .flatten();
        }
        match instr.row().class {
            Class::Move => None,
            _ => self.program.size(instr.scalar(ParamKind::Count)?),
        }
    }
}

fn check(facts: &Facts, sink: &mut Sink) {
    let mut walk = Walk {
        program: facts.program,
        found: Vec::new(),
        seen: FxHashSet::default(),
    };
    let end = follow_with(&facts.program.body, Loaded::default(), &mut walk);
    if !matches!(end, Followed::End(_)) {
        return;
    }
    for (stmt, instr, view, rows) in walk.found {
        let lanes = BLOCK_BYTES / view.dtype.bytes_of(1).max(1);
        let pitch = (rows.length + lanes - 1) / lanes * lanes;
        let message = format!(
            "{} takes {} elements of `{}` side by side; each of its {} rows of {} starts on a block, so that they \
             take {} elements",
            call(facts, instr),
            rows.count * rows.length,
            view_text(facts, view),
            rows.count,
            rows.length,
            rows.count * pitch
        );
        sink.report_from(stmt.origin, stmt.span, message)
            .label(rows.span, "loaded here, row by row")
            .advice(format!(
                "work on {} elements, padding included",
                rows.count * pitch
            ));
    }
}

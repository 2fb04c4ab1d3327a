//! Buffers that are given memory on some paths of the program alone.
//!
//! `if (tiling.isCast) { pipe.InitBuffer(castBuf, bytes); }` leaves `castBuf` without memory on the other path, where no
//! sound kernel uses it. The evaluator forgets what differs between paths; the buffer is the one that was given.

use std::cell::RefCell;
use std::collections::BTreeMap;

use a2lint_cpp::eval::{CellId, Eval};
use a2lint_ir::BufferId;
use a2lint_isa::Position;
use a2lint_source::text::Span;

/// For each object, the places that gave it memory, and which.
#[derive(Debug, Default)]
pub struct Given {
    buffers: RefCell<BTreeMap<(CellId, Span), (Position, BufferId)>>,
}

impl Given {
    /// Records that a place gives an object a buffer.
    pub fn record(&self, cell: CellId, span: Span, position: Position, buffer: BufferId) {
        let mut buffers = self.buffers.borrow_mut();
        buffers.insert((cell, span), (position, buffer));
    }

    /// Returns the buffer of an object that one place alone has given memory.
    pub fn only(&self, eval: &Eval<'_>, cell: CellId) -> Option<(Position, BufferId)> {
        let buffers = self.buffers.borrow();
        let mut found = buffers.iter().filter(|((of, _), _)| *of == cell);
        let ((_, span), (position, buffer)) = found.next()?;
        let program = &eval.builder.program;
        let is_there = program
            .buffers
            .get(buffer.index())
            .is_some_and(|it| it.span == *span && it.position == *position);
        (found.next().is_none() && is_there).then_some((*position, *buffer))
    }
}

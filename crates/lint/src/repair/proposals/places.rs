//! Places for calls of events and mutexes: before the first access that they protect, or after the last one.

use crate::repair::scene::{Scene, Within};
use a2lint_ir::finding::Edit;
use a2lint_ir::sync::{pipe_of, producer, side_of};
use a2lint_ir::{GlobalId, Instr, Program, Stmt};
use a2lint_isa::{Pipe, Side};
use a2lint_source::text::Span;

/// The role of a call: which accesses it concerns, and whether it precedes or follows them.
pub(super) struct Role {
    /// The pipe that the call waits for or that signals it.
    pipe: Pipe,
    /// The side whose accesses to tensors of both sides the call concerns; `None` for an event, which concerns one
    /// side only.
    side: Option<Side>,
    /// Whether the call belongs before the first access rather than after the last.
    opens: bool,
}

impl Role {
    /// Returns the role of a method of the token that `call` uses.
    pub fn of(scene: &Scene, call: Span, method: &str) -> Option<Role> {
        let program = scene.program()?;
        let (_, instr) = scene.instr(call)?;
        let opens = matches!(method, "lock" | "wait");
        if let Some(id) = instr.mutex() {
            let mutex = program.mutex(id);
            let own = producer(mutex);
            let hands_over = matches!(method, "lock" | "ready");
            let (pipe, side) = match (hands_over, own) {
                (true, _) => (mutex.src_end, own),
                (false, Side::Cube) => (mutex.dst_end, Side::Vec),
                (false, _) => (mutex.dst_end, Side::Cube),
            };
            let side = Some(side);
            return Some(Role { pipe, side, opens });
        }
        let event = program.event(instr.event()?);
        let pipe = if opens { event.dst } else { event.src };
        Some(Role {
            pipe: pipe?,
            side: None,
            opens,
        })
    }

    /// Returns whether an instruction is one of the accesses.
    fn covers(&self, program: &Program, shared: &[GlobalId], instr: &Instr) -> bool {
        if instr.row().signal().is_some() || pipe_of(program, instr) != self.pipe {
            return false;
        }
        let is_shared = |id: GlobalId| shared.contains(&id);
        self.side
            .is_none_or(|side| side_of(program, instr) == side && globals(instr).any(is_shared))
    }

    /// Returns the global tensors that the other side accesses as well.
    fn shared(&self, program: &Program) -> Vec<GlobalId> {
        let Some(own) = self.side else {
            return Vec::new();
        };
        let instructions = program.instructions().into_iter();
        let others = instructions.filter(|(_, instr)| side_of(program, instr) != own);
        others.flat_map(|(_, instr)| globals(instr)).collect()
    }
}

fn globals(instr: &Instr) -> impl Iterator<Item = GlobalId> + '_ {
    let views = instr.operands().filter_map(|(.., view)| view.global());
    views.map(|view| view.global)
}

/// A place for a call: before or after a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    statement: Span,
    is_after: bool,
}

impl Place {
    /// Inserts lines at the place.
    pub fn insert(self, scene: &Scene, lines: &[String]) -> Option<Edit> {
        match self.is_after {
            true => scene.below(self.statement, lines),
            false => scene.above(self.statement, lines),
        }
    }
}

/// Returns the places for a call with a role, near its partner call: in the partner's block, then in enclosing
/// blocks. Accesses beyond a repetition of the partner, which `is_partner` recognises, belong to another handover.
pub(super) fn places(
    scene: &Scene,
    partner: Span,
    role: &Role,
    is_partner: &dyn Fn(Span) -> bool,
) -> Vec<Place> {
    let Some(program) = scene.program() else {
        return Vec::new();
    };
    let shared = role.shared(program);
    let instructions = program.instructions().into_iter();
    let accesses: Vec<&Stmt> = instructions
        .filter(|(_, instr)| role.covers(program, &shared, instr))
        .map(|(stmt, _)| stmt)
        .collect();
    let is_within = |outer: Span, inner: Span| outer.to(inner) == outer;
    let touches = |code: Span| {
        accesses.iter().any(|stmt| {
            let calls = program.call_chain(stmt.origin).into_iter();
            calls.chain([stmt.span]).any(|span| is_within(code, span))
        })
    };
    let mut found: Vec<Place> = Vec::new();
    for Within { block, at, .. } in scene.in_function(partner.start).into_iter().rev() {
        let ends = |other: &usize| *other != at && is_partner(block[*other].span);
        let next = (at + 1..block.len()).find(ends).unwrap_or(block.len());
        let previous = (0..at).rev().find(ends).map_or(0, |other| other + 1);
        let mut after = (at + 1..next).filter(|&other| touches(block[other].span));
        let mut before = (previous..at).filter(|&other| touches(block[other].span));
        let picked = match role.opens {
            true => [before.next(), after.next()],
            false => [after.next_back(), before.next_back()],
        };
        for other in picked.into_iter().flatten() {
            let place = Place {
                statement: block[other].span,
                is_after: !role.opens,
            };
            if !found.contains(&place) {
                found.push(place);
            }
        }
    }
    found
}

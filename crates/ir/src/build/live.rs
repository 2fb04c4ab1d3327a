//! Drops the scalars that no part of a program refers to.
//!
//! Rolled-back evaluations and substituted expressions leave dead scalars in the arena: in C++ kernels, up to ten times
//! as many as the program uses. Replays keep a table indexed by scalar for each lane, and analyses walk over the whole
//! arena, so a dead scalar costs as much as a live one.

use crate::scalar::DROPPED;
use crate::{
    Arg, ArgValue, Branch, Buffer, Global, GlobalAxis, GlobalView, Instr, LocalView, NamedValue,
    Note, NoteKind, Program, ScalarId, Stmt, StmtKind, Variable, View,
};

/// Drops dead scalars and renumbers the live ones, which keep their order.
pub(super) fn keep_live(program: &mut Program) {
    let mut is_live = vec![false; program.scalars.len()];
    visit_scalars(program, &mut |id| is_live[id.0 as usize] = true);
    let numbers = program.scalars.keep(is_live);
    visit_scalars(program, &mut |id| *id = numbers[id.0 as usize]);
    let places = std::mem::take(&mut program.computed_at).into_iter();
    // `computed_at` only records where a scalar is computed: an entry does not keep its scalar alive.
    let live = places.filter(|(id, _)| numbers[id.0 as usize] != DROPPED);
    program.computed_at = live
        .map(|(id, place)| (numbers[id.0 as usize], place))
        .collect();
    // Neither does a name: what is computed from it does.
    program.named.retain_mut(|named| match &mut named.value {
        NamedValue::Scalar(id) => {
            *id = numbers[id.0 as usize];
            *id != DROPPED
        }
        NamedValue::Known(_) => true,
    });
}

/// Visits every reference to a scalar except the keys of `computed_at` and what names stood for. The pattern names
/// every field of [`Program`], so that a new field does not compile until it is handled here.
fn visit_scalars(program: &mut Program, visit: &mut dyn FnMut(&mut ScalarId)) {
    let Program {
        name: _,
        name_span: _,
        span: _,
        built_for: _,
        dialect: _,
        toolchain: _,
        device: _,
        vec_only: _,
        cube_only: _,
        starts_in_parts: _,
        block_dim: _,
        block_dim_scalar,
        implicit: _,
        computed_at: _,
        extent_names: _,
        contract: _,
        demands: _,
        params: _,
        outputs: _,
        workspaces: _,
        tables: _,
        scalars: _,
        variables,
        constants: _,
        named: _,
        buffers,
        globals,
        events: _,
        mutexes: _,
        origins: _,
        body,
        stmt_count: _,
        notes,
        unknown: _,
        dropped: _,
        demanded: _,
        rewinds_memory: _,
        pooled_flags: _,
        fresh_pools: _,
        polled_meetings: _,
        tiling_fields: _,
    } = program;
    block_dim_scalar.iter_mut().for_each(&mut *visit);
    for Variable { folded, .. } in variables {
        folded.iter_mut().for_each(&mut *visit);
    }
    for Buffer { shape, .. } in buffers {
        shape.iter_mut().for_each(&mut *visit);
    }
    for Global { shape, .. } in globals {
        shape.iter_mut().for_each(&mut *visit);
    }
    for Note { kind, .. } in notes {
        observed(kind, visit);
    }
    block(body.change(), visit);
}

/// Visits the scalars of an observation. Every kind is named, so that a new one does not compile until it is handled
/// here.
fn observed(kind: &mut NoteKind, visit: &mut dyn FnMut(&mut ScalarId)) {
    match kind {
        NoteKind::IllegalMove { views, .. } => views.iter_mut().for_each(|it| view(it, visit)),
        NoteKind::Reinterpret { view, .. } => local(view, visit),
        NoteKind::SyntaxError { .. }
        | NoteKind::UnknownName { .. }
        | NoteKind::NoCubes
        | NoteKind::SqrtOfInteger { .. }
        | NoteKind::SqrtOfParameters { .. }
        | NoteKind::UnreadableLaunch { .. }
        | NoteKind::UnusableLaunch { .. }
        | NoteKind::UnusableContract { .. }
        | NoteKind::AtomicLeftOn
        | NoteKind::ReadAfterWritten(_)
        | NoteKind::AtomicType { .. }
        | NoteKind::MaskInherited
        | NoteKind::WithoutPipe
        | NoteKind::SecondPipe { .. }
        | NoteKind::Lanes(_)
        | NoteKind::Queue { .. }
        | NoteKind::Unprepared { .. }
        | NoteKind::GatherMask(_)
        | NoteKind::Python(_) => {}
    }
}

fn block(block: &mut [Stmt], visit: &mut dyn FnMut(&mut ScalarId)) {
    for stmt in block {
        statement(&mut stmt.kind, visit);
    }
}

fn statement(kind: &mut StmtKind, visit: &mut dyn FnMut(&mut ScalarId)) {
    match kind {
        StmtKind::Instr(Instr { args, asked, .. }) => {
            asked.iter_mut().for_each(&mut *visit);
            for Arg { value, .. } in args {
                argument(value, visit);
            }
        }
        StmtKind::Assign { variable: _, value } => visit(value),
        StmtKind::Loop {
            variable: _,
            start,
            stop,
            step,
            body,
        } => {
            [start, stop, step].into_iter().for_each(&mut *visit);
            block(body, visit);
        }
        StmtKind::If { arms, otherwise } => {
            for Branch {
                condition, body, ..
            } in arms
            {
                visit(condition);
                block(body, visit);
            }
            block(otherwise, visit);
        }
        StmtKind::UnknownLoop { body }
        | StmtKind::AutoSync { body }
        | StmtKind::Scope { side: _, body }
        | StmtKind::Atomic { kind: _, body } => block(body, visit),
        StmtKind::Havoc(views) => views.iter_mut().for_each(|it| view(it, visit)),
        StmtKind::Break | StmtKind::Continue | StmtKind::Opaque => {}
    }
}

fn argument(value: &mut ArgValue, visit: &mut dyn FnMut(&mut ScalarId)) {
    match value {
        ArgValue::View(it) => view(it, visit),
        ArgValue::Scalar(id) => visit(id),
        ArgValue::None
        | ArgValue::Bool(_)
        | ArgValue::Round(_)
        | ArgValue::Compare(_)
        | ArgValue::Select(_)
        | ArgValue::Pipe(_)
        | ArgValue::Event(_)
        | ArgValue::Mutex(_)
        | ArgValue::Variable(_)
        | ArgValue::Unknown => {}
    }
}

fn view(view: &mut View, visit: &mut dyn FnMut(&mut ScalarId)) {
    match view {
        View::Local(it) => local(it, visit),
        View::Global(GlobalView {
            global: _,
            axes,
            sliced: _,
            transposed: _,
            site: _,
        }) => {
            for GlobalAxis {
                extent,
                start,
                span,
                is_slice: _,
                static_span: _,
            } in axes
            {
                [extent, start, span].into_iter().for_each(&mut *visit);
            }
        }
    }
}

fn local(view: &mut LocalView, visit: &mut dyn FnMut(&mut ScalarId)) {
    let LocalView {
        buffer: _,
        slot,
        index: _,
        dtype: _,
        shape,
        offset,
        span,
        static_span: _,
        end: _,
        transposed: _,
        sliced: _,
        site: _,
    } = view;
    visit(slot);
    let pairs = [shape, offset, span].into_iter();
    pairs.flatten().for_each(visit);
}

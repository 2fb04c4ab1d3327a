//! Proposals in C++: insertions that only add order.

use super::Propose;
use crate::repair::scene::{Scene, order};
use crate::repair::{Candidate, Effect};
use a2lint_ir::sync::{self, Act, Token, pipe_of};
use a2lint_ir::{BufferId, Notation, Stmt};
use a2lint_isa::Pipe;
use a2lint_source::text::Span;
use rustc_hash::FxHashSet;

pub(super) const PROPOSALS: &[(&str, Propose)] = &[
    ("race", unordered),
    ("scalar-hazard", unordered),
    ("slot-lifetime", unordered),
];

/// The number of ids that a pair of pipes has.
const IDS: usize = 8;

/// Proposes what orders two accesses of one lane, right before the later one.
fn unordered(scene: &Scene) -> Vec<Candidate> {
    let pipe = |span| Some(pipe_of(scene.program()?, scene.instr(span)?.1));
    let Some((later, _)) = scene.instr(scene.finding.span) else {
        return Vec::new();
    };
    let Some(second) = pipe(later.span).filter(|_| scene.begins_in_cpp(later.span)) else {
        return Vec::new();
    };
    let first = scene.labels().find_map(pipe).unwrap_or(second);
    // Only the object itself knows when the cube is done.
    let is_product = |span| {
        scene
            .instr(span)
            .is_some_and(|(_, it)| it.is_between_globals())
    };
    if first == Pipe::Mte3 && scene.labels().any(is_product) {
        return Vec::new();
    }
    // In order, the later of two loads replaces what the earlier one has loaded, and nothing has read it: the tensors
    // overlap, or one load is too many.
    if (first, second) == (Pipe::Mte2, Pipe::Mte2) {
        return Vec::new();
    }
    let mut all: Vec<Candidate> = freed_later(scene).into_iter().collect();
    match first == second {
        true => all.extend(barrier(scene, later.span, first)),
        false => all.extend(flag(scene, later.span, first, second)),
    }
    all.extend(barrier(scene, later.span, Pipe::All));
    // One of two stores to the same place may be meant for another one, and so may what uses another part of a buffer
    // than the rest of the kernel.
    if (first, second) == (Pipe::Mte3, Pipe::Mte3) || leaves_parts(scene) {
        all.iter_mut().for_each(|it| it.effect = Effect::Guess);
    }
    all
}

/// Proposes to free a tensor of a queue after its last use: its `FreeTensor` moves below that statement.
fn freed_later(scene: &Scene) -> Option<Candidate> {
    let program = scene.program()?;
    let (last, instr) = scene.labels().find_map(|span| scene.instr(span))?;
    let views = instr.operands().filter_map(|(.., view)| view.local());
    let used: Vec<BufferId> = views.map(|view| view.buffer).collect();
    let frees = |stmt: &Stmt| {
        let call = sync::call(program, stmt).filter(|call| call.act == Act::Set);
        let Some(Token::Event(event)) = call.map(|call| call.token) else {
            return false;
        };
        let queue = program.event(event).queue;
        queue.is_some_and(|queue| queue.counts_free && used.contains(&queue.buffer))
    };
    let before = program.instructions().into_iter().map(|(stmt, _)| stmt);
    let mut before = before.filter(|stmt| stmt.id < last.id && stmt.origin == last.origin);
    let freed = before.rfind(|stmt| frees(stmt))?;
    let (freed, last) = (freed.span, last.span);
    let text = format!("{};", scene.text(freed).trim_end_matches(';'));
    // Both are alone on their lines, one after the other in one block.
    let is_alone = |span: Span| {
        let line = scene.text(scene.lines(span)).trim();
        line == format!("{};", scene.text(span).trim_end_matches(';'))
    };
    let is_block = freed.end <= last.start && scene.indent(freed) == scene.indent(last);
    if !is_block || !is_alone(freed) || !is_alone(last) {
        return None;
    }
    let edits = vec![
        scene.without(freed),
        scene.below(last, std::slice::from_ref(&text))?,
    ];
    Some(order(
        format!("move `{text}` below the last use of the tensor"),
        edits,
    ))
}

/// Returns whether the kernel writes parts of a buffer that one of the two instructions accesses, and reads other
/// parts: the wrong half of a buffer for two tiles, say. In order, the tiles in one half are lost without a trace.
fn leaves_parts(scene: &Scene) -> bool {
    let Some(program) = scene.program() else {
        return false;
    };
    let spans = std::iter::once(scene.finding.span).chain(scene.labels());
    let instrs = spans.filter_map(|span| scene.instr(span));
    let views = instrs.flat_map(|(_, instr)| instr.operands());
    let buffers: FxHashSet<BufferId> = views
        .filter_map(|(.., view)| view.local().map(|view| view.buffer))
        .collect();
    buffers.into_iter().any(|buffer| {
        let [mut written, mut read] = [FxHashSet::default(), FxHashSet::default()];
        for (_, instr) in program.instructions() {
            for (_, operand, view) in instr.operands() {
                if let Some(view) = view.local().filter(|view| view.buffer == buffer) {
                    let part = (view.slot, view.offset);
                    if operand.access.writes() {
                        written.insert(part);
                    }
                    if operand.access.reads() {
                        read.insert(part);
                    }
                }
            }
        }
        written != read
    })
}

/// Proposes a barrier before a statement.
fn barrier(scene: &Scene, statement: Span, pipe: Pipe) -> Option<Candidate> {
    let call = Notation::Cpp.barrier(pipe);
    let line = format!("{}{call};", prefix(scene));
    let edit = scene.above(statement, &[line])?;
    Some(order(format!("put `{call}` before it"), vec![edit]))
}

/// Proposes a flag that is set and awaited before a statement, with an id that no other flag of the two pipes has.
fn flag(scene: &Scene, statement: Span, src: Pipe, dst: Pipe) -> Option<Candidate> {
    let (own, kind) = (prefix(scene), Notation::hard_event(src, dst));
    let mut lines = Vec::new();
    // A pipe knows which ids its queues have taken.
    let id = match scene.all().contains("TPipe") {
        true => {
            let name = scene.fresh(&format!("event{}To{}", capital(src), capital(dst)));
            lines.push(format!(
                "event_t {name} = static_cast<event_t>({own}GetTPipePtr()->FetchEventID({own}{kind}));"
            ));
            name
        }
        false => {
            let is_taken = |id: &String| {
                let calls = scene.all().match_indices(kind.as_str());
                calls.into_iter().any(|(at, _)| {
                    let rest = scene.all().get(at..).unwrap_or_default();
                    rest.split(';').next().is_some_and(|it| it.contains(id))
                })
            };
            let ids = (0..IDS).map(|number| format!("EVENT_ID{number}"));
            ids.into_iter().find(|id| !is_taken(id))?
        }
    };
    lines.push(format!("{own}SetFlag<{own}{kind}>({id});"));
    lines.push(format!("{own}WaitFlag<{own}{kind}>({id});"));
    let title = format!(
        "let {} wait for {}: a `{kind}` flag before it",
        dst.name(),
        src.name()
    );
    Some(order(title, vec![scene.above(statement, &lines)?]))
}

/// Formats a pipe as AscendC spells it in `HardEvent`, as `Mte2`.
fn capital(pipe: Pipe) -> String {
    let mut chars = pipe.name().chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    first
        .into_iter()
        .chain(chars.map(|rest| rest.to_ascii_lowercase()))
        .collect()
}

/// Returns the qualifier of names of the library in the file.
fn prefix(scene: &Scene) -> &'static str {
    match scene.all().contains("using namespace AscendC") {
        true => "",
        false => "AscendC::",
    }
}

use crate::declare_rule;
use crate::device::wrong_side;
use crate::observations::{nearby, witnessed, writers};
use crate::remainder::{self, loops_around};
use crate::wording::{call, coordinates, counted, lane_text};
use crate::{Facts, Sink};
use a2lint_analysis::Dependence;
use a2lint_ir::{GlobalId, Notation, Note, NoteKind, PythonNote, SpecialScalar, Stmt, StmtKind};
use a2lint_isa::BLOCK_BYTES;
use a2lint_replay::{Event, LastStore, Source};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports a returned tensor with elements that no lane stored under a launch of the file, or under sizes near one
    /// that the kernel cuts into tiles. The latter is a warning that names the size: the host may exclude it.
    ///
    /// ## Why is this bad?
    /// What a kernel returns is undefined before it starts, whatever the caller's tensor held.
    /// Elements that no core stores stay undefined.
    ///
    /// ## Example
    /// ```python
    /// tiles = var_div(M, TILE_M)          # the last, partial tile is lost
    /// for tile in range(GetCubeIdx(), tiles, GetCubeNum()):
    ///     ...
    ///     y[row0:row0 + TILE_M, 0:N] <<= y_out
    /// ```
    ///
    /// ```cpp
    /// uint32_t mine = rows / GetBlockNum();         // the rest of the division is lost
    /// for (uint32_t r = GetBlockIdx() * mine; r < (GetBlockIdx() + 1) * mine; r++) { Row(r); }
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// tiles = CeilDiv(M, TILE_M)
    /// for tile in range(GetCubeIdx(), tiles, GetCubeNum()):
    ///     rows = Min(TILE_M, M - row0)
    ///     ...
    ///     y[row0:row0 + rows, 0:N] <<= y_out[0:rows, 0:N]
    /// ```
    ///
    /// ```cpp
    /// for (uint32_t r = GetBlockIdx(); r < rows; r += GetBlockNum()) { Row(r); }
    /// ```
    ///
    /// ## Source
    /// Outputs hold nothing at launch.
    "INI004" "output-hole" Error, basis = Replayed, property = Ownership,
    causes = ["DEV014"]
}

fn check(facts: &Facts, sink: &mut Sink) {
    // Instructions on the wrong side and statements that raise are not executed, so the holes follow from that mistake.
    let raises = |note: &Note| matches!(note.kind, NoteKind::Python(PythonNote::TraceError { .. }));
    if wrong_side::has_any(facts) || facts.program.notes.iter().any(raises) {
        return;
    }
    for observation in &facts.replay.observations {
        let Event::Hole {
            global,
            first,
            elements,
            last,
        } = observation.event
        else {
            continue;
        };
        let name = &facts.program.global(global).name;
        let bound = &facts.replay.execution(observation).bound.globals[global.index()];
        let total: i64 = bound.shape.iter().product();
        let (near, shape) = (nearby(facts, observation), &bound.shape);
        let verb = if elements == 1 { "is" } else { "are" };
        let message = match elements == total {
            true => format!("{near}no element of `{name}` {shape:?} is ever stored"),
            false => format!(
                "{near}{elements} of the {total} elements of `{name}` {shape:?} {verb} never stored, the first at {:?}",
                coordinates(first, shape)
            ),
        };
        // The only store is the place to mend it.
        let place = only_store(facts, global)
            .map_or_else(|| facts.program.global(global).span, |store| store.span);
        let report = sink.report(place, message);
        let is_cut = last.is_some_and(|last| last.cut.is_some());
        let reaches_end = first + elements == total;
        let cause = (!is_cut)
            .then(|| Cause::of(facts, global, reaches_end))
            .flatten();
        let report = match (&cause, last.and_then(|last| explained(facts, last))) {
            (Some(Cause::Remainder(span)), _) => {
                let first = facts.source.slice(*span).lines().next().unwrap_or_default();
                let head = Span {
                    end: span.start + first.len() as u32,
                    ..*span
                };
                report.label(head, "a division that limits this loop leaves its rest out")
            }
            (Some(_), _) | (None, None) => report,
            (None, Some((span, text))) => report.label(span, text),
        };
        let report = match cause {
            Some(cause) => report.advice(cause.advice(facts, name)),
            None => report.advice(advice(is_cut)),
        };
        witnessed(report, facts, observation);
    }
}

/// Returns the store to a tensor, if there is only one.
fn only_store<'a>(facts: &Facts<'a>, global: GlobalId) -> Option<&'a Stmt> {
    let stores = writers(facts, Source::Global(global));
    let first = stores.first()?;
    let is_one_place = stores.iter().all(|store| store.span == first.span);
    is_one_place.then_some(*first)
}

/// The queries that tell lanes apart.
const LANES: &[SpecialScalar] = &[
    SpecialScalar::CubeIdx,
    SpecialScalar::VecIdx,
    SpecialScalar::SubBlockIdx,
];
/// Those that tell the vec lanes of a core apart.
const VEC_LANES: &[SpecialScalar] = &[SpecialScalar::VecIdx, SpecialScalar::SubBlockIdx];

/// The queries for the number of lanes, and of vec lanes.
const COUNTS: &[SpecialScalar] = &[SpecialScalar::CubeNum, SpecialScalar::VecNum];
const VEC_COUNTS: &[SpecialScalar] = &[SpecialScalar::VecNum];

/// The mistake that leaves elements out, where the statements of the kernel show it.
enum Cause {
    /// Every lane stores the same elements.
    SameForAll,
    /// Both vec lanes of a core store the same elements.
    SameForCore,
    /// A loop around the stores takes a quotient that is rounded down. The place of the loop, or of the quotient.
    Remainder(Span),
}

impl Cause {
    /// Finds the mistake. `reaches_end` is whether the left out elements are the last ones.
    fn of(facts: &Facts, global: GlobalId, reaches_end: bool) -> Option<Cause> {
        let program = facts.program;
        let stores = writers(facts, Source::Global(global));
        let views = stores.iter().filter_map(|store| {
            let mut operands = store.kind.instr()?.operands();
            operands.find_map(|(_, operand, view)| {
                view.global()
                    .filter(|it| operand.access.writes() && it.global == global)
            })
        });
        let views: Vec<_> = views.collect();
        let depend = |queries| {
            let on = Dependence::on(program, queries);
            let mut decides = views
                .iter()
                .any(|view| view.axes.iter().any(|it| on.of(it.start)));
            program.walk(&mut |stmt| {
                if let StmtKind::If { arms, .. } = &stmt.kind {
                    decides |= arms.iter().any(|arm| on.of(arm.condition));
                }
            });
            decides
        };
        let mut loops = Vec::new();
        if views.is_empty() || !loops_around(&program.body, stores.first()?.id, &mut loops) {
            return None;
        }
        // A kernel that never asks how many lanes there are leaves its work to one, or to all alike.
        let shares = |counts| {
            let on = Dependence::on(program, counts);
            loops.iter().any(|stmt| match &stmt.kind {
                StmtKind::Loop { stop, step, .. } => on.of(*stop) || on.of(*step),
                _ => false,
            })
        };
        if shares(COUNTS) && !depend(LANES) {
            return Some(Cause::SameForAll);
        }
        if shares(VEC_COUNTS) && !depend(VEC_LANES) {
            return Some(Cause::SameForCore);
        }
        let dropped = remainder::dropped(program, &stores);
        dropped.filter(|_| reaches_end).map(Cause::Remainder)
    }

    /// Returns what to change.
    fn advice(&self, facts: &Facts, tensor: &str) -> String {
        let is_cpp = facts.program.toolchain.notation == Notation::Cpp;
        let index = if is_cpp {
            "GetBlockIdx()"
        } else {
            "GetVecIdx()"
        };
        match self {
            Cause::SameForAll => format!(
                "the place in `{tensor}` does not depend on `{index}`: every lane stores the same elements; let each \
                 store its own part"
            ),
            Cause::SameForCore => {
                "both vec lanes of a core store the same elements: with `GetVecNum()` goes `GetVecIdx()`".to_owned()
            }
            Cause::Remainder(_) => {
                "round the quotient up (`CeilDiv`), and cut the last tile to what is left".to_owned()
            }
        }
    }
}

/// Says what the store that ends where a hole begins has stored.
fn explained(facts: &Facts, last: LastStore) -> Option<(Span, String)> {
    let stmt = facts.program.statement(last.stmt)?;
    let instr = stmt.kind.instr()?;
    let name = call(facts, instr);
    let text = match last.cut {
        Some([asked, 0]) => format!(
            "{name} stores nothing of the {} asked for: it moves whole blocks of {BLOCK_BYTES} bytes",
            counted(asked, "element")
        ),
        Some([asked, stored]) => format!(
            "{name} stores {stored} of the {} asked for: it moves whole blocks of {BLOCK_BYTES} bytes",
            counted(asked, "element")
        ),
        None => format!(
            "{name} on {} stores up to the hole",
            lane_text(facts, last.lane)
        ),
    };
    Some((stmt.span, text))
}

/// Returns what to change.
fn advice(is_cut: bool) -> &'static str {
    match is_cut {
        true => "store any number of elements with `DataCopyPad`, whose length is in bytes",
        false => {
            "let every tile be taken by a core, and every valid row and column of it be stored"
        }
    }
}

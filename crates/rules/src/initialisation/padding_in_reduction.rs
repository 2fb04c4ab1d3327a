use rustc_hash::FxHashMap;

use crate::declare_rule;
use crate::initialisation::filled_rows;
use crate::observations::{Cause, Scene, labelled, undefined_scenes, use_of};
use crate::wording::{call, view_text};
use crate::{Facts, Sink};
use a2lint_analysis::{MaskState, SlotKey, slot_key};
use a2lint_ir::finding::{Basis, Severity};
use a2lint_ir::{BufferId, GlobalId, Instr, LocalView, Stmt, View};
use a2lint_isa::{Class, DST, Opcode, Operator, ParamKind, Position};
use a2lint_machine::Rest;
use a2lint_replay::{Event, Observation};

declare_rule! {
    /// ## What it does
    /// Reports a reduction that includes elements which a partial load left undefined in a run, if
    /// something that came from the same load reaches an output, a scalar or an index. What is reduced and
    /// never leaves the kernel is not reported.
    ///
    /// In AscendC, `DataCopyPad` fills the last block of a row with copies of its first element, unless the call gives
    /// another value. Reports such a load where a run shows that an output depends on which element fills the block: a
    /// sum includes the copies, while a maximum does not change.
    ///
    /// Warns where a tile is filled with a constant, loaded in part, and a sum goes over all columns of its
    /// exponentials: `exp(0.0)` is 1, so every column beyond the loaded ones counts. The same holds in AscendC where
    /// `DataCopyPad` fills the rest of a row with a constant, if the lengths are constants.
    ///
    /// ## Why is this bad?
    /// A load fills the valid part of a tile, and pads every row to 32 bytes with arbitrary bits.
    /// Elementwise work on the rest does no harm as long as it is not stored, but a sum or maximum
    /// mixes it into a valid result.
    ///
    /// ## Example
    /// ```python
    /// tile[0:rows, 0:cols] <<= x[row0:row0 + rows, col0:col0 + cols]
    /// cmax(row_max, tile)                 # also over columns from `cols` on
    /// ```
    ///
    /// ```cpp
    /// DataCopyPad(a, gx, {1, 100 * sizeof(float), 0, 0, 0}, {true, 0, 4, 0.0f});
    /// ReduceMax(m, a, work, 104);                   // the fill may be the largest
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// dup(tile, -1.0e30)
    /// filled.set()                        # V before MTE2
    /// filled.wait()
    /// tile[0:rows, 0:cols] <<= x[row0:row0 + rows, col0:col0 + cols]
    /// cmax(row_max, tile)
    /// ```
    ///
    /// ```cpp
    /// DataCopyPad(a, gx, {1, 100 * sizeof(float), 0, 0, 0}, {true, 0, 4, 0.0f});
    /// ReduceMax(m, a, work, 100);
    /// ```
    /// Rows that do not end on a 32-byte border need a mask or a `select` besides: the load
    /// replaces the rest of the last block.
    ///
    /// ## Source
    /// Padded loads of A2: rows are padded to whole blocks, and the padding is not defined.
    "INI006" "padding-in-reduction" Error, basis = Replayed
}

fn check(facts: &Facts, sink: &mut Sink) {
    filled_with_other_than_nothing(facts, sink);
    filled_with_data(facts, sink);
    filled_rows::check(facts, sink);
    for (scene, others) in undefined_scenes(facts, Cause::Padding) {
        let message = format!(
            "{}: the load fills only a part of the tile",
            use_of(facts, &scene)
        );
        let report = scene.report(facts, sink, message).advice(format!(
            "neutralise what the load leaves out: `{}()` the tile before the load, or mask the reduction",
            facts.program.name_of(Opcode::Dup)
        ));
        labelled(report, facts, &scene, &others);
    }
}

/// Reports loads that fill blocks with copies of an element on which a returned tensor depends.
fn filled_with_data(facts: &Facts, sink: &mut Sink) {
    let is_filler = |seen: &Observation| {
        matches!(
            seen.event,
            Event::Stale {
                rest: Rest::Filler,
                ..
            }
        )
    };
    let mut reported: Vec<GlobalId> = Vec::new();
    for scene in Scene::all(facts, is_filler) {
        let (Event::Stale { global, extent, .. }, Some(View::Local(view))) =
            (&scene.observation.event, scene.view())
        else {
            continue;
        };
        // Operands of one result are filled alike: one mistake.
        if reported.contains(global) {
            continue;
        }
        reported.push(*global);
        let elements = extent[1] * 8 / view.dtype.bits();
        let message = format!(
            "{} loads rows of {elements} elements and fills the last block of each with its first element, \
             and `{}` depends on the copies",
            call(facts, scene.instr),
            facts.program.global(*global).name
        );
        let severity = match facts.replay.execution(scene.observation).is_invented {
            true => Severity::Warning,
            false => Severity::Error,
        };
        scene
            .report(facts, sink, message)
            .severity(severity)
            .advice(format!(
                "work on the {elements} elements of a row only, or let the load fill with a value that is neutral in \
                 every step (`isPad` and `paddingValue`): 0 for a sum, -1e30 for a maximum and for a sum of \
                 exponentials"
            ));
    }
}

/// Below this value, an exponential (2e-9) does not change a sum of floats that matters.
pub(super) const NEGLIGIBLE: f64 = -20.0;

/// Columns of a tile that a constant fills and no load overwrites.
#[derive(Clone, Copy)]
struct Filled<'a> {
    value: f64,
    fill: &'a Stmt,
    /// The load that may not overwrite all filled columns.
    load: Option<&'a Stmt>,
    /// Whether they hold exponentials of the constant.
    is_exponential: bool,
}

/// The filled tiles at a point of the program.
type Tiles<'a> = FxHashMap<(BufferId, SlotKey), Filled<'a>>;

/// Reports sums over exponentials of a constant that fills a tile beside the loaded columns.
fn filled_with_other_than_nothing(facts: &Facts, sink: &mut Sink) {
    let mut tiles = Tiles::default();
    for (stmt, instr) in facts.instructions() {
        let is_full = facts.analysis.mask_at(stmt.id) == MaskState::Full;
        let class = instr.row().class;
        // The sum is examined before the tiles are updated: an instruction reads before it writes.
        if let Some((filled, src)) = summed(facts, &tiles, instr).filter(|_| is_full) {
            report_filled(facts, sink, (stmt, instr, src), filled);
        }
        let Some(dst) = instr.local(DST).filter(|dst| is_in_ub(facts, dst)) else {
            forget_written(facts, &mut tiles, instr);
            continue;
        };
        let known = match class {
            Class::Fill if is_full => filled_by(facts, stmt, instr, dst),
            Class::Move => loaded(facts, &tiles, stmt, instr, dst),
            Class::Unary | Class::Binary | Class::ScalarOp | Class::Cast => {
                computed(facts, &tiles, instr, dst, is_full)
            }
            _ => None,
        };
        forget_written(facts, &mut tiles, instr);
        if let Some(known) = known {
            tiles.insert(tile_of(facts, dst), known);
        }
    }
}

pub(super) fn tile_of(facts: &Facts, view: &LocalView) -> (BufferId, SlotKey) {
    (view.buffer, slot_key(facts.program, view))
}

fn is_in_ub(facts: &Facts, view: &LocalView) -> bool {
    facts.program.buffer(view.buffer).position == Position::Ub
}

/// Removes the tiles that an instruction writes.
pub(super) fn forget_written<T>(
    facts: &Facts,
    tiles: &mut FxHashMap<(BufferId, SlotKey), T>,
    instr: &Instr,
) {
    for (_, operand, view) in instr.operands() {
        if let Some(view) = View::local(view).filter(|_| operand.access.writes()) {
            tiles.remove(&tile_of(facts, view));
        }
    }
}

/// Returns the number of columns of a view, if it has all columns of its tile.
fn all_columns(facts: &Facts, view: &LocalView) -> Option<i64> {
    let [columns, viewed, from] =
        [view.shape[1], view.span[1], view.offset[1]].map(|id| facts.program.scalars.as_int(id));
    columns.filter(|_| from == Some(0) && viewed == columns)
}

fn filled_by<'a>(
    facts: &Facts<'a>,
    stmt: &'a Stmt,
    instr: &Instr,
    dst: &LocalView,
) -> Option<Filled<'a>> {
    let params = instr.row().params().zip(&instr.args);
    let mut values = params.filter(|(param, _)| param.kind == ParamKind::Value);
    let value = values.next()?.1.value.scalar()?;
    let value = facts.program.scalars.as_float(value)?;
    all_columns(facts, dst)?;
    (value > NEGLIGIBLE).then_some(Filled {
        value,
        fill: stmt,
        load: None,
        is_exponential: false,
    })
}

/// Returns the part of a constant that remains after a load that may fill fewer columns than the tile has.
fn loaded<'a>(
    facts: &Facts<'a>,
    tiles: &Tiles<'a>,
    stmt: &'a Stmt,
    instr: &Instr,
    dst: &LocalView,
) -> Option<Filled<'a>> {
    let is_load = instr
        .operands()
        .any(|(_, operand, view)| View::global(view).is_some() && operand.access.reads());
    let filled = *tiles.get(&tile_of(facts, dst))?;
    let is_part = is_load && all_columns(facts, dst).is_none();
    (is_part && !filled.is_exponential).then_some(Filled {
        load: Some(stmt),
        ..filled
    })
}

/// Returns what a lane-wise operation over all columns makes of a filled tile; `None` if another operand of the
/// same width may replace the constant.
fn computed<'a>(
    facts: &Facts<'a>,
    tiles: &Tiles<'a>,
    instr: &Instr,
    dst: &LocalView,
    is_full: bool,
) -> Option<Filled<'a>> {
    let columns = all_columns(facts, dst).filter(|_| is_full && !instr.is_counted())?;
    let mut found: Option<Filled> = None;
    for (_, operand, view) in instr.operands() {
        let Some(view) = View::local(view).filter(|_| operand.access.reads()) else {
            continue;
        };
        let known = tiles
            .get(&tile_of(facts, view))
            .filter(|it| it.load.is_some());
        let is_narrow = facts
            .program
            .scalars
            .as_int(view.shape[1])
            .is_some_and(|it| it < columns);
        match known {
            Some(known) if all_columns(facts, view) == Some(columns) => found = Some(*known),
            _ if is_narrow => {}
            _ => return None,
        }
    }
    let is_exp = instr.row().computes(Operator::Exp);
    found.map(|filled| Filled {
        is_exponential: filled.is_exponential || is_exp,
        ..filled
    })
}

/// Returns the filled tile whose exponentials an instruction sums over all columns.
fn summed<'a, 'i>(
    facts: &Facts,
    tiles: &Tiles<'a>,
    instr: &'i Instr,
) -> Option<(Filled<'a>, &'i LocalView)> {
    let row = instr.row();
    let is_sum = matches!(
        row.class,
        Class::Reduce | Class::GroupReduce | Class::PairReduce
    ) && row.computes(Operator::Add)
        && !instr.is_counted();
    let mut sources = instr.operands().filter_map(|(_, operand, view)| {
        View::local(view).filter(|_| is_sum && operand.access.reads())
    });
    let src = sources.next()?;
    all_columns(facts, src)?;
    let filled = *tiles.get(&tile_of(facts, src))?;
    filled.is_exponential.then_some((filled, src))
}

fn report_filled(
    facts: &Facts,
    sink: &mut Sink,
    (stmt, instr, src): (&Stmt, &Instr, &LocalView),
    filled: Filled,
) {
    let columns = all_columns(facts, src).unwrap_or_default();
    let message = format!(
        "{} adds up all {columns} columns of `{}`, also exponentials of what {} has filled columns with that no \
         load replaces",
        call(facts, instr),
        view_text(facts, src),
        facts.program.name_of(Opcode::Dup),
    );
    let mut report = sink
        .report_from(stmt.origin, stmt.span, message)
        .severity(Severity::Warning)
        .basis(Basis::Shape)
        .label(
            filled.fill.span,
            format!("filled with {}, whose exponential counts", filled.value),
        )
        .help("fill with -1.0e30, whose exponential is 0, or add up the loaded columns alone");
    if let Some(load) = filled.load {
        report = report.label(load.span, "may load fewer columns");
    }
    drop(report);
}

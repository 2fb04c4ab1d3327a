//! Finds results that are not finite although every operand is.

use std::ops::ControlFlow;

use super::observation::{Event, Observation, plain};
use a2lint_ir::{GlobalId, Instr, Program, StmtId, TensorInit};
use a2lint_isa::{Class, DST, Pipe};
use a2lint_machine::memory::Memory;
use a2lint_machine::{
    BoundLaunch, Contents, Inspection, LaneId, NullObserver, Observer, Options, Outcome, Site,
    Snapshot, Value, number, simulate,
};

/// Alternatives to the normal values that the checker draws. A second moment, for example, is never negative.
const OTHER_DATA: [TensorInit; 2] = [TensorInit::UniformIn(0.5, 1.5), TensorInit::Full(1.0)];

/// Number of bytes that are skipped at once if none is defined.
const PAGE: usize = 4096;

/// Same as [`first`] for inputs whose contents are not given: the result counts only if every kind of data shows
/// it.
pub(super) fn of_any_data(
    program: &Program,
    bound: &BoundLaunch,
    options: &Options,
    outcome: &Outcome,
) -> Option<Observation> {
    let found = first(program, bound, options, outcome)?;
    let shows = |init: TensorInit| {
        let mut bound = bound.clone();
        for global in &mut bound.globals {
            if let Contents::Generated(TensorInit::Normal, stream) = global.contents {
                global.contents = Contents::Generated(init, stream);
            }
        }
        let outcome = simulate(program, &bound, options, &mut NullObserver);
        let again = first(program, &bound, options, &outcome);
        again.is_some_and(|again| again.is_like(&found))
    };
    OTHER_DATA.into_iter().all(shows).then_some(found)
}

/// Returns the instruction that first produces NaN or an infinity from finite operands, if a returned tensor
/// contains one. Values that are masked out on their way do not count.
pub fn first(
    program: &Program,
    bound: &BoundLaunch,
    options: &Options,
    outcome: &Outcome,
) -> Option<Observation> {
    let mut outputs = program.outputs.iter().copied();
    let global = outputs.find(|&id| has_nonfinite(&outcome.globals[id.index()], bound, id))?;
    let mut finder = Finder::new(program);
    simulate(program, bound, options, &mut finder);
    let found = finder.found?;
    Some(Observation {
        stmt: Some(found.stmt),
        operand: Some(0),
        lane: found.lane,
        iterations: found.iterations,
        element: Some(found.element as i64),
        ..plain(Event::NonFinite {
            value: found.value,
            global,
        })
    })
}

fn has_nonfinite(memory: &Memory, bound: &BoundLaunch, id: GlobalId) -> bool {
    let dtype = bound.globals[id.index()].dtype;
    let size = dtype.bytes_of(1) as usize;
    // Undefined elements do not count: fresh memory reads as NaN.
    let is_nonfinite =
        |at: usize| !number(memory, dtype, at, 0).is_finite() && memory.all_defined(at..at + size);
    // Skips pages that are undefined: most of a large tensor may be untouched.
    let pages = (0..memory.capacity()).step_by(PAGE);
    let pages = pages.map(|start| start..(start + PAGE).min(memory.capacity()));
    let mut pages = pages.filter(|page| dtype.is_float() && memory.any_defined(page.clone()));
    pages.any(|page| page.step_by(size).any(is_nonfinite))
}

struct Found {
    stmt: StmtId,
    lane: LaneId,
    iterations: Vec<i64>,
    element: usize,
    value: f64,
}

/// Returns whether an instruction computes values: arithmetic, products, and the conversion of accumulators by the
/// fixpipe.
fn computes(instr: &Instr) -> bool {
    let row = instr.row();
    row.unit.pipe() == Some(Pipe::V) || matches!(row.class, Class::Matmul | Class::Fixpipe)
}

/// Examines the operands of every instruction that computes. As an observer, it stops the run at the first result
/// that is not finite.
pub struct Finder<'p> {
    instructions: Vec<Option<&'p Instr>>,
    /// Whether every defined element of the sources of the current instruction is finite.
    is_sound: bool,
    found: Option<Found>,
}

impl<'p> Finder<'p> {
    /// Creates a finder for the instructions of a kernel.
    pub fn new(program: &'p Program) -> Self {
        let mut instructions = vec![None; program.stmt_count as usize];
        for (stmt, instr) in program.instructions() {
            // A literal infinity is intended.
            if computes(instr) && instr.row().class != Class::Fill {
                instructions[stmt.id.index()] = Some(instr);
            }
        }
        Finder {
            instructions,
            is_sound: false,
            found: None,
        }
    }

    /// Returns the first element that the current instruction made not finite, with its value.
    pub fn result(&self, site: &Site, inspection: &mut Inspection) -> Option<(usize, f64)> {
        let view = self.instructions[site.stmt.index()].and_then(|instr| instr.view(DST));
        let view = view.filter(|_| self.is_sound)?;
        let snapshot = inspection.view(view)?;
        let element = nonfinite(&snapshot)?;
        Some((element, snapshot.values[element]))
    }
}

impl Observer for Finder<'_> {
    fn watches(&self, stmt: StmtId) -> bool {
        self.instructions[stmt.index()].is_some()
    }

    fn before(&mut self, site: &Site, _: u64, inspection: &mut Inspection) {
        let Some(instr) = self.instructions[site.stmt.index()] else {
            return;
        };
        let mut sources = instr
            .operands()
            .filter(|(_, operand, _)| operand.access.reads());
        self.is_sound = sources.all(|(_, _, view)| {
            let snapshot = inspection.view(view);
            snapshot.is_some_and(|snapshot| nonfinite(&snapshot).is_none())
        });
        // A scalar that was read from undefined memory is no number that the instruction could be blamed for.
        let mut scalars = instr.args.iter().filter_map(|arg| arg.value.scalar());
        self.is_sound &= scalars.all(|id| match inspection.scalar(id) {
            Value::Float(value) => value.is_finite(),
            _ => true,
        });
    }

    fn after(&mut self, site: &Site, _: u64, inspection: &mut Inspection) -> ControlFlow<()> {
        match self.result(site, inspection) {
            Some((element, value)) => {
                self.found = Some(Found {
                    stmt: site.stmt,
                    lane: site.lane,
                    iterations: site.iterations.to_vec(),
                    element,
                    value,
                });
                ControlFlow::Break(())
            }
            None => ControlFlow::Continue(()),
        }
    }
}

/// Returns the first defined element that is not finite.
fn nonfinite(snapshot: &Snapshot) -> Option<usize> {
    let mut elements = 0..snapshot.values.len();
    elements.find(|&index| snapshot.defined[index] && !snapshot.values[index].is_finite())
}

//! Values that `--dump` asks for.

use super::compare::Results;
use super::error::RunError;
use super::missed::Missed;
use super::snippet::instructions_on;
use super::spec::{DumpSpec, Lines, Occasion};
use a2lint_ir::Number;
use a2lint_ir::{BufferId, GlobalId, Instr, Named, Program, Stmt, StmtId, VariableId, View};
use a2lint_isa::{Class, DType};
use a2lint_machine::memory::Memory;
use a2lint_machine::{Inspection, LaneId, Site, Snapshot, Value, push};
use a2lint_source::spelling::nearest;
use a2lint_source::text::SourceText;

/// A value that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Dump {
    /// What it is called.
    pub name: String,
    /// The statement after which it is shown.
    pub stmt: StmtId,
    /// Which of the statement's executions on a lane, from 0.
    pub execution: u64,
    /// What was seen; `None` where the execution never came.
    pub seen: Option<Seen>,
    /// Where it was executed and not watched.
    pub missed: Missed,
}

/// Values at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The lane.
    pub lane: LaneId,
    /// Iteration numbers of the loops around the statement, outermost first.
    pub iterations: Vec<i64>,
    /// The values; `None` where its extents are unknown or outside the memory.
    pub values: Option<Snapshot>,
}

impl Results for Snapshot {
    fn dtype(&self) -> DType {
        self.dtype
    }

    fn get(&self, index: usize) -> Option<Number> {
        let value = self.values[index];
        self.defined[index].then(|| match self.dtype.is_float() {
            true => Number::Float(value),
            false => Number::Int(value as i128),
        })
    }
}

/// The elements of a value, as memory holds them; packed ones as bytes.
pub fn memory_of(snapshot: &Snapshot) -> (DType, Memory) {
    let dtype = match snapshot.dtype {
        DType::Int4 => DType::Int8,
        dtype => dtype,
    };
    let mut bytes = Vec::new();
    for &value in &snapshot.values {
        push(&mut bytes, dtype, value);
    }
    (dtype, Memory::from_bytes(bytes))
}

/// Waits for the execution after which a value is to be shown.
pub struct DumpWatch<'a> {
    occasion: &'a Occasion,
    spec: &'a DumpSpec,
    subject: Subject<'a>,
    dump: Dump,
}

/// What is shown.
enum Subject<'a> {
    /// An operand of the statement.
    View(&'a View),
    /// One slot of a buffer.
    Slot(BufferId, i64),
    /// A global tensor.
    Tensor(GlobalId),
    /// A scalar.
    Variable(VariableId),
}

impl<'a> DumpWatch<'a> {
    /// Finds the statement and the value.
    pub fn new(
        source: &SourceText,
        program: &'a Program,
        occasion: &'a Occasion,
        spec: &'a DumpSpec,
    ) -> Result<Self, RunError> {
        let line = spec.line;
        let lines = Lines {
            first: line,
            last: line,
        };
        let mut on_line = instructions_on(source, program, lines);
        on_line.retain(|(_, instr)| has_effect(instr));
        let &(last, _) = on_line.last().ok_or_else(|| RunError::NoDumpStatement {
            kernel: program.name.to_string(),
            line,
        })?;
        let (stmt, subject) = match named(program, &spec.name)? {
            Named::Variables(ids) => (last, Subject::Variable(ids[0])),
            Named::Global(id) => used(&on_line, |view| {
                view.global().map(|view| view.global) == Some(id)
            })
            .unwrap_or((last, Subject::Tensor(id))),
            Named::Buffers(ids) => {
                let is_meant =
                    |view: &View| view.local().is_some_and(|view| ids.contains(&view.buffer));
                match (used(&on_line, is_meant), spec.slot) {
                    (Some((stmt, Subject::View(View::Local(view)))), Some(slot)) => {
                        (stmt, Subject::Slot(view.buffer, slot))
                    }
                    (Some(found), _) => found,
                    (None, slot) => (last, Subject::Slot(ids[0], slot.unwrap_or(0))),
                }
            }
        };
        Ok(DumpWatch {
            occasion,
            spec,
            subject,
            dump: Dump {
                name: match spec.slot {
                    Some(slot) => format!("{}[{slot}]", spec.name),
                    None => spec.name.clone(),
                },
                stmt: stmt.id,
                execution: spec.execution,
                seen: None,
                missed: Missed::default(),
            },
        })
    }

    /// Whether this is the statement.
    pub fn watches(&self, stmt: StmtId) -> bool {
        self.dump.stmt == stmt
    }

    /// Whether the value is known.
    pub fn is_complete(&self) -> bool {
        self.dump.seen.is_some()
    }

    /// A statement has executed.
    pub fn after(&mut self, site: &Site, execution: u64, inspection: &mut Inspection) {
        let is_meant = self.watches(site.stmt) && execution == self.spec.execution;
        if !self.watches(site.stmt) || self.is_complete() {
            return;
        }
        if !is_meant || !self.occasion.includes(site) {
            self.dump.missed.note(site.lane);
            return;
        }
        self.dump.seen = Some(Seen {
            lane: site.lane,
            iterations: site.iterations.to_vec(),
            values: self.subject.values(inspection),
        });
    }

    /// What was seen.
    pub fn finish(self) -> Dump {
        self.dump
    }
}

impl Subject<'_> {
    fn values(&self, inspection: &mut Inspection) -> Option<Snapshot> {
        match *self {
            Subject::View(view) => inspection.view(view),
            Subject::Slot(buffer, slot) => inspection.slot(buffer, slot),
            Subject::Tensor(global) => inspection.tensor(global),
            Subject::Variable(id) => scalar(inspection.variable(id)),
        }
    }
}

/// A scalar as a tensor of one element.
fn scalar(value: Value) -> Option<Snapshot> {
    let (dtype, value) = match value {
        Value::Int(value) => (DType::Int64, value as f64),
        Value::Large(value) => (DType::UInt64, value as f64),
        Value::Float(value) => (DType::Float, value),
        _ => return None,
    };
    Some(Snapshot {
        dtype,
        shape: [1, 1],
        values: vec![value],
        defined: vec![true],
    })
}

/// Whether a lane reports before and after it: everything but synchronisation.
fn has_effect(instr: &Instr) -> bool {
    !matches!(
        instr.row().class,
        Class::Barrier | Class::Event | Class::CrossFlag | Class::Mutex
    )
}

/// The last instruction that writes such a tensor, or reads it if none does, and its view.
fn used<'a>(
    instructions: &[(&'a Stmt, &'a Instr)],
    is_meant: impl Fn(&View) -> bool,
) -> Option<(&'a Stmt, Subject<'a>)> {
    let mut found = None;
    for &(stmt, instr) in instructions {
        for (_, operand, view) in instr.operands().filter(|(_, _, view)| is_meant(view)) {
            let rank = operand.access.writes();
            if found.is_none_or(|(best, _, _)| rank >= best) {
                found = Some((rank, stmt, view));
            }
        }
    }
    found.map(|(_, stmt, view)| (stmt, Subject::View(view)))
}

/// What a name stands for.
fn named(program: &Program, name: &str) -> Result<Named, RunError> {
    Named::of(program, name).ok_or_else(|| {
        let near = nearest(name, Named::all(program));
        RunError::NoDumpValue {
            kernel: program.name.to_string(),
            name: name.to_owned(),
            hint: near.map_or(String::new(), |near| format!("; did you mean `{near}`?")),
        }
    })
}

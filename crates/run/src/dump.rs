//! Records the values that `--dump` asks for.

use super::compare::Results;
use super::error::RunError;
use super::missed::Missed;
use super::snippet::instructions_on;
use super::spec::{DumpSpec, Occasion};
use a2lint_ir::Number;
use a2lint_ir::{BufferId, GlobalId, Instr, Named, Program, Stmt, StmtId, VariableId, View};
use a2lint_isa::{Class, DType};
use a2lint_machine::memory::Memory;
use a2lint_machine::{Inspection, LaneId, Site, Snapshot, Value, push};
use a2lint_project::SourceMap;
use a2lint_source::spelling::nearest;

/// A requested value.
#[derive(Clone, Debug, PartialEq)]
pub struct Dump {
    /// The name of the value in the output.
    pub name: String,
    /// The statement after which it is recorded.
    pub stmt: StmtId,
    /// Index of the execution among those of the statement on a lane, from 0.
    pub execution: u64,
    /// The recorded value; `None` if the execution did not occur.
    pub seen: Option<Seen>,
    /// Executions of the statement that were not watched.
    pub missed: Missed,
}

/// Values at one point of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The cube or vec core that executed the statement.
    pub lane: LaneId,
    /// Iteration numbers of the loops around the statement, outermost first.
    pub iterations: Vec<i64>,
    /// The values; `None` if the extents are unknown or outside of the memory.
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

/// Returns the elements of a value as memory holds them. Packed elements become bytes.
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

/// Records a value after a certain execution.
pub struct DumpWatch<'a> {
    occasion: &'a Occasion,
    spec: &'a DumpSpec,
    subject: Subject<'a>,
    dump: Dump,
}

/// What is recorded.
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
    /// Finds the statement and the value that a specification names.
    pub fn new(
        map: &SourceMap,
        program: &'a Program,
        occasion: &'a Occasion,
        spec: &'a DumpSpec,
    ) -> Result<Self, RunError> {
        let mut on_line = instructions_on(map, program, &spec.line);
        on_line.retain(|(_, instr)| has_effect(instr));
        let &(last, _) = on_line.last().ok_or_else(|| RunError::NoDumpStatement {
            kernel: program.name.to_string(),
            line: spec.line.text(),
        })?;
        let text_of = |view: &View| map.text_of(view.site()).trim() == spec.name;
        let known = Named::of(program, &spec.name);
        let is_own = |view: &View| match (&known, view) {
            (Some(Named::Buffers(ids)), View::Local(view)) => ids.contains(&view.buffer),
            _ => false,
        };
        // A name of a helper means what the statement is given.
        let given = used(&on_line, |view| text_of(view) && !is_own(view));
        let (stmt, subject) = match given.filter(|_| spec.slot.is_none()) {
            Some(given) => given,
            None => Self::named(program, spec, &on_line, last)?,
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

    /// Finds what a name of the kernel means on a line, and the statement.
    fn named(
        program: &'a Program,
        spec: &DumpSpec,
        on_line: &[(&'a Stmt, &'a Instr)],
        last: &'a Stmt,
    ) -> Result<(&'a Stmt, Subject<'a>), RunError> {
        Ok(match named(program, &spec.name)? {
            Named::Variables(ids) => (last, Subject::Variable(ids[0])),
            Named::Global(id) => used(on_line, |view| {
                view.global().map(|view| view.global) == Some(id)
            })
            .unwrap_or((last, Subject::Tensor(id))),
            Named::Buffers(ids) => {
                let is_meant =
                    |view: &View| view.local().is_some_and(|view| ids.contains(&view.buffer));
                match (used(on_line, is_meant), spec.slot) {
                    (Some((stmt, Subject::View(View::Local(view)))), Some(slot)) => {
                        (stmt, Subject::Slot(view.buffer, slot))
                    }
                    (Some(found), _) => found,
                    (None, slot) => (last, Subject::Slot(ids[0], slot.unwrap_or(0))),
                }
            }
        })
    }

    /// Returns whether this is the statement after which the value is recorded.
    pub fn watches(&self, stmt: StmtId) -> bool {
        self.dump.stmt == stmt
    }

    /// Returns whether the value was recorded.
    pub fn is_complete(&self) -> bool {
        self.dump.seen.is_some()
    }

    /// Records the requested value if the execution that has just ended is the one that the request names.
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

    /// Returns the result.
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

/// Returns a scalar as a tensor of one element.
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

/// Returns whether lanes report an instruction to observers: all but synchronisation.
fn has_effect(instr: &Instr) -> bool {
    !matches!(
        instr.row().class,
        Class::Barrier | Class::Event | Class::CrossFlag | Class::Mutex
    )
}

/// Returns the last instruction that writes such a tensor, with its view, or the last that reads it if none
/// writes it.
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

/// Returns what a name refers to.
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

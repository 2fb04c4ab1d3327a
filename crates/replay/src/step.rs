//! Executions of instructions, with their operands before and after.

use a2lint_ir::finding::Mark;
use a2lint_ir::{Instr, Program, StmtId, View};
use a2lint_isa::{Access, ParamKind};
use a2lint_machine::{Inspection, LaneId, Site, Snapshot, Value};
use a2lint_source::text::SourceText;

/// Number of slots of the vector mask that `set_mask` sets.
const MASK_SLOTS: usize = 128;
/// Longest source text of a view that is shown, in bytes.
const LONGEST_TEXT: usize = 40;

/// An execution of a watched instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The statement.
    pub stmt: StmtId,
    /// The cube or vec core that executed the statement.
    pub lane: LaneId,
    /// Iteration numbers of the loops around it, outermost first.
    pub iterations: Vec<i64>,
    /// Index of the execution among those of this statement on the lane.
    pub execution: u64,
    /// Unset slots among the first 128 of the vector mask; empty if the instruction ignores the mask.
    pub masked: Vec<usize>,
    /// The tensor operands of the instruction.
    pub operands: Vec<OperandValues>,
    /// The values that the instruction computes with and that are no constants, and the one that it reads from memory.
    pub scalars: Vec<ScalarValue>,
}

/// The value of a scalar operand.
#[derive(Clone, Debug, PartialEq)]
pub struct ScalarValue {
    /// The expression as written, or the variable; empty for a variable without a name.
    pub text: String,
    /// The value.
    pub value: f64,
    /// Whether the value is an integer.
    pub is_whole: bool,
    /// Whether the instruction sets it.
    pub is_result: bool,
}

/// The values of an operand before and after an instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct OperandValues {
    /// Name of the parameter.
    pub parameter: &'static str,
    /// The view as written.
    pub text: String,
    /// How the instruction accesses it.
    pub access: Access,
    /// Values before the instruction; `None` if they cannot be shown.
    pub before: Option<Snapshot>,
    /// Values after the instruction, if it may have changed them.
    pub after: Option<Snapshot>,
    /// Elements that the vector mask switches off; empty if the instruction ignores the mask.
    pub masked: Vec<bool>,
}

impl Step {
    /// Records the state before an instruction executes.
    pub fn before(
        source: &SourceText,
        program: &Program,
        instr: &Instr,
        (site, execution): (&Site, u64),
        inspection: &mut Inspection,
    ) -> Step {
        let operands = instr.operands().filter_map(|(index, operand, view)| {
            Some(OperandValues {
                parameter: program.dialect.parameter(instr.row(), index)?,
                text: view_text(source, program, view).to_owned(),
                access: operand.access,
                before: inspection.view(view),
                after: None,
                masked: inspection.masked(index).unwrap_or_default(),
            })
        });
        Step {
            stmt: site.stmt,
            lane: site.lane,
            iterations: site.iterations.to_vec(),
            execution,
            operands: operands.collect(),
            masked: masked(instr, inspection),
            scalars: scalars(source, program, instr, inspection),
        }
    }

    /// Returns whether every operand that can be shown has an element.
    pub fn is_telling(&self) -> bool {
        let mut shown = self.operands.iter().filter_map(OperandValues::shown);
        shown.all(|snapshot| !snapshot.values.is_empty())
    }

    /// Adds the values of written operands after the instruction.
    pub fn complete(&mut self, program: &Program, instr: &Instr, inspection: &mut Inspection) {
        if let Some(variable) = instr.reads_into() {
            let name = program.variable(variable).name.to_string();
            let read = ScalarValue::new(name, inspection.variable(variable), true);
            self.scalars.extend(read);
        }
        for (values, (_, operand, view)) in self.operands.iter_mut().zip(instr.operands()) {
            if operand.access.writes() {
                values.after = inspection.view(view);
            }
        }
    }
}

/// Returns the values that an instruction computes with, without constants.
fn scalars(
    source: &SourceText,
    program: &Program,
    instr: &Instr,
    inspection: &mut Inspection,
) -> Vec<ScalarValue> {
    let mut found = Vec::new();
    for (param, arg) in instr.row().params().zip(&instr.args) {
        let is_value = matches!(param.kind, ParamKind::Value | ParamKind::OperandOrValue(_));
        let scalar = arg.value.scalar().filter(|_| is_value);
        let Some(id) = scalar.filter(|id| program.scalars.as_float(*id).is_none()) else {
            continue;
        };
        let value = inspection.scalar(id);
        let written = arg.span().map_or("", |span| source.slice(span));
        let is_short = !written.is_empty() && written.len() <= LONGEST_TEXT;
        let text = match is_short && !written.contains(['\n', ';']) {
            true => written,
            false => param.name,
        };
        found.extend(ScalarValue::new(text.to_owned(), value, false));
    }
    found
}

/// Returns the unset slots of the mask, if the instruction obeys it.
fn masked(instr: &Instr, inspection: &Inspection) -> Vec<usize> {
    if !instr.row().mask.consumes() {
        return Vec::new();
    }
    let mask = inspection.mask();
    (0..MASK_SLOTS).filter(|&slot| !mask.is_set(slot)).collect()
}

impl ScalarValue {
    /// Describes a scalar; `None` if it has no value.
    fn new(text: String, value: Value, is_result: bool) -> Option<ScalarValue> {
        Some(ScalarValue {
            text,
            value: value.as_float().ok()?,
            is_whole: matches!(value, Value::Int(_) | Value::Large(_)),
            is_result,
        })
    }
}

impl OperandValues {
    /// Returns the values to show: those after the instruction if it writes the operand.
    pub fn shown(&self) -> Option<&Snapshot> {
        self.after.as_ref().or(self.before.as_ref())
    }

    /// Returns whether the instruction changed an element. Values are compared by bits, so that an unchanged NaN is no
    /// change; an element that stays undefined is none either.
    pub fn is_changed(&self, index: usize) -> bool {
        let (Some(before), Some(after)) = (&self.before, &self.after) else {
            return false;
        };
        let bits = |snapshot: &Snapshot| snapshot.values.get(index).map(|value| value.to_bits());
        let defined = [before, after].map(|snapshot| snapshot.defined.get(index) == Some(&true));
        match defined {
            [true, true] => bits(before) != bits(after),
            // An element that became defined or undefined has changed.
            [was, is] => was != is,
        }
    }

    /// Returns the element to start at: the first undefined one, else the first that changed while others did
    /// not.
    pub fn focus(&self) -> usize {
        self.undefined().1.unwrap_or_else(|| self.first_changed())
    }

    /// Returns the first element that changed while others did not; 0 if there is none.
    pub fn first_changed(&self) -> usize {
        let elements = self.shown().map_or(0, |it| it.values.len());
        let is_part = self.changed() < elements;
        let mut changed = (0..elements).filter(|&at| is_part && self.is_changed(at));
        changed.next().unwrap_or(0)
    }

    /// Returns the mark of an element. If all elements changed, none is marked as changed.
    pub fn mark(&self, index: usize) -> Mark {
        let elements = self.shown().map_or(0, |it| it.values.len());
        match self.is_masked(index) {
            _ if self.is_changed(index) && self.changed() < elements => Mark::Changed,
            true => Mark::Masked,
            false => Mark::None,
        }
    }

    /// Returns how many elements the instruction changed.
    pub fn changed(&self) -> usize {
        let elements = self.after.as_ref().map_or(0, |after| after.values.len());
        (0..elements)
            .filter(|&index| self.is_changed(index))
            .count()
    }

    /// Returns whether the mask switches an element off.
    pub fn is_masked(&self, index: usize) -> bool {
        self.masked.get(index).copied().unwrap_or(false)
    }

    /// Returns how many elements the mask switches off, and the first of them.
    pub fn masked_off(&self) -> (usize, Option<usize>) {
        let count = self.masked.iter().filter(|&&masked| masked).count();
        (count, self.masked.iter().position(|&masked| masked))
    }

    /// Returns how many of the shown elements are undefined, and the first of them.
    pub fn undefined(&self) -> (usize, Option<usize>) {
        let defined = self.shown().map_or(&[][..], |snapshot| &snapshot.defined);
        let count = defined.iter().filter(|&&defined| !defined).count();
        (count, defined.iter().position(|&defined| !defined))
    }
}

/// Returns a view as written, or the name of its tensor if that is too long.
pub fn view_text<'a>(source: &'a SourceText, program: &'a Program, view: &View) -> &'a str {
    let text = source.slice(view.site());
    match view {
        _ if !text.is_empty() && text.len() <= LONGEST_TEXT && !text.contains('\n') => text,
        View::Local(view) => program.buffer(view.buffer).label(),
        View::Global(view) => &program.global(view.global).name,
    }
}

//! Calls of instructions: arguments are bound to the parameters of the table and checked.

use std::rc::Rc;

use super::bind::repeat_in_mode_position;
use super::tracer::{Eval, Tracer};
use super::unknown::Emission;
use super::value::Value;
use a2lint_ir::build::{Call, Given, Replaced};
use a2lint_ir::{ArgValue, Instr, NoEffect, NoteKind, PythonNote, Scalar, View};
use a2lint_isa::{
    Class, DST, DType, Dialect, Instruction, Opcode, ParamKind, Place, Position, SRC, SelectMode,
};
use a2lint_source::text::Span;

/// A value and the span of the expression that gave it.
pub(super) type Spanned<'a> = (Value<'a>, Span);

/// The evaluated arguments of a call.
#[derive(Clone, Default)]
pub(super) struct Arguments<'a> {
    pub positional: Vec<Spanned<'a>>,
    pub keywords: Vec<(String, Value<'a>, Span)>,
    /// Values that `**` spreads, if their contents are unknown.
    pub spread: Vec<Value<'a>>,
}

impl<'a> Arguments<'a> {
    /// Returns the argument at a place of the call.
    pub fn given(&self, given: Given) -> Spanned<'a> {
        match given {
            Given::Position(at) => self.positional[at].clone(),
            Given::Named(at) => {
                let (_, value, span) = &self.keywords[at];
                (value.clone(), *span)
            }
        }
    }

    /// Returns every value that is passed.
    pub fn values(&self) -> impl Iterator<Item = &Value<'a>> {
        let positional = self.positional.iter().map(|(value, _)| value);
        let keywords = self.keywords.iter().map(|(_, value, _)| value);
        positional.chain(keywords).chain(&self.spread)
    }
}

impl<'a> Tracer<'a> {
    /// Emits the call of an instruction. `receiver` is the object if the instruction is called as a method.
    pub fn emit_call(
        &mut self,
        opcode: Opcode,
        receiver: Option<ArgValue>,
        arguments: Arguments<'a>,
        name_span: Span,
        explicit: bool,
    ) -> Eval<()> {
        let row = opcode.row();
        // Host code may call an instruction by mistake; there is no program to emit it into.
        if !self.in_kernel() {
            return Ok(());
        }
        // Debug instructions have no effect on data. Only a rewind of the allocator concerns the program: buffers
        // declared later may overlap.
        if row.class == Class::Debug {
            let rewinds = opcode == Opcode::ResetCache && !self.is_compiled();
            self.builder().program.rewinds_memory |= rewinds;
            return Ok(());
        }
        // A file can hold a value of another dialect's facade; the default dialect then names the parameters.
        let own = self.dialect.signature(opcode);
        let Some(signature) = own.or_else(|| Dialect::default().signature(opcode)) else {
            return Ok(());
        };
        // After a call that raises, the destination may hold anything, so later reads must not be reported.
        let Some(mut slots) = self.slots(signature, &arguments, name_span) else {
            return self.give_up(row, &arguments);
        };
        if !self.is_compiled() {
            repeat_in_mode_position(row, &mut slots);
        }
        let params = row.params().enumerate();
        // The signature of the dialect may describe a parameter more narrowly than the row.
        let bound = params.zip(&slots).map(|((at, canonical), slot)| {
            let param = signature.param(at).unwrap_or(canonical);
            let (value, span) = slot.as_ref()?;
            Some((self.argument(param, value, *span), *span))
        });
        let call = Call {
            opcode,
            signature,
            receiver,
            arguments: bound.collect(),
            name_span,
            explicit,
        };
        let bound = self.builder().bind(call)?;
        for misfit in &bound.misfits {
            if let Some((value, _)) = &slots[misfit.at] {
                self.raise_misfit(signature, *misfit, value);
            }
        }
        // Misfits that are not fatal leave an instruction that can still be analysed.
        if bound.misfits.iter().any(|misfit| misfit.fault.is_fatal()) {
            return self.give_up(row, &arguments);
        }
        // The instruction may be any of its forms, so it is emitted as unknown code with its operands.
        if bound.has_unknown_operand || !arguments.spread.is_empty() {
            let span = self.builder().statement;
            let what = || format!("an operand of {}() is not known", row.name);
            return self.unknown_code(span, what, arguments.values(), Emission::Certain);
        }
        let instr = bound.instr;
        if self.contradicts_itself(&instr) {
            return self.give_up(row, &arguments);
        }
        self.check_atomic(&instr);
        if self.refuse_float_republish(&instr)? {
            return Ok(());
        }
        if let Some(replaced) = self.builder().instruction(instr)? {
            self.note_replaced(row, &replaced);
        }
        Ok(())
    }

    /// Notes arguments that have no effect because the extents that they belong to are left out.
    fn note_replaced(&mut self, row: &'static Instruction, replaced: &Replaced) {
        let name = |at: usize| row.params().nth(at).map_or("", |param| param.name);
        for &(at, span) in &replaced.given {
            let kind = NoEffect::ReplacedExtent {
                name: row.name,
                extent: name(at),
                left_out: replaced.left_out.iter().map(|&at| name(at)).collect(),
            };
            self.note(span, PythonNote::NoEffect(kind));
        }
    }

    /// Returns whether the call violates a rule that arguments exclude or require each other; notes the violation.
    fn contradicts_itself(&mut self, instr: &Instr) -> bool {
        let given = |name: &str| instr.scalar_named(name).is_some();
        let is_compiled = self.is_compiled();
        let [starts_by_cell, splits_by_cell] = {
            let scalars = &self.builder().program.scalars;
            let is_cell = |name: &str| {
                let given = instr.scalar_named(name);
                given.is_some_and(|id| matches!(scalars.get(id), Scalar::Variable(_)))
            };
            // A cell is read on the device, so its value is unknown to the compiler, which must choose a form now.
            [is_cell("is_init"), is_cell("splitn") || is_cell("splitk")]
        };
        let row = instr.row();
        let (name, span) = (row.name, instr.name_span);
        let message = match row.class {
            Class::Matmul if given("splitn") && given("splitk") => {
                format!("{name}() takes splitn or splitk, not both")
            }
            Class::Cast if given("dst_rep_stride") != given("src_rep_stride") => {
                format!("{name}() takes both repeat strides or none")
            }
            Class::Gather if self.is_compiled() && !row.gathers() => {
                format!("{name}() is printed as nothing: A2 has no instruction for it")
            }
            Class::Select
                if self.is_compiled()
                    && is_select(instr, SelectMode::TensorTensor)
                    && !has_operand(instr, "tmp_addr_buf") =>
            {
                format!("{name}() of two tensors needs `tmp_addr_buf`, eight uint32 in UB")
            }
            Class::Matmul
                if row.stages_operands()
                    && self.is_compiled()
                    && has_operand(instr, "bias")
                    && (is_flag(instr, "is_init", false) || starts_by_cell) =>
            {
                format!("{name}() adds a bias only where it starts: `is_init=True`")
            }
            Class::Matmul if is_compiled && splits_by_cell => {
                format!(
                    "{name}() is split by a number that is known when it is compiled, not by a cell"
                )
            }
            // A flag orders two pipes. The instructions of one pipe are in order already.
            Class::Event if is_compiled && same_pipes(instr).is_some() => {
                let pipe = same_pipes(instr).unwrap_or_default();
                format!("{name}() goes from one pipe to another, and this has both ends on {pipe}")
            }
            Class::Fill if is_compiled && given("count") && self.strides_of_count(instr) => {
                format!(
                    "{name}() with `count` fills lanes that stand side by side: its strides are 1 and 8"
                )
            }
            Class::Select
                if is_compiled
                    && is_select(instr, SelectMode::TensorTensor)
                    && self
                        .elements_of(instr, "tmp_addr_buf")
                        .is_some_and(|it| it < 8) =>
            {
                let elements = self.elements_of(instr, "tmp_addr_buf").unwrap_or(0);
                format!(
                    "{name}() of two tensors needs eight uint32 of `tmp_addr_buf`, which has {elements}"
                )
            }
            // The compiled dialect would generate a C++ conversion that the toolchain does not have.
            Class::Scalar if is_compiled && self.reads_bfloat16(instr) => {
                format!(
                    "{name}() of bfloat16 elements does not compile: they have no conversion to a scalar"
                )
            }
            Class::Compare if row.compares_scalar() && self.is_compiled() => {
                match self.compared_families(instr) {
                    Some(message) => message,
                    None => return false,
                }
            }
            _ => return false,
        };
        self.raise(span, "ValueError", message);
        true
    }

    /// Notes an atomic store of an element type that the memory cannot accumulate.
    fn check_atomic(&mut self, instr: &Instr) {
        let stored = self.stores_for(instr).filter(|_| self.is_in_atomic);
        if let Some(dtype) = stored.filter(|&dtype| !is_atomic(dtype)) {
            let name = instr.row().name;
            let message = format!(
                "{name}() cannot store {dtype} elements atomically: half, bfloat16, float, int8, int16 \
                 and int can be"
            );
            self.raise(instr.name_span, "ValueError", message);
        }
    }

    /// Returns whether strides are given that contradict a fill by `count`, which is contiguous.
    fn strides_of_count(&mut self, instr: &Instr) -> bool {
        let scalars = &self.builder().program.scalars;
        let differs = |name: &str, wanted: i64| {
            // Only literal strides are compared: an unknown one may be right.
            let given = instr.scalar_named(name).and_then(|id| scalars.as_int(id));
            given.is_some_and(|given| given != wanted)
        };
        differs("dst_blk_stride", 1) || differs("dst_rep_stride", 8)
    }

    /// Returns the number of elements that an operand views, if it is a constant.
    fn elements_of(&mut self, instr: &Instr, name: &str) -> Option<i64> {
        let ArgValue::View(view) = &instr.named(name)?.value else {
            return None;
        };
        let span = view.local()?.span;
        let scalars = &self.builder().program.scalars;
        scalars
            .as_int(span[0])?
            .checked_mul(scalars.as_int(span[1])?)
    }

    fn reads_bfloat16(&mut self, instr: &Instr) -> bool {
        // Only instructions that read into a scalar convert the element.
        if instr.reads_into().is_none() {
            return false;
        }
        let program = &self.builder().program;
        instr.operands().any(|(_, _, view)| match view {
            View::Local(view) => view.dtype == DType::BFloat16,
            View::Global(view) => program.global(view.global).dtype == Some(DType::BFloat16),
        })
    }

    /// Returns the element type that a move to GM stores; `None` if it is unknown or the move does not store there.
    fn stores_for(&mut self, instr: &Instr) -> Option<DType> {
        let program = &self.builder().program;
        let mut operands = instr.operands();
        operands.find_map(|(_, operand, view)| match view {
            View::Global(view) if operand.access.writes() => program.global(view.global).dtype,
            _ => None,
        })
    }

    /// Returns the message for a comparison of floats with an integer, or of integers with a float.
    fn compared_families(&mut self, instr: &Instr) -> Option<String> {
        let source = instr.local(SRC)?.dtype;
        let scalar = instr.scalar(ParamKind::Value)?;
        let of = self.builder().program.scalars.type_of(scalar);
        let is_float = match of {
            // A parameter of a launch may be an int or a float.
            Some(of) if of.or_float => return None,
            Some(of) => of.dtype.is_float(),
            None => false,
        };
        (is_float != source.is_float()).then(|| {
            let name = instr.row().name;
            let (wanted, given) = match is_float {
                true => ("an integer", "a float"),
                false => ("a float", "an integer"),
            };
            format!("{name}() of {source} elements takes {wanted}, not {given}")
        })
    }

    /// Treats a call that raises as a write of unknown data to its destinations.
    fn give_up(&mut self, row: &'static Instruction, arguments: &Arguments<'a>) -> Eval<()> {
        let buffers = arguments.values().filter_map(|value| match value {
            Value::Local(view) => Some(view.buffer),
            Value::Ring(buffer) => Some(*buffer),
            _ => None,
        });
        let buffers: Vec<_> = buffers.collect();
        // The order that the instruction would establish for its buffers is missing: hazards that concern them are
        // left out.
        self.builder().program.dropped.extend(buffers);
        let operands = row
            .params()
            .filter(|param| param.kind != ParamKind::Receiver);
        // Any keyword may name a destination, so all of them are included.
        let written = operands.zip(&arguments.positional).filter(|(param, _)| {
            let operand = param.operand();
            operand.is_some_and(|operand| operand.access.writes())
        });
        let written = written.map(|(_, (value, _))| value);
        let keywords = arguments.keywords.iter().map(|(_, value, _)| value);
        let views = written.chain(keywords).filter_map(|value| match value {
            Value::Local(view) => Some(View::Local(view.as_ref().clone())),
            _ => None,
        });
        self.havoc(views.collect())
    }

    /// Makes views hold unknown but defined values from here on.
    pub fn havoc(&mut self, views: Vec<View>) -> Eval<()> {
        Ok(self.builder().havoc(views)?)
    }

    /// Refuses moves from L0C to float L1, for which A2 has no data path, in the dialect that traces.
    fn refuse_float_republish(&mut self, instr: &Instr) -> Eval<bool> {
        let (Some(dst), Some(src)) = (instr.local(DST), instr.view(SRC)) else {
            return Ok(false);
        };
        // The compiler of the other dialect accepts it, although its documentation says otherwise.
        let republishes = instr.row().moves(Place::Local(Position::L0C), Place::L1);
        if self.is_compiled() || !republishes || dst.dtype != DType::Float {
            return Ok(false);
        }
        let kind = NoteKind::IllegalMove {
            dst: Some(Position::L1),
            src: Some(Position::L0C),
            dst_text: self.text(dst.site),
            src_text: self.text(src.site()),
            views: Box::new([View::Local(dst.clone()), src.clone()]),
        };
        let dst = dst.clone();
        let span = self.builder().statement;
        self.note(span, kind);
        self.havoc(vec![View::Local(dst)])?;
        Ok(true)
    }

    /// Emits a vector expression into its destination.
    pub fn emit_vector(
        &mut self,
        dst: Spanned<'a>,
        vector: &Rc<super::value::VectorExpr<'a>>,
    ) -> Eval<()> {
        vector.consumed.set(true);
        let mut positional = vec![dst];
        positional.extend(vector.sources.iter().cloned());
        let mut keywords = Vec::new();
        // The round mode is a keyword; a scalar follows the operands by position.
        match (&vector.trailing, vector.opcode) {
            (Some((mode @ Value::Round(_), span)), _) => {
                keywords.push(("round_mode".to_owned(), mode.clone(), *span));
            }
            (Some(scalar), _) => positional.push(scalar.clone()),
            (None, _) => {}
        }
        let name_span = vector.op_span;
        self.integer_views(vector.opcode, &mut positional);
        let arguments = Arguments {
            positional,
            keywords,
            spread: Vec::new(),
        };
        self.emit_call(vector.opcode, None, arguments, name_span, false)
    }

    /// Reinterprets float operands of `&`, `|` and `vnot` as int32 views of the same bytes, as the DSL does.
    fn integer_views(&mut self, opcode: Opcode, operands: &mut [Spanned<'a>]) {
        let bitwise = opcode.row().is_bitwise();
        let foreign = |value: &Value| match value {
            Value::Local(view) => {
                matches!(view.dtype, DType::Half | DType::BFloat16 | DType::Float)
            }
            _ => false,
        };
        if !bitwise || !operands.iter().any(|(value, _)| foreign(value)) {
            return;
        }
        // If one operand is reinterpreted, all are: the extents must agree.
        for (value, _) in operands {
            if let Value::Local(view) = value {
                let view = self.reinterpreted(view, DType::Int);
                *value = Value::Local(Rc::new(view));
            }
        }
    }
}

fn is_select(instr: &Instr, mode: SelectMode) -> bool {
    let given = instr.arg(ParamKind::Select).map(|arg| &arg.value);
    given == Some(&ArgValue::Select(mode))
}

/// Returns the pipe of a flag whose source and destination are the same; `None` if they differ.
fn same_pipes(instr: &Instr) -> Option<&'static str> {
    let end = |name: &str| match instr.named(name)?.value {
        ArgValue::Pipe(pipe) => Some(pipe),
        _ => None,
    };
    let (src, dst) = (end("src")?, end("dst")?);
    (src == dst).then(|| src.name())
}

/// Returns whether atomic stores can add (or take the maximum of) elements of a type.
fn is_atomic(dtype: DType) -> bool {
    use DType as D;
    matches!(
        dtype,
        D::Half | D::BFloat16 | D::Float | D::Int8 | D::Int16 | D::Int
    )
}

fn has_operand(instr: &Instr, name: &str) -> bool {
    let given = instr.named(name).map(|arg| &arg.value);
    matches!(given, Some(ArgValue::View(_) | ArgValue::Unknown))
}

fn is_flag(instr: &Instr, name: &str, value: bool) -> bool {
    instr.named(name).map(|arg| &arg.value) == Some(&ArgValue::Bool(value))
}

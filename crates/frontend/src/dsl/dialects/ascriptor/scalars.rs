//! Scalars: in-place updates, and division that rounds down.

use super::super::super::emit::Arguments;
use super::super::super::operations::device_operation;
use super::super::super::scalars::PythonScalars;
use super::super::super::tracer::{Eval, Tracer};
use super::super::super::value::Value;
use a2lint_ir::{BinaryOp, VariableId, VariableKind};
use a2lint_isa::Opcode;
use a2lint_source::text::Span;
use a2lint_syntax::python::ast;

impl<'a> Tracer<'a> {
    /// Returns the variable of a value that is a cell (a declared variable), or `None`.
    pub fn cell(&self, value: &Value<'a>) -> Option<VariableId> {
        let Value::Var(id) = value else {
            return None;
        };
        let builder = self.kernel.as_ref()?;
        (builder.program.variable(*id).kind == VariableKind::Declared).then_some(*id)
    }

    /// Evaluates `v += x`, `v <<= view`, `v >>= view` and the like of a cell; returns whether it was an update.
    pub fn update_cell(
        &mut self,
        cell: VariableId,
        op: ast::BinaryOp,
        (src, src_span): (&Value<'a>, Span),
        op_span: Span,
    ) -> Eval<bool> {
        let is_view = matches!(src, Value::Local(_) | Value::Global(_) | Value::Element(_));
        let access = match op {
            // With a view on the right, the shift operators read an element of it or write one.
            ast::BinaryOp::Shl if is_view => Some(Opcode::GetValueFrom),
            ast::BinaryOp::Shr if is_view => Some(Opcode::SetValueTo),
            _ => None,
        };
        if let Some(access) = access {
            let arguments = Arguments {
                positional: vec![(src.clone(), src_span)],
                ..Arguments::default()
            };
            let receiver = Some(a2lint_ir::ArgValue::Variable(cell));
            self.emit_call(access, receiver, arguments, op_span, false)?;
            return Ok(true);
        }
        // `<<=` with a number assigns; it never shifts a cell.
        if op == ast::BinaryOp::Shl {
            let id = self.builder().scalar(src);
            self.builder().assign(cell, id)?;
            return Ok(true);
        }
        // Other operands and operators are left to Python.
        let Some(op) = device_operation(op).filter(|_| src.is_scalar() || src.is_unknown()) else {
            return Ok(false);
        };
        let before = Value::Var(cell);
        let op = self.floored(op, &before, src);
        // After the mistake the cell has an unknown value, but it has one.
        if self.refuses_divisor(op, (&before, src), src_span) {
            let unknown = self.builder().unknown();
            self.builder().assign(cell, unknown)?;
            return Ok(true);
        }
        let value = self.device_binary(op, &before, src)?;
        let id = self.builder().scalar(&value);
        self.builder().assign(cell, id)?;
        Ok(true)
    }

    /// Returns the operation as the dialect performs it: integer division rounds down.
    pub fn floored(&mut self, op: BinaryOp, a: &Value<'a>, b: &Value<'a>) -> BinaryOp {
        let floor = match op {
            BinaryOp::Div => BinaryOp::FloorDiv,
            BinaryOp::Mod => BinaryOp::FloorMod,
            _ => return op,
        };
        let builder = self.builder();
        let (x, y) = (builder.scalar(a), builder.scalar(b));
        let of = builder.program.scalars.binary_type(op, x, y);
        // A parameter that may be a float is divided as its launch decides.
        match of.dtype.is_float() || of.or_float {
            true => op,
            false => floor,
        }
    }

    /// Returns whether the divisor of an integer operation is a literal 0, which the compiler rejects; the mistake is
    /// noted.
    pub fn refuses_divisor(
        &mut self,
        op: BinaryOp,
        (a, b): (&Value<'a>, &Value<'a>),
        span: Span,
    ) -> bool {
        let divides = matches!(
            op,
            BinaryOp::Div | BinaryOp::Mod | BinaryOp::FloorDiv | BinaryOp::FloorMod
        );
        // The number of cube cores is queried at run time, so a 0 that results from it is not rejected by the
        // compiler.
        if !divides || b.as_int() != Some(0) || self.asks_absent_cubes() {
            return false;
        }
        let builder = self.builder();
        let (x, y) = (builder.scalar(a), builder.scalar(b));
        let of = builder.program.scalars.binary_type(op, x, y);
        let is_integer = !of.dtype.is_float() && !of.or_float;
        if is_integer {
            self.raise(
                span,
                "ValueError",
                "the compiler refuses to divide an integer by 0",
            );
        }
        is_integer
    }

    /// Evaluates `var_div(a, b, rounding="floor")` and `var_mod`.
    pub fn rounded(&mut self, op: BinaryOp, arguments: &Arguments<'a>) -> Eval<Value<'a>> {
        let (Some((a, _)), Some((b, b_span))) = (arguments.named("a", 0), arguments.named("b", 1))
        else {
            return Ok(Value::Unknown);
        };
        if !a.is_scalar() || !b.is_scalar() {
            return Ok(Value::Unknown);
        }
        let op = match arguments.keyword("rounding") {
            None => self.floored(op, &a, &b),
            Some(Value::Str(rounding)) if &**rounding == "floor" => self.floored(op, &a, &b),
            Some(Value::Str(rounding)) if &**rounding == "trunc" => op,
            Some(_) => return Ok(Value::Unknown),
        };
        // With a Python number on the left, Python itself would compute the division.
        let divides = matches!(a, Value::Var(_)) && self.refuses_divisor(op, (&a, &b), b_span);
        match divides {
            true => Ok(Value::Unknown),
            false => self.folded_binary(op, &a, &b),
        }
    }

    /// Computes an operation at trace time if both operands are Python numbers, and on the device otherwise.
    pub fn folded_binary(&mut self, op: BinaryOp, a: &Value<'a>, b: &Value<'a>) -> Eval<Value<'a>> {
        let builder = self.builder();
        let (x, y) = (builder.scalar(a), builder.scalar(b));
        let result = builder.binary(op, x, y);
        let is_number = |it: &Value<'a>| it.as_float().is_some();
        // The builder folds constants by the rules of the device, which a Python computation might not follow.
        match is_number(a) && is_number(b) {
            true => self.scalar_value(result),
            false => self.device_binary(op, a, b),
        }
    }

    /// Evaluates `~x` and `var_inv(x)`.
    pub fn inverted(&mut self, value: &Value<'a>) -> Eval<Value<'a>> {
        match value {
            Value::Int(number) => Ok(Value::Int(!number)),
            // `~x` is `x ^ -1` in two's complement.
            Value::Var(_) => self.device_binary(BinaryOp::BitXor, value, &Value::Int(-1)),
            _ => Ok(Value::Unknown),
        }
    }

    /// Evaluates `set_mask_by_count(n)`, which enables the first `n` lanes.
    pub fn mask_by_count(&mut self, arguments: &Arguments<'a>, span: Span) -> Eval<()> {
        let count = arguments.at(0).and_then(Value::as_int);
        // The mask has 128 bits in two words, the high one first.
        let word = |first: i128| {
            let lanes = count.map(|count| (count - first).clamp(0, 64) as u32);
            lanes.map_or(Value::Unknown, |lanes| {
                // 64 lanes need a shift within 128 bits.
                Value::Int(1_i128.checked_shl(lanes).map_or(0, |bit| bit - 1))
            })
        };
        let given = Arguments::of([word(64), word(0)], span);
        self.emit_call(Opcode::SetMask, None, given, span, true)
    }
}

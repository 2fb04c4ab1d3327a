//! Augmented assignment: `dst <<= src`, and in-place updates of device scalars and host objects.

use std::rc::Rc;

use super::emit::Arguments;
use super::python::native::Site;
use super::scalars::PythonScalars;
use super::tensors::arithmetic;
use super::tracer::{Eval, Tracer};
use super::unknown::Emission;
use super::value::{Value, VectorExpr};
use a2lint_ir::{NoEffect, NoteKind, PythonNote, View};
use a2lint_isa::{Layout, Opcode, Position};
use a2lint_source::text::Span;
use a2lint_syntax::python::ast::{self, ExprKind};

/// The target of an augmented assignment, with its parts evaluated.
enum AugmentedPlace<'a> {
    Name(&'a str),
    Item(Value<'a>, Value<'a>),
    Attribute(Value<'a>, &'a str),
    /// Any other target, and every target in a kernel. It is evaluated twice, which has no effect: views have no
    /// identity.
    Other,
}

/// Maximum length of source text in a note, in bytes.
const LONG: usize = 60;

impl<'a> Tracer<'a> {
    pub fn augmented(
        &mut self,
        target: &'a ast::Expr,
        op: ast::BinaryOp,
        op_span: Span,
        value: &'a ast::Expr,
    ) -> Eval<()> {
        let place = self.place(target)?;
        let dst = self.read_place(&place, target)?;
        let src = self.eval(value)?;
        if let (true, Some(cell)) = (self.compiled, self.cell(&dst))
            && self.update_cell(cell, op, (&src, value.span), op_span)?
        {
            return Ok(());
        }
        // Checked before the operands are unpacked as Python objects: `<<=` never shifts if the target is a tensor or
        // a device variable.
        if op == ast::BinaryOp::Shl && self.in_kernel() && is_destination(&dst) {
            return self.copy((dst, target.span), (src, value.span), op_span);
        }
        // The target may be any tensor, so the statement is listed as unknown code.
        if op == ast::BinaryOp::Shl && dst.is_unknown() && self.in_kernel() {
            let text = self.text(target.span);
            let what = || format!("what `{text}` is, is not known");
            return self.unknown_code(target.span, what, [&src], Emission::Given);
        }
        // `var += x` updates the cell in place; the other operators rebind the name to a new temporary, which is
        // noted below.
        if let (ast::BinaryOp::Add, Value::Var(variable)) = (op, &dst)
            && self.in_kernel()
            && !self.compiled
        {
            let builder = self.builder();
            let before = builder.scalar(&dst);
            let step = builder.scalar(&src);
            let sum = builder.binary(a2lint_ir::BinaryOp::Add, before, step);
            return Ok(builder.assign(*variable, sum)?);
        }
        if let (Value::Var(_), ExprKind::Name(name), false) = (&dst, &target.kind, self.compiled) {
            let (operator, operand) = (self.text(op_span), self.text(value.span));
            let operator = operator.trim_end_matches('=');
            // The suggested code must keep the precedence of the operand.
            let operand = match is_atom(value) {
                true => operand,
                false => format!("({operand})"),
            };
            let in_place = format!("{name} <<= {name} {operator} {operand}");
            if let Some(update) = self.lost_update(name, in_place) {
                self.note(target.span.to(value.span), update);
            }
        }
        // An augmented assignment uses the expression; it must not be reported as unused.
        if matches!(src, Value::Vector(_)) {
            super::operations::consume(&src);
        }
        if let (Value::HostTensor(tensor), true) = (&dst, op != ast::BinaryOp::MatMul) {
            // NumPy and torch write `x += y` into the elements of `x`, so all views see the change. `@=` is left out,
            // since it may change the shape.
            tensor.update(arithmetic::binary(self.torch_float, op, &dst, &src));
            self.written(tensor);
            return Ok(());
        }
        // With a number on the right, an unknown target is most likely a number itself, which is immutable.
        if let Value::Unknown = dst
            && (src.as_float().is_none() || self.hidden.can_add_numbers())
        {
            // An unknown object may be changed in place.
            self.lose(&dst)?;
        }
        let span = target.span.to(value.span);
        let site = Site::at(span);
        // The order of Python: `__iadd__` of the class, then the in-place operation of containers, then the binary
        // operator.
        let result = match self.class_augmented(op, (&dst, &src), span)? {
            Some(result) => result,
            None if self.changed_in_place(op, &dst, &src, site)? => dst,
            None => self.binary(op, op_span, (dst, target.span), (src, value.span), span)?,
        };
        if let (ExprKind::Name(name), Value::Vector(vector)) = (&target.kind, &result) {
            self.pending_expression(vector.clone(), name, span);
        }
        match place {
            AugmentedPlace::Name(name) => self.bind_name(name, result),
            AugmentedPlace::Item(object, index) => {
                // What an unknown container keeps may be reached from elsewhere.
                if object.is_unknown() {
                    self.hand_on(target, &result)?;
                }
                self.set_item(&object, index, result, target.span)?;
            }
            AugmentedPlace::Attribute(object, name) => {
                if !self.set_attribute(&object, name, result.clone())? {
                    self.hand_on(target, &result)?;
                }
            }
            AugmentedPlace::Other => self.assign(target, result, span)?,
        }
        Ok(())
    }

    /// Evaluates the parts of an augmented assignment's target, once each, as Python does.
    fn place(&mut self, target: &'a ast::Expr) -> Eval<AugmentedPlace<'a>> {
        Ok(match &target.kind {
            ExprKind::Name(name) => AugmentedPlace::Name(name),
            ExprKind::Subscript { value, index } if !self.in_kernel() => {
                AugmentedPlace::Item(self.eval(value)?, self.eval(index)?)
            }
            ExprKind::Attribute { value, attr } if !self.in_kernel() => {
                AugmentedPlace::Attribute(self.eval(value)?, &attr.text)
            }
            _ => AugmentedPlace::Other,
        })
    }

    fn read_place(&mut self, place: &AugmentedPlace<'a>, target: &'a ast::Expr) -> Eval<Value<'a>> {
        match place {
            AugmentedPlace::Item(object, index) => {
                let value = self.subscript(object.clone(), index.clone(), target.span)?;
                // An unknown item may also be missing, which raises.
                if value.is_unknown() {
                    self.doubt();
                }
                Ok(value)
            }
            AugmentedPlace::Attribute(object, name) => {
                let value = self.attribute(object.clone(), name, target.span)?;
                if value.is_unknown() {
                    self.doubt();
                }
                Ok(value)
            }
            AugmentedPlace::Name(_) | AugmentedPlace::Other => self.eval(target),
        }
    }

    /// Records a vector expression that was bound to a name: it does nothing unless a `<<=` takes it.
    pub fn pending_expression(&mut self, vector: Rc<VectorExpr<'a>>, name: &str, span: Span) {
        if self.in_kernel() {
            self.pending.push((vector, name.to_owned(), span));
        }
    }

    /// Notes the bound expressions that no statement used.
    pub fn report_pending(&mut self) {
        for (vector, name, span) in std::mem::take(&mut self.pending) {
            if !vector.consumed.get() {
                self.note(
                    span,
                    PythonNote::NoEffect(NoEffect::BoundExpression { name }),
                );
            }
        }
    }

    /// Evaluates `dst <<= src`.
    fn copy(&mut self, dst: (Value<'a>, Span), src: (Value<'a>, Span), op_span: Span) -> Eval<()> {
        // In the compiled dialect `<<=` only moves data.
        if let (true, Value::Vector(vector)) = (self.compiled, &src.0) {
            self.vector_in_compiled(vector, (dst.1, src.1));
            // The destination counts as defined from here on, so that reads of it are not reported as a consequence
            // of this mistake.
            return match &dst.0 {
                Value::Local(view) => self.havoc(vec![View::Local(view.as_ref().clone())]),
                _ => Ok(()),
            };
        }
        let (dst, src) = (self.without_offset(dst), self.without_offset(src));
        match (&dst.0, &src.0) {
            (Value::Var(variable), value) if value.is_scalar() || value.is_unknown() => {
                // An unknown source gives an unknown scalar; the variable is still assigned.
                let id = self.builder().scalar(value);
                Ok(self.builder().assign(*variable, id)?)
            }
            (_, Value::Unknown | Value::Foreign | Value::Inert) => {
                let text = self.source.slice(src.1).to_owned();
                let what = || match text.len() <= LONG && !text.contains('\n') {
                    true => format!("what `{text}` is, which is moved here, is not known"),
                    false => "what is moved here is not known".to_owned(),
                };
                self.unknown_code(dst.1.to(src.1), what, [&dst.0], Emission::Certain)
            }
            (Value::Ring(id), _) | (_, Value::Ring(id)) => {
                let name = self.builder().program.buffer(*id).label().to_owned();
                let at = if matches!(dst.0, Value::Ring(_)) {
                    dst.1
                } else {
                    src.1
                };
                let message = format!("`{name}` is a ring of slots, not a Tensor");
                self.raise_with(
                    at,
                    "TypeError",
                    message,
                    Some(format!("pick a slot: {name}[i]")),
                );
                Ok(())
            }
            // The vector unit writes UB alone.
            (Value::Local(view), Value::Vector(vector)) => {
                let position = self.builder().program.buffer(view.buffer).position;
                if position != Position::Ub {
                    vector.consumed.set(true);
                    let message = format!("vector expressions are stored in UB, not in {position}");
                    self.raise(dst.1, "ValueError", message);
                    return Ok(());
                }
                let vector = vector.clone();
                self.emit_vector(dst, &vector)
            }
            (Value::Global(_), Value::Vector(vector)) => {
                self.vector_to_gm(vector, src.1);
                Ok(())
            }
            (
                Value::Local(_) | Value::Global(_),
                Value::Local(_) | Value::Global(_) | Value::Drained(_),
            ) => self.data_move(dst, src, op_span),
            // Python stops at a call that raises: it has no result that could be moved.
            (Value::Local(view), Value::None) if self.has_raised() => {
                self.havoc(vec![View::Local(view.as_ref().clone())])
            }
            (_, Value::None) if self.has_raised() => Ok(()),
            _ => {
                let message = format!(
                    "cannot move '{}' into '{}'",
                    src.0.type_name(),
                    dst.0.type_name()
                );
                // Only a scalar on the right has a known replacement.
                let help = src
                    .0
                    .is_scalar()
                    .then(|| "use dup(dst, value) to fill a UB tensor".to_owned());
                self.raise_with(src.1, "TypeError", message, help);
                match &dst.0 {
                    Value::Local(view) => self.havoc(vec![View::Local(view.as_ref().clone())]),
                    _ => Ok(()),
                }
            }
        }
    }

    /// Notes a vector expression that is moved to GM at `at`. Where `=` gave it a name, the mistake is usually there.
    fn vector_to_gm(&mut self, vector: &Rc<VectorExpr<'a>>, at: Span) {
        vector.consumed.set(true);
        let message = "vector expressions are stored in UB, not in GM";
        let Some((name, bound)) = self.name_of(vector) else {
            let help = "store the result in a UB tensor, then move that to GM";
            return self.raise_with(at, "TypeError", message, Some(help.into()));
        };
        let line = self.source.line_index(at.start) + 1;
        let message =
            format!("{message} (line {line}): `=` only names `{name}` and computes nothing");
        let value = self.bound_value(&name, bound);
        let value = value.as_deref().unwrap_or("…");
        let help = format!("compute it into a tensor in UB: `{name} <<= {value}`");
        self.raise_with(bound, "TypeError", message, Some(help));
    }

    /// Notes that a part of a vector expression is taken at `at`, which only a tensor has. Where `=` gave it a name,
    /// the mistake is there.
    pub(super) fn vector_sliced(&mut self, vector: &Rc<VectorExpr<'a>>, at: Span) {
        if self.is_compiled() {
            return self.vector_in_compiled(vector, (at, at));
        }
        vector.consumed.set(true);
        let Some((name, bound)) = self.name_of(vector) else {
            let help = "store the result in a UB tensor, and slice that";
            let message = "a vector expression has no parts";
            return self.raise_with(at, "TypeError", message, Some(help.into()));
        };
        let line = self.source.line_index(at.start) + 1;
        let message = format!(
            "`{name}` is sliced in line {line}: `=` only names an expression there, and computes nothing"
        );
        let value = self.bound_value(&name, bound);
        let value = value.as_deref().unwrap_or("…");
        let help = format!("compute it into a tensor in UB: `{name} <<= {value}`");
        self.raise_with(bound, "TypeError", message, Some(help));
    }

    /// Notes a vector expression in the dialect that has none: an instruction is to be called instead. `places` are
    /// those of the destination and the expression in a `<<=`.
    fn vector_in_compiled(&mut self, vector: &Rc<VectorExpr<'a>>, places: (Span, Span)) {
        vector.consumed.set(true);
        let bound = self.name_of(vector);
        let (at, name, message) = match &bound {
            Some((name, bound)) => (
                *bound,
                name.as_str(),
                "`=` only gives a name and computes nothing",
            ),
            None => {
                let name = self.source.slice(places.0);
                (places.1, name, "`<<=` moves data and computes nothing")
            }
        };
        let call = self.call_of(name, vector);
        let call = call.unwrap_or_else(|| "add(dst, a, b)".to_owned());
        let help = format!("call the instruction: `{call}`");
        self.raise_with(at, "E0303", message, Some(help));
    }

    /// Returns the name that `=` gave a vector expression, with the statement.
    fn name_of(&self, vector: &Rc<VectorExpr<'a>>) -> Option<(String, Span)> {
        let mut pending = self.pending.iter();
        let found = pending.find(|(known, ..)| Rc::ptr_eq(known, vector));
        found.map(|(_, name, span)| (name.clone(), *span))
    }

    /// Returns the text on the right of `name = value`, if it is short.
    fn bound_value(&self, name: &str, bound: Span) -> Option<String> {
        let text = self.source.slice(bound).strip_prefix(name)?;
        let (operator, value) = text.split_once('=')?;
        let (operator, value) = (operator.trim(), value.trim());
        let is_short = value.len() < LONG && !value.contains('\n');
        is_short.then(|| match operator {
            "" => value.to_owned(),
            operator => format!("{name} {operator} {value}"),
        })
    }

    /// Formats the call that computes a vector expression into a tensor: `muls(t, t, 2.0)`. `None` if an operand is not
    /// a tensor or a number.
    fn call_of(&self, dst: &str, vector: &VectorExpr<'a>) -> Option<String> {
        let name = self.dialect.signature(vector.opcode)?.name;
        let mut arguments = vec![dst.to_owned()];
        for (source, span) in &vector.sources {
            if !matches!(source, Value::Local(_)) {
                return None;
            }
            arguments.push(self.source.slice(*span).to_owned());
        }
        match &vector.trailing {
            None => {}
            Some((Value::Int(number), _)) => arguments.push(number.to_string()),
            Some((Value::Float(number), _)) => arguments.push(format!("{number:?}")),
            Some(_) => return None,
        }
        let text = format!("{name}({})", arguments.join(", "));
        (text.len() < LONG && !text.contains('\n')).then_some(text)
    }

    fn data_move(
        &mut self,
        mut dst: (Value<'a>, Span),
        src: (Value<'a>, Span),
        op_span: Span,
    ) -> Eval<()> {
        let mut keywords = Vec::new();
        // A drained accumulator carries keywords of its own, which the move takes over.
        let src = match &src.0 {
            Value::Drained(drained) => {
                let riders = drained.riders.iter();
                keywords.extend(
                    riders.map(|(name, value, span)| ((*name).to_owned(), value.clone(), *span)),
                );
                (Value::Local(drained.view.clone()), src.1)
            }
            _ => src,
        };
        // Checked on views that are not sliced: a slice has selected its two axes already.
        let whole = [&dst, &src]
            .into_iter()
            .find_map(|(value, span)| match value {
                Value::Global(view) if !view.sliced && view.axes.len() > 2 => {
                    Some((view.clone(), *span))
                }
                _ => None,
            });
        if let (true, Some((view, span))) = (self.is_compiled(), whole) {
            let name = self.builder().program.global(view.global).name.clone();
            let message = format!(
                "`{name}` has {} dimensions: a copy takes rows and columns of two",
                view.axes.len()
            );
            let help = format!("slice two dimensions and index the others: {name}[i, a:b, c:d]");
            self.raise_with(span, "E0303", message, Some(help));
            return match &dst.0 {
                Value::Local(view) => self.havoc(vec![View::Local(view.as_ref().clone())]),
                _ => Ok(()),
            };
        }
        let to = self.position_of(&dst.0);
        let from = self.position_of(&src.0);
        let nd = self.is_nd(&dst.0);
        let Some(opcode) = self.path(to, from, nd) else {
            self.note_illegal(&dst, &src);
            return match &dst.0 {
                Value::Local(view) => self.havoc(vec![View::Local(view.as_ref().clone())]),
                _ => Ok(()),
            };
        };
        if opcode == Opcode::L1ToL0
            && let (Value::Local(l0), Value::Local(l1)) = (&dst.0, &src.0)
        {
            // The load determines the shape in L0: the destination buffer only provides room.
            let mut reshaped = l0.as_ref().clone();
            reshaped.shape = l1.span;
            reshaped.span = l1.span;
            dst.0 = Value::Local(Rc::new(reshaped));
        }
        let arguments = Arguments {
            positional: vec![dst, src],
            keywords,
            ..Arguments::default()
        };
        self.emit_call(opcode, None, arguments, op_span, false)
    }

    fn note_illegal(&mut self, dst: &(Value<'a>, Span), src: &(Value<'a>, Span)) {
        let (Some(to), Some(from)) = (view(&dst.0), view(&src.0)) else {
            return;
        };
        let kind = NoteKind::IllegalMove {
            dst: self.position_of(&dst.0),
            src: self.position_of(&src.0),
            dst_text: self.text(dst.1),
            src_text: self.text(src.1),
            views: Box::new([to, from]),
        };
        let span = self.builder().statement;
        self.note(span, kind);
    }

    fn position_of(&mut self, value: &Value<'a>) -> Option<Position> {
        match value {
            Value::Local(view) => Some(self.builder().program.buffer(view.buffer).position),
            _ => None,
        }
    }

    fn is_nd(&mut self, value: &Value<'a>) -> bool {
        match value {
            Value::Local(view) => self.builder().program.buffer(view.buffer).layout == Layout::Nd,
            _ => false,
        }
    }
}

impl Tracer<'_> {
    /// Returns the move between two memories; `None` if the dialect has none.
    fn path(&self, dst: Option<Position>, src: Option<Position>, nd: bool) -> Option<Opcode> {
        match (dst, src) {
            // The traced dialect has no `<<=` from UB to UB; there the pair is an illegal move.
            (Some(Position::Ub), Some(Position::Ub)) if self.compiled => Some(Opcode::UbToUb),
            _ => path(dst, src, nd),
        }
    }
}

fn view(value: &Value) -> Option<View> {
    match value {
        Value::Local(view) => Some(View::Local(view.as_ref().clone())),
        Value::Global(view) => Some(View::Global(view.as_ref().clone())),
        _ => None,
    }
}

/// Returns whether an expression needs no parentheses as an operand.
fn is_atom(expr: &ast::Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Name(_) | ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Call { .. }
    )
}

fn is_destination(value: &Value) -> bool {
    matches!(
        value,
        Value::Local(_) | Value::Element(_) | Value::Ring(_) | Value::Global(_) | Value::Var(_)
    )
}

/// Returns the move between two memories (`None` is GM); no move if A2 has no data path.
fn path(dst: Option<Position>, src: Option<Position>, nd: bool) -> Option<Opcode> {
    use Position::{Bt, L0A, L0B, L0C, L1, Ub};
    Some(match (dst, src) {
        (Some(Ub), None) => Opcode::GmToUbPad,
        (Some(L1), None) if nd => Opcode::GmToL1,
        (Some(L1), None) => Opcode::GmToL1Nz,
        (Some(L0A | L0B), Some(L1)) => Opcode::L1ToL0,
        (Some(Bt), Some(L1)) => Opcode::L1ToBt,
        (Some(L1), Some(L0C)) => Opcode::L0cToL1,
        (None, Some(Ub)) => Opcode::UbToGmPad,
        (None, Some(L0C)) => Opcode::L0cToGmNd,
        _ => return None,
    })
}

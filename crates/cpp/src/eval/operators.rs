//! Operators.

use a2lint_source::text::Span;

use super::Eval;
use super::arithmetic::common_float;
use super::branches::is_comparison;
use super::names::{Found, Local, NamespaceId};
use super::types::{FloatType, IntType, Kind, Ty};
use super::values::{FunctionId, IntValue, Operand, Value};
use crate::library::{Call, Evaluated, Outcome};
use crate::syntax::ast::{BinaryOp, Name, UnaryOp};

/// Returns the type of an arithmetic operation on two promoted types (the usual arithmetic conversions).
pub(crate) fn usual(a: &Ty, b: &Ty) -> Ty {
    match (&a.kind, &b.kind) {
        (Kind::Int(a), Kind::Int(b)) => a.common(*b).into(),
        (Kind::Float(a), Kind::Float(b)) => common_float(*a, *b).into(),
        (Kind::Float(a), _) => (*a).into(),
        (_, Kind::Float(b)) => (*b).into(),
        _ => Ty::unknown(),
    }
}

/// Returns the spelling of an operator in the name of its function.
pub(crate) fn spelling(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
    }
}

impl<'u> Eval<'u> {
    /// Returns the arithmetic type as which an operand takes part in an operation; enumerations without `class` count
    /// as numbers.
    pub(crate) fn arithmetic_type(&mut self, ty: &Ty) -> Evaluated<Option<Ty>> {
        Ok(match &ty.kind {
            Kind::Int(_) | Kind::Float(_) => Some(ty.clone().unqualified()),
            Kind::Enum(id) if !self.enums[id.index()].decl.is_scoped => {
                Some(self.promoted_enum(*id)?.into())
            }
            _ => None,
        })
    }

    /// Returns an operand after the value conversions: integers are promoted.
    pub(crate) fn promoted(&mut self, operand: Operand) -> Evaluated<Operand> {
        let operand = self.decayed(operand)?;
        if let Kind::Class(class) = operand.ty.kind {
            for of in [IntType::Int, IntType::Bool, IntType::Long] {
                if let Some(made) = self.convert_by_operator(&operand, class, &of.into())? {
                    return Ok(made);
                }
            }
        }
        let of = match &operand.ty.kind {
            Kind::Int(of) => of.promoted(),
            Kind::Enum(id) if !self.enums[id.index()].decl.is_scoped => self.promoted_enum(*id)?,
            _ => return Ok(operand),
        };
        self.convert(operand, &of.into(), false)
    }

    /// Evaluates `a op b` once both operands are evaluated.
    pub(crate) fn binary(
        &mut self,
        op: BinaryOp,
        a: Operand,
        b: Operand,
        span: Span,
    ) -> Evaluated<Operand> {
        // Operator functions come first: a class may convert to a number and still define `+`.
        if let Some(made) = self.overloaded(spelling(op), &[a.clone(), b.clone()], span)? {
            return Ok(made);
        }
        let (a, b) = (self.decayed(a)?, self.decayed(b)?);
        let pointers = matches!(
            a.ty.kind,
            Kind::Pointer(..) | Kind::Null | Kind::Function(_)
        ) || matches!(
            b.ty.kind,
            Kind::Pointer(..) | Kind::Null | Kind::Function(_)
        );
        if pointers {
            return self.pointer_operation(op, a, b, span);
        }
        if let (Kind::Enum(x), Kind::Enum(y)) = (&a.ty.kind, &b.ty.kind)
            && x == y
            && is_comparison(op)
        {
            let of: Ty = self.underlying(*x)?.into();
            let (a, b) = (self.convert(a, &of, true)?, self.convert(b, &of, true)?);
            return self.numbers(op, a, b, span);
        }
        self.numbers(op, a, b, span)
    }

    fn numbers(&mut self, op: BinaryOp, a: Operand, b: Operand, span: Span) -> Evaluated<Operand> {
        let (a, b) = (self.numeric(a)?, self.numeric(b)?);
        let types = (self.arithmetic_type(&a.ty)?, self.arithmetic_type(&b.ty)?);
        let (Some(x), Some(y)) = types else {
            let is_unknown = a.ty.kind == Kind::Unknown || b.ty.kind == Kind::Unknown;
            if is_unknown {
                let ty = match is_comparison(op) {
                    true => IntType::Bool.into(),
                    false => Ty::unknown(),
                };
                return Ok(Operand::unknown_of(ty, span));
            }
            let what = format!(
                "what `{}` does to `{}` and `{}` is not known",
                spelling(op),
                self.type_name(&a.ty),
                self.type_name(&b.ty)
            );
            return Ok(self.unknown(span, what));
        };
        // The type of a shift is that of its left operand: the operands are not converted to a common type.
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let ty = match is_shift {
            true => match x.kind {
                Kind::Int(of) => of.promoted().into(),
                _ => Ty::unknown(),
            },
            false => usual(&x, &y),
        };
        let a = self.convert(a, &ty, false)?;
        let b = match (is_shift, &y.kind) {
            (true, Kind::Int(of)) => self.convert(b, &of.promoted().into(), false)?,
            _ => self.convert(b, &ty, false)?,
        };
        let result: Ty = match is_comparison(op) {
            true => IntType::Bool.into(),
            false => ty.clone(),
        };
        let (a, b) = (self.value_of(&a)?, self.value_of(&b)?);
        let computed = match (&ty.kind, &a, &b) {
            (_, Value::Unknown, _) | (_, _, Value::Unknown) => Ok(Value::Unknown),
            (Kind::Int(of), Value::Int(_, a), Value::Int(_, b)) => {
                self.int_operation(*of, op, *a, *b)
            }
            (Kind::Float(of), Value::Float(_, a), Value::Float(_, b)) => {
                self.float_operation(*of, op, *a, *b)
            }
            _ => Err("the operands of this operator are not known"),
        };
        Ok(match computed {
            Ok(value) => {
                if let Value::Int(_, IntValue::Scalar(id)) = value {
                    self.builder.note_computed(id, span);
                }
                // A chain of operations would exceed the limit on the size of an expression.
                let value = self.kept(value)?;
                Operand::value(result, value, span)
            }
            Err(why) => {
                self.builder.note_unknown(span, why.to_owned());
                Operand::unknown_of(result, span)
            }
        })
    }

    /// Converts an operand of class type to a number by its conversion function.
    fn numeric(&mut self, operand: Operand) -> Evaluated<Operand> {
        let Kind::Class(class) = operand.ty.kind else {
            return Ok(operand);
        };
        for function in self.conversion_functions(class)? {
            let signature = self.signature(function, &Vec::new())?;
            let Some(returns) = &signature.returns else {
                continue;
            };
            if self.arithmetic_type(returns.referred())?.is_some() {
                let span = operand.span;
                let made = self.call_function(
                    function,
                    Vec::new(),
                    Some(operand),
                    Vec::new(),
                    (span, span),
                )?;
                return self.decayed(made);
            }
        }
        Ok(operand)
    }

    /// Evaluates `op a`.
    pub(crate) fn unary(&mut self, op: UnaryOp, a: Operand, span: Span) -> Evaluated<Operand> {
        let name = match op {
            UnaryOp::Plus => "+",
            UnaryOp::Minus => "-",
            UnaryOp::Not => "!",
            UnaryOp::Complement => "~",
            UnaryOp::AddressOf => "&",
            UnaryOp::Dereference => "*",
        };
        if let Some(made) = self.overloaded(name, std::slice::from_ref(&a), span)? {
            return Ok(made);
        }
        match op {
            UnaryOp::Dereference => {
                if let Kind::Class(class) = a.ty.kind
                    && let Some(made) = self.convert_to_pointer(&a, class)?
                {
                    return self.dereferenced(made, span);
                }
                self.dereferenced(a, span)
            }
            UnaryOp::AddressOf => self.address_of(a, span),
            UnaryOp::Not => {
                let value = self.condition_of(a, span)?;
                let value = match value {
                    Value::Int(_, IntValue::Known(value)) => Value::bool(value == 0),
                    Value::Int(_, IntValue::Scalar(id)) => {
                        let id = self.negated(id);
                        self.int_of_scalar(IntType::Bool, id)
                    }
                    _ => Value::Unknown,
                };
                Ok(Operand::value(IntType::Bool, value, span))
            }
            UnaryOp::Plus | UnaryOp::Minus | UnaryOp::Complement => {
                let a = self.numeric(a)?;
                let a = self.promoted(a)?;
                let ty = a.ty.clone();
                let value = self.value_of(&a)?;
                let computed = match op {
                    UnaryOp::Plus => Ok(value),
                    UnaryOp::Minus => self.negate(&value),
                    _ => self.complement(&value),
                };
                Ok(match computed {
                    Ok(value) => Operand::value(ty, value, span),
                    Err(why) => {
                        self.builder.note_unknown(span, why.to_owned());
                        Operand::unknown_of(ty, span)
                    }
                })
            }
        }
    }

    /// Calls the operator function of operands of class or enumeration type; `None` where there is none.
    pub(crate) fn overloaded(
        &mut self,
        symbol: &str,
        operands: &[Operand],
        span: Span,
    ) -> Evaluated<Option<Operand>> {
        let is_own = |operand: &Operand| {
            matches!(
                operand.ty.kind,
                Kind::Class(_) | Kind::Enum(_) | Kind::Library(_)
            )
        };
        // Operators on built-in types cannot be overloaded, and the lookup of their names takes time.
        if !operands.iter().any(is_own) {
            return Ok(None);
        }
        let name: Name = format!("operator{symbol}").into();
        let mut members = Vec::new();
        if let Kind::Class(class) = operands[0].ty.kind
            && let Some(found) = self.find_in_class(class, &name)?
        {
            members = self.functions_of(&found);
        }
        if !members.is_empty() {
            let chosen = self.choose(&members, None, Some(&operands[0]), &operands[1..])?;
            if let Ok(chosen) = chosen {
                let object = operands[0].clone();
                let arguments = operands[1..].to_vec();
                let made = self.call_method(chosen, object, arguments, true, (span, span))?;
                return Ok(Some(made));
            }
        }
        if let Kind::Library(_) = operands[0].ty.kind
            && let Some(made) = self.library_method(&name, operands, span)?
        {
            return Ok(Some(made));
        }
        let free = self.functions_for(&name, operands)?;
        if !free.is_empty() {
            let chosen = self.choose(&free, None, None, operands)?;
            if let Ok(chosen) = chosen {
                let arguments = operands.to_vec();
                let spans = (span, span);
                let made =
                    self.call_function(chosen.function, chosen.bound, None, arguments, spans)?;
                return Ok(Some(made));
            }
        }
        if operands
            .iter()
            .any(|it| matches!(it.ty.kind, Kind::Library(_)))
        {
            let library = self.library;
            if let Outcome::Done(made) = library.operator(self, &name, operands, span)? {
                return Ok(Some(made));
            }
        }
        Ok(None)
    }

    pub(super) fn library_method(
        &mut self,
        name: &str,
        operands: &[Operand],
        span: Span,
    ) -> Evaluated<Option<Operand>> {
        let call = Call {
            name,
            template: &[],
            operands: &operands[1..],
            function: None,
            returns: None,
            name_span: span,
            span,
        };
        let library = self.library;
        Ok(match library.method(self, &operands[0], call)? {
            Outcome::Done(made) => Some(made),
            Outcome::Unknown(what) => {
                Some(self.unknown_call(&what, Some(&operands[0]), &operands[1..], span)?)
            }
            Outcome::Follows(what) => {
                Some(self.follower_call(&what, Some(&operands[0]), &operands[1..], span)?)
            }
            Outcome::NotMine => None,
        })
    }

    pub(super) fn library_operator(
        &mut self,
        name: &str,
        operands: &[Operand],
        span: Span,
    ) -> Evaluated<Operand> {
        let library = self.library;
        Ok(match library.operator(self, name, operands, span)? {
            Outcome::Done(made) => made,
            Outcome::Unknown(what) => self.unknown(span, what),
            Outcome::Follows(what) => {
                self.builder.note_follower(span, what);
                Operand::unknown(span)
            }
            Outcome::NotMine => self.unknown(span, format!("what `{name}` does is not known")),
        })
    }

    /// Returns the visible functions of a name, and those in the namespaces of the operands' types (argument-dependent
    /// lookup).
    pub(crate) fn functions_for(
        &mut self,
        name: &Name,
        operands: &[Operand],
    ) -> Evaluated<Vec<FunctionId>> {
        let found = match self.find(name)? {
            Found::Local(Local::Entities(entities, context)) => {
                Found::Entities(entities, context, None)
            }
            found => found,
        };
        let mut functions = self.functions_of(&found);
        // Lookup from a method also finds member operators, which need an object.
        functions.retain(|id| self.info(*id).class.is_none());
        for operand in operands {
            self.add_associated(name, &operand.ty, &mut functions)?;
        }
        Ok(functions)
    }

    /// Adds the functions of a name in the namespace of a type, and friends.
    pub(crate) fn add_associated(
        &mut self,
        name: &Name,
        ty: &Ty,
        functions: &mut Vec<FunctionId>,
    ) -> Evaluated<()> {
        let context = match &ty.kind {
            Kind::Class(class) => self.classes[class.index()].context.clone(),
            Kind::Enum(id) => self.enums[id.index()].context.clone(),
            Kind::Pointer(of, _) => {
                let of = of.clone();
                return self.add_associated(name, &of, functions);
            }
            Kind::Library(_) => {
                let spaces = self.library.namespaces().iter();
                let spaces: Vec<_> = spaces.map(|space| Name::from(*space)).collect();
                for space in &spaces {
                    if let Some(id) = self.namespace_named(space) {
                        self.add_functions_in(id, name, functions);
                    }
                }
                return Ok(());
            }
            _ => return Ok(()),
        };
        let mut at = Some(context);
        while let Some(context) = at {
            if let super::names::ContextKind::Namespace(id) = context.kind {
                self.add_functions_in(id, name, functions);
                break;
            }
            at = context.parent.clone();
        }
        if let Kind::Class(class) = ty.kind {
            for base in self.classes[class.index()].bases.clone() {
                self.add_associated(name, &Kind::Class(base.class).into(), functions)?;
            }
        }
        Ok(())
    }

    /// Adds the functions of a name in a namespace.
    fn add_functions_in(&mut self, id: NamespaceId, name: &Name, functions: &mut Vec<FunctionId>) {
        let mut found = super::names::Entities::new();
        self.names_in(id, name, &mut found, 0);
        for entity in found {
            if let super::names::Entity::Function(decl) = entity {
                let own = self.namespaces[id.0 as usize].context.clone();
                let function = self.function(decl, &own, None);
                let is_known = functions
                    .iter()
                    .any(|known| std::ptr::eq(self.info(*known).decl, decl));
                if !is_known {
                    functions.push(function);
                }
            }
        }
    }

    /// Returns the top-level namespace of this name.
    fn namespace_named(&self, name: &Name) -> Option<NamespaceId> {
        let mut found = super::names::Entities::new();
        self.names_in(NamespaceId(0), name, &mut found, 0);
        found.iter().find_map(|entity| match entity {
            super::names::Entity::Namespace(id) => Some(*id),
            _ => None,
        })
    }

    /// Returns 1 in the type that `++` adds to a value of a type.
    pub(crate) fn one_of(&self, ty: &Ty, span: Span) -> Operand {
        match ty.kind {
            Kind::Float(of) => {
                Operand::value(of, Value::Float(of, super::FloatValue::Known(1.0)), span)
            }
            _ => Operand::value(IntType::Int, Value::int(IntType::Int, 1), span),
        }
    }

    /// Returns a literal of type `float` or `double`.
    pub(crate) fn float_literal(value: f64, is_single: bool, span: Span) -> Operand {
        let of = if is_single {
            FloatType::Float
        } else {
            FloatType::Double
        };
        let value = super::arithmetic::rounded(of, value);
        Operand::value(of, Value::Float(of, super::FloatValue::Known(value)), span)
    }
}

//! Values of constant expressions, and resolution of type names.

use rustc_hash::FxHashMap;

use super::arithmetic::{binary, truncate};
use super::environment::{Binding, Entity, Environment};
use super::traits::TRAITS;
use a2lint_isa::masks::Element;
use a2lint_source::text::Span;
use a2lint_syntax::cpp::{BinaryOp, Enum, Expr, ExprKind, Init, Path, UnaryOp};

/// Maximum depth of aliases of aliases.
const MAX_ALIASES: u32 = 8;
/// Maximum depth of expressions, calls included.
const MAX_DEPTH: u32 = 150;
/// The amount by which a call adds to the depth.
pub(super) const CALL_DEPTH: u32 = 12;
/// Maximum number of expressions that one evaluation visits.
const MAX_WORK: u32 = 20_000;

/// The names of a class, function or macro that is being evaluated.
#[derive(Clone)]
pub(super) struct Frame<'e, 'a> {
    pub names: FxHashMap<&'a str, Binding<'a>>,
    /// Where other names are looked up: at file level (`None`), or, for a macro, at its use.
    pub over: Option<View<'e, 'a>>,
}

/// The meaning of names at a place.
#[derive(Clone, Copy)]
pub(super) struct View<'e, 'a> {
    pub env: &'e Environment<'a>,
    pub frame: Option<&'e Frame<'e, 'a>>,
    pub depth: u32,
    /// Whether the expression is an operand of an operator.
    pub operand: bool,
}

impl<'e, 'a> View<'e, 'a> {
    /// Creates a view of the current scopes, with a fresh budget of work.
    pub fn of(env: &'e Environment<'a>) -> Self {
        env.work.set(MAX_WORK);
        View {
            env,
            frame: None,
            depth: 0,
            operand: false,
        }
    }

    /// Enters something that is being evaluated.
    pub fn within<'f>(self, frame: &'f Frame<'f, 'a>) -> View<'f, 'a>
    where
        'e: 'f,
    {
        View {
            env: self.env,
            frame: Some(frame),
            depth: self.depth + CALL_DEPTH,
            operand: false,
        }
    }

    /// Returns a view one step deeper, or `None` at the bound.
    pub fn deeper(self) -> Option<Self> {
        self.deeper_by(1)
    }

    /// Returns a view several steps deeper, or `None` at the bound.
    pub fn deeper_by(self, steps: u32) -> Option<Self> {
        let left = self.env.work.get().checked_sub(1)?;
        self.env.work.set(left);
        (self.depth < MAX_DEPTH).then_some(View {
            depth: self.depth + steps,
            ..self
        })
    }

    /// Returns the meaning of a name.
    pub fn get(self, name: &str) -> Option<&'e Binding<'a>> {
        let Some(frame) = self.frame else {
            return self.env.get(name);
        };
        frame.names.get(name).or_else(|| match frame.over {
            Some(view) => view.get(name),
            None => self.env.global(name),
        })
    }

    /// Returns the meaning of a qualified name.
    pub fn find(self, path: &Path<'a>) -> Option<Binding<'a>> {
        let Some(qualifier) = path.qualifier() else {
            return self.get(path.name()).cloned();
        };
        let view = self.deeper_by(CALL_DEPTH)?;
        if let Some(found) = view.member(&qualifier, path.name()) {
            return Some(found);
        }
        let namespace = qualifier.owner.is_none() && qualifier.arguments.is_empty();
        let known = namespace.then(|| self.env.in_namespace(&qualifier.segments, path.name()));
        known.flatten().cloned()
    }

    /// Resolves the aliases of a type.
    pub fn resolve(self, path: &Path<'a>) -> Path<'a> {
        let mut path = path.clone();
        for _ in 0..MAX_ALIASES {
            let Some(view) = self.deeper_by(2) else {
                break;
            };
            if let Some(chosen) = view.chosen(&path) {
                path = chosen;
                continue;
            }
            let alias = match view.find(&path).map(|binding| binding.entity) {
                Some(Entity::Type(alias)) => alias,
                Some(Entity::Macro(known)) if known.parameters.is_none() => {
                    match known.value.as_ref().and_then(Expr::path) {
                        Some(ty) if ty.name() != path.name() => path = ty.clone(),
                        _ => break,
                    }
                    continue;
                }
                _ => break,
            };
            let mut target = alias.ty.clone();
            for argument in &mut target.arguments {
                let parameter = argument.plain_name();
                let mut parameters = alias.parameters.iter();
                let at = parameters.position(|name| Some(*name) == parameter);
                if let Some(given) = at.and_then(|at| path.arguments.get(at)) {
                    *argument = given.clone();
                }
            }
            // An alias of its own name, as in `using T = ns::T`, would not end.
            if target.name() == path.name() {
                return target;
            }
            path = target;
        }
        path
    }

    /// Evaluates `std::conditional_t<condition, A, B>`.
    fn chosen(self, path: &Path<'a>) -> Option<Path<'a>> {
        let owner = path.owner.as_deref();
        let arguments = match (path.name(), owner.map(Path::name)) {
            ("conditional_t", _) => &path.arguments,
            ("type", Some("conditional" | "Conditional")) => &owner?.arguments,
            _ => return None,
        };
        let [condition, one, other] = arguments.as_slice() else {
            return None;
        };
        match self.int(condition)? {
            0 => other.path().cloned(),
            _ => one.path().cloned(),
        }
    }

    /// Resolves a type and its arguments, as far as they are known.
    pub fn closed(self, path: &Path<'a>) -> Path<'a> {
        let mut path = self.resolve(path);
        let Some(view) = self.deeper_by(CALL_DEPTH / 2) else {
            return path;
        };
        for argument in &mut path.arguments {
            let is_enumerator = |path: &Path<'a>| {
                let owner = path.qualifier().and_then(|owner| view.find(&owner));
                matches!(owner.map(|it| it.entity), Some(Entity::Enum(_)))
            };
            if argument.path().is_some_and(is_enumerator) {
                continue;
            }
            match view.int(argument) {
                Some(value) => argument.kind = ExprKind::Int(value),
                None => {
                    if let ExprKind::Path(inner) = &mut argument.kind {
                        *inner = view.closed(inner);
                    }
                }
            }
        }
        path
    }

    /// Returns the element type that a type or template argument names.
    pub fn element(self, path: &Path<'a>) -> Option<Element> {
        Element::from_cpp(self.resolve(path).name())
    }

    /// Returns the enumerators of an enumeration with their values.
    pub fn enumerators(self, list: &Enum<'a>) -> Vec<(&'a str, Option<i128>)> {
        let mut known: Vec<(&'a str, Option<i128>)> = Vec::new();
        let mut next = Some(0);
        for enumerator in &list.enumerators {
            if let Some(value) = &enumerator.value {
                let earlier = |name: &str| known.iter().find(|(it, _)| *it == name);
                let own = value
                    .plain_name()
                    .and_then(earlier)
                    .map(|(_, value)| *value);
                next = own.unwrap_or_else(|| self.int(value));
            }
            known.push((enumerator.name, next));
            next = next.and_then(|value| value.checked_add(1));
        }
        known
    }

    /// Returns the binding of a declared number or plain structure.
    pub fn number(self, ty: Path<'a>, constant: bool, init: &Init<'a>, span: Span) -> Binding<'a> {
        if let Some(fields) = self.record(&ty, init) {
            return Binding {
                entity: Entity::Record(fields),
                ty: Some(ty),
                span,
                constant,
            };
        }
        let value = match init {
            Init::Default => None,
            Init::Value(value) => self.int(value),
            Init::Arguments(list) => match list.as_slice() {
                [] => Some(0),
                [only] => self.int(only),
                _ => None,
            },
        };
        let ty = match init {
            Init::Value(value) if ty.name() == "auto" => self.type_of(value).unwrap_or(ty),
            _ => ty,
        };
        let value = match Element::from_cpp(ty.name()) {
            Some(element) if element.is_integer() => value.map(|value| truncate(value, element)),
            Some(Element::Bool) => value.map(|value| i128::from(value != 0)),
            Some(_) => None,
            None => value,
        };
        Binding {
            entity: Entity::Int(value),
            ty: Some(ty),
            span,
            constant,
        }
    }

    /// Returns the type of an expression, if it is evident.
    pub fn type_of(self, expr: &Expr<'a>) -> Option<Path<'a>> {
        match &expr.kind {
            ExprKind::Cast(ty, _) => Some(self.resolve(ty)),
            ExprKind::Index(object, _) => {
                let ty = self.deeper()?.type_of(object)?;
                matches!(ty.name(), "LocalTensor" | "GlobalTensor").then_some(ty)
            }
            ExprKind::Call { callee, .. } => match &callee.kind {
                ExprKind::Member {
                    name, arguments, ..
                } if matches!(
                    *name,
                    "Get" | "AllocTensor" | "DeQue" | "ReinterpretCast" | "GetWithOffset"
                ) && arguments.len() == 1 =>
                {
                    Some(self.closed(&Path::of(expr.span, "LocalTensor", arguments.clone())))
                }
                ExprKind::Path(path) => {
                    let found = self.resolve(path);
                    let is_type = Element::from_cpp(found.name()).is_some()
                        || matches!(self.find(&found)?.entity, Entity::Class(_));
                    is_type.then_some(found)
                }
                _ => None,
            },
            _ => self.get(expr.plain_name()?)?.ty.clone(),
        }
    }

    /// Returns the value of an integer expression.
    pub fn int(self, expr: &Expr<'a>) -> Option<i128> {
        let at_operator = self.operand;
        let view = View {
            operand: false,
            ..self.deeper()?
        };
        let beside = View {
            operand: true,
            ..view
        };
        match &expr.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Bool(value) => Some(i128::from(*value)),
            ExprKind::Path(path) => View {
                operand: at_operator,
                ..view
            }
            .named(path),
            ExprKind::Member { object, name, .. } => match expr.plain_name() {
                Some(own) => match view.get(own)?.entity {
                    Entity::Int(value) => value,
                    _ => None,
                },
                None => view.field(object, name),
            },
            ExprKind::Unary(op, operand) => {
                let value = beside.int(operand)?;
                match op {
                    UnaryOp::Minus => value.checked_neg(),
                    UnaryOp::Plus => Some(value),
                    UnaryOp::Not => Some(i128::from(value == 0)),
                    // The width of the operand decides, and it is unknown.
                    UnaryOp::Complement | UnaryOp::AddressOf | UnaryOp::Dereference => None,
                }
            }
            ExprKind::Binary(op, left, right) => {
                let left = beside.int(left)?;
                match (op, left) {
                    (BinaryOp::LogicalAnd, 0) => Some(0),
                    (BinaryOp::LogicalOr, 1..) => Some(1),
                    _ => binary(*op, left, beside.int(right)?),
                }
            }
            ExprKind::Conditional(three) => match beside.int(&three[0])? {
                0 => beside.int(&three[2]),
                _ => beside.int(&three[1]),
            },
            ExprKind::Cast(ty, value) => view.cast(ty, beside.int(value)?),
            ExprKind::SizeOf(operand) => view.size_of(operand),
            ExprKind::Braces(list) => match list.as_slice() {
                [only] => view.int(only),
                _ => None,
            },
            ExprKind::Call {
                callee, arguments, ..
            } => view.call(callee.path()?, arguments),
            _ => None,
        }
    }

    fn cast(self, ty: &Path<'a>, value: i128) -> Option<i128> {
        match self.element(ty) {
            Some(Element::Bool) => Some(i128::from(value != 0)),
            Some(element) => element.is_integer().then(|| truncate(value, element)),
            None => {
                let target = self.find(&self.resolve(ty))?.entity;
                matches!(target, Entity::Enum(_)).then_some(value)
            }
        }
    }

    /// Returns the value of a name.
    fn named(self, path: &Path<'a>) -> Option<i128> {
        let trait_name = match path.owner.as_deref() {
            Some(owner) if path.name() == "value" => Some((owner.name(), &owner.arguments)),
            _ => path
                .name()
                .strip_suffix("_v")
                .map(|it| (it, &path.arguments)),
        };
        if let Some((name, arguments)) = trait_name
            && let Some((_, decide)) = TRAITS.iter().find(|(known, _)| *known == name)
        {
            return decide(self, arguments);
        }
        match self.find(path)?.entity {
            Entity::Int(value) => value,
            Entity::Type(alias) if alias.ty.name() != path.name() => {
                self.deeper()?.named(&alias.ty)
            }
            Entity::Macro(known) if known.parameters.is_none() => {
                let value = known
                    .value
                    .as_ref()
                    // A torn macro's operators combine with those beside it in ways that its own value does not show.
                    .filter(|_| !(known.torn && self.operand));
                View {
                    operand: false,
                    ..self
                }
                .int(value?)
            }
            _ => None,
        }
    }

    fn field(self, object: &Expr<'a>, name: &str) -> Option<i128> {
        let binding = self.get(object.plain_name()?)?;
        match &binding.entity {
            Entity::Record(fields) => {
                let field = fields.iter().find(|(known, _)| *known == name);
                if let Some((_, value)) = field {
                    return *value;
                }
            }
            Entity::Object(_) => return None,
            _ => {}
        }
        // A static member, which all objects share.
        match self.member(binding.ty.as_ref()?, name)?.entity {
            Entity::Int(value) => value,
            _ => None,
        }
    }

    fn size_of(self, operand: &Expr<'a>) -> Option<i128> {
        let path = operand.path()?;
        let declared = match self.find(path).map(|it| (it.entity, it.ty)) {
            Some((Entity::Int(_), ty)) => ty?,
            _ => path.clone(),
        };
        self.element(&declared)
            .map(|element| i128::from(element.bytes()))
    }
}

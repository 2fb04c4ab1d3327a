//! Names and their values: constants, integer variables while they are known, types.

use rustc_hash::FxHashMap;

use crate::masks::Element;
use crate::syntax::cpp::{Alias, Stmt};
use crate::syntax::cpp::{BinaryOp, Expr, ExprKind, Function, Init, Path, StmtKind, UnaryOp};
use crate::text::Span;

/// Aliases of aliases, and calls in calls, that are followed.
const MAX_STEPS: u32 = 8;

/// What a name stands for.
#[derive(Clone, Debug)]
pub enum Entity<'a> {
    /// A number; `None` where its value is not known here.
    Int(Option<i128>),
    /// A type.
    Type(Alias<'a>),
    /// An object of the dialect.
    Object(usize),
    /// Anything else, a template parameter say.
    Opaque,
}

/// A name in a scope.
#[derive(Clone, Debug)]
pub struct Binding<'a> {
    /// What it stands for.
    pub entity: Entity<'a>,
    /// Its declared type, aliases resolved.
    pub ty: Option<Path<'a>>,
    /// Where it is declared.
    pub span: Span,
    /// Whether it never changes.
    pub constant: bool,
}

impl Binding<'_> {
    /// A name of which nothing is known.
    pub fn opaque(span: Span) -> Self {
        Self {
            entity: Entity::Opaque,
            ty: None,
            span,
            constant: true,
        }
    }
}

/// Scopes, the innermost last.
#[derive(Debug, Default)]
pub struct Environment<'a> {
    scopes: Vec<FxHashMap<&'a str, Binding<'a>>>,
    /// Functions that are one expression, by name.
    functions: FxHashMap<&'a str, (Vec<&'a str>, Expr<'a>)>,
}

impl<'a> Environment<'a> {
    /// Opens a scope.
    pub fn open(&mut self) {
        self.scopes.push(FxHashMap::default());
    }

    /// Closes the innermost scope.
    pub fn close(&mut self) {
        self.scopes.pop();
    }

    /// Binds a name in the innermost scope.
    pub fn bind(&mut self, name: &'a str, binding: Binding<'a>) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, binding);
        }
    }

    /// What a name stands for.
    pub fn get(&self, name: &str) -> Option<&Binding<'a>> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    fn get_mut(&mut self, name: &str) -> Option<&mut Binding<'a>> {
        let scopes = self.scopes.iter_mut().rev();
        scopes.into_iter().find_map(|scope| scope.get_mut(name))
    }

    /// The object of the dialect behind an expression that names one.
    pub fn object(&self, expr: &Expr<'a>) -> Option<usize> {
        match self.get(expr.plain_name()?)?.entity {
            Entity::Object(index) => Some(index),
            _ => None,
        }
    }

    /// Gives a variable a value, or takes it away.
    pub fn assign(&mut self, name: &str, value: Option<i128>) {
        if let Some(binding) = self.get_mut(name).filter(|binding| !binding.constant)
            && let Entity::Int(known) = &mut binding.entity
        {
            *known = value;
        }
    }

    /// Remembers a function that is one expression.
    pub fn define(&mut self, function: &Function<'a>) {
        if let [
            Stmt {
                kind: StmtKind::Exit(Some(value)),
                ..
            },
        ] = function.body.as_slice()
        {
            let parameters = function.parameters.iter().map(|parameter| parameter.name);
            let known = (parameters.collect(), value.clone());
            self.functions.insert(function.name, known);
        }
    }

    /// Binds what a declaration of numbers, an alias, an enumeration or a macro says.
    pub fn learn(&mut self, stmt: &Stmt<'a>) {
        match &stmt.kind {
            StmtKind::Alias(alias) => {
                let binding = Binding {
                    entity: Entity::Type(alias.clone()),
                    ..Binding::opaque(stmt.span)
                };
                self.bind(alias.name, binding);
            }
            StmtKind::Define(name, value) => {
                let entity = Entity::Int(self.int(value));
                self.bind(
                    name,
                    Binding {
                        entity,
                        ..Binding::opaque(stmt.span)
                    },
                );
            }
            StmtKind::Enum(list) => {
                let mut next = Some(0);
                for enumerator in list {
                    if let Some(value) = &enumerator.value {
                        next = self.int(value);
                    }
                    let entity = Entity::Int(next);
                    let binding = Binding {
                        entity,
                        ..Binding::opaque(stmt.span)
                    };
                    self.bind(enumerator.name, binding);
                    next = next.and_then(|value| value.checked_add(1));
                }
            }
            _ => {}
        }
    }

    /// The binding of a declared number.
    pub fn number(&self, ty: Path<'a>, constant: bool, init: &Init<'a>, span: Span) -> Binding<'a> {
        let value = match init {
            Init::Default => None,
            Init::Value(value) => self.int(value),
            Init::Arguments(list) => match list.as_slice() {
                [] => Some(0),
                [only] => self.int(only),
                _ => None,
            },
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

    /// A type with its aliases resolved.
    pub fn resolve(&self, path: &Path<'a>) -> Path<'a> {
        let mut path = path.clone();
        for _ in 0..MAX_STEPS {
            let Some(Binding {
                entity: Entity::Type(alias),
                ..
            }) = self.get(path.name())
            else {
                break;
            };
            let mut target = alias.ty.clone();
            for argument in &mut target.arguments {
                let parameter = argument.plain_name();
                let at = alias
                    .parameters
                    .iter()
                    .position(|name| Some(*name) == parameter);
                if let Some(given) = at.and_then(|at| path.arguments.get(at)) {
                    *argument = given.clone();
                }
            }
            // An alias of its own name, as in `using T = ns::T`.
            if target.name() == path.name() {
                return target;
            }
            path = target;
        }
        path
    }

    /// The element type that a type or template argument names.
    pub fn element(&self, path: &Path<'a>) -> Option<Element> {
        let resolved = self.resolve(path);
        Element::from_cpp(resolved.name())
    }

    /// The value of an integer expression.
    pub fn int(&self, expr: &Expr<'a>) -> Option<i128> {
        self.int_within(expr, MAX_STEPS, &[])
    }

    /// As `int`, for numbers that fit 64 bits.
    pub fn int64(&self, expr: &Expr<'a>) -> Option<i64> {
        i64::try_from(self.int(expr)?).ok()
    }

    fn int_within(
        &self,
        expr: &Expr<'a>,
        steps: u32,
        parameters: &[(&'a str, i128)],
    ) -> Option<i128> {
        let int = |expr: &Expr<'a>| self.int_within(expr, steps, parameters);
        match &expr.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Bool(value) => Some(i128::from(*value)),
            ExprKind::Path(path) if path.name() == "is_same_v" => self.is_same(&path.arguments),
            ExprKind::Path(path) if path.arguments.is_empty() => {
                let name = path.name();
                if let Some((_, value)) = parameters.iter().find(|(known, _)| *known == name) {
                    return Some(*value);
                }
                match self.get(name)?.entity {
                    Entity::Int(value) => value,
                    _ => None,
                }
            }
            ExprKind::Member { .. } => match self.get(expr.plain_name()?)?.entity {
                Entity::Int(value) => value,
                _ => None,
            },
            ExprKind::Unary(op, operand) => {
                let value = int(operand)?;
                match op {
                    UnaryOp::Minus => value.checked_neg(),
                    UnaryOp::Plus => Some(value),
                    UnaryOp::Not => Some(i128::from(value == 0)),
                    // The width decides, and it is not known.
                    UnaryOp::Complement | UnaryOp::AddressOf | UnaryOp::Dereference => None,
                }
            }
            ExprKind::Binary(op, left, right) => binary(*op, int(left)?, int(right)?),
            ExprKind::Conditional(three) => match int(&three[0])? {
                0 => int(&three[2]),
                _ => int(&three[1]),
            },
            ExprKind::Cast(ty, value) => {
                let value = int(value)?;
                let element = self.element(ty)?;
                element.is_integer().then(|| truncate(value, element))
            }
            ExprKind::SizeOf(operand) => self.size_of(operand),
            ExprKind::Braces(list) => match list.as_slice() {
                [only] => int(only),
                _ => None,
            },
            ExprKind::Call {
                callee, arguments, ..
            } => {
                let values: Option<Vec<i128>> = arguments.iter().map(int).collect();
                self.call(callee.path()?.name(), &values?, steps)
            }
            _ => None,
        }
    }

    fn call(&self, name: &str, values: &[i128], steps: u32) -> Option<i128> {
        if let Some((parameters, body)) = self.functions.get(name) {
            if parameters.len() != values.len() || steps == 0 {
                return None;
            }
            let named: Vec<_> = parameters
                .iter()
                .copied()
                .zip(values.iter().copied())
                .collect();
            return self.int_within(body, steps - 1, &named);
        }
        match (name, values) {
            ("min", [one, other]) => Some(*one.min(other)),
            ("max", [one, other]) => Some(*one.max(other)),
            _ => None,
        }
    }

    /// `std::is_same_v<T, float>`, where both types are known.
    fn is_same(&self, types: &[Expr<'a>]) -> Option<i128> {
        let [one, other] = types else {
            return None;
        };
        let [one, other] = [self.resolve(one.path()?), self.resolve(other.path()?)];
        if one.name() == other.name() {
            return Some(1);
        }
        // Two names of one element type may be one type.
        let elements = [
            Element::from_cpp(one.name())?,
            Element::from_cpp(other.name())?,
        ];
        (elements[0] != elements[1]).then_some(0)
    }

    fn size_of(&self, operand: &Expr<'a>) -> Option<i128> {
        let path = operand.path()?;
        let declared = match self.get(path.name()) {
            Some(Binding {
                entity: Entity::Int(_),
                ty,
                ..
            }) => ty.as_ref()?,
            _ => path,
        };
        self.element(declared)
            .map(|element| i128::from(element.bytes()))
    }
}

/// A value in the width of a type.
fn truncate(value: i128, element: Element) -> i128 {
    let bits = 8 * element.bytes() as u32;
    let low = value & ((1 << bits) - 1);
    let signed = !element.name().starts_with('u');
    match signed && low >> (bits - 1) == 1 {
        true => low - (1 << bits),
        false => low,
    }
}

fn binary(op: BinaryOp, left: i128, right: i128) -> Option<i128> {
    let shift = || u32::try_from(right).ok().filter(|&bits| bits < 100);
    let truth = |value: bool| Some(i128::from(value));
    match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Sub => left.checked_sub(right),
        BinaryOp::Mul => left.checked_mul(right),
        BinaryOp::Div => left.checked_div(right),
        BinaryOp::Rem => left.checked_rem(right),
        BinaryOp::Shl => left.checked_mul(1i128 << shift()?),
        BinaryOp::Shr => Some(left >> shift()?),
        BinaryOp::And => Some(left & right),
        BinaryOp::Or => Some(left | right),
        BinaryOp::Xor => Some(left ^ right),
        BinaryOp::LogicalAnd => truth(left != 0 && right != 0),
        BinaryOp::LogicalOr => truth(left != 0 || right != 0),
        BinaryOp::Equal => truth(left == right),
        BinaryOp::NotEqual => truth(left != right),
        BinaryOp::Less => truth(left < right),
        BinaryOp::LessEqual => truth(left <= right),
        BinaryOp::Greater => truth(left > right),
        BinaryOp::GreaterEqual => truth(left >= right),
    }
}

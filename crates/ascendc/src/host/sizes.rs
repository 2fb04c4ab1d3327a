//! Element types whose `sizeof` the host uses to compute allocations. They tell which instance of a kernel with several
//! element types is started.

use std::collections::{BTreeMap, HashMap};

use a2lint_cpp::syntax::ast::{
    Expr, ExprKind, Function, Init, Path, Stmt, StmtKind, Type, TypeKind, Variable,
};
use a2lint_isa::DType;
use a2lint_source::text::Span;

/// The element type of each call that allocates memory.
#[derive(Debug, Default)]
pub struct Sizes {
    of_calls: HashMap<Span, DType>,
}

/// The element type of each variable of a function; `None` for a variable that is computed with several types.
type Names = BTreeMap<String, Option<DType>>;

/// Functions that allocate memory.
const ALLOCATES: &[&str] = &["GmAlloc", "aclrtMalloc", "aclrtMallocHost", "malloc"];

impl Sizes {
    /// Collects the element types in the functions of a translation unit.
    pub fn of(items: &[Stmt]) -> Sizes {
        let mut sizes = Sizes::default();
        let mut names = Names::new();
        sizes.items(items, &mut names);
        sizes
    }

    /// Returns the element type with which the size of an allocation is computed.
    pub fn of_call(&self, call: Span) -> Option<DType> {
        self.of_calls.get(&call).copied()
    }

    fn items(&mut self, items: &[Stmt], names: &mut Names) {
        for item in items {
            match &item.kind {
                StmtKind::Namespace(_, items) => self.items(items, names),
                StmtKind::Function(function) => self.function(function, names),
                StmtKind::Class(class) => {
                    self.items(class.members.as_deref().unwrap_or_default(), names);
                }
                StmtKind::Variables(variables) => self.variables(variables, names),
                _ => {}
            }
        }
    }

    fn function(&mut self, function: &Function, outer: &Names) {
        // Each function has its own scope.
        let mut names = outer.clone();
        for stmt in function.body.iter().flatten() {
            self.stmt(stmt, &mut names);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, names: &mut Names) {
        match &stmt.kind {
            StmtKind::Variables(variables) => self.variables(variables, names),
            StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => self.expr(expr, names),
            StmtKind::Block(body) => body.iter().for_each(|stmt| self.stmt(stmt, names)),
            StmtKind::If(branch) => {
                self.stmt(&branch.then, names);
                let otherwise = branch.otherwise.as_ref();
                otherwise.into_iter().for_each(|it| self.stmt(it, names));
            }
            StmtKind::For(it) => {
                it.init.iter().for_each(|init| self.stmt(init, names));
                self.stmt(&it.body, names);
            }
            StmtKind::RangeFor(it) => self.stmt(&it.body, names),
            StmtKind::While(_, body) | StmtKind::DoWhile(body, _) => self.stmt(body, names),
            _ => {}
        }
    }

    fn variables(&mut self, variables: &[Variable], names: &mut Names) {
        for variable in variables {
            let value = match &variable.init {
                Init::Assign(value) => Some(value),
                Init::Parens(values) | Init::Braces(values) => values.first(),
                Init::None => None,
            };
            if let Some(value) = value {
                note(&variable.name, value, names);
                self.expr(value, names);
            }
        }
    }

    fn expr(&mut self, expr: &Expr, names: &mut Names) {
        match &expr.kind {
            ExprKind::Assign(target, _, value) => {
                if let ExprKind::Path(path) = &target.kind
                    && let Some(name) = last(path)
                {
                    note(name, value, names);
                }
                self.expr(value, names);
            }
            ExprKind::Call { callee, arguments } => {
                let ExprKind::Path(path) = &callee.kind else {
                    return;
                };
                if last(path).is_some_and(|name| ALLOCATES.contains(&name)) {
                    // Sizes have the form `n * sizeof(half)`.
                    let dtype = arguments.iter().find_map(|it| size_in(it, names));
                    dtype.map(|dtype| self.of_calls.insert(expr.span, dtype));
                    return;
                }
                arguments.iter().for_each(|it| self.expr(it, names));
            }
            ExprKind::Cast(_, _, value) => self.expr(value, names),
            ExprKind::Binary(_, a, b) | ExprKind::Comma(a, b) => {
                self.expr(a, names);
                self.expr(b, names);
            }
            _ => {}
        }
    }
}

/// Records the element type with which the value of a variable is computed.
fn note(name: &str, value: &Expr, names: &mut Names) {
    let Some(dtype) = size_in(value, names) else {
        return;
    };
    let known = names.entry(name.to_owned()).or_insert(Some(dtype));
    // Two different element types are ambiguous.
    *known = known.filter(|known| *known == dtype);
}

/// Returns the element type whose size an expression uses.
fn size_in(expr: &Expr, names: &Names) -> Option<DType> {
    match &expr.kind {
        ExprKind::SizeOfType(ty) => element(ty),
        ExprKind::SizeOf(value) => match &value.kind {
            ExprKind::Path(path) => named_element(last(path)?),
            _ => None,
        },
        ExprKind::Path(path) => *names.get(last(path)?)?,
        ExprKind::Cast(_, _, value) | ExprKind::Unary(_, value) => size_in(value, names),
        ExprKind::Binary(_, a, b) => size_in(a, names).or_else(|| size_in(b, names)),
        ExprKind::Call { arguments, .. } => arguments.iter().find_map(|it| size_in(it, names)),
        _ => None,
    }
}

fn last(path: &Path) -> Option<&str> {
    path.segments.last().map(|it| &*it.name)
}

/// Returns the element type of a C++ type.
fn element(ty: &Type) -> Option<DType> {
    Some(match &ty.kind {
        TypeKind::Float => DType::Float,
        TypeKind::Path(path) => named_element(last(path)?)?,
        _ => return None,
    })
}

/// Returns the element type that a C++ type name denotes.
fn named_element(name: &str) -> Option<DType> {
    Some(match name {
        "half" | "float16" => DType::Half,
        "bfloat16_t" => DType::BFloat16,
        "int8_t" => DType::Int8,
        "uint8_t" => DType::UInt8,
        "int16_t" => DType::Int16,
        "uint16_t" => DType::UInt16,
        "int32_t" => DType::Int,
        "uint32_t" => DType::UInt32,
        "int64_t" => DType::Int64,
        "uint64_t" => DType::UInt64,
        _ => return None,
    })
}

//! Launches that code of the file makes: `kernel<<<…>>>(…)`, `ICPU_RUN_KF(kernel, …)` and
//! `ACLRT_LAUNCH_KERNEL(kernel)(…)`, as far as their numbers are constants.

use std::collections::HashMap;

use a2lint_cpp::syntax::ast::{
    BinaryOp, Class, Expr, ExprKind, Function, Init, IntegerKind, Name, Path, Stmt, StmtKind, Type,
    TypeKind, UnaryOp, Unit, Variable,
};
use a2lint_ir::{
    DisplayName, Launch, LaunchOrigin, LaunchTensor, Module, ParamKind, Passing, Program,
    TensorInit,
};
use a2lint_source::text::Span;

/// Most launches of one kernel that are read.
const MAX_LAUNCHES: usize = 16;

/// What is known of a name of the host.
#[derive(Clone, Copy, Debug)]
enum Host {
    /// A number.
    Number(f64),
    /// Memory of this number of bytes.
    Bytes(f64),
}

/// The names of a function.
type Names = HashMap<String, Host>;

/// A launch as it is written.
struct Written<'u> {
    kernel: &'u str,
    blocks: &'u Expr,
    arguments: &'u [Expr],
    span: Span,
}

/// Adds the launches that functions of a unit make of the kernels of a module.
pub fn read(unit: &Unit, module: &mut Module) {
    let mut host = Reader {
        unit,
        names: Names::new(),
        module,
    };
    host.items(&unit.items);
}

struct Reader<'u, 'm> {
    unit: &'u Unit,
    names: Names,
    module: &'m mut Module,
}

impl<'u> Reader<'u, '_> {
    fn items(&mut self, items: &'u [Stmt]) {
        for item in items {
            match &item.kind {
                StmtKind::Namespace(_, items) | StmtKind::Block(items) => self.items(items),
                StmtKind::Variables(variables) => self.variables(variables),
                StmtKind::Function(function) => self.function(function),
                _ => {}
            }
        }
    }

    fn function(&mut self, function: &'u Function) {
        let is_device = function
            .attributes
            .iter()
            .any(|(name, _)| matches!(&**name, "__global__" | "__aicore__"));
        let Some(body) = function.body.as_deref().filter(|_| !is_device) else {
            return;
        };
        let outer = self.names.clone();
        for parameter in &function.parameters {
            self.names.remove(&*parameter.name);
        }
        self.block(body);
        self.names = outer;
    }

    fn block(&mut self, body: &'u [Stmt]) {
        for stmt in body {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &'u Stmt) {
        match &stmt.kind {
            StmtKind::Variables(variables) => {
                for variable in variables {
                    if let Init::Assign(value) = &variable.init {
                        self.expr(value);
                    }
                }
                self.variables(variables);
            }
            StmtKind::Expr(expr) => self.expr(expr),
            StmtKind::Block(body) => self.block(body),
            StmtKind::If(branch) => {
                self.stmt(&branch.then);
                if let Some(otherwise) = &branch.otherwise {
                    self.stmt(otherwise);
                }
            }
            StmtKind::For(it) => self.stmt(&it.body),
            StmtKind::RangeFor(it) => self.stmt(&it.body),
            StmtKind::While(_, body) | StmtKind::DoWhile(body, _) => self.stmt(body),
            StmtKind::Return(Some(value)) => self.expr(value),
            _ => {}
        }
    }

    fn variables(&mut self, variables: &'u [Variable]) {
        for variable in variables {
            let name = variable.name.to_string();
            let value = match &variable.init {
                Init::Assign(value) => self.host(value),
                Init::Parens(values) | Init::Braces(values) if values.len() == 1 => {
                    self.host(&values[0])
                }
                _ => None,
            };
            match value {
                Some(value) => drop(self.names.insert(name, value)),
                None => {
                    self.names.remove(&name);
                    self.fields(variable);
                }
            }
        }
    }

    /// The members of a struct that is initialised by a list.
    fn fields(&mut self, variable: &'u Variable) {
        let values: Vec<(Option<&Name>, &Expr)> = match &variable.init {
            Init::Braces(values) => values.iter().map(|it| (None, it)).collect(),
            Init::Assign(Expr {
                kind: ExprKind::Braces(_, items),
                ..
            }) => items
                .iter()
                .map(|it| (it.field.as_ref(), &it.value))
                .collect(),
            _ => return,
        };
        let TypeKind::Path(path) = &variable.ty.kind else {
            return;
        };
        let Some(class) = last(path).and_then(|name| class_named(&self.unit.items, name)) else {
            return;
        };
        let members = members_of(class);
        for (at, (field, value)) in values.into_iter().enumerate() {
            let member = match field {
                Some(field) => Some(field.to_string()),
                None => members.get(at).cloned(),
            };
            if let (Some(member), Some(value)) = (member, self.host(value)) {
                self.names
                    .insert(format!("{}.{member}", variable.name), value);
            }
        }
    }

    fn expr(&mut self, expr: &'u Expr) {
        if let Some(launch) = written(expr) {
            self.launch(&launch);
            return;
        }
        match &expr.kind {
            ExprKind::Assign(target, None, value) => {
                self.expr(value);
                let Some(name) = place(target) else { return };
                match self.host(value) {
                    Some(value) => drop(self.names.insert(name, value)),
                    None => drop(self.names.remove(&name)),
                }
            }
            ExprKind::Assign(target, Some(_), _) | ExprKind::Step { target, .. } => {
                if let Some(name) = place(target) {
                    self.names.remove(&name);
                }
            }
            ExprKind::Call { arguments, .. } => arguments.iter().for_each(|it| self.expr(it)),
            ExprKind::Comma(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            _ => {}
        }
    }

    /// What an expression of the host is.
    fn host(&self, expr: &Expr) -> Option<Host> {
        match &expr.kind {
            ExprKind::Cast(_, ty, value) if matches!(ty.kind, TypeKind::Pointer(..)) => {
                self.host(value)
            }
            ExprKind::Call { callee, arguments } => {
                let name = callee_name(callee)?;
                match (name, arguments.as_slice()) {
                    ("GmAlloc", [bytes]) => Some(Host::Bytes(self.number(bytes)?)),
                    _ => None,
                }
            }
            ExprKind::Path(path) => self.names.get(last(path)?).copied(),
            _ => self.number(expr).map(Host::Number),
        }
    }

    /// A constant.
    fn number(&self, expr: &Expr) -> Option<f64> {
        Some(match &expr.kind {
            ExprKind::Int(value, _) => *value as f64,
            ExprKind::Float(value, _) => *value,
            ExprKind::Bool(value) => f64::from(u8::from(*value)),
            ExprKind::Path(path) => match self.names.get(last(path)?)? {
                Host::Number(value) => *value,
                Host::Bytes(_) => return None,
            },
            ExprKind::Member { .. } => match self.names.get(&place(expr)?)? {
                Host::Number(value) => *value,
                Host::Bytes(_) => return None,
            },
            ExprKind::Cast(_, ty, value) => converted(ty, self.number(value)?)?,
            ExprKind::Construct(ty, values) => match values.as_slice() {
                [value] => converted(ty, self.number(value)?)?,
                _ => return None,
            },
            ExprKind::SizeOfType(ty) => size_of(ty)?,
            ExprKind::SizeOf(value) => match &value.kind {
                ExprKind::Path(path) => named_size(last(path)?)?,
                _ => return None,
            },
            ExprKind::Unary(UnaryOp::Minus, value) => -self.number(value)?,
            ExprKind::Unary(UnaryOp::Plus, value) => self.number(value)?,
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                let is_whole = a.fract() == 0.0 && b.fract() == 0.0;
                match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    BinaryOp::Mul => a * b,
                    BinaryOp::Div if is_whole && b != 0.0 => (a / b).trunc(),
                    BinaryOp::Rem if is_whole && b != 0.0 => a % b,
                    BinaryOp::Shl if is_whole && (0.0..32.0).contains(&b) => a * b.exp2(),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    fn launch(&mut self, written: &Written<'u>) {
        let is_it = |program: &&Program| {
            let name = program.name.as_str();
            name == written.kernel || name.split('<').next() == Some(written.kernel)
        };
        let programs: Vec<DisplayName> = self
            .module
            .programs
            .iter()
            .filter(is_it)
            .map(|program| program.name.clone())
            .collect();
        for kernel in programs {
            let mut known = self.module.launches.iter().filter(|it| it.kernel == kernel);
            if known.by_ref().count() >= MAX_LAUNCHES {
                self.module.unread_launches.push(kernel.to_string());
                continue;
            }
            // Without a launch, some of its numbers exist only when the host runs.
            let launch = self.bound(&kernel, written);
            let launch = launch.filter(|it| !self.module.launches.contains(it));
            self.module.launches.extend(launch);
        }
    }

    /// A launch whose numbers are all known.
    fn bound(&self, kernel: &DisplayName, written: &Written<'u>) -> Option<Launch> {
        let program = self
            .module
            .programs
            .iter()
            .find(|program| program.name == *kernel)?;
        let blocks = self.number(written.blocks)?;
        let mut tensors = Vec::new();
        let mut scalars = Vec::new();
        let mut left = program.params.iter().peekable();
        for argument in written.arguments {
            let param = left.next()?;
            match param.kind {
                ParamKind::Global(global) => {
                    let dtype = program.global(global).dtype;
                    let bytes = match self.host(argument) {
                        Some(Host::Bytes(bytes)) => Some(bytes),
                        _ => None,
                    };
                    let elements = bytes
                        .zip(dtype)
                        .map(|(bytes, dtype)| bytes as i64 * 8 / dtype.bits());
                    tensors.push(LaunchTensor {
                        dtype,
                        shape: elements.map(|it| vec![it]),
                        spelled: vec![None; usize::from(elements.is_some())],
                        init: TensorInit::Normal,
                    });
                }
                _ => match param.name.as_str().split_once('.') {
                    // All members of a struct are one argument.
                    Some((object, _)) => {
                        let given = place(argument)?;
                        let prefix = format!("{object}.");
                        let mut member = Some(param);
                        while let Some(param) = member {
                            let (_, field) = param.name.as_str().split_once('.')?;
                            match self.names.get(&format!("{given}.{field}"))? {
                                Host::Number(value) => {
                                    scalars.push((param.name.to_string(), *value));
                                }
                                Host::Bytes(_) => return None,
                            }
                            member = left.next_if(|it| it.name.as_str().starts_with(&prefix));
                        }
                    }
                    None => scalars.push((param.name.to_string(), self.number(argument)?)),
                },
            }
        }
        if left.any(|param| !matches!(param.kind, ParamKind::Global(_))) {
            return None;
        }
        let cores = (blocks >= 1.0 && blocks.fract() == 0.0).then_some(blocks as u32)?;
        Some(Launch {
            kernel: kernel.clone(),
            tensors,
            scalars,
            floats: Vec::new(),
            span: Some(written.span),
            place: None,
            origin: LaunchOrigin::Code,
            block_dim: Some(cores),
            seeds_outputs: None,
            passing: Passing::default(),
        })
    }
}

/// The launch that an expression is.
fn written(expr: &Expr) -> Option<Written<'_>> {
    match &expr.kind {
        ExprKind::Launch {
            callee,
            configuration,
            arguments,
        } => Some(Written {
            kernel: callee_name(callee)?,
            blocks: configuration.first()?,
            arguments,
            span: expr.span,
        }),
        ExprKind::Call { callee, arguments } => match &callee.kind {
            ExprKind::Path(path) if last(path) == Some("ICPU_RUN_KF") => Some(Written {
                kernel: callee_name(arguments.first()?)?,
                blocks: arguments.get(1)?,
                arguments: arguments.get(2..)?,
                span: expr.span,
            }),
            ExprKind::Call {
                callee,
                arguments: named,
            } if callee_name(callee) == Some("ACLRT_LAUNCH_KERNEL") => Some(Written {
                kernel: callee_name(named.first()?)?,
                blocks: arguments.first()?,
                arguments: arguments.get(2..)?,
                span: expr.span,
            }),
            _ => None,
        },
        _ => None,
    }
}

fn callee_name(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Path(path) => last(path),
        _ => None,
    }
}

fn last(path: &Path) -> Option<&str> {
    path.segments.last().map(|it| &*it.name)
}

/// The name of a variable or of a member of one: `tiling`, `tiling.rows`, `tiling->rows`.
fn place(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Path(path) => last(path).map(str::to_owned),
        ExprKind::Member { object, member, .. } => {
            Some(format!("{}.{}", place(object)?, last(member)?))
        }
        ExprKind::Unary(UnaryOp::Dereference | UnaryOp::AddressOf, value) => place(value),
        _ => None,
    }
}

fn converted(ty: &Type, value: f64) -> Option<f64> {
    match &ty.kind {
        TypeKind::Float | TypeKind::Double => Some(value),
        TypeKind::Pointer(..) => None,
        _ => Some(value.trunc()),
    }
}

fn size_of(ty: &Type) -> Option<f64> {
    Some(match &ty.kind {
        TypeKind::Bool => 1.0,
        TypeKind::Float => 4.0,
        TypeKind::Double => 8.0,
        TypeKind::Integer(kind) => match kind {
            IntegerKind::Char | IntegerKind::SignedChar | IntegerKind::UnsignedChar => 1.0,
            IntegerKind::Short | IntegerKind::UnsignedShort => 2.0,
            IntegerKind::Int | IntegerKind::Unsigned => 4.0,
            _ => 8.0,
        },
        TypeKind::Path(path) => named_size(last(path)?)?,
        _ => return None,
    })
}

fn named_size(name: &str) -> Option<f64> {
    Some(match name {
        "int8_t" | "uint8_t" => 1.0,
        "int16_t" | "uint16_t" | "half" | "bfloat16_t" => 2.0,
        "int32_t" | "uint32_t" => 4.0,
        "int64_t" | "uint64_t" | "size_t" => 8.0,
        _ => return None,
    })
}

fn class_named<'u>(items: &'u [Stmt], name: &str) -> Option<&'u Class> {
    items.iter().find_map(|item| match &item.kind {
        StmtKind::Class(class) => {
            let own = class.path.as_ref().and_then(last);
            (own == Some(name) && class.members.is_some()).then_some(&**class)
        }
        StmtKind::Namespace(_, items) | StmtKind::Block(items) => class_named(items, name),
        _ => None,
    })
}

fn members_of(class: &Class) -> Vec<String> {
    let items = class.members.as_deref().unwrap_or_default();
    let variables = items.iter().filter_map(|item| match &item.kind {
        StmtKind::Variables(variables) => Some(variables),
        _ => None,
    });
    variables
        .flatten()
        .filter(|it| !it.is_static)
        .map(|it| it.name.to_string())
        .collect()
}

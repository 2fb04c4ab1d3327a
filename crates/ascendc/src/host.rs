//! Launches that code of the file makes: `kernel<<<…>>>(…)`, `ICPU_RUN_KF(kernel, …)` and
//! `ACLRT_LAUNCH_KERNEL(kernel)(…)`, as far as their numbers are constants.

use std::collections::{HashMap, HashSet};

use a2lint_cpp::syntax::ast::{
    BinaryOp, Class, Expr, ExprKind, Function, Init, IntegerKind, Name, Path, Stmt, StmtKind, Type,
    TypeKind, UnaryOp, Unit, Variable,
};
use a2lint_ir::{
    DisplayName, Launch, LaunchOrigin, LaunchTensor, Module, ParamKind, Passing, Program,
    TensorInit,
};
use a2lint_isa::DType;
use a2lint_source::text::{SourceText, Span};

/// Most launches of one kernel that are read.
const MAX_LAUNCHES: usize = 16;

/// What is known of a name of the host.
#[derive(Clone, Copy, Debug, PartialEq)]
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

/// Another file than that of the kernels.
pub struct Elsewhere {
    /// Its path for people.
    pub shown: String,
    /// Its text.
    pub text: SourceText,
}

/// Adds the launches that functions of a unit make of the kernels of a module; `elsewhere` where it is that of another
/// file.
pub fn read(unit: &Unit, elsewhere: Option<&Elsewhere>, module: &mut Module) {
    let mut host = Reader {
        unit,
        elsewhere,
        known: Known::default(),
        is_dry: false,
        module,
    };
    host.items(&unit.items);
}

struct Reader<'u, 'm> {
    unit: &'u Unit,
    elsewhere: Option<&'m Elsewhere>,
    known: Known,
    /// Whether code is only looked through for what it changes.
    is_dry: bool,
    module: &'m mut Module,
}

/// What is known at a place of the host.
#[derive(Clone, Debug, Default, PartialEq)]
struct Known {
    names: Names,
    /// The element types whose sizes the values of names were computed with.
    sizes: HashMap<String, DType>,
    /// Pointers to what another name points to.
    same: HashMap<String, String>,
    /// Objects whose other members are zero.
    zeroed: HashSet<String>,
    /// Names of floating-point numbers.
    floats: HashSet<String>,
    /// The tiling key that the host has chosen.
    key: Option<f64>,
}

impl Known {
    /// Keeps only what is also known after code that may or may not have been executed and ends in state `other`.
    fn meet(&mut self, other: &Known) {
        let names = self.names.keys().chain(other.names.keys());
        let differs = |name: &&String| self.names.get(*name) != other.names.get(*name);
        let changed: Vec<String> = names.filter(differs).cloned().collect();
        for name in changed {
            self.forget(&name);
        }
        self.sizes
            .retain(|name, value| other.sizes.get(name) == Some(value));
        self.same
            .retain(|name, value| other.same.get(name) == Some(value));
        self.zeroed.retain(|name| other.zeroed.contains(name));
        self.floats.extend(other.floats.iter().cloned());
        if self.key != other.key {
            self.key = None;
        }
    }

    /// Forgets the value of a name or of a member `object.field`, also that it is one of zeroed members.
    fn forget(&mut self, name: &str) {
        self.names.remove(name);
        if let Some((object, _)) = name.rsplit_once('.') {
            self.zeroed.remove(object);
        }
    }

    /// Records what a name has, or that it is not known.
    fn set(&mut self, name: String, value: Option<Host>) {
        match value {
            Some(value) => drop(self.names.insert(name, value)),
            None => self.forget(&name),
        }
    }
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
        let outer = self.known.clone();
        self.known.key = None;
        for parameter in &function.parameters {
            self.known.names.remove(&*parameter.name);
        }
        self.block(body);
        self.known = outer;
    }

    fn block(&mut self, body: &'u [Stmt]) {
        for stmt in body {
            self.stmt(stmt);
        }
    }

    /// Reads a block whose variables hide those around it.
    fn scope(&mut self, body: &'u [Stmt]) {
        let before = self.known.clone();
        self.block(body);
        self.restore(body, &before);
    }

    /// Ends the variables that statements declare; the variables that they hid are visible again.
    fn restore(&mut self, declarations: &'u [Stmt], before: &Known) {
        for stmt in declarations {
            let StmtKind::Variables(variables) = &stmt.kind else {
                continue;
            };
            for variable in variables {
                let name = variable.name.to_string();
                self.forget_fields(&name);
                let value = before.names.get(&name).copied();
                self.known.set(name, value);
            }
        }
    }

    /// Reads code that is executed any number of times, and the step of a `for` after each time.
    fn repeated(&mut self, body: &'u Stmt, step: Option<&'u Expr>) {
        let before = self.known.clone();
        let was_dry = std::mem::replace(&mut self.is_dry, true);
        self.stmt(body);
        step.into_iter().for_each(|step| self.expr(step));
        self.is_dry = was_dry;
        let after = std::mem::replace(&mut self.known, before);
        self.known.meet(&after);
        let before = self.known.clone();
        self.stmt(body);
        step.into_iter().for_each(|step| self.expr(step));
        self.known.meet(&before);
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
            StmtKind::Block(body) => self.scope(body),
            StmtKind::If(branch) => {
                let before = self.known.clone();
                self.stmt(&branch.then);
                let then = std::mem::replace(&mut self.known, before);
                if let Some(otherwise) = &branch.otherwise {
                    self.stmt(otherwise);
                }
                self.known.meet(&then);
            }
            StmtKind::For(it) => {
                let before = self.known.clone();
                it.init.iter().for_each(|init| self.stmt(init));
                self.repeated(&it.body, it.step.as_ref());
                self.restore(it.init.as_slice(), &before);
            }
            StmtKind::RangeFor(it) => self.repeated(&it.body, None),
            StmtKind::While(_, body) | StmtKind::DoWhile(body, _) => self.repeated(body, None),
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
            let init = match &variable.init {
                Init::Assign(value) => Some(value),
                Init::Parens(values) | Init::Braces(values) => values.first(),
                _ => None,
            };
            self.known.same.remove(&name);
            self.forget_fields(&name);
            if matches!(
                variable.ty.kind,
                TypeKind::Pointer(..) | TypeKind::Auto | TypeKind::Reference(..)
            ) && let Some(other) = init.and_then(|init| self.place(init))
                && !other.contains('.')
            {
                self.known.same.insert(name.clone(), other);
            }
            self.note_size(&name, init);
            let is_float = match variable.ty.kind {
                TypeKind::Float | TypeKind::Double => true,
                TypeKind::Auto => init.is_some_and(|init| self.is_float(init)),
                _ => false,
            };
            match is_float {
                true => drop(self.known.floats.insert(name.clone())),
                false => drop(self.known.floats.remove(&name)),
            }
            match value {
                Some(value) => drop(self.known.names.insert(name, value)),
                None => {
                    self.known.names.remove(&name);
                    self.fields(variable);
                }
            }
        }
    }

    /// Forgets the members of an object.
    fn forget_fields(&mut self, name: &str) {
        let members = format!("{name}.");
        self.known
            .names
            .retain(|known, _| !known.starts_with(&members));
        self.known.zeroed.remove(name);
    }

    /// Records the element type whose size (`sizeof`) is used to compute the value of a name.
    fn note_size(&mut self, name: &str, value: Option<&Expr>) {
        match value.and_then(|value| self.size_in(value)) {
            Some(dtype) => drop(self.known.sizes.insert(name.to_owned(), dtype)),
            None => drop(self.known.sizes.remove(name)),
        }
    }

    /// Returns the element type whose size (`sizeof`) an expression uses.
    fn size_in(&self, expr: &Expr) -> Option<DType> {
        match &expr.kind {
            ExprKind::SizeOfType(ty) => element(ty),
            ExprKind::SizeOf(value) => match &value.kind {
                ExprKind::Path(path) => named_element(last(path)?),
                _ => None,
            },
            ExprKind::Path(path) => self.known.sizes.get(last(path)?).copied(),
            ExprKind::Cast(_, _, value) | ExprKind::Unary(_, value) => self.size_in(value),
            ExprKind::Binary(_, a, b) => self.size_in(a).or_else(|| self.size_in(b)),
            ExprKind::Call { arguments, .. } => arguments.iter().find_map(|it| self.size_in(it)),
            _ => None,
        }
    }

    /// Returns the name of a variable or of a member: `tiling`, `tiling.rows`, `tiling->rows`.
    fn place(&self, expr: &Expr) -> Option<String> {
        let name = place(expr)?;
        let (object, member) = match name.split_once('.') {
            Some((object, member)) => (object, Some(member)),
            None => (name.as_str(), None),
        };
        let object = self.known.same.get(object).map_or(object, String::as_str);
        Some(match member {
            Some(member) => format!("{object}.{member}"),
            None => object.to_owned(),
        })
    }

    /// Sets the members of a struct that a list initialises.
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
        let class = last(path).and_then(|name| class_named(&self.unit.items, name));
        // The members of a struct of another file have their numbers for names.
        let members = class.map_or_else(
            || (0..values.len()).map(|at| at.to_string()).collect(),
            members_of,
        );
        for (at, (field, value)) in values.into_iter().enumerate() {
            let member = match field {
                Some(field) => Some(field.to_string()),
                None => members.get(at).cloned(),
            };
            if let (Some(member), Some(value)) = (member, self.host(value)) {
                self.known
                    .names
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
                let Some(name) = self.place(target) else {
                    return;
                };
                self.note_size(&name, Some(value));
                let value = self.host(value);
                self.known.set(name, value);
            }
            ExprKind::Assign(target, Some(_), _) | ExprKind::Step { target, .. } => {
                if let Some(name) = self.place(target) {
                    self.known.forget(&name);
                }
            }
            ExprKind::Call { callee, arguments } => {
                match (callee_name(callee), arguments.as_slice()) {
                    (Some("ICPU_SET_TILING_KEY"), [key]) => {
                        self.known.key = self.number(key);
                        return;
                    }
                    (Some("memset" | "memset_s"), [object, rest @ ..]) => {
                        self.clear(object, rest);
                        return;
                    }
                    (Some("aclrtMalloc"), [pointer, bytes, ..]) => {
                        self.allocate(pointer, bytes);
                        return;
                    }
                    _ => {}
                }
                arguments.iter().for_each(|it| self.expr(it));
                self.escape(arguments);
            }
            ExprKind::Comma(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            _ => {}
        }
    }

    /// Sets all bytes of an object to one number: `memset(p, 0, n)`, `memset_s(p, n, 0, n)`.
    fn clear(&mut self, object: &Expr, rest: &[Expr]) {
        let Some(name) = self.place(object) else {
            return;
        };
        self.forget_fields(&name);
        let value = rest.get(rest.len().saturating_sub(2));
        let is_zero = value.and_then(|value| self.number(value)) == Some(0.0);
        match is_zero {
            true => drop(self.known.zeroed.insert(name)),
            false => drop(self.known.zeroed.remove(&name)),
        }
    }

    /// Returns the value of a member of an object.
    fn field(&self, object: &str, field: &str) -> Option<Host> {
        let known = self.known.names.get(&format!("{object}.{field}")).copied();
        let zero = || {
            self.known
                .zeroed
                .contains(object)
                .then_some(Host::Number(0.0))
        };
        known.or_else(zero)
    }

    /// Records an allocation (`aclrtMalloc`) of a number of bytes, whose address is stored to where a pointer points.
    fn allocate(&mut self, pointer: &Expr, bytes: &Expr) {
        let Some(name) = self.place(pointer) else {
            return;
        };
        self.note_size(&name, Some(bytes));
        let bytes = self.number(bytes).map(Host::Bytes);
        self.known.set(name, bytes);
    }

    /// Functions may change what they get the address of.
    fn escape(&mut self, arguments: &[Expr]) {
        for argument in arguments {
            if let ExprKind::Unary(UnaryOp::AddressOf, value) = &argument.kind
                && let Some(name) = self.place(value)
            {
                self.known.forget(&name);
                self.forget_fields(&name);
            }
        }
    }

    /// Evaluates an expression of the host.
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
            ExprKind::Path(path) => self.known.names.get(last(path)?).copied(),
            _ => self.number(expr).map(Host::Number),
        }
    }

    /// Returns whether an expression is a floating-point number.
    fn is_float(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Float(..) => true,
            ExprKind::Cast(_, ty, _) | ExprKind::Construct(ty, _) => {
                matches!(ty.kind, TypeKind::Float | TypeKind::Double)
            }
            ExprKind::Path(path) => last(path).is_some_and(|it| self.known.floats.contains(it)),
            ExprKind::Unary(_, value) => self.is_float(value),
            ExprKind::Binary(_, a, b) => self.is_float(a) || self.is_float(b),
            _ => false,
        }
    }

    /// Evaluates a call of a function of the file that returns an expression of its parameters.
    fn returned(&self, name: &str, arguments: &[Expr]) -> Option<f64> {
        let function = function_named(&self.unit.items, name)?;
        let [
            Stmt {
                kind: StmtKind::Return(Some(value)),
                ..
            },
        ] = function.body.as_deref()?
        else {
            return None;
        };
        if function.parameters.len() != arguments.len() || has_calls(value) {
            return None;
        }
        let mut inner = Reader {
            unit: self.unit,
            elsewhere: None,
            known: self.known.clone(),
            is_dry: true,
            module: &mut Module::default(),
        };
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            let value = Host::Number(converted(&parameter.ty, self.number(argument)?)?);
            inner.known.names.insert(parameter.name.to_string(), value);
        }
        inner.number(value)
    }

    /// Evaluates an expression of the host to a number.
    fn number(&self, expr: &Expr) -> Option<f64> {
        Some(match &expr.kind {
            ExprKind::Int(value, _) => *value as f64,
            ExprKind::Float(value, _) => *value,
            ExprKind::Bool(value) => f64::from(u8::from(*value)),
            ExprKind::Path(path) => match self.known.names.get(last(path)?)? {
                Host::Number(value) => *value,
                Host::Bytes(_) => return None,
            },
            ExprKind::Member { .. } => match self.known.names.get(&self.place(expr)?)? {
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
            ExprKind::Call { callee, arguments } => {
                self.returned(callee_name(callee)?, arguments)?
            }
            ExprKind::Binary(op, a, b) => {
                let is_float = self.is_float(a) || self.is_float(b);
                let (a, b) = (self.number(a)?, self.number(b)?);
                if is_float && *op == BinaryOp::Div {
                    return (b != 0.0).then(|| a / b);
                }
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
        if self.is_dry {
            return;
        }
        let is_it = |program: &&Program| {
            let name = program.name.as_str();
            name == written.kernel || name.split(['<', '[']).next() == Some(written.kernel)
        };
        let mut all = self.module.programs.iter().filter(is_it);
        let first = all.next();
        let is_one = |program: &&Program| is_it(program) && self.is_of_key(program);
        let is_several = first.is_some_and(|first| {
            all.any(|it| it.built_for != first.built_for && types_of(it) != types_of(first))
        });
        let programs: Vec<DisplayName> = self
            .module
            .programs
            .iter()
            .filter(is_one)
            .filter(|program| !is_several || self.fits(program, written))
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

    /// Returns whether a kernel is compiled for the tiling key that the host has chosen. A host that chooses none
    /// starts no kernel that has a key.
    fn is_of_key(&self, program: &Program) -> bool {
        let mut keys = program
            .built_for
            .iter()
            .filter(|(name, _)| name == "TILING_KEY");
        keys.all(|(_, key)| key.parse::<f64>().ok() == self.known.key)
    }

    /// Returns whether the memory of a launch is measured in the element types of a kernel: the host says nothing else
    /// of which of several kernels it starts.
    fn fits(&self, program: &Program, written: &Written<'u>) -> bool {
        let globals = program.params.iter().filter_map(|param| match param.kind {
            ParamKind::Global(global) => Some(program.global(global)),
            _ => None,
        });
        let mut measured = globals
            .zip(written.arguments)
            .filter_map(|(global, argument)| {
                let name = self.place(argument)?;
                Some((global.dtype?, *self.known.sizes.get(&name)?))
            });
        let Some((dtype, size)) = measured.next() else {
            return false;
        };
        dtype == size && measured.all(|(dtype, size)| dtype.bits() == size.bits())
    }

    /// Returns a launch if all its numbers are known.
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
                        let given = self.place(argument)?;
                        let prefix = format!("{object}.");
                        let mut member = Some(param);
                        let mut at = 0;
                        while let Some(param) = member {
                            let (_, field) = param.name.as_str().split_once('.')?;
                            let by_name = self.known.names.get(&format!("{given}.{field}"));
                            let by_place = self.known.names.get(&format!("{given}.{at}"));
                            at += 1;
                            match by_name.or(by_place)? {
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
        // Fields of the tiling follow the parameters, called after the one that points to them.
        for param in left {
            let (object, field) = param.name.as_str().split_once('.')?;
            let at = program.params.iter().position(|it| it.name == *object)?;
            let given = self.place(written.arguments.get(at)?)?;
            match self.field(&given, field)? {
                Host::Number(value) => scalars.push((param.name.to_string(), value)),
                Host::Bytes(_) => return None,
            }
        }
        let cores = (blocks >= 1.0 && blocks.fract() == 0.0).then_some(blocks as u32)?;
        Some(Launch {
            kernel: kernel.clone(),
            tensors,
            scalars,
            floats: Vec::new(),
            span: match self.elsewhere {
                Some(_) => None,
                None => Some(written.span),
            },
            place: self.elsewhere.map(|it| {
                let line = it.text.line_index(written.span.start) + 1;
                format!("{}:{line}", it.shown)
            }),
            origin: match self.elsewhere {
                Some(_) => LaunchOrigin::Importer,
                None => LaunchOrigin::Code,
            },
            block_dim: Some(cores),
            seeds_outputs: None,
            passing: Passing::default(),
        })
    }
}

/// Returns the launch in an expression, if it is one.
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

/// Returns the name of a variable or of a member: `tiling`, `tiling.rows`, `tiling->rows`.
fn place(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Path(path) => last(path).map(str::to_owned),
        ExprKind::Member { object, member, .. } => {
            Some(format!("{}.{}", place(object)?, last(member)?))
        }
        ExprKind::Unary(UnaryOp::Dereference | UnaryOp::AddressOf, value)
        | ExprKind::Cast(_, _, value) => place(value),
        ExprKind::Index(object, at) => match at.as_slice() {
            [
                Expr {
                    kind: ExprKind::Int(at, _),
                    ..
                },
            ] => Some(format!("{}[{at}]", place(object)?)),
            _ => None,
        },
        _ => None,
    }
}

/// Returns whether an expression calls a function.
fn has_calls(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Call { .. } => true,
        ExprKind::Binary(_, a, b) => has_calls(a) || has_calls(b),
        ExprKind::Unary(_, value) | ExprKind::Cast(_, _, value) => has_calls(value),
        _ => false,
    }
}

/// Returns the function of this name that has a body.
fn function_named<'u>(items: &'u [Stmt], name: &str) -> Option<&'u Function> {
    let mut found = items.iter().filter_map(|item| match &item.kind {
        StmtKind::Function(function) => {
            let own = function.path.segments.last().map(|it| &*it.name);
            (own == Some(name) && function.body.is_some()).then_some(&**function)
        }
        StmtKind::Namespace(_, items) | StmtKind::Block(items) => function_named(items, name),
        _ => None,
    });
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// Returns the template arguments and macros for which a kernel is compiled, without tiling keys.
fn types_of(program: &Program) -> Vec<&(String, String)> {
    let values = program.built_for.iter();
    values.filter(|(name, _)| name != "TILING_KEY").collect()
}

/// Returns the element type of a C++ type.
fn element(ty: &Type) -> Option<DType> {
    Some(match &ty.kind {
        TypeKind::Float => DType::Float,
        TypeKind::Path(path) => named_element(last(path)?)?,
        _ => return None,
    })
}

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

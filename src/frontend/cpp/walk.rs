//! The way through the functions of a file: scopes, branches and loops are handled here, what
//! declarations and calls mean is up to a dialect.
//!
//! Values are followed along straight lines. What a branch or loop changes is forgotten behind it,
//! what a loop changes also before its first turn.

use rustc_hash::FxHashMap;

use super::dialect::{Call, ClassFacts, Dialect, Role, Site};
use super::environment::{Binding, Entity, Environment};
use super::instances::{Argument, bind, instances, written};
use crate::ir::NotAnalysed;
use crate::syntax::cpp::{
    Assignment, BinaryOp, Branch, Declarator, Expr, ExprKind, Function, Init, Loop, Path, Stmt,
    StmtKind, Unit, visit_expressions,
};
use crate::text::Span;

/// Walks every function of a unit, templates once for each of their instances. A template without one
/// is walked with its parameters unknown, and told of.
pub fn walk_unit<'a>(
    unit: Unit<'a>,
    text: &'a str,
    dialect: &mut dyn Dialect<'a>,
) -> Vec<NotAnalysed> {
    let mut site = Site {
        env: Environment::default(),
        name: String::new(),
        regions: Vec::new(),
        region: 0,
    };
    site.env.open();
    let mut classes: FxHashMap<&'a str, ClassFacts<'a>> = FxHashMap::default();
    let mut sorted = Sorted::default();
    sort_out(unit.items, &mut site, dialect, &mut classes, &mut sorted);
    // Functions in classes are walked with the class they belong to, in source order.
    let mut free = Vec::new();
    for function in sorted.functions {
        match function.class.filter(|class| classes.contains_key(class)) {
            Some(class) => {
                if let Some(facts) = classes.get_mut(class) {
                    facts.methods.push(function);
                }
            }
            None => free.push(function),
        }
    }
    let made = instances(&mut site.env, &free, &classes, &sorted.instantiated);
    let mut order: Vec<(&Function<'a>, Option<&ClassFacts<'a>>)> = Vec::new();
    order.extend(free.iter().map(|function| (function, None)));
    for facts in classes.values() {
        order.extend(facts.methods.iter().map(|method| (method, Some(facts))));
    }
    order.sort_by_key(|(function, ..)| function.name_span);
    let mut gaps = Vec::new();
    for (function, class) in order {
        if !dialect.concerns(text.get(body_span(function).range()).unwrap_or("")) {
            continue;
        }
        let template = match class.filter(|facts| !facts.class.parameters.is_empty()) {
            Some(facts) => Some(facts.class.name),
            None => (!function.template_parameters.is_empty()).then_some(function.name),
        };
        let list = template.map_or(&[][..], |name| made.of(name));
        for arguments in list {
            walk_function(&mut site, dialect, function, class, arguments);
        }
        if list.is_empty() {
            walk_function(&mut site, dialect, function, class, &[]);
        }
        let reason = match template {
            Some(_) if list.is_empty() => {
                "template without an instance: what depends on its parameters is not known"
            }
            Some(name) if made.is_cut(name) => "a template with more instances than are looked at",
            _ => continue,
        };
        gaps.push(NotAnalysed {
            kernel: Some(function.name.to_owned()),
            reason: reason.to_owned(),
        });
    }
    gaps
}

/// Functions at the top of a file, and instantiations.
#[derive(Default)]
struct Sorted<'a> {
    functions: Vec<Function<'a>>,
    instantiated: Vec<Path<'a>>,
}

/// From the name to the end of the last statement.
fn body_span(function: &Function) -> Span {
    let last = function
        .body
        .last()
        .map_or(function.name_span, |stmt| stmt.span);
    function.name_span.to(last)
}

/// Parts file-level declarations: names into the environment, classes and functions into theirs.
fn sort_out<'a>(
    items: Vec<Stmt<'a>>,
    site: &mut Site<'a>,
    dialect: &mut dyn Dialect<'a>,
    classes: &mut FxHashMap<&'a str, ClassFacts<'a>>,
    sorted: &mut Sorted<'a>,
) {
    for item in items {
        match item.kind {
            StmtKind::Function(function) => {
                site.env.define(&function);
                sorted.functions.push(*function);
            }
            StmtKind::Class(mut class) => {
                let name = class.name;
                let mut methods = Vec::new();
                class.members.retain(|member| match &member.kind {
                    StmtKind::Function(function) => {
                        methods.push((**function).clone());
                        false
                    }
                    _ => true,
                });
                classes.insert(name, ClassFacts { class, methods });
            }
            StmtKind::Instantiate(path) => sorted.instantiated.push(path),
            StmtKind::Block(inner) => sort_out(inner, site, dialect, classes, sorted),
            StmtKind::Branch(branch) => {
                let arms = branch.then.into_iter().chain(branch.otherwise);
                sort_out(arms.collect(), site, dialect, classes, sorted);
            }
            StmtKind::Declare { .. } => declare(site, dialect, &item, Role::Member),
            _ => site.env.learn(&item),
        }
    }
}

fn walk_function<'a>(
    site: &mut Site<'a>,
    dialect: &mut dyn Dialect<'a>,
    function: &Function<'a>,
    class: Option<&ClassFacts<'a>>,
    arguments: &[Argument<'a>],
) {
    let of_class = class.is_some_and(|facts| !facts.class.parameters.is_empty());
    let (outer, own) = match of_class {
        // Outside of its class a method names the parameters of the class again.
        true if function.class.is_some() => (arguments, arguments),
        true => (arguments, &[][..]),
        false => (&[][..], arguments),
    };
    site.name = match class.filter(|_| !outer.is_empty()) {
        Some(facts) => format!("{}{}::{}", facts.class.name, written(outer), function.name),
        None => format!("{}{}", function.name, written(own)),
    };
    site.regions = vec![0];
    site.region = 0;
    site.env.open();
    dialect.enter(site, function, class);
    if let Some(facts) = class {
        bind(
            &mut site.env,
            &facts.class.parameters,
            outer,
            function.name_span,
        );
        for member in &facts.class.members {
            match &member.kind {
                StmtKind::Declare { .. } => declare(site, dialect, member, Role::Member),
                _ => site.env.learn(member),
            }
        }
        dialect.class_ready(site, facts);
    }
    site.env.open();
    bind(
        &mut site.env,
        &function.template_parameters,
        own,
        function.name_span,
    );
    for parameter in &function.parameters {
        let declarator = Declarator {
            name: parameter.name,
            span: parameter.span,
            whole: parameter.span,
            array: false,
            indirect: true,
            init: Init::Default,
        };
        declare_one(
            site,
            dialect,
            &parameter.ty,
            false,
            &declarator,
            Role::Parameter,
        );
    }
    let mut walker = Walker { site, dialect };
    walker.block(&function.body);
    dialect.leave(site, function);
    site.env.close();
    site.env.close();
}

fn declare<'a>(site: &mut Site<'a>, dialect: &mut dyn Dialect<'a>, stmt: &Stmt<'a>, role: Role) {
    if let StmtKind::Declare {
        ty,
        constant,
        names,
    } = &stmt.kind
    {
        for name in names {
            declare_one(site, dialect, ty, *constant, name, role);
        }
    }
}

fn declare_one<'a>(
    site: &mut Site<'a>,
    dialect: &mut dyn Dialect<'a>,
    ty: &Path<'a>,
    constant: bool,
    declarator: &Declarator<'a>,
    role: Role,
) {
    let ty = site.env.resolve(ty);
    if let Some(object) = dialect.declare(site, &ty, declarator, role) {
        let binding = Binding {
            entity: Entity::Object(object),
            ty: Some(ty),
            span: declarator.span,
            constant: false,
        };
        return site.env.bind(declarator.name, binding);
    }
    let mut binding = site
        .env
        .number(ty, constant, &declarator.init, declarator.span);
    if declarator.array || (declarator.indirect && role == Role::Local) {
        binding.entity = Entity::Opaque;
    }
    // A member's initialiser says what it starts with, not what it is when a method runs.
    if role == Role::Member && !constant {
        binding.entity = Entity::Int(None);
    }
    site.env.bind(declarator.name, binding);
}

struct Walker<'s, 'a> {
    site: &'s mut Site<'a>,
    dialect: &'s mut dyn Dialect<'a>,
}

impl<'a> Walker<'_, 'a> {
    fn block(&mut self, stmts: &[Stmt<'a>]) {
        self.site.env.open();
        for stmt in stmts {
            self.statement(stmt);
        }
        self.site.env.close();
    }

    fn statement(&mut self, stmt: &Stmt<'a>) {
        match &stmt.kind {
            StmtKind::Declare {
                ty,
                constant,
                names,
            } => {
                for name in names {
                    match &name.init {
                        Init::Default => {}
                        Init::Value(value) => self.expr(value, true),
                        Init::Arguments(list) => {
                            list.iter().for_each(|value| self.expr(value, true))
                        }
                    }
                    declare_one(self.site, self.dialect, ty, *constant, name, Role::Local);
                }
            }
            StmtKind::Expr(expr) => self.expr(expr, false),
            StmtKind::Exit(value) => {
                if let Some(value) = value {
                    self.expr(value, true);
                }
            }
            StmtKind::Block(body) => self.block(body),
            StmtKind::Branch(branch) => self.branch(branch),
            StmtKind::Loop(turns) => self.turns(turns),
            StmtKind::Alias(_) | StmtKind::Enum(_) | StmtKind::Define(..) => {
                self.site.env.learn(stmt);
            }
            StmtKind::Class(_)
            | StmtKind::Function(_)
            | StmtKind::Instantiate(_)
            | StmtKind::Other => {}
        }
    }

    fn branch(&mut self, branch: &Branch<'a>) {
        if let Some(condition) = &branch.condition {
            self.expr(condition, true);
            match self.site.env.int(condition) {
                Some(0) => return self.block(&branch.otherwise),
                Some(_) => return self.block(&branch.then),
                None => {}
            }
        }
        for arm in [&branch.then, &branch.otherwise] {
            if !arm.is_empty() {
                self.region(arm);
                self.forget(&self.changed(arm, &[]));
            }
        }
    }

    fn turns(&mut self, turns: &Loop<'a>) {
        self.site.env.open();
        for stmt in &turns.init {
            self.statement(stmt);
        }
        let changed = self.changed(&turns.body, &turns.control);
        self.forget(&changed);
        for expr in &turns.control {
            self.expr(expr, true);
        }
        self.forget(&changed);
        self.region(&turns.body);
        self.forget(&changed);
        self.site.env.close();
    }

    fn region(&mut self, body: &[Stmt<'a>]) {
        let parent = self.site.region;
        self.site.region = self.site.regions.len();
        self.site.regions.push(parent);
        self.block(body);
        self.site.region = parent;
    }

    /// Names that statements and expressions may change.
    fn changed(&self, stmts: &[Stmt<'a>], more: &[Expr<'a>]) -> Vec<&'a str> {
        let mut names: Vec<&'a str> = Vec::new();
        let mut see = |expr: &Expr<'a>| match &expr.kind {
            ExprKind::Assign(assignment) => names.extend(root(&assignment.target)),
            ExprKind::Call {
                callee, arguments, ..
            } => {
                names.extend(self.dialect.changes(callee, arguments));
            }
            ExprKind::Unary(crate::syntax::cpp::UnaryOp::AddressOf, operand) => {
                names.extend(root(operand));
            }
            _ => {}
        };
        visit_expressions(stmts, &mut see);
        more.iter().for_each(|expr| expr.visit(&mut see));
        names.sort_unstable();
        names.dedup();
        names
    }

    fn forget(&mut self, names: &[&'a str]) {
        for name in names {
            self.site.env.assign(name, None);
        }
        self.dialect.forget(self.site, names);
    }

    /// Sees an expression; what is inside comes first.
    fn expr(&mut self, expr: &Expr<'a>, assigned: bool) {
        match &expr.kind {
            ExprKind::Assign(assignment) => {
                self.expr(&assignment.value, true);
                self.assign(assignment, expr.span);
            }
            ExprKind::Call {
                callee,
                arguments,
                parentheses,
            } => {
                arguments
                    .iter()
                    .for_each(|argument| self.expr(argument, true));
                if let ExprKind::Member { object, .. } = &callee.kind {
                    self.expr(object, true);
                }
                for name in self.dialect.changes(callee, arguments) {
                    self.site.env.assign(name, None);
                }
                let call = Call {
                    expr,
                    callee,
                    arguments,
                    parentheses: *parentheses,
                    assigned,
                };
                self.dialect.call(self.site, &call);
            }
            ExprKind::Lambda(body) => {
                self.region(body);
                self.forget(&self.changed(body, &[]));
            }
            _ => expr
                .children()
                .into_iter()
                .for_each(|child| self.expr(child, true)),
        }
    }

    fn assign(&mut self, assignment: &Assignment<'a>, span: Span) {
        let Assignment { target, op, value } = assignment;
        let binding = target.plain_name().and_then(|name| self.site.env.get(name));
        if let (Some(name), Some(Entity::Int(old))) =
            (target.plain_name(), binding.map(|binding| &binding.entity))
        {
            let right = self.site.env.int(value);
            let new = match op {
                None => right,
                Some(op) => old
                    .zip(right)
                    .and_then(|(old, right)| apply(*op, old, right)),
            };
            return self.site.env.assign(name, new);
        }
        let value = op.is_none().then_some(value);
        self.dialect.assign(self.site, target, value, span);
    }
}

fn apply(op: BinaryOp, old: i128, right: i128) -> Option<i128> {
    match op {
        BinaryOp::Add => old.checked_add(right),
        BinaryOp::Sub => old.checked_sub(right),
        BinaryOp::Mul => old.checked_mul(right),
        _ => None,
    }
}

/// The variable that an assignment target belongs to.
pub fn root<'a>(expr: &Expr<'a>) -> Option<&'a str> {
    match &expr.kind {
        ExprKind::Member { object, .. } => expr.plain_name().or_else(|| root(object)),
        ExprKind::Index(object, _) => root(object),
        ExprKind::Unary(_, operand) => root(operand),
        _ => expr.plain_name(),
    }
}

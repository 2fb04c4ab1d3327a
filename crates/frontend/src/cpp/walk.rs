//! The walk through the functions of a file. Scopes, branches and loops are handled here; declarations and calls are
//! handled by a dialect.
//!
//! Values are followed along straight-line code. What a branch or loop changes is forgotten after it; what a loop
//! changes also before its first iteration.

use super::arguments::bound;
use super::collect::{Collected, Member};
use super::dialect::{ClassFacts, Dialect, Role, Site};
use super::environment::{Binding, Entity, Environment};
use super::evaluate::View;
use super::instance::{Instance, Instances};
use super::instances::{MAX_BODIES, instances};
use super::members::{Writes, lineage};
use super::preprocessor::Macros;
use super::products::leaves_out;
use super::statements::Walker;
use a2lint_ir::NotAnalysed;
use a2lint_isa::masks::{Target, Targets};
use a2lint_project::{Headers, Project};
use a2lint_source::text::Span;
use a2lint_syntax::cpp::{Declarator, Expr, ExprKind, Function, Init, Path, Stmt, StmtKind, Unit};

/// A file with the files of its project that it is compiled with.
#[derive(Debug, Default)]
pub struct Sources<'a> {
    /// The parsed files with their texts; the file itself is first.
    pub units: Vec<(&'a Unit<'a>, &'a str)>,
    /// The files that are compiled together, in the order of inclusion: first the file with its headers, then each
    /// file that includes it.
    pub translations: Vec<Vec<usize>>,
    /// The products for which the folders of the file are named.
    pub folders: Option<Vec<Target>>,
}

/// Returns the products for which the folders of a file are named, below the root of its project.
pub fn folders(project: &Project) -> Option<Vec<Target>> {
    Target::of_folders(project.path.strip_prefix(&project.root).ok()?)
}

impl<'a> Sources<'a> {
    /// Returns a file with its headers; `None` if it is too large or too broken to be read.
    pub fn of(headers: &'a Headers, project: Option<&Project>) -> Option<Sources<'a>> {
        Some(Sources {
            units: headers.units()?,
            translations: headers.translations().to_vec(),
            folders: project.and_then(folders),
        })
    }

    /// Returns the sources of a file without others.
    pub fn alone(unit: &'a Unit<'a>, text: &'a str) -> Sources<'a> {
        Sources {
            units: vec![(unit, text)],
            translations: vec![vec![0]],
            folders: None,
        }
    }

    /// Returns the text of the file itself.
    pub fn text(&self) -> &'a str {
        self.units.first().map_or("", |(_, text)| text)
    }

    fn collect(&self, files: &[usize], product: Option<Target>) -> Collected<'a> {
        let mut all = Collected::default();
        all.env.macros = Macros::of(product);
        for (unit, text) in files.iter().filter_map(|&at| self.units.get(at)) {
            all.add(unit, text);
        }
        all.finish();
        all
    }
}

/// Walks every function of a file, and templates once for each of their instances. A template without an instance is
/// walked with unknown parameters and reported. Conditions that ask for a product are decided if one is given.
pub fn walk<'a>(
    sources: &Sources<'a>,
    targets: &Targets,
    dialect: &mut dyn Dialect<'a>,
) -> Vec<NotAnalysed> {
    let product = targets.compiled_for();
    let Some((own, others)) = sources.translations.split_first() else {
        return Vec::new();
    };
    let text = sources.text();
    let is_own = |id: Span| id.end as usize <= text.len();
    let mut all = sources.collect(own, product);
    // Instances that only headers make do not concern this file.
    let mut made = instances(&mut all, &is_own);
    let concerned = |member: &Member<'a>, dialect: &dyn Dialect<'a>| {
        let body = text.get(body_span(member.function).range());
        is_own(member.id()) && dialect.concerns(body.unwrap_or(""))
    };
    let mut members = all.members.iter();
    if members.any(|it| needs_arguments(it, &all.classes) && concerned(it, dialect)) {
        for files in others {
            let found = instances(&mut sources.collect(files, product), &|_| true);
            made.join(found, is_own);
        }
    }
    let mut order: Vec<&Member<'a>> = all.members.iter().collect();
    order.retain(|member| concerned(member, dialect));
    order.sort_by_key(|member| member.id());
    let writes = match order.iter().any(|member| member.class.is_some()) {
        true => Writes::of(&all.classes, &all.members, dialect),
        false => Writes::default(),
    };
    let mut gaps = Vec::new();
    if !targets.are_said() {
        gaps.extend(left_to_others(sources, &all.env.macros, product, dialect));
    }
    if made.is_unfinished && !order.is_empty() {
        gaps.push(gap(format!(
            "only the first {MAX_BODIES} functions and instances were searched for instances"
        )));
    }
    let mut site = Site {
        env: std::mem::take(&mut all.env),
        name: String::new(),
        regions: Vec::new(),
        region: 0,
        bound: false,
        left_out: false,
    };
    for member in order {
        let way = Way {
            all: &all,
            writes: &writes,
            made: &made,
            member,
        };
        gaps.extend(way.each(&mut site, dialect));
    }
    gaps
}

/// Returns why the file is not analysed if code is left out because it is for other products.
fn left_to_others<'a>(
    sources: &Sources<'a>,
    macros: &Macros<'a>,
    product: Option<Target>,
    dialect: &dyn Dialect<'a>,
) -> Option<NotAnalysed> {
    let (unit, text) = sources.units.first()?;
    let name = product?.name();
    leaves_out(&unit.items, macros, text, dialect).then(|| {
        gap(format!(
            "code for other products than {name}: `// a2lint: device …` says which one is meant"
        ))
    })
}

fn gap(reason: String) -> NotAnalysed {
    NotAnalysed {
        kernel: None,
        reason,
    }
}

/// Returns whether a function exists once for each instance of a template.
fn needs_arguments(member: &Member, classes: &[ClassFacts]) -> bool {
    let class = member.class.map(|at| classes[at].class);
    member.is_template() || class.is_some_and(|class| !class.parameters.is_empty())
}

/// Returns the span from the name to the last statement.
fn body_span(function: &Function) -> Span {
    let last = function
        .body
        .last()
        .map_or(function.name_span, |stmt| stmt.span);
    function.name_span.to(last)
}

/// A function that is being walked.
struct Way<'s, 'a> {
    all: &'s Collected<'a>,
    writes: &'s Writes<'a>,
    made: &'s Instances<'a>,
    member: &'s Member<'a>,
}

impl<'a> Way<'_, 'a> {
    fn each(&self, site: &mut Site<'a>, dialect: &mut dyn Dialect<'a>) -> Option<NotAnalysed> {
        let id = self.member.id();
        let list = self.made.of(id);
        let is_template = needs_arguments(self.member, &self.all.classes);
        site.left_out = false;
        for instance in list {
            site.bound = true;
            self.walk(site, dialect, instance);
        }
        let left_out = site.left_out;
        if list.is_empty() || left_out || !is_template {
            site.bound = false;
            self.walk(site, dialect, &Instance::default());
        }
        let reason = match is_template {
            true if list.is_empty() => {
                "template without an instance: what depends on its parameters is not known"
            }
            true if self.made.is_cut(id) => "a template with more instances than are looked at",
            false if self.made.is_cut(id) => {
                "a function that is called with more numbers than are looked at"
            }
            true if left_out => {
                "a branch of `if constexpr` that is not decided: it is read without arguments"
            }
            _ => return None,
        };
        Some(NotAnalysed {
            kernel: Some(self.member.function.name.to_owned()),
            reason: reason.to_owned(),
        })
    }

    fn walk(&self, site: &mut Site<'a>, dialect: &mut dyn Dialect<'a>, instance: &Instance<'a>) {
        let (member, function) = (self.member, self.member.function);
        let classes = &self.all.classes;
        let class = member.class.map(|at| &classes[at]);
        site.name = instance.name(member, class);
        site.regions = vec![0];
        site.region = 0;
        let before = site.env.enter_namespace(member.namespace.clone());
        site.env.open();
        dialect.enter(site, function, class);
        if let Some(at) = member.class {
            let line = lineage(View::of(&site.env), classes, at, &instance.outer);
            for (at, arguments) in line {
                let parameters = bound_class(&classes[at], &arguments);
                self.members(site, dialect, at, parameters);
            }
        }
        site.env.open();
        let own = match member.parameters_are_of_class() {
            true => &instance.outer,
            false => &instance.own,
        };
        for (name, binding) in bound(&function.template_parameters, own, function.name_span) {
            site.env.bind(name, binding);
        }
        let mut passed = instance.passed.iter().copied();
        for parameter in &function.parameters {
            let passed = passed.next().flatten();
            let declarator = Declarator {
                name: parameter.name,
                span: parameter.span,
                whole: parameter.span,
                array: false,
                indirect: true,
                pointer: parameter.pointer,
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
            if passed.is_some() {
                site.env.assign(parameter.name, passed);
            }
        }
        let mut walker = Walker { site, dialect };
        walker.block(&function.body);
        dialect.leave(site, function);
        site.env.close();
        site.env.close();
        site.env.enter_namespace(before);
    }

    /// Declares the members of a class.
    fn members(
        &self,
        site: &mut Site<'a>,
        dialect: &mut dyn Dialect<'a>,
        at: usize,
        parameters: Vec<(&'a str, Binding<'a>)>,
    ) {
        for (name, binding) in parameters {
            site.env.bind(name, binding);
        }
        let facts = &self.all.classes[at];
        for member in &facts.class.members {
            match &member.kind {
                StmtKind::Declare { .. } => declare(site, dialect, member, Role::Member),
                _ => site.env.learn(member),
            }
        }
        self.writes.settle(&mut site.env, at, self.all, self.made);
    }
}

fn bound_class<'a>(
    facts: &ClassFacts<'a>,
    arguments: &[super::arguments::Argument<'a>],
) -> Vec<(&'a str, Binding<'a>)> {
    bound(&facts.class.parameters, arguments, facts.class.name_span)
}

/// Binds the constants that a file-level declaration makes.
pub(super) fn declare_number<'a>(env: &mut Environment<'a>, stmt: &'a Stmt<'a>) {
    if let StmtKind::Declare {
        ty,
        constant,
        names,
    } = &stmt.kind
    {
        let ty = env.resolve(ty);
        for name in names {
            let mut binding = env.number(ty.clone(), *constant, &name.init, name.span);
            if name.array || name.pointer {
                binding.entity = Entity::Opaque;
            } else if !constant {
                binding.entity = Entity::Int(None);
            }
            env.bind(name.name, binding);
        }
    }
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

pub(super) fn declare_one<'a>(
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
            ty: Some(site.env.closed(&ty)),
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
    // A member's initialiser gives its initial value, not the one that a method finds.
    if role != Role::Local && !constant {
        binding.entity = Entity::Int(None);
    }
    if declarator.pointer {
        binding.ty = None;
    }
    site.env.bind(declarator.name, binding);
}

/// Returns the variable that an assignment target belongs to.
pub fn root<'a>(expr: &Expr<'a>) -> Option<&'a str> {
    match &expr.kind {
        ExprKind::Member { object, .. } => expr.plain_name().or_else(|| root(object)),
        ExprKind::Index(object, _) => root(object),
        ExprKind::Unary(_, operand) => root(operand),
        _ => expr.plain_name(),
    }
}

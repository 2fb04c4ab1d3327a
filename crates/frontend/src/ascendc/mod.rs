//! AscendC `GatherMask` in C++, to [`gather::Unit`](a2lint_ir::gather::Unit).

mod calls;
mod class;
mod names;
mod objects;
mod params;

use objects::Object;

use crate::cpp::{Call, ClassFacts, Dialect, Entity, Role, Site, Sources, root, walk};
use a2lint_ir::NotAnalysed;
use a2lint_ir::gather::{Function, StepKind, Unit};
use a2lint_isa::masks::{Element, Target, Targets};
use a2lint_source::text::Span;
use a2lint_syntax::cpp::{
    self, BinaryOp, Declarator, Expr, ExprKind, Init, Path, visit_expressions,
};

/// The word that every file with such calls contains.
pub const FAMILY: &[&str] = &[names::GATHER_MASK];

/// Returns the `GatherMask` calls of a C++ file.
pub fn from_cpp(sources: &Sources<'_>) -> (Unit, Vec<NotAnalysed>) {
    let text = sources.text();
    let mut reader = Reader {
        text,
        inside: false,
        current: Function::default(),
        objects: Vec::new(),
        memories: 0,
        counts: Vec::new(),
        narrowed: Vec::new(),
        unordered: text.contains("a2lint: auto-sync off"),
        functions: Vec::new(),
    };
    let targets = targets(text, sources.folders.as_deref());
    let gaps = walk(sources, &targets, &mut reader);
    let unit = Unit {
        targets,
        functions: reader.functions,
    };
    (unit, gaps)
}

/// Products that have the instruction.
const PRODUCTS: &[Target] = &[Target::A2A3, Target::Inference, Target::Edge, Target::A5];

/// Returns the products of a file: those that its comments name, else those for which it registers itself, else those
/// of its folders.
fn targets(text: &str, folders: Option<&[Target]>) -> Targets {
    let mut found = Target::named_in(text);
    if found.is_empty() {
        for registration in text.split("AddConfig(\"").skip(1) {
            let name = registration.split('"').next().unwrap_or("");
            if let Some(target) = Target::from_name(name).filter(|target| !found.contains(target)) {
                found.push(target);
            }
        }
    }
    Targets::of(found, folders, PRODUCTS)
}

/// The memory of tensors that are placed by address.
const ABSOLUTE: usize = 0;

struct Reader<'a> {
    text: &'a str,
    inside: bool,
    current: Function,
    objects: Vec<Object>,
    /// Number of memories so far.
    memories: usize,
    /// Variables that hold counts of kept elements.
    counts: Vec<&'a str>,
    /// Variables whose initial value was truncated to eight bits.
    narrowed: Vec<&'a str>,
    /// Whether a comment says that only the file's own synchronisation orders vector instructions.
    unordered: bool,
    functions: Vec<Function>,
}

impl<'a> Dialect<'a> for Reader<'a> {
    fn concerns(&self, text: &str) -> bool {
        text.contains(names::GATHER_MASK)
    }

    fn enter(
        &mut self,
        site: &mut Site<'a>,
        function: &cpp::Function<'a>,
        _: Option<&ClassFacts<'a>>,
    ) {
        self.inside = true;
        self.memories = ABSOLUTE + 1;
        self.counts = counts(&function.body);
        self.narrowed.clear();
        self.current = Function {
            name: site.name.clone(),
            name_span: function.name_span,
            ..Function::default()
        };
    }

    fn class_ready(&mut self, site: &mut Site<'a>, class: &ClassFacts<'a>) {
        self.read_class(site, class);
    }

    fn leave(&mut self, site: &mut Site<'a>, function: &cpp::Function<'a>) {
        self.inside = false;
        self.objects.clear();
        let mut current = std::mem::take(&mut self.current);
        current.regions = std::mem::take(&mut site.regions);
        look_for_uses(&mut current, function);
        current.without_compiler = self.unordered;
        if current.calls().next().is_some() {
            self.functions.push(current);
        }
    }

    fn declare(
        &mut self,
        site: &mut Site<'a>,
        ty: &Path<'a>,
        declarator: &Declarator<'a>,
        role: Role,
    ) -> Option<usize> {
        if !self.inside || declarator.array {
            return None;
        }
        self.note_narrowing(site, ty, declarator, role);
        let object = self.make(site, ty, declarator)?;
        self.objects.push(object);
        Some(self.objects.len() - 1)
    }

    fn call(&mut self, site: &mut Site<'a>, call: &Call<'a, '_>) {
        self.see_call(site, call);
    }

    fn assign(
        &mut self,
        site: &mut Site<'a>,
        target: &Expr<'a>,
        value: Option<&Expr<'a>>,
        _: Span,
    ) {
        self.see_assignment(site, target, value);
    }

    fn changes(&self, callee: &Expr<'a>, arguments: &[Expr<'a>]) -> Vec<&'a str> {
        let Some(path) = callee.path() else {
            return Vec::new();
        };
        match path.name() {
            names::GATHER_MASK => arguments.last().and_then(root).into_iter().collect(),
            name if names::is_known(name) => Vec::new(),
            _ => arguments.iter().filter_map(root).collect(),
        }
    }

    fn forget(&mut self, site: &Site<'a>, names: &[&'a str]) {
        for name in names {
            let binding = site.env.get(name);
            if let Some(Entity::Object(index)) = binding.map(|binding| &binding.entity)
                && let Some(object) = self.objects.get_mut(*index)
            {
                object.forget();
            }
        }
    }
}

impl<'a> Reader<'a> {
    fn source(&self, span: Span) -> &'a str {
        self.text.get(span.range()).unwrap_or("")
    }

    fn new_memory(&mut self) -> usize {
        self.memories += 1;
        self.memories - 1
    }

    /// Records a narrowing declaration such as `uint8_t r = n / 32;`.
    fn note_narrowing(
        &mut self,
        site: &Site<'a>,
        ty: &Path<'a>,
        declarator: &Declarator<'a>,
        role: Role,
    ) {
        let is_byte = Element::from_cpp(ty.name()) == Some(Element::UInt8);
        if let (true, Role::Local, Init::Value(value)) = (is_byte, role, &declarator.init)
            && self.exceeds_a_byte(site, value)
        {
            self.narrowed.push(declarator.name);
        }
    }
}

/// Returns the variables that hold counts of kept elements: those that the instruction writes, and sums of them.
fn counts<'a>(body: &[cpp::Stmt<'a>]) -> Vec<&'a str> {
    let mut found: Vec<&'a str> = Vec::new();
    visit_expressions(body, &mut |expr| {
        if let ExprKind::Call {
            callee, arguments, ..
        } = &expr.kind
            && callee
                .path()
                .is_some_and(|path| path.name() == names::GATHER_MASK)
            && arguments.len() == 7
        {
            found.extend(arguments[6].plain_name());
        }
    });
    let mut sums = Vec::new();
    visit_expressions(body, &mut |expr| {
        if let ExprKind::Assign(assignment) = &expr.kind
            && matches!(assignment.op, None | Some(BinaryOp::Add))
            && is_sum_with(&assignment.value, &found)
        {
            sums.extend(assignment.target.plain_name());
        }
    });
    found.extend(sums);
    found
}

/// Whether an expression is a sum with one of these variables as a term.
fn is_sum_with(expr: &Expr, names: &[&str]) -> bool {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::Add, one, other) => {
            is_sum_with(one, names) || is_sum_with(other, names)
        }
        ExprKind::Cast(_, inner) => is_sum_with(inner, names),
        _ => expr.plain_name().is_some_and(|name| names.contains(&name)),
    }
}

/// Determines which counts the function reads after the call, or in another iteration of a loop.
fn look_for_uses(current: &mut Function, function: &cpp::Function) {
    let mut seen: Vec<(&str, Span)> = Vec::new();
    visit_expressions(&function.body, &mut |expr| {
        if let Some(name) = expr.plain_name() {
            seen.push((name, expr.span));
        }
    });
    let given: Vec<Span> = current
        .calls()
        .filter_map(|(_, _, call)| call.count.as_ref())
        .map(|count| count.span)
        .collect();
    let body = match (function.body.first(), function.body.last()) {
        (Some(first), Some(last)) => first.span.to(last.span),
        _ => Span::default(),
    };
    for step in &mut current.steps {
        let StepKind::Gather(call) = &mut step.kind else {
            continue;
        };
        let in_loop = step.region != 0;
        let end = step.span.end;
        if let Some(count) = &mut call.count {
            let local = count
                .declared
                .is_some_and(|at| body.start <= at.start && at.end <= body.end);
            let used = seen.iter().any(|(name, span)| {
                *name == count.name && !given.contains(span) && (in_loop || span.start >= end)
            });
            count.used = !local || used;
        }
    }
}

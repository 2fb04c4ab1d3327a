//! From a file to its kernels as programs.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use a2lint_cpp::eval::{
    AddressSpace, Eval, FloatType, FloatValue, FunctionId, IntType, IntValue, Kind, Operand,
    TemplateArg, Ty, Value,
};
use a2lint_cpp::library::Evaluated;
use a2lint_cpp::syntax::ast::{Function, Unit};
use a2lint_cpp::syntax::{Reader, Settings, Source, mistakes};
use a2lint_ir::build::{Builder, Region, TooLarge};
use a2lint_ir::toolchain::{ASCENDC, ASCENDC_MANUAL};
use a2lint_ir::{
    Branch, CompareOp, GivenLaunch, Global, GlobalId, GlobalKind, Module, NO_ENTRY, NotAnalysed,
    Note, NoteKind, OriginId, Param, ParamKind, Program, Scalar, ScalarId, ScalarType,
    SpecialScalar, Stmt, Toolchain, VariableKind, comments,
};
use a2lint_isa::{DType, Dialect, RepeatRounding, Side};
use a2lint_project::{Headers, Project};
use a2lint_source::text::{SourceText, Span};

use super::host;
use super::instances::{Builds, Declared, Instance, Keys, MAX_KEYS, MAX_TYPES};
use super::kernels::{self, KernelType, Words};
use super::library::AscendC;
use super::objects::{Address, Object};
use super::{prelude, project, sync};

/// Words of which a file that uses the API contains at least one.
const MARKERS: &[&str] = &["kernel_operator.h", "AscendC", "__aicore__"];
/// Maximum number of kernels of one file.
const MAX_KERNELS: usize = 64;
/// Maximum number of evaluation steps for all kernels of one file together, which take less than a second. An entry may
/// be compiled for tens of tiling keys and element types, and each instance is evaluated.
const MAX_STEPS: u32 = 2_000_000;

/// Returns whether a file calls the API. Comments of kernels in other languages name it as well.
pub fn concerns(text: &str) -> bool {
    let names_it = |text: &str| MARKERS.iter().any(|word| text.contains(word));
    names_it(text) && names_it(&project::texts::compiled(text))
}

/// Traces every kernel of a file with the headers of its project.
pub fn trace(
    headers: &Headers,
    source: &SourceText,
    project: Option<&Project>,
    given: &[GivenLaunch],
) -> Module {
    let path = project
        .map_or(Path::new("kernel.cpp"), |it| &it.path)
        .to_owned();
    let names = kernels::names(source.as_str());
    let mut module = Module::default();
    let elsewhere = project::products::of_folder(project);
    if let Some(reason) = elsewhere.or_else(|| project::products::of_build(project)) {
        let kernels: Vec<Option<String>> = names.into_iter().map(Some).collect();
        let parts = if kernels.is_empty() {
            vec![None]
        } else {
            kernels
        };
        let others = parts.into_iter().map(|kernel| NotAnalysed {
            kernel,
            reason: reason.clone(),
        });
        module.other_products.extend(others);
        return module;
    }
    module.notes.extend(mistake(source));
    let own = || Source {
        path: path.clone(),
        text: source.clone(),
        base: 0,
    };
    let mut words = Words::default();
    words.add(source.as_str());
    let texts = headers.map.texts();
    texts.for_each(|text| words.add(text.as_str()));
    let mut find = |includer: &Path, name: &str| {
        let found = headers.included(includer, name)?;
        Some(Source {
            path: found.path.to_owned(),
            text: found.text.clone(),
            base: u32::try_from(found.base).ok()?,
        })
    };
    if !kernels::may_have(headers.texts()) {
        module.not_analysed.extend(no_entry(source, &module.notes));
        return module;
    }
    let builds = Builds::of(headers.texts());
    module.not_read.clone_from(&headers.map.not_read);
    let declared = project::declarations(headers.texts(), &names, project);
    module.not_read.extend(declared.not_read);
    let mut reader = Reader::after(prelude::shared());
    let mut read_side = |macros: &[(String, String)], side| {
        let given = macros.iter().map(|(name, value)| (&**name, &**value));
        let of_side = prelude::side_macros(side).iter().copied();
        let macros: Vec<_> = of_side.chain(given).collect();
        let settings = Settings {
            macros: &macros,
            prelude: &declared.text,
            ..Settings::default()
        };
        Arc::new(reader.read(own(), &settings, &mut find))
    };
    let mut read_for = |macros: &Macros| {
        let of_vec = read_side(macros, Side::Vec);
        let of_cube = match words.are_sided {
            true => read_side(macros, Side::Cube),
            false => of_vec.clone(),
        };
        [of_vec, of_cube]
    };
    let sides = read_for(&builds.any());
    let [unit, of_cube] = &sides;
    let mut entries = kernels::entries(unit);
    for entry in kernels::entries(of_cube) {
        if entries.iter().all(|it| it.span != entry.span) {
            entries.push(entry);
        }
    }
    let own_entries = entries.iter().filter(|it| headers.map.is_own(it.span));
    let own_entries: Vec<_> = own_entries.collect();
    if own_entries.is_empty() {
        module.not_analysed.extend(no_entry(source, &module.notes));
        return module;
    }
    let notes = kernels::comments(source);
    let is_manual = notes.iter().any(|&span| {
        let off = comments::launches::body_of(source, span, "auto-sync");
        off.is_some_and(|span| {
            let words = source.slice(span);
            words.split_whitespace().nth(1) == Some("off")
        })
    });
    let is_manual = is_manual || project::orders_nothing(project);
    let toolchain = match is_manual {
        true => &ASCENDC_MANUAL,
        false => &ASCENDC,
    };
    let file = File {
        headers,
        source,
        words,
        toolchain,
        steps: Cell::new(0),
        left_out: Cell::new(0),
    };
    let code = host::Code {
        path: path.clone(),
        text: source.clone(),
        project,
        is_elsewhere: false,
    };
    let mut started = host::started(&code, &names, &mut module.not_read);
    started.append(&mut project::launches(
        &names,
        project,
        &mut module.not_read,
    ));
    let mut traced: Vec<(String, Instance)> = Vec::new();
    let mut units = vec![(builds.any(), sides.clone())];
    for entry in own_entries {
        let name = entry.path.segments.last().map_or("", |last| &last.name);
        if let Some(reason) = project::products::of_operator(name, project) {
            let kernel = Some(name.to_owned());
            module.other_products.push(NotAnalysed { kernel, reason });
            continue;
        }
        let lists = project::lists(headers.texts(), name);
        let lists = lists.or_else(|| host::lists(&started, name));
        let built = started.iter().filter(|it| it.kernel == *name);
        let built: Vec<_> = built.map(|it| it.build.as_slice()).collect();
        let declared = Declared {
            lists,
            built: &built,
        };
        let mut instances = builds.instances(entry, name, declared, project);
        if instances.is_empty() {
            module.not_analysed.push(NotAnalysed {
                kernel: Some(name.to_owned()),
                reason: "nothing says with which template arguments it is compiled".to_owned(),
            });
        }
        if instances.len() > MAX_TYPES {
            module.not_analysed.push(NotAnalysed {
                kernel: Some(name.to_owned()),
                reason: format!(
                    "it is compiled for {} combinations of element types; the first {MAX_TYPES} are \
                     analysed",
                    instances.len()
                ),
            });
            // Instances that the host starts are analysed first.
            instances.sort_by_key(|it| !host::is_started(&started, name, it));
            instances.truncate(MAX_TYPES);
        }
        let mut idle = Vec::new();
        let mut trace = |unit: &Sides, instance: Instance, module: &mut Module| {
            let place: Place<'_> = (unit, entry);
            let buffers = Counts::default();
            let mut all = vec![(
                file.trace_kernel(place, &instance, &buffers, module),
                instance,
            )];
            if matches!(all.first(), Some((Traced::Counts, _)))
                && let Some((_, open)) = all.pop()
            {
                for numbers in numbers_of_buffers(&buffers.take()) {
                    let counted = open.with_buffers(&numbers);
                    let done = file.trace_kernel(place, &counted, &buffers, module);
                    all.push((done, counted));
                }
            }
            for (done, instance) in all {
                match done {
                    Traced::Idle => idle.push(instance.name(name)),
                    _ => traced.push((instance.name(name), instance)),
                }
            }
        };
        for instance in instances {
            let unit = unit_for(&mut units, &instance.macros, &mut read_for);
            let keys = Keys::of(headers.texts());
            file.find_keys((&unit, entry), &instance, &keys);
            let mut keys = keys.asked.into_inner();
            if keys.is_empty() {
                trace(&unit, instance.clone(), &mut module);
            }
            if keys.len() > MAX_KEYS {
                module.not_analysed.push(NotAnalysed {
                    kernel: Some(name.to_owned()),
                    reason: format!(
                        "it is compiled for {} tiling keys; the first {MAX_KEYS} are analysed",
                        keys.len()
                    ),
                });
                let chosen = host::keys(&started, name);
                let mut all: Vec<u64> = keys.into_iter().collect();
                all.sort_by_key(|key| (!chosen.contains(key), *key));
                keys = all.into_iter().take(MAX_KEYS).collect();
            }
            for key in keys {
                let instance = instance.with_key(key);
                let is_read = headers.texts().any(|text| text.contains("TILING_KEY_VAR"));
                let unit = match is_read {
                    true => unit_for(&mut units, &instance.macros, &mut read_for),
                    false => unit.clone(),
                };
                trace(&unit, instance, &mut module);
            }
        }
        module.not_analysed.extend(without_work(name, &idle));
    }
    let left_out = file.left_out.get();
    if left_out > 0 {
        module.not_analysed.push(NotAnalysed {
            kernel: None,
            reason: format!(
                "evaluation of its kernels takes more than {MAX_STEPS} steps: at least {left_out} of them are not \
                 analysed"
            ),
        });
    }
    let unseen = project.and_then(|it| it.files.left_out(&it.root));
    module.not_read.extend(unseen);
    let others = headers.map.others().map(Path::to_owned);
    module.read_with = others.collect();
    module.programs.sort_by_key(|program| program.span);
    host::add(&started, &traced, &mut module);
    comments::contracts::read(source, &notes, &mut module);
    comments::launches::from_comments(source, &notes, &mut module);
    comments::launches::from_configuration(given, &mut module);
    flatten(&mut module);
    comments::contracts::flatten(&mut module);
    module
}

/// Maximum number of kernels that a reason names.
const NAMED: usize = 4;

/// Returns that these instances of an entry do nothing, if there are any: their keys or types are for other products,
/// or what they do is compiled for other types.
fn without_work(entry: &str, idle: &[String]) -> Option<NotAnalysed> {
    let reason = match idle {
        [] => return None,
        [only] if only == entry => "it does nothing: there is nothing to check".to_owned(),
        _ => {
            let named = idle.iter().take(NAMED).map(|it| format!("`{it}`"));
            let named: Vec<String> = named.collect();
            let more = match idle.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!(
                "it does nothing as {}{more}: there is nothing to check",
                named.join(", ")
            )
        }
    };
    let kernel = Some(entry.to_owned());
    Some(NotAnalysed { kernel, reason })
}

/// What came of tracing an instance of an entry.
enum Traced {
    /// It is a kernel of the module, or the reason why it is none is.
    Reported,
    /// It does nothing.
    Idle,
    /// Parameters are numbers of buffers of its queues: it is to be followed for several values of these.
    Counts,
}

/// The numbers of buffers of a queue that a kernel is followed for where a parameter is that number.
const BUFFERS: [u32; 2] = [1, 2];
/// Maximum number of such parameters of a kernel.
const MAX_COUNTS: usize = 2;

/// The parameters that are numbers of buffers of queues.
type Counts = RefCell<BTreeSet<String>>;

/// What evaluations of an instance have found out for the next one.
#[derive(Default)]
struct Found {
    /// The parameters that are numbers of buffers of queues.
    counts: Counts,
    /// The parameters in global memory that hold elements of several sizes.
    mixed: RefCell<BTreeSet<String>>,
    /// The calls that give them elements of another size.
    mixing: RefCell<BTreeSet<Span>>,
}

impl Found {
    /// Returns whether nothing but elements of several sizes keeps a kernel from being followed as a whole.
    fn is_mixed_alone(&self, program: &Program) -> bool {
        let mixing = self.mixing.borrow();
        let mut unknown = program.unknown.iter().filter(|it| !it.is_follower);
        !mixing.is_empty() && unknown.all(|it| mixing.contains(&it.span))
    }
}

/// Returns all combinations of the numbers of buffers that parameters give.
fn numbers_of_buffers(names: &BTreeSet<String>) -> Vec<Vec<(String, u32)>> {
    names.iter().fold(vec![Vec::new()], |all, name| {
        let more = all.iter().flat_map(|known| {
            BUFFERS.map(|number| {
                let mut numbers = known.clone();
                numbers.push((name.clone(), number));
                numbers
            })
        });
        more.collect()
    })
}

/// Returns the first certain mistake of syntax in a file.
fn mistake(source: &SourceText) -> Option<Note> {
    let mistake = mistakes::first(source.as_str(), &prelude::declares)?;
    Some(Note {
        span: mistake.span,
        origin: OriginId(0),
        kind: NoteKind::SyntaxError {
            message: mistake.message,
            missing: mistake.missing,
        },
    })
}

/// Returns that a file has no kernel, unless it is a file of the host. With a mistake of syntax it may have one.
fn no_entry(source: &SourceText, mistakes: &[Note]) -> Option<NotAnalysed> {
    let reason = if mistakes.is_empty() {
        NO_ENTRY
    } else {
        "it does not parse"
    };
    let text = source.as_str();
    (concerns(text) && !project::is_of_host(text)).then(|| NotAnalysed {
        kernel: None,
        reason: reason.to_owned(),
    })
}

/// Replaces the shape of each launch tensor by its number of elements, since kernels see only addresses.
fn flatten(module: &mut Module) {
    let tensors = module
        .launches
        .iter_mut()
        .flat_map(|launch| launch.tensors.iter_mut());
    for tensor in tensors {
        if let Some(shape) = &mut tensor.shape {
            let elements = shape.iter().fold(1_i64, |all, it| all.saturating_mul(*it));
            *shape = vec![elements];
            tensor.spelled = vec![None];
        }
    }
}

/// Macros: names and replacement texts.
type Macros = Vec<(String, String)>;
/// The parsed translation units of a file, by the macros defined for them.
type Units = Vec<(Macros, Sides)>;
/// The translation units of a file for vec cores and for cubes.
type Sides = [Arc<Unit>; 2];

/// Returns the translation units for these macros, from the cache if possible.
fn unit_for(
    units: &mut Units,
    macros: &Macros,
    read_for: &mut dyn FnMut(&Macros) -> Sides,
) -> Sides {
    if let Some((_, unit)) = units.iter().find(|(known, _)| known == macros) {
        return unit.clone();
    }
    let unit = read_for(macros);
    // To bound memory, only the entry of the file and the two newest ones are kept.
    if units.len() > 2 {
        units.remove(1);
    }
    units.push((macros.clone(), unit.clone()));
    unit
}

/// A file that is traced.
struct File<'f> {
    headers: &'f Headers,
    source: &'f SourceText,
    words: Words,
    toolchain: &'static Toolchain,
    /// The number of evaluation steps that the kernels of the file have taken so far.
    steps: Cell<u32>,
    /// The number of kernels that exceeded the step limit.
    left_out: Cell<u32>,
}

/// The translation units of an entry, and its declaration in the file.
type Place<'u> = (&'u Sides, &'u Function);

impl File<'_> {
    /// Evaluates an entry only to collect the tiling keys that it tests.
    fn find_keys(&self, place: Place<'_>, instance: &Instance, keys: &Keys) {
        let has_keys = |text: &str| text.contains("TILING_KEY_IS");
        if !self.headers.texts().any(has_keys) {
            return;
        }
        let of = self.kernel_type(place, instance);
        let sets = sync::Sets::default();
        // An abort is ignored here, since the trace of the kernel aborts in the same way and reports it.
        let _ = self.trace_sides(place, instance, of, (&sets, Some(keys), &Found::default()));
    }

    fn kernel_type(&self, (_, entry): Place<'_>, instance: &Instance) -> KernelType {
        let body = self.headers.map.text_of(entry.span);
        KernelType::of(entry, body, self.words, instance.key)
    }

    fn trace_kernel(
        &self,
        place: Place<'_>,
        instance: &Instance,
        counts: &Counts,
        module: &mut Module,
    ) -> Traced {
        let segments = &place.1.path.segments;
        let name = instance.name(segments.last().map_or("", |last| &last.name));
        if module.programs.len() >= MAX_KERNELS {
            let reason = format!("it has more than {MAX_KERNELS} kernels");
            if !module.not_analysed.iter().any(|it| it.reason == reason) {
                let kernel = None;
                module.not_analysed.push(NotAnalysed { kernel, reason });
            }
            return Traced::Reported;
        }
        let of = self.kernel_type(place, instance);
        let sets = sync::Sets::default();
        let mut found = Found::default();
        let mut traced = self.trace_sides(place, instance, of, (&sets, None, &found));
        if sets.are_late() {
            // A flag was waited for before the code that sets it was evaluated.
            found = Found::default();
            traced = self.trace_sides(place, instance, of, (&sets, None, &found));
        }
        if traced.as_ref().is_ok_and(|it| found.is_mixed_alone(it)) {
            // Parameters with elements of several sizes are evaluated again as tensors of bytes.
            let again = self.trace_sides(place, instance, of, (&sets, None, &found));
            if again.as_ref().is_ok_and(|it| it.unknown.is_empty()) {
                traced = again;
            }
        }
        counts.borrow_mut().extend(found.counts.take());
        let asks = 1..=MAX_COUNTS;
        if instance.buffers.is_empty() && asks.contains(&counts.borrow().len()) {
            let names = counts.borrow();
            let most = BUFFERS[BUFFERS.len() - 1];
            let names: Vec<String> = names.iter().map(|name| format!("{name}>{most}")).collect();
            let entry = segments.last().map_or("", |last| &last.name);
            let reason = "queues whose number of buffers depends on the launch are followed with 1 and 2 buffers";
            let reason = reason.to_owned();
            let kernel = Some(format!("{entry}[{}]", names.join(", ")));
            let said = NotAnalysed { kernel, reason };
            if !module.not_analysed.contains(&said) {
                module.not_analysed.push(said);
            }
            return Traced::Counts;
        }
        match traced {
            Ok(program) if program.does_nothing() => return Traced::Idle,
            Ok(program) => module.programs.push(program),
            Err(_) if self.steps.get() >= MAX_STEPS => self.left_out.set(self.left_out.get() + 1),
            Err(reason) => module.not_analysed.push(NotAnalysed {
                kernel: Some(name),
                reason,
            }),
        }
        Traced::Reported
    }

    fn trace_sides(
        &self,
        place: Place<'_>,
        instance: &Instance,
        of: KernelType,
        (sets, keys, found): (&sync::Sets, Option<&Keys>, &Found),
    ) -> Result<Program, String> {
        let (_, entry) = place;
        let segments = &entry.path.segments;
        let name = instance.name(segments.last().map_or("", |last| &last.name));
        let name_span = entry.path.span;
        let span = kernels::whole(self.source, entry.span);
        let mut builder = Builder::new(name, (name_span, span), self.toolchain, RepeatRounding::Up);
        builder.program.dialect = Dialect::AscendC;
        builder.program.built_for = instance.built_for();
        builder.program.vec_only = of.cubes == 0;
        builder.program.cube_only = of.vecs == 0;
        builder.program.starts_in_parts = of.starts_in_parts;
        let sides: &[Side] = match (of.cubes, of.vecs) {
            (0, _) => &[Side::Vec],
            (_, 0) => &[Side::Cube],
            _ => &[Side::Cube, Side::Vec],
        };
        let too_large = || "the traced program is too large".to_owned();
        builder.open_block();
        for &side in sides {
            builder.open_block();
            builder = self.trace_side(builder, place, instance, (of, side, (sets, keys, found)))?;
            let mut body = builder.close_block();
            if of.has_idle_vec() && side == Side::Vec {
                body = on_first_vec(&mut builder, body, name_span).map_err(|_| too_large())?;
            }
            match of.is_mixed() {
                true => builder
                    .region(Region::Scope(side), body)
                    .map_err(|_| too_large())?,
                false => builder.extend(body),
            }
        }
        let body = builder.close_block();
        builder
            .region(Region::AutoSync, body)
            .map_err(|_| too_large())?;
        // What is no tensor to the kernel has bytes.
        for global in &mut builder.program.globals {
            global.dtype.get_or_insert(DType::UInt8);
        }
        let mut program = builder.finish();
        program.outputs = outputs(&program);
        add_workspace(&mut program);
        Ok(program)
    }

    fn trace_side(
        &self,
        builder: Builder,
        (units, entry): Place<'_>,
        instance: &Instance,
        (kernel, side, (sets, keys, found)): (
            KernelType,
            Side,
            (&sync::Sets, Option<&Keys>, &Found),
        ),
    ) -> Result<Builder, String> {
        let library = AscendC {
            map: &self.headers.map,
            kernel,
            side,
            core: Cell::new(None),
            sets,
            key: instance.key,
            keys,
            fields: super::fields::TilingFields::default(),
            given: super::given::Given::of(&found.mixed.borrow()),
            fetched: sync::Fetched::default(),
            reads_sum: self.words.sums,
            is_complete: self.headers.map.not_read.is_empty()
                && units.iter().all(|it| is_complete(it)),
        };
        let unit: &Unit = match side {
            Side::Cube => &units[1],
            Side::Vec | Side::Both => &units[0],
        };
        // The other side may have it alone.
        let entries = kernels::entries(unit);
        let Some(entry) = entries.into_iter().find(|it| it.span == entry.span) else {
            return Ok(builder);
        };
        let mut eval = Eval::new(&[unit], &library, builder);
        eval.limit_steps(MAX_STEPS.saturating_sub(self.steps.get()));
        let run = library
            .start(&mut eval)
            .and_then(|()| run(&mut eval, entry, &instance.arguments))
            .and_then(|()| library.end(&mut eval));
        self.steps
            .set(self.steps.get().saturating_add(eval.steps_taken()));
        let given = &library.given;
        found.counts.borrow_mut().append(&mut given.counts.take());
        found.mixed.borrow_mut().append(&mut given.mixed.take());
        found.mixing.borrow_mut().append(&mut given.mixing.take());
        match run {
            Ok(()) => {
                eval.builder.program.rewinds_memory |= library.given.has_ways();
                Ok(eval.builder)
            }
            Err(abort) => Err(abort.reason().to_owned()),
        }
    }
}

/// Returns whether a translation unit includes only files that were read, the standard library and the API.
fn is_complete(unit: &Unit) -> bool {
    unit.outside.iter().all(|(name, _)| {
        let is_standard = !name.contains(['.', '/']) || matches!(&**name, "stdint.h" | "stddef.h");
        is_standard || &**name == "kernel_operator.h" || name.starts_with("lib/")
    })
}

/// Wraps statements so that only the first vec core of each cube executes them.
fn on_first_vec(builder: &mut Builder, body: Vec<Stmt>, span: Span) -> Result<Vec<Stmt>, TooLarge> {
    let scalars = &mut builder.program.scalars;
    let which = scalars.intern(Scalar::Special(SpecialScalar::SubBlockIdx));
    let first = scalars.int(0);
    let condition = scalars.compare(CompareOp::Eq, which, first);
    let arm = Branch {
        condition,
        condition_span: span,
        body,
    };
    builder.open_block();
    builder.branch(arm, Vec::new())?;
    Ok(builder.close_block())
}

/// Adds the parameter of operator projects that is scratch memory by its name, as what `GetUserWorkspace` returns is.
/// Kernels of other projects, which take no tiling data, may share a workspace that an earlier one has filled.
fn add_workspace(program: &mut Program) {
    let is_tiling = |param: &Param| param.name.starts_with("tiling");
    if !program.params.iter().any(is_tiling) && program.tiling_fields.is_empty() {
        return;
    }
    let named = program.params.iter().filter_map(|param| match param.kind {
        ParamKind::Global(id) if param.name.eq_ignore_ascii_case("workspace") => Some(id),
        _ => None,
    });
    for id in named.collect::<Vec<_>>() {
        if !program.workspaces.contains(&id) {
            program.workspaces.push(id);
        }
    }
}

/// Returns the tensors that a kernel stores to and never reads: elements that it does not store are undefined.
fn outputs(program: &Program) -> Vec<GlobalId> {
    let mut outputs = program.results();
    outputs.retain(|&global| !program.is_obscured(global));
    // The build gives this suffix to an output with the name of an input: it is the tensor of the input.
    outputs.retain(|&global| !program.global(global).name.ends_with("_ref"));
    for (stmt, instr) in program.instructions() {
        for (_, operand, view) in instr.operands() {
            if let Some(view) = view.global()
                && (operand.access.reads() || program.is_atomic(stmt.id))
            {
                outputs.retain(|&it| it != view.global);
            }
        }
    }
    outputs
}

/// Evaluates an entry with a parameter of the kernel for each of its own.
fn run<'u>(eval: &mut Eval<'u>, entry: &'u Function, template: &[TemplateArg]) -> Evaluated<()> {
    let all = eval.all_functions();
    // The entry may come from another translation unit of the file, so spans are compared instead of pointers.
    let is_it = |(_, decl): &&(FunctionId, &Function)| {
        decl.path.span == entry.path.span && decl.body.is_some()
    };
    let Some(&(function, _)) = all.iter().find(is_it) else {
        let what = format!("`{}` is not declared", entry.path.segments[0].name);
        eval.builder.note_unknown(entry.path.span, what);
        return Ok(());
    };
    let types = eval.parameter_types_of(function, template)?;
    let mut operands = Vec::new();
    for (ty, parameter) in types.iter().flatten().zip(&entry.parameters) {
        operands.push(argument(
            eval,
            &parameter.name,
            ty.referred(),
            parameter.name_span,
        )?);
    }
    eval.run(function, template, operands, entry.path.span)?;
    Ok(())
}

/// Returns the argument for a parameter of an entry.
fn argument(eval: &mut Eval<'_>, name: &str, ty: &Ty, span: Span) -> Evaluated<Operand> {
    match &ty.kind {
        Kind::Pointer(_, AddressSpace::Gm) => {
            let global = global(&mut eval.builder, name, span);
            let bytes = eval.builder.int(0);
            let address = Object::Address(Address { global, bytes });
            Ok(Operand::value(ty.clone(), address.value(), span))
        }
        Kind::Int(_) | Kind::Float(_) | Kind::Enum(_) => {
            let value = number(eval, name, ty, span);
            Ok(Operand::value(ty.clone(), value, span))
        }
        Kind::Class(_) | Kind::Array(..) => {
            let cell = eval.object_of(ty.clone(), span)?;
            let operand = Operand::cell(ty.clone(), cell, span);
            fill(eval, &operand, name, span)?;
            Ok(operand)
        }
        _ => Ok(Operand::unknown_of(ty.clone(), span)),
    }
}

/// Makes each number in an object a parameter of the kernel: `tiling.rows`.
pub fn fill(eval: &mut Eval<'_>, object: &Operand, name: &str, span: Span) -> Evaluated<()> {
    for (part, operand) in eval.parts(object)? {
        let name = format!("{name}{part}");
        match &operand.ty.kind {
            Kind::Int(_) | Kind::Float(_) | Kind::Enum(_) => {
                let value = number(eval, &name, &operand.ty, span);
                if let Some(cell) = operand.object() {
                    eval.write(cell, value)?;
                }
            }
            _ => fill(eval, &operand, &name, span)?,
        }
    }
    Ok(())
}

/// Returns the value of a parameter that is a number.
pub fn number(eval: &mut Eval<'_>, name: &str, ty: &Ty, span: Span) -> Value {
    match ty.kind {
        Kind::Float(FloatType::Double) => Value::Unknown,
        Kind::Float(of) => match of.scalar() {
            Some(scalar) => {
                Value::Float(of, FloatValue::Scalar(parameter(eval, name, scalar, span)))
            }
            None => Value::Unknown,
        },
        Kind::Int(of) => {
            let scalar = parameter(eval, name, of.scalar(), span);
            match known_number(&eval.builder, name) {
                Some(known) => Value::int(of, of.wrap(known)),
                None => Value::Int(of, IntValue::Scalar(scalar)),
            }
        }
        _ => {
            let of = IntType::Int;
            Value::Int(
                of,
                IntValue::Scalar(parameter(eval, name, of.scalar(), span)),
            )
        }
    }
}

/// Returns the value of a parameter that the kernel is followed for; `None` if it may have any.
fn known_number(builder: &Builder, name: &str) -> Option<i128> {
    let mut values = builder.program.built_for.iter();
    let (_, value) = values.find(|(known, _)| known == name)?;
    value.parse().ok()
}

/// Returns a scalar parameter of the kernel, created at its first use.
pub fn parameter(eval: &mut Eval<'_>, name: &str, of: ScalarType, span: Span) -> ScalarId {
    let known = eval
        .builder
        .program
        .params
        .iter()
        .find(|it| it.name == *name);
    if let Some(ParamKind::Variable(variable)) = known.map(|it| it.kind) {
        return eval.builder.read(variable);
    }
    let builder = &mut eval.builder;
    let variable = builder.variable(VariableKind::Param, name, of, span);
    builder.name_variable(variable);
    builder.program.params.push(Param {
        name: name.into(),
        span,
        kind: ParamKind::Variable(variable),
        annotated: true,
    });
    builder.read(variable)
}

/// Declares a tensor parameter of the kernel.
fn global(builder: &mut Builder, name: &str, span: Span) -> GlobalId {
    let known = builder.program.params.iter().find(|it| it.name == *name);
    if let Some(ParamKind::Global(global)) = known.map(|it| it.kind) {
        return global;
    }
    let id = builder.add_global(Global {
        name: name.into(),
        dtype: None,
        shape: Vec::new(),
        kind: GlobalKind::Param,
        span,
        mutex: None,
        ring: None,
    });
    let extent = builder.program.scalars.intern(Scalar::Extent(id, 0));
    builder.program.globals[id.index()].shape = vec![extent];
    builder.program.params.push(Param {
        name: name.into(),
        span,
        kind: ParamKind::Global(id),
        annotated: true,
    });
    id
}

#[cfg(test)]
mod tests {
    use super::concerns;

    #[test]
    fn comments_do_not_call_the_api() {
        let of_tiles =
            "// As with AscendC's Select: a mask of whole rows.\n#include <pto/pto-inst.hpp>\n";
        assert!(!concerns(of_tiles));
        assert!(!concerns("/* __aicore__ */ int main() { return 0; }\n"));
        assert!(concerns("#include \"kernel_operator.h\" // vector\n"));
        assert!(concerns("using namespace AscendC;\n"));
    }
}

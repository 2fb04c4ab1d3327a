//! From a file to its kernels as programs.

use std::cell::Cell;
use std::path::Path;

use a2lint_cpp::eval::{
    AddressSpace, Eval, FloatType, FloatValue, FunctionId, IntType, IntValue, Kind, Operand,
    TemplateArg, Ty, Value,
};
use a2lint_cpp::library::Evaluated;
use a2lint_cpp::syntax::ast::{Function, TemplateParameterKind, Unit};
use a2lint_cpp::syntax::{Settings, Source, read};
use a2lint_ir::build::{Builder, Region};
use a2lint_ir::toolchain::{ASCENDC, ASCENDC_MANUAL};
use a2lint_ir::{
    GivenLaunch, Global, GlobalId, GlobalKind, Module, NotAnalysed, Param, ParamKind, Program,
    Scalar, ScalarId, ScalarType, Toolchain, VariableKind, View, comments,
};
use a2lint_isa::{DType, Dialect, RepeatRounding, Side};
use a2lint_project::{Headers, Project};
use a2lint_source::text::{SourceText, Span};

use super::host;
use super::kernels::{self, KernelType, Words};
use super::library::AscendC;
use super::objects::{Address, Object};
use super::{prelude, sync, tiling};

/// Words of a file that calls the API.
const MARKERS: &[&str] = &["kernel_operator.h", "AscendC", "__aicore__"];
/// Most kernels of one file.
const MAX_KERNELS: usize = 64;

/// Whether a file calls the API.
pub fn concerns(text: &str) -> bool {
    MARKERS.iter().any(|word| text.contains(word))
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
    let mut prelude = prelude::declarations();
    prelude.push_str(&tiling::declarations(source.as_str(), project));
    let mut types = prelude::SETTINGS.types.to_vec();
    types.extend(prelude::type_macros(source.as_str()));
    let mut read_for = |side| {
        let macros = [prelude::SETTINGS.macros, prelude::side_macros(side)].concat();
        let settings = Settings {
            types: &types,
            prelude: &prelude,
            macros: &macros,
            ..prelude::SETTINGS
        };
        read(own(), &settings, &mut find)
    };
    let unit = read_for(Side::Vec);
    let of_cube = words.are_sided.then(|| read_for(Side::Cube));
    let of_cube = of_cube.as_ref().unwrap_or(&unit);
    let mut module = Module::default();
    module.not_read.clone_from(&headers.map.not_read);
    let mut entries = kernels::entries(&unit);
    for entry in kernels::entries(of_cube) {
        if entries.iter().all(|it| it.span != entry.span) {
            entries.push(entry);
        }
    }
    let own_entries = entries.iter().filter(|it| headers.map.is_own(it.span));
    let own_entries: Vec<_> = own_entries.collect();
    if own_entries.is_empty() {
        module.not_analysed.push(NotAnalysed {
            kernel: None,
            reason:
                "it calls AscendC and has no kernel entry: its code is analysed where a kernel \
                     includes it"
                    .to_owned(),
        });
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
    let toolchain = match is_manual {
        true => &ASCENDC_MANUAL,
        false => &ASCENDC,
    };
    let file = File {
        headers,
        source,
        units: [&unit, of_cube],
        words,
        toolchain,
    };
    for entry in own_entries {
        let instances = file.instances(entry);
        if instances.is_empty() {
            let name = entry.path.segments.last().map(|it| it.name.to_string());
            module.not_analysed.push(NotAnalysed {
                kernel: name,
                reason: "nothing says with which template arguments it is compiled".to_owned(),
            });
        }
        for instance in instances {
            if module.programs.len() >= MAX_KERNELS {
                module.not_analysed.push(NotAnalysed {
                    kernel: None,
                    reason: format!("it has more than {MAX_KERNELS} kernels"),
                });
                break;
            }
            file.trace_kernel(entry, &instance, &mut module);
        }
    }
    module.programs.sort_by_key(|program| program.span);
    host::read(&unit, &mut module);
    comments::contracts::read(source, &notes, &mut module);
    comments::launches::from_comments(source, &notes, &mut module);
    comments::launches::from_configuration(given, &mut module);
    flatten(&mut module);
    module
}

/// Tensors of launches have one extent: kernels see addresses. An address that a kernel does not use needs none.
fn flatten(module: &mut Module) {
    for launch in &mut module.launches {
        let mut programs = module.programs.iter();
        let program = programs.find(|program| program.name == launch.kernel);
        let globals = program.into_iter().flat_map(|program| {
            let params = program.params.iter();
            let globals = params.filter_map(|param| match param.kind {
                ParamKind::Global(global) => Some(global),
                _ => None,
            });
            globals.map(|global| is_used(program, global))
        });
        for (tensor, is_used) in launch.tensors.iter_mut().zip(globals) {
            if tensor.shape.is_none() && !is_used {
                tensor.shape = Some(vec![1]);
            }
            if let Some(shape) = &mut tensor.shape {
                let elements = shape.iter().fold(1_i64, |all, it| all.saturating_mul(*it));
                *shape = vec![elements];
                tensor.spelled = vec![None];
            }
        }
    }
}

/// Whether an instruction has a tensor as an operand, or code that was not read may.
fn is_used(program: &Program, global: GlobalId) -> bool {
    let is_it = |view: &View| view.global().is_some_and(|view| view.global == global);
    let instructions = program.instructions();
    let mut operands = instructions.iter().flat_map(|(_, instr)| instr.operands());
    operands.any(|(_, _, view)| is_it(view)) || program.is_obscured(global)
}

/// One way in which an entry is compiled.
struct Instance {
    /// The name of the kernel.
    name: String,
    /// Arguments of its template.
    arguments: Vec<TemplateArg>,
    /// The type that `DTYPE_X` and its kin stand for.
    dtype: Option<FloatType>,
}

/// A file that is traced.
struct File<'f> {
    headers: &'f Headers,
    source: &'f SourceText,
    /// The text as it is compiled for vec cores and for cubes.
    units: [&'f Unit; 2],
    words: Words,
    toolchain: &'static Toolchain,
}

impl File<'_> {
    /// The ways in which an entry is compiled.
    fn instances(&self, entry: &Function) -> Vec<Instance> {
        let name = entry.path.segments.last().map_or("", |last| &last.name);
        let parameters = entry.templates.iter().flat_map(|it| &it.parameters);
        let parameters: Vec<_> = parameters.collect();
        if parameters.is_empty() && !self.source.as_str().contains("DTYPE_") {
            return vec![Instance {
                name: name.to_owned(),
                arguments: Vec::new(),
                dtype: None,
            }];
        }
        // What nothing says is taken as half and as float.
        let all_types = parameters
            .iter()
            .all(|it| matches!(it.kind, TemplateParameterKind::Type(_)) && !it.is_pack);
        if !all_types {
            return Vec::new();
        }
        [FloatType::Half, FloatType::Float]
            .into_iter()
            .map(|of| Instance {
                name: format!("{name}<{}>", of.spelling()),
                arguments: vec![TemplateArg::Type(of.into()); parameters.len()],
                dtype: Some(of),
            })
            .collect()
    }

    fn trace_kernel(
        &self,
        entry: &std::sync::Arc<Function>,
        instance: &Instance,
        module: &mut Module,
    ) {
        let body = self.headers.map.text_of(entry.span);
        let of = KernelType::of(entry, body, self.words);
        if of.is_mixed() && of.vecs != 2 {
            module.not_analysed.push(NotAnalysed {
                kernel: Some(instance.name.clone()),
                reason: "cores of one cube and one vec lane are not modelled".to_owned(),
            });
            return;
        }
        let sets = sync::Sets::default();
        let mut traced = self.trace_sides(entry, instance, of, &sets);
        if sets.are_late() {
            // A flag was waited for before the code that sets it was evaluated.
            traced = self.trace_sides(entry, instance, of, &sets);
        }
        match traced {
            Ok(program) => module.programs.push(program),
            Err(reason) => module.not_analysed.push(NotAnalysed {
                kernel: Some(instance.name.clone()),
                reason,
            }),
        }
    }

    fn trace_sides(
        &self,
        entry: &std::sync::Arc<Function>,
        instance: &Instance,
        of: KernelType,
        sets: &sync::Sets,
    ) -> Result<Program, String> {
        let name_span = entry.path.span;
        let span = kernels::whole(self.source, entry.span);
        let mut builder = Builder::new(
            instance.name.clone(),
            (name_span, span),
            self.toolchain,
            RepeatRounding::Up,
        );
        builder.program.dialect = Dialect::AscendC;
        builder.program.vec_only = of.cubes == 0;
        builder.program.cube_only = of.vecs == 0;
        let sides: &[Side] = match (of.cubes, of.vecs) {
            (0, _) => &[Side::Vec],
            (_, 0) => &[Side::Cube],
            _ => &[Side::Cube, Side::Vec],
        };
        let too_large = || "the traced program is too large".to_owned();
        builder.open_block();
        for &side in sides {
            builder.open_block();
            builder = self.trace_side(builder, entry, instance, (of, side, sets))?;
            let body = builder.close_block();
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
        Ok(program)
    }

    fn trace_side(
        &self,
        builder: Builder,
        entry: &std::sync::Arc<Function>,
        instance: &Instance,
        (kernel, side, sets): (KernelType, Side, &sync::Sets),
    ) -> Result<Builder, String> {
        let library = AscendC {
            map: &self.headers.map,
            kernel,
            side,
            core: Cell::new(None),
            sets,
            dtype: instance.dtype,
            fields: super::fields::TilingFields::default(),
            given: super::given::Given::default(),
        };
        let unit = match side {
            Side::Cube => self.units[1],
            Side::Vec | Side::Both => self.units[0],
        };
        // The other side may have it alone.
        let entries = kernels::entries(unit);
        let Some(entry) = entries.into_iter().find(|it| it.span == entry.span) else {
            return Ok(builder);
        };
        let mut eval = Eval::new(&[unit], &library, builder);
        let run = library
            .start(&mut eval)
            .and_then(|()| run(&mut eval, entry, &instance.arguments));
        match run {
            Ok(()) => {
                eval.builder.program.rewinds_memory |= library.given.has_ways();
                Ok(eval.builder)
            }
            Err(abort) => Err(abort.reason().to_owned()),
        }
    }
}

/// The tensors that a kernel stores to and never looks at: what it does not store of them has no value.
fn outputs(program: &Program) -> Vec<GlobalId> {
    let mut outputs = program.results();
    outputs.retain(|&global| !program.is_obscured(global));
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
    let is_it = |(_, decl): &&(FunctionId, &Function)| std::ptr::eq(*decl, entry);
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

/// The argument of a parameter of an entry.
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

/// A parameter that is a number of a type.
pub fn number(eval: &mut Eval<'_>, name: &str, ty: &Ty, span: Span) -> Value {
    match ty.kind {
        Kind::Float(FloatType::Double) => Value::Unknown,
        Kind::Float(of) => match of.scalar() {
            Some(scalar) => {
                Value::Float(of, FloatValue::Scalar(parameter(eval, name, scalar, span)))
            }
            None => Value::Unknown,
        },
        Kind::Int(of) => Value::Int(
            of,
            IntValue::Scalar(parameter(eval, name, of.scalar(), span)),
        ),
        _ => {
            let of = IntType::Int;
            Value::Int(
                of,
                IntValue::Scalar(parameter(eval, name, of.scalar(), span)),
            )
        }
    }
}

/// A scalar parameter of the kernel, made where it is asked for first.
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

/// A tensor parameter of the kernel.
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

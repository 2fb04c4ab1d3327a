//! Translates easyasc to Ascriptor line by line, where their syntax corresponds.

use a2lint::analysis::type_fault;
use a2lint::frontend::dsl::trace;
use a2lint::ir::toolchain::{ASCRIPTOR, EASYASC};
use a2lint::ir::{
    ArgValue, Global, GlobalId, Instr, Launch, NoteKind, Param, ParamKind, Program, PythonNote,
    View,
};
use a2lint::isa::{self, Class, DType, Dialect, Opcode, SelectMode};
use a2lint::text::SourceText;

/// The reason why a file has no translation.
pub type Reason = &'static str;

const IMPORT: &str = "from easyasc.a2 import *";
const OTHER_IMPORT: &str = "from ascriptor.a2 import *; from ascriptor.runtime import OpExec";

/// Words whose syntax differs, or is missing, in the other dialect.
const WORDS: &[(&str, Reason)] = &[
    ("If(", "branches as objects"),
    ("Else(", "branches as objects"),
    ("break_(", "exits as calls"),
    ("continue_(", "exits as calls"),
    ("GMTensorList", "lists of tensors"),
    ("bind_cv_mutex", "mutexes of tensors"),
    ("bind_vc_mutex", "mutexes of tensors"),
    ("VarList", "lists of variables"),
    ("maximum(", "vector expressions"),
    ("minimum(", "vector expressions"),
    ("set_cmpmask", "an instruction that it lacks"),
    ("reset_cache", "an instruction without effect there"),
    ("while ", "loops of Python"),
    ("lambda", "functions in kernels"),
    ("class ", "classes"),
    ("yield", "generators"),
    ("try:", "exceptions"),
    ("a2lint: assume", "contracts over extents"),
    ("a2lint: shapes", "contracts over extents"),
    ("GetValueFrom", "loads of scalars from UB"),
];

/// Translates a kernel file.
pub fn translated(text: &str) -> Result<String, Reason> {
    if !text.contains(IMPORT) || text.matches("easyasc").count() > 1 {
        return Err("another import");
    }
    if let Some((_, reason)) = WORDS.iter().find(|(word, _)| text.contains(word)) {
        return Err(reason);
    }
    let source = SourceText::new(text);
    let mut module = trace(&source);
    if module.programs.is_empty() || !module.not_analysed.is_empty() || !module.notes.is_empty() {
        return Err("no kernel, or more than one can read");
    }
    let mut edits = Vec::new();
    for program in &mut module.programs {
        check(program, text)?;
        let launches = module.launches.iter();
        let own: Vec<&Launch> = launches.filter(|it| it.kernel == program.name).collect();
        signature(program, &own, text, &mut edits)?;
    }
    mutexes(text, &mut edits)?;
    // A line is translated to one line, so that line numbers stay.
    let import = text.find(IMPORT).expect("looked for above");
    edits.push((import, IMPORT.len(), OTHER_IMPORT.to_owned()));
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.0));
    let mut out = text.to_owned();
    for (start, length, new) in edits {
        out.replace_range(start..start + length, &new);
    }
    Ok(out)
}

/// Offset, length of the replaced text, and new text.
type Edit = (usize, usize, String);

/// Returns an error if a program has another meaning in the other dialect.
fn check(program: &mut Program, text: &str) -> Result<(), Reason> {
    let is_python = |kind: &NoteKind| {
        matches!(
            kind,
            NoteKind::Python(
                PythonNote::LostUpdate { .. }
                    | PythonNote::StaticIf { .. }
                    | PythonNote::LoopExit { .. }
                    | PythonNote::TruthOfVar { .. }
                    | PythonNote::ComparesVars { .. }
                    | PythonNote::NoEffect(_)
                    | PythonNote::TraceError { .. }
                    | PythonNote::NestedKernel { .. }
                    | PythonNote::LocalRank { .. }
            ) | NoteKind::UnknownName { .. }
                | NoteKind::SyntaxError { .. }
        )
    };
    if program.notes.iter().any(|note| is_python(&note.kind)) {
        return Err("a mistake that only tracing makes");
    }
    if !program.unknown.is_empty() {
        return Err("code that is not known");
    }
    let instructions: Vec<Instr> = program
        .instructions()
        .into_iter()
        .map(|(_, instr)| instr.clone())
        .collect();
    for instr in &instructions {
        let row = instr.row();
        if !instr.explicit && row.is_vector() && row.class != Class::Move {
            return Err("vector expressions");
        }
        let ordered = match instr.opcode {
            Opcode::Gather | Opcode::Scatter => Some(3),
            Opcode::Matmul => Some(3),
            Opcode::Select => Some(4),
            _ => None,
        };
        let positional = |arg: &a2lint::ir::Arg| {
            arg.span()
                .is_some_and(|span| !text[..span.start as usize].trim_end().ends_with('='))
        };
        if ordered.is_some_and(|from| instr.args[from..].iter().any(positional))
            && instr.opcode != Opcode::Select
        {
            return Err("arguments in another order");
        }
        if instr.opcode == Opcode::Select && instr.args[4].span().is_none() {
            return Err("a mode that is inferred");
        }
        let has_staging = instr.args.last().is_some_and(|arg| arg.span().is_some());
        let mode = instr.arg(isa::ParamKind::Select).map(|arg| &arg.value);
        let takes_tensors = mode == Some(&ArgValue::Select(SelectMode::TensorTensor));
        if instr.opcode == Opcode::Select
            && (instr.view(3).is_none() || takes_tensors && !has_staging)
        {
            return Err("a choice without a tensor of its own");
        }
        if row.class == Class::Cast && instr.args[7].span().is_none() {
            return Err("a round mode that is left out");
        }
        let before = type_fault(program, instr);
        (program.dialect, program.toolchain) = (Dialect::Ascriptor, &ASCRIPTOR);
        let after = type_fault(program, instr);
        (program.dialect, program.toolchain) = (Dialect::Easyasc, &EASYASC);
        if before != after {
            return Err("types that it does not take");
        }
    }
    let asks_sides = ["GetSubBlockIdx", "GetCubeIdx", "GetCubeNum", "block_dim"];
    if program.vec_only && asks_sides.iter().any(|name| text.contains(name)) {
        return Err("queries that mean something else there");
    }
    if program.events.iter().any(|event| event.ids == 0) {
        return Err("an event without ids");
    }
    Ok(())
}

/// Annotates the parameters of a kernel with types and extents.
fn signature(
    program: &Program,
    launches: &[&Launch],
    text: &str,
    edits: &mut Vec<Edit>,
) -> Result<(), Reason> {
    let globals: Vec<GlobalId> = program
        .params
        .iter()
        .filter_map(|param| match param.kind {
            ParamKind::Global(id) => Some(id),
            _ => None,
        })
        .collect();
    let is_scalar = |param: &Param| matches!(param.kind, ParamKind::Variable(_));
    let first_scalar = program.params.iter().position(is_scalar);
    if first_scalar.is_some_and(|at| at < globals.len()) {
        return Err("scalars before tensors");
    }
    for param in &program.params {
        let end = param.span.end as usize;
        let rest = &text[end..];
        let (word, new) = match param.kind {
            ParamKind::Global(id) => {
                let at = globals
                    .iter()
                    .position(|&it| it == id)
                    .expect("listed above");
                ("GMTensor", annotation(program, launches, id, at)?)
            }
            ParamKind::Variable(_) => {
                let mut launches = launches.iter();
                let is_float = launches.any(|it| it.is_float(&param.name) == Some(true));
                ("Var", if is_float { "f32" } else { "i32" }.to_owned())
            }
            _ => return Err("a parameter of another kind"),
        };
        let gap = rest.find(word).ok_or("a parameter without annotation")?;
        if !rest[..gap].chars().all(|c| c == ':' || c.is_whitespace()) {
            return Err("a parameter without annotation");
        }
        edits.push((end + gap, word.len(), new));
    }
    Ok(())
}

/// Returns an annotation such as `GM[f16, ("M", 64)]`.
fn annotation(
    program: &Program,
    launches: &[&Launch],
    id: GlobalId,
    at: usize,
) -> Result<String, Reason> {
    let global = program.global(id);
    let tensors = || launches.iter().filter_map(|launch| launch.tensors.get(at));
    let launched = tensors().find_map(|tensor| tensor.dtype);
    let dtype = launched
        .or_else(|| moved(program, id))
        .ok_or("a tensor of unknown type")?;
    let rank = tensors()
        .find_map(|tensor| tensor.shape.as_ref().map(Vec::len))
        .or((!global.shape.is_empty()).then_some(global.shape.len()))
        .ok_or("a tensor of unknown rank")?;
    let is_shaped = |launch: &&&Launch| {
        let tensor = launch.tensors.get(at);
        tensor.is_some_and(|tensor| tensor.shape.is_some())
    };
    if !launches.is_empty() && launches.iter().filter(is_shaped).count() < launches.len() {
        return Err("a launch without shapes");
    }
    let dims: Vec<String> = (0..rank)
        .map(|axis| extent(launches, global, at, axis))
        .collect();
    Ok(format!("GM[DT.{dtype}, ({},)]", dims.join(", ")))
}

/// Returns an extent: a scalar of the kernel if every launch uses it for this extent, else a new symbol.
fn extent(launches: &[&Launch], global: &Global, at: usize, axis: usize) -> String {
    let spelled = |launch: &&Launch| {
        let tensor = launch.tensors.get(at)?;
        let name = tensor.spelled.get(axis)?.clone()?;
        let is_scalar = launch.scalars.iter().any(|(scalar, value)| {
            let extent = tensor.shape.as_ref().and_then(|shape| shape.get(axis));
            *scalar == name && extent.is_some_and(|&extent| extent as f64 == *value)
        });
        is_scalar.then_some(name)
    };
    let names: Option<Vec<String>> = launches.iter().map(spelled).collect();
    let common = names.filter(|names| names.windows(2).all(|pair| pair[0] == pair[1]));
    match common.and_then(|names| names.into_iter().next()) {
        Some(name) => format!("\"{name}\""),
        None => format!("\"{}_n{axis}\"", global.name),
    }
}

/// Returns the element type of the transfers to or from a tensor, if all have the same.
fn moved(program: &Program, id: GlobalId) -> Option<DType> {
    let types = program.instructions().into_iter().filter_map(|(_, instr)| {
        let mut globals = instr
            .operands()
            .filter_map(|(_, _, view)| View::global(view));
        globals.find(|view| view.global == id)?;
        let mut locals = instr
            .operands()
            .filter_map(|(_, _, view)| View::local(view));
        locals.next().map(|view| view.dtype)
    });
    let types: Vec<DType> = types.collect();
    let first = *types.first()?;
    types.iter().all(|&dtype| dtype == first).then_some(first)
}

/// Adds the keyword to depths: `CvMutex(0, 2)` becomes `CvMutex(0, depth=2)`.
fn mutexes(text: &str, edits: &mut Vec<Edit>) -> Result<(), Reason> {
    for word in ["CvMutex(", "VcMutex("] {
        for (found, _) in text.match_indices(word) {
            let start = found + word.len();
            let end = text[start..].find(')').ok_or("an open bracket")? + start;
            let arguments: Vec<&str> = text[start..end].split(',').collect();
            let positional = arguments.iter().take_while(|it| !it.contains('=')).count();
            match positional {
                0 => return Err("an id by name"),
                1 if text[start..end].contains("depth") => {}
                1 => edits.push((start + arguments[0].len(), 0, ", depth=2".to_owned())),
                2 => {
                    let at = start + arguments[0].len() + 1;
                    let blank = arguments[1].len() - arguments[1].trim_start().len();
                    edits.push((at + blank, 0, "depth=".to_owned()));
                }
                _ => return Err("pipes by position"),
            }
        }
    }
    Ok(())
}

//! Contracts: `# a2lint: assume(M >= 1)` and `# a2lint: shapes(x=half[M, 64])` above a kernel.

use std::collections::BTreeSet;
use std::ops::Range;

use super::launches::{body_of, is_followed_by};
use crate::contract::{Condition, Contract, Form, Part, TensorForm, Unread, conditions, shapes};
use crate::{
    ContractFault, DisplayName, Module, Note, NoteKind, OriginId, ParamKind, Program, VariableId,
};
use a2lint_source::text::{Slice, SourceText, Span};

/// Maximum number of conditions, and of tensors, in the contract of one kernel.
const MAX_PARTS: usize = 64;

type Fault = (Span, ContractFault);

/// Gives every kernel what the comments above it demand of its launches.
pub fn read(source: &SourceText, comments: &[Span], module: &mut Module) {
    let mut notes = Vec::new();
    for &comment in comments {
        let Some((text, written)) = written(source, comment) else {
            continue;
        };
        let kernels = || {
            let programs = module.programs.iter();
            programs.filter(|program| is_followed_by(source, comment, program))
        };
        let kernel = kernels().next().map(|program| program.name.to_string());
        let part = match (written, &kernel) {
            (Err(fault), _) => Err(fault),
            (Ok(_), None) => Err((text, ContractFault::NoKernel)),
            (Ok(part), Some(_)) => Ok(part),
        };
        // A factory makes several kernels from one text; the contract holds for each of them.
        let names: Vec<DisplayName> = kernels().map(|program| program.name.clone()).collect();
        for program in &mut module.programs {
            if names.contains(&program.name) {
                let contract = &mut program.contract;
                match &part {
                    Ok(part) => contract.extend(part),
                    // A contract that cannot be read is not treated as absent: a refutation could then use a launch
                    // that the user excluded.
                    Err(_) => contract.is_unclear = true,
                }
            }
        }
        if let Err(fault) = part {
            notes.push(note(kernel, fault));
        }
    }
    // After all comments, since a condition may name an extent that a later `shapes` declares.
    for program in &mut module.programs {
        if let Some(fault) = fault(program) {
            program.contract.is_unclear = true;
            let note = note(Some(program.name.to_string()), fault);
            // Kernels of one factory share the text of the contract, so its fault is reported once.
            if !notes.iter().any(|known| is_same_place(known, &note)) {
                notes.push(note);
            }
        }
        // The readable part is dropped as well: half of a contract would permit launches that the user excluded.
        if program.contract.is_unclear {
            program.contract = Contract {
                is_unclear: true,
                ..Contract::default()
            };
        }
    }
    module.notes.append(&mut notes);
}

/// Replaces the extents of each tensor in a contract by its number of elements, for kernels that see addresses alone.
pub fn flatten(module: &mut Module) {
    let mut notes = Vec::new();
    for program in &mut module.programs {
        let mut fault = None;
        for tensor in &mut program.contract.tensors {
            match Form::product(&tensor.extents) {
                Some(elements) => tensor.extents = vec![elements],
                None => {
                    let why = format!(
                        "the kernel sees `{}` as one row of elements, and a product of two names is no condition \
                         that can be tested: name the number of elements",
                        tensor.name
                    );
                    fault.get_or_insert((tensor.span, ContractFault::Unreadable(why)));
                }
            }
        }
        if let Some(fault) = fault {
            program.contract = Contract {
                is_unclear: true,
                ..Contract::default()
            };
            let note = note(Some(program.name.to_string()), fault);
            if !notes.iter().any(|known| is_same_place(known, &note)) {
                notes.push(note);
            }
        }
    }
    module.notes.append(&mut notes);
}

fn is_same_place(a: &Note, b: &Note) -> bool {
    a.span == b.span && matches!(a.kind, NoteKind::UnusableContract { .. })
}

fn note(kernel: Option<String>, (span, fault): Fault) -> Note {
    Note {
        span,
        origin: OriginId(0),
        kind: NoteKind::UnusableContract { kernel, fault },
    }
}

/// Parses the contract in a comment. Returns the text of the contract; `None` if the comment is none.
fn written(source: &SourceText, comment: Span) -> Option<(Span, Result<Contract, Fault>)> {
    if let Some(text) = body_of(source, comment, "assume") {
        return Some((text, assumed(source, text)));
    }
    let text = body_of(source, comment, "shapes")?;
    Some((text, shaped(source, text)))
}

fn assumed(source: &SourceText, text: Span) -> Result<Contract, Fault> {
    let inner = inside(source, text, "assume");
    let parts = parts(text, &inner, conditions(inner.text))?;
    let condition = |part: Part<_>| {
        let (form, relation) = part.parsed;
        let span = inner.place(&part.range);
        Condition {
            text: source.slice(span).to_owned(),
            span,
            form,
            relation,
        }
    };
    Ok(Contract {
        conditions: parts.into_iter().map(condition).collect(),
        ..Contract::default()
    })
}

fn shaped(source: &SourceText, text: Span) -> Result<Contract, Fault> {
    let inner = inside(source, text, "shapes");
    let parts = parts(text, &inner, shapes(inner.text))?;
    let tensor = |part: Part<_>| {
        let (name, dtype, extents) = part.parsed;
        let span = inner.place(&part.range);
        TensorForm {
            text: source.slice(span).to_owned(),
            span,
            name,
            dtype,
            extents,
        }
    };
    Ok(Contract {
        tensors: parts.into_iter().map(tensor).collect(),
        ..Contract::default()
    })
}

/// The text after the keyword of a comment.
struct Inner<'s> {
    text: &'s str,
    start: usize,
}

impl Inner<'_> {
    /// Returns the span of a part without surrounding space.
    fn place(&self, range: &Range<usize>) -> Span {
        let text = self.text.part(range.clone());
        let start = range.start + (text.len() - text.trim_start().len());
        let length = text.trim().len();
        Span::new(self.start + start, self.start + start + length)
    }
}

fn inside<'s>(source: &'s SourceText, text: Span, keyword: &str) -> Inner<'s> {
    Inner {
        text: source.slice(text).part(keyword.len()..),
        start: text.start as usize + keyword.len(),
    }
}

fn parts<T>(
    text: Span,
    inner: &Inner,
    read: Option<Result<Vec<Part<T>>, Unread>>,
) -> Result<Vec<Part<T>>, Fault> {
    let read = read.ok_or((text, ContractFault::Unclosed))?;
    read.map_err(|Unread { range, reason }| {
        let place = inner.place(&range);
        let place = if place.start == place.end {
            text
        } else {
            place
        };
        (place, ContractFault::Unreadable(reason))
    })
}

/// Returns what is wrong with a contract that parses.
fn fault(program: &Program) -> Option<Fault> {
    let contract = &program.contract;
    // Names first: an unknown name is a better explanation than the length.
    let named = named_fault(program);
    if named.is_some() {
        return named;
    }
    let last = contract.conditions.last().map(|condition| condition.span);
    let last = last.or(contract.tensors.last().map(|tensor| tensor.span))?;
    let is_long = contract.conditions.len() > MAX_PARTS || contract.tensors.len() > MAX_PARTS;
    is_long.then_some((last, ContractFault::TooLong(MAX_PARTS)))
}

/// Returns the first name in a contract that the kernel does not have, or that has the wrong kind.
fn named_fault(program: &Program) -> Option<Fault> {
    let contract = &program.contract;
    for (at, tensor) in contract.tensors.iter().enumerate() {
        let name = &tensor.name;
        if contract.tensors[..at].iter().any(|it| it.name == *name) {
            return Some((tensor.span, ContractFault::Twice(name.clone())));
        }
        let fault = match kind(program, name) {
            Some(ParamKind::Global(_)) => None,
            Some(_) => Some(ContractFault::NoTensor(name.clone())),
            None => Some(unknown(program, name)),
        };
        let names = tensor.extents.iter().flat_map(|extent| extent.names());
        let is_number = |name: &&str| !is_number(program, name, true);
        let fault = fault.or_else(|| names.into_iter().find(is_number).map(no_number));
        if let Some(fault) = fault {
            return Some((tensor.span, fault));
        }
    }
    // Extents that `shapes` names are known names of conditions, though no parameter has them.
    let extents: BTreeSet<&str> = contract.extents().collect();
    contract.conditions.iter().find_map(|condition| {
        let mut names = condition.form.names();
        let name = names.find(|name| !is_number(program, name, extents.contains(name)))?;
        let fault = match kind(program, name) {
            Some(_) => no_number(name),
            None => unknown(program, name),
        };
        Some((condition.span, fault))
    })
}

fn no_number(name: &str) -> ContractFault {
    ContractFault::NoNumber(name.to_owned())
}

fn kind(program: &Program, name: &str) -> Option<ParamKind> {
    let mut params = program.params.iter();
    params.find(|param| param.name == name).map(|it| it.kind)
}

/// Returns whether a name denotes an integer: a scalar parameter without a float type, or an extent.
fn is_number(program: &Program, name: &str, is_extent: bool) -> bool {
    let is_float = |id: VariableId| {
        let dtype = program.variable(id).dtype;
        dtype.is_some_and(|dtype| dtype.is_float())
    };
    match kind(program, name) {
        Some(ParamKind::Variable(id)) => !is_float(id),
        Some(_) => false,
        None => is_extent,
    }
}

fn unknown(program: &Program, name: &str) -> ContractFault {
    let params = program.params.iter().map(|param| param.name.as_str());
    let known: BTreeSet<&str> = params.chain(program.contract.extents()).collect();
    // The unknown name itself may be among the extents (it is declared there, but not usable here).
    let known = known.into_iter().filter(|known| *known != name);
    ContractFault::Unknown {
        name: name.to_owned(),
        known: known.map(str::to_owned).collect(),
    }
}

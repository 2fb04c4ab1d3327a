//! PTX: finds tensor-core instructions and the known bits of their operands.
//!
//! Functions with `tcgen05` instructions are examined. `flow` finds the definitions of a register that reach an
//! instruction: the last one of the basic block, otherwise the bits on which all definitions agree. `values` computes
//! on `KnownBits`, words of which some bits are known, so that a descriptor made of constant and variable fields is
//! known field by field. Registers are followed through moves, shifts, bit operations and conversions.
//!
//! Text that could not be parsed is damaged: names in it count as written there, so their values are unknown
//! (`Flow::distrust`). Long chains end within a bound (`long_chains_end`), and damage affects only its own function
//! (`damage_costs_its_own_function`).

mod flow;
mod inline;
mod instructions;
mod registers;
mod values;

use a2lint_ir::{NotAnalysed, mma};
use a2lint_source::text::{Slice, SourceText};
use a2lint_syntax::ptx::ast::{Function, Module, Word};
use a2lint_syntax::ptx::parse;
use flow::Flow;

/// The prefix of every instruction of the family.
pub const FAMILY: &str = "tcgen05";

/// Returns the tensor-core instructions of a module, and which of them could not be read.
pub fn module(source: &SourceText) -> (mma::Unit, Vec<NotAnalysed>) {
    let text = source.as_str();
    // Most files contain none, so nothing is parsed for them.
    if !text.contains(FAMILY) {
        return Default::default();
    }
    let module = parse(text);
    let unit = mma::Unit {
        version: module.version.map(|version| mma::Version {
            number: (version.major, version.minor),
            span: version.span,
        }),
        targets: module.targets.iter().map(target).collect(),
        kernels: kernels(&module, text),
    };
    (unit, gaps(&module, source))
}

/// Returns the tensor-core instructions in the inline assembly of a C++ or CUDA file, and which of them could not be
/// read.
pub fn inline_assembly(source: &SourceText) -> (mma::Unit, Vec<NotAnalysed>) {
    inline::assembly(source)
}

fn target(word: &Word) -> mma::Target {
    mma::Target {
        name: word.text.to_owned(),
        span: word.span,
    }
}

fn kernels(module: &Module, text: &str) -> Vec<mma::Kernel> {
    module
        .functions
        .iter()
        .filter(|function| text.part(function.span.range()).contains(FAMILY))
        .filter_map(|function| kernel(function, module))
        .collect()
}

fn kernel(function: &Function, module: &Module) -> Option<mma::Kernel> {
    let behind = module
        .damaged
        .partition_point(|word| word.span.start < function.span.start);
    let damaged = module.damaged[behind..]
        .iter()
        .take_while(|word| word.span.start < function.span.end);
    let mut flow = Flow::new(&function.registers, &function.body);
    // Before values are computed: results are cached.
    flow.distrust(damaged.map(|word| word.text));
    flow.is_whole();
    let instructions = instructions::tensor_core(&mut flow, &|span| span);
    (!instructions.is_empty()).then(|| mma::Kernel {
        name: function.name.text.to_owned(),
        name_span: function.name.span,
        // A called function may execute instructions that are not seen here.
        whole: function.entry && !flow.calls(),
        instructions,
    })
}

/// Reports each line with a [`FAMILY`] instruction that could not be read, or the whole file if it is too large.
fn gaps(module: &Module, source: &SourceText) -> Vec<NotAnalysed> {
    let gap = |reason| NotAnalysed {
        kernel: None,
        reason,
    };
    if module.refused {
        let reason = "too large to be read";
        return vec![gap(reason.to_owned())];
    }
    let mut lines: Vec<usize> = module
        .damaged
        .iter()
        .filter_map(|word| Some(word.span.start + word.text.find(FAMILY)? as u32))
        .map(|at| source.line_column(at).line)
        .collect();
    // One line may contain several damaged pieces.
    lines.dedup();
    lines.into_iter().map(unreadable).map(gap).collect()
}

fn unreadable(line: usize) -> String {
    format!("line {line}: `{FAMILY}` in text that cannot be read")
}

#[cfg(test)]
mod tests;

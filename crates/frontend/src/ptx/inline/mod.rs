//! Inline assembly in C++ and CUDA: `asm` statements, with what is known of their operands.
//!
//! Statements are read from tokens, because they occur in macros and between things that no C++ grammar takes. A
//! `template` becomes a PTX text with a source place for each byte. Operands are folded through constants, macros,
//! locals that straight-line code alone changes (`variables`, `changes`), fields of local structures with bit-fields
//! and unions (`structures`), and functions that are one straight way to one `return` (`functions`).
//!
//! The arguments of a wrapper, template arguments included, are followed to each of its calls in the file; each call
//! is a kernel that is named by its line. Uncertain values stay unknown (`what_is_not_certain_stays_unknown`), and
//! assembly that cannot be read is reported (`unreadable_assembly_is_told`).

mod changes;
mod context;
mod expression;
mod functions;
mod statement;
mod structures;
mod template;
mod tokens;
mod variables;

use super::FAMILY;
use super::flow::{Flow, Input};
use super::instructions;
use a2lint_ir::{KnownBits, NotAnalysed, mma};
use a2lint_source::text::{SourceText, Span};
use a2lint_syntax::ptx::ast::Module;
use a2lint_syntax::ptx::parse;
use context::Place;
use mma::Class;
use statement::{Operand, Statement};
use template::{Template, UNKNOWN_PIECE};
use tokens::Tokens;
use variables::{Inside, Variables};

/// Returns the tensor-core instructions in the `asm` statements of a file, and which of them could not be read.
pub(super) fn assembly(source: &SourceText) -> (mma::Unit, Vec<NotAnalysed>) {
    let text = source.as_str();
    if !text.contains(FAMILY) {
        return Default::default();
    }
    let tokens = Tokens::new(text);
    let statements = statement::statements(&tokens);
    let starts: Vec<usize> = statements.iter().map(|statement| statement.start).collect();
    let places = context::places(&tokens, &starts);
    let variables = Variables::new(&tokens);
    let mut reader = Reader {
        source,
        tokens: &tokens,
        variables: &variables,
        unit: mma::Unit::default(),
        gaps: Vec::new(),
    };
    for (statement, place) in statements.iter().zip(places) {
        if let Some(place) = place {
            reader.read(statement, &place);
        }
    }
    (reader.unit, reader.gaps)
}

struct Reader<'a, 't> {
    source: &'a SourceText,
    tokens: &'a Tokens<'t>,
    variables: &'a Variables<'a, 't>,
    unit: mma::Unit,
    gaps: Vec<NotAnalysed>,
}

impl Reader<'_, '_> {
    fn read(&mut self, statement: &Statement, place: &Place) {
        let body = place.body;
        let alone = Inside { body, given: &[] };
        self.read_for(statement, place, alone, place.name.to_owned());
        // Each call of a wrapper is reported separately, with the values that it passes.
        for (at, given) in self.variables.calls(place.body, place.name) {
            if given
                .iter()
                .any(|(_, value)| value.bits != KnownBits::UNKNOWN)
            {
                let start = self.tokens.span(at).start;
                let line = self.source.line_column(start).line;
                let name = format!("{} (called on line {line})", place.name);
                let given = &given;
                self.read_for(statement, place, Inside { body, given }, name);
            }
        }
    }

    fn read_for(&mut self, statement: &Statement, place: &Place, inside: Inside, kernel: String) {
        let template = Template::new(self.tokens, statement, self.variables);
        if !template.text.contains(FAMILY) {
            return;
        }
        let module = parse(&template.text);
        let names: Vec<String> = (0..statement.operands.len())
            .map(|at| format!("%{at}"))
            .collect();
        let mut flow = Flow::new(&[], &module.statements);
        flow.distrust(module.damaged.iter().map(|word| word.text));
        for (operand, name) in statement.operands.iter().zip(&names) {
            flow.input(name, self.input(operand, inside));
        }
        let here = |span: Span| template.source(span);
        let mut found = instructions::tensor_core(&mut flow, &here);
        for instruction in &mut found {
            instruction.conditional = place.conditional;
            // The template may be guarded from outside, so no instruction is certain to run.
            instruction.straight = false;
            hide_unknown_pieces(instruction);
        }
        // Once for each statement, not once for each call of the wrapper.
        if inside.given.is_empty() {
            self.lost(&module, &template);
        }
        self.keep(found, place, kernel);
    }

    fn input(&self, operand: &Operand, inside: Inside) -> Input {
        let constraint = self.tokens.word(operand.constraint).trim_matches('"');
        let output = constraint.starts_with('=');
        let range = operand.expression.clone();
        let span = self.tokens.source(range.clone());
        // An output is written by the statement, so its former value does not matter.
        let bits = match output {
            true => KnownBits::UNKNOWN,
            false => self.variables.evaluate(range, inside).bits,
        };
        // The constraint letter determines the class of register.
        let class = match constraint.trim_start_matches(['=', '+', '&']) {
            "h" => Class::Register(16),
            "r" | "f" => Class::Register(32),
            "l" | "d" => Class::Register(64),
            "n" => Class::Immediate,
            _ => Class::Unknown,
        };
        Input {
            class,
            bits,
            span,
            text: self.source.slice(span).to_owned(),
        }
    }

    /// Records instructions that could not be read.
    fn lost(&mut self, module: &Module, template: &Template) {
        for word in &module.damaged {
            let Some(at) = word.text.find(FAMILY) else {
                continue;
            };
            let start = word.span.start as usize + at;
            let place = template.source(Span::new(start, start + FAMILY.len()));
            let line = self.source.line_column(place.start).line;
            self.gaps.push(NotAnalysed {
                kernel: None,
                reason: super::unreadable(line),
            });
        }
    }

    fn keep(&mut self, mut found: Vec<mma::Instruction>, place: &Place, name: String) {
        if found.is_empty() {
            return;
        }
        let kernels = &mut self.unit.kernels;
        let mut known = kernels.iter_mut().rev();
        match known.find(|kernel| kernel.name_span == place.name_span && kernel.name == name) {
            Some(kernel) => {
                kernel.instructions.append(&mut found);
            }
            _ => kernels.push(mma::Kernel {
                name,
                name_span: place.name_span,
                whole: false,
                instructions: found,
            }),
        }
    }
}

/// Drops modifiers that contain an unknown piece, and all operands if one of them does.
fn hide_unknown_pieces(instruction: &mut mma::Instruction) {
    let before = instruction.modifiers.len();
    let known = |text: &str| !text.contains(UNKNOWN_PIECE);
    instruction
        .modifiers
        .retain(|modifier| known(&modifier.text));
    instruction.complete = instruction.modifiers.len() == before;
    let operands = &instruction.operands;
    // An unknown piece may contain commas, which would shift the operands after it.
    if operands.iter().any(|operand| !known(&operand.text)) {
        instruction.complete = false;
        instruction.operands.clear();
    }
}

#[cfg(test)]
mod tests;

//! Proposals that compute on copies of another element type.

use super::Propose;
use super::types::tensor_like;
use crate::repair::Candidate;
use crate::repair::scene::{Scene, guess, joined, replace};
use a2lint_ir::finding::Edit;
use a2lint_isa::{DST, DType};
use a2lint_rules::fix::apply;
use a2lint_source::text::Span;

pub(super) const PROPOSALS: &[(&str, Propose)] =
    &[("op-dtype", computed), ("int-compare-mode", compared)];

/// An operand, and the copy that replaces it.
struct Copy {
    operand: String,
    name: String,
    /// Whether the instruction reads the operand.
    is_read: bool,
    /// Whether the instruction writes the operand.
    is_written: bool,
}

/// A call whose operands are replaced by copies.
struct Rewritten {
    span: Span,
    declared: Vec<Edit>,
    copies: Vec<Copy>,
    call: String,
}

impl Rewritten {
    /// Rewrites the call of the finding: operands of other types than `dtype` are replaced by copies of that type.
    fn of(scene: &Scene, dtype: DType, is_wanted: impl Fn(usize) -> bool) -> Option<Rewritten> {
        let (program, (stmt, instr)) = (scene.program()?, scene.instr(scene.finding.span)?);
        let mut all = Rewritten {
            span: stmt.span,
            declared: Vec::new(),
            copies: Vec::new(),
            call: String::new(),
        };
        let mut edits = Vec::new();
        let operands = instr
            .operands()
            .filter(|(index, ..)| instr.explicit && is_wanted(*index));
        for (index, operand, view) in operands {
            let span = instr.args.get(index).and_then(|arg| arg.span());
            let (Some(span), Some(view)) = (span, view.local()) else {
                continue;
            };
            if view.dtype == dtype {
                continue;
            }
            let text = scene.text(span);
            let known = all.copies.iter().position(|copy| copy.operand == text);
            let at = match known {
                Some(at) => at,
                None => {
                    let buffer = program.buffer(view.buffer);
                    let base = format!("{}_{dtype}", buffer.name);
                    let (name, declared) = tensor_like(scene, buffer, dtype, &base, stmt.span)?;
                    all.declared.push(declared);
                    all.copies.push(Copy {
                        operand: text.to_owned(),
                        name,
                        is_read: false,
                        is_written: false,
                    });
                    all.copies.len() - 1
                }
            };
            let copy = &mut all.copies[at];
            copy.is_read |= operand.access.reads();
            copy.is_written |= operand.access.writes();
            edits.push(Edit {
                span: Span {
                    start: span.start - stmt.span.start,
                    end: span.end - stmt.span.start,
                },
                text: copy.name.clone(),
            });
        }
        all.call = apply(scene.text(stmt.span), &edits);
        (!all.copies.is_empty()).then_some(all)
    }

    /// Builds the candidate: converts the copies that are read, with this rounding mode, before the call, and those
    /// that are written after it.
    fn candidate(&self, scene: &Scene, title: &str, mode: &str) -> Candidate {
        let read = self.copies.iter().filter(|copy| copy.is_read);
        let before = read.map(|copy| {
            let (name, operand) = (&copy.name, &copy.operand);
            format!("cast({name}, {operand}, round_mode=RoundMode.{mode})")
        });
        let written = self.copies.iter().filter(|copy| copy.is_written);
        let after = written.map(|copy| {
            let (name, operand) = (&copy.name, &copy.operand);
            format!("cast({operand}, {name}, round_mode=RoundMode.TO_EVEN)")
        });
        let lines: Vec<String> = before.chain([self.call.clone()]).chain(after).collect();
        let text = lines.join(&format!("\n{}", scene.indent(self.span)));
        let edits = self
            .declared
            .iter()
            .cloned()
            .chain([replace(self.span, text)]);
        guess(title, joined(edits.collect()))
    }
}

/// Proposes arithmetic on copies, with the result converted back.
fn computed(scene: &Scene) -> Vec<Candidate> {
    let mut all = Vec::new();
    for dtype in [DType::Float, DType::Half] {
        if let Some(rewritten) = Rewritten::of(scene, dtype, |_| true) {
            for mode in ["NONE", "TO_EVEN"] {
                all.push(rewritten.candidate(scene, &format!("compute in {dtype}"), mode));
            }
        }
    }
    all
}

/// Proposes to compare float copies, because integers can only be compared for equality.
fn compared(scene: &Scene) -> Vec<Candidate> {
    let Some(rewritten) = Rewritten::of(scene, DType::Float, |index| index > DST) else {
        return Vec::new();
    };
    let modes = ["NONE", "TO_EVEN"];
    modes
        .map(|mode| rewritten.candidate(scene, "compare float copies", mode))
        .into_iter()
        .collect()
}

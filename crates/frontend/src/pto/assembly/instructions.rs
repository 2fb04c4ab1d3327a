//! Instructions of the assembly, with their operands.

use super::Reader;
use a2lint_ir::tile::{Compare, CompareMode, Form, Operand, Select, StepKind, Text, TileType};
use a2lint_source::text::{Slice, Span};
use a2lint_syntax::pto::{Op, Operand as Written, OperandKind, TypeText};

impl<'t> Reader<'t> {
    /// Returns outputs, then inputs, with the types that the operation gives them.
    pub(super) fn line(&self, op: &Op) -> Vec<Operand> {
        let typed = |operands: &[Written], types: &[TypeText]| -> Vec<Operand> {
            let one = |(at, operand): (usize, &Written)| {
                let ty = match types.len() == operands.len() {
                    true => types.get(at),
                    // The bare form has one type for all operands.
                    false => types
                        .first()
                        .filter(|_| types.len() == 1 && op.ins.is_none() && !op.arrow),
                };
                self.operand(operand, ty.and_then(|ty| self.tile_type(ty)))
            };
            let all = operands.iter().enumerate();
            all.filter(|(_, o)| o.kind != OperandKind::Other)
                .map(one)
                .collect()
        };
        match (&op.ins, &op.outs) {
            (Some(ins), outs) => {
                let outs = outs.clone().unwrap_or_default();
                let mut line = typed(&outs.operands, &outs.types);
                line.extend(typed(&ins.operands, &ins.types));
                line
            }
            (None, _) => {
                let types = match op.arrow {
                    true => &op.result_types,
                    false => &op.types,
                };
                let result = op.results.iter().map(|&span| {
                    let written = Written {
                        span,
                        head: span,
                        kind: OperandKind::Value,
                    };
                    self.operand(&written, types.first().and_then(|ty| self.tile_type(ty)))
                });
                let mut line: Vec<Operand> = result.collect();
                line.extend(typed(&op.operands, &op.types));
                line
            }
        }
    }

    pub(super) fn kind(&self, name: &str, op: &Op, line: &[Operand]) -> StepKind {
        // Without `outs`, the text does not say which operand is which.
        if op.ins.is_some() && op.outs.is_none() {
            return StepKind::Other(Vec::new());
        }
        match (name, line) {
            ("tsel", [dst, mask, src0, src1, rest @ ..]) => StepKind::Select(Select {
                dst: dst.clone(),
                mask: mask.clone(),
                src0: src0.clone(),
                src1: src1.clone(),
                tmp: rest.first().cloned(),
            }),
            ("tcmp", [dst, src0, src1, ..]) => StepKind::Compare(Compare {
                dst: dst.clone(),
                src0: src0.clone(),
                src1: Some(src1.clone()),
                mode: self.mode(op),
            }),
            ("tcmps", [dst, src0, ..]) => StepKind::Compare(Compare {
                dst: dst.clone(),
                src0: src0.clone(),
                src1: None,
                mode: self.mode(op),
            }),
            ("tload", [tile, ..]) => StepKind::Load(tile.clone()),
            ("tstore", [_, tile, ..]) => StepKind::Store(tile.clone()),
            _ => StepKind::Other(line.iter().filter(|o| o.ty.is_some()).cloned().collect()),
        }
    }

    /// Returns the comparison mode, `{cmpMode = #pto<cmp lt>}`; the attribute may be inside of `ins`.
    fn mode(&self, op: &Op) -> Option<(CompareMode, Span)> {
        let text = self.text(op.span);
        let at = text.find("cmpMode").or_else(|| text.find("mode"))?;
        let rest = text.part(at..text.part(at..).find('}').map_or(text.len(), |end| at + end));
        let word = rest.rsplit([' ', '=', '<', '.']).find_map(|word| {
            let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
            CompareMode::from_name(word).map(|mode| (mode, word))
        });
        let (mode, word) = word?;
        let start = op.span.start as usize + at + rest.rfind(word)?;
        Some((mode, Span::new(start, start + word.len())))
    }

    /// Returns whether the function does not mention a value before an operation takes it.
    fn appears_first(&self, operand: &Written, op: &Op) -> bool {
        let name = self.text(operand.head);
        // A fragment without a function has its values from elsewhere.
        let start = self.current.name_span.start as usize;
        let before = self.text.get(start..op.span.start as usize).unwrap_or("");
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '-');
        operand.kind == OperandKind::Value
            && self.current.name_span != Span::default()
            && !before
                .match_indices(name)
                .any(|(at, _)| !before.part(at + name.len()..).starts_with(is_name))
    }

    pub(super) fn as_written(&self, op: &Op, name: &str) -> Text {
        let form = match (&op.ins, &op.outs) {
            (None, None) if op.arrow => Form::Results,
            (None, None) => Form::Bare,
            (_, outs) => Form::InsOuts {
                outs: outs.is_some(),
            },
        };
        let spans = |operands: &[Written]| operands.iter().map(|o| o.span).collect();
        let read = |types: &[TypeText]| -> Vec<TileType> {
            let one = |ty: &TypeText| {
                self.tile_type(ty).unwrap_or(TileType {
                    span: ty.span,
                    ..TileType::default()
                })
            };
            types.iter().map(one).collect()
        };
        let ins = op.ins.clone().unwrap_or_default();
        let outs = op.outs.clone().unwrap_or_default();
        let grouped = op.ins.is_some() || op.outs.is_some();
        let values: Vec<Written> = op
            .operands
            .iter()
            .filter(|operand| operand.kind != OperandKind::Other)
            .copied()
            .collect();
        let taken = if grouped { &ins.operands } else { &values };
        let outputs = if grouped {
            outs.operands.as_slice()
        } else {
            &[]
        };
        let taken = taken.iter().chain(outputs);
        let undefined = taken
            .filter(|operand| self.appears_first(operand, op))
            .map(|o| o.head);
        Text {
            undefined: undefined.collect(),
            span: op.span,
            name: name.to_owned(),
            form,
            inputs: if grouped {
                spans(&ins.operands)
            } else {
                spans(&values)
            },
            input_types: read(if grouped { &ins.types } else { &op.types }),
            outputs: if grouped {
                spans(&outs.operands)
            } else {
                op.results.clone()
            },
            output_types: read(if grouped {
                &outs.types
            } else {
                &op.result_types
            }),
        }
    }
}

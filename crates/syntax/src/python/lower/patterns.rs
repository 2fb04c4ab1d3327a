//! Lowering of `match` to branches over the patterns of its cases.

use super::expressions::broken;
use super::*;

impl Lowering<'_> {
    /// Lowers `match` to an `if`. The subject is evaluated once: it is kept under a name that no program can contain,
    /// unless it is itself a name that no case binds.
    pub(super) fn match_statement(&mut self, node: Node) -> Option<StmtKind> {
        let subjects = in_field(node, "subject");
        let subject = match subjects.as_slice() {
            &[only] if only.is_named() => self.expr(only),
            all if all.iter().any(is_broken) => broken(span(node.child_by_field_name("subject")?)),
            all => self.subject_tuple(all)?,
        };
        let body = node.child_by_field_name("body")?;
        let cases = operands(body).into_iter();
        let cases: Vec<Node> = cases.filter(|part| part.kind() == "case_clause").collect();
        let patterns: Vec<Pattern> = cases.iter().map(|case| self.case_pattern(*case)).collect();
        let mut is_rebound = false;
        for pattern in &patterns {
            pattern.names(&mut |name| {
                is_rebound |= matches!(&subject.kind, ExprKind::Name(own) if *own == name.text);
            });
        }
        let is_name = matches!(subject.kind, ExprKind::Name(_)) && !is_rebound;
        let kept = Name {
            // The space makes it a name that no program can contain.
            text: format!("match {}", node.start_byte()),
            span: subject.span,
        };
        let later = Expr {
            span: subject.span,
            kind: ExprKind::Name(kept.text.clone()),
        };
        let mut first = Some(match is_name {
            true => subject.clone(),
            false => Expr {
                span: subject.span,
                kind: ExprKind::Named {
                    name: kept,
                    value: Box::new(subject.clone()),
                },
            },
        });
        let mut arms = Vec::new();
        for (case, pattern) in cases.into_iter().zip(patterns) {
            let block = self.block(case.child_by_field_name("consequence"));
            let guard = case.child_by_field_name("guard");
            let is_irrefutable = matches!(pattern, Pattern::Anything);
            // `case _:` becomes the `else`, except as the only case: an `if` needs an arm.
            if guard.is_none() && is_irrefutable && !arms.is_empty() {
                return Some(StmtKind::If {
                    arms,
                    orelse: block,
                });
            }
            let subject = first.take().unwrap_or_else(|| match is_name {
                true => subject.clone(),
                false => later.clone(),
            });
            let head = in_case(case).first().copied().unwrap_or(case);
            let test = Expr {
                span: span(head),
                kind: test(subject, pattern, span(head)),
            };
            let guard = guard.map(|guard| operands(guard).first().map(|&it| self.expr(it)));
            let test = match guard {
                None => test,
                Some(guard) => Expr {
                    span: test.span,
                    kind: ExprKind::BoolOp {
                        and: true,
                        values: vec![test, guard.unwrap_or_else(|| broken(span(head)))],
                    },
                },
            };
            arms.push((test, block));
        }
        let orelse = Vec::new();
        (!arms.is_empty()).then_some(StmtKind::If { arms, orelse })
    }

    /// Lowers the subject of `match a, b:`.
    fn subject_tuple(&mut self, parts: &[Node]) -> Option<Expr> {
        let named = parts.iter().filter(|part| part.is_named());
        let items: Vec<Expr> = named.map(|&part| self.expr(part)).collect();
        let span = items.first()?.span.to(items.last()?.span);
        Some(Expr {
            span,
            kind: ExprKind::Tuple(items),
        })
    }

    fn case_pattern(&mut self, case: Node) -> Pattern {
        let patterns = in_case(case);
        let is_sequence = children(case).iter().any(|part| part.kind() == ",");
        match patterns.as_slice() {
            &[only] if !is_sequence => self.pattern(only),
            all => Pattern::Sequence(all.iter().map(|&part| self.pattern(part)).collect()),
        }
    }

    fn pattern(&mut self, node: Node) -> Pattern {
        let read = self.nested(node, |this| match is_damaged(node) {
            true => None,
            false => this.read_pattern(node),
        });
        read.flatten().unwrap_or_else(|| self.other(node))
    }

    fn read_pattern(&mut self, node: Node) -> Option<Pattern> {
        Some(match node.kind() {
            "case_pattern" => match self.slice(node).trim() {
                "_" => Pattern::Anything,
                _ => self.alternatives(node)?.pop()?,
            },
            "as_pattern" => {
                let parts = operands(node);
                let &[inner, name] = parts.as_slice() else {
                    return None;
                };
                Pattern::As(Box::new(self.pattern(inner)), self.name(name))
            }
            "union_pattern" => Pattern::Or(self.alternatives(node)?),
            "list_pattern" => Pattern::Sequence(self.patterns(node)),
            "tuple_pattern" => {
                let mut all = self.patterns(node);
                let has_comma = children(node).iter().any(|part| part.kind() == ",");
                match all.len() == 1 && !has_comma {
                    true => all.pop()?,
                    false => Pattern::Sequence(all),
                }
            }
            "splat_pattern" => {
                let name = operands(node).first().map(|&name| self.name(name));
                Pattern::Rest(name.filter(|name| name.text != "_"))
            }
            "dict_pattern" => self.mapping(node)?,
            "class_pattern" => self.class_pattern(node)?,
            "dotted_name" => match self.slice(node).contains('.') {
                true => Pattern::Value(self.dotted_value(node)?),
                false if self.slice(node) == "_" => Pattern::Anything,
                false => Pattern::Capture(self.name(node)),
            },
            "integer" | "float" | "string" | "concatenated_string" | "true" | "false" | "none" => {
                Pattern::Value(self.expr(node))
            }
            _ => return None,
        })
    }

    /// Lowers the patterns below a node. A `-` before a number and the pattern `_` are tokens.
    fn alternatives(&mut self, node: Node) -> Option<Vec<Pattern>> {
        let (mut all, mut is_negative) = (Vec::new(), false);
        for part in children(node) {
            match part.kind() {
                "-" => is_negative = true,
                "|" => {}
                "_" => all.push(Pattern::Anything),
                _ => {
                    let pattern = self.pattern(part);
                    all.push(match (std::mem::take(&mut is_negative), pattern) {
                        (true, Pattern::Value(value)) => Pattern::Value(Expr {
                            span: value.span,
                            kind: ExprKind::Unary {
                                op: UnaryOp::Neg,
                                operand: Box::new(value),
                            },
                        }),
                        (true, _) => return None,
                        (false, pattern) => pattern,
                    });
                }
            }
        }
        Some(all)
    }

    fn patterns(&mut self, node: Node) -> Vec<Pattern> {
        let parts = operands(node).into_iter();
        parts.map(|part| self.pattern(part)).collect()
    }

    fn mapping(&mut self, node: Node) -> Option<Pattern> {
        let (mut entries, mut rest) = (Vec::new(), None);
        let (mut key, mut is_negative) = (None, false);
        for part in operands_and_signs(node) {
            if part.kind() == "-" {
                is_negative = true;
            } else if part.kind() == "splat_pattern" {
                rest = Some(self.name(*operands(part).first()?));
            } else if let Some(key) = key.take() {
                entries.push((key, self.pattern(part)));
            } else {
                let Pattern::Value(value) = self.pattern(part) else {
                    return None;
                };
                // A negative key would have to be built here; such mappings are rare.
                if std::mem::take(&mut is_negative) {
                    return None;
                }
                key = Some(value);
            }
        }
        Some(Pattern::Mapping { entries, rest })
    }

    fn class_pattern(&mut self, node: Node) -> Option<Pattern> {
        let parts = operands(node);
        let (&class, arguments) = parts.split_first()?;
        let class = self.dotted_value(class)?;
        let (mut positional, mut keywords) = (Vec::new(), Vec::new());
        for &argument in arguments {
            let inner = operands(argument);
            match inner.as_slice() {
                &[keyword] if keyword.kind() == "keyword_pattern" => {
                    let parts = operands(keyword);
                    let (&name, value) = parts.split_first()?;
                    let pattern = match value {
                        &[value] if children(keyword).len() == 3 => self.pattern(value),
                        [] if self.slice(keyword).ends_with('_') => Pattern::Anything,
                        _ => return None,
                    };
                    keywords.push((self.name(name), pattern));
                }
                _ => positional.push(self.pattern(argument)),
            }
        }
        Some(Pattern::Class {
            class,
            positional,
            keywords,
        })
    }

    fn dotted_value(&mut self, node: Node) -> Option<Expr> {
        let parts = operands(node);
        let (&first, rest) = parts.split_first()?;
        let name = Expr {
            span: span(first),
            kind: ExprKind::Name(self.identifier(first)),
        };
        Some(rest.iter().fold(name, |value, &part| Expr {
            span: Span::new(value.span.range().start, part.end_byte()),
            kind: ExprKind::Attribute {
                attr: self.name(part),
                value: Box::new(value),
            },
        }))
    }

    /// Creates an unsupported pattern, which may bind each of its names.
    fn other(&self, node: Node) -> Pattern {
        let mut names = Vec::new();
        let mut open: Vec<Node> = vec![node];
        while let Some(node) = open.pop() {
            if node.kind() == "identifier" {
                names.push(self.name(node));
            }
            open.extend(operands(node));
        }
        names.sort_by_key(|name| name.span);
        Pattern::Other(names)
    }
}

/// Builds the test for a pattern. Values that Python compares by `==` become comparisons, since the device can
/// execute those.
fn test(subject: Expr, pattern: Pattern, place: Span) -> ExprKind {
    let is_compared = |value: &Expr| !matches!(value.kind, ExprKind::None | ExprKind::Bool(_));
    match pattern {
        Pattern::Value(value) if is_compared(&value) => ExprKind::Compare {
            left: Box::new(subject),
            rest: vec![(CompareOp::Eq, value)],
        },
        Pattern::Or(all)
            if all
                .iter()
                .all(|it| matches!(it, Pattern::Value(it) if is_compared(it))) =>
        {
            let values = all.into_iter().filter_map(|it| match it {
                Pattern::Value(value) => Some(value),
                _ => None,
            });
            let values = Expr {
                span: place,
                kind: ExprKind::Tuple(values.collect()),
            };
            ExprKind::Compare {
                left: Box::new(subject),
                rest: vec![(CompareOp::In, values)],
            }
        }
        pattern => ExprKind::Matches {
            subject: Box::new(subject),
            pattern: Box::new(pattern),
        },
    }
}

fn in_case(case: Node<'_>) -> Vec<Node<'_>> {
    let parts = operands(case).into_iter();
    parts.filter(|part| part.kind() == "case_pattern").collect()
}

fn operands_and_signs(node: Node<'_>) -> Vec<Node<'_>> {
    let parts = children(node).into_iter();
    parts
        .filter(|part| part.is_named() || part.kind() == "-")
        .collect()
}

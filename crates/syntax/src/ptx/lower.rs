//! Lowering of a PTX tree to typed syntax.

use tree_sitter::{Node, Tree};

use super::ast::{
    Declaration, Declarator, Function, Instruction, Module, Operand, OperandKind, Statement,
    Version, Word,
};
use a2lint_source::text::{Slice, Span};

/// Nesting depth at which blocks and operands count as damaged.
const MAX_DEPTH: usize = 64;

/// Lowers a tree. `blanked` are the lines of `text` that were blanked before it was parsed, in source order.
pub(super) fn lower<'t>(tree: &Tree, text: &'t str, blanked: &[Span]) -> Module<'t> {
    let mut lowering = Lowering {
        text,
        blanked,
        module: Module::default(),
    };
    lowering.module.damaged = blanked.iter().map(|&line| lowering.word_at(line)).collect();
    lowering.items(tree.root_node());
    let mut module = lowering.module;
    module.functions.sort_by_key(|function| function.name.span);
    module.damaged.sort_by_key(|word| word.span);
    module
}

struct Lowering<'t, 'b> {
    text: &'t str,
    blanked: &'b [Span],
    module: Module<'t>,
}

fn span(node: Node) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}

/// Returns the child in a field that every such node has; `None` if a syntax error has removed it.
fn field<'n>(node: Node<'n>, name: &str) -> Option<Node<'n>> {
    node.child_by_field_name(name)
        .filter(|child| !child.is_missing())
}

impl<'t> Lowering<'t, '_> {
    fn word(&self, node: Node) -> Word<'t> {
        self.word_at(span(node))
    }

    fn word_at(&self, span: Span) -> Word<'t> {
        Word {
            text: self.text.get(span.range()).unwrap_or_default(),
            span,
        }
    }

    /// Returns whether a part of a node could not be read, including lines that were blanked.
    fn is_damaged(&self, node: Node) -> bool {
        let span = span(node);
        let behind = self.blanked.partition_point(|line| line.end <= span.start);
        let line = self.blanked.get(behind);
        node.has_error() || line.is_some_and(|line| line.start < span.end)
    }

    /// Lowers functions and the statements between them.
    fn items(&mut self, root: Node) {
        let mut cursor = root.walk();
        for node in root.children(&mut cursor) {
            let mut found = Vec::new();
            self.statement(node, 0, &mut found);
            if found.is_empty() {
                continue;
            }
            match self.module.functions.last_mut() {
                Some(function) => {
                    function.body.append(&mut found);
                    function.span = function.span.to(span(node));
                }
                None => self.module.statements.append(&mut found),
            }
        }
    }

    /// Lowers the statements below a node; functions are added to the module.
    fn statements(&mut self, parent: Node, depth: usize) -> Vec<Statement<'t>> {
        let mut found = Vec::new();
        let mut cursor = parent.walk();
        for node in parent.children(&mut cursor) {
            self.statement(node, depth, &mut found);
        }
        found
    }

    fn damage(&mut self, node: Node) {
        let word = self.word(node);
        self.module.damaged.push(word);
    }

    fn statement(&mut self, node: Node, depth: usize, found: &mut Vec<Statement<'t>>) {
        match node.kind() {
            "function" => self.function(node, depth),
            "version_directive" => self.version(node),
            "target_directive" => self.targets(node),
            "block" if depth < MAX_DEPTH => {
                let inside = self.statements(node, depth + 1);
                found.push(Statement::Block(inside));
            }
            "block" => self.damage(node),
            "label" => found.push(Statement::Label),
            "instruction" | "variable" if self.is_damaged(node) => self.damage(node),
            "instruction" => found.extend(self.instruction(node)),
            "variable" => found.extend(self.declaration(node).map(Statement::Registers)),
            "ERROR" => self.error(node, depth, found),
            _ => {}
        }
    }

    /// Lowers the complete statements inside of an error node, all of which counts as damaged.
    fn error(&mut self, node: Node, depth: usize, found: &mut Vec<Statement<'t>>) {
        self.damage(node);
        if depth >= MAX_DEPTH {
            return;
        }
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            self.statement(child, depth + 1, found);
        }
    }

    fn version(&mut self, node: Node) {
        let Some(number) = field(node, "version") else {
            return;
        };
        let word = self.word(number);
        let (major, minor) = word.text.split_once('.').unwrap_or((word.text, "0"));
        let (Ok(major), Ok(minor)) = (major.parse(), minor.parse()) else {
            return;
        };
        self.module.version = Some(Version {
            major,
            minor,
            span: word.span,
        });
    }

    fn targets(&mut self, node: Node) {
        let mut cursor = node.walk();
        let targets = node.children_by_field_name("target", &mut cursor);
        let words: Vec<Word> = targets.map(|target| self.word(target)).collect();
        self.module.targets.extend(words);
    }

    fn function(&mut self, node: Node, depth: usize) {
        let (Some(name), Some(kind)) = (field(node, "name"), field(node, "kind")) else {
            return;
        };
        let registers = ["returns", "parameters"]
            .iter()
            .filter_map(|list| field(node, list))
            .flat_map(|list| self.parameters(list))
            .collect();
        let body = match field(node, "body") {
            Some(body) if depth < MAX_DEPTH => self.statements(body, depth + 1),
            _ => Vec::new(),
        };
        self.module.functions.push(Function {
            entry: kind.kind() == ".entry",
            name: self.word(name),
            span: span(node),
            registers,
            body,
        });
    }

    fn parameters(&self, list: Node) -> Vec<Declaration<'t>> {
        let mut cursor = list.walk();
        let parameters = list.named_children(&mut cursor);
        parameters
            .filter(|node| node.kind() == "parameter")
            .filter_map(|node| self.declaration(node))
            .collect()
    }

    /// Lowers a declaration of registers; `None` for other state spaces, whose names instructions do not use as
    /// operands.
    fn declaration(&self, node: Node) -> Option<Declaration<'t>> {
        if self.word(field(node, "space")?).text != ".reg" {
            return None;
        }
        let mut cursor = node.walk();
        let scalar_type = node
            .children_by_field_name("type", &mut cursor)
            .map(|node| self.word(node))
            .filter(|word| !word.text.starts_with(".v"))
            .last();
        let mut cursor = node.walk();
        let names = node
            .named_children(&mut cursor)
            .filter(|child| child.kind() == "declarator")
            .filter_map(|child| self.declarator(child))
            .collect();
        Some(Declaration { scalar_type, names })
    }

    fn declarator(&self, node: Node) -> Option<Declarator<'t>> {
        let count = field(node, "count").and_then(|count| integer(self.word(count).text));
        Some(Declarator {
            name: self.word(field(node, "name")?),
            count,
        })
    }

    fn instruction(&self, node: Node) -> Option<Statement<'t>> {
        let opcode = self.word(field(node, "opcode")?);
        let mut instruction = Instruction {
            span: span(node),
            guarded: false,
            opcode,
            modifiers: Vec::new(),
            operands: Vec::new(),
        };
        let mut cursor = node.walk();
        if !cursor.goto_first_child() {
            return None;
        }
        loop {
            let child = cursor.node();
            match (cursor.field_name(), child.kind()) {
                (Some("operand"), _) => instruction.operands.push(self.operand(child, 0)),
                (_, "modifier") => instruction.modifiers.push(self.word(child)),
                (_, "guard") => instruction.guarded = true,
                _ => {}
            }
            if !cursor.goto_next_sibling() {
                return Some(Statement::Instruction(instruction));
            }
        }
    }

    fn operand(&self, node: Node, depth: usize) -> Operand<'t> {
        let kind = match depth < MAX_DEPTH {
            true => self.operand_kind(node, depth).unwrap_or(OperandKind::Other),
            false => OperandKind::Other,
        };
        Operand {
            span: span(node),
            kind,
        }
    }

    fn operand_kind(&self, node: Node, depth: usize) -> Option<OperandKind<'t>> {
        Some(match node.kind() {
            "identifier" => OperandKind::Name(self.word(node).text),
            "address" => OperandKind::Address(self.operands(node, depth)),
            "vector" => OperandKind::Vector(self.operands(node, depth)),
            "integer" => OperandKind::Integer(integer(self.word(node).text)?),
            "list" => {
                let items = self.operands(node, depth);
                match items.as_slice() {
                    &[
                        Operand {
                            kind: OperandKind::Integer(value),
                            ..
                        },
                    ] => OperandKind::Integer(value),
                    _ => OperandKind::List(items),
                }
            }
            "unary" => self.unary(node, depth)?,
            "binary" => self.binary(node, depth)?,
            _ => OperandKind::Other,
        })
    }

    fn operands(&self, node: Node, depth: usize) -> Vec<Operand<'t>> {
        let mut cursor = node.walk();
        node.named_children(&mut cursor)
            .filter(|child| !child.is_extra())
            .map(|child| self.operand(child, depth + 1))
            .collect()
    }

    fn unary(&self, node: Node, depth: usize) -> Option<OperandKind<'t>> {
        let argument = self.operand(field(node, "argument")?, depth + 1);
        let operator = self.word(field(node, "operator")?).text;
        Some(match (operator, argument.kind) {
            ("-", OperandKind::Integer(value)) => OperandKind::Integer(value.wrapping_neg()),
            ("~", OperandKind::Integer(value)) => OperandKind::Integer(!value),
            ("!", OperandKind::Integer(value)) => OperandKind::Integer(u64::from(value == 0)),
            ("+", kind) => kind,
            ("!", kind) => OperandKind::Not(Box::new(Operand { kind, ..argument })),
            _ => OperandKind::Other,
        })
    }

    fn binary(&self, node: Node, depth: usize) -> Option<OperandKind<'t>> {
        let left = self.operand(field(node, "left")?, depth + 1);
        let right = self.operand(field(node, "right")?, depth + 1);
        let operator = self.word(field(node, "operator")?).text;
        Some(match (&left.kind, &right.kind) {
            (&OperandKind::Integer(a), &OperandKind::Integer(b)) => {
                OperandKind::Integer(fold(operator, a, b)?)
            }
            _ if operator == "|" => OperandKind::Pair(Box::new(left), Box::new(right)),
            _ => OperandKind::Other,
        })
    }
}

/// Parses an integer constant of PTX.
fn integer(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches('U');
    let (digits, radix) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (digits.part(2..), 16),
        [b'0', b'b' | b'B', ..] => (digits.part(2..), 2),
        [b'0', _, ..] => (digits.part(1..), 8),
        _ => (digits, 10),
    };
    u64::from_str_radix(digits, radix).ok()
}

/// Evaluates a binary operator on constants. PTX computes them in 64 bits; division, shifts to the right and
/// comparisons are signed.
fn fold(operator: &str, a: u64, b: u64) -> Option<u64> {
    let (signed_a, signed_b) = (a as i64, b as i64);
    let shift = u32::try_from(b).ok();
    Some(match operator {
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" => signed_a.checked_div(signed_b)? as u64,
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        "<<" => a.checked_shl(shift?)?,
        ">>" => signed_a.checked_shr(shift?)? as u64,
        "&&" => u64::from(a != 0 && b != 0),
        "||" => u64::from(a != 0 || b != 0),
        "==" => u64::from(a == b),
        "!=" => u64::from(a != b),
        "<" => u64::from(signed_a < signed_b),
        "<=" => u64::from(signed_a <= signed_b),
        ">" => u64::from(signed_a > signed_b),
        ">=" => u64::from(signed_a >= signed_b),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_come_in_four_bases() {
        let cases = [
            ("0", Some(0)),
            ("0U", Some(0)),
            ("0777", Some(0o777)),
            ("0x0003028100000000", Some(0x0003_0281_0000_0000)),
            ("0XffU", Some(255)),
            ("0b1010U", Some(10)),
            ("18446744073709551615", Some(u64::MAX)),
            ("18446744073709551616", None),
            ("09", None),
        ];
        for (text, value) in cases {
            assert_eq!(integer(text), value, "{text}");
        }
    }

    #[test]
    fn constant_expressions_never_overflow() {
        assert_eq!(fold("/", 1, 0), None);
        assert_eq!(fold("/", i64::MIN as u64, u64::MAX), None);
        assert_eq!(fold("<<", 1, 64), None);
        assert_eq!(fold(">>", u64::MAX, 63), Some(u64::MAX));
        assert_eq!(fold("-", 1, 2), Some(u64::MAX));
    }
}

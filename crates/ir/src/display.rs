//! Prints scalar expressions the way an author would have written them.

use rustc_hash::FxHashMap;

use super::{BinaryOp, Program, Scalar, ScalarId, Scalars, StmtKind, UnaryOp, VariableId};

/// The largest number of nodes that one expression prints. Expressions share subexpressions, so a graph of
/// few nodes can have an exponentially long text.
const MAX_NODES: usize = 96;

/// Binding strength, weakest first, as in Python.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Or,
    And,
    Not,
    Compare,
    BitOr,
    BitAnd,
    Shift,
    Sum,
    Product,
    Unary,
    Atom,
}

impl Strength {
    /// Returns the next stronger level, which the right operand of a left-associative operator needs.
    fn tighter(self) -> Strength {
        match self {
            Strength::Or => Strength::And,
            Strength::And => Strength::Not,
            Strength::Not => Strength::Compare,
            Strength::Compare => Strength::BitOr,
            Strength::BitOr => Strength::BitAnd,
            Strength::BitAnd => Strength::Shift,
            Strength::Shift => Strength::Sum,
            Strength::Sum => Strength::Product,
            Strength::Product => Strength::Unary,
            Strength::Unary | Strength::Atom => Strength::Atom,
        }
    }
}

/// Names for the leaves of a program's scalar expressions.
pub struct ScalarNames<'a> {
    program: &'a Program,
    definitions: FxHashMap<VariableId, ScalarId>,
    /// Whether nameless variables print as their number rather than a question mark.
    numbered: bool,
}

impl<'a> ScalarNames<'a> {
    /// Collects the names of `program` and the definitions of its nameless variables.
    pub fn new(program: &'a Program) -> Self {
        let mut definitions = FxHashMap::default();
        program.walk(&mut |stmt| {
            if let StmtKind::Assign { variable, value } = stmt.kind
                && program.variable(variable).assignments == 1
            {
                definitions.insert(variable, value);
            }
        });
        Self {
            program,
            definitions,
            numbered: false,
        }
    }

    /// Collects no definitions: nameless variables print as `%3`.
    pub fn bare(program: &'a Program) -> Self {
        Self {
            program,
            definitions: FxHashMap::default(),
            numbered: true,
        }
    }

    /// Returns the text of an expression of the program.
    pub fn text(&self, id: ScalarId) -> String {
        self.text_in(&self.program.scalars, id)
    }

    /// Returns the text of an expression in `scalars`, an arena that extends the program's own.
    pub fn text_in(&self, scalars: &Scalars, id: ScalarId) -> String {
        let mut writer = Writer {
            names: self,
            scalars,
            out: String::new(),
            nodes: 0,
        };
        writer.expression(id, Strength::Or);
        writer.out
    }
}

struct Writer<'a> {
    names: &'a ScalarNames<'a>,
    scalars: &'a Scalars,
    out: String,
    nodes: usize,
}

impl Writer<'_> {
    /// Writes an expression, in parentheses if it binds weaker than `needed`.
    fn expression(&mut self, id: ScalarId, needed: Strength) {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            self.out.push('…');
            return;
        }
        // Conversions that assignments imply are not in the source.
        let id = self.scalars.without_cut(id);
        let strength = strength(self.scalars.get(id));
        if strength < needed {
            self.out.push('(');
            self.node(id);
            self.out.push(')');
        // A variable needs no brackets itself; its definition may.
        } else if let Some(definition) = self.definition(id) {
            self.expression(definition, needed);
        } else {
            self.node(id);
        }
    }

    /// Returns the definition of a nameless variable that is assigned once.
    fn definition(&self, id: ScalarId) -> Option<ScalarId> {
        let Scalar::Variable(variable) = self.scalars.get(id) else {
            return None;
        };
        let nameless = self.names.program.variable(variable).name.is_empty();
        nameless
            .then(|| self.names.definitions.get(&variable).copied())
            .flatten()
    }

    fn node(&mut self, id: ScalarId) {
        match self.scalars.get(id) {
            Scalar::Int(value) => self.out.push_str(&value.to_string()),
            Scalar::Large(value) => self.out.push_str(&value.to_string()),
            Scalar::Float(value) => self.float(value),
            Scalar::Variable(variable) => self.variable(variable),
            Scalar::Extent(global, axis) => {
                let name = &self.names.program.global(global).name;
                self.out.push_str(&format!("{name}.shape[{axis}]"));
            }
            Scalar::Special(special) => {
                self.out.push_str(special.name());
                self.out.push_str("()");
            }
            Scalar::Unary(op, a) => self.unary(id, op, a),
            Scalar::Binary(op, a, b) => self.binary(op, a, b),
            Scalar::Compare(op, a, b) => self.infix(Strength::Compare, op.symbol(), true, a, b),
            Scalar::Unknown(_) => self.out.push('?'),
        }
    }

    fn variable(&mut self, id: VariableId) {
        match self.names.program.variable(id).name.as_str() {
            "" if self.names.numbered => self.out.push_str(&format!("%{}", id.0)),
            "" => self.out.push('?'),
            name => self.out.push_str(name),
        }
    }

    /// Writes a float with the fewest digits that identify it: as a 32-bit float if its value is one.
    fn float(&mut self, value: f64) {
        let single = value as f32;
        match f64::from(single) == value {
            true => self.out.push_str(&format!("{single:?}")),
            false => self.out.push_str(&format!("{value:?}")),
        }
    }

    fn unary(&mut self, id: ScalarId, op: UnaryOp, a: ScalarId) {
        match op {
            UnaryOp::Not => {
                self.out.push_str("not ");
                self.expression(a, Strength::Not);
            }
            UnaryOp::Negate => {
                self.out.push('-');
                self.expression(a, Strength::Atom);
            }
            UnaryOp::Abs => self.call("abs", &[a]),
            UnaryOp::Sqrt => self.call("sqrt", &[a]),
            UnaryOp::Convert => {
                let dtype = self.scalars.operation_type(id).dtype;
                self.call(dtype.name(), &[a]);
            }
            UnaryOp::Bits => {
                let dtype = self.scalars.operation_type(id).dtype;
                self.call(&format!("{}_bits", dtype.name()), &[a]);
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: ScalarId, b: ScalarId) {
        let strength = binary_strength(op);
        if strength == Strength::Atom {
            return self.call(op.symbol(), &[a, b]);
        }
        // `x + -3` is printed as `x - 3`.
        if let (BinaryOp::Add, Some(value)) = (op, self.scalars.as_int(b))
            && value < 0
        {
            self.expression(a, Strength::Sum);
            self.out.push_str(&format!(" - {}", value.unsigned_abs()));
            return;
        }
        self.infix(strength, op.symbol(), strength != Strength::Product, a, b);
    }

    fn infix(&mut self, strength: Strength, symbol: &str, spaced: bool, a: ScalarId, b: ScalarId) {
        // Comparisons do not chain, so their left operand needs parentheses too.
        let left = match strength {
            Strength::Compare => strength.tighter(),
            _ => strength,
        };
        self.expression(a, left);
        let space = if spaced { " " } else { "" };
        self.out.push_str(&format!("{space}{symbol}{space}"));
        self.expression(b, strength.tighter());
    }

    fn call(&mut self, name: &str, arguments: &[ScalarId]) {
        self.out.push_str(name);
        self.out.push('(');
        for (index, &argument) in arguments.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.expression(argument, Strength::Or);
        }
        self.out.push(')');
    }
}

fn strength(scalar: Scalar) -> Strength {
    match scalar {
        Scalar::Int(value) if value < 0 => Strength::Unary,
        Scalar::Float(value) if value.is_sign_negative() => Strength::Unary,
        Scalar::Unary(UnaryOp::Not, _) => Strength::Not,
        Scalar::Unary(UnaryOp::Negate, _) => Strength::Unary,
        Scalar::Binary(op, ..) => binary_strength(op),
        Scalar::Compare(..) => Strength::Compare,
        _ => Strength::Atom,
    }
}

fn binary_strength(op: BinaryOp) -> Strength {
    match op {
        BinaryOp::Or => Strength::Or,
        BinaryOp::And => Strength::And,
        BinaryOp::BitOr | BinaryOp::BitXor => Strength::BitOr,
        BinaryOp::BitAnd => Strength::BitAnd,
        BinaryOp::Shl | BinaryOp::Shr => Strength::Shift,
        BinaryOp::Add | BinaryOp::Sub => Strength::Sum,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod | BinaryOp::FloorDiv | BinaryOp::FloorMod => {
            Strength::Product
        }
        BinaryOp::CeilDiv
        | BinaryOp::AlignUp
        | BinaryOp::Min
        | BinaryOp::Max
        | BinaryOp::Index
        | BinaryOp::Multiple => Strength::Atom,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CompareOp, Stmt, StmtId, Variable, VariableKind};
    use a2lint_source::text::Span;

    fn program(names: &[&str]) -> Program {
        let variables = names.iter().map(|name| Variable {
            name: (*name).to_owned().into(),
            dtype: None,
            kind: VariableKind::Param,
            span: Span::default(),
            copy_of: None,
            assignments: name.is_empty() as u32,
            folded: None,
        });
        Program {
            variables: variables.collect(),
            ..Program::default()
        }
    }

    fn variable(program: &mut Program, index: u32) -> ScalarId {
        program.scalars.intern(Scalar::Variable(VariableId(index)))
    }

    #[test]
    fn precedence_decides_parentheses() {
        let mut p = program(&["M", "m0"]);
        let (m, m0) = (variable(&mut p, 0), variable(&mut p, 1));
        let two = p.scalars.int(2);
        let minus_one = p.scalars.int(-1);
        let rest = p.scalars.binary(BinaryOp::Sub, m, m0);
        let doubled = p.scalars.binary(BinaryOp::Mul, rest, two);
        let product = p.scalars.binary(BinaryOp::Mul, m0, two);
        let nested = p.scalars.binary(BinaryOp::Sub, m, rest);
        let tile = p.scalars.binary(BinaryOp::Min, two, nested);
        let less = p.scalars.compare(CompareOp::Lt, m0, rest);
        let not = p.scalars.unary(UnaryOp::Not, less);
        let last = p.scalars.binary(BinaryOp::Add, m, minus_one);
        let chain = p.scalars.binary(BinaryOp::Sub, m, product);
        let unknown = p.scalars.unknown();
        let names = ScalarNames::new(&p);
        for (id, text) in [
            (rest, "M - m0"),
            (doubled, "(M - m0)*2"),
            (nested, "M - (M - m0)"),
            (tile, "Min(2, M - (M - m0))"),
            (not, "not m0 < M - m0"),
            (last, "M - 1"),
            (chain, "M - m0*2"),
            (unknown, "?"),
        ] {
            assert_eq!(names.text(id), text);
        }
    }

    #[test]
    fn nameless_variables_show_their_definition() {
        let mut p = program(&["M", "", ""]);
        let (m, defined, lost) = (
            variable(&mut p, 0),
            variable(&mut p, 1),
            variable(&mut p, 2),
        );
        let tile = p.scalars.int(128);
        let two = p.scalars.int(2);
        let value = p.scalars.binary(BinaryOp::Add, m, tile);
        let doubled = p.scalars.binary(BinaryOp::Mul, defined, two);
        let kind = StmtKind::Assign {
            variable: VariableId(1),
            value,
        };
        p.body = vec![Stmt {
            id: StmtId(0),
            span: Span::default(),
            origin: crate::OriginId(0),
            kind,
        }]
        .into();
        let names = ScalarNames::new(&p);
        assert_eq!(names.text(doubled), "(M + 128)*2");
        assert_eq!(names.text(lost), "?");
    }

    #[test]
    fn a_small_graph_that_unfolds_without_end_is_cut() {
        let mut p = program(&["M"]);
        let mut id = variable(&mut p, 0);
        for _ in 0..9 {
            id = p.scalars.intern(Scalar::Binary(BinaryOp::Add, id, id));
        }
        let text = ScalarNames::new(&p).text(id);
        assert!(text.contains('…') && text.len() < 2000, "{}", text.len());
    }
}

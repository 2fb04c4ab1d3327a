//! Macros that compilers predefine for one product or another.

use super::dialect::Dialect;
use super::preprocessor::Macros;
use a2lint_isa::masks::Target;
use a2lint_source::text::Span;
use a2lint_syntax::cpp::{BranchKind, Stmt, StmtKind};

/// The state of a macro when a product is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Predefined {
    /// Not defined.
    Not,
    /// Defined with this value.
    As(i128),
}

/// Architecture numbers, by macro and product.
const NUMBERS: &[(&str, &[(Target, i128)])] = &[
    (
        "__NPU_ARCH__",
        &[
            (Target::A2A3, 2201),
            (Target::Inference, 2002),
            (Target::Edge, 3002),
            (Target::A5, 3510),
        ],
    ),
    (
        "__CCE_AICORE__",
        &[
            (Target::A2A3, 220),
            (Target::Inference, 200),
            (Target::Edge, 300),
            (Target::A5, 310),
        ],
    ),
];

/// Macros that are defined for one product only.
const FLAGS: &[(&str, Target)] = &[
    ("__DAV_V220", Target::A2A3),
    ("__DAV_C220__", Target::A2A3),
    ("PTO_NPU_ARCH_A2A3", Target::A2A3),
    ("__DAV_C310__", Target::A5),
    ("PTO_NPU_ARCH_A5", Target::A5),
    ("PTO_NPU_ARCH_KIRIN9030", Target::Kirin),
];

/// Returns the state of a macro for a product; `None` if it is unknown.
pub fn predefined(name: &str, product: Target) -> Option<Predefined> {
    if let Some((_, numbers)) = NUMBERS.iter().find(|(known, _)| *known == name) {
        let number = numbers.iter().find(|(known, _)| *known == product);
        return number.map(|(_, number)| Predefined::As(*number));
    }
    let (_, only) = FLAGS.iter().find(|(known, _)| *known == name)?;
    Some(match *only == product {
        true => Predefined::As(1),
        false => Predefined::Not,
    })
}

/// Returns whether code of a dialect is skipped because it is for other products.
pub fn leaves_out<'a>(
    stmts: &[Stmt<'a>],
    macros: &Macros<'a>,
    text: &str,
    dialect: &dyn Dialect<'a>,
) -> bool {
    let inside = |stmts: &[Stmt<'a>]| leaves_out(stmts, macros, text, dialect);
    stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Namespace(_, inner) | StmtKind::Block(inner) => inside(inner),
        StmtKind::Class(class) => inside(&class.members),
        StmtKind::Function(function) => inside(&function.body),
        StmtKind::Loop(turns) => inside(&turns.body),
        StmtKind::Branch(branch) => {
            let condition = branch.condition.as_ref();
            let condition = condition.filter(|_| branch.kind == BranchKind::Preprocessor);
            match condition.and_then(|it| macros.decided_by_product(it)) {
                Some(holds) => {
                    concerns(branch.side(!holds), text, dialect) || inside(branch.side(holds))
                }
                None => inside(&branch.then) || inside(&branch.otherwise),
            }
        }
        _ => false,
    })
}

fn concerns<'a>(stmts: &[Stmt<'a>], text: &str, dialect: &dyn Dialect<'a>) -> bool {
    let whole: Option<Span> = stmts
        .first()
        .zip(stmts.last())
        .map(|(first, last)| first.span.to(last.span));
    let code = whole.and_then(|span| text.get(span.range()));
    code.is_some_and(|code| dialect.concerns(code))
}

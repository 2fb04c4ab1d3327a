//! The sizes of operands that a product in L1 loads to L0 at once.

use rustc_hash::FxHashMap;

use super::assignments::{Assignments, Unassigned, assignments};
use super::scalar::{Given, Wanted};
use a2lint_ir::{Instr, Program, ScalarId, Staged, StmtId};
use a2lint_isa::FACTORS;

/// Maximum number of (m, n, k) combinations tried for one matmul.
const MOST: usize = 2048;

/// A step of a product that may not fit into a half of L0A or L0B.
#[derive(Clone, Debug, PartialEq)]
pub struct Oversized {
    /// The statement.
    pub stmt: StmtId,
    /// The step; `None` if its sizes are unknown.
    pub staged: Option<Staged>,
    /// The non-constant sizes that it depends on.
    pub sizes: Vec<ScalarId>,
}

/// Returns the first product with a step that may be too large if parameters lie in the given ranges.
pub fn oversized(program: &Program, given: &[Given]) -> Option<Oversized> {
    let instructions = program.instructions().into_iter();
    let products = instructions.filter(|(_, instr)| instr.row().stages_operands());
    let products: Vec<_> = products.map(|(stmt, instr)| (stmt.id, instr)).collect();
    // Computing assignments takes long, and kernels without a product need none.
    if products.is_empty() {
        return None;
    }
    let ask = |_, instr: &Instr| match instr.row().stages_operands() {
        // A step grows with its sizes, so their ends suffice.
        true => sizes(instr)
            .map(|id| (id, Wanted::Ends))
            .collect::<Vec<(ScalarId, Wanted)>>(),
        false => Vec::new(),
    };
    let assigned = assignments(program, given, MOST, &ask);
    products.into_iter().find_map(|(stmt, instr)| {
        let unknown = |sizes: Vec<ScalarId>| Oversized {
            stmt,
            staged: None,
            sizes,
        };
        match assigned.of.get(&stmt) {
            Some(Ok(known)) => too_large(program, stmt, instr, known),
            Some(Err(Unassigned::Unbounded(id))) => Some(unknown(vec![*id])),
            Some(Err(Unassigned::TooMany)) | None => Some(unknown(Vec::new())),
        }
    })
}

/// Returns the sizes that decide how much a product loads: the split if there is one, else the whole extent.
fn sizes(instr: &Instr) -> impl Iterator<Item = ScalarId> {
    let step = |whole: &str, split: &str| {
        let split = instr.scalar_named(split);
        split.or(instr.scalar_named(whole))
    };
    let sizes = [
        instr.scalar_named("m"),
        step("n", "splitn"),
        step("k", "splitk"),
    ];
    sizes.into_iter().flatten()
}

fn too_large(
    program: &Program,
    stmt: StmtId,
    instr: &Instr,
    known: &Assignments,
) -> Option<Oversized> {
    let is_variable = |id: &ScalarId| program.size(*id).is_none();
    let variable = || sizes(instr).filter(is_variable).collect::<Vec<ScalarId>>();
    // A missing extent is that of the operand, which is not looked at here.
    if ["m", "n", "k"]
        .iter()
        .any(|name| instr.scalar_named(name).is_none())
    {
        return Some(Oversized {
            stmt,
            staged: None,
            sizes: variable(),
        });
    }
    known.rows.iter().find_map(|row| {
        let values: FxHashMap<ScalarId, i64> = known
            .scalars
            .iter()
            .copied()
            .zip(row.iter().copied())
            .collect();
        // A size that is not listed may be anything.
        let number = |id: ScalarId| {
            let constant = program.scalars.as_int(id);
            Some(constant.or(values.get(&id).copied()).unwrap_or(i64::MAX))
        };
        let staged = FACTORS
            .iter()
            .filter_map(|&at| Staged::with(program.device, instr, at, number));
        let staged = staged.into_iter().find(|staged| !staged.fits())?;
        Some(Oversized {
            stmt,
            staged: Some(staged),
            sizes: variable(),
        })
    })
}

//! Replaces loops over single elements by one instruction.

use super::{instruction, is_one, once};
use a2lint_ir::{
    ArgValue, BinaryOp, Instr, LocalView, Program, Scalar, ScalarId, Scalars, Stmt, StmtId,
    StmtKind, VariableId, View,
};
use a2lint_isa::{BLOCK_BYTES, BLOCKS_PER_REPEAT, Instruction, Opcode, param};

/// A program with a vector instruction in place of a loop over single elements.
pub struct Vectorised {
    /// The changed program.
    pub program: Program,
    /// The instruction in place of the loop.
    pub opcode: Opcode,
}

/// Replaces a loop that stores one element per iteration by one instruction: a constant value, a copy of another
/// row, or a row combined with a number. The loop keeps one iteration. What was in order with the scalar unit has
/// to be in order with the vector unit, so the instruction gets barriers before and after it. `None` if the loop
/// does anything else.
pub fn vectorised(program: &Program, within: StmtId) -> Option<Vectorised> {
    let mut program = program.clone();
    let barriers = [0, 1].map(|number| StmtId(program.stmt_count + number));
    program.stmt_count += 2;
    let stmt = program.body.statement_mut(within)?;
    let opcode = vectorise(&mut program.scalars, &mut stmt.kind, barriers)?;
    Some(Vectorised { program, opcode })
}

/// The accesses to single elements that a loop makes in each iteration.
struct Elements<'a> {
    /// The element that is read, and the variable it is read into.
    read: Option<(VariableId, &'a LocalView)>,
    /// The operation with a number that is applied before the store, and its variable.
    computed: Option<(VariableId, ScalarId)>,
    /// The variable that is stored.
    stored: VariableId,
    to: &'a LocalView,
    instr: &'a Instr,
}

impl Elements<'_> {
    fn of(body: &[Stmt]) -> Option<Elements<'_>> {
        let (last, before) = body.split_last()?;
        let (stored, to, instr) = access(last, Instruction::writes_scalar)?;
        let mut found = Elements {
            read: None,
            computed: None,
            stored,
            to,
            instr,
        };
        let (read, computed) = match before {
            [] => return Some(found),
            [read] => (read, None),
            [read, computed] => (read, Some(computed)),
            _ => return None,
        };
        let (variable, from, _) = access(read, Instruction::reads_scalar)?;
        found.read = Some((variable, from));
        if let Some(computed) = computed {
            let StmtKind::Assign { variable, value } = computed.kind else {
                return None;
            };
            found.computed = Some((variable, value));
        }
        Some(found)
    }
}

fn access(
    stmt: &Stmt,
    is_meant: fn(&Instruction) -> bool,
) -> Option<(VariableId, &LocalView, &Instr)> {
    let StmtKind::Instr(instr) = &stmt.kind else {
        return None;
    };
    let view = instr.local(param!(GetValueFrom | SetValueTo.view))?;
    is_meant(instr.row()).then_some((instr.variable()?, view, instr))
}

fn vectorise(scalars: &mut Scalars, kind: &mut StmtKind, barriers: [StmtId; 2]) -> Option<Opcode> {
    let (variable, count, body) = once(scalars, kind)?;
    let elements = Elements::of(body)?;
    let to = row(scalars, elements.to, variable, count)?;
    let from = match elements.read {
        Some((_, view)) => Some(row(scalars, view, variable, count)?),
        None => None,
    };
    let instr = one_instruction(scalars, &elements, to, from, count)?;
    let opcode = instr.opcode;
    let [before, after] = barriers.map(|id| {
        let barrier = instruction(scalars, Opcode::BarAll, elements.instr, Vec::new());
        (id, barrier)
    });
    let last = body.pop()?;
    let stmt = |(id, instr)| Stmt {
        id,
        kind: StmtKind::Instr(instr),
        ..last.clone()
    };
    *body = [before, (last.id, instr), after].map(stmt).into();
    Some(opcode)
}

/// Returns the row of elements that a view of one element passes over.
fn row(
    scalars: &Scalars,
    view: &LocalView,
    counter: VariableId,
    count: ScalarId,
) -> Option<LocalView> {
    let [of_row, of_column] = view.offset.map(|offset| scalars.mentions(offset, counter));
    let goes_on = of_column && !of_row;
    let is_one = view.span.iter().all(|&span| is_one(scalars, span, counter));
    (goes_on && is_one).then(|| {
        let mut row = view.clone();
        (row.span[1], row.static_span[1]) = (count, false);
        row
    })
}

fn one_instruction(
    scalars: &mut Scalars,
    elements: &Elements,
    to: LocalView,
    from: Option<LocalView>,
    count: ScalarId,
) -> Option<Instr> {
    let stored = scalars.intern(Scalar::Variable(elements.stored));
    let Some(from) = from else {
        let given = [("dst", view(to)), ("value", ArgValue::Scalar(stored))];
        return Some(counted(scalars, Opcode::Dup, elements, given.into(), count));
    };
    let (read, _) = elements.read?;
    let Some((computed, value)) = elements.computed else {
        (elements.stored == read).then_some(())?;
        let bytes = to.dtype.bytes_of(scalars.as_int(count)?);
        (bytes % BLOCK_BYTES == 0).then_some(())?;
        let given = [("dst", view(to)), ("src", view(from))].into();
        return Some(instruction(scalars, Opcode::UbToUb, elements.instr, given));
    };
    (elements.stored == computed).then_some(())?;
    let (opcode, number) = with_number(scalars, value, read)?;
    let given = [
        ("dst", view(to)),
        ("src", view(from)),
        ("val", ArgValue::Scalar(number)),
    ];
    Some(counted(scalars, opcode, elements, given.into(), count))
}

fn view(view: LocalView) -> ArgValue {
    ArgValue::View(Box::new(View::Local(view)))
}

/// Creates a vector instruction on `count` contiguous elements.
fn counted(
    scalars: &mut Scalars,
    opcode: Opcode,
    elements: &Elements,
    mut given: Vec<(&'static str, ArgValue)>,
    count: ScalarId,
) -> Instr {
    let names = [
        "dst_blk_stride",
        "src_blk_stride",
        "dst_rep_stride",
        "src_rep_stride",
    ];
    let strides = names
        .into_iter()
        .filter(|name| opcode.row().index_named(name).is_some());
    for name in strides {
        let stride = if name.contains("_blk_") {
            1
        } else {
            BLOCKS_PER_REPEAT
        };
        given.push((name, ArgValue::Scalar(scalars.int(stride))));
    }
    given.push(("count", ArgValue::Scalar(count)));
    instruction(scalars, opcode, elements.instr, given)
}

/// Returns the vector instruction for an operation on a variable, with the other operand.
fn with_number(
    scalars: &Scalars,
    value: ScalarId,
    variable: VariableId,
) -> Option<(Opcode, ScalarId)> {
    let Scalar::Binary(op, a, b) = scalars.get(value) else {
        return None;
    };
    let opcode = match op {
        BinaryOp::Add => Opcode::Adds,
        BinaryOp::Mul => Opcode::Muls,
        BinaryOp::Min => Opcode::Vmins,
        BinaryOp::Max => Opcode::Vmaxs,
        _ => return None,
    };
    let is_read = |id: ScalarId| scalars.get(id) == Scalar::Variable(variable);
    let number = match (is_read(a), is_read(b)) {
        (true, false) => b,
        (false, true) => a,
        _ => return None,
    };
    (!scalars.mentions(number, variable)).then_some((opcode, number))
}

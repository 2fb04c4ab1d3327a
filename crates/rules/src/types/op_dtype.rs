use crate::declare_rule;
use crate::types::operands::{Typed, control_place, only_control_is_wrong, typed};
use crate::wording::{alternatives, operand_text, type_name};
use crate::{Facts, Sink};
use a2lint_analysis::{TypeFault, type_fault};
use a2lint_ir::finding::Severity;
use a2lint_ir::{Instr, Notation, Stmt, View};
use a2lint_isa::{Class, DType, Opcode, Operator, Signature, TypeRule};

declare_rule! {
    /// ## What it does
    /// Reports operands of a vector instruction whose element types it does not take, or that
    /// differ where it wants one type.
    ///
    /// ## Why is this bad?
    /// There is no such instruction: A2 has no arithmetic on bfloat16 or on 8-bit integers, and its
    /// exponential, division, roots and sums work on half and float.
    ///
    /// ## Example
    /// ```python
    /// exp(weights, scores)           # both bfloat16
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// cast(wide, scores)             # wide is float
    /// exp(wide, wide)
    /// cast(weights, wide)
    /// ```
    ///
    /// ## Severity
    /// A warning for the comparisons and bitwise operations of AscendC, whose release builds compute on the bits of any
    /// type; debug builds refuse them.
    ///
    /// ## Source
    /// Element types of the AscendC vector instructions on Atlas A2. Measured in Ascriptor: a kernel that reads a
    /// bfloat16 element as a number does not compile; in easyasc a warning.
    "TYP003" "op-dtype" Error, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        let fault = type_fault(facts.program, instr) == Some(TypeFault::Operands);
        if fault && instr.row().is_vector() && instr.row().class != Class::Fill {
            report(facts, stmt, instr, sink);
        }
        if let Some(element) = bfloat16_number(facts, instr) {
            let message = format!(
                "`{element}` is bfloat16, which has no conversion to a scalar on the device"
            );
            // Only a toolchain that compiles kernels from their syntax tree was measured, hence a warning.
            sink.report_from(stmt.origin, stmt.span, message)
                .severity(Severity::Warning)
                .help("load the row and cast it to float, and read the number from there");
        }
    }
}

/// Returns the text of the bfloat16 element that an instruction of a Python kernel reads into a variable, if it reads
/// one.
fn bfloat16_number(facts: &Facts, instr: &Instr) -> Option<String> {
    if facts.program.toolchain.notation != Notation::Python || !instr.row().reads_scalar() {
        return None;
    }
    let is_bfloat16 = |view: &View| match view {
        View::Local(view) => view.dtype == DType::BFloat16,
        View::Global(view) => {
            let mut launches = facts.replay.in_sight();
            launches.any(|bound| bound.globals[view.global.index()].dtype == DType::BFloat16)
        }
    };
    let mut operands = instr.operands();
    let (_, _, view) = operands.find(|(_, _, view)| is_bfloat16(view))?;
    Some(operand_text(facts, view))
}

fn report(facts: &Facts, stmt: &Stmt, instr: &Instr, sink: &mut Sink) {
    let operands = typed(facts, instr);
    // `mask-dtype` reports packed masks.
    if only_control_is_wrong(facts.program.signature(instr.opcode), &operands) {
        return;
    }
    let message = format!(
        "{}; {}",
        takes(facts.program.signature(instr.opcode)),
        actual(&operands)
    );
    let mut report = sink.report_from(stmt.origin, stmt.span, message);
    if facts.program.toolchain.notation == Notation::Cpp && works_on_bits(instr) {
        // Debug builds refuse the types; others compute on the bits, whatever the types are.
        report = report.severity(Severity::Warning);
    }
    let odd = odd_one(facts.program.signature(instr.opcode).types, &operands);
    if let Some(odd) = odd {
        report = report.label(odd.declared, format!("{} here", odd.dtype));
    }
    if let Some(help) = odd.and_then(|odd| advice(facts, instr, odd, &operands)) {
        report.help(help);
    }
}

/// Returns whether an instruction reads or writes bits, which have the same places in elements of any type.
fn works_on_bits(instr: &Instr) -> bool {
    let row = instr.row();
    let is_bitwise = matches!(
        row.operator(),
        Some(Operator::And | Operator::Or | Operator::Not)
    );
    is_bitwise || row.class == Class::Compare
}

/// Returns the types that the rule allows for an operand, over all of its rows.
fn column(rule: TypeRule, place: usize) -> Vec<DType> {
    let mut types = Vec::new();
    let all: Vec<&[DType]> = match rule {
        TypeRule::Same(legal) => vec![legal],
        TypeRule::Rows(rows) => rows
            .iter()
            .filter_map(|row| row.get(place..=place))
            .collect(),
        TypeRule::Any | TypeRule::Equal | TypeRule::Cast => Vec::new(),
    };
    for &dtype in all.into_iter().flatten() {
        if !types.contains(&dtype) {
            types.push(dtype);
        }
    }
    types
}

/// Formats what an instruction takes: `exp() takes operands of one type (half or float)`.
fn takes(signature: &Signature) -> String {
    let (row, types) = (signature.row, signature.types);
    let name = signature.name;
    match types {
        TypeRule::Rows(_) if control_place(row).is_some() => {
            let data = column(types, usize::from(control_place(row) == Some(0)));
            let names: Vec<&str> = data.into_iter().map(DType::name).collect();
            format!(
                "{name}() takes data of one type ({}) and a packed mask",
                alternatives(&names)
            )
        }
        TypeRule::Rows(rows) => {
            let rows: Vec<String> = rows
                .iter()
                .map(|row| {
                    let names: Vec<&str> = row.iter().map(|dtype| dtype.name()).collect();
                    format!("({})", names.join(", "))
                })
                .collect();
            let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
            format!("{name}() takes {}", alternatives(&rows))
        }
        _ => {
            let names: Vec<&str> = column(types, 0).into_iter().map(DType::name).collect();
            format!(
                "{name}() takes operands of one type ({})",
                alternatives(&names)
            )
        }
    }
}

/// Formats the actual types: "`a` is half, `b` is float".
fn actual(operands: &[Typed]) -> String {
    let mut named: Vec<String> = Vec::new();
    for operand in operands {
        let item = format!("`{}` is {}", operand.text, operand.dtype);
        if !named.contains(&item) {
            named.push(item);
        }
    }
    named.join(", ")
}

/// Returns the operand to blame: one of an illegal type, else the first that differs from the destination.
fn odd_one(types: TypeRule, operands: &[Typed]) -> Option<&Typed> {
    let illegal = operands
        .iter()
        .enumerate()
        .find(|(place, operand)| !column(types, *place).contains(&operand.dtype));
    illegal.map(|(_, operand)| operand).or_else(|| {
        operands
            .iter()
            .find(|operand| operand.dtype != operands[0].dtype)
    })
}

fn advice(facts: &Facts, instr: &Instr, odd: &Typed, operands: &[Typed]) -> Option<String> {
    let (row, name) = (instr.row(), facts.program.call_name(instr));
    let legal = column(facts.program.signature(instr.opcode).types, 0);
    let (text, dtype) = (&odd.text, odd.dtype);
    let cast = facts.program.name_of(Opcode::Cast);
    let bitwise = !legal.iter().any(|dtype| dtype.is_float());
    if legal.contains(&dtype) && row.class != Class::Gather && row.class != Class::Sort {
        let first = operands.first()?.dtype;
        return Some(format!(
            "{cast}() `{text}` to {first} first, or the others to {dtype}"
        ));
    }
    Some(match dtype {
        _ if matches!(row.class, Class::Gather | Class::Sort) => {
            format!(
                "offsets and indices are {}: use a view \
             `{text}.reinterpret(...)` of that type where the bits agree",
                DType::UInt32
            )
        }
        _ if bitwise => format!(
            "work on the bits: `{text}.reinterpret({})`, likewise for the other operands",
            type_name(
                facts,
                if legal.contains(&DType::Int) && dtype.bits() == 32 {
                    DType::Int
                } else {
                    DType::Int16
                }
            )
        ),
        DType::BFloat16 => format!(
            "A2 has no arithmetic on bfloat16: {cast}() `{text}` to a float tensor, \
         call {name}() on that, and {cast}() the result back"
        ),
        DType::Int8 | DType::UInt8 | DType::Int4 => {
            format!("{cast}() `{text}` to a half tensor first, and call {name}() on that")
        }
        DType::Int | DType::Int16 | DType::Int64 => {
            format!("{cast}() `{text}` to a float tensor first, and call {name}() on that")
        }
        DType::UInt16 | DType::UInt32 if legal.contains(&DType::Int) => format!(
            "values that fit the signed type may use `{text}.reinterpret(DT.{})`",
            if dtype == DType::UInt32 {
                DType::Int
            } else {
                DType::Int16
            }
        ),
        _ => return None,
    })
}

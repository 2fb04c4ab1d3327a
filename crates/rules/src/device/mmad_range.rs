use crate::declare_rule;
use crate::wording::{call, view_text};
use crate::{Facts, Sink};
use a2lint_ir::finding::Severity;
use a2lint_ir::{Instr, Stmt};
use a2lint_isa::SRC;

declare_rule! {
    /// ## What it does
    /// Reports products with an extent above 4095, and warns about 2-byte products that load their operands from L1 and
    /// whose k is below one block (16 elements).
    ///
    /// For `matmul`, the extents of one step have to be in range: `splitn` and `splitk` make n and k
    /// smaller, and the last step takes the rest.
    ///
    /// ## Why is this bad?
    /// The fields for m, n and k have 12 bits. A k below a block also multiplies the data after the valid
    /// columns: a block of 16 half elements is read in any case.
    ///
    /// ## Example
    /// ```python
    /// matmul(acc, l1_p, l1_v, m=128, n=128, k=8)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// matmul(acc, l1_p, l1_v, m=128, n=128, k=16)     # columns 8..16 of both operands are zero
    /// ```
    ///
    /// ## Source
    /// Operand ranges of the AscendC `Mmad` instruction; the public catalogue of DSL kernels on
    /// products with a tiny k.
    "DEV012" "mmad-range" Error, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        let row = instr.row();
        let names = match row.stages_operands() {
            true => ["m", "n", "k"],
            false if row.is_product() => ["M", "N", "K"],
            false => continue,
        };
        for name in names {
            extent(facts, stmt, instr, name, sink);
        }
        // A product of operands in L0 ignores what lies after its k (manual of `Mmad`).
        if row.stages_operands() {
            tiny_k(facts, stmt, instr, names[2], sink);
        }
    }
}

/// Sizes of the steps that an extent is split into.
struct Steps {
    size: i64,
    last: i64,
}

fn steps(facts: &Facts, instr: &Instr, name: &str) -> Option<Steps> {
    let number = |name: &str| facts.program.scalars.as_int(instr.scalar_named(name)?);
    let extent = number(name)?;
    let whole = Steps {
        size: extent,
        last: extent,
    };
    let split = format!("split{name}");
    if instr.scalar_named(&split).is_none() {
        return Some(whole);
    }
    let step = number(&split).filter(|&step| step > 0)?;
    Some(match extent > step {
        true => Steps {
            size: step,
            last: (extent - 1) % step + 1,
        },
        false => whole,
    })
}

fn extent(facts: &Facts, stmt: &Stmt, instr: &Instr, name: &str, sink: &mut Sink) {
    let Some(Steps { size, .. }) = steps(facts, instr, name) else {
        return;
    };
    let most = facts.program.device.limits.product_extent;
    if size <= most {
        return;
    }
    let given = instr.named(name).and_then(|arg| arg.span());
    let message = format!(
        "{} with {name}={size}; the field ends at {most}",
        call(facts, instr)
    );
    let help = match (instr.row().stages_operands(), name) {
        (true, "n" | "k") => format!("cut it into steps with `split{name}=`"),
        _ => "loop over smaller products".to_owned(),
    };
    sink.report_from(stmt.origin, given.unwrap_or(stmt.span), message)
        .help(help);
}

fn tiny_k(facts: &Facts, stmt: &Stmt, instr: &Instr, name: &str, sink: &mut Sink) {
    let (Some(a), Some(Steps { size, last })) = (instr.local(SRC), steps(facts, instr, name))
    else {
        return;
    };
    let c0 = a.dtype.c0();
    if a.dtype.bits() != 16 || last < 1 || last >= c0 {
        return;
    }
    let which = match last == size {
        true => format!("{} has", call(facts, instr)),
        false => format!("the last step of {} has", call(facts, instr)),
    };
    let text = view_text(facts, a);
    let message = format!("{which} {name}={last}: `{text}` is read in blocks of {c0} elements");
    let given = instr.named(name).and_then(|arg| arg.span());
    sink.report_from(stmt.origin, given.unwrap_or(stmt.span), message)
        .severity(Severity::Warning)
        .help(format!(
            "clear the columns up to the next multiple of {c0} in both operands and multiply those too"
        ));
}

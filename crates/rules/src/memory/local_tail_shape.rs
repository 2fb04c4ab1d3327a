use crate::declare_rule;
use crate::{Facts, Sink};
use a2lint_analysis::Definitions;
use a2lint_ir::{BinaryOp, Buffer, Scalar, ScalarId};

declare_rule! {
    /// ## What it does
    /// Reports local tensors that are sized by a tail length such as `Min(TILE, M - m0)`.
    ///
    /// ## Why is this bad?
    /// The size of on-chip memory is decided when the kernel is compiled. Rows that depend on a launch also
    /// lose what is inferred from constant shapes: strides, repeats, addresses of later buffers. Use tail
    /// lengths in the moves from and to GM instead.
    ///
    /// ## Example
    /// ```python
    /// valid_m = Min(64, M - m0)
    /// ub = Tensor(DT.float, [valid_m, 128], Position.UB)
    /// ub <<= x[m0:m0 + valid_m, 0:128]
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// ub = Tensor(DT.float, [64, 128], Position.UB)      # at the top of the kernel
    /// ub[0:valid_m, 0:128] <<= x[m0:m0 + valid_m, 0:128]
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on tail handling: local tensors keep the full tile.
    "CAP010" "local-tail-shape" Warning, basis = Shape
}

fn check(facts: &Facts, sink: &mut Sink) {
    let buffers = &facts.program.buffers;
    if buffers
        .iter()
        .all(|buffer| buffer.static_shape == [true; 2])
    {
        return;
    }
    let definitions = Definitions::of(facts.program);
    for buffer in buffers {
        let tails = buffer.shape.map(|extent| tail(facts, &definitions, extent));
        let Some(axis) = tails.iter().position(Option::is_some) else {
            continue;
        };
        let bound = tails[axis].unwrap_or_default();
        sink.report(buffer.span, message(facts, buffer, axis))
            .help(format!(
                "allocate {bound} {} at the top of the kernel, and clip the views in the moves from and to GM",
                ["rows", "columns"][axis]
            ));
    }
}

fn message(facts: &Facts, buffer: &Buffer, axis: usize) -> String {
    format!(
        "`{}` is sized by a tail: it has {} {}, which only a launch decides",
        buffer.label(),
        facts.names.text(buffer.shape[axis]),
        ["rows", "columns"][axis]
    )
}

/// Returns the constant that a minimum clips an extent to.
fn tail(facts: &Facts, definitions: &Definitions, extent: ScalarId) -> Option<i64> {
    let scalars = &facts.program.scalars;
    let Scalar::Binary(BinaryOp::Min, a, b) = definitions.resolve(extent) else {
        return None;
    };
    match (scalars.as_int(a), scalars.as_int(b)) {
        (Some(bound), None) | (None, Some(bound)) => Some(bound),
        _ => None,
    }
}

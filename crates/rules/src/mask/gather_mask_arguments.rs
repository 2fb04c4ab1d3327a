use crate::declare_rule;
use crate::{Facts, Sink};
use a2lint_ir::finding::Severity;
use a2lint_ir::{GatherFault, NoteKind};

declare_rule! {
    /// ## What it does
    /// Reports arguments of AscendC's `GatherMask` that have no meaning: a fixed pattern outside of 1 to
    /// 7, a mask in Normal mode, a mask of 0 elements in Counter mode, `reduceMode` and `mask` in the
    /// wrong order. Strides that have no effect, and repeats with a fixed pattern that read elements
    /// again, are warnings.
    ///
    /// ## Why is this bad?
    /// All of them are numbers, so the compiler takes them. In Normal mode every repeat takes 256 bytes,
    /// whatever the mask says, and a pattern that does not exist keeps what the device happens to do.
    ///
    /// ## Example
    /// ```cpp
    /// GatherMask(dst, src, 1, false, 70, {1, 2, 8, 0}, kept);   // the mask is ignored
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// GatherMask(dst, src, 1, true, 70, {1, 1, 8, 0}, kept);    // 70 elements
    /// ```
    ///
    /// ## Source
    /// AscendC reference of `GatherMask`.
    "MSK013" "gather-mask-arguments" Error, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    for note in &facts.program.notes {
        if let NoteKind::GatherMask(fault) = &note.kind {
            let (message, help) = explain(fault);
            let mut report = sink.report_from(note.origin, note.span, message);
            if is_legal(fault) {
                report = report.severity(Severity::Warning);
            }
            report.in_cpp(help);
        }
    }
}

/// Returns whether the call is well-defined, but has an argument that is probably a mistake.
fn is_legal(fault: &GatherFault) -> bool {
    matches!(
        fault,
        GatherFault::IgnoredStride(_)
            | GatherFault::PatternGap { .. }
            | GatherFault::ReadTwice { .. }
    )
}

fn explain(fault: &GatherFault) -> (String, &'static str) {
    match fault {
        GatherFault::Pattern(number) => (
            format!("the fixed patterns of `GatherMask` are 1 to 7, not {number}"),
            "take one of them, or a tensor of bits",
        ),
        GatherFault::Swapped => (
            "`mask` of `GatherMask` is a `bool`: it and `reduceMode` are swapped".to_owned(),
            "write `reduceMode` first: `true` for Counter mode, then the number of elements",
        ),
        GatherFault::NoElements => (
            "`GatherMask` in Counter mode takes 0 elements".to_owned(),
            "give the number of elements of a repeat as `mask`",
        ),
        GatherFault::IgnoredMask { mask, lanes } => (
            format!(
                "`GatherMask` ignores the mask {mask} in Normal mode: each repeat takes {lanes} elements"
            ),
            "let `reduceMode` be `true` to count elements, or let the mask be 0",
        ),
        GatherFault::IgnoredStride(stride) => (
            format!(
                "src1RepeatStride {stride} does nothing: a fixed pattern is the same in every repeat"
            ),
            "write 0",
        ),
        GatherFault::PatternGap { taken, stride } => (
            format!(
                "each repeat of `GatherMask` takes {taken} bytes of the pattern, and the next starts {stride} bytes on"
            ),
            "set src1RepeatStride to 1 for a block of bits for each repeat, to 0 for the same bits in all",
        ),
        GatherFault::ReadTwice {
            repeats,
            stride,
            lanes,
        } => (
            format!(
                "{repeats} repeats of `GatherMask` start {stride} elements apart and take {lanes} each: {} of them \
                 are read again",
                lanes - stride
            ),
            "set src0RepeatStride to 8, the blocks of a repeat",
        ),
    }
}

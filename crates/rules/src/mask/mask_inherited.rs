use crate::declare_rule;
use crate::mask::lane_notes::called_at;
use crate::{Facts, Sink};
use a2lint_ir::NoteKind;

declare_rule! {
    /// ## What it does
    /// Reports vector calls of AscendC that take the mask as it is, in a kernel that has not set it: no `TPipe`, no
    /// `InitSocState()`, no `SetVectorMask` before them.
    ///
    /// ## Why is this bad?
    /// The mask is a register of the core, and a kernel finds it as the kernel before has left it. Lanes that are
    /// off there are not computed here, so that results depend on what ran before. Kernels with tensors by address
    /// (static-tensor programming, generated code) construct no `TPipe`, which would reset it.
    ///
    /// ## Example
    /// ```cpp
    /// LocalTensor<float> x(TPosition::VECIN, 0, 1024);
    /// Muls<float, false>(x, x, 2.0f, MASK_PLACEHOLDER, 16, {1, 1, 8, 8});
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// InitSocState();
    /// LocalTensor<float> x(TPosition::VECIN, 0, 1024);
    /// Muls<float, false>(x, x, 2.0f, MASK_PLACEHOLDER, 16, {1, 1, 8, 8});
    /// ```
    ///
    /// ## Source
    /// Measured on a board: results that depend on the kernel before (PTOAS, issue 117, mended by pull request 119).
    /// Stated by the AscendC manual: kernels with tensors by address call `InitSocState` at entry.
    "MSK014" "mask-inherited" Error, basis = AnyLaunch, evidence = Measured, property = Initialised
}

fn check(facts: &Facts, sink: &mut Sink) {
    let program = facts.program;
    // Code that was not read may set the mask.
    if !program.unknown.is_empty() {
        return;
    }
    let is_inherited = |note: &&a2lint_ir::Note| note.kind == NoteKind::MaskInherited;
    for note in program.notes.iter().filter(is_inherited) {
        let what = called_at(facts, note.span);
        let message = format!("{what} runs under the mask that the kernel before has left");
        sink.report_from(note.origin, note.span, message)
            .label(
                program.name_span,
                "nothing in the kernel sets the mask before it",
            )
            .help("call `InitSocState()` first, or `SetMaskNorm()` and `SetVectorMask`");
    }
}

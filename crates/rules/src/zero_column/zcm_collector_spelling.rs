use crate::declare_rule;
use crate::{MmaFacts, Sink};
use a2lint_ir::finding::Edit;
use a2lint_ir::mma::{Mma, Modifier};

declare_rule! {
    /// ## What it does
    /// Reports a collector modifier that is misspelt: one colon for two, a buffer or an operation that
    /// does not exist.
    ///
    /// ## Why is this bad?
    /// The assembler takes `.collector::b0` to `.collector::b3` (`a` without `.ws`) with `fill`, `use`,
    /// `lastuse` or `discard`, each after two colons. An example in the manual itself has only one colon.
    ///
    /// ## Example
    /// ```ptx
    /// tcgen05.mma.ws.cta_group::1.kind::i8.collector::b2:use [%r1], [%r3], %rd2, %r2, %p1, %rd3;
    /// ```
    ///
    /// ## Use instead
    /// ```ptx
    /// tcgen05.mma.ws.cta_group::1.kind::i8.collector::b2::use [%r1], [%r3], %rd2, %r2, %p1, %rd3;
    /// ```
    ///
    /// ## Fix safety
    /// The fix doubles a colon; no other reading of the modifier exists.
    ///
    /// ## Source
    /// PTX ISA, `tcgen05.mma.ws`: collector buffers.
    "ZCM008" "zcm-collector-spelling" Error, basis = Constants, fix = Safe, scope = Mma
}

/// The operations on a collector buffer.
const OPERATIONS: [&str; 4] = ["fill", "use", "lastuse", "discard"];

fn check(facts: &MmaFacts, sink: &mut Sink) {
    for mma in facts.kernel.mmas() {
        for modifier in &mma.instruction.modifiers {
            if modifier.family() == "collector" {
                judge(mma, modifier, sink);
            }
        }
    }
}

fn judge(mma: Mma, modifier: &Modifier, sink: &mut Sink) {
    let parts: Vec<&str> = modifier
        .text
        .split(':')
        .filter(|part| !part.is_empty())
        .collect();
    let spelt = parts.join("::");
    if spelt != modifier.text {
        let message = format!("`.{}` has one colon where two belong", modifier.text);
        let edit = Edit {
            span: modifier.span,
            text: format!(".{spelt}"),
        };
        sink.report(modifier.span, message)
            .help(format!("write `.{spelt}`"))
            .fix("write two colons", true, vec![edit]);
        return;
    }
    let buffers = match mma.weight_stationary {
        true => "b0, b1, b2 and b3",
        false => "a",
    };
    // `zcm-modifier` reports buffers of the other form.
    let known = |buffer: &str| matches!(buffer, "a" | "b0" | "b1" | "b2" | "b3");
    match parts.as_slice() {
        [_, buffer, _] if !known(buffer) => {
            let message = format!("there is no collector buffer `{buffer}`");
            let help = format!("the buffers are {buffers}");
            sink.report(modifier.span, message).help(help);
        }
        [_, _, operation] if !OPERATIONS.contains(operation) => {
            let message = format!("a collector buffer knows no `{operation}`");
            let help = format!("it knows {}", OPERATIONS.join(", "));
            sink.report(modifier.span, message).help(help);
        }
        [_, _, _] => {}
        _ => {
            let message = format!(
                "`.{}` does not name a buffer and an operation",
                modifier.text
            );
            let help = format!("write `.collector::BUFFER::OPERATION`; the buffers are {buffers}");
            sink.report(modifier.span, message).help(help);
        }
    }
}

use crate::declare_rule;
use crate::{MmaFacts, Sink};
use a2lint_ir::mma::{Class, Mma, Modifier, Operand};
use a2lint_isa::masks::mma_form::{Form, KINDS, Kind, Slot, rank};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports a `tcgen05.mma` that has none of the forms of the manual: a modifier that is missing, unknown,
    /// doubled or out of order, a kind or scale vector that does not go with the rest, an operand that is
    /// missing, too many or of another class than its position takes, a register that nothing declares.
    ///
    /// ## Why is this bad?
    /// The assembler refuses the module; where it is built at run time, the program fails on the user's
    /// machine. Mistakes about the mask itself have rules of their own.
    ///
    /// ## Example
    /// ```ptx
    /// tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, 0, %p1;
    /// ```
    ///
    /// ## Use instead
    /// ```ptx
    /// tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %rd3;
    /// ```
    ///
    /// ## Source
    /// PTX, syntax of tcgen05.mma and tcgen05.mma.ws.
    "ZCM020" "zcm-form" Error, basis = Constants, scope = Mma
}

fn check(facts: &MmaFacts, sink: &mut Sink) {
    // One mistake makes others look wrong, so only the first of each instruction is reported.
    for mma in facts.kernel.mmas().filter(|mma| mma.instruction.complete) {
        if let Some(wrong) = modifiers(mma).or_else(|| operands(mma)) {
            sink.report(wrong.span, wrong.message).help(wrong.help);
        }
    }
}

/// A mistake in the form of an instruction.
struct Wrong {
    span: Span,
    message: String,
    help: String,
}

fn wrong(span: Span, message: impl Into<String>, help: impl Into<String>) -> Option<Wrong> {
    Some(Wrong {
        span,
        message: message.into(),
        help: help.into(),
    })
}

/// Returns the first modifier that does not fit, except for mistakes that another rule reports.
fn modifiers(mma: Mma) -> Option<Wrong> {
    let all = &mma.instruction.modifiers;
    let name = mma.instruction.name_span;
    let mut last: Option<(usize, &Modifier)> = None;
    for modifier in all {
        let Some(rank) = rank(modifier.family()) else {
            let message = format!("`tcgen05.mma` has no modifier `.{}`", modifier.text);
            return wrong(
                modifier.span,
                message,
                "see the syntax of the instruction in the PTX manual",
            );
        };
        match last {
            Some((before, other)) if before == rank => {
                let message = format!(
                    "`.{}` after `.{}`: one of them is too many",
                    modifier.text, other.text
                );
                return wrong(modifier.span, message, "drop one");
            }
            Some((before, other)) if before > rank => {
                let message = format!("`.{}` comes before `.{}`", modifier.text, other.text);
                return wrong(modifier.span, message, "the order of modifiers is fixed");
            }
            _ => last = Some((rank, modifier)),
        }
    }
    let Some(group) = mma.instruction.family("cta_group") else {
        return wrong(
            name,
            "`.cta_group` is missing",
            "write `.cta_group::1`, or `::2` for a pair of CTAs",
        );
    };
    if !mma.weight_stationary && !matches!(group.text.as_str(), "cta_group::1" | "cta_group::2") {
        let message = format!("there is no `.{}`", group.text);
        return wrong(
            group.span,
            message,
            "write `.cta_group::1`, or `::2` for a pair of CTAs",
        );
    }
    let Some(written) = mma.instruction.family("kind") else {
        return wrong(
            name,
            "`.kind` is missing",
            format!("the kinds are {}", kinds(mma)),
        );
    };
    let kind = written
        .text
        .strip_prefix("kind::")
        .and_then(Kind::from_name);
    let Some(kind) = kind.filter(|kind| kind.weight_stationary || !mma.weight_stationary) else {
        let form = if mma.weight_stationary {
            "`.ws` has"
        } else {
            "there is"
        };
        let message = format!("{form} no `.{}`", written.text);
        return wrong(
            written.span,
            message,
            format!("the kinds are {}", kinds(mma)),
        );
    };
    // `zcm-modifier` reports modifiers that `.ws` does not have.
    match mma.weight_stationary {
        true => None,
        false => scaling(mma, kind, written.span).or_else(|| collector(mma)),
    }
}

fn scaling(mma: Mma, kind: Kind, place: Span) -> Option<Wrong> {
    let scale = mma.instruction.family("block_scale");
    let families = ["scale_vec", "block16", "block32"];
    let vector = families
        .iter()
        .find_map(|family| mma.instruction.family(family));
    match (scale, vector) {
        (Some(scale), _) if !kind.is_scaled() => {
            let message = format!(
                "`.block_scale` with `.kind::{}`, which is not scaled by blocks",
                kind.name
            );
            wrong(
                scale.span,
                message,
                "the kinds that are scaled by blocks start with mx",
            )
        }
        (None, _) if kind.is_scaled() => {
            let message = format!(
                "`.kind::{}` is scaled by blocks, and `.block_scale` is missing",
                kind.name
            );
            wrong(
                place,
                message,
                "write `.block_scale` after the kind, and give the scale factors",
            )
        }
        (None, Some(vector)) => {
            let message = format!("`.{}` without `.block_scale`", vector.text);
            wrong(vector.span, message, "drop it: nothing is scaled here")
        }
        (Some(_), Some(vector)) if !kind.scale_vectors.contains(&vector.text.as_str()) => {
            let message = format!("`.kind::{}` has no `.{}`", kind.name, vector.text);
            wrong(
                vector.span,
                message,
                format!("it has .{}", kind.scale_vectors.join(", .")),
            )
        }
        (Some(scale), None) if kind.needs_vector => {
            let message = format!("`.kind::{}` needs the size of its scale vectors", kind.name);
            wrong(
                scale.span,
                message,
                format!("write .{}", kind.scale_vectors.join(", .")),
            )
        }
        _ => None,
    }
}

/// Returns a wrong collector buffer of A, or a wrong row shift of the plain form.
fn collector(mma: Mma) -> Option<Wrong> {
    let buffer = mma.instruction.family("collector");
    if let Some(buffer) = buffer.filter(|buffer| buffer.text.starts_with("collector::b")) {
        let message = format!(
            "`.{}` belongs to `.ws`: the plain form keeps A",
            buffer.text
        );
        return wrong(buffer.span, message, "write `.collector::a::…`");
    }
    let shift = mma.instruction.modifier("ashift")?;
    let operation = buffer.map_or("", |buffer| buffer.last());
    if mma.instruction.family("block_scale").is_some() {
        return wrong(
            shift.span,
            "`.ashift` with `.block_scale`",
            "only kinds that are not scaled are shifted",
        );
    }
    if matches!(operation, "fill" | "use") {
        let message = format!("`.ashift` with `.collector::a::{operation}`");
        return wrong(
            shift.span,
            message,
            "a shifted A is only dropped or used for the last time",
        );
    }
    match mma.instruction.operands.get(1).map(|a| a.class) {
        Some(Class::Register(_)) => {
            let message =
                "`.ashift` shifts the rows of A in tensor memory, and A is a descriptor here";
            wrong(
                shift.span,
                message,
                "drop `.ashift`, or take A from tensor memory: `[a]`",
            )
        }
        _ => None,
    }
}

fn kinds(mma: Mma) -> String {
    let kinds = KINDS
        .iter()
        .filter(|kind| kind.weight_stationary || !mma.weight_stationary);
    let names: Vec<&str> = kinds.map(|kind| kind.name).collect();
    names.join(", ")
}

/// Returns the first operand that does not fit.
fn operands(mma: Mma) -> Option<Wrong> {
    let given = &mma.instruction.operands;
    if let Some((name, operand)) = given
        .iter()
        .find_map(|op| Some((op.undeclared.as_ref()?, op)))
    {
        let message = format!("nothing declares `{name}`");
        return wrong(
            operand.span,
            message,
            "declare it with `.reg`, or name one that is there",
        );
    }
    if is_told_elsewhere(mma) {
        return None;
    }
    let kind = mma
        .instruction
        .family("kind")?
        .text
        .strip_prefix("kind::")
        .and_then(Kind::from_name)?;
    let form = Form {
        weight_stationary: mma.weight_stationary,
        sparse: mma.sparse,
        pair: mma.instruction.modifier("cta_group::2").is_some(),
        kind,
    };
    let mut rest = given.iter().peekable();
    for slot in form.slots() {
        let Some(operand) = rest.peek() else {
            if slot.is_optional() {
                continue;
            }
            let message = format!("an operand is missing: {}", slot.wants());
            return wrong(
                mma.instruction.span,
                message,
                "operands are fixed in number and order",
            );
        };
        match (slot, misfit(operand, slot)) {
            (_, None) => drop(rest.next()),
            // Lane masks are optional: the operand may belong to the next slot.
            (Slot::Lanes(_), Some(_)) if operand.class != Class::Vector => {}
            (_, Some(what)) => {
                let message = format!("{what} where this belongs: {}", slot.wants());
                return wrong(
                    operand.span,
                    message,
                    "operands are fixed in number and order",
                );
            }
        }
    }
    let extra = rest.next()?;
    wrong(
        extra.span,
        format!("`{}` is one operand too many", extra.written()),
        "drop it",
    )
}

/// Returns whether another rule reports a mistake in the operands of an instruction.
fn is_told_elsewhere(mma: Mma) -> bool {
    let given = &mma.instruction.operands;
    let class = |operand: Option<&Operand>| operand.map(|operand| operand.class);
    let wide = Some(Class::Register(64));
    if mma.weight_stationary {
        let order =
            class(mma.predicate()) == wide && class(mma.mask_operand()) == Some(Class::Predicate);
        let mask = class(mma.predicate()) == Some(Class::Predicate)
            && matches!(
                class(mma.mask_operand()),
                Some(Class::Register(8..=32 | 128) | Class::Address)
            );
        let scaled = mma.instruction.family("block_scale").is_some();
        return order
            || mask
            || scaled
            || given.iter().any(|operand| operand.class == Class::Vector);
    }
    let mut behind = given
        .iter()
        .skip_while(|operand| operand.class != Class::Predicate);
    class(behind.nth(1)) == wide
}

/// Describes an operand that does not fit its position; `None` if it fits.
fn misfit(operand: &Operand, slot: Slot) -> Option<String> {
    let fits = match (slot, operand.class) {
        (_, Class::Unknown) => true,
        (Slot::Address(_), class) => class == Class::Address,
        (Slot::A, class) => matches!(class, Class::Register(64) | Class::Address),
        (Slot::Descriptor(_), class) => class == Class::Register(64),
        (Slot::Instruction, class) => class == Class::Register(32),
        (Slot::Lanes(words), class) => class == Class::Vector && operand.parts == words,
        (Slot::Predicate, class) => class == Class::Predicate,
        (Slot::ScaleInput, Class::Immediate) => {
            operand.bits.as_constant().is_none_or(|value| value <= 15)
        }
        (Slot::ScaleInput, _) => false,
        // Some wrappers pass the constant 0 for "no mask".
        (Slot::ColumnMask, class) => matches!(class, Class::Register(64) | Class::Immediate),
    };
    let what = match operand.class {
        _ if fits => return None,
        Class::Predicate => format!("the predicate `{}`", operand.written()),
        Class::Register(bits) => format!("`{}` of {bits} bits", operand.written()),
        Class::Immediate => "a constant".to_owned(),
        Class::Address => "an address".to_owned(),
        Class::Vector => format!("a vector of {}", operand.parts),
        Class::Unknown => return None,
    };
    Some(what)
}

use crate::declare_rule;
use crate::{MmaFacts, Sink};
use a2lint_ir::mma::{Mma, Modifier};

declare_rule! {
    /// ## What it does
    /// Reports a collector buffer that a kernel uses before it fills it.
    ///
    /// Only kernels that call no function are examined, and in front of a loop or branch only what
    /// certainly runs first.
    ///
    /// ## Why is this bad?
    /// `use` and `lastuse` take B from the buffer instead of shared memory. Without a `fill` the buffer
    /// holds what an earlier instruction left, or nothing.
    ///
    /// ## Example
    /// ```ptx
    /// tcgen05.mma.ws.cta_group::1.kind::f16.collector::b1::use [%r1], %rd1, %rd2, %r2, %p1, %rd3;
    /// ```
    ///
    /// ## Use instead
    /// ```ptx
    /// tcgen05.mma.ws.cta_group::1.kind::f16.collector::b1::fill [%r1], %rd1, %rd2, %r2, %p1, %rd3;
    /// tcgen05.mma.ws.cta_group::1.kind::f16.collector::b1::use [%r1], %rd4, %rd2, %r2, %p1, %rd3;
    /// ```
    ///
    /// ## Source
    /// PTX ISA, `tcgen05.mma.ws`: collector buffers.
    "ZCM009" "zcm-collector-order" Warning, basis = AnyLaunch, scope = Mma
}

fn check(facts: &MmaFacts, sink: &mut Sink) {
    if !facts.kernel.whole {
        return;
    }
    let accesses: Vec<Access> = facts.kernel.mmas().filter_map(Access::of).collect();
    for (at, access) in accesses.iter().enumerate() {
        let same = |other: &&Access| other.buffer == access.buffer;
        let fills = |other: &&Access| other.operation == "fill";
        let is_use = matches!(access.operation, "use" | "lastuse");
        let reported = accesses[..at].iter().any(|other| same(&other));
        let later_fill = accesses[at..].iter().filter(same).find(fills);
        // A loop may run a later fill first, except if the use is in straight-line code.
        let certain = later_fill.is_none() || access.mma.instruction.straight;
        if !is_use || reported || !certain {
            continue;
        }
        let message = format!(
            "collector buffer {} is used here, but nothing has filled it",
            access.buffer
        );
        let help = format!(
            "the first instruction with this B takes `.collector::{}::fill`",
            access.buffer
        );
        let report = sink.report(access.modifier.span, message).help(help);
        if let Some(fill) = later_fill {
            report.label(fill.modifier.span, "filled here, afterwards");
        }
    }
}

/// A use of a collector buffer by an instruction.
struct Access<'a> {
    mma: Mma<'a>,
    modifier: &'a Modifier,
    buffer: &'a str,
    operation: &'a str,
}

impl<'a> Access<'a> {
    fn of(mma: Mma<'a>) -> Option<Self> {
        if !mma.weight_stationary {
            return None;
        }
        let modifier = mma.instruction.family("collector")?;
        let mut parts = modifier
            .text
            .split(':')
            .filter(|part| !part.is_empty())
            .skip(1);
        Some(Access {
            mma,
            modifier,
            buffer: parts.next()?,
            operation: parts.next()?,
        })
    }
}

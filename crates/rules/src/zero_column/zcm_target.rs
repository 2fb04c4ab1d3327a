use crate::declare_rule;
use crate::{MmaFacts, Sink};
use a2lint_ir::mma::Mma;
use a2lint_source::text::{Slice, Span};

declare_rule! {
    /// ## What it does
    /// Reports a module with `tcgen05.mma` whose `.target` or `.version` does not have it.
    ///
    /// ## Why is this bad?
    /// The instruction belongs to PTX 8.6 and to the architecture-specific targets `sm_100a` and `sm_101a`
    /// (`sm_110a` from PTX 9.0), and from PTX 8.8 to their families, which leave `.kind::i8` out. Plain
    /// `sm_100`, and other architectures, do not have it.
    ///
    /// ## Example
    /// ```ptx
    /// .version 8.6
    /// .target sm_100
    /// ```
    ///
    /// ## Use instead
    /// ```ptx
    /// .version 8.6
    /// .target sm_100a
    /// ```
    ///
    /// ## Source
    /// PTX ISA, `tcgen05.mma`: PTX ISA notes and target ISA notes.
    "ZCM011" "zcm-target" Error, basis = Constants, scope = Mma
}

fn check(facts: &MmaFacts, sink: &mut Sink) {
    // A module has one target, so it is reported once, for the first kernel with the instruction.
    let mut kernels = facts.unit.kernels.iter();
    let first = kernels.find_map(|kernel| Some((kernel, kernel.mmas().next()?)));
    let Some((kernel, user)) = first else {
        return;
    };
    let targets = facts.unit.targets.iter();
    let mut architectures =
        targets.filter_map(|target| Some((target, Architecture::parse(&target.name)?)));
    let Some((target, architecture)) = architectures.next() else {
        return;
    };
    if std::ptr::eq(kernel, facts.kernel) {
        let form = form(user);
        let label = format!("`{form}` is used here");
        if let Some((message, help)) = missing(architecture, &target.name, form) {
            let report = sink.report(target.span, message).help(help);
            report.label(user.instruction.name_span, label);
        } else if let Some(version) = facts.unit.version
            && version.number < architecture.since()
        {
            let (major, minor) = architecture.since();
            let message = format!(
                "`{form}` for {} needs PTX {major}.{minor}; this module is written in {}.{}",
                target.name, version.number.0, version.number.1
            );
            let report = sink.report(version.span, message);
            report
                .help(format!("write `.version {major}.{minor}` or later"))
                .label(user.instruction.name_span, label);
        }
    }
    if architecture.variant == Variant::Family {
        integers_in_families(facts, &target.name, target.span, sink);
    }
}

fn form(mma: Mma) -> &'static str {
    match mma.weight_stationary {
        true => "tcgen05.mma.ws",
        false => "tcgen05.mma",
    }
}

/// Returns why an architecture does not have the instruction, and what to write.
fn missing(architecture: Architecture, name: &str, form: &str) -> Option<(String, String)> {
    let Architecture { number, variant } = architecture;
    if number < 100 || matches!(number, 120 | 121) {
        let message = format!("{name} has no `{form}`");
        let help = "the instruction is there from sm_100a on, and not on sm_120".to_owned();
        return Some((message, help));
    }
    let known = matches!(number, 100 | 101 | 103 | 110);
    (known && variant == Variant::Generic).then(|| {
        let message = format!("`{form}` is specific to the architecture, and {name} is generic");
        (message, format!("write `.target {name}a`"))
    })
}

fn integers_in_families(facts: &MmaFacts, name: &str, target: Span, sink: &mut Sink) {
    for mma in facts.kernel.mmas() {
        if let Some(kind) = mma.instruction.modifier("kind::i8") {
            let message = format!("the family target {name} leaves `.kind::i8` out");
            let help = format!("write `.target {}a`", name.trim_end_matches('f'));
            sink.report(kind.span, message)
                .label(target, "a family target")
                .help(help);
        }
    }
}

/// An architecture such as `sm_100a`.
#[derive(Clone, Copy)]
struct Architecture {
    number: u32,
    variant: Variant,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Variant {
    /// No suffix: the instructions that all later architectures have too.
    Generic,
    /// `a`: the instructions of this architecture alone.
    Specific,
    /// `f`: the instructions of this architecture and its family.
    Family,
}

impl Architecture {
    fn parse(name: &str) -> Option<Architecture> {
        let rest = name.strip_prefix("sm_")?;
        let digits = rest.trim_end_matches(|c: char| c.is_ascii_lowercase());
        let variant = match rest.part(digits.len()..) {
            "" => Variant::Generic,
            "a" => Variant::Specific,
            "f" => Variant::Family,
            _ => return None,
        };
        let number = digits.parse().ok()?;
        Some(Architecture { number, variant })
    }

    /// Returns the first version of PTX in which the architecture has the instruction.
    fn since(self) -> (u32, u32) {
        match (self.number, self.variant) {
            (110, _) => (9, 0),
            (103, _) | (_, Variant::Family) => (8, 8),
            _ => (8, 6),
        }
    }
}

use crate::declare_rule;
use crate::zero_column::column_masks::masks;
use crate::{MmaFacts, Sink};
use a2lint_isa::masks::zero_column::Field;

declare_rule! {
    /// ## What it does
    /// Reports start counts and first spans of sub-masks that the result does not have.
    ///
    /// ## Why is this bad?
    /// 128 rows have one sub-mask, 64 have two and 32 have four. Fields of the others are ignored: the
    /// descriptor was made for another shape.
    ///
    /// ## Example
    /// ```ptx
    /// mov.b32 %r2, 0x08200010;             // M 128: mask0 alone
    /// mov.b64 %rd3, 0x0003028000000200;    // start count 1 is set
    /// ```
    ///
    /// ## Use instead
    /// ```ptx
    /// mov.b32 %r2, 0x08200010;
    /// mov.b64 %rd3, 0x0003028000000002;    // start count 0
    /// ```
    ///
    /// ## Source
    /// PTX ISA, zero-column mask descriptor: sub-masks by M.
    "ZCM016" "zcm-unused-submask" Warning, basis = Constants, scope = Mma
}

fn check(facts: &MmaFacts, sink: &mut Sink) {
    for mask in masks(facts) {
        let Some(rows) = mask.mask.known.rows.filter(|_| mask.is_generated()) else {
            continue;
        };
        let parts = rows.sub_masks() as u8;
        let is_set = |field: &(String, Field)| mask.ones() & field.1.bits() != 0;
        let set: Vec<String> = (parts..4)
            .flat_map(|part| {
                let start = (format!("start count {part}"), Field::StartCount(part));
                [
                    start,
                    (format!("first span {part}"), Field::FirstSpan(part)),
                ]
            })
            .filter(is_set)
            .map(|(name, _)| name)
            .collect();
        if set.is_empty() {
            continue;
        }
        let used = match parts {
            1 => "sub-mask 0 alone".to_owned(),
            _ => format!("sub-masks 0 to {}", parts - 1),
        };
        let verb = if set.len() == 1 { "is" } else { "are" };
        let message = format!(
            "{} {verb} set, but M = {} has {used}",
            set.join(", "),
            rows.count()
        );
        mask.label(sink.report(mask.mask.operand.span, message))
            .help("clear the fields, or set M in the instruction descriptor");
    }
}

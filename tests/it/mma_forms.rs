//! The forms of `tcgen05.mma`: legal ones have no findings, and every kind of mistake has one message.

use a2lint::check::{Settings, check};
use a2lint::language::Language;
use a2lint::text::SourceText;

/// Returns the findings in a module of one instruction.
fn told(target: &str, instruction: &str) -> Vec<String> {
    let text = format!(
        ".version 9.0\n.target {target}\n.address_size 64\n.visible .entry one()\n{{\n\
         .reg .pred %p<4>;\n.reg .b16 %h<4>;\n.reg .b32 %r<32>;\n.reg .b64 %rd<8>;\n\
         {instruction}\nret;\n}}\n"
    );
    let source = SourceText::new(text);
    let analysis = check(&source, Language::Ptx, &Settings::default());
    assert!(analysis.not_analysed().is_empty(), "{instruction}");
    let told = analysis.findings.iter();
    told.map(|finding| format!("{}: {}", finding.name, finding.message))
        .collect()
}

/// The kinds, with the scale vectors that they may have; an empty text means none.
const KINDS: [(&str, &[&str]); 7] = [
    ("f16", &[]),
    ("tf32", &[]),
    ("f8f6f4", &[]),
    ("i8", &[]),
    ("mxf8f6f4", &["", ".scale_vec::1X", ".block32"]),
    ("mxf4", &["", ".scale_vec::2X", ".block32"]),
    (
        "mxf4nvf4",
        &[".scale_vec::2X", ".scale_vec::4X", ".block16", ".block32"],
    ),
];
const OPERATIONS: [&str; 4] = ["fill", "use", "lastuse", "discard"];

/// Returns every legal form, by the tables of the manual.
fn legal() -> Vec<String> {
    let mut out = Vec::new();
    for (sparse, meta) in [("", ""), (".sp", " [%r9],")] {
        for (kind, scales) in KINDS {
            for a in ["%rd1", "[%r8]"] {
                if scales.is_empty() {
                    weight_stationary(&mut out, sparse, meta, kind, a);
                    unscaled(&mut out, sparse, meta, kind, a);
                }
                for scale in scales {
                    for group in [1, 2] {
                        for operation in std::iter::once(None).chain(OPERATIONS.map(Some)) {
                            let collector = operation
                                .map_or(String::new(), |op| format!(".collector::a::{op}"));
                            out.push(format!(
                                "tcgen05.mma{sparse}.cta_group::{group}.kind::{kind}.block_scale{scale}{collector} \
                                 [%r1], {a}, %rd2,{meta} %r2, [%r3], [%r4], %p1;"
                            ));
                        }
                    }
                }
            }
        }
    }
    out
}

fn weight_stationary(out: &mut Vec<String>, sparse: &str, meta: &str, kind: &str, a: &str) {
    let mut collectors = vec![String::new()];
    for buffer in 0..4 {
        collectors.extend(OPERATIONS.map(|op| format!(".collector::b{buffer}::{op}")));
    }
    for collector in collectors {
        for mask in ["", ", %rd3", ", 0"] {
            out.push(format!(
                "tcgen05.mma.ws{sparse}.cta_group::1.kind::{kind}{collector} [%r1], {a}, %rd2,{meta} %r2, %p1{mask};"
            ));
        }
    }
}

fn unscaled(out: &mut Vec<String>, sparse: &str, meta: &str, kind: &str, a: &str) {
    let groups = [
        (1, "{%r10, %r11, %r12, %r13}, "),
        (2, "{%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17}, "),
    ];
    let mut modifiers = vec![String::new()];
    modifiers.extend(OPERATIONS.map(|op| format!(".collector::a::{op}")));
    if a.starts_with('[') {
        modifiers.extend(
            ["", ".collector::a::lastuse", ".collector::a::discard"].map(|c| format!(".ashift{c}")),
        );
    }
    let scales: &[&str] = match kind {
        "f16" | "tf32" => &["", ", 0", ", 15"],
        _ => &[""],
    };
    for (group, lanes) in groups {
        for modifier in &modifiers {
            for lanes in ["", lanes] {
                for scale in scales {
                    out.push(format!(
                        "tcgen05.mma{sparse}.cta_group::{group}.kind::{kind}{modifier} [%r1], {a}, %rd2,{meta} %r2, \
                         {lanes}%p1{scale};"
                    ));
                }
            }
        }
    }
}

#[test]
fn legal_forms_are_silent() {
    let legal = legal();
    assert!(legal.len() >= 240, "{}", legal.len());
    for instruction in &legal {
        let mut findings = told("sm_100a", instruction);
        // A collector buffer that was not filled is a mistake of the kernel, not of the form.
        findings.retain(|finding| !finding.starts_with("zcm-collector-order"));
        assert_eq!(findings, Vec::<String>::new(), "{instruction}");
    }
}

/// Kinds of mistakes: the target, and an instruction with the mistake.
const ILLEGAL: &[(&str, &str)] = &[
    (
        "sm_100a",
        "tcgen05.mma.ws.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %rd3;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1 [%r1], %rd1, %rd2, %r2, %p1, %rd3;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws [%r1], %rd1, %rd2, %r2, %p1, %rd3;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::2.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %rd3;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::3.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::mxf4 [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::mxf8f6f4 [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::mxf4nvf4 [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::bf16 [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16.kind::tf32 [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.kind::f16.cta_group::1 [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.cta_group::1.ws.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.sp.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, [%r3], %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16.sync [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16.ashift [%r1], [%r3], %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16.collector::a::fill [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16.collector::b4::fill [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16.collector::b0::keep [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16.collector::b0 [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16.collector::b0::fill.collector::b1::fill [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %rd3;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %rd3, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, 0, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, 1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %r3;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, [%r3];",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %p2;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %r3;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %h1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, [%rd3];",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, {%r3, %r4};",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %rd3, %rd4;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %rd3, 1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, {%r3, %r4, %r5, %r6}, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 %r1, %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %r3, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %p2, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, [%r3], %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %r3, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %rd3, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, [%r2], %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %h1, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.sp.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.sp.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r3, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, [%r3], %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd77, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r99], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p9;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %mask;",
    ),
    (
        "sm_90a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_120a",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100f",
        "tcgen05.mma.ws.cta_group::1.kind::i8 [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_90a",
        "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.cta_group::4.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.cta_group::1.kind::mxf4 [%r1], %rd1, %rd2, %r2, [%r3], [%r4], %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.cta_group::1.kind::f16.block_scale [%r1], %rd1, %rd2, %r2, [%r3], [%r4], %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.cta_group::1.kind::mxf4.block_scale.scale_vec::4X [%r1], %rd1, %rd2, %r2, [%r3], [%r4], %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale [%r1], %rd1, %rd2, %r2, [%r3], [%r4], %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.cta_group::1.kind::mxf4.block_scale [%r1], %rd1, %rd2, %r2, [%r3], %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.cta_group::1.kind::mxf4.block_scale [%r1], %rd1, %rd2, %r2, {%r5, %r6, %r7, %r8}, [%r3], [%r4], %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.cta_group::1.kind::f16.ashift [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.cta_group::1.kind::f16.ashift.collector::a::fill [%r1], [%r3], %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.cta_group::1.kind::f16.collector::b0::fill [%r1], %rd1, %rd2, %r2, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, {%r3, %r4}, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.cta_group::2.kind::f16 [%r1], %rd1, %rd2, %r2, {%r3, %r4, %r5, %r6}, %p1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, 16;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %r3;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.cta_group::1.kind::i8 [%r1], %rd1, %rd2, %r2, %p1, 1;",
    ),
    (
        "sm_100a",
        "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %rd3;",
    ),
];

#[test]
fn each_kind_of_illegal_form_has_one_message() {
    let mut missed = Vec::new();
    for (target, instruction) in ILLEGAL {
        let findings = told(target, instruction);
        assert!(findings.len() <= 1, "{target} {instruction}: {findings:#?}");
        if findings.is_empty() {
            missed.push(format!("{target} {instruction}"));
        }
    }
    assert!(ILLEGAL.len() >= 66, "{}", ILLEGAL.len());
    assert_eq!(missed, Vec::<String>::new());
}

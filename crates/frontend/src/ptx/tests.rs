//! Tests of the bits of descriptors that are known, and of those that must stay unknown.

use super::module;
use a2lint_ir::KnownBits;
use a2lint_ir::mma::{Class, Unit};
use a2lint_source::text::SourceText;

const SEED: u64 = 0x0003_0281_0000_0000;

fn unit(body: &str) -> Unit {
    let text = format!(
        ".version 8.6\n.target sm_100a\n.visible .entry k(.param .u64 p)\n{{\n\
         .reg .pred %p<3>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n{body}\n\
         tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %rd3;\nret;\n}}\n"
    );
    module(&SourceText::new(text)).0
}

fn mask_bits(body: &str) -> KnownBits {
    let unit = unit(body);
    let mma = unit.kernels[0].mmas().last().expect("an instruction");
    mma.mask().expect("a mask").known.descriptor
}

fn mask_constant(body: &str) -> Option<u64> {
    mask_bits(body).as_constant()
}

#[test]
fn descriptors_are_folded() {
    let bodies = [
        "mov.b64 %rd3, 0x0003028100000000;",
        "mov.u64 %rd3, 847178004168704;",
        "mov.b64 %rd3, 0b11000000100000000000000000000000000000000000000000;\n\
         or.b64 %rd3, %rd3, 0x8000000000;\nbfi.b64 %rd3, 1, %rd3, 32, 1;",
        "mov.b32 %r3, 0x00030281;\ncvt.u64.u32 %rd4, %r3;\nshl.b64 %rd3, %rd4, 32;",
        "mov.b32 %r3, 0x00030281;\nmov.b64 %rd3, {0, %r3};",
        "mov.b32 %r3, 0x30281;\nmov.b32 %r4, 0;\nmov.b64 %rd3, {%r4, %r3};",
        "mov.u32 %r3, 3;\nmul.wide.u32 %rd4, %r3, 0x10000;\nadd.s64 %rd4, %rd4, 0x281;\nshl.b64 %rd3, %rd4, 32;",
        "mov.b64 %rd3, ~0xfffcfd7effffffff;",
        "mov.b64 %rd3, 1;\nmov.b64 %rd3, 0x0003028100000000;",
        "{\n.reg .b64 %rd3;\nmov.b64 %rd3, 7;\n}\nmov.b64 %rd3, 0x0003028100000000;",
        "mov.b64 %rd4, 0x3028100000000;\nselp.b64 %rd3, %rd4, 0x3028100000000, %p1;",
        "mov.b64 %rd5, 0x3028100000000;\nmov.b64 {%r4, %r5}, %rd5;\nmov.b64 %rd3, {%r4, %r5};",
        "bra NEXT;\nNEXT:\nmov.b64 %rd3, 0x3028100000000;",
        "mov.b64 %rd3, 0x3028100000000;\nLOOP:\n@%p2 bra LOOP;",
        "lop3.b32 %r3, 0x30000, 0x280, 1, 0xfe;\nmov.b64 %rd3, {0, %r3};",
    ];
    for body in bodies {
        assert_eq!(mask_constant(body), Some(SEED), "{body}");
    }
}

#[test]
fn what_is_not_certain_stays_unknown() {
    let bodies = [
        "",
        "ld.param.u64 %rd3, [p];",
        "mov.b64 %rd3, 1;\nLOOP:\nadd.s64 %rd3, %rd3, 1;\n@%p2 bra LOOP;",
        "mov.b64 %rd3, 0;\n@%p2 mov.b64 %rd3, 1;",
        "mov.b64 %rd3, 1;\nmov.b64 %rd3 0;",
        "mov.b64 %rd3, 1;\nor.b64 %rd3, %rd3, [oops;\nmov.b32 %r8, 0;",
        "mov.b64 %rd3, 1;\nmov.u64 %rd3, %globaltimer;",
        "mov.b64 %rd3, 1;\ncall (%rd3), f, (%rd1);",
        "mov.f64 %rd3, 0d3FF0000000000000;",
        "mov.b64 %rd3, %rd3;",
    ];
    for body in bodies {
        assert_eq!(mask_constant(body), None, "{body}");
    }
}

#[test]
fn fields_are_known_one_by_one() {
    let body = "ld.param.u64 %rd4, [p];\nand.b64 %rd4, %rd4, 0xff;\nshl.b64 %rd5, %rd4, 56;\n\
                and.b64 %rd5, %rd5, 0x3f00000000000000;\nor.b64 %rd3, %rd5, 0x0003028100000000;";
    let bits = mask_bits(body);
    assert_eq!(bits.as_constant(), None);
    assert_eq!(bits.bits(0x00ff_ffff_ffff_ffff), Some(SEED));
    assert_eq!(bits.bits(0b11 << 62), Some(0));
}

#[test]
fn operands_have_their_classes() {
    let unit = unit("");
    let mma = unit.kernels[0].mmas().next().expect("an instruction");
    let classes: Vec<Class> = mma.instruction.operands.iter().map(|o| o.class).collect();
    use Class::{Address, Predicate, Register};
    let [long, word] = [64, 32].map(Register);
    assert_eq!(classes, [Address, long, long, word, Predicate, long]);
    assert!(mma.weight_stationary && !mma.sparse);
    assert_eq!(unit.version.expect("a version").number, (8, 6));
    assert_eq!(unit.targets[0].name, "sm_100a");
}

#[test]
fn long_chains_end() {
    let mut body = String::from("mov.b64 %rd3, 0;\n");
    for _ in 0..20_000 {
        body.push_str("add.s64 %rd3, %rd3, 1;\n");
    }
    assert_eq!(mask_constant(&body), None);
}

#[test]
fn damage_costs_its_own_function() {
    let text = ".version 8.6\n.target sm_100a\n.entry a()\n{\n.reg .b64 %m;\nmov.b64 %m, 1;\n\
                tcgen05.mma.ws [%r1, %rd1, %rd2, %r2, %p1, %m;\nret;\n}\n.entry b()\n{\n.reg .b64 %m;\n\
                mov.b64 %m, 1;\ntcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %m;\n}\n";
    let (unit, gaps) = module(&SourceText::new(text));
    assert_eq!(unit.kernels.len(), 1, "{unit:?}");
    assert_eq!(unit.kernels[0].name, "b");
    let mask = unit.kernels[0].mmas().next().and_then(|mma| mma.mask());
    assert_eq!(
        mask.expect("a mask").known.descriptor.as_constant(),
        Some(1)
    );
    assert_eq!(gaps.len(), 1);
    assert!(gaps[0].reason.starts_with("line 7:"), "{}", gaps[0].reason);
}

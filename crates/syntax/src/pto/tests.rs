use super::*;

/// Spellings from the manual, comments included.
const SPELLINGS: &str = "\
%dst = tsel %mask, %src0, %src1 : !pto.tile<...>
%dst = pto.tsel %mask, %src0, %src1 : (!pto.tile<...>, !pto.tile<...>, !pto.tile<...>) -> !pto.tile<...>
pto.tsel ins(%m, %s0, %s1 : !pto.tile_buf<...>, !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%d : !pto.tile_buf<...>)
# 自动模式:由编译器放置。
# pto.tassign %arg0, @tile(0x1000)
pto.tassign %arg0, @tile(0x1000)
.arg %x : !pto.tile<16x16xf32>
.const %c = 0x10 : i32;
%m = tcmp %a[%i, %j], %b {cmpMode = #pto<cmp lt>} : !pto.tile<16x16xf32>
";

#[test]
fn spellings_of_the_manual_have_no_errors() {
    let module = parse(SPELLINGS).expect("small");
    assert_eq!(module.errors, []);
    assert_eq!(module.ops.len(), 7);
    let text = |span: a2lint_source::text::Span| &SPELLINGS[span.range()];
    let bare = &module.ops[0];
    assert_eq!(
        (text(bare.name), bare.operands.len(), bare.types.len()),
        ("tsel", 3, 1)
    );
    let results = &module.ops[1];
    assert_eq!((results.operands.len(), results.types.len()), (3, 3));
    assert!(results.arrow && results.result_types.len() == 1);
    let dps = &module.ops[2];
    let ins = dps.ins.as_ref().expect("ins");
    assert_eq!((ins.operands.len(), ins.types.len()), (3, 3));
    assert_eq!(dps.outs.as_ref().expect("outs").operands.len(), 1);
    let assign = &module.ops[3];
    assert_eq!(text(assign.operands[1].span), "@tile(0x1000)");
    let compare = &module.ops[6];
    assert_eq!(text(compare.operands[0].span), "%a[%i, %j]");
    assert_eq!(text(compare.attributes[0].1), "#pto<cmp lt>");
}

#[test]
fn modules_have_regions_and_lines_that_go_on() {
    let text = "\
module attributes {pto.device-spec = \"Ascend910B1\"} {
  func.func @kernel(%arg0: !pto.ptr<f32>, %n: i32) attributes {x} {
    %c0 = arith.constant 0 : index
    %r:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %c0) -> (index, index) {
      pto.tload ins(%v : !pto.partition_tensor_view<16x16xf32>)
          outs(%t : !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=16>)
      scf.yield %x : index
    }
    pto.tcmps ins(%t, %c {cmpMode = #pto<cmp ge>} :
                  !pto.tile_buf<vec, 16x16xf32>, f32)
              outs(%m : !pto.tile_buf<vec, 16x32xi8>)
    return
  }
}
";
    let module = parse(text).expect("small");
    assert_eq!(module.errors, []);
    let names: Vec<&str> = module.ops.iter().map(|op| &text[op.name.range()]).collect();
    assert_eq!(
        names,
        [
            "module",
            "func.func",
            "arith.constant",
            "scf.for",
            "pto.tload",
            "scf.yield",
            "pto.tcmps",
            "return"
        ]
    );
    let depths: Vec<usize> = module.ops.iter().map(|op| op.depth).collect();
    assert_eq!(depths, [0, 1, 2, 2, 3, 3, 2, 2]);
    let compare = &module.ops[6];
    assert_eq!(compare.ins.as_ref().expect("ins").types.len(), 2);
}

#[test]
fn broken_lines_cost_only_themselves() {
    let text = "%a = \n\
        pto.tsel ins(%m, %x : !pto.tile<16x16xf32>\n\
        %b = pto.tadd %a, %a : (f32) -> f32\n\
        ) ) }}\n\
        %c = pto.tsub %a : (f32) -> f32\n";
    let module = parse(text).expect("small");
    assert!(!module.errors.is_empty());
    let names: Vec<&str> = module.ops.iter().map(|op| &text[op.name.range()]).collect();
    assert!(
        names.contains(&"pto.tadd") && names.contains(&"pto.tsub"),
        "{names:?}"
    );
}

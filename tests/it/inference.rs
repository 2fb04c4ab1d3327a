//! Repeats, strides and footprints that the front end infers, compared with the documented tables.

use a2lint::analysis::{RangeSet, footprint, resolved};
use a2lint::frontend::dsl::trace;
use a2lint::ir::{Instr, Program};
use a2lint::isa::{DType, Opcode, ParamKind};
use a2lint::text::SourceText;

/// The inferred arguments of a `dup` on a whole tensor.
#[derive(Debug, PartialEq)]
struct Fill {
    repeat: i64,
    block_stride: i64,
    repeat_stride: i64,
    covered: i64,
    past_end: i64,
}

fn fill(dtype: DType, [rows, columns]: [i64; 2]) -> Fill {
    let source = format!(
        "from easyasc.a2 import *\n\n\
         @kernel()\n\
         def fill(x: GMTensor, y: GMTensor):\n\
         \x20   t = Tensor(DT.{dtype}, [{rows}, {columns}], Position.UB)\n\
         \x20   dup(t, 1.0)\n\
         \x20   return y\n"
    );
    let module = trace(&SourceText::new(source.as_str()));
    let program = &module.programs[0];
    let instr = find(program, Opcode::Dup);
    let number = |kind| resolved(program, instr, kind).expect("a constant");
    let bytes = footprint(program, instr, 0).expect("a constant footprint");
    let own = RangeSet::span(0, dtype.bytes_of(rows * columns));
    let elements = |bytes: RangeSet| bytes.len() / dtype.bytes_of(1);
    Fill {
        repeat: number(ParamKind::Repeat),
        block_stride: number(ParamKind::BlockStride(0)),
        repeat_stride: number(ParamKind::RepeatStride(0)),
        covered: elements(bytes.intersection(&own)),
        past_end: elements(bytes.minus(&own)),
    }
}

fn find(program: &Program, opcode: Opcode) -> &Instr {
    let mut instructions = program.instructions().into_iter();
    let (_, instr) = instructions
        .find(|(_, instr)| instr.opcode == opcode)
        .expect("the kernel has one");
    instr
}

/// Shape, and then repeat, block stride, repeat stride, number of covered elements, and number past the end.
type Row = ([i64; 2], [i64; 5]);

fn compare(dtype: DType, table: &[Row]) {
    for &(shape, [repeat, block_stride, repeat_stride, covered, past_end]) in table {
        let expected = Fill {
            repeat,
            block_stride,
            repeat_stride,
            covered,
            past_end,
        };
        assert_eq!(fill(dtype, shape), expected, "{dtype} {shape:?}");
    }
}

#[test]
fn coverage_of_the_seed() {
    compare(
        DType::Float,
        &[
            ([64, 1], [1, 1, 8, 64, 0]),
            ([64, 8], [8, 0, 1, 64, 0]),
            ([64, 64], [64, 1, 8, 4096, 0]),
            ([64, 128], [128, 1, 8, 8192, 0]),
        ],
    );
}

#[test]
fn float_shapes() {
    compare(
        DType::Float,
        &[
            ([64, 16], [16, 1, 8, 1024, 0]),
            ([32, 32], [16, 1, 8, 1024, 0]),
            ([1, 64], [1, 1, 0, 64, 0]),
            ([1, 100], [2, 1, 8, 100, 28]),
            ([128, 1], [2, 1, 8, 128, 0]),
            ([16, 24], [6, 1, 8, 384, 0]),
            ([1, 8], [1, 0, 0, 8, 0]),
            ([8, 1], [1, 1, 8, 8, 56]),
        ],
    );
}

#[test]
fn half_shapes() {
    compare(
        DType::Half,
        &[
            ([64, 1], [1, 1, 8, 64, 64]),
            ([64, 8], [4, 1, 8, 512, 0]),
            ([64, 16], [8, 0, 1, 128, 0]),
            ([32, 32], [8, 1, 8, 1024, 0]),
            ([64, 64], [32, 1, 8, 4096, 0]),
            ([64, 128], [64, 1, 8, 8192, 0]),
            ([1, 64], [1, 1, 8, 64, 64]),
            ([1, 100], [1, 1, 8, 100, 28]),
            ([128, 1], [1, 1, 8, 128, 0]),
            ([16, 24], [3, 1, 8, 384, 0]),
        ],
    );
}

#[test]
fn column_slices() {
    let source = "from easyasc.a2 import *\n\n\
        @kernel()\n\
        def slices(x: GMTensor, y: GMTensor):\n\
        \x20   wide = Tensor(DT.float, [64, 128], Position.UB)\n\
        \x20   dup(wide[:, 64:128], 1.0)\n\
        \x20   exp(wide[:, 0:32], wide[:, 0:32])\n\
        \x20   return y\n";
    let module = trace(&SourceText::new(source));
    let program = &module.programs[0];
    let exact = footprint(program, find(program, Opcode::Dup), 0).unwrap();
    assert_eq!(exact.iter().count(), 64);
    assert_eq!(exact.iter().nth(1), Some((768, 1024)));
    // 32 columns are neither eight blocks nor one, so the instruction covers 16 whole rows instead.
    let walked = footprint(program, find(program, Opcode::Exp), 0).unwrap();
    assert_eq!(walked, RangeSet::span(0, 16 * 512));
}

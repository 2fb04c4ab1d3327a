//! The vectors, the examples of the PTX manual, and an independent model: convolution padding.

use proptest::prelude::*;
use serde_json::Value;

use super::{ColumnMask, Descriptor, RESERVED_BITS, Shape};

const VECTORS: &str = include_str!("../../../../../tests/vectors/zero_column_mask.json");

fn shape(rows: u32, columns: u32) -> Shape {
    Shape::new(rows, columns).expect("a shape of the instruction")
}

fn mask(descriptor: &Descriptor, rows: u32, columns: u32) -> ColumnMask {
    descriptor.mask(shape(rows, columns))
}

/// Returns the bits `from..from + count`, the lowest last.
fn bits(mask: ColumnMask, from: u32, count: u32) -> String {
    let digit = |column| if mask.is_zeroed(column) { '1' } else { '0' };
    (from..from + count).rev().map(digit).collect()
}

fn number(text: &Value) -> u64 {
    let text = text.as_str().expect("a string");
    u64::from_str_radix(&text[2..], 16).expect("hexadecimal digits")
}

#[test]
fn the_vectors_agree() {
    let vectors: Vec<Value> = serde_json::from_str(VECTORS).expect("a list");
    assert_eq!(vectors.len(), 19);
    for vector in vectors {
        let value = number(&vector["desc"]);
        let extent = |name: &str| vector[name].as_u64().expect("a number") as u32;
        let descriptor = Descriptor::decode(value);
        let got = mask(&descriptor, extent("m"), extent("n"));
        assert_eq!(got.to_string(), vector["mask"], "{}", vector["name"]);
        assert_eq!(descriptor.encode(), value, "{}", vector["name"]);
    }
}

#[test]
fn without_the_mask_bit_every_column_is_used() {
    let descriptor = Descriptor {
        skip_span: 4,
        use_span: 3,
        ..Descriptor::default()
    };
    assert_eq!(mask(&descriptor, 128, 128).zeroed(), 0);
}

#[test]
fn one_sub_mask_starts_with_columns_in_use() {
    let descriptor = Descriptor {
        non_zero: true,
        skip_span: 2,
        use_span: 3,
        ..Descriptor::default()
    };
    assert_eq!(
        bits(mask(&descriptor, 128, 128), 0, 14),
        "111_0000_111_0000".replace('_', "")
    );
}

#[test]
fn two_sub_masks_start_as_their_bits_say() {
    let descriptor = Descriptor {
        zeroed_first: [true, false, false, false],
        non_zero: true,
        skip_span: 2,
        use_span: 3,
        ..Descriptor::default()
    };
    let mask = mask(&descriptor, 64, 128);
    assert_eq!(bits(mask, 0, 17), "111_0000_111_0000_111".replace('_', ""));
    assert_eq!(
        bits(mask, 64, 18),
        "0000_111_0000_111_0000".replace('_', "")
    );
}

#[test]
fn four_sub_masks_drop_their_start_counts_and_the_shift_moves_b() {
    let descriptor = Descriptor {
        start_counts: [0, 1, 2, 1],
        zeroed_first: [true, true, false, false],
        non_zero: true,
        skip_span: 2,
        use_span: 3,
        shift: 2,
        ..Descriptor::default()
    };
    let found = mask(&descriptor, 32, 128);
    assert_eq!(bits(found, 0, 14), "0000_111_0000_111".replace('_', ""));
    assert_eq!(bits(found, 32, 13), "0000_111_0000_11".replace('_', ""));
    assert_eq!(bits(found, 64, 12), "111_0000_111_00".replace('_', ""));
    assert_eq!(bits(found, 96, 13), "111_0000_111_000".replace('_', ""));
    let shape = shape(32, 128);
    assert_eq!(descriptor.source_column(shape, 3), Some(5));
    assert_eq!(descriptor.source_column(shape, 0), None);
}

#[test]
fn shapes_are_those_of_the_instruction() {
    assert!(Shape::new(32, 64).is_some() && Shape::new(128, 256).is_some());
    for (rows, columns) in [(16, 64), (256, 64), (64, 32), (64, 192), (64, 0)] {
        assert_eq!(Shape::new(rows, columns), None);
    }
}

/// An image row of `width` pixels, padded on both sides, and one tap of a filter over it.
#[derive(Clone, Copy, Debug)]
struct Convolution {
    width: u32,
    /// Position in its row of the pixel that the first column computes.
    first: u32,
    pad: u32,
    tap: u32,
}

impl Convolution {
    /// Returns whether the tap falls on padding for a column: the meaning of the mask.
    fn on_padding(self, column: u32) -> bool {
        let pixel = (self.first + column) % self.width + self.tap;
        pixel < self.pad || pixel >= self.pad + self.width
    }

    /// Returns a descriptor put together from the meaning of its fields alone.
    fn descriptor(self, shape: Shape) -> Descriptor {
        let mut descriptor = Descriptor {
            shift: self.tap as u8,
            ..Descriptor::default()
        };
        let padded = self.pad.abs_diff(self.tap);
        if padded == 0 {
            return descriptor;
        }
        descriptor.non_zero = true;
        let used = self.width - padded;
        descriptor.skip_span = (padded - 1) as u8;
        descriptor.use_span = (used - 1) as u8;
        for part in 0..shape.rows().sub_masks() {
            let at = (self.first + part * shape.sub_mask_columns()) % self.width;
            let padding_first = self.pad > self.tap;
            let first = if padding_first { padded } else { used };
            let in_first = at < first;
            let start = if in_first { at } else { at - first };
            descriptor.zeroed_first[part as usize] = padding_first == in_first;
            descriptor.start_counts[part as usize] = start as u8;
        }
        descriptor
    }
}

fn convolution() -> impl Strategy<Value = Convolution> {
    (3u32..=256, 0u32..256, 0u32..=2, 0u32..=2).prop_map(|(width, first, pad, tap)| Convolution {
        width,
        first: first % width,
        pad,
        tap,
    })
}

fn shapes() -> impl Strategy<Value = Shape> {
    let rows = prop::sample::select(vec![32, 64, 128]);
    let columns = prop::sample::select(vec![64, 128, 256]);
    (rows, columns).prop_map(|(rows, columns)| shape(rows, columns))
}

proptest! {
    #[test]
    fn decoding_undoes_encoding(value: u64) {
        let descriptor = Descriptor::decode(value);
        prop_assert_eq!(descriptor.encode(), value);
        prop_assert_eq!(descriptor.reserved, value & RESERVED_BITS);
        prop_assert_eq!(Descriptor::decode(descriptor.encode()), descriptor);
    }

    #[test]
    fn masks_are_the_padding_of_convolutions(convolution in convolution(), shape in shapes()) {
        let descriptor = convolution.descriptor(shape);
        let mask = Descriptor::decode(descriptor.encode()).mask(shape);
        for column in 0..shape.columns() {
            prop_assert_eq!(mask.is_zeroed(column), convolution.on_padding(column), "{}", column);
        }
    }

    #[test]
    fn sub_masks_ignore_each_other(value: u64, shape in shapes()) {
        let generate = value | super::Field::NonZeroMask.bits();
        let whole = Descriptor::decode(generate).mask(shape);
        for part in 0..shape.rows().sub_masks() as usize {
            let mut alone = Descriptor::decode(generate);
            for other in (0..4).filter(|&other| other != part) {
                alone.start_counts[other] = 0;
                alone.zeroed_first[other] = false;
            }
            let alone = alone.mask(shape);
            let start = part as u32 * shape.sub_mask_columns();
            for column in start..start + shape.sub_mask_columns() {
                prop_assert_eq!(alone.is_zeroed(column), whole.is_zeroed(column));
            }
        }
    }
}

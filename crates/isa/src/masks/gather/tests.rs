use super::*;

/// Source values are 1, 2, 3, …
fn values(gather: &Gather, pattern: Pattern) -> Vec<u64> {
    gather.kept(pattern).map(|kept| kept.index + 1).collect()
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn fixed(number: i64) -> Pattern<'static> {
    Pattern::Fixed(FixedPattern::new(number).unwrap())
}

/// `{src0BlockStride, repeatTimes, src0RepeatStride, src1RepeatStride}` as in the reference.
fn normal(element_bytes: u64, params: [u64; 4]) -> Gather {
    let [block_stride, repeats, repeat_stride, pattern_stride] = params;
    Gather {
        element_bytes,
        extent: Extent::Normal { repeats },
        block_stride,
        repeat_stride,
        pattern_stride,
    }
}

fn counter(count: u64, params: [u64; 4]) -> Gather {
    Gather {
        extent: Extent::PerRepeat {
            repeats: params[1],
            count,
        },
        ..normal(4, params)
    }
}

fn total(count: u64, params: [u64; 4]) -> Gather {
    Gather {
        extent: Extent::Total { count },
        ..normal(4, params)
    }
}

#[test]
fn example_1_odd_halves() {
    let gather = normal(2, [1, 1, 0, 0]);
    let expected: Vec<u64> = (2..=128).step_by(2).collect();
    assert_eq!(values(&gather, fixed(2)), expected);
    assert_eq!(gather.count(fixed(2)), 64);
    assert_eq!(gather.source_extent(), 128);
}

#[test]
fn example_2_counter_in_both_configurations() {
    let words = bytes(&[0xAAAA_AAAA; 32]);
    let pattern = Pattern::Bits(&words);
    let one = counter(70, [1, 2, 4, 0]);
    let expected: Vec<u64> = (2..=70).step_by(2).chain((34..=102).step_by(2)).collect();
    assert_eq!(values(&one, pattern), expected);
    assert_eq!(one.count(pattern), 70);
    assert_eq!(one.source_extent(), 102);
    let two = total(70, [1, 2, 4, 0]);
    let expected: Vec<u64> = (2..=64).step_by(2).chain([34, 36, 38]).collect();
    assert_eq!(values(&two, pattern), expected);
    assert_eq!(two.count(pattern), 35);
    assert_eq!(two.repeats(), 2);
}

#[test]
fn example_3_four_repeats() {
    let gather = normal(4, [1, 4, 8, 0]);
    let expected: Vec<u64> = (2..=256).step_by(2).collect();
    assert_eq!(values(&gather, fixed(2)), expected);
    assert_eq!(gather.source_extent(), 256);
    assert!(!gather.rereads());
}

#[test]
fn example_4_repeat_stride_one_reads_again() {
    let gather = normal(4, [1, 2, 1, 0]);
    let expected: Vec<u64> = (1..=61).step_by(4).chain((9..=69).step_by(4)).collect();
    let kept = values(&gather, fixed(3));
    assert_eq!(kept, expected);
    let again = kept[16..].iter().filter(|value| kept[..16].contains(value));
    assert_eq!(again.count(), 14);
    assert!(gather.rereads());
}

#[test]
fn example_5_one_element_of_every_block() {
    let gather = counter(1, [1, 8, 1, 0]);
    assert_eq!(values(&gather, fixed(3)), [1, 9, 17, 25, 33, 41, 49, 57]);
    assert!(!gather.rereads());
    // Configuration two looks at one element in all.
    assert_eq!(values(&total(1, [1, 8, 1, 0]), fixed(3)), [1]);
}

#[test]
fn example_6_tensor_pattern() {
    let words = bytes(&[0x9999_9999; 8]);
    let gather = counter(70, [1, 2, 4, 0]);
    let kept = values(&gather, Pattern::Bits(&words));
    assert_eq!(kept[..4], [1, 4, 5, 8]);
    assert_eq!(kept[34], 69);
    assert_eq!(kept[35..39], [33, 36, 37, 40]);
    assert_eq!(kept.len(), 70);
}

#[test]
fn example_7_pattern_of_each_repeat() {
    let mut words = vec![0; 16];
    (words[0], words[8]) = (0xF, 0x8000_0001);
    let words = bytes(&words);
    let gather = normal(4, [1, 2, 8, 1]);
    let kept = values(&gather, Pattern::Bits(&words));
    assert_eq!(kept, [1, 2, 3, 4, 65, 96]);
    assert_eq!(gather.pattern_extent(), 40);
}

#[test]
fn example_8_block_stride_two() {
    let gather = normal(2, [2, 1, 0, 0]);
    let kept = values(&gather, fixed(5));
    assert_eq!(kept[..6], [3, 7, 11, 15, 35, 39]);
    assert_eq!((kept.len(), gather.source_extent()), (32, 240));
}

#[test]
fn the_seven_patterns_for_both_widths() {
    let bits = [
        "0101010101010101",
        "1010101010101010",
        "0001000100010001",
        "0010001000100010",
        "0100010001000100",
        "1000100010001000",
        "1111111111111111",
    ];
    for (number, bits) in (1..).zip(bits) {
        let pattern = FixedPattern::new(number).unwrap();
        assert_eq!(pattern.bits(), bits);
        for element_bytes in [2, 4] {
            let gather = normal(element_bytes, [1, 2, 8, 0]);
            let lanes = 256 / element_bytes;
            let expected: Vec<u64> = (0..2 * lanes)
                .filter(|index| bits.as_bytes()[15 - (index % lanes % 16) as usize] == b'1')
                .map(|index| index + 1)
                .collect();
            assert_eq!(values(&gather, Pattern::Fixed(pattern)), expected);
            let count = gather.count(Pattern::Fixed(pattern));
            assert_eq!(count, expected.len() as u64);
        }
    }
    assert_eq!((FixedPattern::new(0), FixedPattern::new(8)), (None, None));
}

#[test]
fn closed_forms_agree_with_counting() {
    for element_bytes in [1, 2, 4] {
        for count in [0, 1, 7, 8, 63, 64, 65, 129, 300] {
            for params in [
                [1, 3, 8, 8],
                [0, 2, 8, 0],
                [2, 1, 0, 1],
                [1, 0, 8, 8],
                [3, 4, 1, 2],
            ] {
                let base = normal(element_bytes, params);
                for extent in [
                    base.extent,
                    Extent::PerRepeat {
                        repeats: params[1],
                        count,
                    },
                    Extent::Total { count },
                ] {
                    let gather = Gather { extent, ..base };
                    let read: Vec<u64> = values(&gather, fixed(7));
                    assert_eq!(
                        gather.source_extent(),
                        read.iter().max().copied().unwrap_or(0)
                    );
                    assert_eq!(gather.total(), read.len() as u64);
                    for number in FixedPattern::NUMBERS {
                        let kept = values(&gather, fixed(number));
                        assert_eq!(gather.count(fixed(number)), kept.len() as u64);
                    }
                }
            }
        }
    }
}

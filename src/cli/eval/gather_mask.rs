//! `a2lint eval gather-mask`.

use clap::Args;

use a2lint_isa::masks::gather::{Extent, FixedPattern, Gather, Pattern};
use a2lint_isa::masks::{Element, Target};
use a2lint_report::gather_mask;

/// Options of `eval gather-mask`.
#[derive(Debug, Args)]
pub struct GatherMaskArgs {
    /// Element type, as C++ spells it.
    #[arg(long, value_name = "TYPE", default_value = "float", value_parser = element)]
    pub dtype: Element,
    /// A fixed pattern, 1 to 7.
    #[arg(long, value_name = "N", value_parser = fixed, required_unless_present = "words", conflicts_with = "words")]
    pub pattern: Option<FixedPattern>,
    /// The words of a pattern tensor, each as wide as an element; `W*N` stands for N of them.
    #[arg(long, value_name = "W[*N],…", value_delimiter = ',', value_parser = word)]
    pub words: Vec<Words>,
    /// Elements to look at, Counter mode; without it Normal mode, 256 bytes in every repeat.
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub mask: Option<u32>,
    /// repeatTimes.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub repeats: u16,
    /// src0BlockStride, in blocks of 32 bytes.
    #[arg(long, value_name = "BLOCKS", default_value_t = 1)]
    pub block_stride: u8,
    /// src0RepeatStride, in blocks of 32 bytes.
    #[arg(long, value_name = "BLOCKS", default_value_t = 8)]
    pub repeat_stride: u16,
    /// src1RepeatStride, in blocks of 32 bytes.
    #[arg(long, value_name = "BLOCKS", default_value_t = 0)]
    pub pattern_stride: u8,
    /// The product: a2, a3, 310b and 950 count the elements of each repeat, 310p all of them.
    #[arg(long, value_name = "PRODUCT", default_value = "a2", value_parser = target)]
    pub target: Target,
}

/// A word of a pattern, repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    value: u32,
    count: u16,
}

impl GatherMaskArgs {
    /// Formats the elements that the instruction selects.
    pub fn render(&self) -> String {
        let width = self.dtype.bytes() as usize;
        let mut bytes = Vec::new();
        for words in &self.words {
            for _ in 0..words.count {
                bytes.extend(&words.value.to_le_bytes()[..width]);
            }
        }
        let pattern = match self.pattern {
            Some(fixed) => Pattern::Fixed(fixed),
            None => Pattern::Bits(&bytes),
        };
        gather_mask::render(&self.gather(), pattern, self.dtype)
    }

    fn gather(&self) -> Gather {
        let repeats = u64::from(self.repeats);
        Gather {
            element_bytes: self.dtype.bytes() as u64,
            extent: match self.mask.map(u64::from) {
                None => Extent::Normal { repeats },
                Some(count) if self.target.counts_in_total() => Extent::Total { count },
                Some(count) => Extent::PerRepeat { repeats, count },
            },
            block_stride: u64::from(self.block_stride),
            repeat_stride: u64::from(self.repeat_stride),
            pattern_stride: u64::from(self.pattern_stride),
        }
    }
}

fn element(text: &str) -> Result<Element, String> {
    // `uint16` is accepted for `uint16_t`.
    let named = Element::from_cpp(text).or_else(|| Element::from_cpp(&format!("{text}_t")));
    match named {
        Some(element) if matches!(element.bytes(), 1 | 2 | 4) => Ok(element),
        Some(_) => Err("GatherMask takes elements of 1, 2 or 4 bytes".to_owned()),
        None => Err("no such type; try half, float, uint16_t or uint32_t".to_owned()),
    }
}

fn fixed(text: &str) -> Result<FixedPattern, String> {
    let number = text.parse().ok();
    number
        .and_then(FixedPattern::new)
        .ok_or_else(|| "the patterns are 1 to 7; a pattern tensor goes into --words".to_owned())
}

/// Parses the name of a product.
pub(super) fn target(text: &str) -> Result<Target, String> {
    Target::from_name(text)
        .ok_or_else(|| "no such product; try a2, a3, a5, 310p, 310b or cpu".to_owned())
}

fn word(text: &str) -> Result<Words, String> {
    let (value, count) = text.split_once('*').unwrap_or((text, "1"));
    let value = value.trim();
    let parsed = match value
        .strip_prefix("0x")
        .or_else(|| value.strip_prefix("0X"))
    {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => value.parse(),
    };
    match (parsed, count.trim().parse()) {
        (Ok(value), Ok(count)) => Ok(Words { value, count }),
        (Err(_), _) => Err("not a number of 32 bits".to_owned()),
        (_, Err(_)) => Err("not a number of words".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_may_be_repeated() {
        assert_eq!(
            word("0xAAAAAAAA*32"),
            Ok(Words {
                value: 0xAAAA_AAAA,
                count: 32
            })
        );
        assert_eq!(word("7"), Ok(Words { value: 7, count: 1 }));
        assert!(word("0x1FFFFFFFF").is_err() && word("1*x").is_err() && word("").is_err());
    }

    #[test]
    fn types_and_patterns_are_named() {
        assert_eq!(element("uint16"), Ok(Element::UInt16));
        assert!(element("double").is_err() && element("string").is_err());
        assert!(fixed("7").is_ok() && fixed("8").is_err() && fixed("x").is_err());
    }
}

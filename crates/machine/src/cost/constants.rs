//! The fitted parameters of the model, read from `constants.toml`.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use a2lint_isa::{DType, Opcode};

/// All parameters.
pub static CONSTANTS: LazyLock<Constants> = LazyLock::new(|| {
    toml::from_str(include_str!("constants.toml")).expect("a test reads the file")
});

/// The rates of all vector instructions.
static RATES: LazyLock<FxHashMap<Opcode, Vec<&'static Rate>>> = LazyLock::new(|| {
    let mut rates: FxHashMap<Opcode, Vec<&Rate>> = FxHashMap::default();
    for rate in &CONSTANTS.rate {
        let opcodes = rate.names.iter().filter_map(|name| Opcode::function(name));
        opcodes.for_each(|opcode| rates.entry(opcode).or_default().push(rate));
    }
    rates
});

/// A parameter. Its source, also in the file, is for readers alone.
#[derive(Clone, Debug, Deserialize)]
pub struct Constant<T> {
    /// The number.
    pub value: T,
}

/// Everything in the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constants {
    /// The clock frequency, and costs of a launch and of every instruction.
    pub clock: ClockConstants,
    /// Costs that all vector instructions share.
    pub vector: VectorConstants,
    /// Vector instructions.
    pub rate: Vec<Rate>,
    /// Global memory to UB.
    pub load_ub: GlobalMove,
    /// Global memory to L1.
    pub load_l1: GlobalMove,
    /// UB to global memory.
    pub store_ub: GlobalMove,
    /// Limits that all lanes share.
    pub chip: ChipConstants,
    /// Moves inside a core.
    pub local: LocalMoves,
    /// Products.
    pub product: ProductConstants,
    /// The fixpipe.
    pub drain: DrainConstants,
}

/// The clock frequency, and costs of a launch and of every instruction.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockConstants {
    pub mhz: Constant<i64>,
    pub launch_us: Constant<f64>,
    pub start: Constant<f64>,
    pub issue: Constant<f64>,
    pub scalar: Constant<f64>,
    pub handshake: Constant<f64>,
}

/// Costs that all vector instructions share.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VectorConstants {
    pub shortest: Constant<f64>,
    pub ragged: Constant<f64>,
    pub read_write: Constant<f64>,
    pub mask: Constant<f64>,
}

/// The cost of the instructions of one rate.
#[derive(Debug, Deserialize)]
pub struct Rate {
    pub names: Vec<String>,
    #[serde(default)]
    pub types: Vec<String>,
    #[serde(default)]
    pub fixed: f64,
    pub per_repeat: f64,
    #[serde(default)]
    pub per_eight: f64,
    #[serde(default)]
    pub unfilled: f64,
    #[serde(default)]
    pub shortest: f64,
    pub latency: f64,
}

/// A move between global memory and a core.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GlobalMove {
    pub near: Constant<[f64; 2]>,
    pub far: Constant<[f64; 2]>,
    #[serde(default)]
    pub cached: Option<Constant<[f64; 2]>>,
    pub burst: Constant<[f64; 2]>,
    pub misaligned: Constant<f64>,
}

/// Bytes that all lanes together move in a cycle.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChipConstants {
    pub load_ub: Constant<f64>,
    pub load_l1: Constant<f64>,
    pub cached_ub: Constant<f64>,
    pub cached_l1: Constant<f64>,
    pub store: Constant<f64>,
    pub mixed: Constant<f64>,
    pub drain: Constant<f64>,
    pub cache_bytes: Constant<i64>,
    pub together: Constant<f64>,
    pub misaligned_row: Constant<f64>,
}

/// Moves inside a core: cycles before the first byte, bytes in a cycle, cycles until the result is visible.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LocalMoves {
    pub ub_to_ub: Constant<[f64; 3]>,
    pub l1_to_l0a: Constant<[f64; 3]>,
    pub l1_to_l0b: Constant<[f64; 3]>,
    pub l1_to_bt: Constant<[f64; 3]>,
    pub fill_l1: Constant<[f64; 3]>,
}

/// Products.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProductConstants {
    pub fixed: Constant<f64>,
    pub tile: Constant<f64>,
    pub tile_float: Constant<f64>,
    pub latency: Constant<f64>,
}

/// The fixpipe.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrainConstants {
    pub shortest: Constant<f64>,
    pub rate: Constant<f64>,
    pub head: Constant<f64>,
    pub row: Constant<f64>,
    pub row_rate: Constant<f64>,
    pub odd: Constant<f64>,
}

/// Returns the rate of an instruction that reads `source` and writes `result`, or `None` if no row has it.
pub fn rate(opcode: Opcode, source: Option<DType>, result: Option<DType>) -> Option<&'static Rate> {
    RATES.get(&opcode)?.iter().copied().find(|rate| {
        rate.types.is_empty() || rate.types.iter().any(|text| is_type(text, source, result))
    })
}

/// Returns whether an instruction works on the types of a row (`half` or `half->float`).
fn is_type(text: &str, source: Option<DType>, result: Option<DType>) -> bool {
    let is = |dtype: Option<DType>, name: &str| dtype.is_some_and(|dtype| dtype.name() == name);
    match text.split_once("->") {
        Some((from, to)) => is(source, from) && is(result, to),
        // A single name is the type of the source; instructions without a source are listed by their result.
        None => is(source.or(result), text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use a2lint_isa::{Class, INSTRUCTIONS};

    #[test]
    fn every_constant_names_its_source() {
        let text = include_str!("constants.toml");
        let values = text.matches("value =").count();
        assert_eq!(values, text.matches("{ value =").count());
        assert!(
            values > 40 && text.matches("source = \"").count() == values + CONSTANTS.rate.len()
        );
    }

    #[test]
    fn every_row_names_instructions_and_types_that_exist() {
        for rate in &CONSTANTS.rate {
            for name in &rate.names {
                assert!(Opcode::function(name).is_some(), "{name}");
            }
            for name in rate.types.iter().flat_map(|text| text.split("->")) {
                assert!(DType::from_name(name).is_some(), "{name}");
            }
        }
    }

    #[test]
    fn every_vector_instruction_has_a_rate() {
        let works = INSTRUCTIONS.iter().filter(|row| {
            let classes = [
                Class::Binary,
                Class::Unary,
                Class::ScalarOp,
                Class::Fill,
                Class::Sequence,
                Class::Cast,
                Class::Reduce,
                Class::GroupReduce,
                Class::PairReduce,
                Class::ReduceIndex,
                Class::ReduceAll,
                Class::Broadcast,
                Class::Compare,
                Class::Select,
                Class::Gather,
                Class::Compact,
                Class::Sort,
                Class::Transpose,
            ];
            classes.contains(&row.class) && row.receiver.is_none()
        });
        for row in works {
            assert!(
                rate(row.opcode, None, None).is_some(),
                "{} has no rate of its own",
                row.name
            );
        }
    }
}

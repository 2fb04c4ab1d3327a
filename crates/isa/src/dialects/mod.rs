//! Defines dialects: the spelling of instructions in a language.
//!
//! An [`Instruction`] describes the effect of an instruction; its parameters are in canonical order under
//! canonical names. A [`Signature`] describes its calls in one dialect: the parameters, their order, names
//! and defaults, and the legal types. Most signatures are the canonical ones; a dialect lists its deviations
//! ([`Spelling`]).

mod ascendc;
mod ascriptor;
mod easyasc;

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::casts::{CastPair, cast_pair};
use super::signature::{Class, DefaultValue, Instruction, Param, ParamKind, RepeatFrom, TypeRule};
use super::table::{INSTRUCTIONS, Opcode};
use super::vocabulary::DType;

crate::named! {
    /// A language that kernels are written in.
    #[derive(
        Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
    )]
    pub enum Dialect {
        /// easyasc, the first dialect: kernels are traced, control flow and vector expressions are objects.
        #[default]
        Easyasc = "easyasc",
        /// Ascriptor, its successor: kernels are compiled, control flow is that of Python.
        Ascriptor = "ascriptor",
        /// The C++ library of the device.
        AscendC = "ascendc",
    }
    /// Returns the name in messages and JSON.
    fn name
}

/// Instructions that AscendC alone has.
const OF_ASCENDC: &[Opcode] = &[
    Opcode::AddRelu,
    Opcode::SubRelu,
    Opcode::MulAdd,
    Opcode::MulAddRelu,
    Opcode::CopyLanes,
    Opcode::VecIndex,
    Opcode::CmaxIndex,
    Opcode::CminIndex,
    Opcode::CmaxWhere,
    Opcode::CminWhere,
    Opcode::ReduceSum,
    Opcode::ReduceMax,
    Opcode::ReduceMin,
    Opcode::ReduceMaxIndex,
    Opcode::ReduceMinIndex,
    Opcode::MaskedSelect,
    Opcode::MaskedGather,
    Opcode::GatherMask,
    Opcode::LoadFractals,
    Opcode::MergeQueues,
    Opcode::MergeUntil,
    Opcode::ReadCount,
    Opcode::MultiplyGm,
];

/// The parameters of a padded load that only AscendC has: padding to the left and right of a row, and whether it
/// repeats the first element.
const ROW_FILLS: &[&str] = &["left_padding", "right_padding", "pad_with_first"];

/// The deviations of a dialect from the table.
struct Spellings {
    /// Instructions that it does not have.
    absent: &'static [&'static [Opcode]],
    /// Instructions with a signature of their own.
    spelled: &'static [(Opcode, &'static [Change])],
    /// Whether on-chip tensors have rows and columns.
    has_rows: bool,
    /// Whether the two sources of an instruction are called `src0` and `src1`.
    counts_from_zero: bool,
    /// Conversions of the table that it does not have, as (source, destination).
    without_casts: &'static [(DType, DType)],
    /// Short names of element types, in addition to those of `DT`.
    short_types: &'static [(DType, &'static str)],
    /// The element types that a fill takes, in words.
    fills: &'static str,
}

/// A way in which a signature differs from the row of the instruction.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// Another name of the instruction.
    Called(&'static str),
    /// The parameters, in order, by canonical name. Others cannot be given.
    Order(&'static [&'static str]),
    /// These cannot be given.
    Without(&'static [&'static str]),
    /// These cannot be given by position.
    KeywordOnly(&'static [&'static str]),
    /// These can be given by position.
    Positional(&'static [&'static str]),
    /// The canonical name and the name in the dialect, which accepts both.
    Renamed(&'static str, &'static str),
    /// These take any integer, not only one that is known while tracing.
    Integral(&'static [&'static str]),
    /// Another default.
    Default(&'static str, DefaultValue),
    /// Other element types.
    Types(TypeRule),
    /// Another rule for omitted repeat counts.
    Repeat(RepeatFrom),
}

/// The signature of an instruction in a dialect.
#[derive(Debug)]
pub struct Signature {
    /// The instruction.
    pub row: &'static Instruction,
    /// The dialect.
    pub dialect: Dialect,
    /// The name of the instruction in the dialect.
    pub name: &'static str,
    /// Legal element types.
    pub types: TypeRule,
    /// How an omitted repeat count is inferred.
    pub repeat: RepeatFrom,
    params: Vec<Spelled>,
}

/// A parameter as a dialect spells it.
#[derive(Clone, Copy, Debug)]
pub struct Spelled {
    /// The index among the parameters of the row.
    pub at: usize,
    /// Name, kind and default.
    pub param: Param,
}

impl Dialect {
    /// Returns the signature of an instruction; `None` if the dialect does not have it.
    pub fn signature(self, opcode: Opcode) -> Option<&'static Signature> {
        static ALL: LazyLock<Vec<Vec<Option<Signature>>>> = LazyLock::new(|| {
            let all = |&dialect: &Dialect| {
                let rows = INSTRUCTIONS.iter();
                rows.map(|row| Signature::of(dialect, row)).collect()
            };
            Dialect::ALL.iter().map(all).collect()
        });
        ALL[self as usize][opcode as usize].as_ref()
    }

    /// Returns the signatures of all instructions of the dialect.
    pub fn signatures(self) -> impl Iterator<Item = &'static Signature> {
        let rows = INSTRUCTIONS.iter();
        rows.filter_map(move |row| self.signature(row.opcode))
    }

    /// Returns the function called `name`.
    pub fn function(self, name: &str) -> Option<Opcode> {
        let opcode = Opcode::function(name)?;
        self.signature(opcode).map(|_| opcode)
    }

    /// Returns the name of a parameter in texts of the dialect.
    pub fn parameter(self, row: &Instruction, index: usize) -> Option<&'static str> {
        let name = row.param(index)?.name;
        let has = |name: &str| row.params().any(|param| param.name == name);
        let is_pair = has("src2") && !has("src3");
        Some(match name {
            "src1" if is_pair && self.spellings().counts_from_zero => "src0",
            "src2" if is_pair && self.spellings().counts_from_zero => "src1",
            name => name,
        })
    }

    /// Returns whether on-chip tensors have rows and columns; otherwise they are one-dimensional.
    pub fn has_rows(self) -> bool {
        self.spellings().has_rows
    }

    /// Returns the conversion from `src` to `dst`; `None` if the dialect does not have it.
    pub fn cast_pair(self, src: DType, dst: DType) -> Option<&'static CastPair> {
        let is_absent = self.spellings().without_casts.contains(&(src, dst));
        cast_pair(src, dst).filter(|_| !is_absent)
    }

    /// Returns the short name of an element type; `None` if it has none.
    pub fn short_type(self, dtype: DType) -> Option<&'static str> {
        let mut names = self.spellings().short_types.iter();
        names.find(|(of, _)| *of == dtype).map(|(_, name)| *name)
    }

    /// Returns the element types that a fill takes, in words.
    pub fn fills(self) -> &'static str {
        self.spellings().fills
    }

    fn spellings(self) -> &'static Spellings {
        match self {
            Dialect::Easyasc => &easyasc::SPELLINGS,
            Dialect::Ascriptor => &ascriptor::SPELLINGS,
            Dialect::AscendC => &ascendc::SPELLINGS,
        }
    }
}

impl std::fmt::Display for Dialect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Signature {
    fn of(dialect: Dialect, row: &'static Instruction) -> Option<Signature> {
        let spellings = dialect.spellings();
        if spellings.absent.concat().contains(&row.opcode) {
            return None;
        }
        let params = row.params().enumerate();
        let mut signature = Signature {
            row,
            dialect,
            name: row.name,
            types: row.types,
            repeat: row.repeat,
            params: params.map(|(at, &param)| Spelled { at, param }).collect(),
        };
        let spelled = spellings.spelled.iter();
        let own = spelled.filter(|(opcode, _)| *opcode == row.opcode);
        own.flat_map(|(_, changes)| *changes)
            .for_each(|change| signature.change(change));
        Some(signature)
    }

    fn change(&mut self, change: &Change) {
        let named = |names: &[&str], param: &Spelled| names.contains(&param.param.name);
        match *change {
            Change::Called(name) => self.name = name,
            Change::Order(names) => {
                let place =
                    |spelled: &Spelled| names.iter().position(|it| *it == spelled.param.name);
                self.params.retain(|spelled| named(names, spelled));
                // After `retain`, every parameter has a place in the list.
                self.params.sort_by_key(place);
            }
            Change::Without(names) => self.params.retain(|spelled| !named(names, spelled)),
            Change::KeywordOnly(names) => self.each(names, |param| param.keyword_only = true),
            Change::Positional(names) => self.each(names, |param| param.keyword_only = false),
            Change::Renamed(from, to) => self.each(&[from], |param| {
                // The canonical name is accepted as well; it replaces an alias of the row.
                param.alias = Some(param.name);
                param.name = to;
            }),
            Change::Integral(names) => self.each(names, |param| param.kind = ParamKind::Integer),
            Change::Default(name, default) => self.each(&[name], |param| param.default = default),
            Change::Types(types) => self.types = types,
            Change::Repeat(repeat) => self.repeat = repeat,
        }
    }

    fn each(&mut self, names: &[&str], change: impl Fn(&mut Param)) {
        let params = self.params.iter_mut().map(|spelled| &mut spelled.param);
        params
            .filter(|param| names.contains(&param.name))
            .for_each(change);
    }

    /// Returns the parameters in positional order, including the object of a method.
    pub fn params(&self) -> impl DoubleEndedIterator<Item = &Spelled> + Clone {
        self.params.iter()
    }

    /// Returns the parameter at an index of the row; `None` if it cannot be given.
    pub fn param(&self, at: usize) -> Option<&Param> {
        let mut params = self.params.iter();
        params
            .find(|spelled| spelled.at == at)
            .map(|spelled| &spelled.param)
    }

    /// Returns the index in the row of the parameter `name`.
    pub fn index_named(&self, name: &str) -> Option<usize> {
        let is_it = |param: &Param| param.name == name || param.alias == Some(name);
        let mut params = self.params.iter();
        params
            .find(|spelled| is_it(&spelled.param))
            .map(|spelled| spelled.at)
    }

    /// Returns whether the compiler silently ignores keywords that the signature does not have.
    pub fn ignores_keywords(&self) -> bool {
        match self.dialect {
            Dialect::Easyasc | Dialect::AscendC => false,
            Dialect::Ascriptor => !self.row.is_vector() || self.row.class == Class::Move,
        }
    }

    /// Returns the signature as text: `add(dst, src1, src2, repeat=None, …)`.
    pub fn text(&self) -> String {
        let shown = self.params.iter().map(|spelled| &spelled.param);
        let shown = shown.filter(|param| param.kind != ParamKind::Receiver);
        let (positional, keyword): (Vec<&Param>, Vec<&Param>) =
            shown.partition(|param| !param.keyword_only);
        let written = |param: &&Param| format!("{}{}", param.name, param.default.text());
        let mut parts: Vec<String> = positional.iter().map(written).collect();
        if !keyword.is_empty() {
            parts.push("*".to_owned());
            parts.extend(keyword.iter().map(written));
        }
        if self.row.is_open() {
            parts.push("…".to_owned());
        }
        let parts = parts.join(", ");
        match self.row.receiver {
            Some(receiver) => format!("{}.{}({parts})", receiver.name(), self.name),
            None => format!("{}({parts})", self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_name_parameters_that_there_are() {
        for dialect in Dialect::ALL {
            for (opcode, changes) in dialect.spellings().spelled {
                let row = opcode.row();
                let has = |name: &&str| row.params().any(|param| param.name == *name);
                for change in *changes {
                    let names: &[&str] = match change {
                        Change::Order(names)
                        | Change::Without(names)
                        | Change::KeywordOnly(names)
                        | Change::Positional(names)
                        | Change::Integral(names) => names,
                        Change::Renamed(name, _) | Change::Default(name, _) => &[name],
                        Change::Called(_) | Change::Types(_) | Change::Repeat(_) => &[],
                    };
                    assert!(names.iter().all(has), "{dialect} {}: {change:?}", row.name);
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_given_has_a_default() {
        for signature in Dialect::ALL.iter().flat_map(|dialect| dialect.signatures()) {
            for (at, param) in signature.row.params().enumerate() {
                let is_given = signature.param(at).is_some();
                let has_default = param.default != DefaultValue::Required;
                assert!(
                    is_given || has_default,
                    "{}: {}",
                    signature.row.name,
                    param.name
                );
            }
        }
    }

    #[test]
    fn the_two_dialects_gather_in_different_orders() {
        let text = |dialect: Dialect| dialect.signature(Opcode::Gather).map(Signature::text);
        let easyasc = "gather(dst, src, offset, repeat=None, dst_rep_stride=None, start_idx=0)";
        let ascriptor = "gather(dst, src, offset, start_idx=0, repeat=None, dst_rep_stride=None)";
        assert_eq!(text(Dialect::Easyasc).as_deref(), Some(easyasc));
        assert_eq!(text(Dialect::Ascriptor).as_deref(), Some(ascriptor));
        assert!(Dialect::Ascriptor.function("set_cmpmask").is_none());
    }
}

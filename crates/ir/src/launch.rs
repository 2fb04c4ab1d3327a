//! Defines launches: the arguments of kernel calls, as a file or a configuration states them.

mod formula;

pub use formula::{Formula, Unsolved};

use std::collections::BTreeSet;
use std::str::FromStr;

use super::arithmetic::whole;
use super::{DisplayName, ExtentName, ParamKind, Program};
use a2lint_isa::DType;
use a2lint_source::text::Span;

/// A launch: a kernel with concrete arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    /// Kernel name.
    pub kernel: DisplayName,
    /// Tensor arguments in order.
    pub tensors: Vec<LaunchTensor>,
    /// Scalar arguments by parameter name.
    pub scalars: Vec<(String, f64)>,
    /// The indices of scalars that are spelled as floats, such as `2.0`.
    pub floats: Vec<usize>,
    /// The place in the file; `None` for a launch of the configuration.
    pub span: Option<Span>,
    /// The place in another file of the project: `tests/test_rows.py:12`.
    pub place: Option<String>,
    /// The source of the launch.
    pub origin: LaunchOrigin,
    /// The number of cores; without it, the kernel or the device determines the number.
    pub block_dim: Option<u32>,
    /// Whether outputs start with the contents of their tensors; `None` where the launch does not state it.
    pub seeds_outputs: Option<bool>,
    /// The tensors that earlier launches have computed.
    pub passing: Passing,
}

/// The results of earlier launches that a launch takes as arguments.
#[derive(Clone, Debug, Default)]
pub struct Passing {
    /// The number by which later launches refer to this one; `None` if no code makes the launch.
    pub number: Option<u32>,
    /// The tensors that earlier launches have computed.
    pub passed: Vec<Passed>,
}

/// `number` does not take part: launches with the same arguments are equal.
impl PartialEq for Passing {
    fn eq(&self, other: &Passing) -> bool {
        self.passed == other.passed
    }
}

/// A tensor that an earlier launch has computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passed {
    /// The index of the tensor argument.
    pub argument: usize,
    /// The number of the earlier launch.
    pub launch: u32,
    /// The index among the outputs of that launch.
    pub output: usize,
}

/// The name of the launch argument that gives the number of cores.
pub const BLOCK_DIM: &str = "block_dim";

/// The source of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaunchOrigin {
    /// Code that calls the kernel.
    Code,
    /// Code of another file of the project that calls the kernel.
    Importer,
    /// The signature of the kernel, whose extents are all numbers.
    Signature,
    /// A comment above the kernel.
    Comment,
    /// The a2lint configuration file.
    Configuration,
}

impl Launch {
    /// Returns whether a scalar argument is a float; `None` where the launch does not pass it.
    pub fn is_float(&self, name: &str) -> Option<bool> {
        let at = self.scalars.iter().position(|(key, _)| key == name)?;
        Some(self.floats.contains(&at) || self.scalars[at].1.fract() != 0.0)
    }
}

/// A tensor argument of a launch.
#[derive(Clone, Debug, PartialEq)]
pub struct LaunchTensor {
    /// Element type; `None` where the file does not say.
    pub dtype: Option<DType>,
    /// Extents; `None` where the file does not say.
    pub shape: Option<Vec<i64>>,
    /// Name that each extent was spelled with, if it was a name.
    pub spelled: Vec<Option<String>>,
    /// Initial contents.
    pub init: TensorInit,
}

/// Initial contents of a tensor argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TensorInit {
    /// Standard normal values.
    Normal,
    /// Normal values with a mean and a deviation.
    NormalOf(f64, f64),
    /// Uniform in [0, 1).
    Uniform,
    /// Uniform between two numbers.
    UniformIn(f64, f64),
    /// One value everywhere.
    Full(f64),
    /// 0, 1, 2, …
    Arange,
    /// An arithmetic sequence: its start and its step.
    Steps(f64, f64),
    /// Computed by code that is not evaluated.
    Computed,
    /// Not said: any values of the operator's domain.
    Any,
    /// Integers in a range.
    Integers(i64, i64),
    /// Not initialised.
    Empty,
}

impl Program {
    /// Returns the extent of this name.
    pub fn extent_named(&self, name: &str) -> Option<&ExtentName> {
        self.extent_names.iter().find(|extent| extent.name == name)
    }

    /// Returns the names that can be bound to a value: scalar parameters, names of extents in launches, in
    /// the contract and in the signature, and the number of cores.
    pub fn bindable<'a>(&'a self, launches: &'a [Launch]) -> BTreeSet<&'a str> {
        let is_scalar = |kind| matches!(kind, ParamKind::Variable(_));
        let scalars = self.params.iter().filter(|param| is_scalar(param.kind));
        let own = launches.iter().filter(|launch| launch.kernel == self.name);
        let tensors = own.flat_map(|launch| &launch.tensors);
        let spelled = tensors.flat_map(|tensor| tensor.spelled.iter().flatten());
        scalars
            .map(|param| param.name.as_str())
            .chain(spelled.map(String::as_str))
            .chain(self.contract.extents())
            .chain(self.extent_names.iter().map(|extent| extent.name.as_str()))
            .chain([BLOCK_DIM])
            .collect()
    }
}

/// A launch with named arguments, as comments and configurations spell it.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenLaunch {
    /// Kernel name.
    pub kernel: DisplayName,
    /// Arguments by parameter name.
    pub arguments: Vec<(String, Argument)>,
}

/// An argument of a [`GivenLaunch`]: `1280`, or a tensor as `half[M, 64]`.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// The value of a scalar parameter, or of the name of an extent.
    Number(f64),
    /// Such a value, before it is computed from the other arguments ([`solve`]).
    Formula(Formula),
    /// A tensor.
    Tensor {
        /// The element type of the tensor, where it is given.
        dtype: Option<DType>,
        /// The extents of the tensor.
        extents: Vec<Extent>,
    },
}

/// An extent of a tensor argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Extent {
    /// A number.
    Number(i64),
    /// The value of another argument.
    Name(String),
    /// A number, before it is computed from the other arguments ([`solve`]).
    Formula(Formula),
}

impl Launch {
    /// Formats the place of a launch that is not in the file.
    pub fn elsewhere(&self) -> String {
        match &self.place {
            Some(place) => format!("the launch at {place}"),
            None => "a launch of the configuration".to_owned(),
        }
    }
}

impl FromStr for Argument {
    type Err = String;

    fn from_str(text: &str) -> Result<Argument, String> {
        let text = text.trim();
        let Some((dtype, extents)) = text.split_once('[') else {
            // Digits may be grouped: `1_280`.
            let number = text.replace('_', "").parse().ok();
            // `parse` accepts `inf` and `nan`.
            let number = number.filter(|number: &f64| number.is_finite());
            let whole = text.replace('_', "").parse::<i128>().ok();
            if whole.is_some_and(|whole| number.is_some_and(|number| number as i128 != whole)) {
                return Err(format!(
                    "`{text}` is too large: whole numbers are exact up to 2^53"
                ));
            }
            if let Some(number) = number {
                return Ok(Argument::Number(number));
            }
            let is_word = text.chars().all(|c| c.is_alphanumeric() || c == '_');
            let formula = text.parse().ok().filter(|_| !is_word);
            return formula.map(Argument::Formula).ok_or_else(|| {
                format!("`{text}` is neither a number nor a tensor such as `half[M, 64]`")
            });
        };
        let dtype = match dtype.trim() {
            "" => None,
            name => {
                let known = DType::from_spelling(name);
                Some(known.ok_or_else(|| format!("`{name}` is no element type"))?)
            }
        };
        let extents = extents.strip_suffix(']');
        let extents = extents.ok_or_else(|| format!("`{text}` does not end with `]`"))?;
        let extents: Result<Vec<Extent>, String> = extents.split(',').map(extent).collect();
        let extents = extents?;
        Ok(Argument::Tensor { dtype, extents })
    }
}

fn extent(text: &str) -> Result<Extent, String> {
    let text = text.trim();
    let starts_name = |first: char| first.is_alphabetic() || first == '_';
    let is_name =
        text.starts_with(starts_name) && text.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_name {
        return Ok(Extent::Name(text.to_owned()));
    }
    let number = text.replace('_', "").parse().ok();
    if let Some(number) = number.filter(|number: &i64| *number >= 0) {
        return Ok(Extent::Number(number));
    }
    let is_negative = text.starts_with('-');
    let formula = text.parse().ok().filter(|_| !is_negative);
    formula
        .map(Extent::Formula)
        .ok_or_else(|| format!("`{text}` is neither an extent nor the name of one"))
}

/// Computes the formulas among arguments; names in them are other arguments.
///
/// # Errors
/// The position of an argument without a value, and the reason.
pub fn solve(arguments: &mut [(String, Argument)]) -> Result<(), (usize, Unsolved)> {
    // An argument may depend on a later one, so that at most as many rounds as arguments are needed.
    let mut open = Ok(());
    for _ in 0..=arguments.len() {
        let numbers: Vec<(String, i64)> = arguments
            .iter()
            .filter_map(|(name, argument)| match argument {
                Argument::Number(value) => Some((name.clone(), whole(*value)?)),
                _ => None,
            })
            .collect();
        let of = |name: &str| {
            let known = numbers.iter().find(|(known, _)| known == name);
            known.map(|(_, value)| *value)
        };
        open = Ok(());
        for (at, (_, argument)) in arguments.iter_mut().enumerate() {
            if let Err(unsolved) = argument.solve(&of) {
                open = open.and(Err((at, unsolved)));
            }
        }
        if open.is_ok() {
            break;
        }
    }
    open
}

impl Argument {
    fn solve(&mut self, of: &dyn Fn(&str) -> Option<i64>) -> Result<(), Unsolved> {
        match self {
            Argument::Number(_) => {}
            Argument::Formula(formula) => *self = Argument::Number(formula.value(of)? as f64),
            Argument::Tensor { extents, .. } => {
                for extent in extents {
                    if let Extent::Formula(formula) = extent {
                        let value = formula.value(of)?;
                        if value < 0 {
                            let because = format!("an extent of it is {value}");
                            return Err(Unsolved::Because(because));
                        }
                        *extent = Extent::Number(value);
                    }
                }
            }
        }
        Ok(())
    }
}

impl GivenLaunch {
    /// Returns the launch of a kernel with these arguments: of a comment if it has a place, otherwise of the
    /// configuration.
    pub fn of(&self, program: &Program, span: Option<Span>) -> Launch {
        let is_tensor = |kind| matches!(kind, ParamKind::Global(_));
        let tensors = program.params.iter().filter(|param| is_tensor(param.kind));
        let scalars = self
            .arguments
            .iter()
            .filter_map(|(name, argument)| match argument {
                Argument::Number(value) => Some((name.clone(), *value)),
                Argument::Formula(_) | Argument::Tensor { .. } => None,
            });
        Launch {
            kernel: program.name.clone(),
            tensors: tensors.map(|param| self.tensor(&param.name)).collect(),
            scalars: scalars.collect(),
            // The spelling of these numbers is not kept, so that only a fraction makes one a float
            // (`Launch::is_float`).
            floats: Vec::new(),
            span,
            place: None,
            seeds_outputs: None,
            passing: Passing::default(),
            block_dim: match self.argument(BLOCK_DIM) {
                // A kernel may have a parameter of this name; the argument is for that parameter then.
                Some(Argument::Number(cores)) if !has_param(program, BLOCK_DIM) => {
                    let cores = whole(*cores).filter(|&cores| cores >= 1);
                    cores.and_then(|cores| u32::try_from(cores).ok())
                }
                _ => None,
            },
            origin: match span {
                Some(_) => LaunchOrigin::Comment,
                None => LaunchOrigin::Configuration,
            },
        }
    }

    /// Returns the names of arguments that a kernel does not use.
    pub fn strangers<'a>(&'a self, program: &'a Program) -> impl Iterator<Item = &'a str> {
        let tensors = self
            .arguments
            .iter()
            .filter_map(|(_, argument)| match argument {
                Argument::Tensor { extents, .. } => Some(extents),
                Argument::Number(_) | Argument::Formula(_) => None,
            });
        let extents: Vec<String> = tensors.flatten().filter_map(spelling).collect();
        let names = self.arguments.iter().map(|(name, _)| name.as_str());
        names.filter(move |&name| {
            let is_extent = extents.iter().any(|extent| extent == name);
            !is_extent && name != BLOCK_DIM && !has_param(program, name)
        })
    }

    fn argument(&self, name: &str) -> Option<&Argument> {
        let mut arguments = self.arguments.iter();
        arguments
            .find(|(key, _)| key == name)
            .map(|(_, argument)| argument)
    }

    /// Returns the type and shape that are given for a tensor parameter.
    fn tensor(&self, name: &str) -> LaunchTensor {
        let mut tensor = LaunchTensor {
            dtype: None,
            shape: None,
            spelled: Vec::new(),
            init: TensorInit::Normal,
        };
        if let Some(Argument::Tensor { dtype, extents }) = self.argument(name) {
            tensor.dtype = *dtype;
            tensor.shape = extents.iter().map(|extent| self.extent(extent)).collect();
            tensor.spelled = extents.iter().map(spelling).collect();
        }
        tensor
    }

    fn extent(&self, extent: &Extent) -> Option<i64> {
        match extent {
            Extent::Number(value) => Some(*value),
            Extent::Name(name) => match self.argument(name)? {
                Argument::Number(value) => whole(*value),
                _ => None,
            },
            Extent::Formula(_) => None,
        }
    }
}

fn has_param(program: &Program, name: &str) -> bool {
    program.params.iter().any(|param| param.name == name)
}

fn spelling(extent: &Extent) -> Option<String> {
    match extent {
        Extent::Number(_) | Extent::Formula(_) => None,
        Extent::Name(name) => Some(name.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_numbers_or_tensors() {
        let parse = |text: &str| text.parse::<Argument>();
        assert_eq!(parse(" 1_280 "), Ok(Argument::Number(1280.0)));
        assert_eq!(parse("-0.5"), Ok(Argument::Number(-0.5)));
        let tensor = |dtype, extents: &[Extent]| {
            let extents = extents.to_vec();
            Ok(Argument::Tensor { dtype, extents })
        };
        let m = Extent::Name("M".to_owned());
        let wide = Extent::Number(64);
        assert_eq!(
            parse("half[M, 64]"),
            tensor(Some(DType::Half), &[m.clone(), wide])
        );
        assert_eq!(parse("[M]"), tensor(None, &[m]));
        for wrong in [
            "",
            "many",
            "nan",
            "half",
            "quarter[4]",
            "half[4",
            "half[-1]",
            "[4,]",
            "[4]x",
            "2 ** 3",
            "half[2 *]",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn formulas_take_numbers_of_other_arguments() {
        let given = |texts: &[(&str, &str)]| {
            let all = texts.iter();
            let mut all: Vec<(String, Argument)> = all
                .map(|(name, text)| ((*name).to_owned(), text.parse().unwrap()))
                .collect();
            solve(&mut all).map(|()| all)
        };
        let solved = given(&[
            ("x", "int32_t[total, 2 * rows]"),
            ("total", "rows*256"),
            ("rows", "37"),
        ]);
        let solved = solved.unwrap();
        let extents = vec![Extent::Name("total".to_owned()), Extent::Number(74)];
        assert_eq!(
            solved[0].1,
            Argument::Tensor {
                dtype: Some(DType::Int),
                extents
            }
        );
        assert_eq!(solved[1].1, Argument::Number(9472.0));
        assert_eq!(
            given(&[("a", "1 + b"), ("b", "1 + a")]),
            Err((0, Unsolved::Missing("b".to_owned())))
        );
        assert!(matches!(
            given(&[("x", "[2 - 3]")]),
            Err((0, Unsolved::Because(_)))
        ));
    }
}

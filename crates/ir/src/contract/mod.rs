//! Defines contracts: the launches that a kernel is written for, as the comments above it state them.

mod parse;

pub use parse::{Part, Unread, conditions, shapes};

use super::arithmetic::whole;
use super::{CompareOp, Launch, Param, ParamKind, Program};
use a2lint_isa::DType;
use a2lint_source::text::Span;

/// What the comments above a kernel demand of its launches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contract {
    /// The conditions of `assume(…)`.
    pub conditions: Vec<Condition>,
    /// The shapes of `shapes(…)`.
    pub tensors: Vec<TensorForm>,
    /// Whether a part of the contract could not be read, so that the set of launches that it allows is not
    /// known.
    pub is_unclear: bool,
}

impl Contract {
    /// Adds the demands of another contract.
    pub fn extend(&mut self, more: &Contract) {
        self.conditions.extend(more.conditions.iter().cloned());
        self.tensors.extend(more.tensors.iter().cloned());
    }
}

/// A condition on the numbers of a launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Its text in the source.
    pub text: String,
    /// Its place in the source.
    pub span: Span,
    /// The form that is compared.
    pub form: Form,
    /// The relation that the form satisfies.
    pub relation: Relation,
}

/// The relation that a condition demands of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The form compares so with 0.
    Order(CompareOp),
    /// The form has, or does not have, this remainder when it is divided by a positive number.
    Residue {
        /// The divisor.
        modulus: i64,
        /// The remainder.
        remainder: i64,
        /// Whether the remainder has to be equal (`==`) rather than different (`!=`).
        holds: bool,
    },
}

/// `constant + coefficient * name + …`: names ascending, no coefficient 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// The number without a name.
    pub constant: i64,
    /// Names with their coefficients.
    pub terms: Vec<(String, i64)>,
}

/// The type and shape that a contract demands of a tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorForm {
    /// Its text in the source: `x=half[M, D]`.
    pub text: String,
    /// Its place in the source.
    pub span: Span,
    /// The parameter.
    pub name: String,
    /// The element type of the tensor, where that is said.
    pub dtype: Option<DType>,
    /// The extents of the tensor.
    pub extents: Vec<Form>,
}

/// The arguments of a launch, as far as they are known.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// Scalars and extents that have names.
    pub numbers: Vec<(String, f64)>,
    /// Tensors.
    pub tensors: Vec<GivenTensor>,
}

/// A tensor of a launch.
#[derive(Clone, Debug)]
pub struct GivenTensor {
    /// The parameter.
    pub name: String,
    /// The element type of the tensor.
    pub dtype: Option<DType>,
    /// The extents of the tensor.
    pub shape: Option<Vec<i64>>,
}

/// A part of a contract that a launch breaks.
#[derive(Clone, Debug, PartialEq)]
pub struct Breach {
    /// The part, as it is written.
    pub wanted: String,
    /// Its place in the source.
    pub span: Span,
    /// The values of the launch: `M = 0`, `x is float[100, 65]`.
    pub found: String,
}

impl Breach {
    /// Returns the breach as a clause: `` `N % 64 == 0`, but N = 100 ``.
    pub fn clause(&self) -> String {
        format!("`{}`, but {}", self.wanted, self.found)
    }
}

impl Form {
    /// Makes the form of a single name.
    pub fn name(name: &str) -> Form {
        Form {
            constant: 0,
            terms: vec![(name.to_owned(), 1)],
        }
    }

    /// Makes the form of a number.
    pub fn number(constant: i64) -> Form {
        Form {
            constant,
            terms: Vec::new(),
        }
    }

    /// Returns the name if the form is a single name.
    pub fn as_name(&self) -> Option<&str> {
        match (&self.terms[..], self.constant) {
            ([(name, 1)], 0) => Some(name),
            _ => None,
        }
    }

    /// Returns the number if the form has no names.
    pub fn as_number(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// Returns the names of the form.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().map(|(name, _)| name.as_str())
    }

    /// Returns `self + factor * other`; `None` where a number overflows 64 bits.
    pub fn plus_times(&self, other: &Form, factor: i64) -> Option<Form> {
        let mut sum = self.clone();
        sum.constant = sum
            .constant
            .checked_add(other.constant.checked_mul(factor)?)?;
        for (name, coefficient) in &other.terms {
            let more = coefficient.checked_mul(factor)?;
            match sum.terms.binary_search_by(|(known, _)| known.cmp(name)) {
                Ok(at) => sum.terms[at].1 = sum.terms[at].1.checked_add(more)?,
                Err(at) => sum.terms.insert(at, (name.clone(), more)),
            }
        }
        sum.terms.retain(|(_, coefficient)| *coefficient != 0);
        Some(sum)
    }

    /// Returns the product of forms; `None` if two of them have names, or a number overflows 64 bits.
    pub fn product(forms: &[Form]) -> Option<Form> {
        forms.iter().try_fold(Form::number(1), |all, form| {
            match (all.as_number(), form.as_number()) {
                (Some(number), _) => Form::default().plus_times(form, number),
                (None, Some(number)) => Form::default().plus_times(&all, number),
                (None, None) => None,
            }
        })
    }

    /// Returns the value of the form; `None` where a name has none.
    pub fn value(&self, of: impl Fn(&str) -> Option<i64>) -> Option<i128> {
        let mut sum = i128::from(self.constant);
        for (name, coefficient) in &self.terms {
            sum = sum.checked_add(i128::from(*coefficient) * i128::from(of(name)?))?;
        }
        Some(sum)
    }
}

impl Condition {
    /// Returns whether the condition holds; `None` where a name has no value.
    pub fn holds(&self, of: impl Fn(&str) -> Option<i64>) -> Option<bool> {
        let value = self.form.value(of)?;
        Some(match self.relation {
            Relation::Order(op) => op.holds(value.cmp(&0)),
            Relation::Residue {
                modulus,
                remainder,
                holds,
            } => (value.rem_euclid(modulus.into()) == i128::from(remainder)) == holds,
        })
    }
}

impl Contract {
    /// Returns whether the contract demands nothing.
    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty() && self.tensors.is_empty() && !self.is_unclear
    }

    /// Names of extents.
    pub fn extents(&self) -> impl Iterator<Item = &str> {
        let forms = self.tensors.iter().flat_map(|tensor| &tensor.extents);
        forms.flat_map(Form::names)
    }

    /// Returns the demands on a tensor; `None` if there are none.
    pub fn tensor(&self, name: &str) -> Option<&TensorForm> {
        self.tensors.iter().find(|tensor| tensor.name == name)
    }

    /// Returns the shape of a tensor under these values of names; `None` where the contract does not mention
    /// the tensor, or a name has no value.
    pub fn shape(&self, name: &str, of: impl Fn(&str) -> Option<i64>) -> Option<Vec<i64>> {
        let extents = &self.tensor(name)?.extents;
        let extents = extents.iter().map(|extent| {
            let value = extent.value(&of)?;
            i64::try_from(value).ok()
        });
        extents.collect()
    }

    /// Returns the parts of the contract that a launch violates. An unknown argument of the launch violates
    /// nothing.
    pub fn breaches(&self, given: &Given) -> Vec<Breach> {
        let conditions = self
            .conditions
            .iter()
            .filter_map(|it| it.breach(self, given));
        let tensors = self.tensors.iter().filter_map(|it| it.breach(self, given));
        conditions.chain(tensors).collect()
    }

    /// Returns the parts of the contract as they are written.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let conditions = self.conditions.iter().map(|it| it.text.as_str());
        conditions.chain(self.tensors.iter().map(|it| it.text.as_str()))
    }
}

impl Condition {
    fn breach(&self, contract: &Contract, given: &Given) -> Option<Breach> {
        let odd = |name: &&str| {
            given
                .number(contract, name)
                .is_some_and(|it| it.fract() != 0.0)
        };
        let is_broken = match self.form.names().find(odd) {
            // A condition is about integers, so a fractional value violates it, whatever the comparison would
            // give.
            Some(_) => true,
            None => !self.holds(|name| given.whole(contract, name))?,
        };
        is_broken.then(|| Breach {
            wanted: self.text.clone(),
            span: self.span,
            found: given.values(contract, self.form.names()),
        })
    }
}

impl TensorForm {
    fn breach(&self, contract: &Contract, given: &Given) -> Option<Breach> {
        let mut tensors = given.tensors.iter();
        let tensor = tensors.find(|tensor| tensor.name == self.name)?;
        let is_other_type = self.dtype.zip(tensor.dtype).is_some_and(|(a, b)| a != b);
        let is_other_shape = tensor.shape.as_ref().is_some_and(|shape| {
            let value = |form: &Form| form.value(|name| given.whole(contract, name));
            let mut axes = self.extents.iter().map(value).zip(shape);
            shape.len() != self.extents.len()
                || axes.any(|(wanted, &is)| wanted.is_some_and(|it| it != i128::from(is)))
        });
        if !is_other_type && !is_other_shape {
            return None;
        }
        let names = self.extents.iter().flat_map(Form::names);
        let (values, tensor) = (given.values(contract, names), tensor.text());
        let found = match values.is_empty() || !is_other_shape {
            true => tensor,
            false => format!("{tensor} and {values}"),
        };
        Some(Breach {
            wanted: self.text.clone(),
            span: self.span,
            found,
        })
    }
}

impl Given {
    /// Returns the value of a name: of the scalar, or of the first extent that consists of the name alone.
    pub fn number(&self, contract: &Contract, name: &str) -> Option<f64> {
        let named = self.numbers.iter().find(|(known, _)| known == name);
        named.map(|(_, value)| *value).or_else(|| {
            contract.tensors.iter().find_map(|form| {
                let axis = form
                    .extents
                    .iter()
                    .position(|it| it.as_name() == Some(name))?;
                let tensor = self.tensors.iter().find(|it| it.name == form.name)?;
                let shape = tensor.shape.as_ref()?;
                (shape.len() == form.extents.len()).then(|| shape[axis] as f64)
            })
        })
    }

    /// Returns the value of a name if it is an integer.
    pub fn whole(&self, contract: &Contract, name: &str) -> Option<i64> {
        whole(self.number(contract, name)?)
    }

    /// Formats values of names, as `M = 0, N = 64`.
    fn values<'n>(&self, contract: &Contract, names: impl Iterator<Item = &'n str>) -> String {
        let mut texts: Vec<String> = Vec::new();
        for name in names {
            let value = self.number(contract, name);
            let text = value.map(|value| format!("{name} = {value}"));
            texts.extend(text.filter(|text| !texts.contains(text)));
        }
        texts.join(", ")
    }
}

impl GivenTensor {
    /// Formats a tensor of a launch, as `x is half[100, 64]`.
    fn text(&self) -> String {
        let dtype = self.dtype.map_or(String::new(), |dtype| dtype.to_string());
        let shape = self.shape.as_ref().map_or(String::new(), |shape| {
            let extents: Vec<String> = shape.iter().map(i64::to_string).collect();
            format!("[{}]", extents.join(", "))
        });
        format!("{} is {dtype}{shape}", self.name)
    }
}

impl Launch {
    /// Returns the arguments that the launch passes to a kernel, with `bindings` in place of its own numbers.
    /// With bindings, the shapes of tensors are not known: they may depend on the numbers that were replaced.
    pub fn given(&self, program: &Program, bindings: &[(String, f64)]) -> Given {
        let names = program.bindable(std::slice::from_ref(self));
        let bindings = bindings
            .iter()
            .filter(|(name, _)| names.contains(name.as_str()));
        let bindings: Vec<(String, f64)> = bindings.cloned().collect();
        let is_bound = |name: &str| bindings.iter().any(|(known, _)| known == name);
        let mut numbers = bindings.clone();
        let own = self.scalars.iter().filter(|(name, _)| !is_bound(name));
        numbers.extend(own.cloned());
        let is_tensor = |kind| matches!(kind, ParamKind::Global(_));
        let params = program.params.iter().filter(|param| is_tensor(param.kind));
        let params: Vec<&Param> = params.collect();
        // Tensors are matched by position: if the launch leaves one out, no tensor can be attributed to a
        // parameter.
        let has_all = params.len() == self.tensors.len();
        let tensors = params
            .into_iter()
            .filter(|_| has_all)
            .zip(&self.tensors)
            .map(|(param, tensor)| GivenTensor {
                name: param.name.to_string(),
                dtype: tensor.dtype,
                shape: tensor.shape.clone().filter(|_| bindings.is_empty()),
            });
        Given {
            numbers,
            tensors: tensors.collect(),
        }
    }
}

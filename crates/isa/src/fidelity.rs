//! Describes how close the simulated result of each instruction is to that of a device.

use crate::role::Operator;
use crate::{Class, DType, Instruction, Opcode, Role};

/// How close the simulated result of an instruction is to that of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fidelity {
    /// Bit-identical, according to public documents.
    Exact,
    /// Not bit-identical; the difference, as a clause.
    Approximate(&'static str),
}

/// The clause for sums of floats. The rounding error grows with the number of terms and their magnitude.
const OTHER_ORDER: &str = "a device may add in another order, which rounds otherwise";
/// The clause for functions without a published error bound.
const NO_BOUND: &str = "rounded once here; no bound is published for a device";

impl Instruction {
    /// Returns the fidelity of the instruction for elements of a type.
    pub fn fidelity(&self, dtype: DType) -> Fidelity {
        use Fidelity::{Approximate, Exact};
        if !dtype.is_float() {
            return Exact;
        }
        match self.opcode {
            Opcode::Exp if dtype == DType::Float => {
                Approximate("a 910B3 differs by up to 2.4e-7 and takes denormals as 0 (measured)")
            }
            Opcode::Rsqrt if dtype == DType::Float => {
                Approximate("a 910B3 is right to 2^-11 (measured); the manual says worse than 1e-4")
            }
            Opcode::Rsqrt | Opcode::Rec => {
                Approximate("the manual says worse than 1e-4 in float and 1e-3 in half")
            }
            Opcode::Div => Approximate("a device differs by up to one unit in the last place"),
            Opcode::Exp | Opcode::Ln | Opcode::Sqrt => Approximate(NO_BOUND),
            _ if self.adds_up() => Approximate(OTHER_ORDER),
            _ => Exact,
        }
    }

    /// Returns whether the instruction sums several elements.
    fn adds_up(&self) -> bool {
        match self.class {
            Class::Matmul => true,
            Class::Reduce | Class::GroupReduce | Class::PairReduce | Class::ReduceAll => {
                self.role == Role::Computes(Operator::Add)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_approximate_where_a_device_is_known_to_differ() {
        let is_exact = |opcode: Opcode, dtype| opcode.row().fidelity(dtype) == Fidelity::Exact;
        for opcode in [
            Opcode::Exp,
            Opcode::Ln,
            Opcode::Rec,
            Opcode::Rsqrt,
            Opcode::Div,
            Opcode::Cadd,
            Opcode::Mmad,
        ] {
            assert!(!is_exact(opcode, DType::Float), "{}", opcode.row().name);
        }
        for opcode in [Opcode::Adds, Opcode::Muls, Opcode::Cmax, Opcode::Cast] {
            assert!(is_exact(opcode, DType::Float), "{}", opcode.row().name);
        }
        assert!(is_exact(Opcode::Mmad, DType::Int));
    }
}

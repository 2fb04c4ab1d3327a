//! Finds the indices of parameters at compile time. Code reads arguments by the names in the table; if a row
//! moves a parameter, the code follows it, and if a row drops one, the code does not compile.

use super::signature::{Class, Instruction, Param, ParamKind};
use super::table::{INSTRUCTIONS, Opcode};

/// Gives the index of a parameter: `param!(Mmad.is_init)`. Several instructions, or all of a class, must have
/// it at the same index: `param!(L0cToGmNd
/// L0cToGmNz.relu)`, `param!(class Binary.src2)`.
#[macro_export]
macro_rules! param {
    (class $($class:ident)|+ . $name:ident) => {
        const {
            $crate::index_in_classes(&[$($crate::Class::$class),+], stringify!($name))
        }
    };
    ($($opcode:ident)|+ . $name:ident) => {
        const {
            $crate::index_in_rows(&[$($crate::Opcode::$opcode),+], stringify!($name))
        }
    };
}

/// Gives the index of a parameter among those of kind [`ParamKind::Integer`](crate::ParamKind), as vector
/// calls store them: `integer!(MergeSort4.repeat)`.
#[macro_export]
macro_rules! integer {
    ($($opcode:ident)|+ . $name:ident) => {
        const {
            $crate::index_among_integers(
                &[$($crate::Opcode::$opcode),+],
                stringify!($name),
            )
        }
    };
}

/// The index of the operand `dst`, which is equal in all instructions that have one.
pub const DST: usize = index_of_written();

/// The index of the first operand that is only read, in all instructions with a `dst`, whatever its name.
pub const SRC: usize = index_of_first_read();

/// The indices of the two factors of a product.
pub const FACTORS: [usize; 2] = [
    same(Some(param!(Mmad.src_a)), param!(Matmul.l1a)),
    same(Some(param!(Mmad.src_b)), param!(Matmul.l1b)),
];

/// Returns the index that a parameter has in all of these rows.
pub const fn index_in_rows(opcodes: &[Opcode], name: &str) -> usize {
    let mut found = None;
    let mut at = 0;
    // `while` loops throughout this file, since `for` is not allowed in a const function.
    while at < opcodes.len() {
        found = Some(same(
            found,
            index_in(&INSTRUCTIONS[opcodes[at] as usize], name),
        ));
        at += 1;
    }
    found.expect("an instruction is named")
}

/// Returns the index that a parameter has in all rows of these classes.
pub const fn index_in_classes(classes: &[Class], name: &str) -> usize {
    let mut found = None;
    let mut at = 0;
    while at < INSTRUCTIONS.len() {
        let row = &INSTRUCTIONS[at];
        let mut of = 0;
        while of < classes.len() {
            // A derived `PartialEq` cannot be called in a const function.
            if row.class as usize == classes[of] as usize {
                found = Some(same(found, index_in(row, name)));
            }
            of += 1;
        }
        at += 1;
    }
    found.expect("a class has instructions")
}

/// Returns the index that a parameter has among the integers of all of these rows.
pub const fn index_among_integers(opcodes: &[Opcode], name: &str) -> usize {
    let mut found = None;
    let mut at = 0;
    while at < opcodes.len() {
        let row = &INSTRUCTIONS[opcodes[at] as usize];
        let (index, mut before, mut integers) = (index_in(row, name), 0, 0);
        while before < index {
            // Counts the integers before the parameter: vector calls store the integers only, in the order of
            // the row.
            integers += is_integer(param_at(row, before)) as usize;
            before += 1;
        }
        assert!(
            is_integer(param_at(row, index)),
            "the parameter is no integer"
        );
        found = Some(same(found, integers));
        at += 1;
    }
    found.expect("an instruction is named")
}

const fn is_integer(param: &Param) -> bool {
    matches!(param.kind, ParamKind::Integer)
}

const fn index_of_written() -> usize {
    let mut found = None;
    let mut at = 0;
    while at < INSTRUCTIONS.len() {
        let mut index = 0;
        while index < INSTRUCTIONS[at].head.len() {
            let param = &INSTRUCTIONS[at].head[index];
            if let Some(operand) = param.operand()
                && is_equal(param.name, "dst")
            {
                assert!(operand.access.writes(), "`dst` is written");
                found = Some(same(found, index));
            }
            index += 1;
        }
        at += 1;
    }
    found.expect("instructions have a `dst`")
}

const fn index_of_first_read() -> usize {
    let mut found = None;
    let mut at = 0;
    while at < INSTRUCTIONS.len() {
        let head = INSTRUCTIONS[at].head;
        let mut index = 0;
        let writes =
            !head.is_empty() && head[DST].operand().is_some() && is_equal(head[DST].name, "dst");
        while writes && index < head.len() {
            if let Some(operand) = head[index].operand()
                && !operand.access.writes()
            {
                found = Some(same(found, index));
                break;
            }
            index += 1;
        }
        at += 1;
    }
    found.expect("instructions read something")
}

const fn same(found: Option<usize>, index: usize) -> usize {
    if let Some(found) = found {
        assert!(
            found == index,
            "rows have the parameter at different places"
        );
    }
    index
}

const fn index_in(row: &Instruction, name: &str) -> usize {
    let mut at = 0;
    while at < row.head.len() + row.tail.params().len() {
        if is_equal(param_at(row, at).name, name) {
            return at;
        }
        at += 1;
    }
    panic!("the row has no parameter of this name")
}

const fn param_at(row: &Instruction, at: usize) -> &'static Param {
    match at < row.head.len() {
        true => &row.head[at],
        false => &row.tail.params()[at - row.head.len()],
    }
}

const fn is_equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_those_of_the_names() {
        for row in INSTRUCTIONS {
            for (at, param) in row.params().enumerate() {
                assert_eq!(
                    index_in(row, param.name),
                    at,
                    "{}: {}",
                    row.name,
                    param.name
                );
            }
        }
    }

    #[test]
    fn operands_lead_but_for_what_vector_instructions_work_in() {
        for row in INSTRUCTIONS.iter().filter(|row| row.is_vector()) {
            for (among_operands, (index, operand)) in row.operands().enumerate() {
                let is_scratch = !operand.access.reads() && index > 0;
                assert!(among_operands == index || is_scratch, "{}", row.name);
            }
        }
    }

    #[test]
    #[should_panic(expected = "no parameter of this name")]
    fn other_names_do_not_compile() {
        index_in(Opcode::Mmad.row(), "relu");
    }

    #[test]
    #[should_panic(expected = "different places")]
    fn rows_that_differ_do_not_compile() {
        index_in_rows(&[Opcode::Gather, Opcode::Brcb], "repeat");
    }
}

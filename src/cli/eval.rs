//! `a2lint eval`: the effect of mask instructions.

mod gather_mask;
mod tsel;

use clap::{Args, Subcommand};

use super::output::Streams;
use super::{Failure, Status};
use a2lint_ir::KnownColumnMask;
use a2lint_isa::masks::zero_column::Shape;
use a2lint_report::zero_column;
use gather_mask::GatherMaskArgs;
use tsel::TselArgs;

/// Options of `eval`.
#[derive(Debug, Args)]
pub struct EvalArgs {
    /// The instruction.
    #[command(subcommand)]
    pub instruction: Instruction,
}

/// Mask instructions.
#[derive(Debug, Subcommand)]
pub enum Instruction {
    /// Show the zero-column mask of a PTX `tcgen05.mma.ws`: the mask, column 0 in the lowest bit,
    /// the fields of the descriptor, and the columns.
    ZeroColumnMask(ZeroColumnMaskArgs),
    /// Show what an AscendC `GatherMask` takes: the elements of each repeat, the length of the
    /// destination, rsvdCnt, and how far it reads.
    GatherMask(GatherMaskArgs),
    /// Show which source a PTO `TSEL` takes for each element, with the bytes of the mask.
    Tsel(TselArgs),
}

/// Options of `eval zero-column-mask`.
#[derive(Debug, Args)]
pub struct ZeroColumnMaskArgs {
    /// The 64-bit descriptor, in hexadecimal.
    #[arg(long, value_name = "HEX", value_parser = hexadecimal)]
    pub descriptor: u64,
    /// Rows of the result.
    #[arg(long, value_name = "M", value_parser = ["32", "64", "128"])]
    pub m: String,
    /// Columns of the result.
    #[arg(long, value_name = "N", value_parser = ["64", "128", "256"])]
    pub n: String,
}

/// Prints what an instruction selects.
pub fn run(args: &EvalArgs, streams: &Streams) -> Result<Status, Failure> {
    let text = match &args.instruction {
        Instruction::ZeroColumnMask(args) => {
            zero_column::render(&KnownColumnMask::constant(args.descriptor, args.shape()))
        }
        Instruction::GatherMask(args) => args.render(),
        Instruction::Tsel(args) => args.render(),
    };
    streams.show(text)?;
    Ok(Status::Clean)
}

impl ZeroColumnMaskArgs {
    fn shape(&self) -> Shape {
        let [rows, columns] =
            [&self.m, &self.n].map(|text| text.parse().expect("only numbers pass"));
        Shape::new(rows, columns).expect("only extents of the instruction pass")
    }
}

/// Parses a hexadecimal number with an optional `0x`; digits may be separated by `_`.
fn hexadecimal(text: &str) -> Result<u64, String> {
    let digits = text.trim().replace('_', "");
    let digits = digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"))
        .unwrap_or(&digits);
    let plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    match u64::from_str_radix(digits, 16) {
        Ok(value) if plain => Ok(value),
        _ if plain && digits.len() > 16 => Err("more than 64 bits".to_owned()),
        _ => Err("not a hexadecimal number".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_hexadecimal() {
        let value = Ok(0x0003_0281_0000_0000);
        for text in ["0x0003028100000000", "3028100000000", "0X3_0281_0000_0000"] {
            assert_eq!(hexadecimal(text), value, "{text}");
        }
        for text in ["", "0x", "+1", "-1", "xyz"] {
            assert_eq!(
                hexadecimal(text),
                Err("not a hexadecimal number".to_owned())
            );
        }
        let long = "0x10000000000000000";
        assert_eq!(hexadecimal(long), Err("more than 64 bits".to_owned()));
    }
}

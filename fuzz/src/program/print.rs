//! Programs as the text of a kernel.

use std::fmt::{self, Display, Formatter, Write};

use a2lint::isa::Class;

use super::{BUFFERS, Condition, Expr, Length, Op, SCALARS, Stmt, Tile, Vector, Window};

/// The kernel with this body.
pub fn kernel(types: &[&str; SCALARS], body: &[Stmt]) -> String {
    let mut text = String::from(
        "from easyasc.a2 import *\n\n\n@kernel(mode=\"vec\")\n\
         def random_kernel(x: GMTensor, g: GMTensor, z: GMTensor, y: GMTensor, N: Var, K: Var):\n",
    );
    for it in BUFFERS {
        let [rows, columns] = it.shape;
        let _ = writeln!(
            text,
            "    {} = {}(DT.{}, [{rows}, {columns}], Position.UB)",
            it.name, it.constructor, it.dtype
        );
    }
    for (scalar, dtype) in types.iter().enumerate() {
        let _ = writeln!(text, "    s{scalar} = Var({scalar}, DT.{dtype})");
    }
    block(&mut text, 1, body);
    text.push_str("    return y\n");
    text
}

fn block(text: &mut String, depth: usize, body: &[Stmt]) {
    if body.is_empty() {
        line(text, depth, "pass");
    }
    for stmt in body {
        statement(text, depth, stmt);
    }
}

fn line(text: &mut String, depth: usize, what: impl Display) {
    let _ = writeln!(text, "{}{what}", "    ".repeat(depth));
}

fn statement(text: &mut String, depth: usize, stmt: &Stmt) {
    match stmt {
        Stmt::Assign {
            scalar,
            adds,
            value,
        } => {
            let operator = if *adds { "+=" } else { "<<=" };
            line(text, depth, format_args!("s{scalar} {operator} {value}"));
        }
        Stmt::Read { scalar, row } => {
            line(text, depth, format_args!("at{depth} = Var({row})"));
            let view = format!("z[at{depth}:at{depth} + 1, 0:1]");
            line(text, depth, format_args!("s{scalar}.GetValueFrom({view})"));
        }
        Stmt::Loop {
            depth: counter,
            bounds: [start, stop, step],
            body,
        } => {
            let header = format!("for i{counter} in range({start}, {stop}, {step}):");
            line(text, depth, header);
            block(text, depth + 1, body);
        }
        Stmt::If { arms, otherwise } => {
            for (at, (condition, body)) in arms.iter().enumerate() {
                let word = if at == 0 { "if" } else { "elif" };
                line(text, depth, format_args!("{word} {condition}:"));
                block(text, depth + 1, body);
            }
            if !otherwise.is_empty() {
                line(text, depth, "else:");
                block(text, depth + 1, otherwise);
            }
        }
        Stmt::Leave {
            condition,
            is_break,
        } => {
            line(text, depth, format_args!("if {condition}:"));
            let call = if *is_break { "break_()" } else { "continue_()" };
            line(text, depth + 1, call);
        }
        Stmt::Load { tile, window } => {
            let tensor = if tile.is_half() { "g" } else { "x" };
            line(text, depth, format_args!("{tile} <<= {tensor}{window}"));
        }
        Stmt::Store { tile, window } => line(text, depth, format_args!("y{window} <<= {tile}")),
        Stmt::Copy { to, from } => line(text, depth, format_args!("ub_to_ub({to}, {from})")),
        Stmt::Vector(vector) => line(text, depth, vector),
        Stmt::SetMask { high, low } => line(text, depth, format_args!("set_mask({high}, {low})")),
        Stmt::ResetMask => line(text, depth, "reset_mask()"),
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Int(value) => write!(f, "{value}"),
            Expr::Scalar(at) => write!(f, "s{at}"),
            Expr::Counter(depth) => write!(f, "i{depth}"),
            Expr::Parameter(name) => f.write_str(name),
            Expr::Query(name) => write!(f, "{name}()"),
            Expr::Binary(op, a, b) => match op {
                Op::Add => write!(f, "({a} + {b})"),
                Op::Sub => write!(f, "({a} - {b})"),
                Op::Mul => write!(f, "({a} * {b})"),
                Op::Div => write!(f, "({a} // {b})"),
                Op::Mod => write!(f, "var_mod({a}, {b})"),
                Op::CeilDiv => write!(f, "CeilDiv({a}, {b})"),
                Op::Min => write!(f, "Min({a}, {b})"),
                Op::Max => write!(f, "Max({a}, {b})"),
                Op::And => write!(f, "var_and({a}, {b})"),
                Op::Or => write!(f, "var_or({a}, {b})"),
                Op::Shl => write!(f, "var_shl({a}, {b})"),
                Op::Shr => write!(f, "var_shr({a}, {b})"),
            },
        }
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Compare(op, a, b) => write!(f, "{a} {op} {b}"),
            Condition::Both(a, b) => write!(f, "({a}) and ({b})"),
            Condition::Either(a, b) => write!(f, "({a}) or ({b})"),
        }
    }
}

impl Tile {
    /// Whether its elements are halves.
    pub fn is_half(&self) -> bool {
        BUFFERS[self.buffer].dtype == "half"
    }
}

impl Display for Tile {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let buffer = &BUFFERS[self.buffer];
        f.write_str(buffer.name)?;
        if buffer.slots > 1 {
            write!(f, "[{}]", self.slot)?;
        }
        if let Some([[top, bottom], [left, right]]) = &self.window {
            write!(f, "[{top}:{bottom}, {left}:{right}]")?;
        }
        Ok(())
    }
}

impl Display for Window {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ([top, bottom], [left, right]) = (&self.rows, &self.columns);
        write!(f, "[{top}:{bottom}, {left}:{right}]")
    }
}

impl Display for Vector {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let row = self.opcode.row();
        write!(f, "{}(", row.name)?;
        for (at, operand) in self.operands.iter().enumerate() {
            let separator = if at == 0 { "" } else { ", " };
            write!(f, "{separator}{operand}")?;
        }
        if let Some(scalar) = &self.scalar {
            write!(f, ", {scalar}")?;
        }
        if row.class == Class::Compare {
            f.write_str(", CompareMode.LT")?;
        }
        match &self.length {
            Length::Inferred => {}
            Length::Repeat(repeat) => write!(f, ", repeat={repeat}")?,
            Length::Count(count) => write!(f, ", count={count}")?,
            Length::CountPerRepeat(count) => write!(f, ", count_per_rep={count}")?,
        }
        for (name, stride) in &self.strides {
            write!(f, ", {name}={stride}")?;
        }
        f.write_str(")")
    }
}

//! Integer arithmetic in the arguments of launches: `37 * 256`, `(rows + 15) / 16 * 16`.

use std::str::FromStr;

use a2lint_source::text::Slice;

/// The greatest nesting of brackets and signs. The parser recurses, so it bounds the stack.
const MAX_DEPTH: usize = 16;
/// The largest number of operators of a formula.
const MAX_OPERATORS: usize = 64;

/// A formula over integers and the names of other arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula(Node);

#[derive(Clone, Debug, PartialEq)]
enum Node {
    Number(i64),
    Name(String),
    Negative(Box<Node>),
    Operation(Operator, Box<[Node; 2]>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Operator {
    Plus,
    Minus,
    Times,
    /// Rounds down.
    Over,
    Modulo,
}

/// The reason why a formula has no value.
#[derive(Clone, Debug, PartialEq)]
pub enum Unsolved {
    /// No argument gives this name a number.
    Missing(String),
    /// Any other reason, as a clause.
    Because(String),
}

impl Formula {
    /// Returns the value of the formula; `of` returns the numbers of names.
    ///
    /// # Errors
    /// A name without a number, a division by zero, or a value beyond 64 bits.
    pub fn value(&self, of: &dyn Fn(&str) -> Option<i64>) -> Result<i64, Unsolved> {
        self.0.value(of)
    }
}

impl Node {
    fn value(&self, of: &dyn Fn(&str) -> Option<i64>) -> Result<i64, Unsolved> {
        let too_large = || Unsolved::Because("its value does not fit into 64 bits".to_owned());
        match self {
            Node::Number(value) => Ok(*value),
            Node::Name(name) => of(name).ok_or_else(|| Unsolved::Missing(name.clone())),
            Node::Negative(inner) => inner.value(of)?.checked_neg().ok_or_else(too_large),
            Node::Operation(operator, sides) => {
                let [a, b] = &**sides;
                let (a, b) = (a.value(of)?, b.value(of)?);
                let value = match operator {
                    Operator::Plus => a.checked_add(b),
                    Operator::Minus => a.checked_sub(b),
                    Operator::Times => a.checked_mul(b),
                    Operator::Over | Operator::Modulo if b == 0 => {
                        return Err(Unsolved::Because("it divides by 0".to_owned()));
                    }
                    Operator::Over => a.checked_div_euclid(b),
                    Operator::Modulo => a.checked_rem_euclid(b),
                };
                value.ok_or_else(too_large)
            }
        }
    }
}

impl FromStr for Formula {
    type Err = String;

    fn from_str(text: &str) -> Result<Formula, String> {
        let mut reader = Reader {
            rest: text,
            depth: 0,
            operators: 0,
        };
        let node = reader.sum()?;
        match reader.rest.trim_start() {
            "" => Ok(Formula(node)),
            rest => Err(format!("`{rest}` cannot be read as arithmetic")),
        }
    }
}

struct Reader<'t> {
    rest: &'t str,
    depth: usize,
    operators: usize,
}

impl Reader<'_> {
    fn takes(&mut self, sign: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn operation(&mut self, operator: Operator, a: Node, b: Node) -> Result<Node, String> {
        self.operators += 1;
        match self.operators > MAX_OPERATORS {
            true => Err(format!("it has more than {MAX_OPERATORS} operators")),
            false => Ok(Node::Operation(operator, Box::new([a, b]))),
        }
    }

    fn sum(&mut self) -> Result<Node, String> {
        let mut sum = self.product()?;
        loop {
            let operator = match () {
                () if self.takes("+") => Operator::Plus,
                () if self.takes("-") => Operator::Minus,
                () => return Ok(sum),
            };
            let next = self.product()?;
            sum = self.operation(operator, sum, next)?;
        }
    }

    fn product(&mut self) -> Result<Node, String> {
        let mut product = self.factor()?;
        loop {
            let operator = match () {
                () if self.takes("*") => Operator::Times,
                () if self.takes("//") || self.takes("/") => Operator::Over,
                () if self.takes("%") => Operator::Modulo,
                () => return Ok(product),
            };
            let next = self.factor()?;
            product = self.operation(operator, product, next)?;
        }
    }

    fn factor(&mut self) -> Result<Node, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("it nests more than {MAX_DEPTH} brackets"));
        }
        let node = match () {
            () if self.takes("-") => Node::Negative(Box::new(self.factor()?)),
            () if self.takes("(") => {
                let inner = self.sum()?;
                if !self.takes(")") {
                    return Err("a closing bracket is missing".to_owned());
                }
                inner
            }
            () => self.leaf()?,
        };
        self.depth -= 1;
        Ok(node)
    }

    fn leaf(&mut self) -> Result<Node, String> {
        let text = self.rest.trim_start();
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
        let word = text.part(..end);
        self.rest = text.part(end..);
        if word.is_empty() {
            return Err(match text {
                "" => "a number or a name is missing at the end".to_owned(),
                _ => format!("`{text}` is where a number or a name should be"),
            });
        }
        if word.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return Ok(Node::Name(word.to_owned()));
        }
        let number = word.replace('_', "").parse();
        number
            .map(Node::Number)
            .map_err(|_| format!("`{word}` is no integer of 64 bits"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_integer_arithmetic() {
        let of = |name: &str| match name {
            "rows" => Some(37),
            "tiling.cols" => Some(256),
            _ => None,
        };
        let value = |text: &str| text.parse::<Formula>().unwrap().value(&of);
        for (text, expected) in [
            ("37*256", 9472),
            ("rows * tiling.cols", 9472),
            ("(rows + 15) / 16 * 16", 48),
            ("rows // 16 - -1", 3),
            ("2 + 3 * 4 % 5", 4),
            ("1_024", 1024),
        ] {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
        assert_eq!(value("rows * n"), Err(Unsolved::Missing("n".to_owned())));
        assert!(matches!(
            value("1 / (rows - 37)"),
            Err(Unsolved::Because(_))
        ));
        assert!(matches!(
            value("9223372036854775807 + 1"),
            Err(Unsolved::Because(_))
        ));
    }

    #[test]
    fn what_is_no_arithmetic_is_refused() {
        let deep = "(".repeat(40) + "1" + &")".repeat(40);
        let long = "1+".repeat(70) + "1";
        for text in [
            "", "2 *", "(1", "1)", "2 ** 3", "1.5 * 2", "a[1]", &deep, &long,
        ] {
            assert!(text.parse::<Formula>().is_err(), "{text}");
        }
    }
}

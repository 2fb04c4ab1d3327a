//! Parses the text of contracts: sums of names with coefficients, comparisons, shapes.

use std::ops::Range;

use super::{Form, Relation};
use crate::CompareOp;
use a2lint_isa::DType;
use a2lint_source::text::Slice;

/// Why a product cannot be read, and what can stand for it.
const PRODUCT: &str =
    "a product of two names is not read; in `shapes(…)` a name of its own can stand for it";

/// The greatest nesting of brackets. The parser recurses, so it bounds the stack.
const MAX_DEPTH: usize = 16;
/// The largest number of names in a sum.
const MAX_NAMES: usize = 16;
/// The largest number of conditions, or shapes, of one comment.
const MAX_PARTS: usize = 64;
/// The largest number of extents of a tensor.
const MAX_RANK: usize = 8;

/// One condition, or the shape of one tensor, and where in the text it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Part<T> {
    /// The byte range of the part in the text.
    pub range: Range<usize>,
    /// The parsed part.
    pub parsed: T,
}

/// The place and the reason of a syntax error.
#[derive(Clone, Debug, PartialEq)]
pub struct Unread {
    /// The byte range of the faulty text.
    pub range: Range<usize>,
    /// The reason, as a clause.
    pub reason: String,
}

/// A comparison that a condition makes.
pub type Comparison = (Form, Relation);
/// The name of a tensor, its element type, its extents.
pub type Shape = (String, Option<DType>, Vec<Form>);

type Read<T> = Result<T, Unread>;

/// Returns the conditions of `(M >= 1, N % 64 == 0)`, and where their closing bracket ends; `None` where the
/// text has no such brackets. `1 <= M <= 64` is two.
pub fn conditions(text: &str) -> Option<Read<Vec<Part<Comparison>>>> {
    in_brackets(text, |reader| reader.conditions())
}

/// Returns the shapes of `(x=half[M, 64], y=[M, N])`; `None` where the text has no such brackets.
pub fn shapes(text: &str) -> Option<Read<Vec<Part<Shape>>>> {
    in_brackets(text, |reader| reader.shapes())
}

fn in_brackets<T>(text: &str, read: fn(&mut Reader) -> Read<T>) -> Option<Read<T>> {
    let start = text.len() - text.trim_start().len();
    let inner = text.part(start..).strip_prefix('(')?;
    // The closing bracket is found first: text after it is not a part of the contract.
    let mut depth = 1_usize;
    let end = inner.find(|c| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    let mut reader = Reader {
        text: text.part(..start + 1 + end),
        at: start + 1,
        depth: 0,
    };
    Some(read(&mut reader))
}

struct Reader<'t> {
    /// The text up to the closing bracket.
    text: &'t str,
    at: usize,
    depth: usize,
}

/// One side of a comparison.
enum Side {
    Sum(Form),
    /// The remainder of a sum divided by a positive number.
    Rest(Form, i64),
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.part(self.at..)
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn is_at_end(&mut self) -> bool {
        self.skip_space();
        self.rest().is_empty()
    }

    /// Takes a sign, if it comes next.
    fn takes(&mut self, sign: &str) -> bool {
        self.skip_space();
        let is_next = self.rest().starts_with(sign);
        if is_next {
            self.at += sign.len();
        }
        is_next
    }

    /// Takes a name or a number, if one comes next.
    fn word(&mut self) -> Option<Range<usize>> {
        self.skip_space();
        let rest = self.rest();
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        // `0.5` is one word, which is no integer, and `tiling.rows` the name of a field.
        let end = rest.find(|c| !(is_part(c) || c == '.'));
        let length = end.unwrap_or(rest.len());
        let start = self.at;
        self.at += length;
        (length > 0).then_some(start..self.at)
    }

    fn fails<T>(&self, start: usize, reason: impl Into<String>) -> Read<T> {
        Err(Unread {
            range: start..self.at.max(start),
            reason: reason.into(),
        })
    }

    /// Names what was expected in place of what comes next.
    fn expected<T>(&mut self, what: &str) -> Read<T> {
        self.skip_space();
        let start = self.at;
        let next = self
            .rest()
            .find([',', ' ', ')', ']'])
            .unwrap_or(self.rest().len());
        // At least one character, so that the message shows a separator that is found in place of the
        // expected text.
        let first = self.rest().chars().next().map_or(0, char::len_utf8);
        self.at += next.max(first);
        match self.text.part(start..self.at) {
            "" => self.fails(start, format!("{what} is missing at the end")),
            found => self.fails(start, format!("`{found}` is where {what} should be")),
        }
    }

    fn conditions(&mut self) -> Read<Vec<Part<Comparison>>> {
        let mut all = Vec::new();
        while !self.is_at_end() {
            let start = self.at;
            self.chain(&mut all)?;
            if all.len() > MAX_PARTS {
                return self.fails(start, format!("more than {MAX_PARTS} conditions"));
            }
            if !self.takes(",") && !self.takes_and() && !self.is_at_end() {
                return self.expected("a comma");
            }
        }
        Ok(all)
    }

    fn takes_and(&mut self) -> bool {
        let before = self.at;
        let is_and = self
            .word()
            .is_some_and(|word| self.text.part(word) == "and");
        if !is_and {
            self.at = before;
        }
        is_and
    }

    /// Parses a chain of comparisons: `1 <= M <= 64`.
    fn chain(&mut self, all: &mut Vec<Part<Comparison>>) -> Read<()> {
        let mut start = self.at;
        let mut left = self.side()?;
        let mut number = 0;
        while let Some(op) = self.comparison() {
            self.skip_space();
            let middle = self.at;
            let right = self.side()?;
            let parsed = match compared(left, op, &right) {
                Ok(parsed) => parsed,
                Err(reason) => return self.fails(start, reason),
            };
            let range = start..self.at;
            all.push(Part { range, parsed });
            // In `1 <= M <= 64` the middle belongs to both comparisons.
            (left, start) = (right, middle);
            number += 1;
            if number > MAX_PARTS {
                return self.fails(start, format!("more than {MAX_PARTS} comparisons"));
            }
        }
        match number {
            0 => self.expected("a comparison"),
            _ => Ok(()),
        }
    }

    fn comparison(&mut self) -> Option<CompareOp> {
        use CompareOp::{Eq, Ge, Gt, Le, Lt, Ne};
        // The longer operators first: `<` matches the beginning of `<=`, too.
        [Eq, Ne, Le, Ge, Lt, Gt]
            .into_iter()
            .find(|op| self.takes(op.symbol()))
    }

    /// Parses a sum, or the remainder of one.
    fn side(&mut self) -> Read<Side> {
        let start = self.at;
        let mut sum = Form::default();
        let mut sign = 1;
        loop {
            match self.product()? {
                Side::Sum(part) => match sum.plus_times(&part, sign) {
                    Some(more) if more.terms.len() > MAX_NAMES => {
                        return self.fails(start, format!("a sum of more than {MAX_NAMES} names"));
                    }
                    Some(more) => sum = more,
                    None => return self.fails(start, "its numbers are too large"),
                },
                rest if sum == Form::default() && sign == 1 => {
                    self.skip_space();
                    return match self.rest().starts_with(['+', '-']) {
                        true => self.fails(start, "`%` is compared with a number, not added to"),
                        false => Ok(rest),
                    };
                }
                Side::Rest(..) => {
                    return self.fails(start, "`%` is compared with a number, not added to");
                }
            }
            // A sign after this one belongs to the number.
            sign = match self.takes("+") {
                true => 1,
                false if self.takes("-") => -1,
                false => return Ok(Side::Sum(sum)),
            };
        }
    }

    /// Parses a product or a remainder: `2 * M`, `M % 64`.
    fn product(&mut self) -> Read<Side> {
        self.skip_space();
        let start = self.at;
        let mut product = self.factor()?;
        loop {
            if self.takes("**") || self.takes("//") || self.takes("/") {
                return self.fails(start, "only `+`, `-`, `*` with a number, and `%` are read");
            }
            if self.takes("*") {
                let factor = self.factor()?;
                let (form, number) = match (product.as_number(), factor.as_number()) {
                    (_, Some(number)) => (product, number),
                    (Some(number), _) => (factor, number),
                    _ => return self.fails(start, PRODUCT),
                };
                match Form::default().plus_times(&form, number) {
                    Some(form) => product = form,
                    None => return self.fails(start, "its numbers are too large"),
                }
                continue;
            }
            if !self.takes("%") {
                return Ok(Side::Sum(product));
            }
            let modulus = self.factor()?;
            let modulus = modulus.as_number().filter(|&modulus| modulus > 0);
            let Some(modulus) = modulus else {
                return self.fails(
                    start,
                    "`%` needs a positive number on its right: a contract cannot say that one size divides another",
                );
            };
            self.skip_space();
            return match self.rest().starts_with(['*', '%']) {
                true => self.fails(start, "`%` is compared with a number, not multiplied"),
                false => Ok(Side::Rest(product, modulus)),
            };
        }
    }

    /// Parses a name, a number, a sum in brackets, or one of them with a sign.
    fn factor(&mut self) -> Read<Form> {
        self.skip_space();
        let start = self.at;
        let mut is_negative = false;
        // A loop rather than a recursion: a long row of signs must not exhaust the stack.
        while self.takes("-") {
            is_negative = !is_negative;
        }
        let form = match self.takes("(") {
            true => self.bracket(start)?,
            false => self.leaf()?,
        };
        match is_negative {
            false => Ok(form),
            true => match Form::default().plus_times(&form, -1) {
                Some(form) => Ok(form),
                None => self.fails(start, "its numbers are too large"),
            },
        }
    }

    fn bracket(&mut self, start: usize) -> Read<Form> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fails(
                start,
                format!("more than {MAX_DEPTH} brackets inside each other"),
            );
        }
        let inner = self.side()?;
        self.depth -= 1;
        match inner {
            _ if !self.takes(")") => self.expected("a closing bracket"),
            Side::Sum(form) => Ok(form),
            Side::Rest(..) => self.fails(start, "`%` is compared with a number, not part of a sum"),
        }
    }

    fn leaf(&mut self) -> Read<Form> {
        let Some(word) = self.word() else {
            return self.expected("a name or a number");
        };
        let (start, text) = (word.start, self.text.part(word));
        if !text.starts_with(|c: char| c.is_ascii_digit()) {
            return match text {
                "and" | "or" | "not" | "in" | "is" => self.fails(
                    start,
                    format!("`{text}` is where a name or a number should be"),
                ),
                _ => Ok(Form::name(text)),
            };
        }
        match text.replace('_', "").parse() {
            Ok(number) => Ok(Form::number(number)),
            Err(_) => self.fails(start, format!("`{text}` is no integer of 64 bits")),
        }
    }

    fn shapes(&mut self) -> Read<Vec<Part<Shape>>> {
        let mut all = Vec::new();
        while !self.is_at_end() {
            let start = self.at;
            let parsed = self.shape()?;
            let range = start..self.at;
            all.push(Part { range, parsed });
            if all.len() > MAX_PARTS {
                return self.fails(start, format!("more than {MAX_PARTS} tensors"));
            }
            if !self.takes(",") && !self.is_at_end() {
                return self.expected("a comma");
            }
        }
        Ok(all)
    }

    /// Parses the shape of a tensor: `x=half[M, 64]`.
    fn shape(&mut self) -> Read<Shape> {
        let Some(name) = self.word() else {
            return self.expected("the name of a tensor");
        };
        if !self.takes("=") {
            return self.expected("`=`");
        }
        let dtype = match self.word() {
            Some(word) => {
                let (start, text) = (word.start, self.text.part(word));
                match DType::from_spelling(text) {
                    Some(dtype) => Some(dtype),
                    None => return self.fails(start, format!("`{text}` is no element type")),
                }
            }
            None => None,
        };
        if !self.takes("[") {
            return self.expected("`[` and extents");
        }
        let mut extents = Vec::new();
        loop {
            let start = self.at;
            match self.side()? {
                Side::Sum(form) if form.as_number().is_none_or(|number| number >= 0) => {
                    extents.push(form);
                }
                Side::Sum(_) => return self.fails(start, "an extent is not negative"),
                Side::Rest(..) => return self.fails(start, "`%` is not read in an extent"),
            }
            if extents.len() > MAX_RANK {
                return self.fails(name.start, format!("more than {MAX_RANK} extents"));
            }
            if self.takes("]") {
                return Ok((self.text.part(name).to_owned(), dtype, extents));
            }
            if !self.takes(",") {
                return self.expected("`,` or `]`");
            }
        }
    }
}

/// Returns a comparison as a relation of a form with 0, or with its remainder.
fn compared(left: Side, op: CompareOp, right: &Side) -> Result<Comparison, String> {
    let (form, modulus, other) = match (left, right) {
        (Side::Sum(left), Side::Sum(right)) => {
            let gap = left.plus_times(right, -1);
            let gap = gap.ok_or("its numbers are too large")?;
            return match gap.terms.is_empty() {
                true => Err("it compares numbers alone".to_owned()),
                false => Ok((gap, Relation::Order(op))),
            };
        }
        (Side::Rest(form, modulus), Side::Sum(other)) => (form, modulus, other.clone()),
        (Side::Sum(other), Side::Rest(form, modulus)) => (form.clone(), *modulus, other),
        (Side::Rest(..), Side::Rest(..)) => return Err("`%` is compared with a number".to_owned()),
    };
    let remainder = other.as_number().ok_or("`%` is compared with a number")?;
    let holds = match op {
        CompareOp::Eq => true,
        CompareOp::Ne => false,
        _ => return Err("`%` is compared with `==` or `!=`".to_owned()),
    };
    match form.terms.is_empty() {
        true => Err("it compares numbers alone".to_owned()),
        false => Ok((
            form,
            Relation::Residue {
                modulus,
                remainder,
                holds,
            },
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of some values of `M` satisfy conditions.
    fn allowed(text: &str, values: impl Iterator<Item = i64>) -> Vec<i64> {
        let all = conditions(text).expect(text).expect(text);
        let holds = |value: &i64| {
            all.iter().all(|part| {
                let (form, relation) = part.parsed.clone();
                let condition = super::super::Condition {
                    text: String::new(),
                    span: Default::default(),
                    form,
                    relation,
                };
                condition.holds(|_| Some(*value)) == Some(true)
            })
        };
        values.filter(holds).collect()
    }

    #[test]
    fn conditions_mean_what_python_means() {
        let cases: [(&str, &[i64]); 14] = [
            ("(M + -1 == 1)", &[2]),
            ("(0 - -M == - -3)", &[3]),
            ("(M >= 1, M < 4)", &[1, 2, 3]),
            ("( 1 <= M <= 3 )", &[1, 2, 3]),
            ("(1 <= M and M != 2 and M <= 3)", &[1, 3]),
            ("(M % 3 == 1)", &[-8, -5, -2, 1, 4, 7]),
            ("(M % 3 != 1, M > 0, M < 7)", &[2, 3, 5, 6]),
            ("(0 == (M + 1) % 4)", &[-5, -1, 3, 7]),
            ("(2 * M - 1 == 2 + M)", &[3]),
            ("(-M >= -(2 - 1 + 1), -M < 1)", &[0, 1, 2]),
            ("(2 * M % 8 == 4)", &[-6, -2, 2, 6]),
            ("(M == 1_0 - 8)", &[2]),
            ("(M % 4 == 4)", &[]),
            ("(M * 3 > 20)  # a remark)", &[7, 8]),
        ];
        for (text, expected) in cases {
            assert_eq!(allowed(text, -8..9), expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_linear_is_named_at_its_place() {
        for (text, place, reason) in [
            ("(M * N > 1)", "M * N", "product of two names"),
            ("(N >= 1, M // 2 > 1)", "M //", "only `+`"),
            ("(M % N == 0)", "M % N", "a positive number on its right"),
            ("(M % 0 == 0)", "M % 0", "a positive number on its right"),
            ("(M % 4 > 0)", "M % 4 > 0", "`==` or `!=`"),
            ("(M % 4 + 1 == 0)", "M % 4", "not added to"),
            ("(1 + M % 4 == 0)", "1 + M % 4", "not added to"),
            ("(M)", "", "a comparison is missing at the end"),
            ("(M > 0.5)", "0.5", "no integer"),
            ("(1 > 0)", "1 > 0", "numbers alone"),
            ("(M > 0 or N > 0)", "or", "a comma should be"),
            ("(M > )", "", "a name or a number is missing"),
            (
                "(M > 99999999999999999999)",
                "99999999999999999999",
                "64 bits",
            ),
            ("(M = 4)", "=", "a comparison should be"),
            (
                "(M > 9223372036854775807 + 1)",
                "9223372036854775807 + 1",
                "too large",
            ),
            ("(行 > @)", "@", "a name or a number should be"),
        ] {
            let unread = conditions(text).expect(text).expect_err(text);
            assert!(unread.reason.contains(reason), "{text}: {}", unread.reason);
            assert_eq!(text[unread.range].trim(), place, "{text}");
        }
        assert_eq!(conditions("M > 0"), None);
        assert_eq!(conditions("(M > 0"), None);
        let deep = format!("({}M{} > 0)", "(".repeat(40), ")".repeat(40));
        assert!(conditions(&deep).expect("closed").is_err());
        let long = format!("({})", vec!["M > 0"; 100].join(", "));
        assert!(conditions(&long).expect("closed").is_err());
        let chain = format!("(M{})", " < M".repeat(100));
        assert!(conditions(&chain).expect("closed").is_err());
    }

    #[test]
    fn any_text_is_read_or_named() {
        let tokens = [
            "M",
            "行",
            "64",
            "0.5",
            "1_0",
            "(",
            ")",
            "[",
            "]",
            ",",
            "=",
            "==",
            "<",
            ">=",
            "%",
            "*",
            "+",
            "-",
            "/",
            " ",
            "and",
            "or",
            "half",
            "x=",
            "é",
            "9223372036854775807",
            "\t",
            "@",
        ];
        let mut seed = 11_u64;
        let mut draw = |below: usize| {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 33) as usize % below
        };
        for _ in 0..20_000 {
            let length = draw(14);
            let inner: String = (0..length).map(|_| tokens[draw(tokens.len())]).collect();
            let text = format!("({inner})");
            let ranges = [
                conditions(&text).map(|read| read.map(|_| ()).map_err(|it| it.range)),
                shapes(&text).map(|read| read.map(|_| ()).map_err(|it| it.range)),
            ];
            for range in ranges.into_iter().flatten().filter_map(Result::err) {
                assert!(text.get(range.clone()).is_some(), "{text}: {range:?}");
            }
        }
    }

    #[test]
    fn shapes_have_types_and_sums() {
        let all = shapes("(x=half[M, 64], y = [2 * M + 1, D], )").expect("closed");
        let all = all.expect("it reads");
        assert_eq!(all[0].parsed.1, Some(DType::Half));
        assert_eq!(all[0].parsed.2, [Form::name("M"), Form::number(64)]);
        assert_eq!(all[1].parsed.1, None);
        assert_eq!(all[1].parsed.2[0].value(|_| Some(3)), Some(7));
        for (text, place) in [
            ("(x)", ""),
            ("(x=quarter[4])", "quarter"),
            ("(x=half)", ""),
            ("(x=half[])", "]"),
            ("(x=half[M % 2])", "M % 2"),
            ("(x=half[-1])", "-1"),
            ("(x=half[M; 2])", ";"),
            ("(=half[M])", "=half[M"),
        ] {
            let unread = shapes(text).expect(text).expect_err(text);
            assert_eq!(text[unread.range].trim(), place, "{text}");
        }
    }
}

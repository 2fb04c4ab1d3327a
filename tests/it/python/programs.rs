//! Random host programs: a sequence of fragments in scopes and blocks of all kinds.

use super::fragments;

/// Modules that several fragments import.
const PRELUDE: &str =
    "import math, copy, functools, itertools, operator, collections, contextlib, os\n";
const FLOATS: &[&str] = &["0.0", "0.5", "-1.5", "2.5", "3.25", "1e3", "-0.1", "7.0"];
const STRINGS: &[&str] = &[
    "''", "'a'", "'abc'", "'x y'", "'12'", "' p '", "'Ab'", "\"q'\"",
];

/// A pseudo-random sequence, the same on every machine.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn pick<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len())]
    }

    fn integer(&mut self) -> i64 {
        self.below(19) as i64 - 9
    }
}

/// Returns the number of constructs.
pub fn constructs() -> usize {
    tables().iter().map(|table| table.len()).sum::<usize>()
        + fragments::SHARED.len()
        + fragments::UNKNOWN.len()
}

fn tables() -> [&'static [&'static str]; 5] {
    [
        fragments::VALUES,
        fragments::CONTAINERS,
        fragments::FUNCTIONS,
        fragments::CLASSES,
        fragments::ITERATORS,
    ]
}

/// Generates the program with a number: the first ones have one construct each, the others several.
pub fn program(number: usize) -> String {
    let mut dice = Dice::new(number as u64 + 1);
    let mut text = PRELUDE.to_owned();
    let all: Vec<&str> = tables()
        .iter()
        .flat_map(|table| table.iter())
        .copied()
        .collect();
    if let Some(fragment) = all.get(number) {
        text.push_str(&filled(fragment, 0, &mut dice));
        text.push('\n');
        return text;
    }
    let list = list(&mut dice, 1);
    let (key, number) = (dice.below(9), dice.integer());
    text.push_str(&format!(
        "A = {list}\nB = A\nD = {{'{key}': [1]}}\nS = {{1, 2}}\nN = {number}\n"
    ));
    for at in 0..3 + dice.below(8) {
        let fragment = match dice.below(12) {
            0..4 => dice.pick(fragments::SHARED).to_owned(),
            4 => dice.pick(fragments::UNKNOWN).to_owned(),
            _ => {
                let table = tables()[dice.below(5)];
                dice.pick(table).to_owned()
            }
        };
        let fragment = filled(&fragment, at, &mut dice);
        text.push_str(&wrapped(&fragment, at, &mut dice));
    }
    text
}

/// Puts a fragment into a scope or block.
fn wrapped(fragment: &str, at: usize, dice: &mut Dice) -> String {
    let inside = |depth: usize| -> String {
        let indent = "    ".repeat(depth);
        let lines = fragment.lines().map(|line| format!("{indent}{line}\n"));
        lines.collect()
    };
    let binds = fragment.contains(&format!("r{at} "));
    match dice.below(14) {
        0 if binds && !fragment.contains("global") => {
            format!(
                "def w{at}():\n{}    return r{at}\nr{at} = w{at}()\n",
                inside(1)
            )
        }
        1 if binds && !fragment.contains("global") && !fragment.contains("exec") => format!(
            "def w{at}(A=A, B=B, D=D, S=S, N=N):\n{}    return r{at}, A, N\nr{at} = w{at}()\n",
            inside(1)
        ),
        2 => format!(
            "try:\n{}except Exception as error:\n    x{at} = type(error).__name__\n",
            inside(1)
        ),
        3 => format!(
            "try:\n{}except (ValueError, LookupError):\n    x{at} = 1\nelse:\n    x{at} = 2\nfinally:\n    y{at} = 3\n",
            inside(1)
        ),
        4 => format!("for j{at} in range({}):\n{}", 1 + dice.below(2), inside(1)),
        5 => format!("if {}:\n{}", condition(dice), inside(1)),
        6 if !fragment.contains("global") && !fragment.contains("self") => {
            format!(
                "class W{at}:\n    A, B, D, S, N = A, B, D, S, N\n{}",
                inside(1)
            )
        }
        7 => format!("with contextlib.suppress(Exception):\n{}", inside(1)),
        8 => format!(
            "while True:\n{}    break\nelse:\n    x{at} = 'never'\n",
            inside(1)
        ),
        _ => inside(0),
    }
}

/// Replaces the placeholders of a fragment.
fn filled(fragment: &str, at: usize, dice: &mut Dice) -> String {
    let mut text = String::new();
    let mut rest = fragment;
    while let Some(place) = rest.find('$') {
        text.push_str(&rest[..place]);
        let kind = rest.as_bytes()[place + 1];
        text.push_str(&match kind {
            b'n' => at.to_string(),
            b'i' => dice.integer().to_string(),
            b'p' => (1 + dice.below(9)).to_string(),
            b'x' => dice.pick(FLOATS).to_owned(),
            b's' => dice.pick(STRINGS).to_owned(),
            b'l' => list(dice, 0),
            b'L' => list(dice, 1),
            b'e' => expression(dice, 2),
            b'b' => condition(dice),
            other => panic!("unknown blank {}", other as char),
        });
        rest = &rest[place + 2..];
    }
    text.push_str(rest);
    text
}

fn list(dice: &mut Dice, least: usize) -> String {
    let count = least + dice.below(4);
    let items: Vec<String> = (0..count).map(|_| dice.integer().to_string()).collect();
    format!("[{}]", items.join(", "))
}

fn expression(dice: &mut Dice, depth: usize) -> String {
    if depth == 0 {
        return dice.integer().to_string();
    }
    let (a, b) = (expression(dice, depth - 1), expression(dice, depth - 1));
    match dice.below(12) {
        0 => format!("({a} + {b})"),
        1 => format!("({a} - {b})"),
        2 => format!("({a} * {b})"),
        3 => format!("({a} // ({b} or 1))"),
        4 => format!("({a} % ({b} or 7))"),
        5 => format!("(-({a}))"),
        6 => format!("max({a}, {b})"),
        7 => format!("({a} if {} else {b})", condition(dice)),
        8 => format!("abs({a})"),
        9 => format!("len({})", list(dice, 0)),
        10 => format!("[{a}, {b}][{}]", dice.below(2)),
        _ => dice.integer().to_string(),
    }
}

fn condition(dice: &mut Dice) -> String {
    let (a, b) = (dice.integer(), dice.integer());
    match dice.below(6) {
        0 => format!("{a} < {b}"),
        1 => format!("{a} == {b} or {b} > 0"),
        2 => format!("not {a} > 2"),
        3 => format!("{a} in {}", list(dice, 0)),
        4 => "True".to_owned(),
        _ => "False".to_owned(),
    }
}

//! Values of debugger expressions.

use super::{GO_ON, KERNEL, breakpoint, kernel, session};
use crate::sync::launches;
use a2lint::debug::expression::{Answer, Expression, Number};
use a2lint::debug::{Direction, Reason, Session, Stops};
use a2lint::machine::LaneId;
use a2lint::report::state;
use a2lint::text::SourceText;

/// Runs to the first sum: the tile holds eight rows of `x`, and one slot of `done` twice that.
fn at_the_sum<'p>(session: &mut Session<'p>) -> LaneId {
    let program = session.program();
    let stops = Stops {
        breakpoints: vec![breakpoint(program, "add(done")],
        ..Stops::default()
    };
    let stopped = session.resume(Direction::Forward, &stops, &GO_ON);
    assert_eq!(stopped.reason, Reason::Breakpoint(1));
    stopped.lane.expect("a lane")
}

/// Returns the value of an expression as text, or the error.
fn shown(session: &mut Session, lane: LaneId, text: &str) -> String {
    let expression = match Expression::parse(text) {
        Ok(expression) => expression,
        Err(error) => return error.to_string(),
    };
    let answer = session.evaluate(lane, &expression).expect("a running lane");
    match answer {
        Ok(answer) => {
            let elements = match &answer {
                Answer::Region(region) => session.inspect(lane, |it| region.read(it)),
                _ => None,
            };
            let elements = elements.transpose().expect("elements");
            state::answer(session.program(), &answer, elements.as_ref())
        }
        Err(error) => error.to_string(),
    }
}

#[test]
fn expressions_are_those_of_kernels() {
    let module = kernel();
    let (program, bound) = launches(&module).remove(0);
    let mut session = session(program, &bound);
    let lane = at_the_sum(&mut session);
    let expected = [
        ("1 + 2 * 3", "7"),
        ("7 // -2", "-4"),
        ("7 % -2", "-1"),
        ("7 / 2", "3.5000"),
        ("2 ** 70 // 2 ** 68", "4"),
        ("1 << 5 | 3", "35"),
        ("M", "200"),
        ("at * 8 == row0", "True"),
        ("live", "8"),
        ("not live", "False"),
        ("0 < live <= 8 and M > 5", "True"),
        ("live if M else 1 // 0", "8"),
        ("Min(live, 3) + CeilDiv(M, 64)", "7"),
        // As the device computes it.
        ("CeilDiv(-100, 64)", "0"),
        ("CeilDiv(7, -2)", "-2"),
        ("CeilDiv(~(2 ** 126 - 1 + 2 ** 126), 7) < 0", "True"),
        ("GetSubBlockIdx()", "0"),
        ("GetVecNum()", "40"),
        ("len(tile)", "8"),
        ("len(tile[0])", "64"),
        (
            "tile.shape",
            "this kind of expression is not evaluated here",
        ),
        ("undefined(rest)", "512"),
        ("undefined(tile)", "0"),
        ("isnan(tile)", "0"),
        ("all(tile + tile == done[at])", "True"),
        ("any(tile != tile)", "False"),
        ("all(x[row0:row0 + 8] == tile)", "True"),
        ("sum(tile[0:8, 0:64] - x[0:8])", "0.0000"),
        ("max(abs(tile)) == max(max(tile), -min(tile))", "True"),
        (
            "tile[7, 63] == x[7, 63] and tile[-1, -1] == x[7][63]",
            "True",
        ),
        ("len(tile[0, 0:64:8])", "8"),
        ("mean(tile * 0 + 3)", "3.0000"),
        ("done", "2 slots of float in UB"),
        ("done[5] == done[1]", "bool [8, 64]: undefined"),
        ("rest", "float [8, 64]: undefined"),
        ("rest[0, 0]", "float: undefined"),
        ("rest[0, 0] > 1", "bool: undefined"),
        ("rest[0, 0] + 1 > 1 and True", "it is undefined"),
        // Expressions without a value.
        ("tile[8, 0]", "index 8 is outside of 8 elements"),
        ("tile[0, 0, 0]", "3 indices are given, and there are 2"),
        (
            "done[0:1]",
            "`done` has 2 slots: choose one, such as done[0]",
        ),
        (
            "done + 1",
            "`done` has 2 slots: choose one, such as done[0]",
        ),
        (
            "tile > 0 and True",
            "it has 512 elements: `any`, `all`, `sum`, `min` and `max` make one of them",
        ),
        (
            "tile[0] + tile[0:1, 0:3]",
            "[64] and [1, 3] elements do not fit together",
        ),
        ("1 // 0", "it is divided by 0"),
        ("2 ** 200", "the result is too large"),
        ("-~(2 ** 126 - 1 + 2 ** 126)", "the result is too large"),
        ("1.5 // 0", "inf"),
        (
            "tiel",
            "nothing is called `tiel` here; did you mean `tile`?",
        ),
        (
            "open('x')",
            "there is no function `open` here, but sum, mean, min, max, abs, any, all, len, isnan, undefined, int, float",
        ),
        (
            "__import__('os').system('true')",
            "only functions can be called",
        ),
        ("lambda: 1", "this kind of expression is not evaluated here"),
        ("x = 3", "`x = 3` is no expression"),
        ("", "there is no expression"),
        ("(1", "`(1` is no expression"),
        ("M[0]", "a number has no elements"),
    ];
    for (text, answer) in expected {
        assert_eq!(shown(&mut session, lane, text), answer, "{text}");
    }
}

#[test]
fn a_line_may_follow_an_expression() {
    let line = |text: &str| {
        Expression::parse(text)
            .expect("an expression")
            .line()
            .map(|it| it.first)
    };
    assert_eq!(line("tile[0, 0]"), None);
    assert_eq!(line("tile[0, 0] @ 17"), Some(17));
    assert_eq!(line("tile[0, 0] @ line 17"), Some(17));
    let parsed = Expression::parse("M @ line 3").expect("an expression");
    assert_eq!(parsed.text(), "M");
}

#[test]
fn bytes_are_named_where_they_follow_each_other() {
    let module = kernel();
    let (program, bound) = launches(&module).remove(0);
    let mut session = session(program, &bound);
    let lane = at_the_sum(&mut session);
    let mut bytes = |text: &str| {
        let expression = Expression::parse(text).expect("an expression");
        let answer = session.evaluate(lane, &expression).expect("a running lane");
        let Ok(Answer::Region(region)) = answer else {
            panic!("{text}: {answer:?}")
        };
        let found = session
            .inspect(lane, |it| region.bytes(it))
            .expect("a lane");
        found.map(|(_, bytes)| bytes)
    };
    let whole = bytes("tile").expect("all of it");
    assert_eq!(whole.len(), 8 * 64 * 4);
    let row = bytes("tile[2]").expect("a row");
    assert_eq!(row, whole.start + 512..whole.start + 768);
    assert_eq!(bytes("tile[2, 3]").expect("an element").len(), 4);
    assert_eq!(bytes("x[3, 5]"), Ok((3 * 64 + 5) * 4..(3 * 64 + 6) * 4));
    assert!(bytes("tile[0:2, 0:3]").is_err());
    assert!(bytes("tile[0:0]").is_err());
}

/// A condition is evaluated on the lane that is about to execute the statement. If it has no value, the run stops and
/// says why.
#[test]
fn conditions_choose_executions() {
    let module = kernel();
    let (program, bound) = launches(&module).remove(0);
    let stops_with = |condition: &str| {
        let mut session = session(program, &bound);
        let mut point = breakpoint(program, "add(done");
        point.condition = Some(Expression::parse(condition).expect("an expression"));
        let stops = Stops {
            breakpoints: vec![point],
            ..Stops::default()
        };
        let mut all = Vec::new();
        loop {
            let stopped = session.resume(Direction::Forward, &stops, &GO_ON);
            match stopped.reason {
                Reason::End(_) => break all,
                reason => all.push((reason, stopped.lane.expect("a lane"))),
            }
        }
    };
    let chosen = stops_with("at == 7");
    assert_eq!(chosen.len(), 1, "{chosen:?}");
    assert_eq!(chosen[0].1.core, 3);
    assert_eq!(stops_with("row0 >= 100").len(), 12);
    assert_eq!(stops_with("max(tile) > 100.0").len(), 0);
    let failed = stops_with("tile > 0");
    assert_eq!(failed.len(), 25);
    assert!(matches!(failed[0].0, Reason::Condition(1, _)), "{failed:?}");
}

#[test]
fn numbers_are_written_as_python_does() {
    assert_eq!(Number::Int(3).to_string(), "3");
    assert_eq!(Number::Float(3.0).to_string(), "3.0");
}

#[test]
fn numbers_of_the_file_have_their_names() {
    let text = KERNEL.replace(
        "import torch\n",
        "import torch\nWIDTH = 64\nSCALE = WIDTH / 128\n",
    );
    let module = a2lint::frontend::dsl::trace(&SourceText::new(text.as_str()));
    let (program, bound) = launches(&module).remove(0);
    let mut session = session(program, &bound);
    let lane = session.next().expect("a lane");
    assert_eq!(shown(&mut session, lane, "WIDTH * SCALE"), "32.000");
    assert_eq!(
        shown(&mut session, lane, "WIDT"),
        "nothing is called `WIDT` here; did you mean `WIDTH`?"
    );
}

//! Random kernels with synchronisation: typical pipelines in which steps are left out, doubled and exchanged, and
//! random sequences of steps.

use crate::fuzzing::mutate::Random;

/// A line of a kernel, or a block with a header.
#[derive(Clone)]
enum Line {
    Step(String),
    Block(String, Vec<Line>),
}

fn step(text: impl Into<String>) -> Line {
    Line::Step(text.into())
}

/// Generates a file with one kernel and its launches.
pub fn write(random: &mut Random) -> String {
    let kind = random.below(8);
    let (mode, head, mut body) = match kind {
        0 | 1 => ("", BRIDGE_HEAD, cube_to_vec(random)),
        2 => ("", BRIDGE_HEAD, vec_to_cube(random)),
        3 | 4 => ("mode=\"vec\"", VEC_HEAD, pipeline(random)),
        5 => ("mode=\"vec\"", VEC_HEAD, regions(random)),
        _ => {
            let mut body = vec![step("cnt = Var(0)"), step("other = Var(1)")];
            body.extend(mixture(random, 3, 10));
            ("mode=\"vec\"", VEC_HEAD, body)
        }
    };
    for _ in 0..[0, 0, 1, 1, 2, 4][random.below(6)] {
        disturb(random, &mut body);
    }
    let mut text = format!("import torch\n\nfrom easyasc.a2 import *\n\n\n@kernel({mode})\n");
    text += "def k(x: GMTensor, w: GMTensor, y: GMTensor, N: Var, M: Var):\n";
    for line in head {
        text += &format!("    {line}\n");
    }
    print(&body, 1, &mut text);
    text += "    return y\n\n\nif __name__ == \"__main__\":\n";
    for (n, m) in [(3, 2), (1, 0), (6, 1)] {
        text += &format!(
            "    OpExec(k, \"\", simulator=True)(torch.randn(1024, 64), torch.randn(64, 64), \
             torch.zeros(1024, 64), {n}, {m})\n"
        );
    }
    text
}

fn print(lines: &[Line], depth: usize, text: &mut String) {
    let indent = "    ".repeat(depth);
    if lines.is_empty() {
        *text += &format!("{indent}pass\n");
    }
    for line in lines {
        match line {
            Line::Step(step) => *text += &format!("{indent}{step}\n"),
            Line::Block(head, body) => {
                *text += &format!("{indent}{head}\n");
                print(body, depth + 1, text);
            }
        }
    }
}

/// Leaves a step out, doubles it, exchanges it with the next one, or adds one.
fn disturb(random: &mut Random, lines: &mut Vec<Line>) {
    let blocks: Vec<usize> = (0..lines.len())
        .filter(|&at| matches!(lines[at], Line::Block(..)))
        .collect();
    if !blocks.is_empty() && random.below(4) > 0 {
        let at = blocks[random.below(blocks.len())];
        if let Line::Block(_, body) = &mut lines[at] {
            disturb(random, body);
        }
        return;
    }
    // Declarations are not moved.
    let is_free = |line: &Line| !matches!(line, Line::Step(text) if text.contains("= Var("));
    let free: Vec<usize> = (0..lines.len()).filter(|&at| is_free(&lines[at])).collect();
    if free.is_empty() {
        return;
    }
    let at = free[random.below(free.len())];
    match random.below(4) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at].clone()),
        2 if at + 1 < lines.len() && is_free(&lines[at + 1]) => lines.swap(at, at + 1),
        _ => lines.insert(
            at,
            step(["bar_v()", "bar_all()", "bar_mte2()"][random.below(3)]),
        ),
    }
}

const VEC_HEAD: &[&str] = &[
    "a = DBuff(DT.float, [8, 64], Position.UB)",
    "b = TBuff(DT.float, [8, 64], Position.UB)",
    "c = Tensor(DT.float, [8, 64], Position.UB)",
    "d = DBuff(DT.float, [8, 64], Position.UB)",
    "e0 = SEvent(Pipe.MTE2, Pipe.V)",
    "e1 = SEvent(Pipe.V, Pipe.MTE3)",
    "f0 = DEvent(Pipe.MTE2, Pipe.V)",
    "f1 = DEvent(Pipe.V, Pipe.MTE2, preset=True)",
    "f2 = DEvent(Pipe.V, Pipe.MTE3)",
    "f3 = DEvent(Pipe.MTE3, Pipe.V, preset=True)",
];

/// Generates a pipeline with two slots and events.
fn pipeline(random: &mut Random) -> Vec<Line> {
    let start = ["0", "1"][random.below(2)];
    let rows = ["i * 8", "cnt * 8", "(2 * i + 1) * 8"][random.below(3)];
    let stored = ["i * 8", "0", "cnt * 8"][random.below(3)];
    let body = [
        "f1.wait()",
        &format!("a[cnt] <<= x[{rows}:{rows} + 8, 0:64]"),
        "f0.set()",
        "f0.wait()",
        "f3.wait()",
        "exp(d[cnt], a[cnt])",
        "f1.set()",
        "f2.set()",
        "f2.wait()",
        &format!("y[{stored}:{stored} + 8, 0:64] <<= d[cnt]"),
        "f3.set()",
        "cnt += 1",
    ];
    let body = body.into_iter().map(step).collect();
    let inner = Line::Block("for i in range(0, N):".to_owned(), body);
    let mut lines = vec![step(format!("cnt = Var({start})"))];
    match random.below(3) {
        0 => lines.push(Line::Block("for j in range(0, M):".to_owned(), vec![inner])),
        1 => {
            lines.push(step("dup(c, 0.0)"));
            lines.push(inner);
        }
        _ => lines.push(inner),
    }
    lines
}

/// Generates a pipeline that `auto_sync` orders, with work before it.
fn regions(random: &mut Random) -> Vec<Line> {
    let slot = ["cnt", "cnt + 1", "i", "0"][random.below(4)];
    let mut body = vec![
        step(format!("a[{slot}] <<= x[i * 8:i * 8 + 8, 0:64]")),
        step(format!("exp(d[{slot}], a[{slot}])")),
        step(format!("add(d[{slot}], d[{slot}], c)")),
        step(format!("y[i * 8:i * 8 + 8, 0:64] <<= d[{slot}]")),
    ];
    if random.below(3) == 0 {
        let rows = vec![step(
            "add(c[r:r + 1, 0:64], c[r:r + 1, 0:64], a[cnt][r:r + 1, 0:64])",
        )];
        let count = ["8", "N", "M"][random.below(3)];
        let count = if count == "8" {
            count.to_owned()
        } else {
            format!("Min({count}, 8)")
        };
        body.insert(1, Line::Block(format!("for r in range({count}):"), rows));
    }
    if random.below(3) == 0 {
        let last = body.pop().expect("four lines");
        body.push(Line::Block("if i < M:".to_owned(), vec![last]));
    }
    if random.below(4) > 0 {
        body.push(step("cnt += 1"));
    }
    let inner = Line::Block("for i in range(0, N):".to_owned(), body);
    let mut lines = vec![step("cnt = Var(0)"), step("dup(c, 0.0)")];
    if random.below(2) == 0 {
        lines.push(step("bar_v()"));
    }
    match random.below(2) {
        0 => lines.push(Line::Block("with auto_sync():".to_owned(), vec![inner])),
        _ => {
            let Line::Block(head, body) = inner else {
                return lines;
            };
            let region = Line::Block("with auto_sync():".to_owned(), body);
            lines.push(Line::Block(head, vec![region]));
        }
    }
    lines
}

/// Generates steps of any kind.
fn mixture(random: &mut Random, depth: usize, most: usize) -> Vec<Line> {
    let count = 1 + random.below(most);
    (0..count).map(|_| any(random, depth)).collect()
}

fn any(random: &mut Random, depth: usize) -> Line {
    let buffer = |random: &mut Random| {
        let slot = ["cnt", "cnt", "cnt + 1", "other", "0", "1"][random.below(6)];
        let name = ["a", "b", "c", "d"][random.below(4)];
        let slice = ["", "", "[0:4, 0:64]", "[4:8, 0:64]"][random.below(4)];
        match name {
            "c" => format!("c{slice}"),
            name => format!("{name}[{slot}]{slice}"),
        }
    };
    let rows = |random: &mut Random| ["0", "8", "cnt * 8", "other * 16"][random.below(4)];
    let whole = |random: &mut Random| {
        let slot = ["cnt", "other", "1"][random.below(3)];
        ["a", "b", "d"][random.below(3)].to_owned() + &format!("[{slot}]")
    };
    match random.below(if depth > 0 { 15 } else { 11 }) {
        0 | 1 => {
            let (to, from) = (whole(random), rows(random));
            step(format!("{to} <<= x[{from}:{from} + 8, 0:64]"))
        }
        2 | 3 => {
            let (to, from) = (buffer(random), buffer(random));
            // Halves of tiles and whole tiles have different shapes.
            match to.contains(':') == from.contains(':') {
                true => step(format!("exp({to}, {from})")),
                false => step(format!("dup({to}, 1.0)")),
            }
        }
        4 => step(format!("add({}, {}, c)", whole(random), whole(random))),
        5 => {
            let (from, to) = (whole(random), rows(random));
            step(format!("y[{to}:{to} + 8, 0:64] <<= {from}"))
        }
        6 => step(["bar_v()", "bar_all()", "bar_mte2()", "bar_mte3()"][random.below(4)]),
        7 | 8 => {
            let pair = ["e0", "e1", "f0", "f2"][random.below(4)];
            Line::Block(
                "if True:".to_owned(),
                vec![
                    step(format!("{pair}.set()")),
                    step(format!("{pair}.wait()")),
                ],
            )
        }
        9 => step(["f1.wait()", "f1.set()", "f3.wait()", "f3.set()"][random.below(4)]),
        10 => step(["cnt += 1", "other += 1", "cnt += 2"][random.below(3)]),
        11 | 12 => {
            let count = ["N", "M", "2", "1"][random.below(4)];
            let name = ["i", "j", "l", "m"][depth];
            Line::Block(
                format!("for {name} in range(0, {count}):"),
                mixture(random, depth - 1, 6),
            )
        }
        13 => {
            let condition = ["cnt < N", "M > 0", "cnt == 1"][random.below(3)];
            Line::Block(format!("if {condition}:"), mixture(random, depth - 1, 4))
        }
        _ => Line::Block(
            "with auto_sync():".to_owned(),
            mixture(random, depth - 1, 6),
        ),
    }
}

const BRIDGE_HEAD: &[&str] = &[
    "ub = DBuff(DT.float, [16, 64], Position.UB)",
    "ub_h = DBuff(DT.half, [16, 64], Position.UB)",
    "l1_a = DBuff(DT.half, [32, 64], Position.L1)",
    "l1_b = Tensor(DT.half, [64, 64], Position.L1)",
    "l0c = DBuff(DT.float, [32, 64], Position.L0C)",
    "core = GetCubeIdx()",
    "half = Var(GetSubBlockIdx() * 16)",
    "count = Var(0)",
    "late = Var(0)",
];

fn slots(random: &mut Random) -> (&'static str, usize, usize) {
    let depth = [1, 2, 2, 2, 3][random.below(5)];
    let slots = [1, 2, 2, 3][random.below(4)];
    let slot = ["count", "count", "late", "tile"][random.below(4)];
    (slot, slots, depth)
}

fn cube_to_vec(random: &mut Random) -> Vec<Line> {
    let (slot, slots, depth) = slots(random);
    let end = ["MTE2", "MTE2", "MTE2", "V"][random.below(4)];
    let index = |counter: &str| format!("ws[core, var_mod({counter}, {slots})");
    let (stored, loaded) = (index("count"), index(slot));
    let body = vec![
        step("matmul(l0c[count], l1_a[count], l1_b)"),
        step("bridge.lock()"),
        step(format!("{stored}, 0:32, 0:64] <<= l0c[count]")),
        step("bridge.ready()"),
        step("bridge.wait()"),
        step(format!("ub[count] <<= {loaded}, half:half + 16, 0:64]")),
        step("bridge.free()"),
        step("exp(ub[count], ub[count])"),
        step("y[tile * 32 + half:tile * 32 + half + 16, 0:64] <<= ub[count]"),
        step("count += 1"),
        step("late += 1"),
    ];
    let mut lines = vec![
        step(format!(
            "ws = split_workspace(DT.float, [GetCubeNum(), {slots}, 32, 64])"
        )),
        step(format!(
            "bridge = CvMutex(0, depth={depth}, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.{end})"
        )),
        step("set_constant_to_l1(l1_a[0], 0.0)"),
        step("set_constant_to_l1(l1_a[1], 0.0)"),
        step("set_constant_to_l1(l1_b, 0.0)"),
        step("bar_all()"),
    ];
    lines.push(around(random, body));
    lines
}

fn vec_to_cube(random: &mut Random) -> Vec<Line> {
    let (slot, slots, depth) = slots(random);
    let end = ["FIX", "FIX", "MTE2", "M"][random.below(4)];
    let index = |counter: &str| format!("ws[core, var_mod({counter}, {slots})");
    let (stored, loaded) = (index("count"), index(slot));
    let body = vec![
        step("dup(ub_h[count], 1.0)"),
        step("bridge.lock()"),
        step(format!("{stored}, half:half + 16, 0:64] <<= ub_h[count]")),
        step("bridge.ready()"),
        step("bridge.wait()"),
        step(format!("l1_a[count] <<= {loaded}, 0:32, 0:64]")),
        step("matmul(l0c[count], l1_a[count], l1_b)"),
        step("y[tile * 32:tile * 32 + 32, 0:64] <<= l0c[count]"),
        step("bridge.free()"),
        step("count += 1"),
        step("late += 1"),
    ];
    let mut lines = vec![
        step(format!(
            "ws = split_workspace(DT.half, [GetCubeNum(), {slots}, 32, 64])"
        )),
        step(format!(
            "bridge = VcMutex(1, depth={depth}, src_end_pipe=Pipe.MTE3, dst_end_pipe=Pipe.{end})"
        )),
        step("set_constant_to_l1(l1_b, 0.0)"),
        step("bar_all()"),
    ];
    lines.push(around(random, body));
    lines
}

/// Generates the loop over tiles, inside or around a region.
fn around(random: &mut Random, body: Vec<Line>) -> Line {
    let head = "for tile in range(core, N * 4, GetCubeNum()):".to_owned();
    match random.below(4) {
        0 => {
            let region = Line::Block("with auto_sync():".to_owned(), body);
            Line::Block(head, vec![region])
        }
        _ => Line::Block(
            "with auto_sync():".to_owned(),
            vec![Line::Block(head, body)],
        ),
    }
}

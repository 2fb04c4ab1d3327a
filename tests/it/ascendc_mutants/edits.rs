//! Single mistakes in the text of a kernel, line by line.

/// A kernel with one mistake.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// What kind of mistake it is.
    pub operator: &'static str,
    /// The line of the mistake, from 1.
    pub line: usize,
    /// The file.
    pub text: String,
}

/// Calls that compute or fill.
const VECTOR: &[&str] = &[
    "Abs",
    "Add",
    "Adds",
    "Axpy",
    "Cast",
    "Compare",
    "CompareScalar",
    "Div",
    "Duplicate",
    "Exp",
    "Gather",
    "Max",
    "Maxs",
    "Min",
    "Mins",
    "Mul",
    "MulAddDst",
    "Muls",
    "ReduceMax",
    "ReduceMin",
    "ReduceSum",
    "Select",
    "Sub",
    "Sqrt",
];

/// Calls of the cube.
const CUBE: &[&str] = &["Fixpipe", "LoadData", "LoadDataWithTranspose", "Mmad"];

/// Calls that configure or start a Matmul object.
const OBJECT: &[&str] = &[
    ".GetTensorC",
    ".IterateAll",
    ".SetBias",
    ".SetOrgShape",
    ".SetSingleShape",
    ".SetTail",
    ".SetTensorA",
    ".SetTensorB",
    ".SetWorkspace",
    ".WaitIterateAll",
    ".template GetTensorC",
    ".template Iterate<",
];

/// The parameter structs of the cube.
const STRUCTS: &[&str] = &[
    "FixpipeParamsV220",
    "LoadData2DParams",
    "MmadParams",
    "Nd2NzParams",
];

/// Members of these structs that kernels assign on lines of their own.
const MEMBERS: &[&str] = &[
    "cmatrixInitVal",
    "dstFracGap",
    "dstGap",
    "dstStride",
    "ifTranspose",
    "k",
    "kExtension",
    "kStartPt",
    "m",
    "mExtension",
    "mSize",
    "mStartPt",
    "n",
    "nSize",
    "repeatTimes",
    "srcStride",
    "startIndex",
];

/// The number of elements that offsets of cube calls are changed by: a fractal of 2-byte elements.
const FRACTAL: usize = 256;

/// Returns the mutants of a file, in the order of their lines.
pub fn mutants(text: &str) -> Vec<Mutant> {
    let lines: Vec<&str> = text.lines().collect();
    let queues = names_given_buffers(&lines);
    let flags = names_of_flags(text);
    let mut found = Vec::new();
    for at in 0..lines.len() {
        let mut add = |operator: &'static str, instead: String| {
            let mut changed = lines.clone();
            changed[at] = &instead;
            let text = changed.join("\n") + "\n";
            let line = at + 1;
            found.push(Mutant {
                operator,
                line,
                text,
            });
        };
        if is_code(lines[at]) {
            of_line(lines[at], &queues, &mut add);
            other_flag(lines[at], &flags, &mut add);
            member(lines[at], &mut add);
        }
        if let Some(next) = lines.get(at + 1)
            && is_statement(lines[at])
            && is_statement(next)
            && [lines[at], next].iter().any(|it| is_protocol(it))
        {
            let mut changed = lines.clone();
            changed.swap(at, at + 1);
            found.push(Mutant {
                operator: "swap statements",
                line: at + 1,
                text: changed.join("\n") + "\n",
            });
        }
    }
    found
}

fn is_code(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty() && !line.starts_with("//") && !line.starts_with('#')
}

/// Returns whether a line is one statement without a declaration.
fn is_statement(line: &str) -> bool {
    let code = line.trim();
    let declares = [
        "auto ",
        "const ",
        "LocalTensor<",
        "AscendC::LocalTensor<",
        "return",
        "using ",
    ];
    is_code(line) && code.ends_with(");") && !declares.iter().any(|it| code.starts_with(it))
}

fn is_flag(line: &str) -> bool {
    const CALLS: [&str; 8] = [
        "SetFlag<",
        "WaitFlag<",
        "CrossCoreWaitFlag(",
        "Set<HardEvent",
        "Wait<HardEvent",
        "HandOver<",
        ".Set();",
        ".Wait();",
    ];
    CALLS.iter().any(|it| line.contains(it))
}

fn is_protocol(line: &str) -> bool {
    is_flag(line)
        || [".EnQue", ".DeQue", ".FreeTensor"]
            .iter()
            .any(|it| line.contains(it))
}

/// Returns the names of queues and buffers, from the calls of `InitBuffer`.
fn names_given_buffers<'t>(lines: &[&'t str]) -> Vec<&'t str> {
    let name = |line: &&'t str| {
        let (_, arguments) = line.split_once("InitBuffer(")?;
        // A queue has a number of buffers and their size.
        (arguments.matches(", ").count() == 2)
            .then(|| arguments.split(',').next())
            .flatten()
    };
    lines.iter().filter_map(name).collect()
}

/// Returns the names in a file that its flags between cores have.
fn names_of_flags(text: &str) -> Vec<&str> {
    let calls = ["CrossCoreSetFlag<", "CrossCoreWaitFlag("];
    let of_line = |line: &'_ str| {
        let open = line
            .rfind('(')
            .filter(|_| calls.iter().any(|it| line.contains(it)))?;
        let name = line[open + 1..].split([')', ' ']).next()?;
        let is_name = name.chars().all(|it| it.is_ascii_uppercase() || it == '_');
        (is_name && !name.is_empty()).then(|| (open + 1, name.len()))
    };
    let named = text
        .lines()
        .filter_map(|line| of_line(line).map(|(at, size)| &line[at..at + size]));
    let mut names: Vec<&str> = named.collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Replaces the flag between cores that a line sets or awaits, and the pipe that sets it.
fn other_flag(line: &str, flags: &[&str], add: &mut impl FnMut(&'static str, String)) {
    let is_set = line.contains("CrossCoreSetFlag<");
    if !is_set && !line.contains("CrossCoreWaitFlag(") {
        return;
    }
    if let Some(own) = flags.iter().find(|name| line.contains(**name))
        && let Some(other) = flags.iter().find(|name| *name != own)
    {
        add("other flag of cores", line.replacen(own, other, 1));
    }
    for (own, other) in [
        ("PIPE_FIX", "PIPE_MTE2"),
        ("PIPE_MTE3", "PIPE_V"),
        ("PIPE_MTE2", "PIPE_S"),
    ] {
        if is_set && line.contains(own) {
            add("other pipe of a flag", line.replacen(own, other, 1));
        }
    }
}

/// Doubles or inverts a member of a parameter struct of the cube that has a line of its own.
fn member(line: &str, add: &mut impl FnMut(&'static str, String)) {
    let Some((place, value)) = line.strip_suffix(';').and_then(|it| it.split_once(" = ")) else {
        return;
    };
    let name = place.trim().split('.').next_back().unwrap_or_default();
    if !place.contains('.') || !MEMBERS.contains(&name) {
        return;
    }
    match value {
        "true" => add("other flag", format!("{place} = false;")),
        "false" => add("other flag", format!("{place} = true;")),
        "0" => {}
        _ => {
            add("cube parameter", format!("{place} = 2 * ({value});"));
            add("drop member", String::new());
        }
    }
}

/// Adds the mutants of one line.
fn of_line(line: &str, queues: &[&str], add: &mut impl FnMut(&'static str, String)) {
    if is_statement(line) {
        let calls = [
            ("flag", is_flag(line)),
            (
                "barrier",
                line.contains("PipeBarrier<")
                    || line.contains("SyncAll(")
                    || line.contains("Sync<"),
            ),
            (
                "queue call",
                line.contains(".EnQue") || line.contains(".FreeTensor"),
            ),
            ("mask call", is_mask(line)),
            ("vector call", is_vector(line)),
            ("cube call", is_cube(line)),
        ];
        for (what, is_it) in calls {
            match (is_it, what) {
                (false, _) => {}
                (true, "flag") => {
                    add("drop flag", String::new());
                    add("repeat flag", format!("{line}{}", line.trim()));
                }
                (true, "barrier") => add("drop barrier", String::new()),
                (true, "mask call") => add("drop mask call", String::new()),
                (true, "queue call") => {
                    add("drop queue call", String::new());
                    add("repeat queue call", format!("{line}{}", line.trim()));
                }
                (true, "cube call") => add("drop cube call", String::new()),
                (true, _) => add("drop vector call", String::new()),
            }
        }
    }
    lengths(line, add);
    events(line, add);
    offsets(line, add);
    buffers(line, add);
    strides(line, add);
    parameters(line, add);
    if line.contains(".AllocTensor") || line.contains(".FreeTensor") || line.contains(".EnQue") {
        other_queue(line, queues, add);
    }
    if line.trim_start().starts_with("for (") && line.contains(" < ") {
        add("one turn more", line.replacen(" < ", " <= ", 1));
    }
}

fn is_mask(line: &str) -> bool {
    const CALLS: [&str; 7] = [
        "SetVectorMask<",
        "SetMaskNorm(",
        "SetMaskCount(",
        "ResetMask(",
        "InitSocState(",
        "set_vector_mask(",
        "set_mask_norm(",
    ];
    CALLS.iter().any(|it| line.contains(it))
}

fn is_vector(line: &str) -> bool {
    let code = line.trim().trim_start_matches("AscendC::");
    let name = code.split(['(', '<']).next().unwrap_or_default();
    VECTOR.contains(&name)
}

fn is_cube(line: &str) -> bool {
    let code = line.trim().trim_start_matches("AscendC::");
    let name = code.split(['(', '<']).next().unwrap_or_default();
    CUBE.contains(&name) || OBJECT.iter().any(|call| code.contains(call))
}

/// Doubles arguments of the cube's parameter structs, and inverts flags.
fn parameters(line: &str, add: &mut impl FnMut(&'static str, String)) {
    for (from, to) in struct_arguments(line).unwrap_or_default() {
        let (operator, instead) = match line[from..to].trim() {
            "true" => ("other flag", "false".to_owned()),
            "false" => ("other flag", "true".to_owned()),
            "" | "0" => continue,
            part => ("cube parameter", format!("2 * ({part})")),
        };
        let space = if line[..from].ends_with(',') { " " } else { "" };
        let changed = format!("{}{space}{instead}{}", &line[..from], &line[to..]);
        add(operator, changed);
    }
}

/// Returns the byte ranges of the arguments of a cube parameter struct in a line.
fn struct_arguments(line: &str) -> Option<Vec<(usize, usize)>> {
    let of_struct = |name: &&str| Some(line.find(*name)? + name.len());
    let name_end = STRUCTS.iter().find_map(of_struct)?;
    let open = name_end + line[name_end..].find(['(', '{'])?;
    let is_name = |it: char| it.is_alphanumeric() || it == '_' || it == ' ';
    if !line[name_end..open].chars().all(is_name) {
        return None;
    }
    let mut depth = 0;
    let mut from = open + 1;
    let mut parts = Vec::new();
    for (at, letter) in line.char_indices().skip_while(|(at, _)| *at < open) {
        match letter {
            '(' | '{' | '[' | '<' => depth += 1,
            ')' | '}' | ']' | '>' => depth -= 1,
            ',' if depth == 1 => {
                parts.push((from, at));
                from = at + 1;
            }
            _ => {}
        }
        if depth == 0 {
            parts.push((from, at));
            return Some(parts);
        }
    }
    None
}

/// Changes lengths: the last argument of an instruction call, and numbers of bytes that become numbers of elements.
fn lengths(line: &str, add: &mut impl FnMut(&'static str, String)) {
    let is_move = line.contains("DataCopy");
    let is_count = (is_vector(line) || is_move) && line.ends_with(");") && !line.ends_with("});");
    if let Some(call) = line
        .strip_suffix(");")
        .filter(|it| is_count && it.contains(", "))
    {
        add("shorter", format!("{call} - 8);"));
        add("longer", format!("{call} + 8);"));
    }
    if !line.contains("InitBuffer") && !line.contains("constexpr") && line.contains(" * sizeof(") {
        for (start, _) in line.match_indices(" * sizeof(") {
            let Some(end) = line[start..].find(')') else {
                continue;
            };
            add(
                "bytes as elements",
                format!("{}{}", &line[..start], &line[start + end + 1..]),
            );
        }
    }
}

/// Changes events: direction, pipes, ids.
fn events(line: &str, add: &mut impl FnMut(&'static str, String)) {
    if let Some((before, rest)) = line.split_once("HardEvent::")
        && let Some((event, after)) = rest.split_once('>')
        && let Some((from, to)) = event.split_once('_')
    {
        add(
            "other direction",
            format!("{before}HardEvent::{to}_{from}>{after}"),
        );
        let other = match from {
            "MTE2" => "MTE3",
            "MTE3" => "MTE2",
            _ => "S",
        };
        if other != to {
            add(
                "other pipe",
                format!("{before}HardEvent::{other}_{to}>{after}"),
            );
        }
    }
    for (start, _) in line.match_indices("EVENT_ID") {
        let digit = start + "EVENT_ID".len();
        let Some(id) = line[digit..].chars().next().and_then(|it| it.to_digit(10)) else {
            continue;
        };
        let other = (id + 1) % 6;
        add(
            "other id",
            format!("{}{other}{}", &line[..digit], &line[digit + 1..]),
        );
    }
}

/// Changes offsets of moves and of operands of the cube.
fn offsets(line: &str, add: &mut impl FnMut(&'static str, String)) {
    let more = match (line.contains("DataCopy"), is_cube(line)) {
        (true, _) => 8,
        (false, true) => FRACTAL,
        (false, false) => return,
    };
    if let Some(open) = line.find('[')
        && let Some(close) = line[open..].find(']')
    {
        let (before, index, after) = (
            &line[..open],
            &line[open + 1..open + close],
            &line[open + close..],
        );
        add("offset", format!("{before}[{index} + {more}{after}"));
        add("no offset", format!("{before}[0{after}"));
    }
}

/// Changes sizes and numbers of buffers.
fn buffers(line: &str, add: &mut impl FnMut(&'static str, String)) {
    if !line.contains("InitBuffer(") {
        return;
    }
    if let Some(call) = line.strip_suffix(");") {
        add("half a buffer", format!("{call} / 2);"));
        add("larger buffer", format!("{call} * 64);"));
    }
    if let Some((before, after)) = line.split_once(" * sizeof(")
        && let Some((_, after)) = after.split_once(')')
    {
        add("elements as bytes", format!("{before}{after}"));
    }
    if line.contains(", 2, ") {
        add("one buffer", line.replacen(", 2, ", ", 1, ", 1));
    }
}

/// Changes strides and numbers in a list of parameters.
fn strides(line: &str, add: &mut impl FnMut(&'static str, String)) {
    let Some(open) = line.find('{').filter(|_| line.contains('}')) else {
        return;
    };
    let is_number = |it: &str| !it.is_empty() && it.chars().all(|it| it.is_ascii_digit());
    let list: Vec<&str> = line[open + 1..]
        .split('}')
        .next()
        .unwrap_or_default()
        .split(", ")
        .collect();
    if list.len() < 4 {
        return;
    }
    for (at, item) in list.iter().enumerate().filter(|(_, it)| is_number(it)) {
        let more = item.parse::<u32>().map_or(1, |it| it + 1).to_string();
        let mut changed = list.clone();
        changed[at] = &more;
        let after = line[open + 1..].split_once('}').map_or("", |it| it.1);
        add(
            "stride",
            format!("{}{{{}}}{after}", &line[..open], changed.join(", ")),
        );
    }
}

/// Replaces the queue on which a call is made.
fn other_queue(line: &str, queues: &[&str], add: &mut impl FnMut(&'static str, String)) {
    let called = |queue: &&&str| {
        [
            ".AllocTensor",
            ".FreeTensor",
            ".EnQue",
            ".template AllocTensor",
        ]
        .iter()
        .any(|call| line.contains(&format!("{queue}{call}")))
    };
    let Some(own) = queues.iter().find(called) else {
        return;
    };
    if let Some(other) = queues.iter().find(|it| *it != own) {
        add(
            "other queue",
            line.replacen(&format!("{own}."), &format!("{other}."), 1),
        );
    }
}

//! Random programs without undefined behaviour.
//!
//! Signed arithmetic is done in types that hold the result, divisors are made positive, shifts and indices are masked.
//! Loops are bounded. Some programs ask for inputs, so that their control becomes that of a traced program; others are
//! known throughout.

mod features;

use std::fmt::Write;

/// Types of variables.
const TYPES: [&str; 9] = [
    "bool", "int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t",
    "uint64_t",
];

/// A program by its number.
pub fn program(seed: u64) -> String {
    let mut generator = Generator::new(seed);
    generator.declarations();
    generator.body();
    generator.text
}

struct Generator {
    state: u64,
    text: String,
    /// Whether the program asks for inputs.
    asks: bool,
    /// Variables in sight, with their types.
    variables: Vec<(String, usize)>,
    /// Arrays of four elements in sight.
    arrays: Vec<String>,
    /// Objects of class type in sight, with their classes.
    objects: Vec<(String, usize)>,
    functions: usize,
    classes: usize,
    names: usize,
    indent: usize,
    /// Loops around the statement, and whether `continue` makes sense there.
    loops: usize,
    in_switch: bool,
    /// What the function returns; `None` for `program`.
    returns: Option<usize>,
    budget: i32,
}

impl Generator {
    fn new(seed: u64) -> Generator {
        let mut generator = Generator {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1,
            text: String::new(),
            asks: false,
            variables: Vec::new(),
            arrays: Vec::new(),
            objects: Vec::new(),
            functions: 0,
            classes: 0,
            names: 0,
            indent: 0,
            loops: 0,
            in_switch: false,
            returns: None,
            budget: 40,
        };
        generator.asks = generator.below(3) != 0;
        generator
    }

    fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, count: u64) -> u64 {
        (self.next() >> 33) % count
    }

    fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn line(&mut self, text: &str) {
        let indent = "    ".repeat(self.indent);
        let _ = writeln!(self.text, "{indent}{text}");
    }

    /// Macros, constants, enumerations, classes and functions.
    fn declarations(&mut self) {
        self.line("#define MIX(a, b) ((uint32_t)(a) * 31u + (uint32_t)(b))");
        self.line("#define CAT_(a, b) a##b");
        self.line("#define CAT(a, b) CAT_(a, b)");
        let values: Vec<String> = (0..8).map(|_| self.below(100).to_string()).collect();
        self.line(&format!(
            "constexpr int TABLE[8] = {{{}}};",
            values.join(", ")
        ));
        self.line("enum Plain { P0, P1 = 7, P2, P3 = -3 };");
        self.line("enum class Scoped : uint8_t { S0 = 1, S1, S2 = 200, S3 };");
        self.line("template <typename T> struct Traits { static constexpr int id = 1; using wide = int64_t; };");
        self.line("template <> struct Traits<uint8_t> { static constexpr int id = 2; using wide = uint32_t; };");
        self.line("template <typename T> struct Traits<T *> { static constexpr int id = 10 + Traits<T>::id; using \
            wide = T; };");
        self.line("template <typename T, int N> struct Stack {");
        self.line("    T items[N]; int count = 0;");
        self.line("    void push(T v) { if (count < N) { items[count++] = v; } }");
        self.line("    T pop() { if (count == 0) { return T(); } return items[--count]; }");
        self.line("    T sum() const { T all = 0; for (int i = 0; i < count; i++) { all = (T)((uint64_t)all + \
            (uint64_t)items[i]); } return all; }");
        self.line("};");
        self.line("template <typename D> struct Static {");
        self.line("    int run(int x) { return static_cast<D *>(this)->step(x) ^ 5; }");
        self.line("    int step(int x) { return x & 0xff; }");
        self.line("};");
        self.line("struct Plus : Static<Plus> { int k = 3; int step(int x) { return (x & 0xffff) + k; } };");
        self.line("struct Same : Static<Same> {};");
        self.line(
            "template <typename T> T pick(T a, T b, int k) { if (k & 1) { return a; } return b; }",
        );
        self.line("template <typename T, typename U> auto joined(T a, U b) { return (typename Traits<T>::wide)(a) ^ \
            (typename Traits<T>::wide)(b); }");
        self.line("template <typename... Ts> uint64_t total(Ts... ts) { return (0ull + ... + (uint64_t)ts); }");
        self.line("template <typename T> int over(T) { return 1; }");
        self.line("int over(int) { return 2; }");
        self.line("int over(uint64_t) { return 3; }");
        self.line("template <typename T> int over(T *) { return 4; }");
        self.line("template <typename F> int apply(F f, int x) { return (int)((uint32_t)f(x) + (uint32_t)f(x & 3)); }");
        self.feature_declarations();
        let classes = 1 + self.below(3) as usize;
        for _ in 0..classes {
            self.class();
        }
        let functions = 1 + self.below(4);
        for _ in 0..functions {
            self.function();
        }
    }

    fn class(&mut self) {
        let number = self.classes;
        let base = match number {
            0 => String::new(),
            _ => format!(" : C{}", number - 1),
        };
        self.line(&format!("struct C{number}{base} {{"));
        let initial = self.below(50);
        let ty = TYPES[1 + self.below(8) as usize];
        self.line(&format!("    {ty} m{number} = {initial};"));
        let method = match self.below(3) {
            0 => "return (int)(((uint32_t)x + (uint32_t)m) & 0xffff);",
            1 => "m = (x & 63); return (int)m + 1;",
            _ => "if ((x & 3) == 1) { return 4; } m++; return (int)((uint32_t)m & 0xff);",
        };
        let method = method
            .replace('m', &format!("m{number}"))
            .replace(&format!("m{number}{number}"), &format!("m{number}"));
        self.line(&format!("    virtual int v(int x) {{ {method} }}"));
        self.line(&format!(
            "    int n{number}(int x) {{ return v(x ^ 1) * 2 + (int)((uint32_t)m{number} & 15); }}"
        ));
        self.line(&format!(
            "    C{number} &add(int x) {{ m{number} = m{number} ^ (x & 31); return *this; }}"
        ));
        self.line(&format!(
            "    int get() const {{ return (int)((uint32_t)m{number} & 0xfff); }}"
        ));
        self.line("};");
        if self.one_in(2) {
            self.line(&format!(
                "int through{number}(C{number} &c, int x) {{ return c.v(x) + 1; }}"
            ));
        } else {
            self.line(&format!(
                "int through{number}(C{number} c, int x) {{ c.add(x); return c.v(x) + c.get(); }}"
            ));
        }
        self.classes += 1;
    }

    fn function(&mut self) {
        let number = self.functions;
        let returns = 1 + self.below(8) as usize;
        let kept = (
            std::mem::take(&mut self.variables),
            std::mem::take(&mut self.arrays),
            std::mem::take(&mut self.objects),
        );
        let first = self.below(9) as usize;
        let second = self.below(9) as usize;
        let by_reference = self.one_in(4);
        let reference = if by_reference { "const " } else { "" };
        let mark = if by_reference { "&" } else { "" };
        self.line(&format!(
            "{} f{number}({} a, {reference}{} {mark}b) {{",
            TYPES[returns], TYPES[first], TYPES[second]
        ));
        self.indent += 1;
        self.variables.push(("a".to_owned(), first));
        if !by_reference {
            self.variables.push(("b".to_owned(), second));
        }
        self.returns = Some(returns);
        self.budget = 8;
        self.statements(2);
        let value = self.expr(2);
        self.line(&format!("return {value};"));
        self.returns = None;
        self.indent -= 1;
        self.line("}");
        (self.variables, self.arrays, self.objects) = kept;
        self.functions += 1;
    }

    fn body(&mut self) {
        self.line("void program() {");
        self.indent += 1;
        for number in 0..4 {
            let ty = 1 + self.below(8) as usize;
            let name = self.name("v");
            let value = match self.asks && !self.one_in(3) {
                true => format!("in({number})"),
                false => self.literal(),
            };
            self.line(&format!("{} {name} = ({})({value});", TYPES[ty], TYPES[ty]));
            self.variables.push((name, ty));
        }
        let name = self.name("arr");
        let values: Vec<String> = (0..4).map(|_| self.below(1000).to_string()).collect();
        self.line(&format!("int {name}[4] = {{{}}};", values.join(", ")));
        self.arrays.push(name);
        for class in 0..self.classes {
            let name = self.name("obj");
            self.line(&format!("C{class} {name};"));
            self.objects.push((name, class));
        }
        self.budget = 30;
        for _ in 0..3 {
            self.statements(3);
            self.print_all();
        }
        self.indent -= 1;
        self.line("}");
    }

    fn print_all(&mut self) {
        for (name, _) in self.variables.clone() {
            self.line(&format!("out(\"{name}\", {name});"));
        }
        for name in self.arrays.clone() {
            self.line(&format!(
                "out(\"{name}\", {name}[0] ^ {name}[1] ^ {name}[2] ^ {name}[3]);"
            ));
        }
        for (name, _) in self.objects.clone() {
            self.line(&format!("out(\"{name}\", {name}.get());"));
        }
    }

    fn statements(&mut self, depth: u32) {
        let count = 1 + self.below(4);
        for _ in 0..count {
            self.budget -= 1;
            if self.budget < 0 {
                return;
            }
            self.statement(depth);
        }
    }

    fn block(&mut self, depth: u32) {
        let scope = (self.variables.len(), self.arrays.len(), self.objects.len());
        self.indent += 1;
        self.statements(depth.saturating_sub(1));
        self.indent -= 1;
        self.variables.truncate(scope.0);
        self.arrays.truncate(scope.1);
        self.objects.truncate(scope.2);
    }

    fn statement(&mut self, depth: u32) {
        let choice = if depth == 0 {
            self.below(8)
        } else {
            self.below(25)
        };
        match choice {
            0 | 1 => self.declaration(),
            2..=4 => self.assignment(),
            5 => self.array_store(),
            6 => self.method_call(),
            7 => self.exit(),
            8..=10 => {
                let condition = self.condition(2);
                self.line(&format!("if ({condition}) {{"));
                self.block(depth);
                if self.one_in(2) {
                    self.line("} else {");
                    self.block(depth);
                }
                self.line("}");
            }
            11..=13 => self.counting_loop(depth),
            14 => self.while_loop(depth),
            15 => self.switch(depth),
            16 => self.lambda(depth),
            17 => self.references(),
            18 => self.stack(),
            19 => {
                self.line("{");
                self.block(depth);
                self.line("}");
            }
            20 => self.object(),
            21..=23 => self.feature(),
            _ => {
                let value = self.expr(3);
                let name = self.name("o");
                self.line(&format!("out(\"{name}\", {value});"));
                // Only where the program prints; functions have no say in what order.
            }
        }
    }

    fn declaration(&mut self) {
        let ty = self.below(9) as usize;
        let value = self.expr(2);
        let name = self.name("v");
        match self.below(4) {
            0 => self.line(&format!("auto {name} = ({})({value});", TYPES[ty])),
            1 => self.line(&format!(
                "{} {name}{{({})({value})}};",
                TYPES[ty], TYPES[ty]
            )),
            _ => self.line(&format!("{} {name} = {value};", TYPES[ty])),
        }
        self.variables.push((name, ty));
    }

    fn variable(&mut self) -> Option<(String, usize)> {
        let count = self.variables.len() as u64;
        if count == 0 {
            return None;
        }
        let at = self.below(count) as usize;
        Some(self.variables[at].clone())
    }

    fn assignment(&mut self) {
        let Some((name, ty)) = self.variable() else {
            return;
        };
        let value = self.expr(3);
        let is_unsigned = TYPES[ty].starts_with('u');
        match self.below(6) {
            0 if is_unsigned => {
                let op = ["+=", "-=", "*="][self.below(3) as usize];
                self.line(&format!("{name} {op} (uint32_t)({value});"));
            }
            1 => {
                let op = ["&=", "|=", "^="][self.below(3) as usize];
                self.line(&format!("{name} {op} {value};"));
            }
            2 if is_unsigned || (1..=3).contains(&ty) => {
                let op = ["++", "--"][self.below(2) as usize];
                match self.one_in(2) {
                    true => self.line(&format!("{name}{op};")),
                    false => self.line(&format!("{op}{name};")),
                }
            }
            _ => self.line(&format!("{name} = {value};")),
        }
    }

    fn array(&mut self) -> Option<String> {
        let count = self.arrays.len() as u64;
        if count == 0 {
            return None;
        }
        let at = self.below(count) as usize;
        Some(self.arrays[at].clone())
    }

    fn array_store(&mut self) {
        let Some(name) = self.array() else {
            return self.assignment();
        };
        let value = self.expr(2);
        match self.one_in(3) {
            true => {
                let index = self.expr(1);
                self.line(&format!("{name}[({index}) & 3] = (int16_t)({value});"));
            }
            false => {
                let index = self.below(4);
                self.line(&format!("{name}[{index}] = (int)({value});"));
            }
        }
    }

    fn method_call(&mut self) {
        let count = self.objects.len() as u64;
        if count == 0 {
            return self.assignment();
        }
        let at = self.below(count) as usize;
        let (name, class) = self.objects[at].clone();
        let argument = self.expr(1);
        match self.below(3) {
            0 => self.line(&format!("{name}.add((int)({argument}));")),
            1 => self.line(&format!("{name}.v((int)({argument}));")),
            _ => {
                let target = self.variable();
                let call = format!("through{class}({name}, (int)({argument}))");
                match target {
                    Some((target, _)) => self.line(&format!("{target} = {call};")),
                    None => self.line(&format!("{call};")),
                }
            }
        }
    }

    fn exit(&mut self) {
        let condition = self.condition(1);
        match (self.loops > 0, self.returns) {
            (true, _) if !self.in_switch && self.one_in(2) => {
                self.line(&format!("if ({condition}) {{ continue; }}"));
            }
            (true, _) if self.one_in(2) => self.line(&format!("if ({condition}) {{ break; }}")),
            (_, Some(_)) => {
                let value = self.expr(1);
                self.line(&format!("if ({condition}) {{ return {value}; }}"));
            }
            _ => self.assignment(),
        }
    }

    fn counting_loop(&mut self, depth: u32) {
        let counter = self.name("i");
        let bound = match self.one_in(3) {
            true => (2 + self.below(30)).to_string(),
            false => {
                let value = self.expr(1);
                format!("(int)(({value}) & 7)")
            }
        };
        let header = match self.below(6) {
            0 => format!("for (int {counter} = {bound}; {counter} >= 0; {counter}--)"),
            1 => format!(
                "for (uint32_t {counter} = 1; {counter} <= (uint32_t){bound}; {counter} += 2)"
            ),
            2 => format!("for (uint8_t {counter} = 0; {counter} < {bound}; ++{counter})"),
            3 => format!(
                "for (int64_t {counter} = -2; {counter} != {}; {counter}++)",
                self.below(20)
            ),
            4 => format!("for (unsigned {counter} = {bound}; {counter} > 0; --{counter})"),
            _ => format!("for (int {counter} = 0; {counter} < {bound}; ++{counter})"),
        };
        self.line(&format!("{header} {{"));
        let was_in_switch = std::mem::replace(&mut self.in_switch, false);
        self.loops += 1;
        // The counter is read, but not written: loops have to end.
        let scope = self.variables.len();
        let copy = self.name("k");
        self.indent += 1;
        self.line(&format!("int {copy} = (int){counter};"));
        self.indent -= 1;
        self.variables.push((copy, 5));
        self.block(depth);
        self.variables.truncate(scope);
        self.loops -= 1;
        self.in_switch = was_in_switch;
        self.line("}");
    }

    fn while_loop(&mut self, depth: u32) {
        let fuel = self.name("fuel");
        let count = 1 + self.below(12);
        let condition = self.condition(1);
        self.line(&format!("int {fuel} = {count};"));
        let is_do = self.one_in(3);
        match is_do {
            true => self.line("do {"),
            false => self.line(&format!("while ({fuel}-- > 0 && ({condition})) {{")),
        }
        let was_in_switch = std::mem::replace(&mut self.in_switch, false);
        self.loops += 1;
        self.block(depth);
        self.loops -= 1;
        self.in_switch = was_in_switch;
        match is_do {
            true => self.line(&format!("}} while (--{fuel} > 0 && ({condition}));")),
            false => self.line("}"),
        }
    }

    fn switch(&mut self, depth: u32) {
        let value = self.expr(2);
        self.line(&format!("switch (({value}) & 3) {{"));
        let was_in_switch = std::mem::replace(&mut self.in_switch, true);
        self.loops += 1;
        for label in 0..3 {
            match (label, self.one_in(2)) {
                (2, true) => self.line("default: {"),
                _ => self.line(&format!("case {label}: {{")),
            }
            self.block(depth);
            match self.one_in(3) {
                true => self.line("}"),
                false => self.line("} break;"),
            }
        }
        self.loops -= 1;
        self.in_switch = was_in_switch;
        self.line("}");
    }

    fn lambda(&mut self, depth: u32) {
        let name = self.name("fn");
        let capture = ["[&]", "[=]"][self.below(2) as usize];
        let by_copy = capture == "[=]";
        let kept_returns = self.returns.replace(5);
        let kept_loops = std::mem::replace(&mut self.loops, 0);
        let was_in_switch = std::mem::replace(&mut self.in_switch, false);
        self.line(&format!("auto {name} = {capture}(int x) -> int {{"));
        let scope = (
            self.variables.clone(),
            self.arrays.clone(),
            self.objects.clone(),
        );
        if by_copy {
            // What is captured by copy is not written.
            self.variables.clear();
            self.arrays.clear();
            self.objects.clear();
        }
        self.variables.push(("x".to_owned(), 5));
        self.indent += 1;
        self.statements(depth.saturating_sub(1));
        let value = self.expr(1);
        self.line(&format!("return (int)({value});"));
        self.indent -= 1;
        self.line("};");
        (self.variables, self.arrays, self.objects) = scope;
        self.returns = kept_returns;
        self.loops = kept_loops;
        self.in_switch = was_in_switch;
        let argument = self.expr(1);
        if let Some((target, _)) = self.variable() {
            match self.one_in(3) {
                true => self.line(&format!("{target} = apply({name}, (int)({argument}));")),
                false => self.line(&format!("{target} = {name}((int)({argument}));")),
            }
        }
    }

    fn references(&mut self) {
        let Some((name, ty)) = self.variable() else {
            return;
        };
        let alias = self.name("r");
        let value = self.expr(2);
        match self.below(3) {
            0 => {
                self.line(&format!("auto &{alias} = {name};"));
                self.line(&format!("{alias} = {value};"));
            }
            1 => {
                self.line(&format!("{} *{alias} = &{name};", TYPES[ty]));
                self.line(&format!("*{alias} = {value};"));
            }
            _ => {
                let other = self.variable();
                if let Some((other, _)) = other.filter(|(_, own)| *own == ty) {
                    self.line(&format!("std::swap({name}, {other});"));
                }
            }
        }
    }

    fn stack(&mut self) {
        let name = self.name("stack");
        let ty = 1 + self.below(8) as usize;
        self.line(&format!("Stack<{}, 4> {name};", TYPES[ty]));
        for _ in 0..1 + self.below(5) {
            let value = self.expr(1);
            self.line(&format!("{name}.push({value});"));
        }
        if self.one_in(2) {
            self.line(&format!("{name}.pop();"));
        }
        let result = self.name("v");
        self.line(&format!("{} {result} = {name}.sum();", TYPES[ty]));
        self.variables.push((result, ty));
    }

    fn object(&mut self) {
        let count = self.objects.len() as u64;
        if count == 0 {
            return self.assignment();
        }
        let at = self.below(count) as usize;
        let (from, class) = self.objects[at].clone();
        let name = self.name("obj");
        self.line(&format!("C{class} {name} = {from};"));
        self.objects.push((name.clone(), class));
        let argument = self.expr(1);
        self.line(&format!("{name}.add((int)({argument}));"));
        if self.one_in(2) {
            self.line(&format!("{from} = {name};"));
        }
    }

    fn literal(&mut self) -> String {
        let small = self.below(200);
        match self.below(8) {
            0 => format!("{}u", self.next() as u32),
            1 => format!("-{small}"),
            2 => format!("0x{:x}", self.next() as u16),
            3 => format!("{}ull", self.next()),
            4 => format!("{}L", self.next() as i32),
            5 => "'k'".to_owned(),
            _ => small.to_string(),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        let (a, b) = (
            self.expr(depth.saturating_sub(1)),
            self.expr(depth.saturating_sub(1)),
        );
        match self.below(6) {
            0 => format!("({a}) & 1"),
            1 => format!("(int)({a}) < (int)({b}) && ({b}) != 0"),
            2 => format!("!(({a}) > ({b}))"),
            3 => format!("({a}) == ({b}) || (({b}) & 2)"),
            4 => format!("(uint8_t)({a}) <= (uint8_t)({b})"),
            _ => format!("({a}) < ({b})"),
        }
    }

    fn expr(&mut self, depth: u32) -> String {
        if depth == 0 || self.one_in(4) {
            return match self.below(6) {
                0 | 1 => self.literal(),
                2 => match self.array() {
                    Some(name) => format!("{name}[{}]", self.below(4)),
                    None => self.literal(),
                },
                _ => match self.variable() {
                    Some((name, _)) => name,
                    None => self.literal(),
                },
            };
        }
        let a = self.expr(depth - 1);
        let b = self.expr(depth - 1);
        match self.below(30) {
            0..=4 => {
                let op = ["+", "-", "*", "&", "|", "^"][self.below(6) as usize];
                let ty = ["uint32_t", "uint64_t"][self.below(2) as usize];
                format!("(({ty})({a}) {op} ({ty})({b}))")
            }
            5 => format!("((int64_t)(int32_t)({a}) * (int32_t)({b}))"),
            6 => format!("((int16_t)({a}) + (uint8_t)({b}))"),
            7 => format!("((uint32_t)({a}) / ((uint32_t)({b}) | 1u))"),
            8 => format!("((uint64_t)({a}) % ((uint64_t)({b}) | 3u))"),
            9 => format!("((int32_t)({a}) / (((int32_t)({b}) & 15) + 1))"),
            10 => format!("((int32_t)({a}) % (((int32_t)({b}) & 15) + 2))"),
            11 => format!("((uint32_t)({a}) << (({b}) & 31))"),
            12 => format!("((int32_t)({a}) >> (({b}) & 31))"),
            13 => {
                let condition = self.condition(1);
                format!("(({condition}) ? ({a}) : ({b}))")
            }
            14 => {
                let condition = self.condition(1);
                format!("(int)({condition})")
            }
            15 => format!("({})({a})", TYPES[self.below(9) as usize]),
            16 => format!("(~({a}))"),
            17 => format!("(-(int64_t)(int32_t)({a}))"),
            18 => format!("MIX({a}, {b})"),
            19 => format!("TABLE[({a}) & 7]"),
            20 if self.functions > 0 => {
                let number = self.below(self.functions as u64);
                format!("f{number}({a}, {b})")
            }
            21 => format!("pick<int64_t>({a}, {b}, (int)({a}))"),
            22 => format!("joined((uint8_t)({a}), (int16_t)({b}))"),
            23 => format!("(over({a}) + over((int16_t)({b})))"),
            24 => format!("total({a}, {b}, 1)"),
            25 => format!("(int)((float)(int16_t)({a}) * 0.25f)"),
            26 => format!(
                "(int)({}::{})",
                "Scoped",
                ["S0", "S2", "S3"][self.below(3) as usize]
            ),
            27 => format!("(P1 + ({a}) % 5u)"),
            28 => format!("(Plus().run((int)({a})) ^ Same().run((int)({b})))"),
            _ => match self.objects.len() {
                0 => format!("std::min<int64_t>({a}, {b})"),
                count => {
                    let at = self.below(count as u64) as usize;
                    format!("{}.get()", self.objects[at].0)
                }
            },
        }
    }
}

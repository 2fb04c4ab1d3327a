//! Enumerations, comparison operators, unions, pointers and `decltype` in random programs.

use super::{Generator, TYPES};

impl Generator {
    /// Declares what the statements here use.
    pub(super) fn feature_declarations(&mut self) {
        self.enumerations();
        self.line("bool operator==(shelf::Mode m, int x) { return (int)m == (x & 15); }");
        self.line("struct Key {");
        self.line("    int a; uint8_t b;");
        self.line("    bool operator==(const Key &o) const { return a == o.a && b == o.b; }");
        self.line("    bool operator!=(const Key &o) const { return !(*this == o); }");
        self.line("};");
        self.line(
            "bool operator<(const Key &x, const Key &y) { return x.a < y.a || x.a == y.a && x.b < y.b; }",
        );
        self.line("struct Packed {");
        self.line("    int tag;");
        self.line("    union { int32_t whole; uint8_t byte; struct { int16_t low, high; }; };");
        self.line("    struct { uint8_t x, y; };");
        self.line("};");
        self.line("template <int N> std::integral_constant<int, N> number(int) { return {}; }");
        let number = self.below(50);
        self.line(&format!(
            "struct Numbered : decltype(number<{number}>(0)) {{}};"
        ));
        self.line("template <typename T, typename U> auto sum_of(T a, U b) -> decltype(a ^ b) { return a ^ b; }");
    }

    /// Enumerations whose enumerators mention those before them.
    fn enumerations(&mut self) {
        let mut own = String::from("A0 = 3");
        let mut open = String::from("B0 = 2");
        for at in 1..5 {
            let (a, b) = (self.below(at), self.below(at));
            let op = ["+", "|", "*", "^"][self.below(4) as usize];
            own += &match self.one_in(3) {
                true => format!(", A{at}"),
                false => format!(", A{at} = A{a} {op} A{b}"),
            };
            open += &match self.one_in(3) {
                true => format!(", B{at}"),
                false => format!(", B{at} = B{a} {op} (int)sizeof(B{b})"),
            };
        }
        self.line(&format!("enum class Own : int32_t {{ {own} }};"));
        self.line(&format!("enum Open {{ {open} }};"));
        let first = self.below(9);
        self.line("namespace shelf {");
        self.line(&format!(
            "    enum Color {{ RED = {first}, GREEN, BLUE = RED + GREEN }};"
        ));
        self.line("    enum class Mode { ON = BLUE, OFF = ON - RED, BOTH = ON | OFF };");
        self.line("}");
        self.line("using shelf::GREEN;");
        self.line("namespace box = shelf;");
        self.line("using Hue = shelf::Color;");
    }

    /// A statement with one of the features.
    pub(super) fn feature(&mut self) {
        match self.below(6) {
            0 => self.enumerators(),
            1 => self.keys(),
            2 => self.packed(),
            3 => self.pointers(),
            4 => self.unscoped(),
            _ => self.deduced(),
        }
    }

    /// Declares a variable of a random type with a value.
    fn made(&mut self, value: &str) {
        let ty = 1 + self.below(8) as usize;
        let name = self.name("v");
        self.line(&format!("{} {name} = ({})({value});", TYPES[ty], TYPES[ty]));
        self.variables.push((name, ty));
    }

    fn enumerators(&mut self) {
        let (condition, name) = (self.condition(1), self.name("e"));
        let [a, b, c] = [(); 3].map(|()| self.below(5));
        self.line(&format!(
            "Own {name} = ({condition}) ? Own::A{a} : Own::A{b};"
        ));
        if self.one_in(2) {
            let condition = self.condition(1);
            self.line(&format!("if ({condition}) {{ {name} = Own::A{c}; }}"));
        }
        let op = ["==", "!=", "<", ">="][self.below(4) as usize];
        self.made(&format!("({name} {op} Own::A{c}) + (int){name} * 2"));
    }

    fn unscoped(&mut self) {
        let (condition, name) = (self.condition(1), self.name("e"));
        self.line(&format!("Hue {name};"));
        self.line(&format!(
            "if ({condition}) {{ {name} = box::RED; }} else {{ {name} = GREEN; }}"
        ));
        let mode = ["ON", "OFF", "BOTH"][self.below(3) as usize];
        let open = self.below(5);
        let made = self.name("v");
        self.line(&format!("int64_t {made};"));
        self.line(&format!(
            "{{ using shelf::BLUE; {made} = ({name} - BLUE) * 3 + ({name} == shelf::RED) + (shelf::Mode::{mode} == 3) \
                - B{open}; }}"
        ));
        self.variables.push((made, 7));
    }

    fn keys(&mut self) {
        let (a, b) = (self.expr(1), self.expr(1));
        let (first, second) = (self.name("key"), self.name("key"));
        self.line(&format!("Key {first}{{(int)({a}), (uint8_t)({b})}};"));
        self.line(&format!("Key {second} = {first};"));
        let condition = self.condition(1);
        let part = ["a ^= 1", "b++"][self.below(2) as usize];
        self.line(&format!("if ({condition}) {{ {second}.{part}; }}"));
        let op = ["==", "!=", "<"][self.below(3) as usize];
        self.made(&format!(
            "({first} {op} {second}) + 2 * ({second} < {first})"
        ));
    }

    fn packed(&mut self) {
        let (value, name) = (self.expr(2), self.name("packed"));
        self.line(&format!("Packed {name}{{}};"));
        self.line(&format!(
            "{name}.tag = (int)({value}); {name}.y = (uint8_t)({value});"
        ));
        let member = ["whole", "byte", "low"][self.below(3) as usize];
        let other = self.expr(1);
        // A member is read that was written last.
        self.line(&format!("{name}.{member} = (int8_t)({value});"));
        let condition = self.condition(1);
        self.line(&format!(
            "if ({condition}) {{ {name}.{member} = (int8_t)({other}); }}"
        ));
        let copy = self.name("packed");
        self.line(&format!("Packed {copy} = {name}; {copy}.tag ^= 5;"));
        self.made(&format!(
            "{copy}.{member} ^ {name}.tag ^ {copy}.tag ^ {copy}.y ^ {name}.x"
        ));
    }

    fn pointers(&mut self) {
        let Some(array) = self.array() else {
            return self.deduced();
        };
        let (name, at, to) = (self.name("p"), self.below(4), self.below(5));
        self.line(&format!("int *{name} = &{array}[{at}];"));
        let value = self.expr(1);
        self.line(&format!("*{name} = (int16_t)({value});"));
        self.made(&format!(
            "({name} == {array} + {to}) + 2 * ({name} != nullptr) + 4 * ({name} < {array} + {to}) + (int)({name} \
                - {array}) + (int)(uintptr_t)nullptr"
        ));
    }

    fn deduced(&mut self) {
        let (a, b) = (self.expr(1), self.expr(1));
        let (name, number) = (self.name("d"), self.below(30));
        let Some((variable, _)) = self.variable() else {
            return self.declaration();
        };
        self.line(&format!(
            "decltype((uint8_t)0 + {variable}) {name} = (int16_t)({a});"
        ));
        self.made(&format!(
            "{name} ^ sum_of((uint16_t)({b}), {variable}) ^ decltype(number<{number}>(0))::value ^ \
                Numbered::value ^ sizeof({name})"
        ));
    }
}

//! The commands of the terminal debugger.

use super::shell::{Shell, Told};
use a2lint_run::debug::{Direction, Stride};

/// A command.
pub struct Command {
    /// The names; the full one is first.
    pub names: &'static [&'static str],
    /// A summary of the arguments.
    pub arguments: &'static str,
    /// The text for `help`.
    pub help: &'static str,
    /// Executes the command on the rest of the line.
    pub run: fn(&mut Shell, &str) -> Told,
}

/// All commands, in the order of `help`.
pub const COMMANDS: [Command; 22] = [
    Command {
        names: &["step", "s"],
        arguments: "[N]",
        help: "execute a statement of this lane; other lanes only as it needs them",
        run: |shell, text| shell.stride(text, Stride::Statement, Direction::Forward),
    },
    Command {
        names: &["next", "n"],
        arguments: "[N]",
        help: "go to the next line of this lane, past helpers",
        run: |shell, text| shell.stride(text, Stride::Source, Direction::Forward),
    },
    Command {
        names: &["out", "o"],
        arguments: "",
        help: "go to where the helper returns to",
        run: |shell, text| shell.stride(text, Stride::Out, Direction::Forward),
    },
    Command {
        names: &["back", "sb"],
        arguments: "[N]",
        help: "take a statement of this lane back",
        run: |shell, text| shell.stride(text, Stride::Statement, Direction::Backward),
    },
    Command {
        names: &["previous", "pr"],
        arguments: "[N]",
        help: "go back to the line before",
        run: |shell, text| shell.stride(text, Stride::Source, Direction::Backward),
    },
    Command {
        names: &["continue", "c"],
        arguments: "",
        help: "let all lanes go on to the next stop",
        run: |shell, _| shell.resume(Direction::Forward),
    },
    Command {
        names: &["reverse", "rc"],
        arguments: "",
        help: "go back to the stop before",
        run: |shell, _| shell.resume(Direction::Backward),
    },
    Command {
        names: &["goto", "g"],
        arguments: "INSTANT|start|end",
        help: "go to an instant, or as far as the run gets",
        run: |shell, text| shell.go_to(text),
    },
    Command {
        names: &["break", "b"],
        arguments: "[FILE:]LINE [core N] [LANE] [iteration I,J] [if EXPRESSION]",
        help: "stop before the statements of a line",
        run: |shell, text| shell.add_breakpoint(text),
    },
    Command {
        names: &["watch", "w"],
        arguments: "[undefined] EXPRESSION",
        help: "stop when bytes are written, or written and undefined",
        run: |shell, text| shell.add_watch(text),
    },
    Command {
        names: &["catch"],
        arguments: "undefined|bounds|race|nan|others|all|none",
        help: "stop where something goes wrong",
        run: |shell, text| shell.catch(text),
    },
    Command {
        names: &["stops"],
        arguments: "",
        help: "list what stops the run",
        run: |shell, _| shell.list_stops(),
    },
    Command {
        names: &["delete", "d"],
        arguments: "[N]",
        help: "forget a breakpoint or watchpoint, or all",
        run: |shell, text| shell.delete(text),
    },
    Command {
        names: &["print", "p"],
        arguments: "EXPRESSION [@ LINE]",
        help: "show a value: `ub[0][0:4, 0:8]`, `sum(x)`, `undefined(ub)`, `row @ 41`",
        run: |shell, text| shell.print(text),
    },
    Command {
        names: &["who"],
        arguments: "EXPRESSION",
        help: "say what has written an element last, and go there with `goto`",
        run: |shell, text| shell.who_wrote(text),
    },
    Command {
        names: &["reads"],
        arguments: "EXPRESSION",
        help: "say what reads an element next",
        run: |shell, text| shell.next_read(text),
    },
    Command {
        names: &["lanes"],
        arguments: "",
        help: "list all lanes, and what they wait for",
        run: |shell, _| shell.list_lanes(),
    },
    Command {
        names: &["lane"],
        arguments: "[CORE] cube|vec0|vec1",
        help: "look at another lane",
        run: |shell, text| shell.choose_lane(text),
    },
    Command {
        names: &["tokens", "t"],
        arguments: "",
        help: "show events, flags, and work that waits on pipes",
        run: |shell, _| shell.tokens(),
    },
    Command {
        names: &["list", "l"],
        arguments: "[LINE]",
        help: "show the source",
        run: |shell, text| shell.list(text),
    },
    Command {
        names: &["help", "h"],
        arguments: "",
        help: "show this",
        run: |_, _| Ok(Some(help())),
    },
    Command {
        names: &["quit", "q"],
        arguments: "",
        help: "end the session",
        run: |_, _| Ok(None),
    },
];

/// Returns the command with a name or abbreviation.
pub fn find(name: &str) -> Option<&'static Command> {
    COMMANDS
        .iter()
        .find(|command| command.names.contains(&name))
}

fn help() -> String {
    let head = |command: &Command| {
        let names = command.names.join(", ");
        format!("{names} {}", command.arguments)
            .trim_end()
            .to_owned()
    };
    let heads: Vec<String> = COMMANDS.iter().map(head).collect();
    let width = heads.iter().map(String::len).max().unwrap_or(0);
    let lines = COMMANDS.iter().zip(heads);
    let lines = lines.map(|(command, head)| format!("{head:width$}  {}\n", command.help));
    lines.collect()
}

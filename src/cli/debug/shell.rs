//! The implementation of the debugger's commands.

use std::ops::Range;

use super::super::run::interrupt::Interrupt;
use super::commands::{COMMANDS, find};
use super::preferred;
use a2lint_machine::LaneId;
use a2lint_project::SourceMap;
use a2lint_report::{Page, state};
use a2lint_run::debug::expression::{Answer, Expression};
use a2lint_run::debug::{
    Breakpoint, Change, DataBreakpoint, Direction, Exception, Filter, Hits, Instant, LaneView,
    Place, Reason, Session, Stopped, Stops, Stride, Touch, Unknown, Where,
};
use a2lint_run::spec::Lines;
use a2lint_run::target::Target;
use a2lint_source::spelling::nearest;

/// The output of a command, or an error message; `Ok(None)` ends the session.
pub type Told = Result<Option<String>, String>;

/// Number of lines that `list` shows before and after the current one.
const AROUND: usize = 5;

/// The state of the debugger.
pub struct Shell<'s, 'p> {
    session: Session<'p>,
    map: &'s SourceMap,
    page: Page,
    interrupt: &'s Interrupt,
    stops: Stops,
    next_id: u32,
    lane: LaneId,
}

impl<'s, 'p> Shell<'s, 'p> {
    /// Creates the state before the first step.
    pub fn new(
        session: Session<'p>,
        target: &'s Target,
        page: Page,
        interrupt: &'s Interrupt,
    ) -> Shell<'s, 'p> {
        let lanes = session.lanes();
        let first = lanes.iter().find(|lane| preferred(lane.id.kind));
        let first = first.or(lanes.first()).map(|lane| lane.id);
        Shell {
            lane: first
                .or_else(|| session.next())
                .expect("a launch has lanes"),
            session,
            map: &target.map,
            page,
            interrupt,
            stops: Stops::default(),
            next_id: 1,
        }
    }

    /// Executes a command line and returns its output; `None` ends the session.
    pub fn command(&mut self, line: &str) -> Option<String> {
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let told = match find(name) {
            Some(command) => (command.run)(self, rest.trim()),
            None => {
                let names = COMMANDS.iter().flat_map(|command| command.names);
                let near = nearest(name, names.copied().filter(|name| name.len() > 2));
                Err(match near {
                    Some(near) => format!("there is no command `{name}`; did you mean `{near}`?"),
                    None => format!("there is no command `{name}`; `help` lists all"),
                })
            }
        };
        match told {
            Ok(text) => text,
            Err(message) => Some(format!("{message}\n")),
        }
    }

    /// Runs to a breakpoint, which is removed afterwards.
    pub fn run_to(&mut self, breakpoint: Breakpoint) -> String {
        self.stops.breakpoints.push(breakpoint);
        let stopped = self
            .session
            .resume(Direction::Forward, &self.stops, self.interrupt.flag());
        self.stops.breakpoints.pop();
        self.lane = stopped.lane.unwrap_or(self.lane);
        match stopped.reason {
            Reason::Breakpoint(_) => self.here(),
            _ => self.stopped(&stopped),
        }
    }

    /// Describes the position of the current lane.
    pub fn here(&self) -> String {
        let lanes = self.session.lanes();
        let view = lanes.iter().find(|lane| lane.id == self.lane);
        let Some(view) = view else {
            return String::new();
        };
        let (stmt, note) = match view.at {
            Where::NotBegun => (None, "has not begun"),
            Where::Finished => (None, "has finished"),
            Where::At(stmt) => (stmt, "is at the end of a block"),
            Where::Waits(stmt, _) => (stmt, "waits"),
        };
        let head = format!(
            "{}{}, instant {}",
            state::lane(self.lane),
            state::iterations(&view.iterations),
            self.session.now()
        );
        let text = match (stmt, view.at) {
            (Some(stmt), Where::Waits(_, waiting)) => format!(
                "{}\n      waits {}",
                state::statement(self.map, stmt),
                waiting.describe(self.session.program())
            ),
            (Some(stmt), _) => state::statement(self.map, stmt),
            (None, _) => format!("this lane {note}"),
        };
        format!("{}\n  {text}\n", self.page.paint.dim(&head))
    }

    fn stopped(&mut self, stopped: &Stopped) -> String {
        self.lane = stopped.lane.unwrap_or_else(|| self.session.near(self.lane));
        let here = self.here();
        if matches!(stopped.reason, Reason::Step | Reason::Finished) {
            return here;
        }
        let program = self.session.program();
        let reason = state::reason(program, self.map, &stopped.reason);
        let by = match stopped.reason {
            Reason::Data(_, stmt) | Reason::Observed(stmt, _) | Reason::NonFinite(stmt, _) => {
                program.statement(stmt)
            }
            _ => None,
        };
        let by = by.map_or(String::new(), |stmt| {
            format!(" by {}", state::statement_in_words(self.map, stmt))
        });
        format!("{}{by}\n{here}", self.page.paint.bold(&reason))
    }

    /// Steps as often as `text` says, by default once, or until another stop.
    pub fn stride(&mut self, text: &str, stride: Stride, direction: Direction) -> Told {
        let times: u32 = match text {
            "" => 1,
            text => text.parse().map_err(|_| format!("`{text}` is no number"))?,
        };
        let mut last = None;
        for _ in 0..times {
            let flag = self.interrupt.flag();
            let stopped = match direction {
                Direction::Forward => self.session.step(self.lane, stride, flag),
                Direction::Backward => self.session.step_back(self.lane, stride, flag),
            };
            let goes_on = stopped.reason == Reason::Step;
            last = Some(stopped);
            if !goes_on {
                break;
            }
        }
        Ok(Some(match last {
            Some(stopped) => self.stopped(&stopped),
            None => self.here(),
        }))
    }

    /// Runs to the next or the previous stop.
    pub fn resume(&mut self, direction: Direction) -> Told {
        let stopped = self
            .session
            .resume(direction, &self.stops, self.interrupt.flag());
        Ok(Some(self.stopped(&stopped)))
    }

    /// Goes to an instant, to the `start`, or forwards to the `end` of the run.
    pub fn go_to(&mut self, text: &str) -> Told {
        let instant = match text {
            "start" => Instant(0),
            "end" => Instant(u64::MAX),
            text => {
                let number = text
                    .parse()
                    .map_err(|_| format!("`{text}` is no instant"))?;
                Instant(number)
            }
        };
        match instant {
            Instant(u64::MAX) => {
                let nothing = Stops::default();
                let stopped =
                    self.session
                        .resume(Direction::Forward, &nothing, self.interrupt.flag());
                Ok(Some(self.stopped(&stopped)))
            }
            instant => {
                self.session.go_to(instant);
                Ok(Some(self.here()))
            }
        }
    }

    fn new_id(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// Adds a breakpoint: `LINE [core N] [LANE] [iteration I, J] [if EXPRESSION]`.
    pub fn add_breakpoint(&mut self, text: &str) -> Told {
        let (line, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let (filter, condition) = Filter::read(rest);
        let condition = Some(condition).filter(|condition| !condition.is_empty());
        let line = Lines::line(line).ok_or_else(|| no_line(line))?;
        let condition = condition.map(Expression::parse).transpose();
        let condition = condition.map_err(|error| error.to_string())?;
        let stmts = state::statements_on(self.session.program(), self.map, &line);
        if stmts.is_empty() {
            let (line, others) = (line.text(), self.other_files(&line));
            return Err(format!("the kernel executes nothing on {line}{others}"));
        }
        let id = self.new_id();
        self.stops.breakpoints.push(Breakpoint {
            id,
            stmts,
            filter,
            condition,
            hits: Hits::All,
        });
        Ok(Some(format!("breakpoint {id} on {}\n", line.text())))
    }

    /// Formats the other files that have this line, if the kernel executes something there: a line without a file is
    /// one of the kernel's own file.
    fn other_files(&self, line: &Lines) -> String {
        let mut found: Vec<String> = Vec::new();
        self.session.program().walk(&mut |stmt| {
            let known = self.map.line(stmt.span);
            let is_there = line.file.is_none() && known.file.is_some();
            let place = known.to_string();
            if is_there && line.meet(known.number, known.number) && !found.contains(&place) {
                found.push(place);
            }
        });
        match found.is_empty() {
            true => String::new(),
            false => format!("; it does on {}", found.join(", ")),
        }
    }

    /// Adds a watchpoint: `[undefined] EXPRESSION`.
    pub fn add_watch(&mut self, text: &str) -> Told {
        let (text, change) = match text.strip_prefix("undefined ") {
            Some(rest) => (rest, Change::Undefined),
            None => (text, Change::Written),
        };
        let (place, bytes) = self.bytes(text)?;
        let id = self.new_id();
        let count = bytes.len();
        self.stops.data.push(DataBreakpoint {
            id,
            place,
            bytes,
            change,
        });
        Ok(Some(format!(
            "watchpoint {id} on {count} bytes of {text}\n"
        )))
    }

    /// Selects the kinds of errors that stop the run.
    pub fn catch(&mut self, text: &str) -> Told {
        let exceptions = &mut self.stops.exceptions;
        match text {
            "all" => *exceptions = Exception::ALL.to_vec(),
            "none" => exceptions.clear(),
            text => {
                let known = Exception::ALL.into_iter().find(|it| it.name() == text);
                let exception = known.ok_or_else(|| {
                    let names = Exception::ALL.map(Exception::name).join(", ");
                    format!("say {names}, all or none")
                })?;
                if !exceptions.contains(&exception) {
                    exceptions.push(exception);
                }
            }
        }
        self.list_stops()
    }

    /// Lists the breakpoints, watchpoints and kinds of errors that stop the run.
    pub fn list_stops(&self) -> Told {
        let program = self.session.program();
        let mut lines = Vec::new();
        for breakpoint in &self.stops.breakpoints {
            let first = breakpoint
                .stmts
                .first()
                .and_then(|&id| program.statement(id));
            let place = first.map_or(String::new(), |stmt| {
                state::statement_in_words(self.map, stmt)
            });
            let condition = breakpoint.condition.as_ref();
            let condition = condition.map_or(String::new(), |it| format!(" if {}", it.text()));
            lines.push(format!(
                "breakpoint {} on {place}{condition}",
                breakpoint.id
            ));
        }
        for data in &self.stops.data {
            let what = match data.change {
                Change::Written => "written",
                Change::Undefined => "written and undefined",
            };
            lines.push(format!(
                "watchpoint {} on {} bytes: {what}",
                data.id,
                data.bytes.len()
            ));
        }
        let exceptions = self.stops.exceptions.iter();
        lines.extend(exceptions.map(|it| format!("stops at: {}", it.label())));
        match lines.is_empty() {
            true => Ok(Some("nothing stops the run\n".to_owned())),
            false => Ok(Some(lines.join("\n") + "\n")),
        }
    }

    /// Removes the breakpoint or watchpoint with a number, or all of them.
    pub fn delete(&mut self, text: &str) -> Told {
        if text.is_empty() {
            self.stops = Stops::default();
            return self.list_stops();
        }
        let id: u32 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
        let stops = |it: &Stops| it.breakpoints.len() + it.data.len();
        let before = stops(&self.stops);
        self.stops
            .breakpoints
            .retain(|breakpoint| breakpoint.id != id);
        self.stops.data.retain(|data| data.id != id);
        match stops(&self.stops) == before {
            true => Err(format!("there is no {id}")),
            false => self.list_stops(),
        }
    }

    fn absent(&self) -> String {
        format!("{} is not running", state::lane(self.lane))
    }

    /// Evaluates an expression, now or at the last execution of a line.
    pub fn print(&mut self, text: &str) -> Told {
        let expression = Expression::parse(text).map_err(|error| error.to_string())?;
        let here = self.session.now();
        if let Some(line) = expression.line() {
            let stmts = state::statements_on(self.session.program(), self.map, line);
            let found = self
                .session
                .last_execution(self.lane, &stmts, self.interrupt.flag());
            match found.map_err(unknown)? {
                Some(instant) => self.session.go_to(instant),
                None => {
                    return Err(format!(
                        "{} has not been executed on this lane",
                        line.text()
                    ));
                }
            }
        }
        let shown = self.value(&expression);
        self.session.go_to(here);
        shown.map(Some)
    }

    fn value(&mut self, expression: &Expression) -> Result<String, String> {
        let absent = self.absent();
        let answer = self.session.evaluate(self.lane, expression).ok_or(absent)?;
        let answer = answer.map_err(|error| error.to_string())?;
        let elements = match &answer {
            Answer::Array(array) => Some(array.clone()),
            Answer::Region(region) => {
                let read = self.session.inspect(self.lane, |it| region.read(it));
                Some(
                    read.ok_or_else(|| self.absent())?
                        .map_err(|error| error.to_string())?,
                )
            }
            _ => None,
        };
        let program = self.session.program();
        let mut lines = vec![state::answer(program, &answer, elements.as_ref())];
        if let Some(array) = elements.filter(|array| array.elements.len() > 1) {
            lines.extend(
                state::table(&array, self.page)
                    .iter()
                    .map(|it| format!("  {it}")),
            );
        }
        Ok(lines.join("\n") + "\n")
    }

    /// Returns the memory and the bytes that an expression refers to.
    fn bytes(&mut self, text: &str) -> Result<(Place, Range<usize>), String> {
        let expression = Expression::parse(text).map_err(|error| error.to_string())?;
        let absent = self.absent();
        let answer = self
            .session
            .evaluate(self.lane, &expression)
            .ok_or(absent)?;
        match answer.map_err(|error| error.to_string())? {
            Answer::Region(region) => {
                let found = self.session.inspect(self.lane, |it| region.bytes(it));
                found
                    .ok_or_else(|| self.absent())?
                    .map_err(|error| error.to_string())
            }
            _ => Err("only elements of tensors are in memory".to_owned()),
        }
    }

    fn touched(&self, found: Result<Option<Touch>, Unknown>, nobody: &str) -> Told {
        Ok(Some(match found.map_err(unknown)? {
            Some(touch) => {
                let text = state::touch(self.session.program(), self.map, &touch);
                format!("{text}\n")
            }
            None => format!("{nobody}\n"),
        }))
    }

    /// Shows the last write to an element.
    pub fn who_wrote(&mut self, text: &str) -> Told {
        let (place, bytes) = self.bytes(text)?;
        let found = self.session.who_wrote(place, bytes, self.interrupt.flag());
        self.touched(found, "nothing has written it since the run began")
    }

    /// Shows the next read of an element.
    pub fn next_read(&mut self, text: &str) -> Told {
        let (place, bytes) = self.bytes(text)?;
        let found = self.session.next_read(place, bytes, self.interrupt.flag());
        self.touched(found, "nothing reads it before the run ends")
    }

    /// Lists the lanes. Consecutive lanes that have not started, or have finished, share a line.
    pub fn list_lanes(&self) -> Told {
        let program = self.session.program();
        let lanes = self.session.lanes();
        let idle = |it: &LaneView| match it.at {
            Where::NotBegun => Some("not begun"),
            Where::Finished => Some("finished"),
            _ => None,
        };
        let mut text = String::new();
        for group in lanes.chunk_by(|a, b| idle(a).is_some() && idle(a) == idle(b)) {
            let first = &group[0];
            let mark = match group.iter().any(|view| view.id == self.lane) {
                true => "*",
                false => " ",
            };
            let turns = state::iterations(&first.iterations);
            let at = match first.at {
                _ if group.len() > 1 => {
                    let (count, what) = (group.len(), idle(first).unwrap_or_default());
                    let last = state::lane(group[count - 1].id);
                    text += &format!("{mark} {} to {last}: {what}\n", state::lane(first.id));
                    continue;
                }
                Where::NotBegun => "not begun".to_owned(),
                Where::Finished => "finished".to_owned(),
                Where::At(Some(stmt)) => state::statement_in_words(self.map, stmt),
                Where::At(None) => "at the end of a block".to_owned(),
                Where::Waits(_, waiting) => format!("waits {}", waiting.describe(program)),
            };
            text += &format!("{mark} {}{turns}: {at}\n", state::lane(first.id));
        }
        Ok(Some(text))
    }

    /// Selects a lane: `[core] [CORE] cube|vec0|vec1`.
    pub fn choose_lane(&mut self, text: &str) -> Told {
        let words: Vec<&str> = text
            .split_whitespace()
            .filter(|word| *word != "core")
            .collect();
        let (core, kind) = match words[..] {
            [kind] => (self.lane.core, kind),
            [core, kind] => (
                core.parse().map_err(|_| format!("`{core}` is no core"))?,
                kind,
            ),
            _ => return Err("say a core and a lane: `lane 0 vec1`".to_owned()),
        };
        let lanes = self.session.lanes();
        let is_meant = |lane: &LaneId| lane.core == core && lane.kind.name() == kind;
        let found = lanes.iter().map(|lane| lane.id).find(is_meant);
        self.lane = found.ok_or_else(|| format!("there is no core {core} {kind}"))?;
        Ok(Some(self.here()))
    }

    /// Lists the events and flags, and the instructions that wait on pipes.
    pub fn tokens(&self) -> Told {
        let program = self.session.program();
        let mut lines = Vec::new();
        for token in self.session.pending_tokens(self.lane) {
            let set = match token.most {
                Some(most) => format!("{} of {most} set", token.set),
                None => format!("{} waiting to be taken", token.set),
            };
            lines.push(format!("{}: {set}", token.what));
        }
        for work in self.session.queued_work(self.lane) {
            let stmt = program.statement(work.stmt);
            let text = stmt.map_or(String::new(), |stmt| {
                state::statement_in_words(self.map, stmt)
            });
            lines.push(format!("{} waits with {text}", work.pipe));
        }
        match lines.is_empty() {
            true => Ok(Some("no token, and no pipe waits\n".to_owned())),
            false => Ok(Some(lines.join("\n") + "\n")),
        }
    }

    /// Shows the source around a line, by default the current one.
    pub fn list(&mut self, text: &str) -> Told {
        let lanes = self.session.lanes();
        let view = lanes.iter().find(|lane| lane.id == self.lane);
        let stmt = view.and_then(|view| match view.at {
            Where::At(stmt) | Where::Waits(stmt, _) => stmt,
            _ => None,
        });
        let here = stmt.map(|stmt| stmt.span);
        let asked = match text {
            "" => None,
            text => Some(Lines::line(text).ok_or_else(|| no_line(text))?),
        };
        // The text that the line is in: the kernel's own, or one whose path ends as the user writes it.
        let other = match &asked {
            None => here.and_then(|span| self.map.elsewhere(span)),
            Some(lines) => {
                let mut found = None;
                self.session.program().walk(&mut |stmt| {
                    let place = self.map.elsewhere(stmt.span);
                    let is_meant = self
                        .map
                        .lines_in(lines.file.as_deref(), stmt.span)
                        .is_some();
                    found = found.take().or(place.filter(|_| is_meant));
                });
                found
            }
        };
        let source = other.as_ref().map_or(&self.map.own, |it| it.text);
        let file = other.as_ref().map(|it| it.path);
        let here = here.and_then(|span| self.map.lines_in(file, span));
        let here = here.map(|[first, _]| first);
        let middle = asked.map_or(here.unwrap_or(1), |lines| lines.first);
        let last = (middle + AROUND).min(source.line_count());
        let lines = (middle.saturating_sub(AROUND).max(1)..=last).filter_map(|line| {
            let span = source.line_span(line - 1)?;
            let text = source.slice(span).trim_end();
            let mark = if Some(line) == here { ">" } else { " " };
            Some(format!(
                "{mark}{line:>4} │ {}\n",
                a2lint_report::printable(text)
            ))
        });
        Ok(Some(self.page.cut(lines.collect())))
    }
}

fn no_line(text: &str) -> String {
    format!("`{text}` is no line; say LINE or FILE:LINE")
}

fn unknown(why: Unknown) -> String {
    match why {
        Unknown::Interrupted => "interrupted".to_owned(),
        Unknown::Budget => "the run has made as many steps as it may".to_owned(),
    }
}

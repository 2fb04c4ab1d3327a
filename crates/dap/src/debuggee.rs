//! Serves the requests of one debugged run.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;

use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::launch::is_ready;
use super::look::Handle;
use super::protocol::{
    Evaluate, GoTo, Launch, OfThread, Request, SetBreakpoints, SetData, SetExceptions,
    SourceBreakpoint,
};
use super::wire::Client;
use super::{Incoming, Interrupts, ends_operations};
use a2lint_ir::{Program, StmtId};
use a2lint_isa::Position;
use a2lint_machine::{End, LaneId};
use a2lint_report::state;
use a2lint_run::debug::expression::{Answer, Expression};
use a2lint_run::debug::{
    Breakpoint, Change, DataBreakpoint, Direction, Exception, Filter, Hits, Instant, Place, Reason,
    Session, Stopped, Stops, Stride, Touch, Unknown,
};
use a2lint_run::spec::Lines;
use a2lint_run::target::Target;
use a2lint_source::files;

/// Maximum number of lines by which a breakpoint may move down to the next statement.
const NEAR: usize = 20;

/// Who ended a debug session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// The client has disconnected; no more requests arrive.
    Client,
    /// The run has ended; the client may launch another one.
    Run,
}

/// What to do after a request.
enum Next {
    /// Wait for the next request.
    Wait,
    /// Resume all lanes in this direction.
    Run(Direction),
    /// Leave the session.
    Leave(Left),
}

/// The result of a request: the body of the response and the action after it, or an error message.
type Answered = Result<(Value, Then), String>;

/// The action after a response.
enum Then {
    Nothing,
    /// Send a `stopped` event.
    Stop(Stopped, Why),
    Run(Direction),
    Leave(Left),
}

/// The origin of a stop, as far as it changes the reason that the client is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    Session,
    Entry,
    Goto,
}

/// A debugged run and its client.
pub struct Debuggee<'s, 'p> {
    pub(super) session: Session<'p>,
    pub(super) target: &'s Target,
    pub(super) client: &'s mut Client,
    requests: &'s Receiver<Incoming>,
    interrupts: &'s Interrupts,
    path: PathBuf,
    /// Breakpoints by file.
    breakpoints: FxHashMap<PathBuf, Vec<Breakpoint>>,
    /// Texts of log points by breakpoint number. They are printed instead of stopping the run.
    messages: FxHashMap<u32, String>,
    data: Vec<DataBreakpoint>,
    exceptions: Vec<Exception>,
    next_id: u32,
    /// The breakpoint for `stopAtLine`, until the first stop.
    first: Option<Breakpoint>,
    stops_on_entry: bool,
    ignores_stops: bool,
    /// The items that the client can expand; `variablesReference` is the index plus 1. Cleared at every stop.
    pub(super) handles: Vec<Handle>,
    /// The finding or error at the present stop, for `exceptionInfo`.
    observed: Option<String>,
    is_at_end: bool,
}

impl<'s, 'p> Debuggee<'s, 'p> {
    /// Creates the state of a run before its first step.
    pub fn new(
        session: Session<'p>,
        target: &'s Target,
        given: &Launch,
        client: &'s mut Client,
        requests: &'s Receiver<Incoming>,
        interrupts: &'s Interrupts,
    ) -> Result<Debuggee<'s, 'p>, String> {
        let (filter, rest) = Filter::read(&given.stop_at);
        if !rest.is_empty() {
            return Err(format!(
                "`{rest}` names no execution: `core 0 vec1 iteration 0, 3` does"
            ));
        }
        let first = given.stop_at_line.map(|line| {
            let lines = target.lines(Lines::one(line));
            let stmts = state::statements_on(session.program(), &target.map, &lines);
            Breakpoint {
                id: 0,
                stmts,
                filter,
                condition: None,
                hits: Hits::All,
            }
        });
        Ok(Debuggee {
            session,
            target,
            client,
            requests,
            interrupts,
            path: files::absolute(Path::new(&target.report.path)),
            breakpoints: FxHashMap::default(),
            messages: FxHashMap::default(),
            data: Vec::new(),
            exceptions: Vec::new(),
            next_id: 1,
            first,
            stops_on_entry: given.stop_on_entry,
            ignores_stops: given.no_debug,
            handles: Vec::new(),
            observed: None,
            is_at_end: false,
        })
    }

    pub(super) fn program(&self) -> &'p Program {
        self.session.program()
    }

    /// Serves requests until the client or the run ends.
    pub fn serve(&mut self, request: &Request, what: &str) -> io::Result<Left> {
        is_ready(self.client, request, what)?;
        let mut running: Option<Direction> = None;
        loop {
            let next = match running {
                None => match self.requests.recv() {
                    Ok(incoming) => self.handle(incoming, running)?,
                    Err(_) => return Ok(Left::Client),
                },
                Some(direction) => self.run(direction)?,
            };
            match next {
                Next::Wait => running = None,
                Next::Run(direction) => running = Some(direction),
                Next::Leave(left) => return Ok(left),
            }
        }
    }

    /// Runs until a stop or the next message. Queued messages are handled first.
    fn run(&mut self, direction: Direction) -> io::Result<Next> {
        // Cleared before the queue is read: the reader sets the flag after it has queued a message, so a message that
        // arrives later sets it again.
        self.interrupts.any.store(false, Ordering::Relaxed);
        let mut next = Next::Run(direction);
        while let Ok(incoming) = self.requests.try_recv() {
            next = self.handle(incoming, Some(direction))?;
            if !matches!(next, Next::Run(_)) {
                return Ok(next);
            }
        }
        let Next::Run(direction) = next else {
            return Ok(next);
        };
        let stops = self.stops();
        let stopped = self.session.resume(direction, &stops, &self.interrupts.any);
        match stopped.reason {
            Reason::Interrupted => match self.requests.try_recv() {
                Ok(incoming) => self.handle(incoming, Some(direction)),
                // The reader has ended because the client has closed the connection.
                Err(std::sync::mpsc::TryRecvError::Disconnected) => Ok(Next::Leave(Left::Client)),
                // The flag was set for a message that had been handled before the run resumed.
                Err(std::sync::mpsc::TryRecvError::Empty) => Ok(Next::Run(direction)),
            },
            Reason::Breakpoint(id) if self.messages.contains_key(&id) => {
                let text = self.message(id, stopped.lane);
                self.client.say(&text)?;
                Ok(Next::Run(direction))
            }
            // The first stop at the end lets the client inspect the result. Resuming from there ends the session.
            Reason::End(_) if self.ignores_stops || self.is_at_end => {
                self.end()?;
                Ok(Next::Leave(Left::Run))
            }
            _ => {
                self.stopped(&stopped, Why::Session)?;
                Ok(Next::Wait)
            }
        }
    }

    fn end(&mut self) -> io::Result<()> {
        self.client.event("exited", json!({ "exitCode": 0 }))?;
        self.client.event("terminated", json!({}))
    }

    fn stops(&mut self) -> Stops {
        if self.ignores_stops {
            return Stops::default();
        }
        let breakpoints = self.breakpoints.values().flatten().chain(&self.first);
        Stops {
            breakpoints: breakpoints.cloned().collect(),
            data: self.data.clone(),
            exceptions: self.exceptions.clone(),
        }
    }

    /// Formats the text of a log point. Expressions in braces are replaced by their values.
    fn message(&mut self, id: u32, lane: Option<LaneId>) -> String {
        let (mut text, message) = (String::new(), self.messages[&id].clone());
        let mut rest = message.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            let Some((inside, more)) = after.split_once('}') else {
                break;
            };
            text += before;
            text += &match lane.map(|lane| self.value(lane, inside)) {
                Some(Ok(value)) => value,
                Some(Err(error)) => format!("{{{error}}}"),
                None => String::new(),
            };
            rest = more;
        }
        text + rest
    }

    /// Sends a `stopped` event.
    fn stopped(&mut self, stopped: &Stopped, why: Why) -> io::Result<()> {
        self.handles.clear();
        let program = self.program();
        let text = match why {
            Why::Session => state::reason(program, &self.target.map, &stopped.reason),
            Why::Entry => "at the start".to_owned(),
            Why::Goto => format!("instant {}", stopped.at),
        };
        self.is_at_end = matches!(stopped.reason, Reason::End(_));
        let is_bad = match &stopped.reason {
            Reason::Observed(..)
            | Reason::NonFinite(..)
            | Reason::Race(_)
            | Reason::Condition(..) => true,
            Reason::End(end) => !matches!(end, End::Finished),
            _ => false,
        };
        self.observed = is_bad.then(|| text.clone());
        let reason = match (&stopped.reason, why) {
            (_, Why::Entry) => "entry",
            (_, Why::Goto) => "goto",
            (Reason::Breakpoint(0), _) => "entry",
            (Reason::Breakpoint(_), _) => "breakpoint",
            (Reason::Data(..), _) => "data breakpoint",
            (Reason::Step, _) => "step",
            (Reason::Interrupted, _) => "pause",
            _ if is_bad => "exception",
            _ => "pause",
        };
        let lane = stopped.lane.or(self.session.next());
        let lane = lane.unwrap_or_else(|| self.session.lanes()[0].id);
        let lane = self.session.near(lane);
        let mut body = json!({
            "reason": reason,
            "description": text,
            "text": text,
            "threadId": self.thread(lane),
            "allThreadsStopped": true,
        });
        if let Reason::Breakpoint(id) | Reason::Data(id, _) | Reason::Condition(id, _) =
            &stopped.reason
            && *id > 0
        {
            body["hitBreakpointIds"] = json!([id]);
        }
        self.first = None;
        self.client.event("stopped", body)
    }

    /// Returns the thread number of a lane, counted from 1.
    pub(super) fn thread(&self, lane: LaneId) -> usize {
        let lanes = self.session.lanes();
        lanes.iter().position(|view| view.id == lane).unwrap_or(0) + 1
    }

    /// Returns the lane with a thread number.
    pub(super) fn lane(&self, thread: i64) -> Result<LaneId, String> {
        let lanes = self.session.lanes();
        let at = usize::try_from(thread)
            .ok()
            .and_then(|it| it.checked_sub(1));
        let lane = at.and_then(|at| lanes.get(at));
        lane.map(|view| view.id)
            .ok_or_else(|| format!("there is no thread {thread}"))
    }

    fn handle(&mut self, incoming: Incoming, running: Option<Direction>) -> io::Result<Next> {
        let stays = running.map_or(Next::Wait, Next::Run);
        let request = match incoming {
            Incoming::Request(request) => request,
            Incoming::Broken(request, reason) => {
                self.client.refuse(request.as_ref(), &reason)?;
                return Ok(stays);
            }
        };
        // The requests before this one have ended. The flag stays where a request is still to come that ends this one.
        if ends_operations(&request) {
            self.interrupts.halt.store(false, Ordering::SeqCst);
        }
        let answered = match running {
            Some(_) if is_for_stopped(&request.command) => Err("the run is not stopped".to_owned()),
            _ => self.answer(&request),
        };
        let (body, then) = match answered {
            Ok(answered) => answered,
            Err(reason) => {
                self.client.fail(&request, &reason)?;
                return Ok(stays);
            }
        };
        self.client.succeed(&request, body)?;
        match then {
            Then::Nothing => Ok(stays),
            Then::Run(direction) => Ok(Next::Run(direction)),
            Then::Leave(Left::Run) => {
                self.client.event("terminated", json!({}))?;
                Ok(Next::Leave(Left::Run))
            }
            Then::Leave(left) => Ok(Next::Leave(left)),
            Then::Stop(stopped, why) => {
                self.stopped(&stopped, why)?;
                Ok(Next::Wait)
            }
        }
    }

    fn answer(&mut self, request: &Request) -> Answered {
        let plain = |body: Value| Ok((body, Then::Nothing));
        match request.command.as_str() {
            "setBreakpoints" => plain(self.set_breakpoints(request.arguments()?)),
            "setExceptionBreakpoints" => plain(self.set_exceptions(&request.arguments()?)),
            "dataBreakpointInfo" => plain(self.data_info(&request.arguments()?)),
            "setDataBreakpoints" => plain(self.set_data(request.arguments()?)),
            "setFunctionBreakpoints" => plain(json!({ "breakpoints": [] })),
            "configurationDone" => Ok((Value::Null, self.start())),
            "threads" => plain(self.threads()),
            "stackTrace" => plain(self.stack(&request.arguments()?)?),
            "scopes" => plain(self.scopes(&request.arguments()?)?),
            "variables" => plain(self.variables(&request.arguments()?)?),
            "evaluate" => self.evaluate(request),
            "readMemory" => plain(self.read_memory(&request.arguments()?)?),
            "disassemble" => plain(self.disassemble(&request.arguments()?)?),
            "completions" => plain(self.completions(&request.arguments()?)),
            "exceptionInfo" => plain(self.exception()?),
            "continue" => {
                let body = json!({ "allThreadsContinued": true });
                Ok((body, Then::Run(Direction::Forward)))
            }
            "reverseContinue" => Ok((Value::Null, Then::Run(Direction::Backward))),
            "next" | "stepIn" | "stepOut" | "stepBack" => self.stride(request),
            "pause" => Ok((
                Value::Null,
                Then::Stop(self.here(Reason::Interrupted), Why::Session),
            )),
            "restart" => {
                self.session.go_to(Instant(0));
                Ok((Value::Null, self.start()))
            }
            "cancel" => plain(Value::Null),
            "terminate" => Ok((Value::Null, Then::Leave(Left::Run))),
            "disconnect" => Ok((Value::Null, Then::Leave(Left::Client))),
            "launch" | "initialize" | "attach" => Err("a kernel is being debugged".to_owned()),
            "a2lint.whoWrote" | "a2lint.nextRead" => {
                let asks_writer = request.command == "a2lint.whoWrote";
                let given: Evaluate = request.arguments()?;
                let found = self.touch(&given.expression, given.frame_id, asks_writer)?;
                plain(self.touched(found.as_ref()))
            }
            "a2lint.goTo" => {
                let given: GoTo = request.arguments()?;
                self.session.go_to(Instant(given.instant));
                Ok((Value::Null, Then::Stop(self.here(Reason::Step), Why::Goto)))
            }
            command => Err(format!("`{command}` is not supported")),
        }
    }

    fn here(&self, reason: Reason) -> Stopped {
        Stopped {
            at: self.session.now(),
            lane: self.session.next(),
            reason,
        }
    }

    /// Returns the first action of a run: a stop at the entry, or running.
    fn start(&mut self) -> Then {
        match self.stops_on_entry && self.first.is_none() {
            true => Then::Stop(self.here(Reason::Step), Why::Entry),
            false => Then::Run(Direction::Forward),
        }
    }

    fn stride(&mut self, request: &Request) -> Answered {
        let given: OfThread = request.arguments()?;
        let lane = self.lane(given.thread_id)?;
        let is_fine = given.granularity.as_deref() == Some("instruction");
        let stride = match request.command.as_str() {
            "stepIn" => Stride::Statement,
            "stepOut" => Stride::Out,
            _ if is_fine => Stride::Statement,
            _ => Stride::Source,
        };
        let halt = &self.interrupts.halt;
        let stopped = match request.command.as_str() {
            "stepBack" => self.session.step_back(lane, stride, halt),
            _ => self.session.step(lane, stride, halt),
        };
        match stopped.reason {
            Reason::Absent => Err(format!("{} is not running", state::lane(lane))),
            _ => Ok((Value::Null, Then::Stop(stopped, Why::Session))),
        }
    }

    fn new_id(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    fn set_breakpoints(&mut self, given: SetBreakpoints) -> Value {
        let path = given.source.path.map(PathBuf::from).unwrap_or_default();
        let path = files::absolute(&path);
        if let Some(before) = self.breakpoints.remove(&path) {
            before
                .iter()
                .for_each(|it| drop(self.messages.remove(&it.id)));
        }
        let (mut all, mut told) = (Vec::new(), Vec::new());
        for wanted in given.breakpoints {
            let id = self.new_id();
            match self.breakpoint(id, &path, &wanted) {
                Ok((breakpoint, line)) => {
                    told.push(
                        json!({ "id": id, "verified": true, "line": self.client.line(line) }),
                    );
                    all.push(breakpoint);
                    if let Some(message) = wanted.log_message {
                        self.messages.insert(id, message);
                    }
                }
                Err(message) => {
                    told.push(json!({ "id": id, "verified": false, "message": message }));
                }
            }
        }
        self.breakpoints.insert(path, all);
        json!({ "breakpoints": told })
    }

    fn breakpoint(
        &self,
        id: u32,
        path: &Path,
        wanted: &SourceBreakpoint,
    ) -> Result<(Breakpoint, usize), String> {
        let (stmts, line) = self.statements(path, self.client.own_line(wanted.line))?;
        let (filter, rest) = Filter::read(wanted.condition.as_deref().unwrap_or_default());
        let condition = match rest {
            "" => None,
            text => Some(Expression::parse(text).map_err(|error| error.to_string())?),
        };
        let hits = match wanted.hit_condition.as_deref().unwrap_or_default() {
            "" => Hits::All,
            text => Hits::read(text).ok_or("counts are `7`, `>= 7`, `> 7` or `% 7`")?,
        };
        let breakpoint = Breakpoint {
            id,
            stmts,
            filter,
            condition,
            hits,
        };
        Ok((breakpoint, line))
    }

    /// Returns the statements on a line of a file, and that line. In the file of the kernel, a breakpoint on or after
    /// its first line may move down to the next line with statements.
    fn statements(&self, path: &Path, line: usize) -> Result<(Vec<StmtId>, usize), String> {
        let mut by_line: Vec<(usize, StmtId)> = Vec::new();
        self.program().walk(&mut |stmt| {
            let (own, at) = self.location(stmt.span);
            if own == path && (line..line + NEAR).contains(&at.line) {
                by_line.push((at.line, stmt.id));
            }
        });
        let (own, first) = self.location(self.program().span);
        let may_move = own == path && line >= first.line;
        let nearest = by_line.iter().map(|it| it.0).min();
        let nearest = nearest.filter(|&nearest| nearest == line || may_move);
        let nearest = nearest.ok_or("the kernel executes nothing here")?;
        let stmts = by_line.into_iter().filter(|it| it.0 == nearest);
        Ok((stmts.map(|it| it.1).collect(), nearest))
    }

    /// Returns the file of a span, and the line and column of its start.
    pub(super) fn location(
        &self,
        span: a2lint_source::text::Span,
    ) -> (PathBuf, a2lint_source::text::LineColumn) {
        let map = &self.target.map;
        match map.elsewhere(span) {
            Some(other) => (
                other.path.to_owned(),
                other.text.line_column(other.span.start),
            ),
            None => (self.path.clone(), map.source.line_column(span.start)),
        }
    }

    fn set_exceptions(&mut self, given: &SetExceptions) -> Value {
        let known = |name: &String| Exception::ALL.into_iter().find(|it| it.name() == name);
        self.exceptions = given.filters.iter().filter_map(known).collect();
        let told = given.filters.iter().map(|name| match known(name) {
            None => json!({ "verified": false, "message": format!("there is no filter `{name}`") }),
            Some(Exception::Race) => match &self.session.races().left_out {
                None => json!({ "verified": true }),
                Some(reason) => json!({ "verified": false, "message": reason }),
            },
            Some(_) => json!({ "verified": true }),
        });
        json!({ "breakpoints": told.collect::<Vec<_>>() })
    }

    fn set_data(&mut self, given: SetData) -> Value {
        self.data.clear();
        let mut told = Vec::new();
        for wanted in given.breakpoints {
            let id = self.new_id();
            let change = match wanted.condition.as_deref().map(str::trim) {
                None | Some("") => Ok(Change::Written),
                Some("undefined") => Ok(Change::Undefined),
                Some(_) => Err("the one condition is `undefined`"),
            };
            let place = self
                .read_place(&wanted.data_id)
                .ok_or("there are no such bytes");
            match place.and_then(|it| change.map(|change| (it, change))) {
                Ok(((place, bytes), change)) => {
                    self.data.push(DataBreakpoint {
                        id,
                        place,
                        bytes,
                        change,
                    });
                    told.push(json!({ "id": id, "verified": true }));
                }
                Err(message) => {
                    told.push(json!({ "id": id, "verified": false, "message": message }));
                }
            }
        }
        json!({ "breakpoints": told })
    }

    /// Encodes a range of bytes as an identifier for the client, such as `1:UB 128 4`: memory, start and length.
    pub(super) fn write_place(&self, place: Place, bytes: &std::ops::Range<usize>) -> String {
        let memory = match place {
            Place::Global(id) => format!("gm{}", id.0),
            Place::Local(lane, position) => format!("{}:{position}", self.thread(lane)),
        };
        format!("{memory} {} {}", bytes.start, bytes.len())
    }

    pub(super) fn read_place(&self, text: &str) -> Option<(Place, std::ops::Range<usize>)> {
        let mut words = text.split(' ');
        let (memory, start, length) = (words.next()?, words.next()?, words.next()?);
        let (start, length): (usize, usize) = (start.parse().ok()?, length.parse().ok()?);
        let place = match memory.strip_prefix("gm") {
            Some(number) => {
                let id = a2lint_ir::GlobalId(number.parse().ok()?);
                self.program().globals.get(id.index())?;
                Place::Global(id)
            }
            None => {
                let (thread, position) = memory.split_once(':')?;
                let lane = self.lane(thread.parse().ok()?).ok()?;
                let position = Position::ALL.iter().find(|it| it.to_string() == position)?;
                Place::Local(lane, *position)
            }
        };
        Some((place, start..start.checked_add(length)?))
    }

    /// Lists the lanes of the cores that are being simulated. Other cores have no state to show.
    fn threads(&self) -> Value {
        let lanes = self.session.lanes();
        let running = lanes.iter().zip(1..);
        let running = running.filter(|(view, _)| self.session.near(view.id) == view.id);
        let threads = running.map(|(view, id)| json!({ "id": id, "name": state::lane(view.id) }));
        json!({ "threads": threads.collect::<Vec<_>>() })
    }

    fn exception(&self) -> Result<Value, String> {
        let text = self
            .observed
            .as_ref()
            .ok_or("nothing has been observed here")?;
        Ok(json!({ "exceptionId": "a2lint", "description": text, "breakMode": "always" }))
    }

    /// Returns the memory and the range of bytes that an expression refers to.
    pub(super) fn bytes(
        &mut self,
        lane: LaneId,
        text: &str,
    ) -> Result<(Place, std::ops::Range<usize>), String> {
        let expression = Expression::parse(text).map_err(|error| error.to_string())?;
        let absent = || format!("{} is not running", state::lane(lane));
        let answer = self
            .session
            .evaluate(lane, &expression)
            .ok_or_else(absent)?;
        match answer.map_err(|error| error.to_string())? {
            Answer::Region(region) => {
                let found = self.session.inspect(lane, |it| region.bytes(it));
                found.ok_or_else(absent)?.map_err(|error| error.to_string())
            }
            _ => Err("only elements of tensors are in memory".to_owned()),
        }
    }

    /// Returns the last write before, or the next read after, the present instant of the bytes of an expression.
    pub(super) fn touch(
        &mut self,
        text: &str,
        frame: Option<i64>,
        asks_writer: bool,
    ) -> Result<Option<Touch>, String> {
        let lane = self.lane_of_frame(frame)?;
        let (place, bytes) = self.bytes(lane, text)?;
        let found = match asks_writer {
            true => self.session.who_wrote(place, bytes, &self.interrupts.halt),
            false => self.session.next_read(place, bytes, &self.interrupts.halt),
        };
        found.map_err(|why| match why {
            Unknown::Interrupted => "interrupted".to_owned(),
            Unknown::Budget => "the run has made as many steps as it may".to_owned(),
        })
    }

    fn touched(&self, touch: Option<&Touch>) -> Value {
        let Some(touch) = touch else {
            return json!({ "found": false });
        };
        let program = self.program();
        let stmt = program.statement(touch.stmt);
        let mut body = json!({
            "found": true,
            "text": state::touch(program, &self.target.map, touch),
            "instant": touch.at.0,
            "threadId": self.thread(touch.lane),
            "iterations": touch.iterations,
        });
        if let Some(stmt) = stmt {
            let (path, at) = self.location(stmt.span);
            body["path"] = path.display().to_string().into();
            body["line"] = self.client.line(at.line).into();
        }
        body
    }

    fn evaluate(&mut self, request: &Request) -> Answered {
        let given: Evaluate = request.arguments()?;
        let text = given.expression.trim();
        let repl = given.context.as_deref() == Some("repl");
        let command = text.split_once(' ').filter(|_| repl);
        match command {
            Some((name @ ("who" | "reads"), rest)) => {
                let touch = self.touch(rest, given.frame_id, name == "who")?;
                let text = match &touch {
                    Some(touch) => state::touch(self.program(), &self.target.map, touch),
                    None if name == "who" => {
                        "nothing has written it since the run began".to_owned()
                    }
                    None => "nothing reads it before the run ends".to_owned(),
                };
                let body = json!({ "result": text, "variablesReference": 0 });
                Ok((body, Then::Nothing))
            }
            Some(("goto", instant)) => {
                let instant = instant
                    .trim()
                    .parse()
                    .map_err(|_| "say an instant: `goto 259`")?;
                self.session.go_to(Instant(instant));
                let body =
                    json!({ "result": format!("instant {instant}"), "variablesReference": 0 });
                Ok((body, Then::Stop(self.here(Reason::Step), Why::Goto)))
            }
            _ => Ok((self.shown(text, given.frame_id)?, Then::Nothing)),
        }
    }

    /// Returns the instant of the last execution of a line on a lane.
    pub(super) fn last_at(&mut self, lane: LaneId, line: &Lines) -> Result<Instant, String> {
        let stmts = state::statements_on(self.program(), &self.target.map, line);
        let found = self
            .session
            .last_execution(lane, &stmts, &self.interrupts.halt);
        let found = found.map_err(|_| "interrupted".to_owned())?;
        found.ok_or_else(|| format!("{} has not been executed on this lane", line.text()))
    }
}

/// Returns whether a request needs a stopped run.
fn is_for_stopped(command: &str) -> bool {
    matches!(
        command,
        "next"
            | "stepIn"
            | "stepOut"
            | "stepBack"
            | "continue"
            | "reverseContinue"
            | "stackTrace"
            | "scopes"
            | "variables"
            | "evaluate"
            | "readMemory"
            | "dataBreakpointInfo"
            | "exceptionInfo"
            | "configurationDone"
            | "a2lint.whoWrote"
            | "a2lint.nextRead"
            | "a2lint.goTo"
    )
}

//! Requests that inspect a stopped run.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::debuggee::Debuggee;
use super::protocol::{
    Completions, DataInfo, Disassemble, OfFrame, OfThread, ReadMemory, Variables,
};
use a2lint_ir::{BufferId, Named, Program, View, print_statements};
use a2lint_isa::BLOCK_BYTES;
use a2lint_machine::LaneId;
use a2lint_report::state;
use a2lint_run::debug::expression::{Answer, Array, Expression, FUNCTIONS, Region};
use a2lint_run::debug::{Place, Where};
use a2lint_source::text::{Slice, Span};

/// Maximum number of frames per thread. A frame is numbered `thread * FRAMES + depth`.
const FRAMES: i64 = 256;
/// Maximum number of elements or rows that are returned at once.
const MOST_PARTS: usize = 1000;
/// Maximum number of bytes that are read at once.
const MOST_BYTES: usize = 1 << 20;
/// Maximum number of completions.
const MOST_NAMES: usize = 100;

/// An item that the client can expand.
#[derive(Clone, Debug)]
pub enum Handle {
    /// The operands of a lane's statement that have names of their own.
    Operands(LaneId),
    /// The scalars of a lane.
    Scalars(LaneId),
    /// The on-chip tensors as a lane sees them.
    Tensors(LaneId),
    /// The global tensors.
    Globals(LaneId),
    /// The mask, the events and flags, and the instructions that wait on pipes.
    Unit(LaneId),
    /// The slots of a buffer.
    Slots(LaneId, BufferId),
    /// The rows, blocks or elements of a region, and the expression for the region.
    Region(LaneId, Region, String),
}

impl Debuggee<'_, '_> {
    /// Registers an item that can be expanded, and returns its `variablesReference`.
    fn hold(&mut self, handle: Handle) -> usize {
        self.handles.push(handle);
        self.handles.len()
    }

    pub(super) fn stack(&mut self, given: &OfThread) -> Result<Value, String> {
        let lane = self.lane(given.thread_id)?;
        let lanes = self.session.lanes();
        let view = lanes.iter().find(|view| view.id == lane);
        let program = self.program();
        let stmt = match view.map(|view| view.at) {
            Some(Where::At(stmt) | Where::Waits(stmt, _)) => stmt,
            _ => None,
        };
        let Some(stmt) = stmt else {
            return Ok(self.stack_at_end(given.thread_id, lane));
        };
        let chain = program.call_chain(stmt.origin);
        let calls = chain.iter().map(|span| {
            let text = self.target.map.text_of(*span);
            text.split('(').next().unwrap_or(text).trim().to_owned()
        });
        let names: Vec<String> = calls.chain([program.name.to_string()]).collect();
        let spans = [stmt.span].into_iter().chain(chain);
        let first = given.start_frame.unwrap_or(0);
        let most = given
            .levels
            .filter(|&levels| levels > 0)
            .unwrap_or(usize::MAX);
        let total = names.len();
        // The text starts with a comma, which is removed after the name below.
        let turns = view.map_or(String::new(), |view| state::iterations(&view.iterations));
        let mut frames = Vec::new();
        for (depth, (name, span)) in names.iter().zip(spans).enumerate().skip(first).take(most) {
            let (path, at) = self.location(span);
            let shown = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned());
            frames.push(json!({
                "id": given.thread_id * FRAMES + depth as i64,
                "name": format!("{name}{}", turns.replacen(", ", " ", 1)),
                "line": self.client.line(at.line),
                "column": self.client.column(at.column),
                "source": { "name": shown, "path": path.display().to_string() },
                "instructionPointerReference": format!("{:#x}", stmt.id.0),
            }));
        }
        Ok(json!({ "stackFrames": frames, "totalFrames": total }))
    }

    /// Returns the frame of a lane that has finished, so that its memory can be inspected.
    fn stack_at_end(&self, thread: i64, lane: LaneId) -> Value {
        let program = self.program();
        if self.session.near(lane) != lane {
            return json!({ "stackFrames": [], "totalFrames": 0 });
        }
        let (path, at) = self.location(Span {
            start: program.span.end.saturating_sub(1).max(program.span.start),
            end: program.span.end,
        });
        let frame = json!({
            "id": thread * FRAMES,
            "name": format!("{} at its end", program.name),
            "line": self.client.line(at.line),
            "column": self.client.column(at.column),
            "source": { "path": path.display().to_string() },
        });
        json!({ "stackFrames": [frame], "totalFrames": 1 })
    }

    /// Returns the lane of a frame. Without a frame, it is the lane of the next step.
    pub(super) fn lane_of_frame(&self, frame: Option<i64>) -> Result<LaneId, String> {
        match frame {
            Some(frame) => self.lane(frame / FRAMES),
            None => {
                let next = self.session.next();
                let lane = next.unwrap_or_else(|| self.session.lanes()[0].id);
                Ok(self.session.near(lane))
            }
        }
    }

    pub(super) fn scopes(&mut self, given: &OfFrame) -> Result<Value, String> {
        let lane = self.lane_of_frame(Some(given.frame_id))?;
        // The value of a tensor is a summary of all of its elements. `expensive` makes clients wait until the user
        // opens the scope.
        let operands = ("Operands", Handle::Operands(lane), false);
        let operands = (!self.named_operands(lane).is_empty()).then_some(operands);
        let scopes = [
            ("Scalars", Handle::Scalars(lane), false),
            ("Tensors on chip", Handle::Tensors(lane), true),
            ("Global tensors", Handle::Globals(lane), true),
            ("Mask, tokens, pipes", Handle::Unit(lane), false),
        ];
        let scopes = operands.into_iter().chain(scopes);
        let scopes = scopes.map(|(name, handle, expensive)| {
            let reference = self.hold(handle);
            json!({ "name": name, "variablesReference": reference, "expensive": expensive })
        });
        Ok(json!({ "scopes": scopes.collect::<Vec<_>>() }))
    }

    pub(super) fn variables(&mut self, given: &Variables) -> Result<Value, String> {
        let at = usize::try_from(given.variables_reference).ok();
        let handle = at
            .and_then(|at| self.handles.get(at.checked_sub(1)?))
            .cloned();
        let handle = handle.ok_or("this is from another stop")?;
        let variables = match handle {
            Handle::Operands(lane) => self.operands(lane),
            Handle::Scalars(lane) => self.scalars(lane),
            Handle::Tensors(lane) => self.tensors(lane),
            Handle::Globals(lane) => self.globals(lane),
            Handle::Unit(lane) => self.unit(lane),
            Handle::Slots(lane, buffer) => self.slots(lane, buffer),
            Handle::Region(lane, region, text) => self.parts(lane, &region, &text, given)?,
        };
        Ok(json!({ "variables": variables }))
    }

    fn operands(&mut self, lane: LaneId) -> Vec<Value> {
        let names = self.named_operands(lane);
        names
            .iter()
            .map(|name| self.variable(lane, name, name))
            .collect()
    }

    /// Returns the names of the statement's operands that are not those of the kernel.
    fn named_operands(&self, lane: LaneId) -> Vec<String> {
        let program = self.program();
        let scope = self.session.scope_of(lane);
        let mut names = scope.map_or_else(Vec::new, |scope| scope.operands());
        // The other scopes show what has the name in the whole kernel.
        names.retain(|(name, view)| is_name(name) && !is_named(program, view, name));
        let mut seen = rustc_hash::FxHashSet::default();
        names.retain(|(name, _)| seen.insert(*name));
        names.iter().map(|(name, _)| (*name).to_owned()).collect()
    }

    fn scalars(&mut self, lane: LaneId) -> Vec<Value> {
        let program = self.program();
        let mut names: Vec<&str> = program
            .variables
            .iter()
            .map(|it| it.name.as_str())
            .collect();
        names.retain(|name| !name.is_empty() && is_scalar(program, name));
        let mut seen = rustc_hash::FxHashSet::default();
        names.retain(|name| seen.insert(*name));
        let mut shown = Vec::new();
        for name in names {
            // Variables without a value are left out.
            if let Ok(value) = self.value(lane, name) {
                shown.push(json!({
                    "name": name, "value": value, "evaluateName": name, "variablesReference": 0,
                }));
            }
        }
        shown
    }

    fn tensors(&mut self, lane: LaneId) -> Vec<Value> {
        let program = self.program();
        let buffers = program.buffers.iter().zip(0..);
        let named = buffers.filter(|(buffer, _)| !buffer.name.is_empty());
        let named: Vec<(String, u32, u32)> = named
            .map(|(buffer, id)| (buffer.name.to_string(), buffer.slots, id))
            .collect();
        let word = program.toolchain.notation.slots();
        let mut shown = Vec::new();
        for (name, slots, id) in named {
            match slots {
                1 => shown.push(self.of_kernel(lane, &name)),
                slots => {
                    let reference = self.hold(Handle::Slots(lane, BufferId(id)));
                    shown.push(json!({
                        "name": name, "value": format!("{slots} {word}"), "evaluateName": name,
                        "variablesReference": reference, "namedVariables": slots,
                    }));
                }
            }
        }
        shown
    }

    fn slots(&mut self, lane: LaneId, buffer: BufferId) -> Vec<Value> {
        let buffer = self.program().buffer(buffer);
        let (name, slots) = (buffer.name.clone(), buffer.slots);
        let slots = (0..slots).map(|slot| {
            let text = format!("{name}[{slot}]");
            self.variable(lane, &format!("[{slot}]"), &text)
        });
        slots.collect()
    }

    fn globals(&mut self, lane: LaneId) -> Vec<Value> {
        let globals = self.program().globals.iter();
        let names: Vec<String> = globals.map(|global| global.name.to_string()).collect();
        let named = names.into_iter().filter(|name| !name.is_empty());
        named.map(|name| self.of_kernel(lane, &name)).collect()
    }

    /// Shows what has a name in the whole kernel.
    fn of_kernel(&mut self, lane: LaneId, name: &str) -> Value {
        let scope = self.session.scope_of(lane);
        let text = scope.map_or_else(|| name.to_owned(), |scope| scope.of_kernel(name));
        self.variable(lane, name, &text)
    }

    fn unit(&mut self, lane: LaneId) -> Vec<Value> {
        let plain = |name: &str, value: String| json!({ "name": name, "value": value, "variablesReference": 0 });
        let mut shown = Vec::new();
        if let Some(words) = self.session.inspect(lane, |it| it.mask().words()) {
            let bits = words.map(|word| format!("{word:064b}"));
            shown.push(plain(
                "mask, lane 127 to 0",
                format!("{} {}", bits[1], bits[0]),
            ));
        }
        for token in self.session.pending_tokens(lane) {
            let set = match token.most {
                Some(most) => format!("{} of {most} set", token.set),
                None => format!("{} to be taken", token.set),
            };
            shown.push(plain(&token.what, set));
        }
        for work in self.session.queued_work(lane) {
            let stmt = self.program().statement(work.stmt);
            let text = stmt.map_or(String::new(), |stmt| {
                state::statement(&self.target.map, stmt)
            });
            shown.push(plain(&format!("{} waits with", work.pipe), text));
        }
        shown
    }

    /// Evaluates an expression, and formats its value on one line.
    pub(super) fn value(&mut self, lane: LaneId, text: &str) -> Result<String, String> {
        let (answer, elements) = self.evaluated(lane, text)?;
        Ok(state::answer(self.program(), &answer, elements.as_ref()))
    }

    fn evaluated(&mut self, lane: LaneId, text: &str) -> Result<(Answer, Option<Array>), String> {
        let expression = Expression::parse(text).map_err(|error| error.to_string())?;
        let here = self.session.now();
        if let Some(line) = expression.line() {
            let instant = self.last_at(lane, line)?;
            self.session.go_to(instant);
        }
        let seen = self.seen(lane, &expression);
        // The session returns to the present instant even if the expression has no value.
        self.session.go_to(here);
        seen
    }

    fn seen(
        &mut self,
        lane: LaneId,
        expression: &Expression,
    ) -> Result<(Answer, Option<Array>), String> {
        let absent = || format!("{} is not running", state::lane(lane));
        let answer = self.session.evaluate(lane, expression).ok_or_else(absent)?;
        let answer = answer.map_err(|error| error.to_string())?;
        let elements = match &answer {
            Answer::Array(array) => Some(array.clone()),
            // A region that is too large to read is shown without elements.
            Answer::Region(region) => self
                .session
                .inspect(lane, |it| region.read(it))
                .and_then(Result::ok),
            _ => None,
        };
        Ok((answer, elements))
    }

    /// Evaluates an expression; the result can be expanded.
    pub(super) fn shown(&mut self, text: &str, frame: Option<i64>) -> Result<Value, String> {
        let lane = self.lane_of_frame(frame)?;
        let (answer, elements) = self.evaluated(lane, text)?;
        let mut body = json!({
            "result": state::answer(self.program(), &answer, elements.as_ref()),
            "variablesReference": 0,
        });
        self.unfold(lane, answer, text, &mut body);
        Ok(body)
    }

    /// Adds the children of a value, and its place in memory, to a response.
    fn unfold(&mut self, lane: LaneId, answer: Answer, text: &str, body: &mut Value) {
        match answer {
            Answer::Slots(buffer) => {
                body["variablesReference"] = self.hold(Handle::Slots(lane, buffer)).into();
                body["namedVariables"] = self.program().buffer(buffer).slots.into();
            }
            Answer::Region(region) => {
                let found = self.session.inspect(lane, |it| region.bytes(it));
                if let Some(Ok((place, bytes))) = found {
                    body["memoryReference"] = self.write_place(place, &bytes).into();
                }
                if !region.axes.is_empty() {
                    body["indexedVariables"] = count_parts(&region).into();
                    let handle = Handle::Region(lane, region, text.to_owned());
                    body["variablesReference"] = self.hold(handle).into();
                }
            }
            Answer::Number(..) | Answer::Array(_) => {}
        }
    }

    fn variable(&mut self, lane: LaneId, name: &str, text: &str) -> Value {
        let mut body = json!({ "name": name, "evaluateName": text, "variablesReference": 0 });
        match self.evaluated(lane, text) {
            Ok((answer, elements)) => {
                body["value"] = state::answer(self.program(), &answer, elements.as_ref()).into();
                self.unfold(lane, answer, text, &mut body);
            }
            Err(reason) => {
                body["value"] = reason.into();
                body["presentationHint"] = json!({ "attributes": ["failedEvaluation"] });
            }
        }
        body
    }

    /// Lists the children of a region: rows of a matrix, 32-byte blocks of a row, elements of a block.
    fn parts(
        &mut self,
        lane: LaneId,
        region: &Region,
        text: &str,
        given: &Variables,
    ) -> Result<Vec<Value>, String> {
        let first = given.start.unwrap_or(0);
        let most = given.count.filter(|&count| count > 0).unwrap_or(MOST_PARTS);
        let last = first
            .saturating_add(most.min(MOST_PARTS))
            .min(count_parts(region));
        let mut all = Vec::new();
        for (index, part) in (first..last).map(|number| part(region, number)) {
            let array = self.session.inspect(lane, |it| part.read(it));
            let array = array.ok_or_else(|| format!("{} is not running", state::lane(lane)))?;
            let value = match &array {
                Ok(array) if part.axes.is_empty() => state::row(array).replace('·', "undefined"),
                Ok(array) if array.elements.len() <= block_of(&part) => state::row(array),
                Ok(array) => state::summary(array),
                Err(error) => error.to_string(),
            };
            let text = format!("{text}{index}");
            let mut body = json!({
                "name": index, "value": value, "evaluateName": text, "variablesReference": 0,
            });
            self.unfold(lane, Answer::Region(part), &text, &mut body);
            all.push(body);
        }
        Ok(all)
    }

    pub(super) fn data_info(&mut self, given: &DataInfo) -> Value {
        let named = || {
            let at = usize::try_from(given.variables_reference?)
                .ok()?
                .checked_sub(1)?;
            Some(match self.handles.get(at)? {
                Handle::Region(lane, _, text) => (*lane, format!("{text}{}", given.name)),
                Handle::Slots(lane, buffer) => {
                    let name = &self.program().buffer(*buffer).name;
                    (*lane, format!("{name}{}", given.name))
                }
                Handle::Operands(lane)
                | Handle::Scalars(lane)
                | Handle::Tensors(lane)
                | Handle::Globals(lane)
                | Handle::Unit(lane) => (*lane, given.name.clone()),
            })
        };
        let found = match given.variables_reference {
            Some(1..) => named().ok_or_else(|| "this is from another stop".to_owned()),
            _ => self
                .lane_of_frame(given.frame_id)
                .map(|lane| (lane, given.name.clone())),
        };
        let found = found.and_then(|(lane, text)| {
            let (place, bytes) = self.bytes(lane, &text)?;
            Ok((self.write_place(place, &bytes), bytes.len(), text))
        });
        match found {
            Ok((id, bytes, text)) => json!({
                "dataId": id,
                "description": format!("{text} ({bytes} bytes)"),
                "accessTypes": ["write"],
                "canPersist": false,
            }),
            Err(reason) => json!({ "dataId": null, "description": reason }),
        }
    }

    pub(super) fn read_memory(&mut self, given: &ReadMemory) -> Result<Value, String> {
        let (place, bytes) = self
            .read_place(&given.memory_reference)
            .ok_or("there is no such memory")?;
        let start = i64::try_from(bytes.start)
            .unwrap_or(i64::MAX)
            .saturating_add(given.offset);
        let start = usize::try_from(start).map_err(|_| "memory begins at 0")?;
        let wanted = usize::try_from(given.count).map_err(|_| "a count is at least 0")?;
        let lane = match place {
            Place::Local(lane, _) => lane,
            Place::Global(_) => self.lane_of_frame(None)?,
        };
        let session = &mut self.session;
        let mut read = |count: usize| {
            let found = session.inspect(lane, |it| it.bytes(place.memory(), start..start + count));
            found.ok_or_else(|| format!("{} is not running", state::lane(lane)))
        };
        // If not all bytes exist, search for the largest readable count, because the session tells no sizes of
        // memories.
        let (mut low, mut high) = (0, wanted.min(MOST_BYTES));
        if read(high)?.is_some() {
            low = high;
        }
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            match read(middle)? {
                Some(_) => low = middle,
                None => high = middle - 1,
            }
        }
        let (data, defined) = read(low)?.unwrap_or_default();
        // The undefined bytes as pairs of offset and length.
        let mut undefined: Vec<[usize; 2]> = Vec::new();
        for (at, _) in defined.iter().enumerate().filter(|(_, defined)| !**defined) {
            match undefined.last_mut() {
                Some(run) if run[0] + run[1] == at => run[1] += 1,
                _ => undefined.push([at, 1]),
            }
        }
        Ok(json!({
            "address": format!("{start:#x}"),
            "data": STANDARD.encode(&data),
            "unreadableBytes": wanted - data.len(),
            "undefined": undefined,
        }))
    }

    pub(super) fn disassemble(&mut self, given: &Disassemble) -> Result<Value, String> {
        let number = given.memory_reference.trim_start_matches("0x");
        let number = i64::from_str_radix(number, 16).map_err(|_| "there is no such statement")?;
        let program = self.program();
        let lines = print_statements(program);
        let at = lines
            .iter()
            .position(|line| i64::from(line.0.id.0) == number);
        let at = at.ok_or("there is no such statement")? as i64;
        let first = at
            .saturating_add(given.offset)
            .saturating_add(given.instruction_offset);
        let count = given.instruction_count.clamp(0, MOST_PARTS as i64);
        let shown = (first..first.saturating_add(count)).map(|at| {
            let line = usize::try_from(at).ok().and_then(|at| lines.get(at));
            match line {
                Some((stmt, text)) => {
                    let (path, place) = self.location(stmt.span);
                    json!({
                        "address": format!("{:#x}", stmt.id.0),
                        "instruction": text,
                        "location": { "path": path.display().to_string() },
                        "line": self.client.line(place.line),
                    })
                }
                None => json!({
                    "address": format!("{:#x}", at.max(0)),
                    "instruction": "",
                    "presentationHint": "invalid",
                }),
            }
        });
        Ok(json!({ "instructions": shown.collect::<Vec<_>>() }))
    }

    pub(super) fn completions(&self, given: &Completions) -> Value {
        let before = given.column.saturating_sub(self.client.column(1));
        let text: String = given.text.chars().take(before).collect();
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let start = text.trim_end_matches(is_name).len();
        let begun = text.part(start..);
        let program = self.program();
        let constants = program.constants.iter().map(|(name, _)| name.as_str());
        let names = Named::all(program).chain(constants);
        let mut names: Vec<&str> = names.chain(FUNCTIONS).collect();
        names.retain(|name| name.starts_with(begun));
        names.sort_unstable();
        names.dedup();
        let targets = names
            .iter()
            .take(MOST_NAMES)
            .map(|name| json!({ "label": name }));
        json!({ "targets": targets.collect::<Vec<_>>() })
    }
}

fn is_scalar(program: &Program, name: &str) -> bool {
    matches!(Named::of(program, name), Some(Named::Variables(_)))
}

/// Returns the number of elements in a block of 32 bytes.
fn block_of(region: &Region) -> usize {
    (BLOCK_BYTES * 8 / region.dtype.bits()).max(1) as usize
}

/// Returns the number of children of a region: rows, blocks of a row, or elements of a block.
fn count_parts(region: &Region) -> usize {
    let block = block_of(region);
    match region.axes[..] {
        [axis] if axis.extent > block => axis.extent.div_ceil(block),
        [axis, ..] => axis.extent,
        [] => 0,
    }
}

/// Returns a child of a region, and the index expression that selects it.
fn part(region: &Region, number: usize) -> (String, Region) {
    let block = block_of(region);
    match region.axes[..] {
        [axis] if axis.extent > block => {
            let start = number * block;
            let end = (start + block).min(axis.extent);
            let mut part = region.clone();
            part.first += start * axis.stride;
            part.axes[0].extent = end - start;
            (format!("[{start}:{end}]"), part)
        }
        _ => (format!("[{number}]"), region.at(number)),
    }
}

/// Returns whether a text is a name.
fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
}

/// Returns whether the tensor of a view was declared under this name.
fn is_named(program: &Program, view: &View, name: &str) -> bool {
    match view {
        View::Local(view) => program.buffer(view.buffer).name == name,
        View::Global(view) => program.global(view.global).name == name,
    }
}

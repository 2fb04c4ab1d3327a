// @ts-check
// The page of `a2lint report`: draws what the JSON object in the page says. No library, no network.
"use strict";
(() => {
  const data = JSON.parse(/** @type {HTMLElement} */ (document.getElementById("data")).textContent || "{}");
  // In VS Code, lines open in the editor.
  // @ts-ignore
  const editor = typeof acquireVsCodeApi === "function" ? acquireVsCodeApi() : null;
  // The editor has the source.
  if (editor) document.body.classList.add("embedded");
  const views = ["Findings", "Memory", "Timeline", "Tiles"].concat(data.sweep ? ["Sizes"] : []);
  const first = data.sweep ? 4 : data.findings.length ? 0 : 1;
  const state = { view: first, finding: -1, line: 0, step: 0, zoom: 1 };
  /** @param {string} id */
  const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const SVG = "http://www.w3.org/2000/svg";

  /** @param {string} name @param {Record<string, any>} attributes @param {any[]} children */
  function make(name, attributes = {}, ...children) {
    const svg = ["svg", "g", "rect", "text", "line", "path", "title"].includes(name);
    const node = svg ? document.createElementNS(SVG, name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key === "click") {
        node.addEventListener("click", value);
        node.addEventListener("keydown", (/** @type {any} */ event) => {
          if ((event.key === "Enter" || event.key === " ") && node.nodeName !== "BUTTON") {
            event.preventDefault();
            value(event);
          }
        });
      } else if (value !== undefined && value !== null) {
        // The page allows no style in attributes, which source text could bring.
        if (key === "style") node.style.cssText = value;
        else node.setAttribute(key, String(value));
      }
    }
    node.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
    return /** @type {any} */ (node);
  }

  /** @param {number} bytes */
  const size = (bytes) => (bytes < 1024 ? `${bytes} B` : `${+(bytes / 1024).toFixed(1)} KB`);

  /** Goes to a line of the source. @param {number} line */
  function goto(line) {
    state.line = line;
    for (const row of document.querySelectorAll(".row.here")) row.classList.remove("here");
    const row = document.getElementById(`line-${line}`);
    row?.classList.add("here");
    row?.scrollIntoView({ block: "center" });
    // The editor knows the lines of its own file.
    if (!fileOf(line).name) editor?.postMessage({ line });
  }

  /** The file that has a line of this object. @param {number} line */
  const fileOf = (line) => data.files.find((/** @type {any} */ it) =>
    it.first <= line && line < it.first + it.lines.length) || data.files[0];
  /** The words for a line. @param {number} line */
  const place = (line) => {
    const file = fileOf(line);
    return `${file.name ? `${file.name}:` : "line "}${line - file.first + 1}`;
  };

  /** A text with names in code. @param {string} text */
  const spelled = (text) => text.split("`").map((part, index) => index % 2 ? make("code", {}, part) : part);

  /** A link to a line. @param {number} line @param {string} text */
  const lineLink = (line, text = place(line)) =>
    make("button", { class: "link", "data-line": line, click: () => goto(line) }, text);

  /** @param {number} view */
  function show(view) {
    state.view = view;
    draw();
  }

  /** Opens what ran on a line, where something did. @param {number} line */
  function openLine(line) {
    const step = data.steps.findIndex((/** @type {any} */ it) => it.line === line);
    const finding = data.findings.findIndex((/** @type {any} */ it) => it.line === line);
    goto(line);
    if (finding >= 0) {
      state.finding = finding;
      if (step < 0) return show(0);
    }
    if (step >= 0) {
      state.step = finding >= 0 ? data.findings[finding].step ?? step : step;
      show(3);
    }
  }

  function head() {
    const launch = data.launch.arguments.join("  ");
    const chips = data.verdicts.map((/** @type {any} */ it) =>
      make("span", { class: `chip ${it.status.startsWith("proved") ? "proved" : it.status}`, title: it.why },
        `${it.property}: ${it.status}`));
    byId("head").append(
      make("h1", {}, data.kernel),
      make("div", { class: "dim" }, `${data.path}, device ${data.device} · ${launch} (${data.launch.origin})`),
      data.standing ? make("div", { class: `standing ${data.standing.name}` }, ...spelled(data.standing.text)) : "",
      make("div", { class: "dim" }, data.summary),
      make("div", { class: "chips" }, ...chips));
    document.title = `${data.kernel} – a2lint`;
  }

  const PYTHON = "and as assert break class continue def del elif else except False finally for from if import in is " +
    "lambda None not or pass raise return True try while with yield";
  const CPP = "auto bool break case class const constexpr continue default do double else enum extern false float " +
    "for half if inline int int32_t int64_t namespace private public return sizeof static struct switch template this " +
    "true typename uint16_t uint32_t uint64_t uint8_t using void while";
  const isPython = /\.py$/.test(data.path);
  const words = (isPython ? PYTHON : CPP).replaceAll(" ", "|");
  const tokens = new RegExp([
    isPython ? "(#.*)" : String.raw`(//.*|/\*.*?(?:\*/|$))`,
    String.raw`("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)`,
    String.raw`(\b\d[\w.]*)`,
    String.raw`(\b(?:${words})\b|${isPython ? String.raw`@[\w.]+` : String.raw`^\s*#\s*\w+`})`,
  ].join("|"), "g");

  let inString = false;
  /** A line in colours: comments, strings, numbers, keywords. A guess, line by line, which is enough for reading.
   * @param {string} text */
  function coloured(text) {
    // Documentation strings go over several lines.
    const before = inString;
    if (isPython && text.split('"""').length % 2 === 0) inString = !inString;
    if (before || inString) return [make("span", { class: "string" }, text)];
    const nodes = [];
    let at = 0;
    for (const match of text.matchAll(tokens)) {
      const which = match.slice(1).findIndex((group) => group !== undefined);
      const kind = ["comment", "string", "numeral", "keyword"][which];
      nodes.push(text.slice(at, match.index), make("span", { class: kind }, match[0]));
      at = match.index + match[0].length;
    }
    return nodes.concat(text.slice(at));
  }

  /** Small pictures with words: what colours and marks stand for. @param {[string, string][]} entries */
  const key = (entries) => make("div", { class: "key" }, ...entries.map(([kind, text]) =>
    make("span", {}, make("i", { class: `swatch ${kind}` }), text)));

  function source() {
    const most = Math.max(1, ...Object.values(data.lineCycles));
    const busiest = Object.keys(data.lineCycles).length
      ? [["works", `cycles in which pipes work on the line, over all lanes (whole bar: ${most})`]] : [];
    byId("source").append(key(/** @type {[string, string][]} */ (
      (data.findings.length ? [["found", "finding"]] : []).concat(busiest))));
    const worst = new Map();
    for (const it of data.findings) if (!worst.has(it.line)) worst.set(it.line, it);
    for (const file of data.files) {
      if (file.name) byId("source").append(make("div", { class: "file" }, file.name));
      file.lines.forEach((/** @type {string} */ text, /** @type {number} */ index) =>
        sourceLine(text, file.first + index, index + 1, most, worst));
    }
  }

  /** @param {string} text @param {number} line @param {number} number
   * @param {number} most @param {Map<any, any>} worst */
  function sourceLine(text, line, number, most, worst) {
    const cycles = data.lineCycles[line] || 0;
    const found = worst.get(line);
    const runs = cycles > 0 || found;
    const bar = cycles ? make("i", { style: `width:${Math.max(1, (38 * cycles) / most)}px` }) : "";
    const share = data.lineShares[line];
    const part = share ? `, ${Math.round(share)} % of the critical path` : "";
    const note = [cycles ? `${cycles} cycles${part}` : "", found ? found.message : ""].filter(Boolean).join(": ");
    byId("source").append(make("div", {
      class: `row ${found ? found.severity : ""}`, id: `line-${line}`, title: note,
      role: runs ? "button" : null, tabindex: runs ? 0 : null, click: () => openLine(line),
    }, make("span", { class: "number" }, String(number)), make("span", { class: "cost" }, bar),
      make("span", {}, ...coloured(text))));
  }

  function findings() {
    if (!data.findings.length) return [make("p", {}, "No findings.")].concat(known());
    return data.findings.map((/** @type {any} */ it, /** @type {number} */ index) => {
      const steps = it.step === null ? "" :
        make("button", { class: "link", "data-step": it.step, click: () => openStep(it.step) }, "Show the tiles");
      return make("article", { class: `finding ${it.severity} ${index === state.finding ? "here" : ""}`,
        "data-finding": index },
        make("strong", {}, `${it.severity} ${it.name} `), lineLink(it.line),
        make("div", {}, ...spelled(it.message)),
        ...it.labels.map((/** @type {any} */ label) =>
          make("div", { class: "dim" }, lineLink(label.line), " ", ...spelled(label.message))),
        ...(it.help ? help(it.help) : []),
        it.witness ? make("div", { class: "dim" }, it.witness) : "",
        steps);
    }).concat(known());
  }

  /** Sentences, and the pictures in them. @param {string} text */
  const help = (text) => text.split("\n").map((line, index) => line.startsWith("coverage,") || index && /^ /.test(line)
    ? make("code", { class: "drawn" }, line)
    : make("div", {}, ...spelled(index ? line : `Help: ${line}`)));

  const known = () => [make("h2", {}, "What was looked at"),
    make("table", { class: "known" }, ...data.known.split("\n").filter(Boolean).map((/** @type {string} */ line) =>
      make("tr", {}, make("th", {}, line.slice(2, 13).trim()), make("td", {}, line.slice(13))))),
    make("h2", {}, "How close this is to a device"),
    ...data.fidelity.split("\n").map((/** @type {string} */ line) => make("div", {}, line))];

  /** The width that drawings may take. */
  const room = () => Math.max(300, byId("view").clientWidth - 28);

  /** Marks and numbers of an axis. @param {any} svg @param {(at: number) => number} scale @param {number} most
   * @param {number} y @param {number} bottom @param {(at: number) => string} text @param {number[]} ticks */
  function axis(svg, scale, most, y, bottom, text, ticks) {
    for (const at of ticks) {
      if (at > most) break;
      const x = scale(at), last = x + 7 * text(at).length > scale(most) + 4;
      svg.append(make("line", { x1: x, x2: x, y1: y + 4, y2: bottom, class: "grid" }),
        make("text", { x: last ? Math.min(x, scale(most)) : x, y, class: "small",
          "text-anchor": last ? "end" : "start" }, text(at)));
    }
  }

  /** @param {number} at */
  const cycle = (at) => at ? String(at) : "cycle 0";
  /** About a mark for 80 pixels of a time axis. @param {(at: number) => number} scale */
  const cycles = (scale) => evenly(Math.max(1, data.cycles),
    Math.max(2, Math.min(60, (scale(data.cycles) - scale(0)) / 80)));

  function memory() {
    const nodes = [];
    const width = room(), names = Math.min(150, width / 3);
    for (const memory of data.memories) {
      const most = Math.max(memory.capacity, memory.used);
      const scale = (/** @type {number} */ bytes) => (width * bytes) / most;
      nodes.push(make("h2", {}, `${memory.name}: ${size(memory.used)} of ${size(memory.capacity)}`));
      const lives = 54, height = lives + 20 * memory.slots.length;
      const svg = make("svg", { width: width + 4, height, role: "group", "aria-label": memory.name });
      axis(svg, scale, most, 28, 15, (at) => at ? size(at) : "address 0",
        [0, 1, 2, 3, 4].map((part) => Math.floor((memory.capacity * part) / 4)));
      const time = (/** @type {number} */ at) => names + ((width - names) * at) / Math.max(1, data.cycles);
      if (data.cycles > 0) axis(svg, time, data.cycles, lives - 6, height, cycle, cycles(time));
      svg.append(make("rect", { x: 0, y: 2, width: scale(memory.capacity), height: 14, fill: "none",
        stroke: memory.used > memory.capacity ? "var(--error)" : "var(--line)" }));
      memory.slots.forEach((/** @type {any} */ slot, /** @type {number} */ index) => {
        const over = slot.end > memory.capacity;
        const open = () => { goto(slot.line); state.finding = -1; openSlot(slot); };
        const text = `${slot.name}: ${slot.type}, ${size(slot.end - slot.start)} at 0x${slot.start.toString(16)}`;
        svg.append(make("rect", { x: scale(slot.start), y: 3, width: Math.max(1, scale(slot.end - slot.start) - 1),
          height: 12, fill: over ? "var(--error)" : "var(--bar)", role: "button", tabindex: 0,
          "data-buffer": slot.name, "aria-label": text, click: open }, make("title", {}, text)));
        const y = lives + 20 * index;
        svg.append(make("text", { x: 0, y: y + 12, class: "small" }, slot.name));
        if (slot.from !== null && data.cycles > 0) {
          const left = time(slot.from), right = time(slot.to ?? slot.from);
          const life = `${slot.name}: first written at cycle ${slot.from}, last read at ${slot.to ?? "no cycle"}`;
          svg.append(make("rect", { x: left, y: y + 3, width: Math.max(2, right - left), height: 10,
            fill: slot.to === null ? "var(--wait)" : "var(--bar)", role: "button", tabindex: 0,
            "data-life": slot.name, "aria-label": life, click: open }, make("title", {}, life)));
        } else {
          svg.append(make("text", { x: names, y: y + 12, class: "small" }, "never written on this core"));
        }
      });
      nodes.push(svg);
    }
    if (!nodes.length) nodes.push(make("p", {}, "This kernel has no on-chip tensors."));
    return [key([["works", "slot, and its time from first write to last read"], ["waits", "written, never read"],
      ["over", "beyond the capacity"]])].concat(nodes, make("p", { class: "dim" },
      `The bar on top has the addresses; below it each slot has its time on core ${data.core}. ` +
      "A mark opens the tiles of the first statement that writes it."));
  }

  /** @param {any} slot */
  function openSlot(slot) {
    const writes = (/** @type {any} */ it) => it.operands.some((/** @type {any} */ operand) =>
      operand.buffer === slot.buffer && operand.after);
    const step = data.steps.findIndex(writes);
    if (step >= 0) openStep(step);
  }

  function timeline() {
    const left = 92, high = 18, top = 18;
    const width = left + (room() - left) * state.zoom;
    const scale = (/** @type {number} */ at) => left + ((width - left - 2) * at) / Math.max(1, data.cycles);
    const bottom = top + 4 + high * data.tracks.length;
    const svg = make("svg", { width, height: bottom + 4, role: "group", "aria-label": "Timeline" });
    axis(svg, scale, data.cycles, 11, bottom, cycle, cycles(scale));
    data.tracks.forEach((/** @type {any} */ track, /** @type {number} */ index) => {
      const y = top + 4 + high * index;
      svg.append(make("text", { x: 0, y: y + 11 }, track.name));
      for (const [start, end, line, kind] of track.slices) {
        const names = ["works", "waits for a signal", "waits (auto_sync)", "waits at a barrier"];
        const text = `${track.name} ${names[kind]} on ${place(line)}: cycles ${start} to ${end}`;
        svg.append(make("rect", { x: scale(start), y, width: Math.max(0.6, scale(end) - scale(start)), height: high - 4,
          fill: kind === 0 ? "var(--bar)" : "var(--wait)", opacity: kind === 0 ? 1 : 0.55,
          "data-line": line, click: () => openLine(line) }, make("title", {}, text)));
      }
    });
    for (const race of data.races) svg.append(mark(race, scale, high, top));
    const title = make("h2", {}, "Accesses that nothing orders");
    const races = data.races.length ? [title, ...data.races.map(raceText)] : [];
    const note = data.slicesLeftOut ? ` The last ${data.slicesLeftOut} are left out.` : "";
    const zoomed = (/** @type {number} */ by) => () => {
      state.zoom = Math.max(1, Math.min(64, state.zoom * by));
      show(2);
    };
    const zoom = make("div", {},
      make("button", { click: zoomed(0.5), "aria-label": "Show more of the time" }, "−"), " ",
      make("button", { click: zoomed(2), "aria-label": "Show the time in more detail" }, "+"),
      ` Core ${data.core}, ${data.cycles} cycles by the cost model`);
    const kinds = [["works", "works"], ["waits", "waits"]];
    if (data.races.length) kinds.push(["race-key", "nothing orders these"]);
    return [zoom, key(/** @type {[string, string][]} */ (kinds)), make("div", { class: "wide" }, svg),
      make("p", { class: "dim" }, `A mark leads to its line.${note}`), ...races];
  }

  /** Two accesses that nothing orders, and a line between them.
   * @param {any} race @param {(at: number) => number} scale @param {number} high @param {number} top */
  function mark(race, scale, high, top) {
    const here = race.ends.filter((/** @type {any} */ end) => end.core === data.core);
    const places = here.map((/** @type {any} */ end) => {
      const row = data.tracks.findIndex((/** @type {any} */ track) => track.name === end.track);
      return { end, x: scale(end.from), width: Math.max(3, scale(end.to) - scale(end.from)), y: top + 4 + high * row };
    });
    const open = () => openFinding(race.rule, race.line);
    const group = make("g", { class: "race", role: "button", tabindex: 0, "data-race": race.line,
      "aria-label": raceWords(race), click: open }, make("title", {}, raceWords(race)));
    for (const { x, y, width } of places) group.append(make("rect", { x, y, width, height: high - 4 }));
    if (places.length === 2) {
      // From the end of the earlier one to the start of the later.
      const [a, b] = places.sort((/** @type {any} */ p, /** @type {any} */ q) => p.x - q.x);
      const middle = (high - 4) / 2;
      group.append(make("path", { d: `M${a.x + a.width} ${a.y + middle}L${b.x} ${b.y + middle}` }));
    }
    return group;
  }

  /** @param {any} end */
  const endWords = (end) => (end.core === data.core ? "" : `core ${end.core} `) + end.track +
    (end.tensor ? ` at ${end.tensor}` : "") + (end.iteration.length ? `, iteration ${end.iteration.join(", ")}` : "");
  /** @param {any} race */
  const raceWords = (race) => race.ends.map((/** @type {any} */ end) =>
    `${endWords(end)} (${place(end.line)})`).join(" and ");

  /** @param {any} race */
  const raceText = (race) => make("div", {}, make("button", { class: "link",
    click: () => openFinding(race.rule, race.line) }, race.rule), ": ",
    ...race.ends.flatMap((/** @type {any} */ end, /** @type {number} */ index) =>
      [index ? " and " : "", `${endWords(end)} (`, lineLink(end.line), ")"]),
    race.count > 1 ? `; ${race.count} times in this launch` : "");

  /** @param {string} rule @param {number} line */
  function openFinding(rule, line) {
    state.finding = data.findings.findIndex((/** @type {any} */ it) => it.name === rule && it.line === line);
    goto(line);
    show(0);
  }

  /** @param {number} step */
  function openStep(step) {
    state.step = step;
    goto(data.steps[step].line);
    show(3);
  }

  /** The time over a size: a plot, and the same as a table. */
  function sizes() {
    const { name, points } = data.sweep;
    const timed = points.filter((/** @type {any} */ it) => it.microseconds !== null);
    const nodes = [make("h2", {}, `Time on the device over ${name}, by the cost model`)];
    if (timed.length) nodes.push(plot(timed));
    const cells = (/** @type {any} */ it) => it.microseconds === null ? ["–", "–", "–"]
      : [it.microseconds.toFixed(1), String(it.cycles), it.bound ?? "nothing"];
    const row = (/** @type {any} */ it) => make("tr", { "data-size": it.value }, make("td", { class: "number" }, String(it.value)),
      ...cells(it).map((text, index) => make("td", { class: index < 2 ? "number" : "" }, text)),
      make("td", { class: "dim" }, it.remark ?? ""));
    const head = [name, "µs", "cycles", "limited by", ""].map((text, index) =>
      make("th", { class: index < 3 ? "number" : "" }, text));
    nodes.push(make("table", { class: "sizes" }, make("tr", {}, ...head), ...points.map(row)));
    const left = points.length - timed.length;
    return nodes.concat(make("p", { class: "dim" }, "Times include the launch. The shape of a mark says what limits the " +
      `kernel at that size. The other views are about ${name} = ${points[0].value}.` +
      (left ? ` ${left} of ${points.length} sizes were not run.` : "")));
  }

  /** Numbers for an axis that begins at nothing: about `count` of them, at multiples of 1, 2 or 5.
   * @param {number} most @param {number} count */
  function evenly(most, count) {
    const rough = most / count, power = 10 ** Math.floor(Math.log10(rough));
    const step = power * ([1, 2, 5].find((unit) => unit * power >= rough) ?? 10);
    return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, index) => index * step);
  }

  /** Numbers for an axis of ratios between two numbers; more of them where those are near each other.
   * @param {number} from @param {number} to */
  function ratios(from, to) {
    const units = to / from > 20 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 7];
    const all = [];
    for (let power = 10 ** Math.floor(Math.log10(from)); power <= to; power *= 10) {
      all.push(...units.map((unit) => unit * power).filter((at) => at >= from && at <= to));
    }
    return all;
  }

  /** Sizes that multiply are plotted by their ratios, and so are their times. @param {any[]} points */
  function plot(points) {
    const width = 720, height = 400, left = 70, right = 20, top = 34, bottom = 50;
    const { name, multiplies } = data.sweep;
    const values = points.map((it) => it.value), times = points.map((it) => it.microseconds);
    const inner = width - left - right, high = height - top - bottom;
    const most = Math.max(...times), even = evenly(most, 6);
    const [from, to] = multiplies ? [Math.min(...times) / 1.2, most * 1.2] : [0, even[even.length - 1]];
    const marks = multiplies ? ratios(from, to) : even;
    const part = (/** @type {number} */ at, /** @type {number} */ low, /** @type {number} */ high) =>
      low === high ? 0.5 : multiplies ? Math.log(at / low) / Math.log(high / low) : (at - low) / (high - low);
    // Marks at the border stay whole.
    const x = (/** @type {number} */ at) => left + 14 + (inner - 28) * part(at, Math.min(...values), Math.max(...values));
    const y = (/** @type {number} */ at) => top + high * (1 - part(at, from, to));
    const svg = make("svg", { viewBox: `0 0 ${width} ${height}`, class: "plot", role: "img",
      "aria-label": `Time in microseconds over ${name}; the table below has the numbers` });
    for (const at of marks) {
      svg.append(make("line", { x1: left, x2: width - right, y1: y(at), y2: y(at), class: "grid" }),
        make("text", { x: left - 8, y: y(at) + 4, "text-anchor": "end" }, String(+at.toPrecision(6))));
    }
    // Numbers that would stand on each other are left out.
    let free = 0;
    for (const at of values) {
      svg.append(make("line", { x1: x(at), x2: x(at), y1: top + high, y2: top + high + 5, class: "axis" }));
      const room = 7 * String(at).length + 10;
      if (x(at) - room / 2 < free) continue;
      free = x(at) + room / 2;
      svg.append(make("text", { x: x(at), y: top + high + 19, "text-anchor": "middle" }, String(at)));
    }
    svg.append(make("path", { d: `M${left} ${top}V${top + high}H${width - right}`, class: "axis" }),
      make("text", { x: left + inner / 2, y: height - 8, "text-anchor": "middle" },
        `${name}${multiplies ? " (logarithmic)" : ""}`),
      make("text", { x: 6, y: top - 16 }, `time in µs${multiplies ? " (logarithmic)" : ""}`));
    const whole = points.filter((it) => !it.remark);
    const way = whole.map((it, index) => `${index ? "L" : "M"}${x(it.value)} ${y(it.microseconds)}`).join("");
    if (way) svg.append(make("path", { d: way, class: "way" }));
    for (const it of points) {
      const text = `${name} = ${it.value}: ${it.microseconds.toFixed(1)} µs, ${it.cycles} cycles, limited by ` +
        `${it.bound ?? "nothing"}${it.remark ? `; ${it.remark}` : ""}`;
      svg.append(make("path", { d: shape(it.kind, x(it.value), y(it.microseconds)), "data-point": it.value,
        class: `point ${it.kind}${it.remark ? " part" : ""}` }, make("title", {}, text)));
    }
    legend(svg, points, left + 190, top - 20);
    return svg;
  }

  /** The mark for what limits a kernel. @param {string} kind @param {number} x @param {number} y */
  const shape = (kind, x, y) => kind === "memory" ? `M${x - 6} ${y}a6 6 0 1 0 12 0a6 6 0 1 0 -12 0Z`
    : kind === "pipe" ? `M${x - 5.5} ${y - 5.5}h11v11h-11Z` : `M${x} ${y - 7}l7 12h-14Z`;

  /** What the marks stand for. @param {any} svg @param {any[]} points @param {number} x @param {number} y */
  function legend(svg, points, x, y) {
    const kinds = ["memory", "pipe", "latency"].filter((kind) => points.some((it) => it.kind === kind));
    for (const kind of kinds) {
      const names = points.filter((it) => it.kind === kind).map((it) => it.bound);
      const text = kind === "latency" ? "pipes wait for each other" : [...new Set(names)].join(", ");
      svg.append(make("path", { d: shape(kind, x, y), class: `point ${kind}` }),
        make("text", { x: x + 12, y: y + 4 }, text));
      x += 34 + 7 * text.length;
    }
    if (points.some((it) => it.remark)) {
      svg.append(make("path", { d: shape("memory", x, y), class: "point part" }),
        make("text", { x: x + 12, y: y + 4 }, "see the table"));
    }
  }

  /** The executions of the statement that is shown. */
  const kin = () => data.steps.map((/** @type {any} */ it, /** @type {number} */ at) => [it, at])
    .filter((/** @type {any} */ [it]) => it.stmt === data.steps[state.step].stmt)
    .map((/** @type {any} */ [, at]) => at);

  function tiles() {
    const step = data.steps[state.step];
    if (!step) return [make("p", {}, "No statement was recorded.")];
    const all = kin();
    const index = all.indexOf(state.step);
    const found = data.findings.map((/** @type {any} */ it, /** @type {number} */ at) => [it, at])
      .filter((/** @type {any} */ [it]) => it.line === step.line);
    const slider = make("input", { type: "range", min: 0, max: all.length - 1, value: index, id: "execution",
      "aria-label": "execution" });
    slider.addEventListener("input", () => openStep(all[Number(slider.value)]));
    const nodes = [
      make("div", {}, lineLink(step.line), ` ${step.text}`),
      make("div", { class: "dim" }, `core ${step.core}, ${step.lane}` +
        (step.iteration.length ? `, iteration ${step.iteration.join(", ")}` : "") +
        (step.at === null ? "" : `, from cycle ${step.at}`)),
      make("label", {}, "execution ", all.length > 1 ? slider : "", ` ${index + 1} of ${all.length} recorded`),
      ...found.map((/** @type {any} */ [it, at]) => make("div", {}, make("button", { class: "link",
        "data-open-finding": at, click: () => { state.finding = at; show(0); } }, `${it.severity}: ${it.message}`))),
      key([["undefined", "undefined"], ["changed", "changed"], ["odd", "NaN or infinite"]]),
      make("div", {}, ...step.operands.map(operand)),
      make("p", { class: "dim" }, "A cell of a large tile stands for several elements: their mean, and all that is odd." +
        (data.stepsLeftOut ? ` ${data.stepsLeftOut} further executions are left out.` : "")),
    ];
    return nodes;
  }

  /** @param {any} it */
  function operand(it) {
    const nodes = [make("strong", {}, `${it.parameter} `), `${it.view} ${it.type}`];
    for (const when of ["before", "after"]) {
      if (!it[when]) continue;
      nodes.push(make("div", { class: "dim" }, `${when}: ${it[when].numbers}`), picture(it[when], it));
    }
    if (it.range) nodes.push(make("div", { class: "range" }, it.range[0], make("i"), it.range[1]));
    if (it.rows.length) nodes.push(make("pre", {}, it.rows.join("\n")));
    return make("div", { class: "operand" }, ...nodes);
  }

  /** @param {any} tile @param {any} it */
  function picture(tile, it) {
    const [rows, columns] = tile.grid;
    const cell = Math.max(4, Math.min(14, Math.floor(320 / Math.max(columns, 1))));
    const canvas = make("canvas", { width: columns * cell, height: rows * cell, role: "img",
      "aria-label": `${it.view}: ${tile.numbers}` });
    const context = canvas.getContext("2d");
    const flags = [];
    for (const [count, flag] of tile.flags) for (let at = 0; at < count; at++) flags.push(flag);
    for (let at = 0; at < rows * columns; at++) {
      const x = (at % columns) * cell, y = Math.floor(at / columns) * cell;
      const level = (tile.levels.charCodeAt(at) - 48) / 63;
      const flag = flags[at] || 0;
      // Undefined 1, changed 2, NaN or infinite 4.
      context.fillStyle = flag & 4 ? "#d1242f" : colour(level);
      context.fillRect(x, y, cell, cell);
      if (flag & 1) {
        context.fillStyle = "#888";
        context.fillRect(x, y, cell, cell);
        context.strokeStyle = "#eee";
        context.beginPath();
        context.moveTo(x, y + cell);
        context.lineTo(x + cell, y);
        context.stroke();
      }
      if (flag & 2 && !(it.allChanged)) {
        context.strokeStyle = "#ff8c00";
        context.strokeRect(x + 0.5, y + 0.5, cell - 1, cell - 1);
      }
    }
    return canvas;
  }

  /** A scale that is even for the eye, also for people who see colours otherwise. @param {number} level */
  function colour(level) {
    const stops = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
    const at = Math.min(level * 4, 3.999), low = Math.floor(at), part = at - low;
    const mix = stops[low].map((value, index) => Math.round(value + (stops[low + 1][index] - value) * part));
    return `rgb(${mix.join(",")})`;
  }

  function draw() {
    byId("tabs").replaceChildren(...views.map((name, index) =>
      make("button", { role: "tab", "aria-selected": index === state.view, "data-view": name.toLowerCase(),
        click: () => show(index) }, name)));
    const content = [findings, memory, timeline, tiles, sizes][state.view]();
    byId("view").replaceChildren(...content);
    document.querySelector(".finding.here")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} by */
  function nextFinding(by) {
    if (!data.findings.length) return;
    const all = data.findings.length;
    state.finding = state.finding < 0 ? (by > 0 ? 0 : all - 1) : (state.finding + by + all) % all;
    goto(data.findings[state.finding].line);
    show(0);
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return;
    if (event.key >= "1" && Number(event.key) <= views.length) show(Number(event.key) - 1);
    if (event.key === "j") nextFinding(1);
    if (event.key === "k") nextFinding(-1);
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by && state.view === 3 && data.steps.length) {
      const all = kin();
      const next = all[all.indexOf(state.step) + by];
      if (next !== undefined) openStep(next);
    }
  });
  // An editor asks for a place.
  window.addEventListener("message", (event) => {
    if (event.data && typeof event.data.line === "number") openLine(event.data.line);
  });
  byId("last").textContent = String(views.length);
  head();
  source();
  draw();
  // Most of a file stands before the first line that runs.
  const reported = data.findings.map((/** @type {any} */ it) => it.line);
  const ran = Math.min(...Object.keys(data.lineCycles).map(Number), ...reported);
  const row = Number.isFinite(ran) ? document.getElementById(`line-${ran}`) : null;
  // The pane alone: on a narrow page the head stays in sight.
  const pane = byId("source");
  const above = /** @type {HTMLElement | null} */ (pane.firstElementChild);
  if (row) pane.scrollTop = row.offsetTop - pane.offsetTop - (above?.offsetHeight || 0);
  editor?.postMessage({ ready: true });
})();

"use strict";
(() => {
  /**
   * A size in bytes: a number, or a text where a number would not be exact.
   * @typedef {number | string} Bytes
   *
   * A buffer: name (by number), versions, bytes, alignment, first slot, slot after the last, offset.
   * @typedef {[number, number, Bytes, Bytes, Bytes, Bytes, Bytes]} RawTile
   *
   * @typedef {{name: string, versions: number, bytes: Bytes, align: Bytes, start: Bytes, end: Bytes,
   *   offset: Bytes, from: number | bigint, to: number | bigint}} Tile From its first byte to after its last.
   * @typedef {{params: string[], filled: string[], tiles: Tile[], statics: [number, number, Bytes][],
   *   static: Bytes, no_reuse: Bytes, peak: Bytes, peak_slot: Bytes, arena: Bytes, request: Bytes | null,
   *   bound: Bytes, groups: [Bytes, Bytes, number[]][], hand_overs: [Bytes, number, number[]][],
   *   edges: number[], to_scale: boolean, doubts: number[]}} Layout
   * @typedef {{layout: Layout, budget: Bytes, word: string, blocks: number | null, limiters: number[],
   *   warnings: number[]}} Outcome
   * @typedef {{name: string, values: string[], initial: number, is_range: boolean}} Control
   * @typedef {{used: Bytes, arena: Bytes, word: string, blocks: number | null}} Before
   * @typedef {{name: string, path: string, summary: string, params: string[], budgets: string[],
   *   policies: string[], controls: Control[], cut: string, cases: any[], base: number, problems: number[],
   *   layouts: any[][], names: string[], before?: (Before | null)[], changes?: string[]}} Entry
   * @typedef {{outcomes: Outcome[], word: string, problem: string}} Case
   */

  const MOST_DRAWN = 500;
  const MOST_NAMED = 12;
  const COLOURS = 8;
  const RANGE_FROM = 9; // values from which a slider takes the place of a list
  const MAP_HEIGHT = 280;
  const UNKNOWN = "-";
  const FROM_MIB = 10n * 1024n * 1024n;
  const UNITS = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  const CHARACTER = 7.3; // of a map's labels, in pixels

  /** @type {{layout: string[], outcome: string[], entries: Entry[], unjudged: number[][],
   *   baseline: string, texts: string[]}} */
  const data = JSON.parse(byId("data").textContent || "");
  let lastId = 0;

  // --- elements: text is always text -------------------------------------------------------------------

  /** @param {string} id @returns {HTMLElement} */
  function byId(id) {
    return /** @type {HTMLElement} */ (document.getElementById(id));
  }

  /** A name that no other element has. @param {string} stem */
  function newId(stem) {
    lastId += 1;
    return `${stem}${lastId}`;
  }

  /**
   * @param {Element} element
   * @param {Record<string, string | number | null>} attributes
   * @param {(Node | string)[]} children
   */
  function filled(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null) element.setAttribute(name, String(value));
    }
    element.append(...children);
    return element;
  }

  /**
   * @param {string} tag
   * @param {Record<string, string | number | null>} [attributes]
   * @param {...(Node | string)} children
   * @returns {HTMLElement}
   */
  function make(tag, attributes = {}, ...children) {
    return /** @type {HTMLElement} */ (filled(document.createElement(tag), attributes, children));
  }

  /**
   * @param {string} tag
   * @param {Record<string, string | number | null>} [attributes]
   * @param {...(Node | string)} children
   */
  function draw(tag, attributes = {}, ...children) {
    return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
  }

  /** A text of others, apart from the direction of what stands around it. @param {string} text */
  function alien(text) {
    return make("bdi", {}, text);
  }

  /** The same where there is only text: between the characters that Unicode has for it. @param {string} text */
  function isolated(text) {
    return `\u2068${text}\u2069`;
  }

  /** Names one by one, so that none turns the next. @param {string[]} all @returns {(Node | string)[]} */
  function aliens(all) {
    return all.flatMap((name, i) => (i ? [", ", alien(name)] : [alien(name)]));
  }

  /**
   * @param {string} caption
   * @param {string[]} headers The first is of words, the others of numbers unless they end in a space.
   * @param {(Node | string)[][]} rows
   */
  function table(caption, headers, rows) {
    const kinds = headers.map((header, i) => (i === 0 || header.endsWith(" ") ? "word" : "number"));
    const head = headers.map((header, i) => make("th", { scope: "col", class: kinds[i] }, header.trim()));
    const body = rows.map((cells) => make("tr", {}, ...cells.map((cell, i) =>
      i === 0 ? make("th", { scope: "row" }, cell) : make("td", { class: kinds[i] }, cell))));
    const id = newId("t");
    return watched(make("div", { class: "scroll", role: "region", "aria-labelledby": id, tabindex: 0 },
      make("table", {}, make("caption", { id }, ...captioned(caption)), make("thead", {}, make("tr", {}, ...head)),
        make("tbody", {}, ...body))));
  }

  /** A caption that stays in view, and says where its table goes on. @param {...(Node | string)} words */
  function captioned(...words) {
    return [make("span", { class: "caption" }, ...words, make("span", { class: "sideways" },
      " Scroll sideways for the rest."))];
  }

  const overflowing = new ResizeObserver((found) => {
    for (const { target } of found) {
      const area = target.closest(".scroll");
      if (area) area.classList.toggle("more", area.scrollWidth > area.clientWidth + 1);
    }
  });

  /** Whether a table is wider than its place is told as long as it is there. @param {Element} area */
  function watched(area) {
    overflowing.observe(area);
    for (const table of area.children) overflowing.observe(table);
    return area;
  }

  /** @param {string} title @param {(Node | string)[]} items */
  function list(title, items) {
    return make("div", {}, make("h4", {}, title), make("ul", {}, ...items.map((item) => make("li", {}, item))));
  }

  // --- numbers in words, as the command line has them ----------------------------------------------------

  /** The fewest decimals, one at least, that lose nothing. @param {bigint | Bytes} size */
  function kib(size) {
    const value = BigInt(size);
    const magnitude = value < 0n ? -value : value;
    let [decimals, scale, scaled] = [0, 1n, 0n];
    do {
      decimals += 1;
      scale *= 10n;
      scaled = (magnitude * scale + 512n) / 1024n;
    } while ((scaled * 1024n + scale / 2n) / scale !== magnitude);
    const fraction = String(scaled % scale).padStart(decimals, "0");
    return `${value < 0n ? "-" : ""}${scaled / scale}.${fraction} KiB`;
  }

  /**
   * For the map's edge: from 10 MiB on in the largest unit, cut to three decimals, with a sign where that loses
   * something. @param {bigint | Bytes} size
   */
  function briefly(size) {
    const value = BigInt(size);
    if (value < FROM_MIB) return kib(value);
    let [unit, name] = [1n, "B"];
    for (const next of UNITS) if (value >= unit * 1024n) [unit, name] = [unit * 1024n, next];
    const thousandths = (value * 1000n) / unit;
    const fraction = String(thousandths % 1000n).padStart(3, "0").replace(/0{1,2}$/, "");
    return `${thousandths * unit === value * 1000n ? "" : "≈"}${thousandths / 1000n}.${fraction} ${name}`;
  }

  /** @param {bigint | Bytes} size */
  function both(size) {
    return `${size} B (${kib(size)})`;
  }

  /** 100 % only where the two are equal, 0 % only for 0. @param {bigint} part @param {bigint} whole */
  function percent(part, whole) {
    if (whole <= 0n) return UNKNOWN;
    let rounded = (200n * part + whole) / (2n * whole);
    if (part > 0n && part < whole) rounded = rounded < 1n ? 1n : rounded > 99n ? 99n : rounded;
    else if (part > whole && rounded < 101n) rounded = 101n;
    return `${rounded} %`;
  }

  /** @param {number | null} count */
  function blocksPerSm(count) {
    return count === null ? "" : `${count} ${count === 1 ? "block" : "blocks"}/SM`;
  }

  /** @param {Layout} layout */
  const used = (layout) => BigInt(layout.arena) + BigInt(layout.static);

  /** What is judged: what the launch asks for, where the file says so. @param {Layout} layout */
  const launch = (layout) => BigInt(layout.request ?? layout.arena) + BigInt(layout.static);

  /** @param {Outcome} outcome */
  const fits = (outcome) => launch(outcome.layout) <= BigInt(outcome.budget);

  /** `128.0 KiB, 1 block/SM`, or that it does not fit. @param {Case} found @param {number} index */
  function brief(found, index) {
    const outcome = found.outcomes[index];
    if (!outcome) return found.word === "FAIL" ? "ruled out by a constraint" : "not valid";
    if (!fits(outcome)) return `${kib(launch(outcome.layout))}, does not fit`;
    const parts = [kib(launch(outcome.layout)), blocksPerSm(outcome.blocks)].filter(Boolean).join(", ");
    return outcome.word === "FAIL" ? `${parts}, FAIL` : parts;
  }

  /** @param {Outcome} outcome */
  function judgement(outcome) {
    const [taken, budget] = [launch(outcome.layout), BigInt(outcome.budget)];
    const room = budget - taken;
    const left = room >= 0n ? `${kib(room)} left` : `${kib(-room)} too much`;
    const why = outcome.limiters.map((number) => data.texts[number]).join(", ");
    const blocks = outcome.blocks === null ? "" : `; ${blocksPerSm(outcome.blocks)}, limited by ${why}`;
    return `${kib(taken)} of ${kib(budget)}, ${percent(taken, budget)}, ${left}: ${outcome.word}${blocks}`;
  }

  // --- the page's data -----------------------------------------------------------------------------------

  /** @param {string[]} fields @param {any[]} values @returns {any} */
  function named(fields, values) {
    return Object.fromEntries(fields.map((field, i) => [field, values[i]]));
  }

  /** The bytes from an offset on: numbers where these are exact, which are far quicker. @param {Bytes} offset @param {Bytes} bytes */
  function extent(offset, bytes) {
    const to = BigInt(offset) + BigInt(bytes);
    const isExact = to <= BigInt(Number.MAX_SAFE_INTEGER);
    return isExact ? { from: Number(offset), to: Number(to) } : { from: BigInt(offset), to };
  }

  /** @param {Entry} entry @param {number} number @returns {Layout} */
  function layoutOf(entry, number) {
    const layout = named(data.layout, entry.layouts[number]);
    layout.tiles = layout.tiles.map((/** @type {RawTile} */ [name, versions, bytes, align, start, end, offset]) =>
      ({ name: entry.names[name], versions, bytes, align, start, end, offset, ...extent(offset, bytes) }));
    return layout;
  }

  /** @param {Entry} entry @param {number} number @returns {Case} */
  function caseOf(entry, number) {
    const raw = entry.cases[number];
    if (!Array.isArray(raw[0])) return { outcomes: [], word: raw[0], problem: raw[1] };
    const outcomes = raw.map((/** @type {any[]} */ values) => {
      const outcome = named(data.outcome, values);
      return { ...outcome, layout: layoutOf(entry, outcome.layout) };
    });
    return { outcomes, word: "", problem: "" };
  }

  /** The case in which the controls stand so. @param {Entry} entry @param {number[]} state */
  function caseNumber(entry, state) {
    return entry.controls.reduce((index, control, i) => index * control.values.length + state[i], 0);
  }

  /** The buffers that have bytes in common with one. @param {Layout} layout @param {Tile} tile */
  function sharers(layout, tile) {
    if (!hasBytes(tile)) return [];
    return layout.tiles.filter((other) =>
      other !== tile && other.from < tile.to && tile.from < other.to && hasBytes(other));
  }

  /**
   * Their names, as many as a person reads, and how many more there are.
   * @param {Layout} layout @param {Tile} tile @returns {[string[], string]}
   */
  function sharersNamed(layout, tile) {
    const names = sharers(layout, tile).map((other) => other.name);
    const left = names.length - MOST_NAMED;
    return left > 1 ? [names.slice(0, MOST_NAMED), ` and ${left} more`] : [names, ""];
  }

  // --- the map ---------------------------------------------------------------------------------------------

  /** @param {bigint} a @param {bigint} b */
  const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

  /** @param {Iterable<bigint>} values */
  const ascending = (values) => [...values].sort(order);

  /**
   * Where addresses stand: to scale, but for bands so thin that nobody could see or point at them.
   * @param {Layout[]} layouts @param {bigint | null} room Where the budget ends, if that is shown.
   */
  function addressScale(layouts, room) {
    const edges = new Set([0n, ...(room === null ? [] : [room])]);
    for (const layout of layouts) {
      edges.add(BigInt(layout.arena));
      for (const tile of layout.tiles.filter(hasBytes)) edges.add(BigInt(tile.from)).add(BigInt(tile.to));
    }
    const sorted = ascending(edges);
    const whole = Number(sorted[sorted.length - 1]) || 1;
    const least = Math.min(14, MAP_HEIGHT / (2 * sorted.length));
    let y = 0;
    let thickened = false;
    const places = new Map([[0n, 0]]);
    for (let i = 1; i < sorted.length; i += 1) {
      const band = (Number(sorted[i] - sorted[i - 1]) / whole) * MAP_HEIGHT;
      thickened ||= band < least;
      y += Math.max(least, band);
      places.set(sorted[i], y);
    }
    return {
      y: (/** @type {Bytes | bigint} */ address) => /** @type {number} */ (places.get(BigInt(address))),
      height: y, thickened,
    };
  }

  /** @param {Tile} tile */
  const hasBytes = (tile) => tile.bytes !== 0;

  /** The slots at which something begins or ends. @param {Layout} layout */
  function timesOf(layout) {
    return ascending(new Set(layout.tiles.filter(hasBytes).flatMap((tile) => [BigInt(tile.start), BigInt(tile.end)])));
  }

  /** Where the budget ends in the arena, where that is near enough to be drawn. @param {Outcome[]} outcomes */
  function budgetEdge(outcomes) {
    const room = BigInt(outcomes[0].budget) - BigInt(outcomes[0].layout.static);
    const isNear = outcomes.some((outcome) => room <= 3n * BigInt(outcome.layout.arena));
    return room > 0n && isNear ? room : null;
  }

  /**
   * What is told of a buffer: what it is, and the words; those of others one by one.
   * @param {Layout} layout @param {Tile} tile @returns {[string, string[], string][]}
   */
  function facts(layout, tile) {
    const [names, more] = sharersNamed(layout, tile);
    return [
      ["size", [], both(tile.bytes)],
      ["versions", [], String(tile.versions)],
      ["live", [], `slots [${tile.start}, ${tile.end})`],
      ["offset", [], `${tile.offset} to ${tile.to}`],
      ["shares with", names, names.length ? more : "nothing"],
    ];
  }

  /**
   * @param {Outcome} outcome
   * @param {{scale: ReturnType<typeof addressScale>, room: bigint | null, width: number, label: string,
   *   budget: string, choose: (index: number) => void}} how
   */
  function mapOf(outcome, how) {
    const layout = outcome.layout;
    const [top, bottom] = [8, 46];
    const widest = Math.max(...addressesOf(layout, how.room).map((address) => briefly(address).length));
    const left = Math.max(92, Math.ceil(widest * CHARACTER) + 10);
    const wide = how.width - left - 8;
    const times = timesOf(layout);
    const x = new Map(times.map((time, i) => [time, left + layout.edges[i] * wide]));
    const at = (/** @type {Bytes | bigint} */ time) => /** @type {number} */ (x.get(BigInt(time)));
    const y = (/** @type {Bytes | bigint} */ address) => top + how.scale.y(address);
    const height = top + how.scale.height + bottom;
    const hatch = newId("hatch");
    const picture = draw("svg", {
      viewBox: `0 0 ${how.width} ${height}`, role: "group", class: "map",
      "aria-label": `${how.label}: slots across, addresses down. Arrow keys move between the buffers.`,
    });
    picture.append(
      draw("defs", {}, draw("pattern", { id: hatch, width: 6, height: 6, patternUnits: "userSpaceOnUse" },
        draw("path", { d: "M0 6 L6 0", class: "hatch" }))),
      draw("rect", { class: "free", x: left, y: top, width: wide, height: y(layout.arena) - top }),
      draw("rect", { fill: `url(#${hatch})`, x: left, y: top, width: wide, height: y(layout.arena) - top }),
    );
    layout.tiles.forEach((tile, index) => {
      if (hasBytes(tile)) picture.append(block(layout, index, at, y, how.choose));
    });
    picture.append(marks(outcome, { ...how, at, y, left, wide, times }));
    roving(picture);
    return picture;
  }

  /**
   * A buffer on the map.
   * @param {Layout} layout @param {number} index
   * @param {(time: Bytes | bigint) => number} at @param {(address: Bytes | bigint) => number} y
   * @param {(index: number) => void} choose
   */
  function block(layout, index, at, y, choose) {
    const tile = layout.tiles[index];
    const box = {
      x: at(tile.start), y: y(tile.from),
      width: at(tile.end) - at(tile.start), height: y(tile.to) - y(tile.from),
    };
    const words = facts(layout, tile).map(([what, names, value]) =>
      `${what} ${names.map(isolated).join(", ")}${value}`).join(", ");
    const group = draw("g", {
      class: `tile c${index % COLOURS}`, role: "img", tabindex: -1, "data-index": index,
      "aria-label": `${isolated(tile.name)}: ${words}`,
    }, draw("rect", box));
    if (box.height >= 13 && box.width >= 24) {
      group.append(draw("svg", { ...box, width: box.width - 2, "aria-hidden": "true" },
        draw("text", { x: 6, y: box.height / 2, "dominant-baseline": "central" }, tile.name)));
    }
    group.addEventListener("pointerenter", () => choose(index));
    group.addEventListener("focus", () => choose(index));
    return group;
  }

  /** What stands at the left edge, from above. @param {Layout} layout @param {bigint | null} room */
  function addressesOf(layout, room) {
    const offsets = layout.tiles.filter(hasBytes).map((tile) => BigInt(tile.from));
    return ascending(new Set([0n, BigInt(layout.arena), ...offsets, ...(room === null ? [] : [room])]));
  }

  /**
   * Labels of both axes, the peak, the budget.
   * @param {Outcome} outcome
   * @param {{room: bigint | null, budget: string, width: number, left: number, wide: number, times: bigint[],
   *   at: (time: Bytes | bigint) => number, y: (address: Bytes | bigint) => number}} how
   */
  function marks(outcome, how) {
    const { layout } = outcome;
    const { left, wide, at, y } = how;
    const group = draw("g", { class: "marks", "aria-hidden": "true" });
    const end = y(layout.arena);
    if (how.room !== null) group.append(...budgetMarks(outcome, { ...how, room: how.room }));
    let last = -Infinity;
    for (const address of addressesOf(layout, null)) {
      if (y(address) - last < 14) continue;
      if (how.room !== null && how.room !== address && Math.abs(y(how.room) - y(address)) < 14) continue;
      last = y(address);
      group.append(draw("text", { x: left - 6, y: last, class: "end", "dominant-baseline": "central" }, briefly(address)));
    }
    const low = Math.max(end, how.room === null ? 0 : y(how.room));
    let right = -Infinity;
    for (const time of how.times) {
      const text = String(time);
      if (at(time) - text.length * 3.5 < right + 4) continue;
      right = at(time) + text.length * 3.5;
      group.append(draw("text", { x: at(time), y: low + 14, class: "middle" }, text));
    }
    const peak = how.times.indexOf(BigInt(layout.peak_slot));
    const [from, to] = [at(how.times[peak]), at(how.times[peak + 1])];
    const middle = (from + to) / 2;
    group.append(draw("rect", { class: "peak", x: from, y: 8, width: to - from, height: end - 8 }));
    group.append(draw("path", { class: "peakmark", d: `M${middle} ${low + 20} l6 9 h-12 z` }));
    const words = `peak ${briefly(layout.peak)}, slot ${layout.peak_slot}`;
    const half = words.length * 3.6;
    const centre = Math.min(Math.max(middle, left + half), left + wide - half);
    group.append(draw("text", { x: centre, y: low + 42, class: "middle" }, words));
    return group;
  }

  /**
   * @param {Outcome} outcome
   * @param {{room: bigint, budget: string, left: number, wide: number, y: (address: Bytes | bigint) => number}} how
   */
  function* budgetMarks(outcome, how) {
    const { room, left, wide, y } = how;
    const over = y(outcome.layout.arena) - y(room);
    if (over > 0) yield draw("rect", { class: "beyond", x: left, y: y(room), width: wide, height: over });
    yield draw("line", { class: "budget", x1: left - 4, x2: left + wide, y1: y(room), y2: y(room) });
    yield draw("text", { x: left - 6, y: y(room), class: "end budget", "dominant-baseline": "central" }, briefly(room));
    const name = how.budget.length > 30 ? `${how.budget.slice(0, 29)}…` : how.budget;
    yield draw("text", { x: left + wide, y: y(room) - 6, class: "end budget" }, `${name} ends here`);
  }

  /** One stop for Tab, arrows between the buffers. @param {Element} picture */
  function roving(picture) {
    const tiles = /** @type {SVGElement[]} */ ([...picture.querySelectorAll(".tile")]);
    if (tiles.length) tiles[0].setAttribute("tabindex", "0");
    picture.addEventListener("keydown", (event) => {
      const key = /** @type {KeyboardEvent} */ (event).key;
      const here = tiles.indexOf(/** @type {SVGElement} */ (document.activeElement));
      const steps = { ArrowRight: here + 1, ArrowDown: here + 1, ArrowLeft: here - 1, ArrowUp: here - 1,
        Home: 0, End: tiles.length - 1 };
      const next = tiles[/** @type {Record<string, number>} */ (steps)[key]];
      if (here < 0 || !(key in steps)) return;
      event.preventDefault();
      if (!next) return;
      tiles[here].setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    });
  }

  // --- one arena: picture, facts, tables ---------------------------------------------------------------------

  /**
   * @param {Entry} entry @param {string} policy @param {Outcome} outcome
   * @param {{scale: ReturnType<typeof addressScale>, room: bigint | null, budget: string}} how
   */
  function arena(entry, policy, outcome, how) {
    const { layout } = outcome;
    const info = make("dl", { class: "info" });
    const hint = make("p", { class: "hint" }, "Point at a buffer, or reach it by Tab and the arrow keys.");
    const shown = make("div", { class: "shown" }, hint, info);
    const figure = make("figure", {}, make("figcaption", {}, make("strong", {}, policy), ` ${totals(layout)}`));
    const buffers = bufferTable(entry, layout, policy);
    const frame = make("div", { class: "frame" });
    const choose = (/** @type {number} */ index) => {
      const tile = layout.tiles[index];
      const others = new Set(sharers(layout, tile));
      hint.hidden = true;
      info.replaceChildren(
        make("div", {}, make("dt", {}, "buffer"), make("dd", { class: "name" }, alien(tile.name))),
        ...facts(layout, tile).map(([what, names, value]) =>
          make("div", {}, make("dt", {}, what), make("dd", {}, ...aliens(names), value))));
      for (const group of frame.querySelectorAll(".tile")) {
        const other = Number(group.getAttribute("data-index"));
        group.classList.toggle("on", other === index);
        group.classList.toggle("with", others.has(layout.tiles[other]));
      }
      buffers.querySelectorAll(":scope tbody tr").forEach((row, i) => row.classList.toggle("on", i === index));
    };
    const count = layout.tiles.filter(hasBytes).length;
    const label = `Map of ${isolated(entry.name)}, policy ${policy}, ${count} ${count === 1 ? "buffer" : "buffers"}`;
    if (count === 0) frame.append(make("p", {}, "No map: nothing lies in the arena."));
    else if (count > MOST_DRAWN) frame.append(make("p", {}, `No map: ${count} buffers are more than it can show.`));
    else fitted(frame, (width) => mapOf(outcome, { ...how, width, label, choose }));
    figure.append(frame, ...count && count <= MOST_DRAWN ? [...axisNotes(outcome, how), shown] : []);
    return make("div", { class: "arena" }, figure, make("div", { class: "tables" }, buffers, ...shared(layout)));
  }

  /** Whether some bytes of the arena are nobody's for some time. @param {Layout} layout */
  function hasRoom(layout) {
    const times = timesOf(layout);
    const area = layout.tiles.reduce((sum, tile) =>
      sum + BigInt(tile.bytes) * (BigInt(tile.end) - BigInt(tile.start)), 0n);
    return area < BigInt(layout.arena) * (times[times.length - 1] - times[0]);
  }

  /**
   * What the picture cannot say.
   * @param {Outcome} outcome
   * @param {{scale: ReturnType<typeof addressScale>, room: bigint | null, budget: string}} how
   */
  function axisNotes(outcome, how) {
    const notes = outcome.layout.to_scale ? [] : ["Slots are not to scale: long spans are shortened."];
    if (how.scale.thickened) notes.push("Thin bands of addresses are drawn thicker than they are.");
    const room = BigInt(outcome.budget) - launch(outcome.layout);
    if (how.room === null && room >= 0n) notes.push(`${how.budget} ends ${kib(room)} below the arena's end.`);
    else if (how.room === null) notes.push(`${how.budget} ends before the arena begins.`);
    if (hasRoom(outcome.layout)) notes.push("Hatched: bytes that no buffer has.");
    return [make("p", { class: "hint" }, alien(notes.join(" ")))];
  }

  /** Draw at the width that there is, and again when it is another. @param {HTMLElement} frame @param {(width: number) => Element} picture */
  function fitted(frame, picture) {
    let drawn = 0;
    new ResizeObserver(() => {
      const width = Math.max(280, Math.round(frame.clientWidth));
      if (frame.clientWidth === 0 || Math.abs(width - drawn) < 8 || frame.contains(document.activeElement)) return;
      drawn = width;
      frame.replaceChildren(picture(width));
    }).observe(frame);
  }

  /** @param {Layout} layout */
  function totals(layout) {
    const waste = BigInt(layout.arena) - BigInt(layout.bound);
    const over = layout.bound === layout.peak ? "above the peak" : "above what is proved to be needed";
    const parts = [`arena ${kib(layout.arena)}`, waste > 0n ? `waste ${kib(waste)} ${over}` : "no waste"];
    if (BigInt(layout.static) > 0n) parts.push(`static ${kib(layout.static)}`);
    if (layout.request !== null) parts.push(`the launch requests ${kib(layout.request)}`);
    return parts.join(", ");
  }

  /** @param {Layout} layout @param {Tile} tile */
  function sharing(layout, tile) {
    const [names, more] = sharersNamed(layout, tile);
    return make("span", {}, ...aliens(names), more);
  }

  /** @param {Entry} entry @param {Layout} layout @param {string} policy */
  function bufferTable(entry, layout, policy) {
    const rows = layout.tiles.map((tile) => [
      alien(tile.name), String(tile.versions), String(tile.bytes), kib(tile.bytes).slice(0, -4), String(tile.align),
      `[${tile.start}, ${tile.end})`, String(tile.offset), String(tile.to), sharing(layout, tile),
    ]);
    const statics = layout.statics.map(([name, versions, bytes]) => [
      alien(entry.names[name]), String(versions), String(bytes), kib(bytes).slice(0, -4), "", "static", "", "", "",
    ]);
    const headers = ["Buffer", "Versions", "Bytes", "KiB", "Align", "Live", "Offset", "End", "Shares with "];
    return table(`Buffers, policy ${policy}; no reuse ${kib(layout.no_reuse)}, peak ${kib(layout.peak)} at slot ${
      layout.peak_slot}`, headers, [...rows, ...statics]);
  }

  /** Shared storage and hand-overs. @param {Layout} layout */
  function* shared(layout) {
    const names = (/** @type {number[]} */ indexes) => aliens(indexes.map((index) => layout.tiles[index].name));
    if (layout.groups.length) {
      yield list("Shared storage", layout.groups.map(([start, end, members]) =>
        make("span", {}, `${start} to ${end}: `, ...names(members))));
    }
    if (layout.hand_overs.length) {
      yield list("Hand-overs (a barrier is needed)", layout.hand_overs.map(([slot, buffer, previous]) =>
        make("span", {}, `slot ${slot}: `, ...names([buffer]), " takes over from ", ...names(previous))));
    }
  }

  // --- the details of a row --------------------------------------------------------------------------------

  /** @param {Entry} entry @param {number} budget */
  function details(entry, budget) {
    const state = entry.controls.map((control) => control.initial);
    const first = budget * entry.policies.length;
    const answer = make("div", { class: "answer", role: "status" });
    const more = make("div", {});
    const arenas = make("div", { class: entry.policies.length > 1 ? "arenas" : "arenas alone" });
    const refreshers = /** @type {(() => void)[]} */ ([]);
    const update = () => {
      refreshers.forEach((refresh) => refresh());
      const found = caseOf(entry, caseNumber(entry, state));
      const outcomes = found.outcomes.slice(first, first + entry.policies.length);
      answer.replaceChildren(...spoken(entry, state, found, outcomes).map((line) => make("p", {}, alien(line))));
      more.replaceChildren(...remarks(entry, outcomes));
      arenas.replaceChildren(...drawings(entry, outcomes, entry.budgets[budget]));
    };
    const controls = panel(entry, state, first, update, refreshers);
    const section = make("section", { "aria-label": `${isolated(entry.name)} on ${entry.budgets[budget]}` },
      make("h3", {}, alien(entry.name), " on ", alien(entry.budgets[budget])));
    if (entry.summary) section.append(make("p", {}, alien(entry.summary)));
    section.append(...controls, answer, more, ...compared(entry, budget), arenas, ...findings(entry.problems));
    update();
    return section;
  }

  /** @param {Entry} entry @param {Outcome[]} outcomes @param {string} budget */
  function drawings(entry, outcomes, budget) {
    if (!outcomes.length) return [];
    const room = budgetEdge(outcomes);
    const scale = addressScale(outcomes.map((outcome) => outcome.layout), room);
    return outcomes.map((outcome, i) => arena(entry, entry.policies[i], outcome, { scale, room, budget }));
  }

  /**
   * What the controls say, and what comes of it, a line a policy.
   * @param {Entry} entry @param {number[]} state @param {Case} found @param {Outcome[]} outcomes
   */
  function spoken(entry, state, found, outcomes) {
    const set = entry.controls.map((control, i) => `${control.name} ${control.values[state[i]]}`).join(", ");
    const several = entry.policies.length > 1;
    const said = outcomes.map((outcome, i) => `${several ? `${entry.policies[i]}: ` : ""}${judgement(outcome)}`);
    const lines = outcomes.length ? said : [`${found.word}: ${found.problem}`];
    return several && set ? [set, ...lines] : lines.map((line) => (set ? `${set}: ${line}` : line));
  }

  /** Parameters, doubts and warnings of what is shown. @param {Entry} entry @param {Outcome[]} outcomes */
  function* remarks(entry, outcomes) {
    if (!outcomes.length) return;
    const { params, filled: most } = outcomes[0].layout;
    if (params.length) {
      const values = entry.params.map((name, i) =>
        `${name}=${params[i]}${most.includes(name) ? " (the largest that fits)" : ""}`);
      yield make("p", { class: "params" }, alien(values.join("  ")));
    }
    const warnings = new Set(outcomes.flatMap((outcome) => [...outcome.warnings,
      ...outcome.layout.doubts]).map((number) => data.texts[number]));
    for (const warning of warnings) yield make("p", { class: "note" }, alien(`Warning: ${warning}`));
  }

  /** @param {Entry} entry @param {number} budget */
  function* compared(entry, budget) {
    const was = entry.before?.[budget];
    if (!was) {
      if (data.baseline) yield make("p", {}, "Not in ", alien(data.baseline), ".");
      return;
    }
    const now = caseOf(entry, entry.base).outcomes[budget * entry.policies.length];
    const sizes = /** @type {[string, bigint, bigint][]} */ ([
      ["arena", BigInt(was.arena), BigInt(now.layout.arena)], ["used", BigInt(was.used), used(now.layout)],
    ]);
    const rows = sizes.map(([what, old, size]) =>
      [`${what} B`, String(old), String(size), size === old ? "0" : `${size > old ? "+" : ""}${size - old}`]);
    const count = (/** @type {number | null} */ value) => (value === null ? UNKNOWN : String(value));
    const difference = was.blocks === null || now.blocks === null ? UNKNOWN : String(now.blocks - was.blocks);
    rows.push(["blocks/SM", count(was.blocks), count(now.blocks), difference.replace(/^(?=[1-9])/, "+")]);
    rows.push(["verdict", was.word, now.word, was.word === now.word ? "same" : "changed"]);
    yield table(`Compared with ${data.baseline}`, ["Number", "Before", "Now", "Difference"], rows);
    if (entry.changes?.length) yield list("What changed", entry.changes.map(alien));
  }

  /** The page's findings of this scenario, once more. @param {number[]} numbers */
  function findings(numbers) {
    if (!numbers.length) return [];
    const items = numbers.map((number) => {
      const copy = /** @type {HTMLElement} */ (byId(`p${number}`).cloneNode(true));
      copy.removeAttribute("id");
      return copy;
    });
    return [make("h4", {}, "Findings"), make("ol", { class: "problems" }, ...items)];
  }

  // --- controls ----------------------------------------------------------------------------------------------

  /**
   * @param {Entry} entry @param {number[]} state @param {number} index Which outcome labels speak of.
   * @param {() => void} update @param {(() => void)[]} refreshers
   */
  function panel(entry, state, index, update, refreshers) {
    if (!entry.controls.length) return entry.cut ? [make("p", { class: "note" }, alien(entry.cut))] : [];
    const set = make("fieldset", {}, make("legend", {}, "What if"));
    const resets = /** @type {(() => void)[]} */ ([]);
    entry.controls.forEach((control, which) => {
      const change = (/** @type {number} */ value) => {
        state[which] = value;
        update();
      };
      const label = (/** @type {number} */ value) => {
        const other = state.map((now, i) => (i === which ? value : now));
        return brief(caseOf(entry, caseNumber(entry, other)), index);
      };
      const made = control.is_range && control.values.length >= RANGE_FROM ? slider : choice;
      const { element, refresh, reset } = made(control, change, label);
      refreshers.push(refresh);
      resets.push(reset);
      set.append(element);
    });
    const back = make("button", { type: "button" }, "Reset");
    back.addEventListener("click", () => {
      entry.controls.forEach((control, i) => { state[i] = control.initial; });
      resets.forEach((reset) => reset());
      update();
    });
    set.append(back, ...overviews(entry, state, index, refreshers));
    if (entry.cut) set.append(make("p", { class: "note" }, alien(entry.cut)));
    return [set];
  }

  /**
   * A list; every option says what it gives.
   * @param {Control} control @param {(value: number) => void} change @param {(value: number) => string} label
   */
  function choice(control, change, label) {
    const select = /** @type {HTMLSelectElement} */ (make("select", {},
      ...control.values.map((_, i) => make("option", { value: i }))));
    select.addEventListener("change", () => change(select.selectedIndex));
    const refresh = () => control.values.forEach((value, i) => {
      select.options[i].textContent = `${value}: ${label(i)}`;
    });
    const reset = () => { select.selectedIndex = control.initial; };
    reset();
    return { element: make("label", {}, alien(control.name), " ", select), refresh, reset };
  }

  /**
   * @param {Control} control @param {(value: number) => void} change @param {(value: number) => string} label
   */
  function slider(control, change, label) {
    const id = newId("value");
    const input = /** @type {HTMLInputElement} */ (make("input", {
      type: "range", min: 0, max: control.values.length - 1, step: 1, value: control.initial }));
    const value = make("span", { id, class: "value" });
    input.addEventListener("input", () => change(Number(input.value)));
    const refresh = () => {
      const now = control.values[Number(input.value)];
      input.setAttribute("aria-valuetext", now);
      value.replaceChildren(alien(`${now}: ${label(Number(input.value))}`));
    };
    const reset = () => { input.value = String(control.initial); };
    return { element: make("label", { class: "slider" }, alien(control.name), " ", input, " ", value), refresh, reset };
  }

  /**
   * A table behind every control, the others as they stand; filled when it is opened.
   * @param {Entry} entry @param {number[]} state @param {number} index @param {(() => void)[]} refreshers
   */
  function overviews(entry, state, index, refreshers) {
    return entry.controls.map((control, which) => {
      const body = make("div", {});
      const folded = /** @type {HTMLDetailsElement} */ (make("details", {},
        make("summary", {}, "All values of ", alien(control.name)), body));
      const refresh = () => {
        if (!folded.open) return;
        const rows = control.values.map((value, i) => {
          const found = caseOf(entry, caseNumber(entry, state.map((now, j) => (j === which ? i : now))));
          return [alien(value), ...overviewCells(found, index)];
        });
        const headers = [control.name, "Used KiB", "of KiB", "%", "Blocks/SM", "Verdict "];
        body.replaceChildren(table(`${control.name}, all else as chosen above`, headers, rows));
      };
      folded.addEventListener("toggle", refresh);
      refreshers.push(refresh);
      return folded;
    });
  }

  /** @param {Case} found @param {number} index */
  function overviewCells(found, index) {
    const outcome = found.outcomes[index];
    if (!outcome) return [UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, alien(`${found.word}: ${found.problem}`)];
    const [taken, budget] = [launch(outcome.layout), BigInt(outcome.budget)];
    const share = percent(taken, budget).replace(" %", "");
    return [kib(taken).slice(0, -4), kib(budget).slice(0, -4), share, String(outcome.blocks ?? UNKNOWN), outcome.word];
  }

  // --- rows: open, sort, filter -------------------------------------------------------------------------------

  const rows = /** @type {HTMLTableSectionElement[]} */ ([...document.querySelectorAll("#table > tbody")]);
  const width = rows.length ? rows[0].rows[0].cells.length : 1;

  /**
   * Many are drawn when they come into view: all at once would keep the page from answering.
   * @param {HTMLTableSectionElement} row @param {boolean} open @param {"once" | "in view"} at
   */
  function toggle(row, open, at) {
    const button = /** @type {HTMLElement} */ (row.querySelector("button.open"));
    if ((button.getAttribute("aria-expanded") === "true") === open) return;
    button.setAttribute("aria-expanded", String(open));
    if (row.rows.length > 1) {
      row.rows[1].hidden = !open;
      return;
    }
    const place = make("section", { class: "later", "aria-busy": "true", "aria-label": `${button.textContent}` });
    const detail = make("tr", { class: "detail", id: newId("d") }, make("td", { colspan: width }, place));
    button.setAttribute("aria-controls", detail.id);
    row.append(detail);
    if (at === "once") fill(row, place);
    else inView.observe(place);
  }

  /** Draw what a row's place stands for. @param {Element} row @param {Element} place */
  function fill(row, place) {
    inView.unobserve(place);
    const [entry, budget] = (/** @type {HTMLElement} */ (row).dataset.key || "").split(".");
    place.replaceWith(entry === "u"
      ? make("section", { "aria-label": place.getAttribute("aria-label") }, ...findings(data.unjudged[Number(budget)]))
      : details(data.entries[Number(entry)], Number(budget)));
  }

  const fillAll = (/** @type {Iterable<Element>} */ places) => {
    for (const place of places) fill(/** @type {Element} */ (place.closest("tbody")), place);
  };
  const inView = new IntersectionObserver((found) =>
    fillAll(found.filter((one) => one.isIntersecting).map((one) => one.target)), { rootMargin: "400px 0px" });
  addEventListener("beforeprint", () => fillAll(document.querySelectorAll(".later")));

  /** Every row gets a button with its name. */
  function makeOpenable() {
    for (const row of rows) {
      const name = /** @type {HTMLElement} */ (row.querySelector(".name"));
      const button = make("button", { type: "button", class: "open", "aria-expanded": "false" });
      name.replaceWith(button);
      button.append(name);
      button.addEventListener("click", () => toggle(row, button.getAttribute("aria-expanded") !== "true", "once"));
    }
  }

  const collator = new Intl.Collator("en", { numeric: true });

  /** @param {number} column */
  function keyOf(column) {
    return (/** @type {HTMLTableSectionElement} */ row) => {
      const cell = row.rows[0].cells[column];
      const by = cell.dataset.order;
      const text = (cell.querySelector(".name") || cell).textContent || "";
      return { row, number: by === undefined ? null : BigInt(by), text: text.trim() };
    };
  }

  /** What is not known comes last, whichever way. @param {number} column @param {number} sign */
  function sorted(column, sign) {
    const known = (/** @type {{number: bigint | null, text: string}} */ key, /** @type {boolean} */ numbers) =>
      (numbers ? key.number !== null : key.text !== "" && key.text !== UNKNOWN);
    const keys = rows.map(keyOf(column));
    const numbers = keys.some((key) => key.number !== null);
    const there = keys.filter((key) => known(key, numbers));
    there.sort((a, b) => sign * (numbers ? order(a.number || 0n, b.number || 0n) : collator.compare(a.text, b.text)));
    return [...there, ...keys.filter((key) => !known(key, numbers))].map((key) => key.row);
  }

  /** Every header gets a button that sorts: up, down, as it was. */
  function makeSortable() {
    const headers = /** @type {HTMLTableCellElement[]} */ ([...document.querySelectorAll("#table thead th[data-column]")]);
    for (const header of headers) {
      const button = make("button", { type: "button" }, ...header.childNodes);
      header.append(button);
      header.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => {
        const next = { none: "ascending", ascending: "descending", descending: "none" }[header.getAttribute("aria-sort") || "none"] || "none";
        headers.forEach((other) => other.setAttribute("aria-sort", other === header ? next : "none"));
        const column = Number(header.dataset.column);
        byId("table").append(...next === "none" ? rows : sorted(column, next === "ascending" ? 1 : -1));
      });
    }
  }

  /** What the text filter looks through. @param {HTMLTableSectionElement} row */
  function haystack(row) {
    const [number] = (row.dataset.key || "").split(".");
    const entry = number === "u" ? null : data.entries[Number(number)];
    const parts = entry ? [entry.summary, ...entry.names] : [];
    return [row.rows[0].textContent, ...parts].join("\n").toLowerCase();
  }

  function makeFilters() {
    const text = /** @type {HTMLInputElement} */ (byId("text"));
    const [verdict, budget] = ["verdict", "budget"].map((id) => /** @type {HTMLSelectElement} */ (byId(id)));
    const form = /** @type {HTMLFormElement} */ (byId("filters"));
    const texts = /** @type {Map<HTMLElement, string>} */ (new Map());
    const apply = () => {
      const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
      if (words.length && !texts.size) rows.forEach((row) => texts.set(row, haystack(row)));
      for (const row of rows) {
        const verdicts = (row.dataset.verdicts || "").split(" ");
        row.hidden = !((!verdict.value || verdicts.includes(verdict.value))
          && (!budget.value || row.dataset.budget === budget.value)
          && words.every((word) => (texts.get(row) || "").includes(word)));
      }
      const shown = rows.filter((row) => !row.hidden);
      byId("count").textContent = `Showing ${shown.length} of ${rows.length} rows${tally(shown)}`;
    };
    text.addEventListener("input", apply);
    [verdict, budget].forEach((select) => select.addEventListener("change", apply));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(apply));
    byId("open").addEventListener("click", () => rows.filter((row) => !row.hidden).forEach((row) => toggle(row, true, "in view")));
    byId("close").addEventListener("click", () => rows.filter((row) => row.rows.length > 1).forEach((row) => toggle(row, false, "in view")));
    form.hidden = false;
    apply();
  }

  /** `: 10 OK, 2 OVER`. @param {HTMLElement[]} shown */
  function tally(shown) {
    const counts = /** @type {Map<string, number>} */ (new Map());
    for (const row of shown) {
      for (const word of new Set((row.dataset.verdicts || "").split(" "))) counts.set(word, (counts.get(word) || 0) + 1);
    }
    const parts = [...counts].map(([word, count]) => `${count} ${word}`);
    return parts.length ? `: ${parts.join(", ")}` : "";
  }

  makeOpenable();
  makeSortable();
  makeFilters();
  watched(/** @type {Element} */ (byId("table").parentElement));
  byId("how").textContent = "A column's header sorts; a scenario's name opens its map.";
})();

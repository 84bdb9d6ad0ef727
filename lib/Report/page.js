
const levels = ["registers", "accumulator", "scratchpad", "dram"];
const shades = {W: 1, I: 0.72, O: 0.45};
const tensors = {W: "weights", I: "input", O: "output"};
const colourOf = (name) => "var(--" + name + ")";

// ---------------------------------------------------------------------------
// 1. Overview
// ---------------------------------------------------------------------------

function drawMachine(parent) {
  const m = report.machine, svg = drawing(parent, 1040, 150);
  const names = ["dram", "scratchpad", "accumulator", "registers"];
  const boxes = names.map((name) =>
    [name, m.levels.findIndex((level) => level.name === name)]);
  boxes.forEach(([name, index], i) => {
    const x = 10 + i * 265, level = m.levels[index];
    const isArray = name === "registers";
    element("rect", {x, y: 14, width: 150, height: 84, rx: 6, class: "box",
                     style: "stroke:" + colourOf(isArray ? "array" : name) +
                            ";stroke-width:2"}, svg);
    const lines = isArray ?
      ["array " + m.side + " \u00d7 " + m.side,
       short(m.peak_macs_per_cycle) + " MACs/cycle",
       m.arithmetic + ", " + digits(m.fields["array.energy_per_mac"]) +
       " pJ/MAC",
       "registers " + digits(level.energy_per_access_pj) + " pJ"] :
      [name === "dram" ? "DRAM" : name,
       bytesText(level.bytes),
       digits(level.energy_per_access_pj) + " pJ/access",
       digits(level.words_per_cycle) + " words/cycle"];
    lines.forEach((line, row) => element("text", {
      x: x + 75, y: 34 + row * 18, "text-anchor": "middle",
      style: row === 0 ? "font-weight:600" : ""}, svg, line));
    if (i === 0) {
      element("path", {d: "M162 56H272", stroke: "var(--soft)",
                       "stroke-width": 3}, svg);
      element("text", {x: 217, y: 48, "text-anchor": "middle"}, svg,
              "DMA " + m.dma_bytes_per_cycle + " B/cycle");
    } else if (i < 3)
      element("path", {d: "M" + (x + 152) + " 56h110", stroke: "var(--soft)",
                       "stroke-width": 3}, svg);
  });
  element("text", {x: 10, y: 125, class: "soft"}, svg,
          m.name + ", hand-over of fused tiles: " + m.fields.hand_over + ", " +
          (m.clock_hz ? short(m.clock_hz) + "Hz" :
           "no clock in its description, so there are cycles and no seconds"));
}

function drawOverview() {
  const parent = body("overview"), t = report.totals;
  document.getElementById("sentence").textContent = report.sentence;
  drawMachine(parent);
  const tiles = [
    ["simulated cycles, host included", number("/totals/simulated_cycles")],
    ["predicted cycles", number("/totals/predicted_cycles")],
    ["energy", number("/totals/simulated_energy_pj", energyText)],
    ["DRAM traffic, MB", number("/totals/dram_mb", digits)],
    ["MACs", number("/totals/macs")],
    ["MACs per cycle", number("/totals/macs_per_cycle", digits)],
    ["of the array's peak", number("/totals/array_use", percent)],
    ["TOPS/W (TOP/J)", number("/totals/tops_per_watt", digits)],
    ["of the time on the host", number("/totals/host_share", percent)],
    ["EDP, \u00b5J \u00b7 cycles", number("/totals/edp_uj_cycles")],
  ];
  if (t.gap !== null)
    tiles.push(["above the lower bound", number("/totals/gap", percent)]);
  if (t.unfused_ratio !== null)
    tiles.push([t.objective + " without fusion",
                number("/totals/unfused_ratio", timesText)]);
  if (t.simulated_ms !== null)
    tiles.unshift(
      ["ms", number("/totals/simulated_ms", digits)],
      ["inferences/s", number("/totals/inferences_per_second")],
      ["TOPS", number("/totals/tops", digits)],
      ["mW", number("/totals/power_mw", digits)]);
  if (report.machine.area_mm2 !== null)
    tiles.push(["area of array and memories, mm\u00b2",
                number("/machine/area_mm2", digits)],
               ["inferences/s per mm\u00b2",
                number("/totals/inferences_per_second_per_mm2")]);
  const box = document.createElement("div");
  box.className = "tiles";
  box.innerHTML = tiles.map(([what, value]) => '<div class="tile"><b>' + value +
    "</b><span>" + escaped(what) + "</span></div>").join("");
  parent.appendChild(box);
}

// ---------------------------------------------------------------------------
// 2. Energy
// ---------------------------------------------------------------------------

// A layer's energies as [pointer, pJ of all runs, level, tensor].
function energyParts(layer, index) {
  const base = "/layers/" + index, parts = [];
  parts.push([base + "/array/energy_pj", layer.array.energy_pj * layer.runs,
              "array", ""]);
  for (const level of levels)
    for (const tensor of ["W", "I", "O"]) {
      const pj = layer.levels[level].energy_pj[tensor];
      if (pj)
        parts.push([base + "/levels/" + level + "/energy_pj/" + tensor,
                    pj * layer.runs, level, tensor]);
    }
  if (layer.leakage_pj)
    parts.push([base + "/leakage_pj", layer.leakage_pj * layer.runs,
                "leakage", ""]);
  return parts;
}

// Brackets at the left of the rows of each group of several layers.
function brackets(svg, x, top, rowHeight) {
  report.groups.forEach((group) => {
    if (group.layers.length < 2) return;
    const first = top + group.layers[0] * rowHeight + 2;
    const last = top + (group.layers[group.layers.length - 1] + 1) *
      rowHeight - 4;
    hint(element("path", {d: "M" + (x + 6) + " " + first + "H" + x + "V" +
                             last + "H" + (x + 6), class: "bracket"}, svg),
         "one fusion group: what these layers hand on stays on the chip");
  });
}

function drawEnergy() {
  const parent = body("energy"), layers = report.layers;
  if (layers.length === 0)
    return paragraph(parent, "No mapping is known of any layer.");
  paragraph(parent, "Predicted energy of each layer, by memory level (colour) " +
    "and tensor (shade). Layers in one bracket are fused. Click on a layer " +
    "for its loops, its tiles, the runner-up and its slopes.");
  const entries = [[colourOf("array"), "array"]];
  for (const level of levels)
    for (const tensor of ["W", "I", "O"])
      if (layers.some((layer) => layer.levels[level].energy_pj[tensor]))
        entries.push([colourOf(level), level + " " + tensors[tensor],
                      shades[tensor]]);
  if (layers.some((layer) => layer.leakage_pj))
    entries.push([colourOf("leakage"), "leakage"]);
  legend(parent, entries);
  const row = 19, left = 190, width = 760, height = layers.length * row;
  const svg = drawing(parent, 1040, height + 22);
  const most = Math.max(...layers.map((layer) => layer.total_energy_pj), 1);
  axis(svg, left, 0, width, most * 1e-6, height);
  element("text", {x: left + width + 18, y: height + 12, class: "soft"}, svg,
          "\u00b5J");
  layers.forEach((layer, index) => {
    const y = index * row;
    const line = element("g", {class: "click"}, svg);
    opens(line, index);
    element("rect", {x: 0, y, width: 1040, height: row,
                     fill: "transparent"}, line);
    element("text", {x: left - 8, y: y + 13, "text-anchor": "end"}, line,
            clipped(layer.name, 28));
    let x = left;
    for (const [pointer, pj, level, tensor] of energyParts(layer, index)) {
      const length = width * pj / most;
      part(line, x, y + 3, length, row - 6, colourOf(level), pointer,
           layer.name + ": " + level + " " + (tensors[tensor] || "") + " " +
           energyText(pj), shades[tensor] || 1);
      x += length;
    }
    const total = element("text", {x: x + 5, y: y + 13, class: "soft",
      "data-json": "/layers/" + index + "/total_energy_pj",
      "data-value": layer.total_energy_pj}, line,
      energyText(layer.total_energy_pj));
    hint(total, "all " + layer.runs + " runs");
  });
  brackets(svg, 2, 0, row);
}

// The loops of a layer as a program, with what stands at each level.
function loopText(layer) {
  const names = {group: "over tiles of the group", dram: "over DRAM",
                 scratchpad: "in the scratchpad",
                 accumulator: "in the accumulator",
                 registers: "through the array"};
  const tiles = {};
  for (const tile of layer.tiles)
    (tiles[tile.level] = tiles[tile.level] || []).push(
      tile.tensor + " " + bytesText(tile.bytes));
  let depth = 0, text = "", open = "";
  const held = (level) => tiles[level] ?
    "  ".repeat(depth) + "# " + (level === "dram" ? "DRAM has all of" :
      level + " holds") + ": " + tiles[level].join(", ") + "\n" : "";
  text += held("dram");
  const order = ["group", "dram", "scratchpad", "accumulator", "registers"];
  for (const level of order) {
    if (level !== "group" && level !== "dram") text += held(level);
    for (const loop of layer.loops.filter((l) => l.level === level)) {
      text += "  ".repeat(depth) + "for " + loop.dim.toLowerCase() +
        " in 0.." + loop.trips + ":" +
        (open === level ? "" : "   # " + names[level]) + "\n";
      open = level;
      ++depth;
    }
  }
  return text + "  ".repeat(depth) + "array: " + layer.rows_used + " rows \u00d7 " +
    layer.columns_used + " columns";
}

function showLayer(index) {
  const layer = report.layers[index], base = "/layers/" + index;
  const section = document.getElementById("details");
  section.hidden = false;
  section.querySelector("h2").textContent = layer.name;
  const dims = Object.entries(layer.dims).map(([d, n]) => d + " = " + n);
  const group = report.groups[layer.group];
  let html = "<p>" + escaped(dims.join(", ")) + ". Predicted: " +
    number(base + "/energy_pj", energyText) + " and " +
    number(base + "/cycles") + " cycles a run, " + number(base + "/runs") +
    " run(s), bound by " + escaped(layer.bound_by) + ", " +
    number(base + "/utilisation", percent) + " of the array's peak." +
    (group.layers.length > 1 ? " It shares its group with " +
      (group.layers.length - 1) + " other(s)." : "") + "</p>" +
    '<div class="columns"><div><h3>Loops</h3><pre>' + escaped(loopText(layer)) +
    "</pre></div><div><h3>Slopes</h3>" + slopeTable(layer, base) +
    "</div></div>";
  html += "<h3>Runner-up</h3><p>" + (layer.runner_up ?
    escaped(layer.runner_up.text) : group.layers.length > 1 ?
    "A member of a group has none of its own: section Fusion says what other " +
    "groups cost." : "None is known.") + "</p>";
  html += "<h3>As in the IR</h3><pre>" + escaped(layer.mapping) + "</pre>";
  section.querySelector(".body").innerHTML = html;
}

// A click on the node opens the layer.
function opens(node, index) {
  node.addEventListener("click", () => {
    showLayer(index);
    document.getElementById("details").scrollIntoView();
  });
}

function slopeTable(layer, base) {
  const slopes = Object.entries(layer.dlog_edp_dlog_factor || {})
    .sort((a, b) => a[1] - b[1]);
  if (slopes.length === 0) return "<p>No factor has one.</p>";
  return "<p>By how many percent the network's EDP changes if a factor grows " +
    "by 1 %. Negative: larger would be better.</p>" + table(null,
    ["factor", "slope"], slopes.map(([factor]) => [escaped(factor),
    number(base + "/dlog_edp_dlog_factor/" + factor,
           (v) => v.toFixed(5))])).outerHTML;
}

// ---------------------------------------------------------------------------
// 3. Time
// ---------------------------------------------------------------------------

const timeParts = [["array", "array", "rows enter the array"],
  ["fill", "fill", "the array loads weights, or empties"],
  ["load_wait", "load", "the array waits for a load"],
  ["store_wait", "store", "the array waits for a store"],
  ["issue", "issue", "the array waits for a command of the core"]];

function drawTime() {
  const parent = body("time"), groups = report.groups, t = report.totals;
  paragraph(parent, "For each group, or layer alone, the predicted cycles " +
    "(outline; of its members a line each, in the colour of what binds it) " +
    "and the simulated ones below, split by what the array does. The predicted time is that of the " +
    "emitted commands, or with --latency=roofline the longest of array and memories, as if all else " +
    "were hidden behind it.");
  legend(parent, timeParts.map(([, colour, text]) => [colourOf(colour), text])
    .concat([[colourOf("host"), "the core computes what is on the host"]]));
  const left = 190, width = 740, line = 15;
  const rows = [];
  groups.forEach((group, index) => {
    rows.push({index, group});
    if (group.layers.length > 1)
      group.layers.forEach((layer) => rows.push({layer}));
  });
  const heightOf = (row) => row.group ? 2 * line + 4 : line - 3;
  const height = rows.reduce((sum, row) => sum + heightOf(row), 0) +
    (t.core_cycles > 0 ? line + 6 : 0);
  const svg = drawing(parent, 1040, height + 24);
  const most = Math.max(...groups.map((g) => Math.max(g.cycles || 0,
    g.simulated.cycles)), t.core_cycles, 1);
  axis(svg, left, 0, width, most, height);
  let y = 2;
  for (const row of rows) {
    if (row.layer !== undefined) {
      const layer = report.layers[row.layer];
      element("text", {x: left - 8, y: y + 9, "text-anchor": "end",
        class: "soft", style: "font-size:10px"}, svg, clipped(layer.name, 30));
      part(svg, left, y + 3, width * layer.total_cycles / most, 5,
           colourOf(layer.bound_by), "/layers/" + row.layer + "/total_cycles",
           layer.name + ": " + short(layer.total_cycles) +
           " cycles predicted, bound by " + layer.bound_by, 0.8);
      y += heightOf(row);
      continue;
    }
    const group = row.group, base = "/groups/" + row.index;
    const title = group.layers.length > 1 ? group.layers.length +
      " layers fused" : group.name;
    hint(element("text", {x: left - 8, y: y + 17, "text-anchor": "end",
      style: "font-weight:600"}, svg, clipped(title, 28)), group.name);
    if (group.cycles !== undefined) {
      const bar = part(svg, left, y + 1, width * group.cycles / most, line - 5,
        "none", base + "/cycles", group.name + ": " + short(group.cycles) +
        " cycles predicted");
      bar.setAttribute("stroke", "var(--fore)");
      element("text", {x: left + width * group.cycles / most + 5, y: y + 10,
        class: "soft"}, svg, short(group.cycles) + " predicted");
    }
    let x = left;
    for (const [key, colour, text] of timeParts) {
      const cycles = group.simulated[key], length = width * cycles / most;
      part(svg, x, y + line, length, line - 3, colourOf(colour),
           base + "/simulated/" + key, text + ": " + short(cycles) +
           " cycles");
      x += length;
    }
    element("text", {x: x + 5, y: y + line + 10, class: "soft",
      "data-json": base + "/simulated/cycles",
      "data-value": group.simulated.cycles}, svg,
      short(group.simulated.cycles) + " simulated");
    y += heightOf(row);
  }
  if (t.core_cycles > 0) {
    element("text", {x: left - 8, y: y + 14, "text-anchor": "end",
      style: "font-weight:600"}, svg, "host");
    part(svg, left, y + 4, width * t.core_cycles / most, line - 3,
         colourOf("host"), "/totals/core_cycles",
         "operations on the host, predicted");
    element("text", {x: left + width * t.core_cycles / most + 5, y: y + 14,
      class: "soft"}, svg, short(t.core_cycles) + " predicted");
  }
}

// ---------------------------------------------------------------------------
// 4. Roofline
// ---------------------------------------------------------------------------

function roofline(parent, level) {
  const m = report.machine, peak = m.peak_macs_per_cycle;
  const info = m.levels.find((l) => l.name === level);
  const dots = [];
  report.layers.forEach((layer, index) => {
    if (layer.words[level] > 0 && layer.macs > 0 && layer.cycles > 0)
      dots.push({x: layer.macs / layer.words[level],
                 y: layer.macs / layer.cycles, index, layer});
  });
  if (dots.length === 0 || !(info.words_per_cycle > 0)) return;
  // A group's members together, by what the simulator took.
  report.groups.forEach((group, index) => {
    let words = 0;
    for (const i of group.layers)
      words += report.layers[i].words[level] * report.layers[i].runs;
    if (words > 0 && group.simulated.macs > 0 && group.simulated.cycles > 0)
      dots.push({x: group.simulated.macs / words,
                 y: group.simulated.macs / group.simulated.cycles, group,
                 groupIndex: index});
  });
  const box = document.createElement("div");
  parent.appendChild(box);
  const width = 340, height = 250, left = 40, bottom = 34;
  const svg = drawing(box, width, height);
  const low = Math.min(peak / info.words_per_cycle,
                       ...dots.map((d) => d.x)) / 2;
  const high = Math.max(peak / info.words_per_cycle,
                        ...dots.map((d) => d.x)) * 2;
  const floor = Math.min(...dots.map((d) => d.y)) / 2;
  const X = (v) => left + (width - left - 10) * Math.log(v / low) /
    Math.log(high / low);
  const Y = (v) => height - bottom - (height - bottom - 16) *
    Math.log(v / floor) / Math.log(peak * 2 / floor);
  const marks = (from, to) => {
    const list = [];
    for (let p = Math.ceil(Math.log10(from)); p <= Math.log10(to); ++p)
      list.push(Math.pow(10, p));
    return list;
  };
  for (const mark of marks(low, high)) {
    element("line", {x1: X(mark), x2: X(mark), y1: 16, y2: height - bottom,
                     class: "axis"}, svg);
    element("text", {x: X(mark), y: height - bottom + 12, class: "soft",
                     "text-anchor": "middle"}, svg, short(mark));
  }
  for (const mark of marks(floor, peak * 2)) {
    element("line", {x1: left, x2: width - 10, y1: Y(mark), y2: Y(mark),
                     class: "axis"}, svg);
    element("text", {x: left - 4, y: Y(mark) + 4, class: "soft",
                     "text-anchor": "end"}, svg, short(mark));
  }
  const roof = (words, dash) => {
    const ridge = peak / words;
    const start = Math.max(low, floor / words);
    element("path", {d: "M" + X(start) + " " + Y(start * words) + "L" +
      X(Math.min(ridge, high)) + " " + Y(Math.min(ridge, high) * words) +
      (ridge < high ? "H" + (width - 10) : ""), fill: "none",
      stroke: colourOf(level), "stroke-width": 2,
      "stroke-dasharray": dash || "none"}, svg);
  };
  roof(info.words_per_cycle);
  if (level === "dram")
    roof(m.dma_bytes_per_cycle / m.element_bytes, "4 3");
  element("text", {x: left + 4, y: 11, style: "font-weight:600"}, svg,
    (level === "dram" ? "DRAM" : level) + ", " +
    digits(info.words_per_cycle) + " words/cycle");
  element("text", {x: width - 10, y: height - 6, "text-anchor": "end",
                   class: "soft"}, svg, "MACs per word");
  element("text", {x: 2, y: height - 6, class: "soft"}, svg, "MACs/cycle");
  for (const dot of dots) {
    const isGroup = dot.group !== undefined;
    const node = element("circle", {cx: X(dot.x), cy: Y(dot.y),
      r: isGroup ? 6 : 4, fill: isGroup ? "none" : colourOf(level),
      stroke: isGroup ? "var(--fore)" : "var(--back)",
      class: isGroup ? "" : "click",
      "data-json": isGroup ?
        "/groups/" + dot.groupIndex + "/simulated/macs" :
        "/layers/" + dot.index + "/words/" + level,
      "data-value": isGroup ? dot.group.simulated.macs :
        dot.layer.words[level]}, svg);
    hint(node, (isGroup ? dot.group.name + " (simulated)" :
      dot.layer.name + " (predicted)") + ": " + digits(dot.x) +
      " MACs per word, " + digits(dot.y) + " MACs/cycle");
    if (!isGroup) opens(node, dot.index);
  }
}

function drawRoofline() {
  const parent = body("roofline");
  paragraph(parent, "How many multiply-accumulates a layer makes for each word " +
    "of a memory, and in each cycle. The line is what the array (flat) and " +
    "the memory (slanting) allow; dashed: the DMA's bus in one direction. " +
    "Dots are layers as predicted, rings are groups as simulated.");
  const columns = document.createElement("div");
  columns.className = "columns";
  parent.appendChild(columns);
  for (const level of ["dram", "scratchpad", "accumulator"])
    roofline(columns, level);
}

// ---------------------------------------------------------------------------
// 5. Timeline
// ---------------------------------------------------------------------------

const groupColours = ["#4c78a8", "#f58518", "#54a24b", "#b279a2", "#e45756",
  "#72b7b2", "#9d755d", "#bab0ac"];
const groupColour = (g) => g < 0 ? "var(--host)" :
  groupColours[g % groupColours.length];

// What a slice of the timeline is, behind whose it is.
function sliceText(slice) {
  const [, , start, finish, busy, first, last, commands, bytes] = slice;
  return ", tile " + first + (last !== first ? " to " + last : "") + ": " +
    commands + " commands, " + short(busy) + " of " + short(finish - start) +
    " cycles busy" + (bytes ? ", " + bytesText(bytes) : "");
}

function drawTimeline() {
  const parent = body("timeline"), line = report.timeline;
  if (!line) return paragraph(parent, "The program was not traced.");
  const end = report.totals.simulated_accelerator_cycles;
  paragraph(parent, "What the simulated machine did when, over " +
    number("/totals/simulated_accelerator_cycles") + " cycles; the core's own " +
    number("/totals/core_cycles") + " for operations on the host come on top " +
    "of these and are not drawn. A slice is a tile of a group; the paler it " +
    "is, the more of its time its unit was idle." + (line.merged_gap > 0 ?
    " Tiles less than " + number("/timeline/merged_gap") + " cycles apart " +
    "are drawn as one." : "") + (line.left_out_commands > 0 ? " " +
    number("/timeline/left_out_commands") + " commands are left out: there " +
    "are too many regions." : "") + " Below the units each layer that runs " +
    "in the window has a row of its own: its loads above, its passes of the " +
    "array, its stores below." + (line.member_merged_gap > 0 ?
    " Its tiles less than " + number("/timeline/member_merged_gap") +
    " cycles apart are one there." : "") +
    (line.left_out_member_commands > 0 ? " " +
    number("/timeline/left_out_member_commands") + " commands are left out " +
    "of these rows." : ""));
  const controls = document.createElement("div");
  controls.innerHTML = '<button type="button">zoom in</button> ' +
    '<button type="button">zoom out</button> ' +
    '<button type="button">&larr;</button> ' +
    '<button type="button">&rarr;</button> ' +
    '<button type="button">all</button> or the wheel, and drag';
  parent.appendChild(controls);
  const box = document.createElement("div");
  parent.appendChild(box);
  let from = 0, to = Math.max(end, 1);
  const left = 190, width = 835, row = 26, thin = 15, band = 46;
  const tracks = line.tracks;
  const unitColours = ["load", "array", "store"];
  const draw = () => {
    box.innerHTML = "";
    // Layers that have a slice in the window, in their order.
    const members = line.member_slices.filter(([, , start, finish]) =>
      finish > from && start < to);
    const rows = [...new Set(members.map((slice) => slice[1]))]
      .sort((a, b) => a - b);
    const height = row * (tracks.length + 1) + thin * rows.length + 3 * band +
      60;
    const svg = drawing(box, 1040, height);
    const X = (cycle) => left + width * (cycle - from) / (to - from);
    const cut = (cycle) => Math.min(Math.max(cycle, from), to);
    const label = (y, text) => element("text", {x: left - 8, y,
      "text-anchor": "end"}, svg, text);
    label(16, "group");
    line.regions.forEach(([group, start, finish]) => {
      if (finish <= from || start >= to) return;
      const x = X(cut(start)), length = X(cut(finish)) - x;
      const name = group < 0 ? "host" : report.groups[group].name;
      hint(element("rect", {x, y: 2, width: Math.max(length, 0.3),
        height: row - 6, fill: groupColour(group)}, svg), name + ": " +
        short(finish - start) + " cycles");
      if (length > 50)
        element("text", {x: x + 4, y: 16, style: "fill:#fff"}, svg,
                clipped(name, Math.floor(length / 6.5)));
    });
    tracks.forEach((track, t) => label(row * (t + 1) + 16, track));
    line.slices.forEach((slice) => {
      const [track, group, start, finish, busy] = slice;
      if (finish <= from || start >= to) return;
      const x = X(cut(start));
      hint(element("rect", {x, y: row * (track + 1) + 2,
        width: Math.max(X(cut(finish)) - x, 0.4), height: row - 6,
        fill: groupColour(group), class: "slice",
        "fill-opacity": 0.15 + 0.85 * busy / Math.max(finish - start, 1)},
        svg), (group < 0 ? "host" : report.groups[group].name) +
        sliceText(slice));
    });
    let y = row * (tracks.length + 1) + 4;
    const rowOf = {};
    rows.forEach((layer, i) => {
      rowOf[layer] = y + i * thin;
      element("text", {x: left - 8, y: y + i * thin + 10, class: "soft",
        "text-anchor": "end", style: "font-size:10px"}, svg,
        clipped(report.layers[layer].name, 30));
    });
    for (const slice of members) {
      const [track, layer, start, finish, busy] = slice;
      const x = X(cut(start));
      hint(element("rect", {x, y: rowOf[layer] + 1 + 4 * track,
        width: Math.max(X(cut(finish)) - x, 0.4), height: 4,
        fill: colourOf(unitColours[track]), class: "member",
        "fill-opacity": 0.25 + 0.75 * busy / Math.max(finish - start, 1)},
        svg), report.layers[layer].name + " " + tracks[track] +
        sliceText(slice));
    }
    y += rows.length * thin + 6;
    for (const [name, key, level] of [
        ["scratchpad", "scratchpad_bytes", "scratchpad"],
        ["accumulator", "accumulator_bytes", "accumulator"]]) {
      const room = report.machine.levels.find((l) => l.name === level).bytes;
      label(y + 22, name);
      element("rect", {x: left, y: y + 2, width, height: band - 10,
                       fill: "none", class: "axis"}, svg);
      line.regions.forEach(([group, start, finish]) => {
        if (group < 0 || finish <= from || start >= to) return;
        const bytes = report.groups[group][key];
        if (bytes === undefined) return;
        const tall = (band - 10) * Math.min(bytes / room, 1);
        const x = X(cut(start));
        part(svg, x, y + band - 8 - tall, X(cut(finish)) - x, tall,
             colourOf(level), "/groups/" + group + "/" + key, bytesText(bytes) +
             " of " + bytesText(room) + " planned for " +
             report.groups[group].name, 0.7);
      });
      y += band;
    }
    label(y + 22, "DRAM B/cycle");
    const most = Math.max(...line.dram_bytes, 1);
    line.dram_bytes.forEach((bytes, bin) => {
      const start = bin * line.bin_cycles, finish = start + line.bin_cycles;
      if (finish <= from || start >= to) return;
      const tall = (band - 12) * bytes / most, x = X(cut(start));
      part(svg, x, y + band - 8 - tall, Math.max(X(cut(finish)) - x, 0.3),
           tall, colourOf("dram"), "/timeline/dram_bytes/" + bin,
           digits(bytes / line.bin_cycles) + " B/cycle");
    });
    element("text", {x: left + 3, y: y + 10, class: "soft"}, svg, "at most " +
            digits(most / line.bin_cycles));
    y += band + 4;
    // Round cycles, with all digits: neighbours differ however near they are.
    const step = steps(to - from, 7)[1];
    for (let mark = Math.ceil(from / step) * step; mark <= to; mark += step) {
      const x = X(mark);
      element("line", {x1: x, x2: x, y1: 0, y2: y - 4, class: "axis",
                       "stroke-dasharray": "2 4"}, svg);
      element("text", {x, y: y + 10, "text-anchor": "middle",
                       class: "soft"}, svg, allDigits(mark));
    }
  };
  const zoom = (factor, middle) => {
    const centre = middle === undefined ? (from + to) / 2 : middle;
    const length = Math.min(Math.max((to - from) * factor, 100), end);
    const share = (centre - from) / (to - from);
    from = Math.min(Math.max(centre - share * length, 0), end - length);
    to = from + length;
    draw();
  };
  const move = (share) => {
    const length = to - from;
    from = Math.min(Math.max(from + share * length, 0), end - length);
    to = from + length;
    draw();
  };
  const actions = [() => zoom(0.5), () => zoom(2), () => move(-0.3),
                   () => move(0.3), () => { from = 0; to = end; draw(); }];
  controls.querySelectorAll("button").forEach((button, i) =>
    button.addEventListener("click", actions[i]));
  const cycleAt = (event) => {
    const area = box.getBoundingClientRect();
    const x = (event.clientX - area.left) / area.width * 1040;
    return from + (to - from) * (x - left) / width;
  };
  box.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.3 : 1 / 1.3, cycleAt(event));
  }, {passive: false});
  let held = null;
  box.addEventListener("mousedown", (event) => { held = event.clientX; });
  window.addEventListener("mouseup", () => { held = null; });
  box.addEventListener("mousemove", (event) => {
    if (held === null || Math.abs(event.clientX - held) < 4) return;
    move((held - event.clientX) / box.getBoundingClientRect().width);
    held = event.clientX;
  });
  draw();
}

// ---------------------------------------------------------------------------
// 6. Fusion
// ---------------------------------------------------------------------------

function drawGraph() {
  const parent = body("graph"), layers = report.layers, edges = report.edges;
  if (layers.length === 0)
    return paragraph(parent, "No mapping is known of any layer.");
  paragraph(parent, "Layers in their order; what lies in one frame is one " +
    "fusion group. Arcs at the right are what a layer reads: thick and green " +
    "stays on the chip, red goes through DRAM. Dashed arcs at the left are " +
    "residuals.");
  const indexOf = {};
  layers.forEach((layer, index) => {
    if (indexOf[layer.name] === undefined) indexOf[layer.name] = index;
  });
  const row = 24, x = 330, width = 210;
  const svg = drawing(parent, 1040, layers.length * row + 8);
  report.groups.forEach((group) => {
    if (group.layers.length < 2) return;
    const first = group.layers[0], count = group.layers.length;
    element("rect", {x: x - 8, y: first * row + 1, width: width + 16,
      height: count * row, rx: 6, fill: "var(--good)", "fill-opacity": 0.12,
      stroke: "var(--good)"}, svg);
  });
  edges.forEach((edge) => {
    const a = indexOf[edge.producer], b = indexOf[edge.consumer];
    if (a === undefined || b === undefined) return;
    const y1 = a * row + row / 2 + 1, y2 = b * row + row / 2 + 1;
    const reach = Math.min(16 + 9 * Math.abs(b - a), 150);
    const side = edge.residual ? x - 8 : x + width + 8;
    const sign = edge.residual ? -1 : 1;
    hint(element("path", {d: "M" + side + " " + y1 + "C" +
      (side + sign * reach) + " " + y1 + " " + (side + sign * reach) + " " +
      y2 + " " + side + " " + y2, fill: "none", class: "edge", stroke: edge.residual ? "var(--soft)" :
        edge.fused ? "var(--good)" : "var(--bad)",
      "stroke-width": edge.fused ? 2.5 : 1.5,
      "stroke-dasharray": edge.residual ? "4 3" : "none"}, svg),
      edge.producer + " \u2192 " + edge.consumer +
      (edge.residual ? ", residual" : ": " + edge.text));
    if (!edge.residual && !edge.fused)
      element("text", {x: side + reach * 0.75 + 8, y: (y1 + y2) / 2 + 4,
        class: "bad"}, svg, clipped(edge.text, 62));
  });
  layers.forEach((layer, index) => {
    const box = element("g", {class: "click"}, svg);
    element("rect", {x, y: index * row + 4, width, height: row - 6, rx: 4,
                     class: "box"}, box);
    element("text", {x: x + width / 2, y: index * row + 17,
      "text-anchor": "middle"}, box, clipped(layer.name, 32));
    opens(box, index);
  });
  const apart = edges.map((edge, index) => [edge, index])
    .filter(([edge]) => !edge.residual && !edge.fused);
  const fused = edges.filter((edge) => edge.fused).length;
  paragraph(parent, "<b>" + fused + "</b> of <b>" +
    edges.filter((edge) => !edge.residual).length + "</b> edges are fused." +
    (apart.length ? " The others, and what fusing the pair would cost:" : ""));
  if (!apart.length) return;
  table(parent, ["edge", "why it is not fused", "energy", "cycles",
                 escaped(report.totals.objective) + " of the network"],
    apart.map(([edge, index]) => {
      const ratio = (key) => edge.other ?
        number("/edges/" + index + "/other/" + key, timesText) : "-";
      return [escaped(edge.producer) + " \u2192 " + escaped(edge.consumer),
              escaped(edge.reason), ratio("energy_ratio"),
              ratio("cycles_ratio"), ratio("objective_ratio")];
    }), [1]);
}

// ---------------------------------------------------------------------------
// 7. What would help
// ---------------------------------------------------------------------------

function judged(pointer) {
  const value = at(pointer);
  if (value === undefined) return "-";
  const kind = value < 0.99995 ? "better" : value > 1.00005 ? "worse" : "";
  return '<span class="' + kind + '">' + number(pointer, timesText) + "</span>";
}

function drawHelp() {
  const parent = body("help"), knobs = report.what_would_help;
  if (knobs.length === 0)
    return paragraph(parent, "No mapping is known of any layer.");
  const objective = report.totals.objective;
  paragraph(parent, "What becomes of the predicted " + escaped(objective) +
    " if one number of the machine changes. <i>Slope</i>: by how many percent " +
    "if the number grows by 1 %. <i>Twice</i>, <i>half</i> and <i>ceiling</i> " +
    "(if it were free: endless bandwidth, no energy) keep the schedule; " +
    "<i>searched again</i> has a schedule of its own, which a capacity needs " +
    "(fadiff-run --report-search).");
  const order = knobs.map((knob, index) => [knob, index])
    .sort((a, b) => Math.abs(b[0].slope || 0) - Math.abs(a[0].slope || 0));
  table(parent, ["number", "now", "unit", "slope", "twice", "half", "ceiling",
                 "searched again, half", "twice"],
    order.map(([knob, index]) => {
      const base = "/what_would_help/" + index;
      const again = (factor) => {
        const i = knob.searched_again.findIndex((p) => p.factor === factor);
        return i < 0 ? "" : knob.searched_again[i].found ?
          judged(base + "/searched_again/" + i + "/objective_ratio") :
          "no schedule";
      };
      return [escaped(knob.field), number("/machine/fields/" + knob.field),
              escaped(knob.unit), number(base + "/slope", (v) => v.toFixed(4)),
              ...["twice", "half", "ceiling"].map((key) =>
                judged(base + "/" + key + "/objective_ratio")),
              again(0.5), again(2)];
    }), [2]);
  const sets = report.what_would_help_together || [];
  if (!sets.length) return;
  paragraph(parent, "A number alone may buy little where another one is just " +
    "behind. The numbers that are worth most together, the array's own time " +
    "among them, if they were free:");
  table(parent, ["numbers", "EDP"], sets.map((set, index) => [
    set.numbers.map(escaped).join(", "),
    judged("/what_would_help_together/" + index + "/edp_ratio")]));
}

function drawHost() {
  const parent = body("host"), host = report.host;
  if (!host.operations) return paragraph(parent, "Nothing is known of it.");
  paragraph(parent, number("/host/macs_percent", digits) + " % of " +
    number("/host/macs") + " multiply-accumulates are on the array. The core " +
    "takes " + number("/host/cycles") + " cycles, predicted, for what is left " +
    "to it." + (host.weight_cycles > 0 ? " Laying out weights that are " +
    "arguments takes " + number("/host/weight_cycles") + " more, which are in " +
    "no total: fadiff-compile --prepare-weights does it once." : ""));
  if (host.operations.length === 0) return;
  table(parent, ["operation", "elements", "cycles", "why", "what would help"],
    host.operations.map((op, i) => [
      escaped(op.kind) + (op.behind ? " behind " + escaped(op.behind) :
        op.in_front_of ? " in front of " + escaped(op.in_front_of) : ""),
      number("/host/operations/" + i + "/elements"),
      number("/host/operations/" + i + "/cycles"),
      escaped(op.reason), escaped(op.remedy || "")]), [3, 4]);
}

// ---------------------------------------------------------------------------
// 8. Two runs
// ---------------------------------------------------------------------------

// Rows [what, number here, number there] that differ.
function differences(there) {
  const rows = [], compare = (what, a, b) => {
    if (a !== b && (typeof a === "number" || typeof b === "number"))
      rows.push([what, a, b]);
  };
  const fields = new Set([...Object.keys(report.machine.fields),
                          ...Object.keys(there.machine.fields)]);
  for (const field of fields) {
    const a = report.machine.fields[field], b = there.machine.fields[field];
    if (a !== b) rows.push(["machine " + field, a, b]);
  }
  for (const key of Object.keys(report.totals))
    compare(key, report.totals[key], there.totals[key]);
  const byName = {};
  there.layers.forEach((layer) => { byName[layer.name] = layer; });
  for (const layer of report.layers) {
    const twin = byName[layer.name];
    for (const key of ["total_energy_pj", "total_cycles", "dram_read_bytes",
                       "dram_write_bytes"])
      compare(layer.name + " " + key, layer[key], twin ? twin[key] : undefined);
    delete byName[layer.name];
  }
  for (const name in byName)
    compare(name + " total_energy_pj", undefined,
            byName[name].total_energy_pj);
  return rows;
}

function drawComparison(there) {
  const parent = body("compare");
  parent.querySelectorAll(".result").forEach((node) => node.remove());
  const box = document.createElement("div");
  box.className = "result";
  parent.appendChild(box);
  if (!there || there.fadiff_report !== report.fadiff_report) {
    paragraph(box, "This is no report of the same version.");
    return;
  }
  const rows = differences(there);
  paragraph(box, "here: " + escaped(report.sentence) + "<br>there: " +
    escaped(there.sentence) + "<br>" + (rows.length ? rows.length +
    " numbers differ." : "No number differs."));
  if (!rows.length) return;
  const spell = (v) => v === undefined || v === null ? "-" :
    typeof v === "number" ? short(v) : escaped(v);
  table(box, ["number", "here", "there", "there / here"],
    rows.map(([what, a, b]) => [escaped(what), spell(a), spell(b),
      typeof a === "number" && typeof b === "number" && a !== 0 ?
        timesText(b / a) : ""]));
}

function drawCompare() {
  const parent = body("compare");
  paragraph(parent, "Choose the JSON of another run (fadiff-run " +
    "--report=other.json); only what differs is shown.");
  const chooser = document.createElement("input");
  chooser.type = "file";
  chooser.accept = ".json";
  chooser.addEventListener("change", () => {
    chooser.files[0].text().then((text) => {
      try {
        drawComparison(JSON.parse(text));
      } catch (problem) {
        drawComparison(null);
      }
    });
  });
  parent.appendChild(chooser);
  if (other) drawComparison(other);
}

// ---------------------------------------------------------------------------

drawOverview();
drawEnergy();
drawTime();
drawRoofline();
drawTimeline();
drawGraph();
drawHelp();
drawHost();
drawCompare();
// ?layer=3 opens a layer: links to one, and the script that makes pictures.
const opened = wanted.get("layer");
if (opened !== null && report.layers[Number(opened)]) showLayer(Number(opened));
// ?only=time shows one section: for pictures, and slides.
const only = wanted.get("only");
if (only)
  document.querySelectorAll("section, nav, footer, #theme").forEach((node) => {
    if (node.id !== only) node.hidden = true;
  });
document.documentElement.dataset.drawn = "all";

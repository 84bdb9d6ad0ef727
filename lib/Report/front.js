
// Units of the objective; docs/Codesign.md says when time is in us.
const units = {edp: "\u00b5J \u00b7 cycles", energy: "pJ", latency: "cycles"};
const areaText = (mm2) => mm2.toFixed(3) + " mm\u00b2";
const powerText = (milliwatts) => milliwatts.toFixed(1) + " mW";
const place = report.over === "area" ? "area_mm2" : "milliwatts";
const parametersText = (machine) => Object.entries(machine.parameters).map(
  ([name, value]) => name + " = " + value).join(", ");
const boundText = place === "area_mm2" ? "bound for that area" :
  "bound, of any power";
let chosen = -1;

// ---------------------------------------------------------------------------
// 1. The front: objective over area or power, both as logarithms
// ---------------------------------------------------------------------------

// Round numbers within a range: finer ones where few are in it.
function decades(low, high) {
  let marks = [];
  for (const round of [[1], [1, 2, 5], [1, 1.5, 2, 3, 4, 5, 6, 8]]) {
    marks = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high);
         ++power)
      for (const digit of round) {
        const mark = digit * Math.pow(10, power);
        if (mark >= low && mark <= high) marks.push(mark);
      }
    if (marks.length >= 4) break;
  }
  return marks;
}

function drawFront() {
  const parent = body("front");
  parent.textContent = "";
  const all = report.searched.concat(report.front);
  const widen = (values, by) => [Math.min(...values) / by,
                                 Math.max(...values) * by];
  const [areaLow, areaHigh] = widen(all.map((m) => m[place]), 1.15);
  const [low, high] = widen(all.map((m) => m.value).concat(
    report.front.filter((m) => m.bound).map((m) => m.bound)), 1.3);
  const width = 1040, height = 380, left = 70, top = 14;
  const right = width - 20, bottom = height - 40;
  const x = (area) => left + (right - left) * Math.log(area / areaLow) /
    Math.log(areaHigh / areaLow);
  const y = (value) => bottom - (bottom - top) * Math.log(value / low) /
    Math.log(high / low);
  const svg = drawing(parent, width, height);
  for (const mark of decades(areaLow, areaHigh)) {
    element("line", {x1: x(mark), x2: x(mark), y1: top, y2: bottom,
                     class: "axis"}, svg);
    element("text", {x: x(mark), y: bottom + 14, "text-anchor": "middle",
                     class: "soft"}, svg, digits(mark));
  }
  for (const mark of decades(low, high)) {
    element("line", {x1: left, x2: right, y1: y(mark), y2: y(mark),
                     class: "axis"}, svg);
    element("text", {x: left - 6, y: y(mark) + 4, "text-anchor": "end",
                     class: "soft"}, svg, short(mark));
  }
  element("text", {x: right, y: height - 8, "text-anchor": "end"}, svg,
          place === "area_mm2" ? "area, mm\u00b2" : "power, mW");
  element("text", {x: 4, y: top - 2}, svg,
          report.objective + ", " + units[report.objective]);
  for (const machine of report.searched)
    hint(element("circle", {cx: x(machine[place]), cy: y(machine.value), r: 2,
                            fill: "var(--issue)"}, svg),
         machine.machine + ": " + short(machine.value));
  // What a budget buys: steps, as machines between two of them gain nothing.
  let path = "";
  report.front.forEach((machine, i) => {
    path += (i ? "H" : "M" + x(machine[place]) + " " + y(machine.value)) +
      (i ? x(machine[place]) + "V" + y(machine.value) : "");
  });
  element("path", {d: path + "H" + right, fill: "none", "stroke-width": 2,
                   stroke: "var(--accent)"}, svg);
  report.front.forEach((machine, i) => {
    if (machine.bound)
      element("line", {x1: x(machine[place]), x2: x(machine[place]),
                       y1: y(machine.value), y2: y(machine.bound),
                       stroke: "var(--bad)", "stroke-width": 2}, svg);
    const dot = hint(element("circle", {
      cx: x(machine[place]), cy: y(machine.value), r: i === chosen ? 7 : 5,
      class: "click machine", fill: "var(--accent)",
      "data-json": "/front/" + i + "/value", "data-value": machine.value}, svg),
      parametersText(machine));
    dot.addEventListener("click", () => choose(i));
  });
  legend(parent, [["var(--accent)", "best machine for its " + report.over +
                   ": click"],
                  ["var(--issue)", "searched, and not the best"],
                  ["var(--bad)", boundText]]);
  paragraph(parent, number("/searches") + " searches, made-up machines " +
    "included; the design has " + number("/legal_machines") +
    " legal machines." + (report.stopped ?
      " The search was stopped: what has less was not looked at." : ""));
}

// ---------------------------------------------------------------------------
// 2. One machine
// ---------------------------------------------------------------------------

function choose(index) {
  chosen = index;
  drawFront();
  const machine = report.front[index], parent = body("machine");
  const at = "/front/" + index;
  document.getElementById("machine").hidden = false;
  parent.textContent = "";
  paragraph(parent, escaped(parametersText(machine)));
  table(parent, ["", ""], [
    ["area", number(at + "/area_mm2", areaText)],
    ["power, on average", number(at + "/milliwatts", powerText)],
    [report.objective + ", " + units[report.objective],
     number(at + "/value")],
    [boundText, number(at + "/bound")],
    ["at most above it", number(at + "/gap", percent)],
  ]);
  machine.networks.forEach((network, n) => {
    const its = at + "/networks/" + n;
    const title = document.createElement("h3");
    title.textContent = network.network;
    parent.appendChild(title);
    table(parent, ["energy", "cycles", "ms", "inferences/s"],
          [[number(its + "/energy_pj", energyText), number(its + "/cycles"),
            number(its + "/ms", digits),
            number(its + "/inferences_per_second")]]);
    if (network.groups)
      table(parent, ["layers that share a group", "mappings", "energy",
                     "cycles"],
            network.groups.map((group, g) => [
              group.layers.map(escaped).join("<br>"),
              group.mappings.map(escaped).join("<br>"),
              number(its + "/groups/" + g + "/energy_pj", energyText),
              number(its + "/groups/" + g + "/cycles")]), [0, 1]);
  });
}

// ---------------------------------------------------------------------------
// 3. All of them
// ---------------------------------------------------------------------------

function drawTable() {
  table(body("table"), ["machine", "area", "power", report.objective, "bound",
                        "gap"],
        report.front.map((machine, i) => [
          escaped(parametersText(machine)),
          number("/front/" + i + "/area_mm2", areaText),
          number("/front/" + i + "/milliwatts", powerText),
          number("/front/" + i + "/value"), number("/front/" + i + "/bound"),
          number("/front/" + i + "/gap", percent)]));
}

document.getElementById("sentence").textContent = report.sentence;
drawFront();
drawTable();
// ?machine=3 opens a machine: links to one, and pictures.
const opened = wanted.get("machine");
if (opened !== null && report.front[Number(opened)]) choose(Number(opened));
document.documentElement.dataset.drawn = "all";

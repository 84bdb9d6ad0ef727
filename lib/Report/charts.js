"use strict";
// What goes wrong is seen: by people, and by the test that opens the page.
window.addEventListener("error", (event) => {
  const box = document.getElementById("errors");
  box.hidden = false;
  box.textContent += "This page has a mistake: " + event.message + " (line " +
    event.lineno + "). ";
});

// ---------------------------------------------------------------------------
// Numbers
// ---------------------------------------------------------------------------

const report = JSON.parse(document.getElementById("report").textContent);
const other = JSON.parse(document.getElementById("other").textContent);

// The value at a JSON pointer, such as /totals/energy_pj.
function at(pointer) {
  let value = report;
  for (const key of pointer.split("/").slice(1))
    value = value === null || value === undefined ? undefined : value[key];
  return value;
}

// Three to four digits and a prefix.
function short(value) {
  if (value === null || value === undefined) return "-";
  const size = Math.abs(value);
  for (const [factor, prefix] of [[1e12, " T"], [1e9, " G"], [1e6, " M"],
                                  [1e3, " k"]])
    if (size >= factor) return digits(value / factor) + prefix;
  return digits(value);
}
function digits(value) {
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (Number.isInteger(value) && size < 1000) return String(value);
  return size >= 100 ? value.toFixed(0) : size >= 10 ? value.toFixed(1) :
    size >= 0.01 ? value.toFixed(2) : value.toPrecision(2);
}
const allDigits = (value) => String(Math.round(value))
  .replace(/\B(?=(\d{3})+$)/g, "\u2009");
const percent = (value) => (value * 100).toFixed(value < 0.1 ? 2 : 1) + " %";
const energyText = (pj) => pj >= 1e9 ? digits(pj * 1e-9) + " mJ" :
  pj >= 1e6 ? digits(pj * 1e-6) + " \u00b5J" : digits(pj) + " pJ";
const bytesText = (bytes) => bytes === null ? "" :
  bytes >= 1 << 20 ? digits(bytes / (1 << 20)) + " MiB" :
  bytes >= 1 << 10 ? digits(bytes / (1 << 10)) + " KiB" : bytes + " B";
const timesText = (value) => "\u00d7 " + value.toFixed(4);

function escaped(text) {
  return String(text).replace(/[&<>"]/g, (c) => "&#" + c.charCodeAt(0) + ";");
}

// A number of the report, in HTML, with where it stands in the JSON.
function number(pointer, format) {
  const value = at(pointer);
  if (value === null || value === undefined) return "-";
  return '<span class="number" data-json="' + escaped(pointer) +
    '" data-value="' + value + '">' + escaped((format || short)(value)) +
    "</span>";
}

// ---------------------------------------------------------------------------
// Drawing
// ---------------------------------------------------------------------------

function element(name, attributes, parent, text) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  if (text !== undefined) node.textContent = text;
  if (parent) parent.appendChild(node);
  return node;
}
function drawing(parent, width, height) {
  return element("svg", {viewBox: "0 0 " + width + " " + height,
                         role: "img"}, parent);
}
function hint(node, text) {
  element("title", {}, node, text);
  return node;
}
// A part of a bar, which is as long as the number at `pointer` says.
function part(svg, x, y, width, height, colour, pointer, text, opacity) {
  const node = element("rect", {x, y, width: Math.max(width, 0), height,
                                fill: colour, "fill-opacity": opacity || 1,
                                "data-json": pointer,
                                "data-value": at(pointer)}, svg);
  return hint(node, text);
}
function clipped(text, most) {
  return text.length > most ? text.slice(0, most - 1) + "\u2026" : text;
}
function legend(parent, entries) {
  const box = document.createElement("div");
  box.className = "legend";
  box.innerHTML = entries.map(([colour, text, opacity]) =>
    '<span><i style="background:' + colour + ";opacity:" + (opacity || 1) +
    '"></i>' + escaped(text) + "</span>").join("");
  parent.appendChild(box);
}
function paragraph(parent, html) {
  const node = document.createElement("p");
  node.innerHTML = html;
  parent.appendChild(node);
  return node;
}
// A table of rows of cells, which are HTML; those of the columns in `texts` are
// words, not numbers.
function table(parent, heads, rows, texts) {
  const cells = (tag, row) => "<tr>" + row.map((cell, i) => "<" + tag +
    (texts && texts.includes(i) ? ' class="text">' : ">") + cell + "</" + tag +
    ">").join("") + "</tr>";
  const node = document.createElement("table");
  node.innerHTML = cells("th", heads) +
    rows.map((row) => cells("td", row)).join("");
  if (parent) parent.appendChild(node);
  return node;
}
function body(id) { return document.querySelector("#" + id + " .body"); }

// Round steps for an axis from 0 to `most`.
function steps(most, count) {
  const raw = most / count, power = Math.pow(10, Math.floor(Math.log10(raw)));
  const step = [1, 2, 5, 10].find((s) => s * power >= raw) * power;
  const marks = [];
  for (let mark = 0; mark <= most * 1.0001; mark += step) marks.push(mark);
  return marks;
}
function axis(svg, x, y, width, most, height) {
  for (const mark of steps(most, 6)) {
    const where = x + width * mark / most;
    element("line", {x1: where, x2: where, y1: y, y2: y + height,
                     class: "axis"}, svg);
    element("text", {x: where, y: y + height + 12, "text-anchor": "middle",
                     class: "soft"}, svg, short(mark));
  }
}

// ---------------------------------------------------------------------------
// What the address asks for, and light or dark
// ---------------------------------------------------------------------------

const wanted = new URLSearchParams(location.search);
function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}
setTheme(wanted.get("theme") === "dark" || (wanted.get("theme") !== "light" &&
  window.matchMedia("(prefers-color-scheme: dark)").matches));
document.getElementById("theme").addEventListener("click", () =>
  setTheme(document.documentElement.dataset.theme !== "dark"));

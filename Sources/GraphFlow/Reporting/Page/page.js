"use strict";
const byId = id => document.getElementById(id);
const names = JSON.parse(byId("names").textContent);
const statuses = ["succeeded", "failed", "in doubt", "skipped", "cancelled", "unfinished"];
const rowHeight = 33;

// A row is [request, key, status, path, code, start, time, attempts, details, body, is cut].
const rows = JSON.parse(byId("rows").textContent).map(row => {
  const [name, method, line, run] = names[row[0]];
  const label = row[1] === null ? name : `${name}[${row[1]}]`;
  const status = statuses[row[2]];
  const tries = row[7].length;
  const message = row[8].message || "";
  return {
    label, method, line, run, status, rank: row[2], path: row[3], code: row[4], start: row[5],
    time: row[6], tries, attempts: row[7], details: row[8], body: row[9], isCut: row[10],
    found: `${label} ${row[3]} ${message}`.toLowerCase(),
  };
});

const keys = {
  status: row => row.rank, name: row => row.label, path: row => row.path, code: row => row.code,
  tries: row => row.tries, start: row => row.start, time: row => row.time,
};
let shown = rows, key = null, descends = false;
const area = byId("window"), body = area.querySelector("tbody");
const heads = [...area.querySelectorAll("th")];

function duration(ms) {
  if (ms === null) return "";
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60000) return `${(ms / 1000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60000);
  return minutes < 60 ? `${minutes} min ${Math.floor(ms / 1000) % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function element(name, text, style) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (style) made.className = style;
  return made;
}

function gap(count) {
  const row = element("tr", undefined, "gap"), cell = element("td");
  cell.colSpan = heads.length;
  cell.style.height = `${count * rowHeight}px`;
  row.setAttribute("aria-hidden", "true");
  row.append(cell);
  return row;
}

function draw() {
  const first = Math.max(0, Math.floor(area.scrollTop / rowHeight) - 10);
  const count = Math.ceil(innerHeight / rowHeight) + 20;
  const last = Math.min(shown.length, first + count);
  const focused = document.activeElement && document.activeElement.dataset.row;
  const made = [gap(first)];
  for (let place = first; place < last; place += 1) {
    const row = shown[place], line = element("tr");
    line.setAttribute("aria-rowindex", place + 2);
    const button = element("button", row.label);
    button.type = "button";
    button.dataset.row = place;
    const cell = element("td");
    cell.append(button);
    line.append(
      element("td", row.status, row.status.replace(" ", "-")), cell, element("td", row.path),
      element("td", row.code === null ? "" : row.code, "number"),
      element("td", row.tries, "number"), element("td", duration(row.start), "number"),
      element("td", duration(row.time), "number"));
    made.push(line);
  }
  made.push(gap(shown.length - last));
  body.replaceChildren(...made);
  if (focused !== undefined && focused !== null) {
    const again = body.querySelector(`[data-row="${focused}"]`);
    if (again) again.focus({preventScroll: true});
  }
}

function update() {
  const words = byId("text").value.toLowerCase().split(/\s+/).filter(word => word);
  const status = byId("status").value;
  shown = rows.filter(row =>
    (!status || row.status === status) && words.every(word => row.found.includes(word)));
  if (key) {
    const of = keys[key], sign = descends ? -1 : 1;
    shown = shown.slice().sort((one, other) => {
      const left = of(one), right = of(other);
      if (left === right) return 0;
      if (left === null || right === null) return left === null ? 1 : -1;
      return left < right ? -sign : sign;
    });
  }
  byId("count").textContent = `${shown.length} of ${rows.length}`;
  area.querySelector("table").setAttribute("aria-rowcount", shown.length + 1);
  area.scrollTop = 0;
  draw();
}

function show(row) {
  const dialog = byId("detail"), content = dialog.querySelector("div");
  byId("detail-heading").textContent = row.label;
  const lines = [`${row.method} ${row.path || "(not sent)"}`, `line ${row.line}, run ${row.run}`];
  const made = [element("p", row.status, row.status.replace(" ", "-"))];
  for (const line of lines) made.push(element("p", line, "dim"));
  const {message, facts, note, failed} = row.details;
  for (const text of [message, facts, note]) if (text) made.push(element("p", text));
  for (const text of failed || []) made.push(element("p", text));
  if (row.attempts.length) {
    made.push(element("h3", "Attempts"));
    const list = element("ol");
    for (const [call, start, time, outcome, code] of row.attempts) {
      const answer = code === null ? "no answer" : `HTTP ${code}`;
      list.append(element(
        "li", `${outcome}, ${answer}, call ${call}, at ${duration(start)}, ${duration(time)}`));
    }
    made.push(list);
  }
  if (row.body !== 0) {
    made.push(element("h3", row.isCut ? "Body (the first 2 KiB)" : "Body"));
    let text = row.body;
    try { text = JSON.stringify(JSON.parse(text), null, 2); } catch { /* It is not JSON. */ }
    const block = element("pre", text);
    block.tabIndex = 0;
    made.push(block);
  }
  content.replaceChildren(...made);
  dialog.showModal();
}

for (const head of heads) {
  head.querySelector("button").addEventListener("click", event => {
    const chosen = event.currentTarget.dataset.key;
    descends = key === chosen && !descends;
    key = chosen;
    for (const other of heads) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", descends ? "descending" : "ascending");
    update();
  });
}
body.addEventListener("click", event => {
  const place = event.target.dataset.row;
  if (place !== undefined) show(shown[place]);
});
byId("filter").addEventListener("submit", event => event.preventDefault());
byId("filter").addEventListener("input", update);
area.addEventListener("scroll", () => requestAnimationFrame(draw));
addEventListener("resize", draw);
byId("filter").hidden = area.hidden = false;
update();

// What a page can do where scripts run: dots and cells that tell their numbers, lines that are switched off, tables that
// sort and filter. All that is shown is in the page already, and stays readable without this. Needs d3-selection 1, 2 or 3.
(() => {
  "use strict";

  const REACH = 12; // pixels between a pointer, or a finger, and what it means
  const EDGE = 8; // pixels that a tooltip keeps from the window's edges

  // Version 1 keeps the event in d3.event, later ones hand it to the listener.
  const listener = act => function (event) { act.call(this, d3.event || event); };

  // A button around what an element holds.
  function button(element, act) {
    const made = d3.create("button").attr("type", "button").on("click", listener(act));
    made.node().append(...element.childNodes);
    element.append(made.node());
    return made;
  }

  // --- Tooltips -----------------------------------------------------------------------------------------------------

  const tip = d3.select("body").append("div").attr("class", "tip").attr("role", "status").property("hidden", true);
  let shown = null; // the dot or cell that the tooltip is of

  function hide() {
    d3.select(shown).classed("at", false);
    shown = null;
    tip.property("hidden", true);
  }

  function show(mark, picture) {
    if (mark === shown) return;
    hide();
    shown = mark;
    d3.select(mark).classed("at", true);
    tip.property("hidden", false).text("");
    if (picture.dataset.heading) tip.append("strong").text(picture.dataset.heading);
    tip.append("span").text(mark.tip);
    place();
  }

  // Above the mark, or below it where there is no room, and within the window.
  function place() {
    if (!shown) return;
    const at = shown.getBoundingClientRect(), size = tip.node().getBoundingClientRect();
    const left = Math.min(at.left + at.width / 2 - size.width / 2, document.documentElement.clientWidth - size.width - EDGE);
    const above = at.top - size.height - EDGE;
    tip.style("left", `${Math.max(EDGE, left)}px`).style("top", `${above > EDGE ? above : at.bottom + EDGE}px`);
  }

  const marksOf = picture => [...picture.querySelectorAll(".mark:not(.off)")];

  // The mark in reach whose centre is nearest.
  function nearest(picture, x, y) {
    const found = { mark: null, distance: Infinity };
    for (const mark of marksOf(picture)) {
      const box = mark.getBoundingClientRect();
      const across = Math.max(box.left - x, x - box.right), down = Math.max(box.top - y, y - box.bottom);
      const distance = Math.hypot(x - (box.left + box.right) / 2, y - (box.top + box.bottom) / 2);
      if (Math.max(across, down) <= REACH && distance < found.distance) Object.assign(found, { mark, distance });
    }
    return found.mark;
  }

  function point(event) {
    const mark = nearest(this, event.clientX, event.clientY);
    if (mark) show(mark, this);
    else hide();
  }

  // Arrows go from mark to mark in the order in which they were drawn.
  function walk(event) {
    if (event.key === "Escape") hide();
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const marks = marksOf(this), at = marks.indexOf(shown);
    const next = at < 0 ? (step > 0 ? 0 : marks.length - 1) : Math.min(Math.max(at + step, 0), marks.length - 1);
    show(marks[next], this);
  }

  d3.selectAll(".mark").each(function () {
    const title = this.querySelector("title"); // what a browser shows by itself, in its own time
    this.tip = title.textContent;
    title.remove();
  });
  d3.selectAll(".panel svg").filter(function () { return this.querySelector(".mark"); })
    .attr("tabindex", 0)
    .on("pointermove", listener(point))
    .on("click", listener(point)) // a finger that has left again
    .on("pointerleave", listener(event => event.pointerType === "mouse" && hide()))
    .on("keydown", listener(walk))
    .on("blur", listener(hide));
  d3.select(window).on("scroll", listener(place)).on("resize", listener(place));
  d3.select(document).on("pointerdown", listener(event => event.target.closest(".panel") || hide()));

  // --- Legends: each entry switches its lines or dots ----------------------------------------------------------------

  d3.selectAll("figure").each(function () {
    const off = { line: new Set(), method: new Set() };
    const parts = d3.select(this).selectAll(".panel [data-line], .panel [data-method]");

    function toggle(kind, name, pressed) {
      off[kind][pressed ? "delete" : "add"](name);
      parts.classed("off", function () { return off.line.has(this.dataset.line) || off.method.has(this.dataset.method); });
      hide();
    }

    for (const kind of ["line", "method"]) {
      const entries = d3.select(this).selectAll(`.legend li[data-${kind}]`);
      if (entries.size() < 2) continue; // nothing would be left
      entries.each(function () {
        this.closest(".legend").hidden = false;
        const name = this.dataset[kind];
        button(this, function () {
          const pressed = this.getAttribute("aria-pressed") === "false";
          this.setAttribute("aria-pressed", pressed);
          toggle(kind, name, pressed);
        }).attr("aria-pressed", true);
      });
    }
  });

  // --- Tables: a head sorts up, down, and back to the order as printed; a box filters ---------------------------------

  const NEXT = { none: "ascending", ascending: "descending", descending: "none" };
  const natural = new Intl.Collator("en", { numeric: true });

  const key = (row, column) => {
    const cell = row.cells[column], text = cell.textContent;
    return { number: "value" in cell.dataset ? Number(cell.dataset.value) : null, text, empty: text === "" || text === "–" };
  };

  // Numbers before words, and what is absent last either way.
  function order(a, b, sign) {
    if (a.empty || b.empty) return a.empty - b.empty;
    if (a.number !== null && b.number !== null) return sign * (a.number - b.number);
    if (a.number !== null || b.number !== null) return a.number === null ? 1 : -1;
    return sign * natural.compare(a.text, b.text);
  }

  function makeSortable(table) {
    const body = table.tBodies[0], printed = [...body.rows], heads = d3.select(table).selectAll("thead th");
    heads.attr("aria-sort", "none").each(function () {
      button(this, () => {
        const way = NEXT[this.getAttribute("aria-sort")], sign = way === "descending" ? -1 : 1;
        heads.attr("aria-sort", "none");
        this.setAttribute("aria-sort", way);
        const rows = printed.map(row => ({ row, key: key(row, this.cellIndex) }));
        if (way !== "none") rows.sort((a, b) => order(a.key, b.key, sign)); // stable: equals stay as printed
        body.append(...rows.map(each => each.row));
      });
    });
  }

  // A row stays that holds every word, in its cells or in what is said once for all rows.
  function makeFilterable(box, table) {
    const rows = [...table.tBodies[0].rows], said = box.previousElementSibling;
    const common = said && said.matches(".in-every-row") ? said.textContent : "";
    const texts = rows.map(row => `${[...row.cells].map(cell => cell.textContent).join(" ")} ${common}`.toLowerCase());
    const line = d3.create("p").attr("class", "filter");
    const label = line.append("label").text("Rows with all of these words ");
    const count = line.append("span").attr("role", "status");
    label.append("input").attr("type", "search").on("input", listener(function () {
      const words = this.value.toLowerCase().split(/\s+/).filter(Boolean);
      const kept = rows.filter((row, n) => !(row.hidden = !words.every(word => texts[n].includes(word))));
      count.text(words.length ? ` ${kept.length} of ${rows.length}` : "");
    }));
    box.before(line.node());
  }

  d3.selectAll(".table-box").each(function () {
    const table = this.querySelector("table");
    if (table.tBodies[0].rows.length > 1) makeSortable(table);
    if (this.matches(".long")) makeFilterable(this, table);
  });
})();

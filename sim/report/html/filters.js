// Which findings are shown: by rule, kernel, file, severity and text. The index lists them, a link each.
const hostCode = "(host code)";
const kernelOf = (found) => found.kernel_name || hostCode;
const filesOf = (found) => [...new Set(found.sides.flatMap((side) => (side.place ? [side.place.file] : [])))];
const severityWord = (found) => (found.severity === "info" ? "note" : found.severity);
const searchText = (found) => [
  found.rule, found.title, found.kernel, found.data, found.obtained, found.message, ...found.why, found.fix, found.id,
  ...found.sides.flatMap((side) => [side.access, side.lane, side.place ? side.place.text : side.function, side.source,
                                    ...side.callers.map((caller) => (caller ? caller.text : ""))]),
].join("\n").toLowerCase();

const filterKinds = [
  {key: "severity", name: "Severity", values: (found) => [severityWord(found)]},
  {key: "rule", name: "Rule", values: (found) => [found.rule]},
  {key: "kernel", name: "Kernel", values: (found) => [kernelOf(found)]},
  {key: "file", name: "File", values: filesOf},
];

function filterSelect(kind, changed) {
  const counts = new Map();
  for (const found of data.findings) for (const value of kind.values(found)) counts.set(value, (counts.get(value) || 0) + 1);
  if (counts.size < 2) return null;
  const names = [...counts.keys()].sort(inOrder);
  const select = el("select", {id: `filter-${kind.key}`}, el("option", {value: ""}, "all"),
    names.map((name, at) => el("option", {value: String(at + 1)}, `${name} (${number(counts.get(name))})`)));
  select.addEventListener("change", changed);
  return {key: kind.key, label: el("label", {for: select.id}, kind.name, " ", select), select,
          choose: (name) => { select.value = name === "" ? "" : String(names.indexOf(name) + 1); changed(); },
          chosen: () => (select.value === "" ? "" : names[Number(select.value) - 1]),
          admits: (found) => select.value === "" || kind.values(found).includes(names[Number(select.value) - 1])};
}

function indexRow(found, at) {
  const place = (found.sides.find((side) => side.place) || {}).place;
  return el("tr", {}, el("td", {class: "number"}, String(at + 1)),
    el("td", {}, el("span", {class: `badge ${found.severity}`}, severityWord(found))),
    el("th", {scope: "row"}, el("a", {href: `#finding-${at}`}, el("span", {class: "rule"}, found.rule), " ", found.title)),
    el("td", {}, breakable(kernelOf(found))),
    el("td", {}, place ? el("span", {class: "place"}, place.text) : ""));
}

let clearFilters = () => {};
// Chooses a severity, or all again if it is chosen; null where there is nothing to choose. The tiles at the top do it.
let toggleSeverity = null;

// The part above the findings. `elements`: of each finding.
function drawFilters(elements) {
  const texts = data.findings.map(searchText);
  const rows = data.findings.map(indexRow);
  const shownCount = el("output", {"aria-live": "polite"});
  const search = el("input", {type: "search", id: "filter-text", autocomplete: "off", spellcheck: "false"});
  const selects = filterKinds.map((kind) => filterSelect(kind, () => apply())).filter((one) => one !== null);
  const clear = el("button", {type: "button", onclick: () => { clearFilters(); search.focus(); }}, "Clear");
  const bySeverity = selects.find((one) => one.key === "severity");
  if (bySeverity) toggleSeverity = (word) => bySeverity.choose(bySeverity.chosen() === word ? "" : word);
  function apply() {
    const words = search.value.toLowerCase();
    const matches = data.findings.map((found, at) => texts[at].includes(words) && selects.every((one) => one.admits(found)));
    const all = matches.every((match) => match);
    elements.forEach((element, at) => {
      const below = data.findings.some((found, other) => found.cause === at && matches[other]);
      element.hidden = !matches[at] && !below;
      // What it was asked for stands folded under it.
      const fold = element.querySelector(":scope > details.same-cause");
      if (fold !== null && !all) fold.open = below && !matches[at];
    });
    rows.forEach((row, at) => { row.hidden = !matches[at]; });
    clear.hidden = all;
    showSeverity(bySeverity ? bySeverity.chosen() : "");
    const count = matches.filter((match) => match).length;
    shownCount.textContent = all ? `${number(count)} findings` : `${number(count)} of ${number(matches.length)} findings`;
  }
  search.addEventListener("input", apply);
  clearFilters = () => {
    search.value = "";
    for (const one of selects) one.select.value = "";
    apply();
  };
  apply();
  return [
    el("div", {class: "filters", role: "search", "aria-label": "Filter the findings"},
       el("label", {for: search.id}, "Text ", search), selects.map((one) => one.label), clear, shownCount),
    el("details", {class: "index"}, el("summary", {}, "Index"),
       el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Index of the findings"},
          el("table", {}, el("thead", {}, el("tr", {}, ["", "Severity", "Finding", "Kernel", "Place"].map((name) =>
            el("th", {scope: "col"}, name)))), el("tbody", {}, rows)))),
  ];
}

// The picture of one warp access: lanes by banks, or lanes by sectors.
const kinds = ["free", "shared", "conflict"];  // as CellKind
const legends = {
  banks: ["the only word of its bank", "several lanes on one word: no cost", "waits: its bank has other words to give"],
  sectors: ["every byte of the sector is used", "over half of the sector is used", "half or less is used"],
};

function ordinal(index) {
  const n = index + 1;
  const ending = n % 100 >= 11 && n % 100 <= 13 ? "th" : ["th", "st", "nd", "rd"][n % 10] || "th";
  return `${number(n)}${ending}`;
}

function gridCaption(site) {
  const warp = site.warp;
  const unit = site.banked ? "wavefront" : "sector";
  return el("figcaption", {},
    el("strong", {}, `The worst warp: ${number(warp.cost)} ${unit}${warp.cost === 1 ? "" : "s"}` +
       (warp.cost > warp.ideal ? ` where ${number(warp.ideal)} would do` : ", the ideal")),
    ` — league ${number(warp.league)}, warp ${warp.warp}, the ${ordinal(warp.occurrence)} time it comes here ` +
    "between two synchronisations. ",
    site.banked
      ? `A row is a lane, a column a bank, the number the ${warp.unit}-byte word that the lane wants, counted from the ` +
        "start of the data. Words in one column that are wanted at the same time wait for each other."
      : `A row is a lane, a column a sector of ${warp.unit} bytes, counted from the start of the data; the number is ` +
        "how many bytes of it the lane wants. Each column is moved whole.",
    site.operation !== "atomic" ? ""
      : site.banked ? " An atomic that the device does in a loop, or with two operands, costs more than the picture shows."
                    : " Atomics on one word go one after the other, so that a column may be moved several times.",
    warp.grid.turns > 1
      ? ` The lanes of such an access are served in ${warp.grid.turns} groups, one after the other: the group's letter ` +
        "is beside the lane." : "");
}

function gridLegend(site) {
  const words = legends[site.banked ? "banks" : "sectors"];
  return el("ul", {class: "legend"}, words.map((word, kind) =>
    el("li", {}, el("span", {class: `cell ${kinds[kind]}`}), " ", word)));
}

const groupLetter = (group) => String.fromCharCode("a".charCodeAt(0) + group - 1);

function gridTable(site) {
  const {columns, cells, turn, turns} = site.warp.grid;
  const gap = (index) => !site.banked && index > 0 && columns[index][0] !== columns[index - 1][0] + 1 ? "gap" : null;
  const byLane = turn.map(() => new Map());
  for (const [lane, column, value, kind] of cells) byLane[lane].set(column, [value, kind]);
  const head = el("tr", {}, el("th", {class: "corner", scope: "col"}, site.banked ? "bank" : "sector"),
    columns.map(([name], index) => el("th", {scope: "col", class: gap(index)}, String(name))));
  const rows = turn.map((group, lane) => el("tr", {class: group === 0 ? "idle" : null},
    el("th", {scope: "row"}, `lane ${lane}`, turns > 1 && group > 0 ? el("small", {}, " " + groupLetter(group)) : null),
    columns.map((_, index) => {
      const cell = byLane[lane].get(index);
      if (cell === undefined) return el("td", {class: gap(index)});
      const [value, kind] = cell;
      return el("td", {class: `cell ${kinds[kind]} ${gap(index) || ""}`.trim(), "data-lane": lane,
                       title: `lane ${lane}, ${site.banked ? `bank ${columns[index][0]}, word ${value}`
                                                           : `sector ${columns[index][0]}, ${value} bytes`}: ` +
                              legends[site.banked ? "banks" : "sectors"][kind]}, String(value));
    })));
  const foot = el("tr", {}, el("th", {scope: "row"}, site.banked ? "at once" : "used"),
    columns.map(([, used], index) => {
      const bad = site.banked ? used > 1 : used * 2 <= site.warp.unit;
      return el("td", {class: `${bad ? "bad" : ""} ${gap(index) || ""}`.trim() || null,
                       title: site.banked ? "the most words that this bank has to give at once"
                                          : `bytes used of ${site.warp.unit}`},
                used === 0 ? "" : String(used));
    }));
  return el("table", {class: `grid ${site.banked ? "banks" : "sectors"}`},
            el("thead", {}, head), el("tbody", {}, rows), el("tfoot", {}, foot));
}

function drawGrid(site) {
  return el("figure", {}, gridCaption(site), gridLegend(site),
    el("div", {class: "scroll", tabindex: 0, role: "region",
               "aria-label": site.banked ? "Lanes by banks" : "Lanes by sectors"}, gridTable(site)));
}

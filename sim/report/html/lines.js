// The table of source lines: sortable by every column; each row opens the picture of its worst warp.
const columns = [
  {key: "place", name: "Line", value: (site) => (site.place ? site.place.file : "") ,
   then: (site) => (site.place ? site.place.line : 0),
   cell: (site) => [site.place ? placeLink(site.place, `${baseName(site.place.file)}:${site.place.line}`) : "unknown",
                    site.source ? el("code", {class: "quoted", title: quoted(site.source)}, quoted(site.source)) : null]},
  {key: "kernel", name: "Kernel", value: (site) => data.kernels[site.kernel].name,
   cell: (site) => breakable(data.kernels[site.kernel].name)},
  {key: "data", name: "Data", value: (site) => site.data, cell: (site) => breakable(site.data)},
  {key: "access", name: "Access", value: (site) => `${site.operation} ${site.banked}`, then: (site) => site.width,
   cell: (site) => [`${site.operation}, ${site.width} B`, el("small", {}, site.banked ? "scratch" : "global")]},
  {key: "requests", name: "Requests", number: true, value: (site) => site.requests,
   cell: (site) => number(site.requests)},
  {key: "cost", name: "Needed", number: true, value: (site) => site.cost,
   cell: (site) => [number(site.cost), el("small", {}, site.banked ? "wavefronts" : "sectors")]},
  {key: "ideal", name: "Ideal", number: true, value: (site) => site.ideal, cell: (site) => number(site.ideal)},
  {key: "excess", name: "Excess", number: true, value: (site) => site.cost - site.ideal,
   cell: (site) => number(site.cost - site.ideal)},
  {key: "times", name: "n-way", number: true, value: (site) => site.times,
   cell: (site) => (site.banked ? [number(site.times, 1), el("small", {}, "-way")]
                                : [number(site.times, 1), el("small", {}, " times")])},
  {key: "share", name: "Share", number: true, value: (site) => site.share, cell: (site) => percent(site.share)},
  {key: "worth", name: "Worth", number: true, value: (site) => site.worth, then: (site) => site.cost - site.ideal,
   cell: (site) => (site.gain ? el("span", {title: site.gain}, percent(site.worth)) : "—")},
  {key: "fix", name: "Fix", value: (site) => site.fix, cell: (site) => site.fix || "—"},
];

function compareBy(column, direction) {
  const order = (a, b) => (typeof a === "number" ? a - b : inOrder(a, b));
  return (a, b) => direction * (order(column.value(a.site), column.value(b.site)) ||
                                (column.then ? order(column.then(a.site), column.then(b.site)) : 0)) ||
                   a.index - b.index;
}

// One site: a tbody with its row and, once opened, the picture.
function siteRows(site, index) {
  const picture = el("tr", {class: "picture", id: `picture-${index}`, hidden: ""});
  const body = el("tbody", {class: "site", "data-index": index});
  let button = null;
  function toggle() {
    if (picture.childElementCount === 0) picture.append(el("td", {colspan: columns.length}, drawGrid(site)));
    picture.hidden = !picture.hidden;
    button.setAttribute("aria-expanded", String(!picture.hidden));
  }
  if (site.warp)
    button = el("button", {type: "button", class: "open", "aria-expanded": "false", "aria-controls": picture.id,
                           "aria-label": "Picture of the worst warp", title: "Picture of the worst warp",
                           onclick: toggle});
  body.append(
    el("tr", {}, columns.map((column, at) => el(at === 0 ? "th" : "td",
      {class: `${column.key}${column.number ? " number" : ""}`, scope: at === 0 ? "row" : null, "data-name": column.name},
      at === 0 ? el("div", {class: "line"}, button, el("div", {class: "at"}, column.cell(site))) : column.cell(site)))),
    picture);
  return {body, open: () => button !== null && toggle()};
}

function drawLines() {
  const part = section("lines");
  if (data.sites.length === 0) {
    part.hidden = true;
    document.querySelector('nav a[href="#lines"]').hidden = true;
    return;
  }
  // Rows are made when they are first shown.
  const rows = data.sites.map((site, index) => ({site, index, made: null}));
  const shown = (row) => (row.made = row.made || siteRows(row.site, row.index));
  const heads = columns.map((column) => el("th", {scope: "col", class: column.number ? "number" : null}));
  const table = el("table", {class: "lines"}, el("thead", {}, el("tr", {}, heads)));
  const first = data.sites.some((site) => site.gain) ? "worth" : "excess";
  let sorted = columns.findIndex((column) => column.key === first), direction = -1, limit = atFirst.lines;
  function sort() {
    heads.forEach((head, at) =>
      head.setAttribute("aria-sort", at !== sorted ? "none" : direction < 0 ? "descending" : "ascending"));
    rows.sort(compareBy(columns[sorted], direction));
    table.querySelectorAll(":scope > tbody").forEach((body) => body.remove());
    table.append(...rows.slice(0, limit).map((row) => shown(row).body));
  }
  columns.forEach((column, at) => heads[at].append(el("button", {type: "button", "data-key": column.key, onclick: () => {
    direction = sorted === at ? -direction : column.number ? -1 : 1;
    sorted = at;
    sort();
  }}, column.name)));
  sort();
  shown(rows[0]).open();
  fill(part, el("p", {class: "how"}, "Needed and ideal are wavefronts for scratch, sectors for global memory; their ratio is the ",
       "n-way: in a 32-way bank conflict, a bank has 32 words to give one after the other. Share is the line's part of " +
       "its kernel's wavefronts or sectors, worth what the fix may save of its kernel's modelled cost.",
       el("span", {class: "press"}, " Press a column's name to sort by it, ▸ to see what the worst warp did.")),
    el("div", {class: "scroll"}, table));
  if (rows.length <= limit) return;
  const more = moreButton(rows.length - limit, "lines", () => {
    limit = rows.length;
    sort();
    more.remove();
  });
  fill(part, more);
}

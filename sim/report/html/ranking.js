// Kernels by modelled cost: sortable by every column; a name leads to the kernel's own table.
const kernelId = (index) => `kernel-${index}`;

function timeText(seconds) {
  if (seconds < 1e-3) return `${number(seconds * 1e6, 1)} µs`;
  if (seconds < 1) return `${number(seconds * 1e3, 2)} ms`;
  return `${number(seconds, 2)} s`;
}

const rankingColumns = [
  {name: "Kernel", value: (kernel) => kernel.name,
   cell: (kernel, index) => el("a", {href: "#" + kernelId(index)}, breakable(kernel.name))},
  {name: "Share", number: true, value: (kernel) => kernel.cost.share, cell: (kernel) => percent(kernel.cost.share)},
  {name: "Launches", number: true, value: (kernel) => kernel.launches, cell: (kernel) => number(kernel.launches)},
  {name: "At least", number: true, value: (kernel) => kernel.cost.seconds, cell: (kernel) => timeText(kernel.cost.seconds)},
  {name: "Bound by", value: (kernel) => kernel.cost.bound, cell: (kernel) => kernel.cost.bound},
  {name: "Bytes moved", number: true, value: (kernel) => kernel.cost.moved, cell: (kernel) => number(kernel.cost.moved)},
  {name: "Active lanes", number: true, value: (kernel) => kernel.active,
   cell: (kernel) => [number(kernel.active, 1), el("small", {}, ` of ${kernel.width}`)]},
  {name: "Warps resident", number: true, value: (kernel) => (kernel.occupancy === null ? -1 : kernel.occupancy),
   cell: (kernel) => (kernel.occupancy === null ? "—" : percent(kernel.occupancy))},
];

function drawRanking() {
  if (!data.kernels.some((kernel) => kernel.cost)) return null;
  const rows = data.kernels.map((kernel, index) => ({kernel, index})).filter((row) => row.kernel.cost);
  const heads = rankingColumns.map((column) => el("th", {scope: "col", class: column.number ? "number" : null}));
  const body = el("tbody");
  let sorted = 1, direction = -1;
  function sort() {
    const value = rankingColumns[sorted].value;
    heads.forEach((head, at) =>
      head.setAttribute("aria-sort", at !== sorted ? "none" : direction < 0 ? "descending" : "ascending"));
    rows.sort((a, b) => {
      const [x, y] = [value(a.kernel), value(b.kernel)];
      return direction * (typeof x === "number" ? x - y : inOrder(x, y)) || a.index - b.index;
    });
    body.replaceChildren(...rows.map(({kernel, index}) => el("tr", {}, rankingColumns.map((column, at) =>
      el(at === 0 ? "th" : "td", {class: column.number ? "number" : null, scope: at === 0 ? "row" : null,
                                  "data-name": column.name},
         column.cell(kernel, index))))));
  }
  rankingColumns.forEach((column, at) => heads[at].append(el("button", {type: "button", onclick: () => {
    direction = sorted === at ? -direction : column.number ? -1 : 1;
    sorted = at;
    sort();
  }}, column.name)));
  sort();
  return [el("h3", {}, "Which kernel to look at first"),
    el("p", {class: "how"}, "A kernel takes at least the largest of: its wavefronts in scratch, its sectors at the memory's " +
       "full rate, its launches. Neither arithmetic nor latency nor caches are counted: it says where to look, not how long " +
       "it takes."),
    el("div", {class: "scroll"}, el("table", {class: "lines ranking"}, el("thead", {}, el("tr", {}, heads)), body))];
}

// The life of the word that a finding is about: lanes by barrier intervals, and below it every access in order.
const lifeKinds = {read: "shared", write: "conflict", "atomic read": "free", "atomic write": "free"};
const lifeLetters = {read: "R", write: "W", "atomic read": "AR", "atomic write": "AW"};
const lifeOrder = ["write", "atomic write", "atomic read", "read"];  // the strongest gives the colour

function lifeLegend() {
  return el("ul", {class: "legend"},
    [["conflict", "W writes"], ["shared", "R reads"], ["free", "AW, AR: atomic write, atomic read"],
     ["side", "an access of this finding"]].map(([kind, word]) =>
      el("li", {}, el("span", {class: `cell ${kind}`}), " ", word)));
}

const lifeText = (touch) =>
  `${touch.access}${touch.count > 1 ? ` ${number(touch.count)} times` : ""}, ${touch.bytes} bytes` +
  (touch.place ? `, ${touch.place.text}` : "");

function lifeCell(touches, lane, interval) {
  if (touches.length === 0) return el("td");
  const strongest = lifeOrder.find((access) => touches.some((touch) => touch.access === access));
  const side = touches.some((touch) => touch.side >= 0);
  return el("td", {class: `cell ${lifeKinds[strongest]}${side ? " side" : ""}`,
                   title: `${lane}, interval ${interval}: ${touches.map(lifeText).join("; ")}`},
    touches.map((touch) => lifeLetters[touch.access] + (touch.count > 1 ? `\u00d7${compact(touch.count)}` : "")).join(" "));
}

function lifeGrid(life) {
  const cells = life.lanes.map(() => new Map());
  for (const touch of life.touches) {
    const row = cells[touch.lane];
    row.set(touch.interval, [...(row.get(touch.interval) || []), touch]);
  }
  return el("table", {class: "grid life"},
    el("thead", {}, el("tr", {}, el("th", {class: "corner", scope: "col"}, "interval"),
      life.intervals.map((interval) => el("th", {scope: "col"}, String(interval))))),
    el("tbody", {}, life.lanes.map((lane, index) => el("tr", {}, el("th", {scope: "row"}, lane),
      life.intervals.map((interval) => lifeCell(cells[index].get(interval) || [], lane, interval))))));
}

function lifeTable(life) {
  return el("table", {class: "touches"},
    el("thead", {}, el("tr", {}, ["interval", "lane", "access", "place"].map((name) => el("th", {scope: "col"}, name)))),
    el("tbody", {}, life.touches.map((touch) => el("tr", {class: touch.side >= 0 ? "side" : null},
      el("td", {class: "number"}, String(touch.interval)),
      el("td", {class: "lane"}, life.lanes[touch.lane]),
      el("td", {}, touch.access, touch.count > 1 ? el("small", {}, ` ${number(touch.count)} times`) : null),
      el("td", {}, touch.place ? placeLink(touch.place) : "", " ",
         touch.source ? el("code", {}, quoted(touch.source)) : null)))));
}

function drawLife(life) {
  return el("figure", {class: "word-life"},
    el("figcaption", {}, "What lanes did to this word in that launch. A row is a lane, a column a barrier interval of " +
       "its team: no team barrier orders what stands in one column."),
    lifeLegend(),
    el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Lanes by barrier intervals"}, lifeGrid(life)),
    life.left_out > 0 ? el("p", {class: "how"}, `and ${number(life.left_out)} more accesses`) : null,
    el("details", {}, el("summary", {}, `All ${number(life.touches.length)} in order`),
       el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Every access"}, lifeTable(life))));
}

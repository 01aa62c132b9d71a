// Each kernel's requests and what they cost, beside what the least would be.
function trafficRow(row) {
  return el("tr", {},
    el("th", {scope: "row"}, `${row.banked ? "Scratch" : "Global"} ${row.name}`),
    el("td", {class: "number"}, number(row.requests)),
    el("td", {class: "number"}, number(row.cost), el("small", {}, row.banked ? " wavefronts" : " sectors")),
    el("td", {class: "number"}, number(row.ideal)),
    el("td", {class: "number"}, number(row.cost / row.requests, 1)),
    el("td", {}, el("meter", {min: 0, max: 1, value: row.cost === 0 ? 1 : row.ideal / row.cost,
                              title: "the ideal's part of what was needed"}),
       " ", row.cost === 0 ? "" : percent(row.ideal / row.cost)));
}

function byteBar(name, bytes, most, kind) {
  const bar = el("span", {class: `bar ${kind}`});
  bar.style.width = `${Math.max(0.5, 100 * bytes / most)}%`;
  return el("div", {class: "byte-bar"}, el("span", {class: "bar-name"}, name),
            el("span", {class: "bar-number"}, number(bytes)), el("span", {class: "bar-track"}, bar));
}

function drawBytes(bytes) {
  const most = Math.max(bytes.moved, bytes.ideal, bytes.asked);
  return el("div", {class: "bytes"}, el("h4", {}, "Bytes to and from global memory"),
    byteBar("moved", bytes.moved, most, "moved"),
    byteBar("if perfectly coalesced", bytes.ideal, most, "ideal"),
    byteBar("asked for by the lanes", bytes.asked, most, "asked"));
}

function drawKernel(kernel) {
  const names = ["Access", "Requests", "Needed", "Ideal", "Per request", "Efficiency"];
  return el("article", {class: "kernel"},
    el("h3", {}, kernel.name, el("small", {}, ` ${kernel.policy}  ${kernel.counted}`)),
    el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": `Requests of ${kernel.name}`},
       el("table", {class: "traffic"},
          el("thead", {}, el("tr", {}, names.map((name, index) =>
            el("th", {scope: "col", class: index > 0 && index < 5 ? "number" : null}, name)))),
          el("tbody", {}, kernel.rows.map(trafficRow)))),
    kernel.bytes ? drawBytes(kernel.bytes) : null);
}

function drawKernels() {
  const part = section("kernels");
  if (data.kernels.length === 0) {
    part.append(el("p", {}, "Nothing was counted: run with --check bank,coalesce to count what kernels ask of memory."));
    return;
  }
  part.append(
    el("p", {class: "how"}, "One instruction of one warp is a ", el("dfn", {}, "request"),
       ". Team scratch answers it in ", el("dfn", {}, "wavefronts"), ": passes in which each of its banks gives one " +
       "word. Global memory moves it in ", el("dfn", {}, "sectors"), ": the smallest pieces that can be moved. ",
       el("dfn", {}, "Ideal"), " is what the same request would need without bank conflicts, or with the lanes' bytes " +
       "side by side."),
    ...data.kernels.map(drawKernel));
}

// Each kernel's requests and what they cost, beside what the least would be.
function trafficRow(row) {
  const efficiency = row.cost === 0 ? 1 : row.ideal / row.cost;
  return el("tr", {},
    el("th", {scope: "row"}, `${row.banked ? "Scratch" : "Global"} ${row.name}`),
    el("td", {class: "number", "data-name": "Requests"}, number(row.requests)),
    el("td", {class: "number", "data-name": "Needed"}, number(row.cost)),
    el("td", {class: "unit"}, el("small", {}, row.banked ? "wavefronts" : "sectors")),
    el("td", {class: "number", "data-name": "Ideal"}, number(row.ideal)),
    el("td", {class: "number per-request"}, number(row.cost / row.requests, 1)),
    el("td", {class: "number", "data-name": "Efficiency", title: "the ideal's part of what was needed"}, percent(efficiency),
       el("meter", {min: 0, max: 1, value: efficiency, "aria-label": "efficiency"})));
}

function byteBar(name, about, bytes, most, kind) {
  const bar = el("span", {class: `bar ${kind}`});
  bar.style.width = `${Math.max(0.5, 100 * bytes / most)}%`;
  return el("div", {class: "byte-bar", title: about}, el("span", {class: "bar-name"}, name),
            el("span", {class: "bar-number"}, number(bytes)), el("span", {class: "bar-track"}, bar));
}

function drawBytes(bytes) {
  const most = Math.max(bytes.moved, bytes.ideal, bytes.asked);
  return el("div", {class: "bytes"}, el("h4", {}, "Bytes between the kernel and global memory"),
    byteBar("moved", "all sectors", bytes.moved, most, "moved"),
    byteBar("ideal", "the sectors, if the lanes' bytes lay side by side", bytes.ideal, most, "ideal"),
    byteBar("asked for", "what the lanes read and wrote, each for itself", bytes.asked, most, "asked"));
}

// What moves in each memory, where there is more than one.
function drawSpaces(spaces) {
  if (spaces.length < 2) return null;
  const heads = ["Memory", "Moved", "Ideal", "Asked for"];
  return el("table", {class: "traffic spaces"},
    el("thead", {}, el("tr", {}, heads.map((name, at) =>
      el("th", {scope: "col", class: at === 0 ? null : "number"}, name)))),
    el("tbody", {}, spaces.map(([name, ...bytes]) => el("tr", {}, el("th", {scope: "row"}, name),
      bytes.map((count, at) => el("td", {class: "number", "data-name": heads[at + 1]}, number(count)))))));
}

function drawKernel(kernel, index) {
  const heads = [["Access"], ["Requests", "number"], ["Needed", "number"], ["", "unit"], ["Ideal", "number"],
                 ["Per request", "number per-request"], ["Efficiency", "number"]];
  return el("article", {class: "kernel", id: kernelId(index)},
    el("h3", {}, kernel.name, el("small", {class: "words"}, `   ${kernel.policy}   ${kernel.counted}`)),
    el("div", {class: "side-by-side"},
       el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": `Requests of ${kernel.name}`},
          el("table", {class: "traffic"},
             el("thead", {}, el("tr", {}, heads.map(([name, kind]) => el("th", {scope: "col", class: kind}, name)))),
             el("tbody", {}, kernel.rows.map(trafficRow)))),
       kernel.bytes ? drawBytes(kernel.bytes) : null),
    drawSpaces(kernel.spaces || []),
    kernel.roof ? el("p", {class: "how"}, `Roof: ${kernel.roof}`) : null,
    kernel.about.map((line) => el("p", {class: "how"}, line)));
}

function drawKernels() {
  const part = section("kernels");
  if (data.kernels.length === 0) {
    fill(part, el("p", {}, "Nothing was counted: run with --check all,perf to count what kernels ask of memory."));
    return;
  }
  fill(part, el("p", {class: "how"}, "One instruction of one warp is a ", el("dfn", {}, "request"),
       ". Team scratch answers it in ", el("dfn", {}, "wavefronts"), ": passes in which each of its banks gives one " +
       "word. Global memory moves it in ", el("dfn", {}, "sectors"), ": the smallest pieces that can be moved. ",
       el("dfn", {}, "Ideal"), " is what the same request would need without bank conflicts, or with the lanes' bytes " +
       "side by side; efficiency is the ideal's part of what was needed."),
    drawRanking(),
    ...data.kernels.map(drawKernel));
}

// The sources, with how much each line costs beyond its ideal, and where findings are.
const context = 5;   // lines shown around a marked one
const worthFolding = 12;

const heatLevels = 5;
const hottest = {wavefronts: 0, sectors: 0};
for (const source of data.sources)
  for (const mark of source.marks)
    for (const unit of ["wavefronts", "sectors"]) hottest[unit] = Math.max(hottest[unit], mark[unit]);
const heatOf = (mark, unit) => (mark && mark[unit] > 0 ? Math.ceil(heatLevels * mark[unit] / hottest[unit]) : 0);

function heatCell(mark, unit) {
  const level = heatOf(mark, unit);
  if (level === 0) return el("td", {class: "heat"});
  return el("td", {class: `heat heat-${level}`, title: `${number(mark[unit])} ${unit} more than ideal`},
            `+${compact(mark[unit])}`);
}

function findingCell(mark) {
  const all = mark ? mark.findings : [];
  const links = all.slice(0, atFirst.marks).map((index) =>
    el("a", {href: `#finding-${index}`, class: `mark ${data.findings[index].severity}`,
             title: `${data.findings[index].rule}: ${data.findings[index].title}`,
             "aria-label": `finding ${index + 1}: ${data.findings[index].rule}`}, String(index + 1)));
  const rest = all.slice(atFirst.marks);
  return el("td", {class: "marks"}, links, rest.length === 0 ? null
    : el("a", {href: `#finding-${rest[0]}`, class: "mark", title: `findings ${rest.map((index) => index + 1).join(", ")}`},
         `+${number(rest.length)}`));
}

function sourceRow(file, units, marks, line, text) {
  const mark = marks.get(line);
  return el("tr", {id: mark ? lineId(file, line) : null, class: mark ? "marked" : null},
    findingCell(mark), units.map((unit) => heatCell(mark, unit)),
    el("td", {class: "line-number"}, String(line)), el("td", {class: "code"}, text));
}

// Consecutive lines as alternating [shown, lines] pieces: lines far from any mark are folded.
function pieces(run, marks) {
  const near = run.lines.map((_, at) => {
    const line = run.first + at;
    for (let i = line - context; i <= line + context; ++i) if (marks.has(i)) return true;
    return false;
  });
  const result = [];
  near.forEach((shown, at) => {
    if (result.length === 0 || result[result.length - 1].shown !== shown) result.push({shown, first: at, count: 0});
    ++result[result.length - 1].count;
  });
  return result.map((piece) => ({...piece, shown: piece.shown || piece.count < worthFolding}));
}

function runRows(file, units, marks, run) {
  const width = units.length + 3;
  const rowsOf = (piece) => run.lines.slice(piece.first, piece.first + piece.count)
    .map((text, at) => sourceRow(file, units, marks, run.first + piece.first + at, text));
  return pieces(run, marks).map((piece) => {
    if (piece.shown) return rowsOf(piece);
    const fold = el("tr", {class: "fold"});
    fold.append(el("td", {colspan: width}, el("button", {type: "button", onclick: () => fold.replaceWith(...rowsOf(piece))},
      `Show ${number(piece.count)} lines, ${run.first + piece.first} to ${run.first + piece.first + piece.count - 1}`)));
    return fold;
  });
}

function drawSource(source, file) {
  const marks = new Map(source.marks.map((mark) => [mark.line, mark]));
  const units = ["wavefronts", "sectors"].filter((unit) => source.marks.some((mark) => mark[unit] > 0));
  const sums = units.map((unit) => `+${number(source.marks.reduce((sum, mark) => sum + mark[unit], 0))} ${unit}`);
  const gap = () => el("tr", {class: "fold"}, el("td", {colspan: units.length + 3}, "⋯"));
  const head = el("tr", {}, el("th", {scope: "col"}, "finding"), units.map((unit) => el("th", {scope: "col"}, unit)),
                  el("th", {scope: "col"}, "line"), el("th", {scope: "col", class: "code"}, ""));
  return el("details", {class: "file", open: ""},
    el("summary", {}, el("h3", {}, source.file), sums.length > 0 ? el("small", {}, ` ${sums.join(", ")}`) : null),
    source.note ? el("p", {class: "note"}, source.note) : null,
    el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": `Source of ${source.file}`},
       el("table", {class: "source"}, el("thead", {}, head), el("tbody", {}, source.runs.map((run, at) =>
         [at > 0 ? gap() : null, runRows(file, units, marks, run)])))));
}

function drawSources() {
  const part = section("sources");
  if (data.sources.length === 0) {
    fill(part, el("p", {}, "No line of a source file is named in this report."));
    return;
  }
  if (hottest.wavefronts + hottest.sectors > 0)
    fill(part, el("p", {class: "how"}, "The gutter says how many wavefronts or sectors a line cost beyond its ideal; the " +
      "hotter, the nearer to the report's worst line: ",
      el("span", {class: "scale"}, [1, 2, 3, 4, 5].map((level) => el("span", {class: `heat-${level}`}))),
      ". Numbered marks lead to the findings."));
  fill(part, ...data.sources.map(drawSource));
}

// Findings, in the text report's words and order.
function quotedLine(place, source, caret) {
  if (!source) return null;
  const line = caret === null || caret === undefined
    ? [source]
    : [source.slice(0, caret), el("mark", {class: "caret"}, source.slice(caret, caret + 1)), source.slice(caret + 1)];
  return el("pre", {class: "quote"}, el("span", {class: "line-number"}, place ? String(place.line) : ""), line);
}

function sideFacts(side) {
  const where = side.place
    ? [placeLink(side.place), side.callers.map((caller) => ["   called from ", placeLink(caller)])]
    : [side.function ? `no source line known in ${side.function}: build with -g1` : ""];
  return fact(side.access, el("div", {class: "lane"}, side.lane), el("div", {class: "words"}, where),
              quotedLine(side.place, side.source, side.caret));
}

const drawnFindings = [];

// Findings of one cause stand under the first of them.
function sameCause(index) {
  const others = data.findings.map((found, at) => at).filter((at) => data.findings[at].cause === index);
  if (others.length === 0) return null;
  return el("details", {class: "same-cause"},
    el("summary", {}, others.length === 1 ? "1 more finding of this cause" : `${others.length} more findings of this cause`),
    others.map((at) => (drawnFindings[at] = drawFinding(data.findings[at], at))));
}

function drawFinding(found, index) {
  const heading = `finding-${index}-title`;
  return el("article", {class: `finding ${found.severity}`, id: `finding-${index}`, tabindex: -1, "aria-labelledby": heading},
    el("h3", {id: heading}, data.findings.length > 1 ? el("small", {class: "at-index"}, `${index + 1} `) : null,
       el("span", {class: `badge ${found.severity}`}, found.severity === "info" ? "note" : found.severity), " ",
       el("span", {class: "rule", title: found.about}, found.rule), " ", found.title),
    el("dl", {class: "facts"},
       fact("Kernel", el("div", {class: "words"}, found.kernel)),
       found.data ? fact("Data", found.data, found.obtained ? `, ${found.obtained}` : "") : null,
       found.sides.map(sideFacts),
       found.message ? fact("Message", el("div", {class: "message"}, found.message)) : null,
       found.why.length > 0 ? fact("Why", found.why.map((why) => el("div", {}, why))) : null,
       found.fix ? fact("Fix", el("strong", {}, found.fix)) : null,
       found.gain ? fact("Gain", found.gain) : null,
       fact("Count", found.count),
       found.tests ? fact("Tests", found.tests) : null,
       found.life ? fact("Word", drawLife(found.life)) : null,
       found.rerun ? fact("Rerun", el("code", {class: "copy"}, found.rerun)) : null,
       fact("Id", found.id)),
    sameCause(index));
}

const findingLink = (at) =>
  el("a", {href: `#finding-${at}`, class: `mark ${data.findings[at].severity}`, title: data.findings[at].title,
           "aria-label": `finding ${at + 1}: ${data.findings[at].rule}`}, String(at + 1));

// Of reports that were put together: what each test found. Tests without findings are counted.
function drawTests() {
  const found = data.tests.filter((test) => test.findings.length > 0);
  if (found.length === 0) return null;
  const clean = data.tests.length - found.length;
  const ofRanks = found.some((test) => test.ranks !== "");
  return el("details", {class: "index by-test"}, el("summary", {}, `By test (${number(found.length)} with findings)`),
    el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Findings by test"},
       el("table", {}, el("thead", {}, el("tr", {}, ["Test", ofRanks && "Ranks", "Findings"].filter(Boolean)
            .map((name) => el("th", {scope: "col"}, name)))),
          el("tbody", {}, found.sort((a, b) => inOrder(a.test, b.test)).map((test) => el("tr", {},
            el("th", {scope: "row"}, breakable(test.test)), ofRanks ? el("td", {}, test.ranks.replace(/^ranks? /, "")) : null,
            el("td", {class: "marks"}, test.findings.filter((at) => at < data.findings.length).map((at) => [findingLink(at), " "]))))))),
    clean === 0 ? null : el("p", {class: "how"}, `${number(clean)} ${clean === 1 ? "test" : "tests"} without findings`));
}

// What was found and left out: listed, folded, never gone.
function drawKnown() {
  if (data.known.length === 0) return null;
  return el("details", {class: "index known"}, el("summary", {}, `Known, left out (${number(data.known.length)})`),
    el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Findings that were left out"},
       el("table", {}, el("thead", {}, el("tr", {}, ["Severity", "Finding", "Kernel", "Place", "Left out by"].map((name) =>
         el("th", {scope: "col"}, name)))), el("tbody", {}, data.known.map((one) => el("tr", {},
           el("td", {}, el("span", {class: `badge ${one.severity}`}, one.severity === "info" ? "note" : one.severity)),
           el("th", {scope: "row"}, el("span", {class: "rule"}, one.rule), " ", one.title, el("small", {}, ` ${one.id}`)),
           el("td", {}, breakable(one.kernel || hostCode)), el("td", {}, one.place ? placeLink(one.place) : ""),
           el("td", {}, el("span", {class: "place"}, one.where))))))));
}

// All of them are in the page, so that the browser finds what is looked for; folded ones it unfolds by itself.
function drawFindings() {
  const part = section("findings");
  if (data.findings.length === 0) fill(part, el("p", {}, "Nothing was found."));
  data.findings.forEach((found, at) => { if (found.cause === null) drawnFindings[at] = drawFinding(found, at); });
  if (data.findings.length > 1) fill(part, drawFilters(drawnFindings));
  fill(part, drawTests(), drawKnown());
  fill(part, drawnFindings.filter((_, at) => data.findings[at].cause === null));
}

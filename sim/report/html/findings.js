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
    el("h3", {id: heading},
       el("span", {class: `badge ${found.severity}`}, found.severity === "info" ? "note" : found.severity), " ",
       el("span", {class: "rule", title: found.about}, found.rule), " ", found.title),
    el("dl", {class: "facts"},
       fact("Kernel", el("div", {class: "words"}, found.kernel)),
       found.data ? fact("Data", found.data, found.obtained ? `, ${found.obtained}` : "") : null,
       found.sides.map(sideFacts),
       found.message ? fact("Message", el("div", {class: "message"}, found.message)) : null,
       found.why.length > 0 ? fact("Why", found.why.map((why) => el("div", {}, why))) : null,
       found.fix ? fact("Fix", el("strong", {}, found.fix)) : null,
       fact("Count", found.count),
       found.life ? fact("Word", drawLife(found.life)) : null,
       found.rerun ? fact("Rerun", el("code", {class: "copy"}, found.rerun)) : null,
       fact("Id", found.id)),
    sameCause(index));
}

// All of them are in the page, so that the browser finds what is looked for; folded ones it unfolds by itself.
function drawFindings() {
  const part = section("findings");
  if (data.findings.length === 0) fill(part, el("p", {}, "Nothing was found."));
  data.findings.forEach((found, at) => { if (found.cause === null) drawnFindings[at] = drawFinding(found, at); });
  if (data.findings.length > 1) fill(part, drawFilters(drawnFindings));
  fill(part, drawnFindings.filter((_, at) => data.findings[at].cause === null));
}

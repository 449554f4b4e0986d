// Builds the editor into one file of the package, and puts the licences of what is in
// it beside it. The folder to write into may be given: a check compares.

import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? join(here, "../../prompts_app/static/prompts_app");

const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: ["src/editor.js"],
  outfile: join(target, "editor.js"),
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  charset: "utf8",
  legalComments: "none",
  metafile: true,
});

const packages = Object.values(metafile.outputs)
  .flatMap(({ inputs }) => Object.entries(inputs))
  .filter(([, { bytesInOutput }]) => bytesInOutput)
  .map(([path]) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1])
  .filter(Boolean);
const licences = [...new Set(packages)].sort().map((name) => {
  const folder = join(here, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, "LICENSE"), "utf8").trim()}\n`;
});
const head = "editor.js holds parts of these packages.\n";
writeFileSync(join(target, "editor.licences.txt"), [head, ...licences].join(`\n${"-".repeat(72)}\n\n`));

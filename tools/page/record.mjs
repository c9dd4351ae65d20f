// Notes which sources the built page was made of, and what was made, so that a test can tell without Node.js.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

const HERE = import.meta.dirname;
const BUILT = join(HERE, "../../functions/page/built");
const RECORD = "record.json";

/** SHA-256 of every file below a folder by its path, sorted. */
function hashes(folder, within = folder) {
  const found = {};
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (name === "node_modules" || name === RECORD) continue;
    if (statSync(path).isDirectory()) Object.assign(found, hashes(path, within));
    else found[relative(within, path).replaceAll("\\", "/")] = createHash("sha256").update(readFileSync(path)).digest("hex");
  }
  return found;
}

writeFileSync(join(BUILT, RECORD), JSON.stringify({ sources: hashes(HERE), built: hashes(BUILT) }, null, 1) + "\n");

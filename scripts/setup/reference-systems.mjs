import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { node24 } from './modules.mjs';
import { root, run } from './step.mjs';

/** Reference systems that are newer than those of the system's PROJ: docs/decisions/0092. */
export const additions = join(root, 'seeds', 'reference-systems', 'additions.jsonl');
/** Folder of the database with them, `proj.db`, and of the record of how it was made, `made-of.json`. */
export const folder = join(root, 'node_modules', '.reference-systems');

export function referenceSystemsAreThere() {
  try {
    const record = JSON.parse(readFileSync(join(folder, 'made-of.json'), 'utf8'));
    const { size, mtimeMs } = statSync(record.base.path);
    const isOfBase = record.base.size === size && record.base.mtimeMs === mtimeMs;
    return (isOfBase && record.additions === digestOf(readFileSync(additions))) || !isWritable();
  } catch {
    return !isWritable();
  }
}

/** False in an image that is read-only; the engine then uses the system's database, and says so. */
function isWritable() {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

export function digestOf(content) {
  return createHash('sha256').update(content).digest('hex');
}

export async function addReferenceSystems(context) {
  const program = join(root, 'scripts', 'setup', 'add-reference-systems.mjs');
  await run(node24, [program], {
    remedy: 'npm ci --ignore-scripts, then run the same command again.',
    context,
  });
}

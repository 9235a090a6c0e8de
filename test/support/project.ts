import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the project, with a slash at its end. */
export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/** Reads a file of the project as text; `path` is relative to the root. */
export function readProjectFile(path: string): string {
  return readFileSync(join(projectRoot, path), 'utf8');
}

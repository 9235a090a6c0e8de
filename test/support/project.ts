import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { homedir } from 'node:os';

/** The root of the project, with a slash at its end. */
export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/** Reads a file of the project as text; `path` is relative to the root. */
export function readProjectFile(path: string): string {
  return readFileSync(join(projectRoot, path), 'utf8');
}

/** Returns a path in the folder for what takes long to make, and is made once for all clones; set-up uses the same. */
export function cachePath(name: string): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'steppe', name);
}

/** Lists the environment variables that the service reads, as its configuration has them. */
export function settingNames(): readonly string[] {
  const [, schema = ''] = readProjectFile('src/config.ts').split('\nconst Environment = z.object({\n');
  const names = [...(schema.split('\n});', 1)[0] ?? '').matchAll(/^ {2}([A-Z_]+): /gm)];
  return names.map(([, name = '']) => name);
}

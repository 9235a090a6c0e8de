import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { homedir } from 'node:os';

/** Root of the project, with a trailing slash. */
export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Reads a file of the project as text.
 * @param path relative to the root
 */
export function readProjectFile(path: string): string {
  return readFileSync(join(projectRoot, path), 'utf8');
}

/** Returns a path in the cache for what takes long to make and is made once for all clones; set-up uses the same folder. */
export function cachePath(name: string): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'steppe', name);
}

/** Lists the environment variables that the configuration of the service reads. */
export function settingNames(): readonly string[] {
  const [, schema = ''] = readProjectFile('src/config.ts').split('\nconst Environment = z.object({\n');
  const names = [...(schema.split('\n});', 1)[0] ?? '').matchAll(/^ {2}([A-Z_]+): /gm)];
  return names.map(([, name = '']) => name);
}

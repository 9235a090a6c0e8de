import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns a path in the folder for what takes long to make, and is made once for all clones; set-up uses the same. */
export function cachePath(name: string): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'steppe', name);
}

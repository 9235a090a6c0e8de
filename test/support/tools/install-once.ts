import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** File that marks a completely installed folder. */
const mark = 'installed';

/**
 * Installs into a folder of the cache unless that is done. Of several processes one installs, and the others wait.
 * @param lines of sh, which start without the folder and stop at the first failure; `$folder` is the folder, `$@` are `args`
 * @returns the exit status; 0 when everything is installed
 */
export function installOnce(folder: string, lines: string, args: readonly string[]): number | null {
  if (existsSync(join(folder, mark))) return 0;
  mkdirSync(dirname(folder), { recursive: true });
  const script = `set -e
    folder=$0
    if test -e "$folder/${mark}"; then exit; fi
    rm -rf "$folder"
    ${lines}
    touch "$folder/${mark}"`;
  const command = [`${folder}.lock`, 'sh', '-c', script, folder, ...args];
  return spawnSync('flock', command, { stdio: 'inherit' }).status;
}

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file in a folder in which all is installed. */
const mark = 'installed';

/**
 * Installs into a folder of the cache, unless that has been done. Of several processes that want the same folder one installs, while the others wait.
 * @param lines of sh, which begin without the folder and end at the first that fails; `$folder` is the folder, `$@` are `args`.
 * @returns the exit status: 0 when all is installed
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

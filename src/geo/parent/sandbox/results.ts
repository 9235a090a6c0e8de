import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { EngineDied } from '../../engine.ts';

/**
 * Returns the path, without links, of a result that a child names: a regular file inside its own folder. A child that a
 * hostile file has taken over could name any file of the machine, or leave a link to one, and have it served.
 * @param folder where the child was allowed to write; nothing writes there any more.
 * @throws {EngineDied} when it is anything else.
 */
export async function ownResult(folder: string, path: string): Promise<string> {
  const real = await realpath(resolve(folder, path)).catch(() => undefined);
  const inside = real === undefined ? '..' : relative(await realpath(folder), real);
  const isInside = inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`);
  if (real === undefined || !isInside || !(await lstat(real)).isFile()) {
    throw new EngineDied('the geo engine names a result that is no file of its own folder');
  }
  return real;
}

/** Tells whether a file in these folders has reached the limit of its size: the kernel writes not a byte more. */
export async function exceedsFileLimit(folders: readonly string[], fileBytes: number): Promise<boolean> {
  for (const folder of folders) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && (await stat(path)).size >= fileBytes) return true;
    }
  }
  return false;
}

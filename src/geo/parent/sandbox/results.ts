import { lstat, realpath } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { EngineDied } from '../../engine.ts';

/**
 * A file that a child says it has written: a regular one inside its own folder. A child that a hostile file has taken
 * over could name any file of the machine, or leave a link to one, and have it served.
 * @param folder where the child was allowed to write; nothing writes there any more.
 * @returns the path without links.
 * @throws {EngineDied} when it is anything else.
 */
export async function ownResult(folder: string, path: string): Promise<string> {
  const real = await realpath(resolve(folder, path)).catch(() => undefined);
  const inside = real === undefined ? '../..' : relative(await realpath(folder), real);
  const isInside = inside !== '' && inside !== '../..' && !inside.startsWith(`../..${sep}`);
  if (real === undefined || !isInside || !(await lstat(real)).isFile()) {
    throw new EngineDied('the geo engine names a result that is no file of its own folder');
  }
  return real;
}

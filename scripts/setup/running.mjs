import { readFileSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';

/**
 * Lists the processes whose program is in a folder, as far as this user can see them, except for this process and its ancestors.
 * @returns {{ id: number, command: string }[]}
 */
export function runningFrom(folder) {
  const inside = `${realpathIfThere(folder)}/`;
  const own = withAncestors(process.pid);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && !own.has(Number(name)))
    .filter((name) => attempt(() => readlinkSync(`/proc/${name}/exe`))?.startsWith(inside))
    .map((name) => ({ id: Number(name), command: commandOf(name) }));
}

function realpathIfThere(folder) {
  return attempt(() => realpathSync(folder)) ?? folder;
}

function commandOf(id) {
  const command = attempt(() => readFileSync(`/proc/${id}/cmdline`, 'utf8')) ?? '';
  return command.split('\0').join(' ').trim().slice(0, 200);
}

function withAncestors(id) {
  const found = new Set();
  for (let next = id; next > 0 && !found.has(next); next = parentOf(next)) found.add(next);
  return found;
}

function parentOf(id) {
  const status = attempt(() => readFileSync(`/proc/${id}/status`, 'utf8')) ?? '';
  return Number(/^PPid:\s*(\d+)/m.exec(status)?.[1] ?? 0);
}

/** Returns undefined for a process that has ended, or belongs to another user. */
function attempt(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}

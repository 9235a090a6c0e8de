import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { descendantsOf, failedWith } from '../../support/processes.ts';

/** Calls `look` repeatedly until the returned function is called. */
function keepLooking(look: () => Promise<void>, everyMs: number): () => Promise<void> {
  const stopping = new AbortController();
  const watching = (async () => {
    for (; !stopping.signal.aborted; await sleep(everyMs)) await look();
  })();
  return async () => {
    stopping.abort();
    await watching;
  };
}

/** Names and values, as the kernel shows them to other processes. */
export type EnvironmentOfChild = Readonly<Record<string, string>>;

/** Watches the children of the geo engine from outside until `stop`. */
export function watchChildren(workerPid: number): { stop(): Promise<readonly EnvironmentOfChild[]> } {
  const seen = new Map<number, EnvironmentOfChild>();
  const stop = keepLooking(async () => {
    for (const { pid } of await enginesOf(workerPid)) {
      // Until a child executes GDAL's program, it is a copy of its parent.
      const environment = await environmentOf(pid);
      if (environment !== undefined) seen.set(pid, environment);
    }
  }, 100);
  return { stop: async () => await stop().then(() => [...seen.values()]) };
}

/** The children of the geo engine and their isolation. */
export async function enginesOf(workerPid: number) {
  return (await descendantsOf(workerPid)).filter(({ commandLine }) =>
    commandLine.endsWith('src/geo/child/main.ts'),
  );
}

async function environmentOf(pid: number): Promise<EnvironmentOfChild | undefined> {
  const text = await unlessGone(readFile(`/proc/${pid}/environ`, 'utf8'), '');
  const entries = text.split('\0').filter((entry) => entry !== '');
  return entries.length === 0 ? undefined : Object.fromEntries(entries.map(pairOf));
}

function pairOf(entry: string): [name: string, value: string] {
  const at = entry.indexOf('=');
  return [entry.slice(0, at), entry.slice(at + 1)];
}

/** Measures the disk use of folders repeatedly until `stop`, which returns the maximum. */
export function watchDiskUse(folders: readonly string[]): { stop(): Promise<number> } {
  let most = 0;
  const stop = keepLooking(async () => {
    let sum = 0;
    for (const folder of folders) sum += await bytesIn(folder);
    most = Math.max(most, sum);
  }, 500);
  return { stop: async () => await stop().then(() => most) };
}

async function bytesIn(folder: string): Promise<number> {
  let sum = 0;
  for (const entry of await unlessGone(readdir(folder, { recursive: true, withFileTypes: true }), [])) {
    const found = await unlessGone(stat(join(entry.parentPath, entry.name)), undefined);
    sum += (found?.blocks ?? 0) * 512;
  }
  return sum;
}

/** Ignores files and processes that disappear during an inspection. */
async function unlessGone<T, G>(looking: Promise<T>, gone: G): Promise<T | G> {
  try {
    return await looking;
  } catch (error) {
    if (failedWith(error, 'ENOENT', 'ENOTDIR', 'ESRCH')) return gone;
    throw error;
  }
}

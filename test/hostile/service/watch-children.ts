import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { descendantsOf, failedWith } from '../../support/processes.ts';

const lookEveryMs = 100;

/** Names and values, as the kernel shows them to others. */
export type EnvironmentOfChild = Readonly<Record<string, string>>;

/** Looks at the children of the geo engine from outside until `stop`. */
export function watchChildren(workerPid: number): { stop(): Promise<readonly EnvironmentOfChild[]> } {
  const seen = new Map<number, EnvironmentOfChild>();
  const stopping = new AbortController();
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      for (const { pid } of await enginesOf(workerPid)) {
        // Until a child has begun to run GDAL's program, it is still a copy of its parent.
        const environment = await environmentOf(pid);
        if (environment !== undefined) seen.set(pid, environment);
      }
      await sleep(lookEveryMs);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await watching;
      return [...seen.values()];
    },
  };
}

/** The children of the geo engine, and what isolates them. */
export async function enginesOf(workerPid: number) {
  return (await descendantsOf(workerPid)).filter(({ commandLine }) =>
    commandLine.endsWith('src/geo/child/main.ts'),
  );
}

async function environmentOf(pid: number): Promise<EnvironmentOfChild | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/environ`, 'utf8');
    const entries = text.split('\0').filter((entry) => entry !== '');
    return entries.length === 0 ? undefined : Object.fromEntries(entries.map(pairOf));
  } catch (error) {
    if (failedWith(error, 'ENOENT', 'ESRCH')) return undefined;
    throw error;
  }
}

function pairOf(entry: string): [name: string, value: string] {
  const at = entry.indexOf('=');
  return [entry.slice(0, at), entry.slice(at + 1)];
}

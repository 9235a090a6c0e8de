import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isMissing } from '../../lib/error-facts.ts';

/** Identifies a process: the machine, the process id and its start, since ids are reused. */
const folderName = /^(?<host>.+)-(?<pid>\d+)-(?<start>\d+)$/;

/** The scratch folders of the steps of this process. */
export interface StepScratch {
  /** Creates an empty folder; disposing removes it. */
  makeFolder(): Promise<{ readonly path: string } & AsyncDisposable>;
  /** Removes the folders of ended processes of this machine; returns their number. */
  sweep(): Promise<number>;
  close(): Promise<void>;
}

/** Opens the scratch folders. @param root exists, and may be shared with other workers. */
export async function openStepScratch(root: string): Promise<StepScratch> {
  const parent = join(root, 'spread');
  const host = hostname();
  const own = join(parent, `${host}-${process.pid}-${(await startOf(process.pid)) ?? 0}`);
  await mkdir(own, { recursive: true, mode: 0o700 });
  const remove = async (path: string) => await rm(path, { recursive: true, force: true, maxRetries: 3 });
  return {
    async makeFolder() {
      const path = join(own, randomUUID());
      await mkdir(path, { mode: 0o700 });
      return { path, [Symbol.asyncDispose]: async () => await remove(path) };
    },
    async sweep() {
      let removed = 0;
      for (const name of await readdir(parent)) {
        const { host: madeOn, pid, start } = folderName.exec(name)?.groups ?? {};
        if (madeOn !== host || (await startOf(Number(pid))) === Number(start)) continue;
        if (join(parent, name) === own) continue;
        await remove(join(parent, name));
        removed += 1;
      }
      return removed;
    },
    close: async () => await remove(own),
  };
}

/** Returns the start of a process of this machine in ticks since boot; undefined when it does not exist. */
async function startOf(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  // The name of the program, in brackets, may contain any character.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields === undefined ? undefined : Number(fields[19]);
}

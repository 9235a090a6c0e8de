import { access, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../test/support/processes.ts';

/** Where a machine with both versions of control groups, or with the second alone, has the second. */
const roots = ['/sys/fs/cgroup/unified', '/sys/fs/cgroup'] as const;

/**
 * Opens a control group that counts the processor time of processes and of all that they start, wherever that ends: a child in a sandbox
 * is not waited for by who started it, so that its time is lost in `/proc`. Needs root.
 * @param name unique on this machine.
 */
export async function openAccount(name: string) {
  const folder = join(await findRoot(), name);
  await mkdir(folder);
  return {
    /** Counts a process, and what it starts from now on. */
    add: async (pid: number) => await writeFile(join(folder, 'cgroup.procs'), String(pid)),
    /** Seconds of processor time of user and system so far. */
    async seconds(): Promise<number> {
      const [, microseconds] =
        /^usage_usec (\d+)$/m.exec(await readFile(join(folder, 'cpu.stat'), 'utf8')) ?? [];
      if (microseconds === undefined)
        throw new Error('this kernel does not count the processor time of groups');
      return Number(microseconds) / 1e6;
    },
    /** Once all processes have ended. */
    async [Symbol.asyncDispose]() {
      await eventually(
        `all processes of ${name} have ended`,
        async () =>
          await rmdir(folder).then(
            () => true,
            () => false,
          ),
      );
    },
  };
}

async function findRoot(): Promise<string> {
  for (const root of roots) {
    const isThere = await access(join(root, 'cgroup.controllers')).then(
      () => true,
      () => false,
    );
    if (isThere) return root;
  }
  throw new Error('this machine has no second version of control groups');
}

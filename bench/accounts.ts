import { access, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../test/support/processes.ts';

/** Mount points of cgroup v2: beside cgroup v1, or alone. */
const roots = ['/sys/fs/cgroup/unified', '/sys/fs/cgroup'] as const;

/**
 * Opens a control group that measures the processor time of processes and all their descendants. In `/proc`, the time of a sandboxed
 * child process that its parent does not wait for is lost. Needs root.
 * @param name unique on this machine.
 */
export async function openAccount(name: string) {
  const folder = join(await findRoot(), name);
  await mkdir(folder);
  return {
    /** Adds a process; its future child processes are included. */
    add: async (pid: number) => await writeFile(join(folder, 'cgroup.procs'), String(pid)),
    /** Returns the processor time of user and system so far, in seconds. */
    async seconds(): Promise<number> {
      const [, microseconds] =
        /^usage_usec (\d+)$/m.exec(await readFile(join(folder, 'cpu.stat'), 'utf8')) ?? [];
      if (microseconds === undefined)
        throw new Error('this kernel does not count the processor time of groups');
      return Number(microseconds) / 1e6;
    },
    /** Removes the group; all processes must have ended. */
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

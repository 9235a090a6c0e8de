import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemPath } from './environment.ts';

const names = ['setpriv', 'prlimit', 'bwrap', 'unshare', 'timeout'] as const;

/** Absolute paths of the system's tools that confine a child; absent where the system has none. */
export interface Tools extends Readonly<Partial<Record<(typeof names)[number], string | undefined>>> {
  /** True when this bubblewrap can keep children from making namespaces of their own, as it can since 0.8. */
  readonly bwrapForbidsNamespaces: boolean;
}

export const noTools: Tools = { bwrapForbidsNamespaces: false };

/** Finds tools of util-linux, bubblewrap and coreutils. */
export async function findTools(): Promise<Tools> {
  const found = await Promise.all(names.map(async (name) => [name, await findTool(name)] as const));
  const tools: Tools = { ...noTools, ...Object.fromEntries(found) };
  return { ...tools, bwrapForbidsNamespaces: await knows(tools.bwrap, '--disable-userns') };
}

async function knows(tool: string | undefined, option: string): Promise<boolean> {
  if (tool === undefined) return false;
  const help = promisify(execFile)(tool, ['--help'], { env: {} });
  return await help.then(
    ({ stdout }) => stdout.includes(option),
    () => false,
  );
}

/** Returns the absolute path of a program of the system. */
export async function findTool(name: string): Promise<string | undefined> {
  for (const folder of systemPath.split(':')) {
    const path = join(folder, name);
    const isExecutable = access(path, constants.X_OK).then(() => true);
    if (await isExecutable.catch(() => false)) return path;
  }
  return undefined;
}

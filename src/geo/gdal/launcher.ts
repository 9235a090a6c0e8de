import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { GiB, MiB } from '../../units.ts';
import { systemPath } from './environment.ts';

/** Absolute paths of the system tools that narrow a child's life; absent where the system has none. */
export interface Tools {
  readonly setpriv: string | undefined;
  readonly prlimit: string | undefined;
}

/** Looks for the tools of util-linux; on other systems there are none and children run without them. */
export async function findTools(): Promise<Tools> {
  if (process.platform !== 'linux') return { setpriv: undefined, prlimit: undefined };
  return { setpriv: await findTool('setpriv'), prlimit: await findTool('prlimit') };
}

async function findTool(name: string): Promise<string | undefined> {
  for (const folder of systemPath.split(':')) {
    const path = join(folder, name);
    try {
      await access(path, constants.X_OK);
      return path;
    } catch {
      continue;
    }
  }
  return undefined;
}

/** A Node process maps this much address space before it has done anything. */
const nodeAddressSpaceBytes = 2 * GiB;

/**
 * The command line of a child. Every tool replaces itself by the next, so that the process that starts is the one that
 * answers: setpriv has the kernel kill it when the parent dies, prlimit bounds its memory and forbids core files.
 */
export function childCommand(options: {
  readonly tools: Tools;
  readonly node: string;
  readonly entry: string;
  readonly memoryBytes: number | undefined;
}): readonly [command: string, ...args: string[]] {
  const { tools, memoryBytes } = options;
  const heap = memoryBytes === undefined ? [] : [`--max-old-space-size=${Math.floor(memoryBytes / MiB)}`];
  const node = [options.node, ...heap, options.entry];
  const limits = memoryBytes === undefined ? [] : [`--as=${memoryBytes + nodeAddressSpaceBytes}`];
  const limited = tools.prlimit === undefined ? node : [tools.prlimit, '--core=0', ...limits, '--', ...node];
  const [command = options.node, ...args] =
    tools.setpriv === undefined ? limited : [tools.setpriv, '--pdeathsig', 'KILL', '--', ...limited];
  return [command, ...args];
}

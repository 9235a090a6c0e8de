import { type Isolation, isolationArguments, type Reach } from './isolation.ts';
import { type Ceilings, heapArguments, limitArguments, type Limits } from './limits.ts';
import type { Layer } from '../../layers.ts';
import type { Tools } from './tools.ts';

export interface ChildProgram {
  readonly tools: Tools;
  /** The limits of the process that starts it. */
  readonly ceilings: Ceilings;
  readonly isolation: Isolation;
  readonly reach: Reach;
  /** Absent where a test wants none. */
  readonly limits: Limits | undefined;
  /** Empty but in tests. */
  readonly withoutLayers: readonly Layer[];
}

/**
 * Returns the command line of a child. Every tool replaces itself by the next or ends with it: setpriv has the kernel kill the
 * child when its parent dies, prlimit bounds what it uses, and what isolates it comes last.
 * @throws {Error} when the system lacks the tools for the isolation.
 */
export function childCommand({
  tools,
  ceilings,
  isolation,
  reach,
  limits,
  withoutLayers,
}: ChildProgram): readonly [command: string, ...args: string[]] {
  const isolated = isolationArguments(isolation, tools, reach);
  if (isolated === undefined) throw new Error(`the tools for ${isolation} are not installed`);
  const { setpriv, prlimit } = tools;
  // bubblewrap gives up privileges by itself, and unshare needs what it is given.
  const privileges = isolation === 'none' ? ['--no-new-privs'] : [];
  const node = [process.execPath, ...heapArguments(limits ?? {}), reach.entry];
  const whole = [
    ...(setpriv === undefined ? [] : [setpriv, '--pdeathsig', 'KILL', ...privileges, '--']),
    ...(prlimit === undefined || limits === undefined
      ? []
      : [prlimit, ...limitArguments(limits, ceilings), '--']),
    ...isolated,
    ...node,
    ...(withoutLayers.length === 0 ? [] : [withoutLayers.join()]),
  ];
  return [whole[0] ?? process.execPath, ...whole.slice(1)];
}

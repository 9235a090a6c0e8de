import type { Logger } from 'pino';
import { reasonOf } from '../../lib/error-facts.ts';
import { openEngineChildren } from '../../runtime/engines.ts';
import type { Config } from '../../config.ts';
import { type Finding, sizeOf } from './finding.ts';

type Children = Awaited<ReturnType<typeof openEngineChildren>>;

const meanings: Readonly<Record<Children['isolation'], string>> = {
  bubblewrap: 'children see their own file and installed programs, but no other file, process or network',
  namespaces: 'children see no network and no other process, but every file of this account',
  none: 'children can do what this account can, within their limits',
};

/** Starts a child of the geo engine as the worker would. */
export async function examineEngine(config: Config, log: Logger): Promise<readonly Finding[]> {
  let children: Children;
  try {
    children = await openEngineChildren(config, log);
  } catch (error) {
    return [{ title: 'GDAL', lines: [`cannot be used: ${reasonOf(error)}`], isFault: true }];
  }
  const { version, drivers, isolation } = children;
  return [
    {
      title: 'GDAL',
      lines: [`${version.replace('GDAL ', '')}, ${drivers.used} of its ${drivers.registered} drivers in use`],
    },
    {
      title: 'Isolation',
      lines: [`${isolation}: ${meanings[isolation]}`, ...linesOfAdvice(children)],
    },
    { title: 'Limits', lines: [limitsOf(children)] },
  ];
}

function linesOfAdvice({ advice }: Children): readonly string[] {
  if (advice === undefined) return [];
  const { obstacle, remedy } = advice;
  return [`${obstacle}; this strengthens it:`, remedy];
}

function limitsOf({ isLimited, memoryBytes, deadlineSeconds }: Children): string {
  const memory = isLimited
    ? `${sizeOf(memoryBytes)} of memory`
    : 'any amount of memory, because there is no prlimit (util-linux),';
  return `a child may use ${memory} and take ${deadlineSeconds} s`;
}

import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { checkComponents } from '../runtime/components.ts';
import { isOwned, readNote } from '../runtime/data-dir.ts';
import { type CommandContext, defineCommand } from './command.ts';
import {
  examineAccess,
  examineBucket,
  examineNats,
  examineWorkflowEngine,
  examineAddress,
} from './doctor/network.ts';
import { examineDatabase } from './doctor/database.ts';
import { type Finding, tableOf, sizeOf } from './doctor/finding.ts';
import { examineFolder } from './doctor/folder.ts';
import { reasonOf } from '../lib/error-facts.ts';
import { openEngineChildren } from '../runtime/engines.ts';
import type { Config } from '../config.ts';

/** Prints the state of this installation, with or without a running service. Exit code 1 if it cannot work. */
export const doctor = defineCommand({
  name: 'doctor',
  summary: 'say how well this installation stands',
  usage: `Usage: ./steppe doctor

Says how well this installation stands, and what would isolate uploads better. Changes nothing; ends with 1 when the
service cannot work as it is set up.`,
  isQuiet: true,
  options: {},
  run: async (context) => await examine(context),
});

/** Starts only a child of the geo engine, and changes nothing. */
async function examine({ config, log }: CommandContext): Promise<number> {
  checkComponents(config, 'serve');
  const { dataDir, objectStoreUrl, messageQueueUrl, workflowEngineUrl } = config;
  const service = await findService(dataDir);
  const data = await examineFolder('Data', dataDir);
  const findings: readonly Finding[] = [
    { title: 'Node.js', lines: [process.versions.node] },
    ...(await examineEngine(config, log)),
    data,
    ...(objectStoreUrl === undefined ? [] : [await examineObjects(objectStoreUrl, { config, log })]),
    ...(messageQueueUrl?.startsWith('nats:') === true ? [await examineNats(messageQueueUrl)] : []),
    ...(workflowEngineUrl === undefined ? [] : [await examineWorkflowEngine(workflowEngineUrl)]),
    await examineDatabase(config, {
      serviceRuns: service.isThere,
      dataDirIsUsable: data.isFault !== true,
    }),
    await examineAddress(config, service.isThere),
    await examineAccess(config),
    { title: 'Service', lines: [service.description] },
  ];
  process.stdout.write(tableOf(findings));
  return findings.some(({ isFault }) => isFault === true) ? 1 : 0;
}

async function examineObjects(
  objectStoreUrl: string,
  { config, log }: Pick<CommandContext, 'config' | 'log'>,
): Promise<Finding> {
  if (objectStoreUrl.startsWith('s3:')) return await examineBucket(config, log);
  return await examineFolder('Objects', fileURLToPath(objectStoreUrl));
}

async function findService(dataDir: string): Promise<{ isThere: boolean; description: string }> {
  try {
    if (!isOwned(dataDir)) return { isThere: false, description: 'none works with this DATA_DIR' };
  } catch {
    return { isThere: false, description: 'this account cannot see whether one works with this DATA_DIR' };
  }
  const pid = (await readNote(dataDir))?.pid;
  const who = pid === undefined ? 'one' : `process ${pid}`;
  return { isThere: true, description: `${who} works with this DATA_DIR` };
}

type Children = Awaited<ReturnType<typeof openEngineChildren>>;

const meanings: Readonly<Record<Children['isolation'], string>> = {
  bubblewrap: 'children see their own file and installed programs, but no other file, process or network',
  namespaces: 'children see no network and no other process, but every file of this account',
  none: 'children can do what this account can, within their limits',
};

/** Starts a child of the geo engine as the worker would. */
async function examineEngine(config: Config, log: Logger): Promise<readonly Finding[]> {
  let children: Children;
  try {
    children = await openEngineChildren(config, log);
  } catch (error) {
    return [{ title: 'GDAL', lines: [`cannot be used: ${reasonOf(error)}`], isFault: true }];
  }
  const { version, drivers, isolation, referenceSystems } = children;
  return [
    {
      title: 'GDAL',
      lines: [`${version.replace('GDAL ', '')}, ${drivers.used} of its ${drivers.registered} drivers in use`],
    },
    { title: 'Systems', lines: linesOfSystems(children.proj, referenceSystems) },
    {
      title: 'Isolation',
      lines: [`${isolation}: ${meanings[isolation]}`, ...linesOfAdvice(children)],
    },
    { title: 'Limits', lines: [limitsOf(children)] },
  ];
}

function linesOfSystems(
  proj: string | null,
  { epsg, grids }: Children['referenceSystems'],
): readonly string[] {
  const ofProj = `those of PROJ ${proj ?? '(unknown version)'}`;
  return [
    epsg === null
      ? `${ofProj} alone; newer ones, such as QazTRF-23, are added by: node scripts/setup.mjs`
      : `${ofProj}, and newer ones of EPSG ${epsg}`,
    grids.length === 0 ? 'no grids in PROJ_GRIDS_DIR' : `grids of PROJ_GRIDS_DIR: ${grids.join(', ')}`,
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

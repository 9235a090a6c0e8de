import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { compiledModules } from '../../lib/compiled-modules.ts';
import { messageOf } from '../../lib/error-facts.ts';
import { readable } from '../../lib/readable.ts';
import { isolationRefused } from '../../messages/service.ts';
import { ProbeResult } from '../protocol.ts';
import { foreignDrivers, usedDrivers } from '../child-program.ts';
import { EngineDied } from '../engine.ts';
import {
  type ChildSettings,
  type EngineRequest,
  type EngineResponse,
  geoEntry,
  sendRequest,
  type StartChild,
  startGuarded,
} from './engine-request.ts';
import {
  adviseIsolation,
  maxReasonCharacters,
  readSystemFacts,
  type Isolation,
  type IsolationRefusal,
  isolations,
  findTools,
} from './sandbox/isolation.ts';
import { defaultMemoryBytes, readCeilings } from './sandbox/limits.ts';
import { ownResult } from './sandbox/supervise.ts';

export interface GdalChildrenOptions {
  readonly deadlineSeconds: number;
  /** Memory of one child; half of the machine between 1 and 4 GiB by default. */
  readonly memoryBytes?: number | undefined;
  /** The only one that will do; by default the strongest that works here. */
  readonly isolation?: Isolation | undefined;
  readonly log: ChildSettings['log'];
}

/** Starts processes that load GDAL and own nothing, one for each request. */
export type GdalChildren = Omit<Awaited<ReturnType<typeof openGdalChildren>>, 'background'>;

/** How far work in the background stands back behind uploads on the same machine. */
const backgroundNiceness = 10;

/**
 * Starts one child, in the strongest isolation first, to learn which works and which drivers this GDAL has: all but the
 * few that a request needs are switched off in every later one.
 * @throws {Error} with one readable line when the isolation that is wanted does not work here.
 * @throws {EngineDied} when GDAL cannot be loaded at all.
 */
export async function openGdalChildren(options: GdalChildrenOptions, start: StartChild = startGuarded) {
  const { deadlineSeconds, log, memoryBytes = defaultMemoryBytes() } = options;
  const tools = await findTools();
  const settings = { tools, ceilings: await readCeilings(), memoryBytes, log, start };
  const { gdal, isolation, refusals, advice } = await probeGdal(settings, options.isolation);
  const version = `GDAL ${gdal.version}`;
  log.info({ version, isolation, memoryBytes, refusals }, 'geo engine ready');
  const childrenAt = (niceness: number) => ({
    /** Such as `GDAL 3.6.2`. */
    version,
    /** The version of PROJ, null where it is not known. */
    proj: gdal.proj,
    deadlineSeconds,
    /** Memory of a child beyond what Node.js needs to start. */
    memoryBytes,
    /** In force for every child. */
    isolation,
    /** Stronger isolations that do not work here. */
    refusals,
    advice,
    /** The number of drivers that this GDAL has, and of those that some child may use. */
    drivers: { registered: gdal.drivers.length, used: usedDrivers(gdal.drivers).length },
    /** True when the system has the tool that limits memory and the like. */
    isLimited: tools.prlimit !== undefined,
    /** @throws {EngineDied} when the child ended without an answer, and the signal's reason when that killed it. */
    async run<T>(request: EngineRequest<T>): Promise<EngineResponse<T>> {
      const skippedDrivers = foreignDrivers(gdal.drivers, request.drivers);
      const own = { ...settings, isolation, skippedDrivers, deadlineSeconds, niceness };
      return await sendRequest(own, request, start);
    },
    /** Leaves the modules of another program compiled for its children, which then start in half the time. */
    async compile(entry: URL): Promise<void> {
      await askTrusted({ ...settings, isolation }, entry, 'compile', z.unknown());
    },
    /** Returns the real path of a result. @throws {EngineDied} when it is not a regular file in `folder`. */
    ownResult,
  });
  /** Those of the background wait for the others when there are too few processors. */
  return { ...childrenAt(0), background: childrenAt(backgroundNiceness) };
}

type ProbeSettings = Omit<ChildSettings, 'isolation' | 'skippedDrivers' | 'deadlineSeconds'> & {
  readonly start: StartChild;
};

/** Makes a child load GDAL and tell its version and drivers, in the strongest isolation that works or in the wanted one. */
async function probeGdal(settings: ProbeSettings, wanted: Isolation | undefined) {
  const facts = { tools: settings.tools, system: await readSystemFacts() };
  const refusals: IsolationRefusal[] = [];
  for (const isolation of wanted === undefined ? isolations : [wanted]) {
    try {
      const gdal = await probeIn(isolation, settings);
      const state = { ...facts, isolation, isNamed: wanted !== undefined, refusals };
      return { gdal, isolation, refusals, advice: adviseIsolation(state) };
    } catch (cause) {
      if (isolation === 'none') throw cause;
      const reason = messageOf(cause);
      refusals.push({ isolation, reason });
      if (isolation !== wanted) continue;
      const advice = adviseIsolation({ ...facts, isolation: 'none', isNamed: false, refusals });
      const remedy = isolation === 'bubblewrap' ? advice?.remedy : undefined;
      throw new Error(isolationRefused(isolation, readable(reason, maxReasonCharacters), remedy), { cause });
    }
  }
  throw new Error('no isolation was tried');
}

/** @throws {EngineDied} when no child answers there. */
async function probeIn(isolation: Isolation, settings: ProbeSettings): Promise<ProbeResult> {
  // One that fails is asked again in the next weaker isolation: that is not worth a warning.
  const log = { ...settings.log, warn: () => undefined };
  const response = await askTrusted({ ...settings, log, isolation }, geoEntry, 'probe', ProbeResult);
  if (response.outcome !== 'done') throw new EngineDied('the geo engine does not tell its drivers');
  return response.result;
}

/** Sends a request without a file of a user's to a child that may leave compiled modules for those that read one. */
async function askTrusted<T>(
  settings: ProbeSettings & Pick<ChildSettings, 'isolation'>,
  entry: URL,
  task: 'probe' | 'compile',
  result: z.ZodType<T>,
): Promise<EngineResponse<T>> {
  const scratch = await mkdtemp(join(tmpdir(), 'steppe-engine-'));
  try {
    const folders = [scratch, ...(await folderOfCompiledModules())] as const;
    const { signal } = new AbortController();
    return await sendRequest(
      { ...settings, skippedDrivers: [], deadlineSeconds: 60 },
      { entry, request: { task }, result, inputs: [], folders, signal },
      settings.start,
    );
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Returns none where this account may not make it; then every child compiles for itself. */
async function folderOfCompiledModules(): Promise<readonly string[]> {
  try {
    await mkdir(compiledModules, { recursive: true });
    return [compiledModules];
  } catch {
    return [];
  }
}

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { compiledModules } from '../../lib/compiled-modules.ts';
import { messageOf } from '../../lib/error-facts.ts';
import { readable } from '../../lib/readable.ts';
import { isolationRefused } from '../../messages/service/english.ts';
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
import { findReferenceSystems, listProjFiles } from './reference-systems.ts';
import { ownResult } from './sandbox/supervise.ts';

export interface GdalChildrenOptions {
  readonly deadlineSeconds: number;
  /** Memory of one child; by default half of the machine, between 1 and 4 GiB. */
  readonly memoryBytes?: number | undefined;
  /** The required isolation; by default the strongest that works here. */
  readonly isolation?: Isolation | undefined;
  /** Folder with the operator's grids for shifts between datums. */
  readonly gridsFolder?: string | undefined;
  readonly log: ChildSettings['log'];
}

/** Starts one process per request, which loads GDAL and has no access to anything but the request. */
export type GdalChildren = Omit<Awaited<ReturnType<typeof openGdalChildren>>, 'background'>;

/** Niceness of background work, relative to uploads on the same machine. */
const backgroundNiceness = 10;

/**
 * Starts one child, in the strongest isolation first, to determine the isolation and the drivers of this GDAL: later
 * children have all drivers switched off but the few that their request needs.
 * @throws {Error} with one readable line if the required isolation does not work here, or the folder of grids cannot be read.
 * @throws {EngineDied} if GDAL cannot be loaded at all.
 */
export async function openGdalChildren(options: GdalChildrenOptions, start: StartChild = startGuarded) {
  const { deadlineSeconds, log, memoryBytes = defaultMemoryBytes() } = options;
  const tools = await findTools();
  const referenceSystems = await findReferenceSystems(options.gridsFolder);
  const settings = { tools, ceilings: await readCeilings(), memoryBytes, referenceSystems, log, start };
  const { gdal, isolation, refusals, advice } = await probeGdal(settings, options.isolation);
  const version = `GDAL ${gdal.version}`;
  const { epsg, grids } = referenceSystems;
  log.info({ version, epsg, grids, isolation, memoryBytes, refusals }, 'geo engine ready');
  const projFiles = await listProjFiles(referenceSystems);
  const childrenAt = (niceness: number) => ({
    /** For example `GDAL 3.6.2`. */
    version,
    /** Version of PROJ, null if unknown. */
    proj: gdal.proj,
    projFiles,
    referenceSystems,
    deadlineSeconds,
    /** Memory of a child in addition to that of an idle Node.js. */
    memoryBytes,
    isolation,
    /** Stronger isolations that do not work here. */
    refusals,
    advice,
    /** Number of drivers in this GDAL, and of those that some child may use. */
    drivers: { registered: gdal.drivers.length, used: usedDrivers(gdal.drivers).length },
    /** True if the system has prlimit, which limits memory, time and file sizes. */
    isLimited: tools.prlimit !== undefined,
    /** @throws {EngineDied} if the child ends without an answer, and the signal's reason if that killed it. */
    async run<T>(request: EngineRequest<T>): Promise<EngineResponse<T>> {
      const skippedDrivers = foreignDrivers(gdal.drivers, request.drivers);
      const own = { ...settings, isolation, skippedDrivers, deadlineSeconds, niceness };
      return await sendRequest(own, request, start);
    },
    /** Compiles the modules of another program for its children, which halves their start time. */
    async compile(entry: URL): Promise<void> {
      await askTrusted({ ...settings, isolation }, entry, 'compile', z.unknown());
    },
    /** Returns the real path of a result. @throws {EngineDied} if it is not a regular file in `folder`. */
    ownResult,
  });
  /** Background children yield to the others if processors are short. */
  return { ...childrenAt(0), background: childrenAt(backgroundNiceness) };
}

type ProbeSettings = Omit<ChildSettings, 'isolation' | 'skippedDrivers' | 'deadlineSeconds'> & {
  readonly start: StartChild;
};

/** Starts a child that reports the version and drivers of GDAL, in the strongest isolation that works or in the required one. */
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

/** @throws {EngineDied} if no child answers in this isolation. */
async function probeIn(isolation: Isolation, settings: ProbeSettings): Promise<ProbeResult> {
  // A failure leads to the next weaker isolation, and does not deserve a warning.
  const log = { ...settings.log, warn: () => undefined };
  const response = await askTrusted({ ...settings, log, isolation }, geoEntry, 'probe', ProbeResult);
  if (response.outcome !== 'done') throw new EngineDied('the geo engine does not tell its drivers');
  return response.result;
}

/** Sends a request without user files to a child that may write compiled modules for later children. */
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

/** Returns an empty list if this account may not create the folder; then every child compiles for itself. */
async function folderOfCompiledModules(): Promise<readonly string[]> {
  try {
    await mkdir(compiledModules, { recursive: true });
    return [compiledModules];
  } catch {
    return [];
  }
}

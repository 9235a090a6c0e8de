import { foreignDrivers, usedDrivers } from '../drivers.ts';
import type { Layer } from '../layers.ts';
import {
  type ChildSettings,
  type EngineRequest,
  type EngineResponse,
  sendRequest,
} from './engine-request.ts';
import { probeGdal } from './probe-gdal.ts';
import type { Advice } from './sandbox/advice.ts';
import type { Isolation, IsolationRefusal } from './sandbox/isolation.ts';
import { defaultMemoryBytes, readCeilings } from './sandbox/limits.ts';
import { ownResult } from './sandbox/results.ts';
import { findTools } from './sandbox/tools.ts';

export interface GdalChildrenOptions {
  readonly deadlineSeconds: number;
  /** Memory of one child; half of the machine between 1 and 4 GiB by default. */
  readonly memoryBytes?: number | undefined;
  /** The only one that will do; by default the strongest that works here. */
  readonly isolation?: Isolation | undefined;
  /** Only tests switch any off, to show that they are missed. */
  readonly withoutLayers?: readonly Layer[] | undefined;
  readonly log: ChildSettings['log'];
}

/** Starts processes that load GDAL and own nothing, one for each request. */
export interface GdalChildren {
  /** Such as `GDAL 3.6.2`. */
  readonly version: string;
  readonly deadlineSeconds: number;
  /** Memory of a child beyond what Node.js needs to start. */
  readonly memoryBytes: number;
  /** In force for every child. */
  readonly isolation: Isolation;
  /** Stronger isolations that do not work here. */
  readonly refusals: readonly IsolationRefusal[];
  readonly advice: Advice | undefined;
  /** The number of drivers that this GDAL has, and of those that some child may use. */
  readonly drivers: { readonly registered: number; readonly used: number };
  /** True when the system has the tool that limits memory and the like. */
  readonly isLimited: boolean;
  /** @throws {EngineDied} when the child ended without an answer, and the signal's reason when that killed it. */
  run<T>(request: EngineRequest<T>): Promise<EngineResponse<T>>;
  /** Returns the real path of a result. @throws {EngineDied} when it is no regular file in `folder`. */
  ownResult(folder: string, path: string): Promise<string>;
}

/**
 * Starts one child, in the strongest isolation first, to learn which works and which drivers this GDAL has: all but the
 * few that a request needs are switched off in every later one.
 * @throws {Error} with one readable line when the isolation that is wanted does not work here.
 * @throws {EngineDied} when GDAL cannot be loaded at all.
 */
export async function openGdalChildren(options: GdalChildrenOptions): Promise<GdalChildren> {
  const { deadlineSeconds, log, memoryBytes = defaultMemoryBytes(), withoutLayers = [] } = options;
  const tools = await findTools();
  const settings = { tools, ceilings: await readCeilings(), memoryBytes, withoutLayers, log };
  const wanted = withoutLayers.includes('isolation') ? 'none' : options.isolation;
  const { gdal, isolation, refusals, advice } = await probeGdal(settings, wanted);
  const version = `GDAL ${gdal.version}`;
  log.info({ version, isolation, memoryBytes, refusals }, 'geo engine ready');
  return {
    version,
    deadlineSeconds,
    memoryBytes,
    isolation,
    refusals,
    advice,
    drivers: { registered: gdal.drivers.length, used: usedDrivers(gdal.drivers).length },
    isLimited: tools.prlimit !== undefined,
    async run(request) {
      const isOpen = withoutLayers.includes('driver-list');
      const skippedDrivers = isOpen ? [] : foreignDrivers(gdal.drivers, request.drivers);
      return await sendRequest(settings, request, { isolation, skippedDrivers, deadlineSeconds });
    },
    async ownResult(folder, path) {
      return withoutLayers.includes('supervision') ? path : await ownResult(folder, path);
    },
  };
}

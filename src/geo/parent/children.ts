import type { Advice } from './sandbox/advice.ts';
import type { Isolation } from './sandbox/isolation.ts';
import type { Layer } from '../layers.ts';
import { defaultMemoryBytes, readCeilings } from './sandbox/limits.ts';
import type { IsolationRefusal } from './sandbox/probe.ts';
import { ownResult } from './sandbox/results.ts';
import { findTools } from './sandbox/tools.ts';
import { foreignDrivers, usedDrivers } from '../drivers.ts';
import { probeGdal } from './probe-gdal.ts';
import { type ChildSettings, type Errand, type Reply, runErrand } from './engine-request.ts';

export interface GdalChildrenOptions {
  readonly deadlineSeconds: number;
  /** What one child may use; half of the machine between 1 and 4 GiB by default. */
  readonly memoryBytes?: number | undefined;
  /** The only one that will do; by default the strongest that works here. */
  readonly isolation?: Isolation | undefined;
  /** Only tests switch any off, to show that they are missed. */
  readonly withoutLayers?: readonly Layer[] | undefined;
  readonly log: ChildSettings['log'];
}

/** Starts processes that load GDAL and own nothing, one for each errand. */
export interface GdalChildren {
  /** Such as `GDAL 3.6.2`. */
  readonly version: string;
  /** How long a child may take before it is overdue. */
  readonly deadlineSeconds: number;
  /** What a child may use beyond what Node.js needs to start. */
  readonly memoryBytes: number;
  /** In force for every child. */
  readonly isolation: Isolation;
  /** Why stronger isolations are not in force. */
  readonly refusals: readonly IsolationRefusal[];
  /** What would make it stronger. */
  readonly advice: Advice | undefined;
  /** How many drivers this GDAL has, and how many of them some child may use. */
  readonly drivers: { readonly registered: number; readonly used: number };
  /** Whether memory and the like are limited, which the system may not have the tool for. */
  readonly isLimited: boolean;
  /** @throws {EngineDied} when the child ended without an answer, and the signal's reason when that killed it. */
  run<T>(errand: Errand<T>): Promise<Reply<T>>;
  /** The real path of a result. @throws {EngineDied} when it is no regular file in `folder`, where a child has written. */
  ownResult(folder: string, path: string): Promise<string>;
}

/**
 * Opens what starts children. One is started here, in the strongest isolation first, to learn which works and which
 * drivers this GDAL has: all but the few that an errand needs are switched off in every later one.
 * @throws {Error} with one readable line when the isolation that is wanted does not work here.
 * @throws {EngineDied} when GDAL can not be loaded at all.
 */
export async function openGdalChildren(options: GdalChildrenOptions): Promise<GdalChildren> {
  const { deadlineSeconds, log, memoryBytes = defaultMemoryBytes(), withoutLayers = [] } = options;
  const tools = await findTools();
  const settings = { tools, ceilings: await readCeilings(), memoryBytes, withoutLayers, log };
  const wanted = withoutLayers.includes('isolation') ? 'none' : options.isolation;
  const { answer, isolation, refusals, advice } = await probeGdal(settings, wanted);
  const version = `GDAL ${answer.version}`;
  log.info({ version, isolation, memoryBytes, refusals }, 'geo engine ready');
  return {
    version,
    deadlineSeconds,
    memoryBytes,
    isolation,
    refusals,
    advice,
    drivers: { registered: answer.drivers.length, used: usedDrivers(answer.drivers).length },
    isLimited: tools.prlimit !== undefined,
    async run(errand) {
      const isOpen = withoutLayers.includes('driver-list');
      const skippedDrivers = isOpen ? [] : foreignDrivers(answer.drivers, errand.drivers);
      return await runErrand(settings, errand, { isolation, skippedDrivers, deadlineSeconds });
    },
    async ownResult(folder, path) {
      return withoutLayers.includes('supervision') ? path : await ownResult(folder, path);
    },
  };
}

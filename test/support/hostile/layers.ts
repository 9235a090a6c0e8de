import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { fileURLToPath } from 'node:url';
import {
  type GdalChildren,
  type GdalChildrenOptions,
  openGdalChildren,
} from '../../../src/geo/parent/children.ts';
import {
  childCommand,
  type EngineResponse,
  geoEntry,
  type StartChild,
} from '../../../src/geo/parent/engine-request.ts';
import { createGdalEngine } from '../../../src/geo/parent/gdal-engine.ts';
import { type Isolation, isolations, childEnvironment } from '../../../src/geo/parent/sandbox/isolation.ts';
import type { Limits } from '../../../src/geo/parent/sandbox/limits.ts';
import { superviseChild } from '../../../src/geo/parent/sandbox/supervise.ts';
import { withFolder } from '../geo/engine.ts';

/** Layers of defence between an uploaded file and the machine, from the outside in: docs/decisions/0010-hostile-files.md. */
export const layers = [
  'file-checks',
  'driver-list',
  'fixed-environment',
  'limits',
  'isolation',
  'supervision',
] as const;
export type Layer = (typeof layers)[number];

/** Variable with a layer to turn off in every test; it shows which tests detect that. */
export const withoutLayerVariable = 'STEPPE_TEST_WITHOUT_LAYER';

const log = { info: () => undefined, warn: () => undefined };
const entry = new URL('hijacked-child.ts', import.meta.url);
const bareEntry = new URL('bare-child.ts', import.meta.url);
const Did = z.union([z.object({ did: z.string() }), z.object({ failed: z.string() })]);
type Did = z.infer<typeof Did>;

/** Finds which isolations work on this machine. */
export async function findIsolations() {
  const children = await openGdalChildren({ deadlineSeconds: 120, log });
  const strongest = isolations.indexOf(children.isolation);
  return { children, works: (isolation: Isolation) => isolations.indexOf(isolation) >= strongest };
}

/** Opens children without some of their layers. */
export async function openChildrenWithout(
  without: readonly Layer[],
  options: Partial<Omit<GdalChildrenOptions, 'log'>> = {},
): Promise<GdalChildren> {
  const has = (layer: Layer): boolean => !without.includes(layer);
  const start: StartChild = async (settings, { entry, request, inputs, folders, limits, signal, ...own }) => {
    const { memoryBytes, isolation, skippedDrivers, deadlineSeconds } = { ...settings, ...own };
    const program = entry.href === geoEntry.href ? bareEntry : entry;
    const reach = { entry: fileURLToPath(program), inputs, folders };
    const bounds = has('limits') ? { memoryBytes, ...limits } : undefined;
    const drivers = has('driver-list') ? skippedDrivers : [];
    return await superviseChild({
      command: childCommand(settings, isolation, reach, bounds),
      env: has('fixed-environment') ? childEnvironment(folders[0], drivers, memoryBytes) : ownEnvironment(),
      cwd: folders[0],
      request: { ...request, without },
      rest: own.rest,
      deadlineSeconds: has('supervision') ? deadlineSeconds : Infinity,
      signal,
    });
  };
  const children = await openGdalChildren(
    { deadlineSeconds: 120, ...options, ...(has('isolation') ? {} : { isolation: 'none' }), log },
    start,
  );
  return {
    ...children,
    async run({ limits, ...request }) {
      return await children.run(limits !== undefined && has('limits') ? { ...request, limits } : request);
    },
    ownResult: async (folder, path) => (has('supervision') ? await children.ownResult(folder, path) : path),
  };
}

/** Opens a real engine without some layers, with its own folder. */
export async function openEngineWithout(without: readonly Layer[]) {
  return await withFolder(createGdalEngine(await openChildrenWithout(without)));
}

function ownEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

interface Told {
  readonly task: string;
  readonly [field: string]: unknown;
}

/** Opens an engine, and children under the control of the test, with only one layer. */
export async function openBehind(
  layer: Layer,
  options: {
    readonly isolation?: Isolation;
    readonly memoryBytes?: number;
    readonly deadlineSeconds?: number;
  } = {},
) {
  const without = layers.filter((each) => each !== layer || each === process.env[withoutLayerVariable]);
  const children = await openChildrenWithout(without, options);
  const folder = await mkdtemp(join(tmpdir(), 'steppe-layer-'));
  const scratch = async () => await mkdtemp(join(folder, 'scratch-'));
  async function attempt(
    request: Told,
    limits: Limits = {},
    inputs: readonly string[] = [],
  ): Promise<string> {
    const { signal } = new AbortController();
    const asked = { entry, request, result: Did, drivers: 'raster', inputs, limits, signal } as const;
    const folders = [await scratch()] as const;
    return await children.run({ ...asked, folders }).then(outcomeOf, String);
  }
  return {
    children,
    engine: createGdalEngine(children),
    /** Folder of the test. */
    folder,
    scratch,
    /** Makes a hijacked child act; returns its result, `failed: …` with the reason, or how it ended. */
    attempt: async (told: Told, limits?: Limits) => await attempt(told, limits),
    /** Makes one child perform several actions in turn. */
    async attemptAll(
      all: readonly Told[],
      limits?: Limits,
      inputs?: readonly string[],
    ): Promise<readonly string[]> {
      return z.array(z.string()).parse(JSON.parse(await attempt({ task: 'all', all }, limits, inputs)));
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

function outcomeOf(response: EngineResponse<Did>): string {
  if (response.outcome === 'overdue') return `overdue by ${response.by}`;
  if (response.outcome !== 'done') return response.outcome;
  return 'did' in response.result ? response.result.did : `failed: ${response.result.failed}`;
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { openGdalChildren } from '../../src/geo/parent/children.ts';
import { createGdalEngine } from '../../src/geo/parent/gdal-engine.ts';
import type { EngineResponse } from '../../src/geo/parent/engine-request.ts';
import { type Isolation, isolations } from '../../src/geo/parent/sandbox/isolation.ts';
import { type Layer, layers } from '../../src/geo/layers.ts';
import type { Limits } from '../../src/geo/parent/sandbox/limits.ts';

/** Names a layer that is off in every test, to show which tests miss it. */
export const withoutLayerVariable = 'STEPPE_TEST_WITHOUT_LAYER';

const log = { info: () => undefined, warn: () => undefined };
const entry = new URL('hijacked-child.ts', import.meta.url);
const Did = z.union([z.object({ did: z.string() }), z.object({ failed: z.string() })]);
type Did = z.infer<typeof Did>;

/** Finds which isolations work on this machine. */
export async function findIsolations() {
  const children = await openGdalChildren({ deadlineSeconds: 120, log });
  const strongest = isolations.indexOf(children.isolation);
  return { children, works: (isolation: Isolation) => isolations.indexOf(isolation) >= strongest };
}

/** Opens an engine, and children that do as they are told, behind one layer alone. */
export async function openBehind(
  layer: Layer,
  options: {
    readonly isolation?: Isolation;
    readonly memoryBytes?: number;
    readonly deadlineSeconds?: number;
  } = {},
) {
  const withoutLayers = layers.filter((each) => each !== layer || each === process.env[withoutLayerVariable]);
  const children = await openGdalChildren({ deadlineSeconds: 120, ...options, withoutLayers, log });
  const folder = await mkdtemp(join(tmpdir(), 'steppe-layer-'));
  const scratch = async () => await mkdtemp(join(folder, 'scratch-'));
  return {
    children,
    engine: createGdalEngine(children),
    /** A folder of the test's own. */
    folder,
    scratch,
    /** Has a hijacked child do something; gives its result, or `failed: …` with the reason, or how it ended. */
    async attempt(
      request: { readonly task: string; readonly [field: string]: unknown },
      limits: Limits = {},
      inputs: readonly string[] = [],
    ): Promise<string> {
      const { signal } = new AbortController();
      const asked = { entry, request, result: Did, drivers: 'raster', inputs, limits, signal } as const;
      const folders = [await scratch()] as const;
      return await children.run({ ...asked, folders }).then(outcomeOf, String);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

function outcomeOf(response: EngineResponse<Did>): string {
  if (response.outcome === 'overdue') return `overdue by ${response.by}`;
  if (response.outcome !== 'done') return response.outcome;
  return 'did' in response.result ? response.result.did : `failed: ${response.result.failed}`;
}

import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { GdalChildren } from '../../src/geo/parent/children.ts';
import type { EngineResponse } from '../../src/geo/parent/engine-request.ts';
import { limitsForUpload } from '../../src/geo/parent/sandbox/limits.ts';
import type { Compare } from '../survey/look.ts';

export interface CompareRequest {
  readonly task: 'compare';
  readonly of: 'raster' | 'vector';
  readonly sourcePath: string;
  /** The COG of a raster, or the FlatGeobuf of a vector. */
  readonly madePath: string;
  readonly scratch: string;
}

const entry = new URL('child.ts', import.meta.url);
/** The sandbox shows a child process only its entry and `src/`. */
const comparingModules = {
  raster: fileURLToPath(new URL('compare-rasters.ts', import.meta.url)),
  vector: fileURLToPath(new URL('compare-features.ts', import.meta.url)),
};

/**
 * Creates a comparison in child processes of the engine: rasters with their COGs (size, types, place, metadata, colours, nodata, scale,
 * masks and every pixel), vectors with their FlatGeobuf files (every value and coordinate). A comparison rejects when a file cannot be
 * read within the limits of an upload, and with the reason of the signal when that has killed the child process.
 */
export function createComparison(
  children: GdalChildren,
  of: CompareRequest['of'],
  signal: AbortSignal,
): Compare {
  return async (sourcePath, madePath) => {
    const scratch = await mkdtemp(join(tmpdir(), 'steppe-compare-'));
    try {
      const sizes = await Promise.all([sourcePath, madePath].map(async (path) => (await stat(path)).size));
      const response = await children.run({
        entry,
        request: { task: 'compare', of, sourcePath, madePath, scratch } satisfies CompareRequest,
        result: z.array(z.string()),
        drivers: of,
        inputs: [sourcePath, madePath, comparingModules[of]],
        folders: [scratch],
        limits: limitsForUpload(Math.max(...sizes), of),
        signal,
      });
      if (response.outcome === 'done') return response.result;
      throw new Error(`could not be compared with what was made of it: ${reasonOf(response)}`);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  };
}

function reasonOf(response: Exclude<EngineResponse<unknown>, { readonly outcome: 'done' }>): string {
  if (response.outcome === 'problem') return response.message;
  if (response.outcome === 'needs-time') return 'it asks for time, which has no limit here';
  return response.outcome === 'overdue'
    ? `over its ${response.by}`
    : `over ${response.fileBytes} bytes in one file`;
}

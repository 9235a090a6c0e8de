import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Differences } from '../answers.ts';
import type { GdalChildren } from './children.ts';
import { geoEntry, type EngineResponse } from './engine-request.ts';
import { limitsForUpload } from './sandbox/limits.ts';

/** Says in words how a COG differs from its source. */
export type CompareRasters = (sourcePath: string, cogPath: string) => Promise<readonly string[]>;

/**
 * Has a child of the engine compare rasters with their COGs: size, types, place, metadata, colours, nodata, scale, masks
 * and every pixel. A comparison rejects when one of them cannot be read within the limits of an upload, and with the
 * signal's reason when that has killed the child.
 */
export function createRasterComparison(children: GdalChildren, signal: AbortSignal): CompareRasters {
  return async (sourcePath, cogPath) => {
    const scratch = await mkdtemp(join(tmpdir(), 'steppe-compare-'));
    try {
      const sizes = await Promise.all([sourcePath, cogPath].map(async (path) => (await stat(path)).size));
      const response = await children.run({
        entry: geoEntry,
        request: { task: 'compare', sourcePath, cogPath, scratch },
        result: Differences,
        drivers: 'raster',
        inputs: [sourcePath, cogPath],
        folders: [scratch],
        limits: limitsForUpload(Math.max(...sizes), 'raster'),
        signal,
      });
      if (response.outcome === 'done') return response.result;
      throw new Error(`could not be compared with its COG: ${reasonOf(response)}`);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  };
}

function reasonOf(response: Exclude<EngineResponse<unknown>, { readonly outcome: 'done' }>): string {
  if (response.outcome === 'problem') return response.message;
  return response.outcome === 'overdue'
    ? `over its ${response.by}`
    : `over ${response.fileBytes} bytes in one file`;
}

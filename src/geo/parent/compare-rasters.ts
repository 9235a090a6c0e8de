import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitsForUpload } from './sandbox/limits.ts';
import type { GdalChildren } from './children.ts';
import { Differences } from '../compare-messages.ts';
import type { Reply } from './engine-request.ts';

const entry = new URL('../child/compare/main.ts', import.meta.url);

/** Says in words what of a raster is not the same in its COG. */
export type CompareRasters = (sourcePath: string, cogPath: string) => Promise<readonly string[]>;

/**
 * Has a child of the engine compare rasters with their COGs: size, types, place, metadata, colours, nodata, scale, masks
 * and every pixel. Nothing is said when they are equal. A comparison rejects when one of them can not be read, within the
 * limits of an upload, and with the signal's reason when that has killed the child.
 */
export function createRasterComparison(children: GdalChildren, signal: AbortSignal): CompareRasters {
  return async (sourcePath, cogPath) => {
    const scratch = await mkdtemp(join(tmpdir(), 'steppe-compare-'));
    try {
      const sizes = await Promise.all([sourcePath, cogPath].map(async (path) => (await stat(path)).size));
      const reply = await children.run({
        entry,
        request: { task: 'compare', sourcePath, cogPath, scratch },
        result: Differences,
        drivers: 'raster',
        inputs: [sourcePath, cogPath],
        folders: [scratch],
        limits: limitsForUpload(Math.max(...sizes), 'raster'),
        signal,
      });
      if (reply.outcome !== 'done') throw new Error(`could not be compared with its COG: ${reasonOf(reply)}`);
      return reply.result;
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  };
}

function reasonOf(reply: Exclude<Reply<unknown>, { readonly outcome: 'done' }>): string {
  if (reply.outcome === 'problem') return reply.message;
  return reply.outcome === 'overdue' ? `over its ${reply.by}` : `over ${reply.fileBytes} bytes in one file`;
}

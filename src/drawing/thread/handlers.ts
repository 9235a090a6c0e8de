import type { ThreadContext } from './context.ts';
import { createOpenRasters } from './raster/open-rasters.ts';
import { createRasterTiles, type RasterTileRequest } from './raster/raster-tiles.ts';

/** What a thread can be asked to do. */
export interface Tasks {
  readonly 'raster-tile': {
    readonly request: RasterTileRequest;
    /** PNG; undefined where nothing of the raster is. */
    readonly result: Uint8Array<ArrayBuffer> | undefined;
  };
}

/** A task with its request. */
export type TaskCall = {
  [Task in keyof Tasks]: { readonly task: Task; readonly request: Tasks[Task]['request'] };
}[keyof Tasks];

/** Creates what carries out the tasks of a thread, and keeps what it has read for the next ones. @param maxBlockBytes of decoded blocks. */
export function createHandlers(context: ThreadContext, maxBlockBytes: number) {
  const rasters = createOpenRasters(context, maxBlockBytes);
  const rasterTiles = createRasterTiles(rasters);
  return {
    /** @throws {Problem} what the caller can mend. */
    async perform({ task, request }: TaskCall): Promise<Tasks[keyof Tasks]['result']> {
      switch (task) {
        default:
          return await rasterTiles.draw(request);
      }
    },
  };
}

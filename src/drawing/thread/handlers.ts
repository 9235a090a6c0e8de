import type { LegendModel } from '../../portrayal/legend/model.ts';
import type { ThreadContext } from './context.ts';
import { createOpenRasters } from './raster/open-rasters.ts';
import type { RasterFacts } from './raster/raster-facts.ts';
import {
  createStyledRasters,
  type RasterTileRequest,
  type StyledRaster,
  type ThumbnailRequest,
} from './raster/styled-rasters.ts';

type Bytes = Uint8Array<ArrayBuffer>;

interface Task<Request, Result> {
  readonly request: Request;
  readonly result: Result;
}

/** What a thread can be asked to do. */
export interface Tasks {
  /** PNG; undefined where nothing of the raster is. */
  readonly 'raster-tile': Task<RasterTileRequest, Bytes | undefined>;
  readonly 'raster-thumbnail': Task<ThumbnailRequest, Bytes>;
  readonly 'raster-legend': Task<StyledRaster, LegendModel>;
  readonly 'raster-facts': Task<{ readonly meshKey: string }, RasterFacts>;
}

/** A task with its request. */
export type TaskCall = {
  [Name in keyof Tasks]: { readonly task: Name; readonly request: Tasks[Name]['request'] };
}[keyof Tasks];

/** Creates what carries out the tasks of a thread, and keeps what it has read for the next ones. @param maxBlockBytes of decoded blocks. */
export function createHandlers(context: ThreadContext, maxBlockBytes: number) {
  const rasters = createStyledRasters(createOpenRasters(context, maxBlockBytes));
  return {
    /** @throws {Problem} what the caller can mend. */
    async perform(call: TaskCall): Promise<Tasks[keyof Tasks]['result']> {
      switch (call.task) {
        case 'raster-tile':
          return await rasters.tile(call.request);
        case 'raster-thumbnail':
          return await rasters.thumbnail(call.request);
        case 'raster-legend':
          return await rasters.legend(call.request);
        default:
          return await rasters.facts(call.request.meshKey);
      }
    },
  };
}

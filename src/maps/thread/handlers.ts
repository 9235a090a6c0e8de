import type { LegendModel } from '../legend/model.ts';
import type {
  VectorSource,
  VectorThumbnailRequest,
  VectorTileRequest,
  VectorTileResult,
} from './vector/tasks.ts';
import type { VectorFacts } from './vector/describe.ts';
import { encodeRgbaPng } from '../png/rgba-png.ts';
import type { ThreadContext } from './objects/context.ts';
import type { LegendPicture } from '../legend/picture.ts';
import { createOpenRasters } from './raster/open-rasters.ts';
import type { Zooms } from '../raster/web-mercator.ts';
import {
  createStyledRasters,
  type RasterTileRequest,
  type StyledRaster,
  type ThumbnailRequest,
} from './raster/styled-rasters.ts';
import { readUnitsLegend, type UnitsLegendRequest } from './vector/units-legend.ts';
import { createIndices, createVectorTileHandler, indexOf } from './vector/vector-tile.ts';
import { compileSld } from '../style/sld-compile.ts';
import type { Undrawn } from '../style/undrawn.ts';

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
  readonly 'raster-zooms': Task<{ readonly meshKey: string }, Zooms>;
  readonly 'vector-tile': Task<VectorTileRequest, VectorTileResult>;
  /** PNG. */
  readonly 'vector-thumbnail': Task<VectorThumbnailRequest, Bytes>;
  readonly 'vector-facts': Task<VectorSource, VectorFacts>;
  readonly 'units-legend': Task<UnitsLegendRequest, LegendModel>;
  /** PNG. */
  readonly legend: Task<LegendPicture, Bytes>;
  readonly 'compile-style': Task<CompileRequest, CompileResult>;
}

/** A task with its request. */
export type TaskCall = {
  [Name in keyof Tasks]: { readonly task: Name; readonly request: Tasks[Name]['request'] };
}[keyof Tasks];

/** Creates what carries out the tasks of a thread, and keeps what it has read for the next ones. @param maxBlockBytes of decoded blocks. */
export function createHandlers(context: ThreadContext, maxBlockBytes: number) {
  const rasters = createStyledRasters(createOpenRasters(context, maxBlockBytes));
  const indices = createIndices();
  const vectorTile = createVectorTileHandler(indices);
  return {
    /** The canvas, native code, is loaded by the first picture that needs it. @throws {Problem} what the caller can mend. */
    async perform(call: TaskCall): Promise<Tasks[keyof Tasks]['result']> {
      switch (call.task) {
        case 'raster-tile':
          return await rasters.tile(call.request);
        case 'raster-thumbnail':
          return await rasters.thumbnail(call.request);
        case 'raster-legend':
          return await rasters.legend(call.request);
        case 'raster-zooms':
          return await rasters.zooms(call.request.meshKey);
        case 'vector-tile':
          return await vectorTile(call.request, context);
        case 'vector-thumbnail':
          return encodeRgbaPng(
            await (await import('./vector/thumbnail.ts')).vectorThumbnail(call.request, context),
          );
        case 'vector-facts':
          return (await indexOf(indices, call.request, context)).describe();
        case 'units-legend':
          return await readUnitsLegend(call.request, context);
        case 'legend':
          return (await import('./legend/legend-image.ts')).drawLegend(call.request);
        default:
          return await compileStyle(call.request);
      }
    },
  };
}

interface CompileRequest {
  /** An SLD that has been checked and decoded. */
  readonly text: string;
}

interface CompileResult {
  /** A `CompiledStyle` as JSON. */
  readonly compiled: string;
  readonly leftOut: readonly Undrawn[];
}

/** Compiles a style; at most so many elements of it are read as the tree may have, whatever its size. */
export async function compileStyle({ text }: CompileRequest): Promise<CompileResult> {
  const style = compileSld(text);
  return { compiled: JSON.stringify(style), leftOut: style.leftOut };
}

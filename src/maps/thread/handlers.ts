import type { LegendModel, LegendPicture } from '../../../common/maps/legend/model.ts';
import type { VectorSource } from './vector/read-source.ts';
import type { VectorThumbnailRequest } from './vector/thumbnail.ts';
import {
  type VectorTileRequest,
  type VectorTileResult,
  createIndices,
  createVectorTileHandler,
  indexOf,
} from './vector/vector-tile.ts';
import type { VectorFacts } from './vector/attributes.ts';
import { encodeRgbaPng } from '../png/png.ts';
import type { ThreadContext } from './objects/context.ts';
import { type ChangedTileRequest, drawChangedTile } from './raster/changed-tile.ts';
import { createScratch } from './raster/draw-raster.ts';
import { createOpenRasters } from './raster/open-rasters.ts';
import {
  type LocateRequest,
  type LocateResult,
  locatePlace,
  type PointsRequest,
  type PointsResult,
  readPoints,
} from './raster/read-points.ts';
import type { PaperPictureRequest } from './paper/picture.ts';
import type { SheetRequest } from './paper/sheets.ts';
import { gridOf, type RasterGrid } from './tiff/placement.ts';
import { type GridSample, sampleGrid, type SampleRequest } from './raster/sample-grid.ts';
import type { Zooms } from '../../../common/maps/raster/web-mercator.ts';
import {
  createStyledRasters,
  type RasterTileRequest,
  type StyledRaster,
  type ThumbnailRequest,
} from './raster/styled-rasters.ts';
import { readUnitsLegend, type UnitsLegendRequest } from './vector/brushes.ts';
import { compileStyle, type StyleResult } from '../../../common/maps/style/sld-compile.ts';

type Bytes = Uint8Array<ArrayBuffer>;

interface Task<Request, Result> {
  readonly request: Request;
  readonly result: Result;
}

/** Tasks of a drawing thread. */
export interface Tasks {
  /** PNG; undefined outside the raster. */
  readonly 'raster-tile': Task<RasterTileRequest, Bytes | undefined>;
  /** PNG; undefined outside both rasters. */
  readonly 'changed-tile': Task<ChangedTileRequest, Bytes | undefined>;
  /** Undefined for a raster that is not north-up or has no georeference. */
  readonly 'raster-grid': Task<{ readonly cogKey: string }, RasterGrid | undefined>;
  readonly 'raster-thumbnail': Task<ThumbnailRequest, Bytes>;
  /** PNG. */
  readonly 'paper-picture': Task<PaperPictureRequest, Bytes>;
  /** PDF. */
  readonly sheets: Task<SheetRequest, Bytes>;
  readonly 'raster-legend': Task<StyledRaster, LegendModel>;
  readonly 'raster-zooms': Task<{ readonly meshKey: string }, Zooms>;
  readonly 'raster-points': Task<PointsRequest, PointsResult>;
  readonly 'raster-place': Task<LocateRequest, LocateResult>;
  readonly 'raster-sample': Task<SampleRequest, GridSample>;
  readonly 'vector-tile': Task<VectorTileRequest, VectorTileResult>;
  /** PNG. */
  readonly 'vector-thumbnail': Task<VectorThumbnailRequest, Bytes>;
  readonly 'vector-facts': Task<VectorSource, VectorFacts>;
  readonly 'units-legend': Task<UnitsLegendRequest, LegendModel>;
  /** PNG. */
  readonly legend: Task<LegendPicture, Bytes>;
  readonly 'compile-style': Task<{ readonly text: string }, StyleResult>;
}

/** A task with its request. */
export type TaskCall<Name extends keyof Tasks = keyof Tasks> = {
  [Each in Name]: { readonly task: Each; readonly request: Tasks[Each]['request'] };
}[Name];

type Handlers = {
  readonly [Name in keyof Tasks]: (request: Tasks[Name]['request']) => Promise<Tasks[Name]['result']>;
};

/** Creates the handlers of a thread, which cache data for later tasks. @param maxBlockBytes of decoded blocks. */
export function createHandlers(context: ThreadContext, maxBlockBytes: number) {
  const opened = createOpenRasters(context, maxBlockBytes);
  const rasters = createStyledRasters(opened);
  const indices = createIndices();
  const scratch = createScratch();
  const vectorTile = createVectorTileHandler(indices);
  // The canvas, native code, is loaded by the first picture that needs it.
  const handlers: Handlers = {
    'raster-tile': rasters.tile,
    'changed-tile': async (request) => await drawChangedTile(opened, request, scratch),
    'raster-grid': async ({ cogKey }) => {
      const placement = await opened.placement(cogKey);
      return placement && gridOf(placement);
    },
    'raster-thumbnail': rasters.thumbnail,
    'paper-picture': async (request) =>
      await (await import('./paper/picture.ts')).drawPicture(rasters, request),
    sheets: async (request) =>
      await (await import('./paper/sheets.ts')).drawSheets(rasters, request, context),
    'raster-legend': rasters.legend,
    'raster-zooms': async ({ meshKey }) => await rasters.zooms(meshKey),
    'raster-points': async (request) => await readPoints(opened, request),
    'raster-place': async (request) => await locatePlace(opened, request),
    'raster-sample': async (request) => await sampleGrid(opened, request),
    'vector-tile': async (request) => await vectorTile(request, context),
    'vector-thumbnail': async (request) =>
      encodeRgbaPng(await (await import('./vector/thumbnail.ts')).vectorThumbnail(request, context)),
    'vector-facts': async (request) => (await indexOf(indices, request, context)).describe(),
    'units-legend': async (request) => await readUnitsLegend(request, context),
    legend: async (request) => (await import('./legend/legend-image.ts')).drawLegend(request),
    'compile-style': async ({ text }) => compileStyle(text),
  };
  return {
    /** @throws {Problem} for errors that the caller can correct. */
    perform: async <Name extends keyof Tasks>(call: TaskCall<Name>): Promise<Tasks[Name]['result']> =>
      await handlers[call.task](call.request),
  };
}

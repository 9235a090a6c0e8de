import { MiB, KiB } from '../lib/units.ts';
import {
  type TiledRaster,
  type Bbox,
  maxAreaRasters,
  maxAreaTuples,
  maxTableCells,
  maxTableColumns,
  valueQuantiles,
} from './engine.ts';
import type { PolygonsAsked } from './polygons.ts';
import { type SourceChoice, type SourceFormat, sourceLimits } from './source.ts';
import { type WorkbookFormat, workbookLimits } from './spreadsheet.ts';
import { z } from 'zod';
import { Findings, readableText, Sentence } from './findings.ts';

interface Granted {
  /** For rasters: maximum number of values for which there is time. */
  readonly grantedValues?: number;
}

/** Requests the result of one uploaded file, or the view or counts of a stored COG. */
export interface FileRequest extends Granted {
  readonly task: 'raster' | 'view' | 'counts' | 'vector' | 'flatgeobuf' | 'table' | 'features';
  readonly inputPath: string;
  readonly scratch: string;
}

/** Requests areas by unit over stored COGs of one grid. */
export interface AreasRequest extends Granted {
  readonly task: 'areas';
  readonly inputPaths: readonly string[];
  readonly unitsPath: string;
  readonly withUnion: boolean;
  readonly maxClasses: number;
  readonly scratch: string;
}

/** Requests the values of a stored COG by unit. */
export interface ValuesRequest extends Granted {
  readonly task: 'values';
  readonly inputPath: string;
  readonly unitsPath: string;
  readonly scratch: string;
}

/** Requests the polygons of a stored class raster. */
export interface PolygonsRequest extends PolygonsAsked, Granted {
  readonly task: 'polygons';
  readonly scratch: string;
}

/** Requests the cells of a workbook. */
export interface WorkbookRequest extends Granted {
  readonly task: 'read-workbook' | 'fill-workbook';
  readonly inputPath: string;
  readonly format: WorkbookFormat;
  readonly scratch: string;
}

/** Requests a workbook with values in its cells. */
export interface FillRequest extends WorkbookRequest {
  readonly task: 'fill-workbook';
  /** A JSON list of `CellValue`. */
  readonly valuesPath: string;
}

/** Requests the cells of a workbook without changing them. */
export interface ReadRequest extends WorkbookRequest {
  readonly task: 'read-workbook';
}

/** Requests the description of a file from which rasters are made. */
export interface InspectRequest {
  readonly task: 'inspect-source';
  readonly inputPath: string;
  readonly format: SourceFormat;
  readonly scratch: string;
}

/** Requests rasters of such a file. */
export interface MakeRastersRequest extends Omit<InspectRequest, 'task'> {
  readonly task: 'make-rasters';
  readonly choices: readonly SourceChoice[];
}

export interface AssembleRequest {
  readonly task: 'assemble';
  readonly rasters: readonly TiledRaster[];
  readonly scratch: string;
}

/** Requests a plan for composing COGs of parts. */
export interface ComposeRequest extends Omit<AssembleRequest, 'task'> {
  readonly task: 'compose';
}

/** The one request from a parent to a child, which trusts it: docs/decisions/0015-children-start-quickly.md. */
export type Request =
  | { readonly task: 'probe' }
  | FileRequest
  | AreasRequest
  | ValuesRequest
  | PolygonsRequest
  | ReadRequest
  | FillRequest
  | InspectRequest
  | MakeRastersRequest
  | AssembleRequest
  | ComposeRequest;

/** Maximum number of bands of a TIFF. */
const maxRasterBands = 65_535;

/** A table of thousands of columns answers with some hundred kilobytes. */
export const maxAnswerBytes = 32 * MiB;

export const ProbeResult = z.object({
  version: z.string(),
  proj: readableText(40).nullable(),
  drivers: z.array(z.string()),
});
export type ProbeResult = z.infer<typeof ProbeResult>;
/** The parent checks the consistency of sums and bounds: `geo/parent/plausible.ts`. */
const BandCount = z.object({
  index: z.int().positive(),
  valid: z.int().nonnegative(),
  nodata: z.int().nonnegative(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  mean: z.number().nullable(),
  p2: z.number().nullable(),
  p98: z.number().nullable(),
  percentiles: z.array(z.number()).length(101).nullable().optional(),
  histogram: z
    .object({ min: z.number(), max: z.number(), counts: z.array(z.int().nonnegative()).min(1).max(256) })
    .nullable(),
  classes: z
    .array(
      z.object({ value: z.int(), pixels: z.int().positive(), hectares: z.number().nonnegative().nullable() }),
    )
    .max(256)
    .nullable(),
  no_data_ha: z.number().nonnegative().nullable(),
});
export const CountsResult = z.object({
  width: z.int().positive(),
  height: z.int().positive(),
  area_ha: z.number().nonnegative().nullable(),
  bands: z.array(BandCount).min(1).max(maxRasterBands),
});
export type CountsResult = z.infer<typeof CountsResult>;
export const RasterResult = z.object({
  cogPath: z.string(),
  bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]).refine(isOrdered).readonly(),
  /** Undefined for a raster that cannot be placed on a map. */
  meshPath: z.string().optional(),
  needsView: z.boolean(),
  /** For a small raster. */
  counts: CountsResult.optional(),
});
export type RasterResult = z.infer<typeof RasterResult>;
export const UploadedRasterResult = z.object({
  ...RasterResult.shape,
  place: z.enum(['earth', 'unknown', 'elsewhere']),
});
export type UploadedRasterResult = z.infer<typeof UploadedRasterResult>;
/** Each raster has its own findings. */
export const AssembleResult = z.object({
  rasters: z.array(z.object({ ...RasterResult.shape, findings: Findings })),
});
export type AssembleResult = z.infer<typeof AssembleResult>;
const Count = z.int().nonnegative();
const { bbox, meshPath, needsView } = RasterResult.shape;
export const ComposeResult = z.object({
  rasters: z.array(
    z.object({
      bbox,
      meshPath,
      needsView,
      composition: z.object({
        pieces: z.array(z.object({ path: z.string(), start: Count, length: Count })),
        blocks: z.array(z.tuple([Count, Count]).readonly()),
      }),
      findings: Findings,
    }),
  ),
});
export type ComposeResult = z.infer<typeof ComposeResult>;
export const ViewResult = z.object({ meshPath: z.string().optional(), viewPath: z.string().optional() });
export type ViewResult = z.infer<typeof ViewResult>;
const TupleAreas = z.array(z.tuple([z.int().nonnegative(), z.number().nonnegative()])).readonly();
const UnitAreas = z.object({
  id: z.string(),
  set: z.string(),
  area_m2: z.number().nonnegative(),
  areas: TupleAreas,
  outside_m2: z.number().nonnegative(),
});
/** The parent checks that sums add up: `geo/parent/plausible.ts`. */
export const AreasResult = z.object({
  tuples: z.array(z.array(z.number().nullable()).min(1).max(maxAreaRasters)).max(maxAreaTuples),
  raster: TupleAreas,
  units: z.array(UnitAreas),
  sets: z.array(z.object({ set: z.string(), outside: TupleAreas, overlap: TupleAreas })),
});
export type AreasResult = z.infer<typeof AreasResult>;
/** The parent checks consistency: `geo/parent/plausible.ts`. */
export const ValuesResult = AreasResult.extend({
  units: z.array(
    UnitAreas.extend({
      values: z
        .object({
          min: z.number(),
          max: z.number(),
          mean: z.number(),
          sd: z.number().nonnegative().nullable(),
          sum: z.number().nullable(),
          quantiles: z.array(z.number()).length(valueQuantiles.length),
        })
        .nullable(),
    }),
  ),
});
export type ValuesResult = z.infer<typeof ValuesResult>;
const RegionSums = z.object({ zones: z.int().nonnegative(), pixels_m2: z.number().nonnegative() });
/** The parent checks that sums add up: `geo/parent/plausible.ts`. */
export const PolygonsResult = z.object({
  path: z.string(),
  zones: z.int().nonnegative(),
  positions: z.int().nonnegative(),
  belowMinimum: z.int().nonnegative(),
  classes: z
    .array(
      z.object({
        value: z.int(),
        before: RegionSums,
        after: RegionSums,
        polygons_m2: z.number().nonnegative(),
      }),
    )
    .max(256),
});
const Place = z.int().min(0).max(workbookLimits.rows);
const Range = z.tuple([Place, Place, Place, Place]).readonly();
const CellText = readableText(2 * workbookLimits.cellCharacters);
export const WorkbookResult = z.object({
  sheets: z
    .array(
      z.object({
        name: readableText(KiB),
        isHidden: z.boolean(),
        cells: z
          .array(z.tuple([Place, Place, z.enum(['t', 'n', 'f']), CellText]).readonly())
          .max(workbookLimits.cells),
        merges: z.array(Range).max(workbookLimits.merges),
      }),
    )
    .max(workbookLimits.sheets),
  names: z
    .array(z.object({ name: readableText(KiB), sheet: z.int().min(0).nullable(), range: Range.nullable() }))
    .max(workbookLimits.names),
});
const SourceName = readableText(KiB);
const SourceAxisResult = z.object({
  name: SourceName,
  title: SourceName.optional(),
  unit: SourceName.optional(),
  size: Count,
  calendar: readableText(40).optional(),
  values: z.array(z.union([z.number(), readableText(60)])).max(sourceLimits.positions),
  periods: z
    .array(z.tuple([readableText(20), readableText(20)]).readonly())
    .max(sourceLimits.positions)
    .optional(),
});
const SourceGridResult = z.object({
  left: z.number(),
  top: z.number(),
  cell_width: z.number(),
  cell_height: z.number(),
});
const SourceRefusal = z.object({ message: readableText(2 * KiB), sentence: Sentence.optional() });
const SourceVariableResult = z.object({
  name: SourceName,
  title: SourceName.optional(),
  unit: SourceName.optional(),
  type: readableText(20),
  width: Count,
  height: Count,
  scale: z.number().optional(),
  offset: z.number().optional(),
  grid: SourceGridResult.optional(),
  crs: readableText(10 * KiB).optional(),
  axes: z.array(Count).max(64),
  refusal: SourceRefusal.optional(),
});
const SourceTileResult = z.object({
  name: SourceName,
  type: readableText(20),
  width: Count,
  height: Count,
  grid: SourceGridResult.optional(),
  crs: readableText(10 * KiB).optional(),
  set: Count.optional(),
  refusal: SourceRefusal.optional(),
});
export const InspectResult = z.object({
  variables: z.array(SourceVariableResult).max(sourceLimits.variables),
  axes: z.array(SourceAxisResult).max(sourceLimits.axes),
  left_out: Count,
  tiles: z.array(SourceTileResult).max(sourceLimits.tiles).optional(),
});
export const MakeRastersResult = z.object({
  rasters: z.array(z.object({ path: z.string(), sizeBytes: Count })).max(sourceLimits.rastersAtOnce),
});
export const FilledResult = z.object({ path: z.string() });
/** FlatGeobuf of a vector file; undefined for more features than it can hold. */
export const FlatGeobufResult = z.object({
  features: z
    .object({
      path: z.string(),
      count: z.int().nonnegative(),
      /** Rounding may put a coordinate slightly beyond the edge of the world. */
      box: z.array(z.number().min(-181).max(181)).length(4).nullable(),
    })
    .optional(),
});
export type FlatGeobufResult = z.infer<typeof FlatGeobufResult>;
export const VectorResult = z.object({ geojsonPath: z.string(), ...FlatGeobufResult.shape });
export type VectorResult = z.infer<typeof VectorResult>;
const Table = z.object({
  columns: z.array(z.string()).max(maxTableColumns).overwrite(storableNames).readonly(),
  rowsPath: z.string(),
  rowCount: z.int().nonnegative(),
});
export const TableResult = Table.refine(hasFewCells);
export type TableResult = z.infer<typeof TableResult>;
export const FeaturesResult = Table.extend({ beginsWith: z.literal('geometry') }).refine(hasFewCells);
export type FeaturesResult = z.infer<typeof FeaturesResult>;

/** Peak memory of a child; absent if the child reports anything else. */
const PeakBytes = z.int().nonnegative().optional().catch(undefined);

/**
 * The one answer of a child. `problem` is a fault of the file with a sentence for the user, and the library's words, if
 * any, as its `reason` for the log; `no-resources` is a fault of the machine (a full or broken disk), so that a retry
 * may succeed; `fault` is a bug of ours. After `needs-time`, nothing has been done.
 */
export const Answer = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('done'),
    result: z.unknown(),
    findings: Findings,
    peakBytes: PeakBytes,
  }),
  z.object({
    outcome: z.literal('problem'),
    message: z.string(),
    sentence: Sentence.optional(),
    reason: readableText(2 * KiB).optional(),
    findings: Findings,
    peakBytes: PeakBytes,
  }),
  z.object({ outcome: z.literal('no-resources'), message: z.string(), peakBytes: PeakBytes }),
  z.object({ outcome: z.literal('needs-time'), values: z.int().positive(), peakBytes: PeakBytes }),
  z.object({ outcome: z.literal('fault'), message: z.string(), peakBytes: PeakBytes }),
]);
export type Answer = z.infer<typeof Answer>;

/** Clients rely on the order. West may exceed east only across the antimeridian. */
function isOrdered([west, south, east, north]: Bbox): boolean {
  return south <= north && (west <= east || (west <= 180 && east >= -180));
}

function hasFewCells({ columns, rowCount }: z.infer<typeof Table>): boolean {
  return columns.length * rowCount <= maxTableCells;
}

/** Replaces characters that the database cannot store by U+FFFD, as in cells; numbers repeated names. */
function storableNames(names: readonly string[]): string[] {
  const storable = names.map((each) => each.replaceAll('\u0000', '\ufffd').toWellFormed());
  const taken = new Set(storable.filter((each, index) => each === names[index]));
  return storable.map((each, index) => {
    if (each === names[index]) return each;
    let unique = each;
    for (let number = 2; taken.has(unique); number += 1) unique = `${each}_${number}`;
    taken.add(unique);
    return unique;
  });
}

import { Problem } from '../lib/errors.ts';
import { readable } from '../lib/readable.ts';
import { MiB } from '../lib/units.ts';
import { engineProblems } from '../messages/raster/english.ts';
import type { CogComposition } from './composition.ts';
import type { WrittenFeatures } from './flatgeobuf/layout.ts';
import type { Findings } from './findings.ts';
import type { RasterWindow } from './raster-reader.ts';
import type { MadePolygons, PolygonsAsked } from './polygons.ts';
import type { SourceChoice, SourceDescription, SourceFormat, SourceRaster } from './source.ts';
import type { WorkbookContent, WorkbookFormat } from './spreadsheet.ts';

/** West, south, east, north. WGS 84 degrees if the raster has a CRS (west > east across the antimeridian), otherwise its own units. */
export type Bbox = readonly [minX: number, minY: number, maxX: number, maxY: number];

export interface EngineTask {
  /** The uploaded file, read-only. */
  readonly inputPath: string;
  /** An existing empty folder of this task, for its results. */
  readonly scratch: string;
  /** Kills the child and everything that it has started. */
  readonly signal: AbortSignal;
  /** Called with the completed share of the work, from 0 to 1, as the child reports it, for tasks of more than a second. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

export interface ConvertedRaster {
  /** Path of the COG: that of the input, if that is a suitable COG already. */
  readonly cogPath: string;
  readonly bbox: Bbox;
  readonly findings: Findings;
  /** View mesh (`common/maps/raster/mesh.ts`); undefined for a raster that cannot be drawn: without a CRS, or of complex numbers. */
  readonly meshPath?: string | undefined;
  /** True if the api cannot draw from the COG itself, so that `makeView` is required. */
  readonly needsView: boolean;
  /** Result of `countPixels` for the COG; undefined for a large raster, which requires a separate call. */
  readonly counts?: RasterCounts | undefined;
}

/** An upload, which may have any CRS. */
export interface UploadedRaster extends ConvertedRaster {
  /**
   * `earth` if `bbox` is in longitude and latitude; `unknown` if the raster has no CRS or no georeference; `elsewhere` if its CRS does
   * not lead to longitude and latitude, such as that of a mine or of the Moon.
   */
  readonly place: 'earth' | 'unknown' | 'elsewhere';
}

/** Files for drawing a stored COG. */
export interface RasterView {
  /** Like that of a converted raster. */
  readonly meshPath?: string | undefined;
  /** A lossless COG that the api can draw from; undefined if it can draw from the stored one, and without a mesh. */
  readonly viewPath?: string | undefined;
}

/** Values of the pixels of a raster with scale and offset applied, and their areas in hectares. */
export interface RasterCounts {
  readonly width: number;
  readonly height: number;
  /** Null for a raster that is not on the earth, like the hectares of its bands. */
  readonly area_ha: number | null;
  readonly bands: readonly BandCounts[];
}

/** Numbers are null for a band without any value. */
export interface BandCounts {
  /** One-based. */
  readonly index: number;
  readonly valid: number;
  readonly nodata: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  readonly p2: number | null;
  readonly p98: number | null;
  /** The 0th to 100th percentiles of the pixels. */
  readonly percentiles?: readonly number[] | null | undefined;
  readonly histogram: {
    readonly min: number;
    readonly max: number;
    readonly counts: readonly number[];
  } | null;
  /** For a band of at most 256 distinct integers, ascending. */
  readonly classes:
    | readonly { readonly value: number; readonly pixels: number; readonly hectares: number | null }[]
    | null;
  readonly no_data_ha: number | null;
}

/** First bands of stored COGs with a common grid, and polygons in which pixels are counted by value. */
export interface AreaTask extends Omit<EngineTask, 'inputPath'> {
  /** At most `maxAreaRasters`. */
  readonly inputPaths: readonly string[];
  /** One JSON object per line, an `AreaUnit`. */
  readonly unitsPath: string;
  /** Counts the union of all units as one more unit, with id and set `union`. */
  readonly withUnion: boolean;
  /** Maximum number of classes of a raster; with more, it cannot be counted. */
  readonly maxClasses: number;
}

export const maxAreaRasters = 4;
/** Maximum number of distinct tuples of values, and of sums of all units. */
export const maxAreaTuples = 4096;
export const maxCountedAreas = 500_000;

/** A line of a file of units. */
export interface AreaUnit {
  readonly id: string;
  /** Units of one set do not overlap by definition; land in no unit is counted per set. */
  readonly set: string;
  /** GeoJSON Polygon or MultiPolygon: longitude and latitude on WGS 84, with straight lines between positions (RFC 7946). */
  readonly geometry: unknown;
}

/** Square metres of a tuple, by tuple number. */
export type TupleArea = readonly [tuple: number, squareMetres: number];

/** Square metres, geodesic on WGS 84: pixel areas multiplied by the covered share of each pixel. */
export interface AreaCounts {
  /** One value per raster with scale and offset applied; null for none. Only occurring tuples, in order. */
  readonly tuples: readonly (readonly (number | null)[])[];
  /** All pixels, ascending by tuple. */
  readonly raster: readonly TupleArea[];
  /** In the order of the file. `areas` and `outside_m2` sum to `area_m2`. */
  readonly units: readonly {
    readonly id: string;
    readonly set: string;
    readonly area_m2: number;
    readonly areas: readonly TupleArea[];
    /** The part outside the rasters. */
    readonly outside_m2: number;
  }[];
  /** By set: all its units, plus `outside`, minus `overlap`, equal the raster. */
  readonly sets: readonly {
    readonly set: string;
    /** Pixels, and parts of them, in no unit. */
    readonly outside: readonly TupleArea[];
    /** Areas in more than one unit, counted once per additional unit. */
    readonly overlap: readonly TupleArea[];
  }[];
}

/** First band of a stored COG, and polygons in which its values are summarized. */
export interface ValueTask extends EngineTask {
  /** See `AreaTask`. */
  readonly unitsPath: string;
}

/** Levels of the area-weighted quantiles, ascending. */
export const valueQuantiles = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95] as const;

/** Statistics of the pixels of a unit with scale and offset applied. Null for a result beyond float64. */
export interface UnitValues {
  /** Over all pixels that the unit touches. */
  readonly min: number;
  readonly max: number;
  /** Weighted by area, like the population standard deviation and the quantiles. */
  readonly mean: number;
  readonly sd: number | null;
  /** Each value multiplied by the share of its pixel, not its area. */
  readonly sum: number | null;
  /** In the order of `valueQuantiles`. */
  readonly quantiles: readonly number[];
}

/** Areas of pixels with a value (the tuple `[1]`) and without (`[null]`), and the statistics of each unit. */
export interface ValueCounts extends Omit<AreaCounts, 'units'> {
  readonly units: readonly (AreaCounts['units'][number] & {
    /** Null for a unit without values. */
    readonly values: UnitValues | null;
  })[];
}

/** Input of the polygons, and an empty folder: see `EngineTask`. */
export interface PolygonsTask extends PolygonsAsked, Omit<EngineTask, 'inputPath'> {}

/** A workbook to read or to fill. */
export interface WorkbookTask extends EngineTask {
  readonly format: WorkbookFormat;
}

/** A file from which rasters are made. */
export interface SourceTask extends EngineTask {
  readonly format: SourceFormat;
}

/** One band that was computed and encoded in tiles, and its grid. */
export interface TiledRaster {
  readonly width: number;
  readonly height: number;
  /** North-up; outer corner of the first pixel, and size of a pixel, both positive. */
  readonly left: number;
  readonly top: number;
  readonly resX: number;
  readonly resY: number;
  readonly wkt: string;
  readonly dataType: 'Float32' | 'Byte' | 'UInt16';
  readonly noData: number;
  /** Files and tiles of each `TileEncoder`; together the tiles cover the grid exactly once. */
  readonly parts: readonly { readonly paths: readonly string[]; readonly tiles: readonly RasterWindow[] }[];
}

export interface AssembleTask extends Omit<EngineTask, 'inputPath'> {
  readonly rasters: readonly TiledRaster[];
}

export interface ComposedRaster extends Omit<ConvertedRaster, 'cogPath' | 'counts'> {
  readonly composition: CogComposition;
}

export interface AssembledVector {
  /** A FeatureCollection as section 4.3 of the interface defines it for `vector`. */
  readonly geojsonPath: string;
  /** Undefined for more features than a FlatGeobuf can hold. */
  readonly features?: WrittenFeatures | undefined;
  readonly findings: Findings;
}

/** Maximum number of columns of an attribute table; enough for a daily series of 136 years. */
export const maxTableColumns = 50_000;
/** Maximum total length of all column names. */
const maxColumnNameCharacters = MiB;
/** Maximum number of cells of a table; each missing one costs a `null` in the rows. */
export const maxTableCells = 200_000_000;

export interface AttributeTable {
  /** Names of the non-geometry columns, in file order. */
  readonly columns: readonly string[];
  /**
   * One JSON array per line and row, with the file's values digit by digit, in the order of `columns`. A row may be
   * shorter than `columns`; missing values are null.
   */
  readonly rowsPath: string;
  readonly rowCount: number;
  readonly findings: Findings;
}

/** An attribute table whose rows start with the feature's geometry by RFC 7946, or null. */
export interface FeatureTable extends AttributeTable {
  readonly beginsWith: 'geometry';
}

/**
 * PORT. Everything that requires a geodata library, in a child process without rights, where a hostile file cannot do harm.
 * @throws {Problem} for a fault of the file; an `UnprocessableFile` if there are findings.
 * @throws {EngineDied} if the child ended without an answer.
 * @throws {ResourceError} if the machine prevented the work.
 * @throws the reason of the task's signal after its abort.
 */
export interface GeoEngine {
  /** For example `GDAL 3.6.2`. */
  readonly version: string;
  /** Version of PROJ, such as `9.1.1`; null if unknown. */
  readonly proj: string | null;
  /** Files from which PROJ takes reference systems and shifts, with their sizes in bytes. */
  readonly projFiles: readonly (readonly [name: string, bytes: number])[];
  /** True if the sandbox prevents the child from writing to its input file. */
  readonly guardsInput: boolean;
  /** Converts a raster to a lossless Cloud-Optimized GeoTIFF. */
  convertRaster(task: EngineTask): Promise<UploadedRaster>;
  /** Makes the files for drawing a stored COG; `inputPath` is the COG. */
  makeView(task: EngineTask): Promise<RasterView>;
  /** Counts values and areas of all pixels of a stored COG; `inputPath` is the COG. */
  countPixels(task: EngineTask): Promise<RasterCounts>;
  /** Counts the area of every tuple of values in every unit at full resolution. The result is bit-identical for any storage of the COGs. */
  countAreas(task: AreaTask): Promise<AreaCounts>;
  /** Summarizes the values in every unit at full resolution; bit-identical for any storage of the COG. */
  countValues(task: ValueTask): Promise<ValueCounts>;
  /** Makes a polygon of each contiguous zone of a class raster. */
  makePolygons(task: PolygonsTask): Promise<MadePolygons>;
  /** Assembles a lossless COG of each raster, in order. */
  assembleRasters(task: AssembleTask): Promise<readonly ConvertedRaster[]>;
  /**
   * Plans the same COGs without their tiles: only the required bytes of the arranged files are present. The pieces are
   * ranges of these files and of files in the scratch folder.
   */
  composeRasters(task: AssembleTask): Promise<readonly ComposedRaster[]>;
  /** Dissolves all geometry, and stores the attribute table beside it. */
  assembleVector(task: EngineTask): Promise<AssembledVector>;
  /** Writes the features of a vector file like `assembleVector`. */
  writeFeatures(task: EngineTask): Promise<Pick<AssembledVector, 'features' | 'findings'>>;
  readTable(task: EngineTask): Promise<AttributeTable>;
  /** Reads the attribute table and the geometry of each feature. */
  readFeatures(task: EngineTask): Promise<FeatureTable>;
  /** Reads the cells of a workbook, and refuses one that could run or load something. */
  readWorkbook(task: WorkbookTask): Promise<WorkbookContent>;
  /**
   * Writes a workbook with values in some of its cells, and leaves everything else as it is. @param valuesPath a JSON list of `CellValue`
   * @returns the path of the workbook in the scratch folder
   */
  fillWorkbook(task: WorkbookTask & { readonly valuesPath: string }): Promise<string>;
  /** Describes the variables of a file from which rasters are made. */
  inspectSource(task: SourceTask): Promise<SourceDescription>;
  /** Makes a GeoTIFF of each choice, in order, in the scratch folder. @param choices at most `sourceLimits.rastersAtOnce` */
  makeRasters(
    task: SourceTask & { readonly choices: readonly SourceChoice[] },
  ): Promise<readonly SourceRaster[]>;
}

/** Sentences contain names from the file, or come from a hijacked child. */
const maxSentenceCharacters = 2000;

/** A fault of the file: the message is a sentence for the user, `findings` are those before the refusal. */
export class UnprocessableFile extends Problem {
  override readonly name = 'UnprocessableFile';
  readonly #findings: Findings;

  constructor(sentence: string, findings: Findings, options?: ConstructorParameters<typeof Problem>[2]) {
    super('invalid', readable(sentence, maxSentenceCharacters), options);
    this.#findings = findings;
  }

  /** Not an own property, because logs include those. */
  get findings(): Findings {
    return this.#findings;
  }
}

/** @throws {Problem} if the column names have too many characters in total to be shown. */
export function checkColumnNames(characters: number): void {
  if (characters > maxColumnNameCharacters) throw engineProblems.longColumnNames();
}

/** The child ended without an answer: killed, out of memory or crashed. A few retries may help. */
export class EngineDied extends Error {
  override readonly name = 'EngineDied';
}

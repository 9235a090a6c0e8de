import { Problem } from '../lib/errors.ts';
import { readable } from '../lib/readable.ts';
import { MiB } from '../lib/units.ts';
import { engineProblems } from '../messages/raster.ts';
import type { CogComposition } from './composition.ts';
import type { WrittenFeatures } from './flatgeobuf/layout.ts';
import type { Findings } from './findings.ts';
import type { RasterWindow } from './raster-reader.ts';
import type { MadePolygons, PolygonsAsked } from './polygons.ts';

/** West, south, east, north. WGS 84 degrees when the raster has a CRS (west > east across the antimeridian), else its own units. */
export type Bbox = readonly [minX: number, minY: number, maxX: number, maxY: number];

export interface EngineTask {
  /** The uploaded file, read only. */
  readonly inputPath: string;
  /** An existing empty folder of this task's own; results are written here. */
  readonly scratch: string;
  /** Kills the child and everything it started. */
  readonly signal: AbortSignal;
  /** Gets what share of the work is done, from 0 to 1, by the word of the child, where it takes more than a second. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

export interface ConvertedRaster {
  /** The path of the input, where that is such a COG already. */
  readonly cogPath: string;
  readonly bbox: Bbox;
  readonly findings: Findings;
  /** Its view mesh (`common/maps/raster/mesh.ts`); undefined for a raster that can never be drawn: without a CRS, of complex numbers. */
  readonly meshPath?: string | undefined;
  /** True when the api cannot draw from the COG itself, so that `makeView` has to be asked. */
  readonly needsView: boolean;
  /** What `countPixels` says of the COG; undefined where that has to be asked, as of a large raster. */
  readonly counts?: RasterCounts | undefined;
}

/** What a stored COG is drawn with. */
export interface RasterView {
  /** As that of a converted raster. */
  readonly meshPath?: string | undefined;
  /** A lossless COG that the api can draw from; undefined where it can draw from the one that is stored, and without a mesh. */
  readonly viewPath?: string | undefined;
}

/** Values of the pixels of a raster, scale and offset applied, and their areas in hectares. */
export interface RasterCounts {
  readonly width: number;
  readonly height: number;
  /** Null for a raster that does not lie on the earth, as the hectares of its bands. */
  readonly area_ha: number | null;
  readonly bands: readonly BandCounts[];
}

/** Numbers are null without any value. */
export interface BandCounts {
  /** From 1 on. */
  readonly index: number;
  readonly valid: number;
  readonly nodata: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  readonly p2: number | null;
  readonly p98: number | null;
  /** The values below which 0, 1, … 100 % of the pixels lie. */
  readonly percentiles?: readonly number[] | null | undefined;
  readonly histogram: {
    readonly min: number;
    readonly max: number;
    readonly counts: readonly number[];
  } | null;
  /** Of a band of at most 256 different whole numbers, ascending. */
  readonly classes:
    | readonly { readonly value: number; readonly pixels: number; readonly hectares: number | null }[]
    | null;
  readonly no_data_ha: number | null;
}

/** The first bands of stored COGs that share one grid, and polygons whose pixels are to be counted by value. */
export interface AreaTask extends Omit<EngineTask, 'inputPath'> {
  /** At most `maxAreaRasters`. */
  readonly inputPaths: readonly string[];
  /** One JSON object per line, an `AreaUnit`. */
  readonly unitsPath: string;
  /** Counts the union of all units as one more, whose id and set are `union`. */
  readonly withUnion: boolean;
  /** What counts as a class; more make the rasters unfit to be counted. */
  readonly maxClasses: number;
}

export const maxAreaRasters = 4;
/** The most different tuples of values, and the most that are counted in all units together. */
export const maxAreaTuples = 4096;
export const maxCountedAreas = 500_000;

/** A line of a file of units. */
export interface AreaUnit {
  readonly id: string;
  /** Units of one set do not overlap by their nature; each set has its own land in no unit. */
  readonly set: string;
  /** GeoJSON Polygon or MultiPolygon: longitude and latitude on WGS 84, straight between its positions (RFC 7946). */
  readonly geometry: unknown;
}

/** Square metres of a tuple, by its number. */
export type TupleArea = readonly [tuple: number, squareMetres: number];

/** Square metres, geodesic on WGS 84: areas of pixels times the share of each pixel that is covered. */
export interface AreaCounts {
  /** A value of each raster, scale and offset applied; null where it has none. Only those that occur, in their order. */
  readonly tuples: readonly (readonly (number | null)[])[];
  /** All pixels, ascending by tuple. */
  readonly raster: readonly TupleArea[];
  /** In the order of the file. `areas` and `outside_m2` add up to `area_m2`. */
  readonly units: readonly {
    readonly id: string;
    readonly set: string;
    readonly area_m2: number;
    readonly areas: readonly TupleArea[];
    /** What of it lies outside of the rasters. */
    readonly outside_m2: number;
  }[];
  /** By set: all units of it, and `outside`, less `overlap`, are the raster. */
  readonly sets: readonly {
    readonly set: string;
    /** Pixels, and parts of them, in no unit. */
    readonly outside: readonly TupleArea[];
    /** What is in more than one, once for each unit too many. */
    readonly overlap: readonly TupleArea[];
  }[];
}

/** The first band of a stored COG, and polygons over which its values are to be summed up. */
export interface ValueTask extends EngineTask {
  /** As of an `AreaTask`. */
  readonly unitsPath: string;
}

/** The shares of the area below which the quantiles lie that are counted, ascending. */
export const valueQuantiles = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95] as const;

/** Values of the pixels of a unit, scale and offset applied. What exceeds a float64 is null. */
export interface UnitValues {
  /** Of all pixels that the unit has a part of, however small. */
  readonly min: number;
  readonly max: number;
  /** Weighted by area, as are the standard deviation of the whole (not of a sample) and the quantiles. */
  readonly mean: number;
  readonly sd: number | null;
  /** Each value times the share of its pixel, not its area. */
  readonly sum: number | null;
  /** One of each of `valueQuantiles`. */
  readonly quantiles: readonly number[];
}

/** Areas of pixels with a value (the tuple `[1]`) and without (`[null]`), and what the values of each unit are. */
export interface ValueCounts extends Omit<AreaCounts, 'units'> {
  readonly units: readonly (AreaCounts['units'][number] & {
    /** Null without any. */
    readonly values: UnitValues | null;
  })[];
}

/** What polygons are made of, and an empty folder: see `EngineTask`. */
export interface PolygonsTask extends PolygonsAsked, Omit<EngineTask, 'inputPath'> {}

/** One band that was computed and encoded tile by tile, and the grid that it lies on. */
export interface TiledRaster {
  readonly width: number;
  readonly height: number;
  /** North-up; the outer corner of the first pixel, and the size of a pixel, both positive. */
  readonly left: number;
  readonly top: number;
  readonly resX: number;
  readonly resY: number;
  readonly wkt: string;
  readonly dataType: 'Float32' | 'Byte' | 'UInt16';
  readonly noData: number;
  /** The files of each `TileEncoder`, and its tiles; together the tiles cover the grid exactly once. */
  readonly parts: readonly { readonly paths: readonly string[]; readonly tiles: readonly RasterWindow[] }[];
}

export interface AssembleTask extends Omit<EngineTask, 'inputPath'> {
  readonly rasters: readonly TiledRaster[];
}

export interface ComposedRaster extends Omit<ConvertedRaster, 'cogPath' | 'counts'> {
  readonly composition: CogComposition;
}

export interface AssembledVector {
  /** A finished FeatureCollection as the interface's section 4.3 describes it for `vector`. */
  readonly geojsonPath: string;
  /** Undefined where the features are more than a FlatGeobuf can hold. */
  readonly features?: WrittenFeatures | undefined;
  readonly findings: Findings;
}

/** The most columns of an attribute table; a daily series of 136 years fits. */
export const maxTableColumns = 50_000;
/** The most characters of the names of all columns together. */
const maxColumnNameCharacters = MiB;
/** The most cells of a table; each that is missing costs a `null` in the rows. */
export const maxTableCells = 200_000_000;

export interface AttributeTable {
  /** Names of the non-geometry columns, in file order. */
  readonly columns: readonly string[];
  /**
   * One JSON array per line and row, its values those of the file, digit by digit, in the order of `columns`. A row may
   * be shorter than `columns`; what is missing is null.
   */
  readonly rowsPath: string;
  readonly rowCount: number;
  readonly findings: Findings;
}

/** An attribute table of which each row begins with the feature's geometry: RFC 7946, or null when it has none. */
export interface FeatureTable extends AttributeTable {
  readonly beginsWith: 'geometry';
}

/**
 * PORT. All that needs a geodata library, done where a hostile file can do no harm: a child process that owns nothing.
 * @throws {Problem} when the file is to blame; an `UnprocessableFile` where something was seen of it.
 * @throws {EngineDied} when the child ended without an answer.
 * @throws {ResourceError} when the machine kept it from its work.
 * @throws the reason of the task's signal, once that aborts.
 */
export interface GeoEngine {
  /** Such as `GDAL 3.6.2`. */
  readonly version: string;
  /** Of PROJ, such as `9.1.1`; null where it is not known. */
  readonly proj: string | null;
  /** True when the sandbox prevents the child from writing to its input file. */
  readonly guardsInput: boolean;
  /** Makes a lossless Cloud-Optimized GeoTIFF. */
  convertRaster(task: EngineTask): Promise<ConvertedRaster>;
  /** Makes what a stored COG is drawn with; `inputPath` is the COG. */
  makeView(task: EngineTask): Promise<RasterView>;
  /** Counts values and areas of all pixels of a stored COG; `inputPath` is the COG. */
  countPixels(task: EngineTask): Promise<RasterCounts>;
  /**
   * Counts the area of every tuple of values in every unit, at full resolution. The figures have the same bits however the COGs
   * are stored.
   */
  countAreas(task: AreaTask): Promise<AreaCounts>;
  /** Sums up the values in every unit, at full resolution; in the same bits however the COG is stored. */
  countValues(task: ValueTask): Promise<ValueCounts>;
  /** Makes a polygon of each contiguous zone of a raster of classes. */
  makePolygons(task: PolygonsTask): Promise<MadePolygons>;
  /** Makes a lossless COG of each raster, in their order. */
  assembleRasters(task: AssembleTask): Promise<readonly ConvertedRaster[]>;
  /**
   * Finds out how to make the same COG of each raster without its tiles, of whose arranged files only the needed bytes are there.
   * The pieces are of these files and of files in the scratch folder.
   */
  composeRasters(task: AssembleTask): Promise<readonly ComposedRaster[]>;
  /** Dissolves all geometry and puts the attribute table beside it. */
  assembleVector(task: EngineTask): Promise<AssembledVector>;
  /** Writes the features of a vector file, as `assembleVector` does beside it. */
  writeFeatures(task: EngineTask): Promise<Pick<AssembledVector, 'features' | 'findings'>>;
  /** Reads the attribute table; geometry is ignored. */
  readTable(task: EngineTask): Promise<AttributeTable>;
  /** Reads the attribute table together with the geometry of each feature. */
  readFeatures(task: EngineTask): Promise<FeatureTable>;
}

/** A sentence holds names from the file, or comes from a child that a file has taken over. */
const maxSentenceCharacters = 2000;

/** The file is to blame: the message is a sentence for the user, `findings` is what was seen before it was refused. */
export class UnprocessableFile extends Problem {
  override readonly name = 'UnprocessableFile';
  readonly #findings: Findings;

  constructor(sentence: string, findings: Findings, options?: ConstructorParameters<typeof Problem>[2]) {
    super('invalid', readable(sentence, maxSentenceCharacters), options);
    this.#findings = findings;
  }

  /** No property of its own: logs write those out. */
  get findings(): Findings {
    return this.#findings;
  }
}

/** @throws {Problem} when the names of columns have too many characters together, `characters`, to be shown. */
export function checkColumnNames(characters: number): void {
  if (characters > maxColumnNameCharacters) throw engineProblems.longColumnNames();
}

/** The child ended without an answer: killed, out of memory, crashed. Trying again may help; a few times. */
export class EngineDied extends Error {
  override readonly name = 'EngineDied';
}

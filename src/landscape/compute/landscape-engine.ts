import { z } from 'zod';
import type { EngineTask } from '../../geo/engine.ts';
import { countsSchema, gridSchema } from '../grid/schemas.ts';
import type { ReferenceGrid } from '../grid/reference-grid.ts';
import type { LandscapeParams } from '../model/params.ts';
import type { Tile } from '../model/tiles.ts';
import type { InputWork, MadeInput } from './input-work.ts';

/** The raster of a band of the graph as a local file: a leaf, a pinned raster, or a reused output. */
export interface BandFile {
  readonly key: string;
  readonly path: string;
  /** The windows of the file that contain pixels; other areas are holes, which must not be read. Absent for a complete file. */
  readonly windows?: readonly Tile[] | undefined;
}

/** A part of a pass over the grid, computed by one process. It can be serialized, sent to any worker and computed twice. */
export interface Batch {
  readonly grid: ReferenceGrid;
  readonly params: LandscapeParams;
  /** Codes of the nodes to compute, in ascending order. */
  readonly nodes: readonly string[];
  /** Names of the layers to make from the sources; they do not depend on nodes of the batch. */
  readonly layers?: readonly string[] | undefined;
  /** All bands that these nodes read and do not compute, always including the elevation. */
  readonly sources: readonly BandFile[];
  /** Windows in the order of computation, each divided into tiles by `tilesOf`. */
  readonly windows: readonly Tile[];
  /** An existing folder for the encoded tiles of every node. */
  readonly folder: string;
  /** The keys of the sources whose gaps are counted, if requested; the zoning is then computed or also a source. */
  readonly gaps?: readonly string[] | undefined;
  /** True when the encoded tiles become parts of objects, of which COGs are composed; the windows are then one rectangle. */
  readonly arranged?: boolean | undefined;
}

const SquareMetres = z.number().nonnegative();

/** Areas of one tile in square metres; arrays are in the order of the requested inputs. */
export const TileGaps = z.object({
  grid: SquareMetres,
  /** Area where the zoning has no value. */
  withoutZone: SquareMetres,
  /** Area where each input has no value. */
  missing: z.array(SquareMetres),
  /** Area where the zoning has no value and only this input lacks one. */
  alone: z.array(SquareMetres),
});
export type TileGaps = z.infer<typeof TileGaps>;

/** The result of a batch: the files with the encoded tiles of each node and layer, from fine to coarse, and the seconds per node. */
export const BatchResult = z.object({
  sources: z.record(z.string(), countsSchema),
  parts: z.array(
    z.object({
      code: z.string(),
      paths: z.array(z.string()),
      /** Only for arranged files: the number of bytes of each file, from its start, that are needed to compose a COG. */
      neededBytes: z.array(z.int().positive()).optional(),
    }),
  ),
  seconds: z.record(z.string(), z.number().nonnegative()),
  /** One element per tile, in the order of the tiles; absent if not requested. */
  gaps: z.array(TileGaps).optional(),
});
export type BatchResult = z.infer<typeof BatchResult>;

/** The reason why a source cannot be used. */
export const SourceFault = z.enum(['unreadable', 'no_crs', 'no_transformation']);
export type SourceFault = z.infer<typeof SourceFault>;

/** A request to check the headers of every source before the computation. */
export type Inspection = Pick<Batch, 'sources'>;

/** Faults by source. `grid` is absent if the elevation raster cannot be a reference; `reference` is then the reason. */
export const InspectionResult = z.object({
  faults: z.record(z.string(), SourceFault),
  grid: gridSchema.optional(),
  reference: z.enum(['no_crs', 'not_north_up']).optional(),
});
export type InspectionResult = z.infer<typeof InspectionResult>;

/** A search for the windows of each source that windows of a grid need; its pixels are not read. */
export type WindowSearch = Pick<Batch, 'grid' | 'params' | 'nodes' | 'sources' | 'windows'>;

const TileResult = z.object({
  x: z.int().nonnegative(),
  y: z.int().nonnegative(),
  width: z.int().positive(),
  height: z.int().positive(),
});

/** By source, for each window of the grid: the window of the source that it needs, null if it needs none. */
export const FoundWindows = z.record(z.string(), z.array(TileResult.nullable()));
export type FoundWindows = z.infer<typeof FoundWindows>;

/** The result of a search: windows, or the source that cannot be read. */
export const WindowsFound = z.union([
  z.object({ windows: FoundWindows }),
  z.object({ unreadable: z.string() }),
]);
export type WindowsFound = z.infer<typeof WindowsFound>;

/** Blocks of a grid in which inputs are varied, one after the other. */
export interface InputMoves extends Pick<Batch, 'grid' | 'params' | 'sources'> {
  /** Codes of the nodes of the zoning, ascending, the zoning last. */
  readonly nodes: readonly string[];
  readonly blocks: readonly Tile[];
  /** Keys of the numeric sources that are varied. */
  readonly moved: readonly string[];
  /** The relative change of an input, above 0 and below 1. */
  readonly delta: number;
}

/** Areas of one block; arrays are in the order of `moved`. For a grid that does not lie on the earth, numbers of pixels. */
export const MovedBlock = z.object({
  /** Area where the zoning has a value. */
  zoned: SquareMetres,
  /** Area where the value changes when the input is decreased, and increased. */
  decreased: z.array(SquareMetres),
  increased: z.array(SquareMetres),
});
export type MovedBlock = z.infer<typeof MovedBlock>;

/** The request of a child process that computes a part of a run. */
export type LandscapeRequest =
  | { readonly task: 'inspect'; readonly work: Inspection }
  | { readonly task: 'find-windows'; readonly work: WindowSearch }
  | { readonly task: 'compute'; readonly work: Batch }
  | { readonly task: 'move-inputs'; readonly work: InputMoves };

/** The result of a batch, or the source that cannot be read, or that lacks required pixels in its file. */
export const Computed = z.union([
  z.object({ result: BatchResult }),
  z.object({ unreadable: z.string() }),
  z.object({ outside: z.string() }),
]);
export type Computed = z.infer<typeof Computed>;

/** The result of varying inputs: one element per block, in order, or the source that cannot be read. */
export const Moved = z.union([
  z.object({ blocks: z.array(MovedBlock) }),
  z.object({ unreadable: z.string() }),
]);
export type Moved = z.infer<typeof Moved>;

/** A task for a child process. */
interface ComputeTask<T> {
  readonly work: T;
  /** An existing empty folder for this task only. */
  readonly scratch: string;
  /** Kills the child process and all processes that it started. */
  readonly signal: AbortSignal;
}

/** The files that a batch reads and writes, known before its windows are. */
export type BatchFiles = Pick<Batch, 'sources' | 'folder'>;

/** The child process starts at once, and waits for the batch; a failure of the batch ends it, and is thrown. */
export interface BatchTask extends Omit<ComputeTask<never>, 'work'> {
  readonly files: BatchFiles;
  /** The batch, with the folder and some or all sources of `files`. */
  readonly batch: Promise<Batch>;
}

/** PORT. Computes in child processes, one per call. @throws {EngineDied} when a child process ends without an answer. */
export interface LandscapeEngine {
  inspect(task: ComputeTask<Inspection>): Promise<InspectionResult>;
  /**
   * Finds windows with a margin; a batch needs pixels outside of them only in a CRS that is strongly curved within a few pixels.
   * @throws {SourceUnreadable} when a source cannot be opened.
   */
  findWindows(task: ComputeTask<WindowSearch>): Promise<FoundWindows>;
  /**
   * Computes a batch.
   * @throws {SourceUnreadable} when pixels of a source cannot be read.
   * @throws {OutsideWindows} when they lie outside the windows of its file.
   */
  compute(task: BatchTask): Promise<BatchResult>;
  /**
   * Compares zonings of blocks before and after a change of an input.
   * @throws {SourceUnreadable} when pixels of a source cannot be read.
   */
  moveInputs(task: ComputeTask<InputMoves>): Promise<readonly MovedBlock[]>;
  /**
   * Makes an input raster by a recipe, in the folder of its work.
   * @throws {UnprocessableFile} when the sources do not suit the recipe.
   */
  makeInput(task: ComputeTask<InputWork> & Pick<EngineTask, 'onProgress'>): Promise<MadeInput>;
}

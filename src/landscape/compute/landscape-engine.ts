import { z } from 'zod';
import type { EngineTask } from '../../geo/engine.ts';
import { SourceCounts } from '../grid/sample.ts';
import { TileGaps } from './count-gaps.ts';
import { ReferenceGrid } from '../grid/reference-grid.ts';
import { LandscapeParams } from '../model/params.ts';
import { InputWork, type MadeInput } from './input-work.ts';

const Tile = z.object({
  x: z.int().nonnegative(),
  y: z.int().nonnegative(),
  width: z.int().positive(),
  height: z.int().positive(),
});

/** The raster of a band of the graph as a local file: a leaf, a pinned raster, or a reused output. */
export const BandFile = z.object({
  key: z.string(),
  path: z.string(),
  /** The windows of the file that contain pixels; other areas are holes, which must not be read. Absent for a complete file. */
  windows: z.array(Tile).optional(),
});
export type BandFile = z.infer<typeof BandFile>;

/** A part of a pass over the grid, computed by one process. It can be serialized, sent to any worker and computed twice. */
export const Batch = z.object({
  grid: ReferenceGrid,
  params: LandscapeParams,
  /** Codes of the nodes to compute, in ascending order. */
  nodes: z.array(z.string()),
  /** Names of the layers to make from the sources; they do not depend on nodes of the batch. */
  layers: z.array(z.string()).optional(),
  /** All bands that these nodes read and do not compute, always including the elevation. */
  sources: z.array(BandFile),
  /** Windows in the order of computation, each divided into tiles by `tilesOf`. */
  windows: z.array(Tile),
  /** An existing folder for the encoded tiles of every node. */
  folder: z.string(),
  /** The keys of the sources whose gaps are counted, if requested; the zoning is then computed or also a source. */
  gaps: z.array(z.string()).optional(),
  /** True when the encoded tiles become parts of objects, of which COGs are composed; the windows are then one rectangle. */
  arranged: z.boolean().optional(),
});
export type Batch = z.infer<typeof Batch>;

/** The result of a batch: the files with the encoded tiles of each node and layer, from fine to coarse, and the seconds per node. */
export const BatchResult = z.object({
  sources: z.record(z.string(), SourceCounts),
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
export const Inspection = z.object({ sources: z.array(BandFile) });
export type Inspection = z.infer<typeof Inspection>;

/** Faults by source. `grid` is absent if the elevation raster cannot be a reference; `reference` is then the reason. */
export const InspectionResult = z.object({
  faults: z.record(z.string(), SourceFault),
  grid: ReferenceGrid.optional(),
  reference: z.enum(['no_crs', 'not_north_up']).optional(),
});
export type InspectionResult = z.infer<typeof InspectionResult>;

/** A search for the windows of each source that windows of a grid need. */
export const WindowSearch = z.object({
  grid: ReferenceGrid,
  params: LandscapeParams,
  /** Codes of the nodes, as in a batch. */
  nodes: z.array(z.string()),
  /** Sources, whose pixels are not read. */
  sources: z.array(BandFile),
  windows: z.array(Tile),
});
export type WindowSearch = z.infer<typeof WindowSearch>;

/** By source, for each window of the grid: the window of the source that it needs, null if it needs none. */
export const FoundWindows = z.record(z.string(), z.array(Tile.nullable()));
export type FoundWindows = z.infer<typeof FoundWindows>;

/** The result of a search: windows, or the source that cannot be read. */
export const WindowsFound = z.union([
  z.object({ windows: FoundWindows }),
  z.object({ unreadable: z.string() }),
]);
export type WindowsFound = z.infer<typeof WindowsFound>;

/** Blocks of a grid in which inputs are varied, one after the other. */
export const InputMoves = z.object({
  grid: ReferenceGrid,
  params: LandscapeParams,
  /** Codes of the nodes of the zoning, ascending, the zoning last. */
  nodes: z.array(z.string()),
  /** All bands that these nodes read and do not compute, always including the elevation. */
  sources: z.array(BandFile),
  blocks: z.array(Tile),
  /** Keys of the numeric sources that are varied. */
  moved: z.array(z.string()),
  /** The relative change of an input, above 0 and below 1. */
  delta: z.number().positive().lt(1),
});
export type InputMoves = z.infer<typeof InputMoves>;

const SquareMetres = z.number().nonnegative();

/** Areas of one block; arrays are in the order of `moved`. For a grid that does not lie on the earth, numbers of pixels. */
export const MovedBlock = z.object({
  /** Area where the zoning has a value. */
  zoned: SquareMetres,
  /** Area where the value changes when the input is decreased, and increased. */
  decreased: z.array(SquareMetres),
  increased: z.array(SquareMetres),
});
export type MovedBlock = z.infer<typeof MovedBlock>;

/** The only request that a child process receives from the landscape engine. */
export const LandscapeRequest = z.discriminatedUnion('task', [
  z.object({ task: z.literal('inspect'), work: Inspection }),
  z.object({ task: z.literal('find-windows'), work: WindowSearch }),
  z.object({ task: z.literal('compute'), work: Batch }),
  z.object({ task: z.literal('move-inputs'), work: InputMoves }),
  z.object({ task: z.literal('make-input'), work: InputWork }),
]);

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
  compute(task: ComputeTask<Batch>): Promise<BatchResult>;
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

/** Pixels of a source could not be read although its headers could. */
export class SourceUnreadable extends Error {
  override readonly name = 'SourceUnreadable';
  /** The key of the band: the key of a leaf or the code of a node. */
  readonly key: string;

  constructor(key: string, options?: ErrorOptions) {
    super(`the raster of ${key} cannot be read`, options);
    this.key = key;
  }
}

/** A batch needs pixels that the file of a source does not contain. */
export class OutsideWindows extends Error {
  override readonly name = 'OutsideWindows';
  /** The key of the band. */
  readonly key: string;

  constructor(key: string) {
    super(`the file of ${key} has no pixels where they are needed`);
    this.key = key;
  }
}

import { z } from 'zod';
import { SourceCounts } from '../grid/sample.ts';
import { TileGaps } from './count-gaps.ts';
import { ReferenceGrid } from '../grid/reference-grid.ts';
import { LandscapeParams } from '../model/params.ts';

const Tile = z.object({
  x: z.int().nonnegative(),
  y: z.int().nonnegative(),
  width: z.int().positive(),
  height: z.int().positive(),
});

/** A raster that stands for a band of the graph, as a local file: a leaf's, a pinned one, or a reused output. */
export const BandFile = z.object({
  key: z.string(),
  path: z.string(),
  /** Where the file has pixels, in its own; outside are holes, which must not be read. Absent for a whole file. */
  windows: z.array(Tile).optional(),
});
export type BandFile = z.infer<typeof BandFile>;

/** A share of a pass over the grid, computed by one process. A value: it can be sent anywhere, and computed twice. */
export const Batch = z.object({
  grid: ReferenceGrid,
  params: LandscapeParams,
  /** Codes of the nodes to compute, in ascending order. */
  nodes: z.array(z.string()),
  /** Names of the layers to make, of sources and of no node of the batch. */
  layers: z.array(z.string()).optional(),
  /** Every band that these nodes read and do not compute, elevation always among them. */
  sources: z.array(BandFile),
  /** Computed in this order, each cut into tiles by `tilesOf`. */
  windows: z.array(Tile),
  /** An existing folder; the encoded tiles of every node are written here. */
  folder: z.string(),
  /** The keys of the sources whose gaps are counted, where they are wanted; the zoning is computed or a source, too. */
  gaps: z.array(z.string()).optional(),
  /** The encoded tiles become parts of objects, of which COGs are composed; the windows are one rectangle then. */
  arranged: z.boolean().optional(),
});
export type Batch = z.infer<typeof Batch>;

/** The result of a batch: the files of the encoded tiles of each node and layer, from fine to coarse, and the seconds that each node took. */
export const BatchResult = z.object({
  sources: z.record(z.string(), SourceCounts),
  parts: z.array(
    z.object({
      code: z.string(),
      paths: z.array(z.string()),
      /** Of arranged files: how many bytes of each, from the first on, have to be there when a COG is composed of them. */
      neededBytes: z.array(z.int().positive()).optional(),
    }),
  ),
  seconds: z.record(z.string(), z.number().nonnegative()),
  /** One for each tile, in the order of the tiles; absent unless they were wanted. */
  gaps: z.array(TileGaps).optional(),
});
export type BatchResult = z.infer<typeof BatchResult>;

/** The reason why a source cannot be used. */
export const SourceFault = z.enum(['unreadable', 'no_crs', 'no_transformation']);
export type SourceFault = z.infer<typeof SourceFault>;

/** Looks at the headers of every source before anything is computed. */
export const Inspection = z.object({ sources: z.array(BandFile) });
export type Inspection = z.infer<typeof Inspection>;

/** Faults by source. `grid` is absent when the elevation raster cannot be a reference, for which `reference` is why. */
export const InspectionResult = z.object({
  faults: z.record(z.string(), SourceFault),
  grid: ReferenceGrid.optional(),
  reference: z.enum(['no_crs', 'not_north_up']).optional(),
});
export type InspectionResult = z.infer<typeof InspectionResult>;

/** Windows of a grid for which it is sought what of each source they need. */
export const WindowSearch = z.object({
  grid: ReferenceGrid,
  params: LandscapeParams,
  /** As in a batch. */
  nodes: z.array(z.string()),
  /** Their pixels are not read. */
  sources: z.array(BandFile),
  windows: z.array(Tile),
});
export type WindowSearch = z.infer<typeof WindowSearch>;

/** By source, for each window of the grid: the pixels of the source that it needs, null where it needs none. */
export const FoundWindows = z.record(z.string(), z.array(Tile.nullable()));
export type FoundWindows = z.infer<typeof FoundWindows>;

/** The outcome of a search: windows, or the source that cannot be read. */
export const WindowsFound = z.union([
  z.object({ windows: FoundWindows }),
  z.object({ unreadable: z.string() }),
]);
export type WindowsFound = z.infer<typeof WindowsFound>;

/** Blocks of a grid on which inputs are moved, one after the other. */
export const InputMoves = z.object({
  grid: ReferenceGrid,
  params: LandscapeParams,
  /** Codes of the nodes that the zoning is computed by, ascending, the zoning last. */
  nodes: z.array(z.string()),
  /** Every band that these nodes read and do not compute, elevation always among them. */
  sources: z.array(BandFile),
  blocks: z.array(Tile),
  /** Keys of the sources of numbers that are moved. */
  moved: z.array(z.string()),
  /** By how much of its value an input is moved, above 0 and below 1. */
  delta: z.number().positive().lt(1),
});
export type InputMoves = z.infer<typeof InputMoves>;

const SquareMetres = z.number().nonnegative();

/** Areas of one block; changed ones in the order of `moved`. On a grid that lies nowhere on the earth, pixels. */
export const MovedBlock = z.object({
  /** Where the zoning has a value. */
  zoned: SquareMetres,
  /** Where it has another one with the input decreased, and increased. */
  decreased: z.array(SquareMetres),
  increased: z.array(SquareMetres),
});
export type MovedBlock = z.infer<typeof MovedBlock>;

/** The one request that a child gets from the landscape engine. */
export const LandscapeRequest = z.discriminatedUnion('task', [
  z.object({ task: z.literal('inspect'), work: Inspection }),
  z.object({ task: z.literal('find-windows'), work: WindowSearch }),
  z.object({ task: z.literal('compute'), work: Batch }),
  z.object({ task: z.literal('move-inputs'), work: InputMoves }),
]);

/** The outcome of a batch: its result, the source that cannot be read, or that is needed where its file has no pixels. */
export const Computed = z.union([
  z.object({ result: BatchResult }),
  z.object({ unreadable: z.string() }),
  z.object({ outside: z.string() }),
]);
export type Computed = z.infer<typeof Computed>;

/** The outcome of moving inputs: one for each block, in their order, or the source that cannot be read. */
export const Moved = z.union([
  z.object({ blocks: z.array(MovedBlock) }),
  z.object({ unreadable: z.string() }),
]);
export type Moved = z.infer<typeof Moved>;

/** One piece of work for a child process. */
interface ComputeTask<T> {
  readonly work: T;
  /** An existing empty folder of this task's own. */
  readonly scratch: string;
  /** Kills the child and everything it started. */
  readonly signal: AbortSignal;
}

/** PORT. Computes in child processes, one for each call. @throws {EngineDied} when a child ends without an answer. */
export interface LandscapeEngine {
  inspect(task: ComputeTask<Inspection>): Promise<InspectionResult>;
  /**
   * Finds generous windows, which a batch need not leave but in CRS that bend within some pixels.
   * @throws {SourceUnreadable} when a source cannot be opened.
   */
  findWindows(task: ComputeTask<WindowSearch>): Promise<FoundWindows>;
  /**
   * @throws {SourceUnreadable} when pixels of a source cannot be read.
   * @throws {OutsideWindows} when they lie outside the windows of its file.
   */
  compute(task: ComputeTask<Batch>): Promise<BatchResult>;
  /** Compares zonings of blocks before and after an input is moved. @throws {SourceUnreadable} when pixels of a source cannot be read. */
  moveInputs(task: ComputeTask<InputMoves>): Promise<readonly MovedBlock[]>;
}

/** Pixels of a source could not be read although its headers could. */
export class SourceUnreadable extends Error {
  override readonly name = 'SourceUnreadable';
  /** The key of the band: a leaf's key or a node's code. */
  readonly key: string;

  constructor(key: string, options?: ErrorOptions) {
    super(`the raster of ${key} cannot be read`, options);
    this.key = key;
  }
}

/** A batch needs pixels of a source where its file has none. */
export class OutsideWindows extends Error {
  override readonly name = 'OutsideWindows';
  /** The key of the band. */
  readonly key: string;

  constructor(key: string) {
    super(`the file of ${key} has no pixels where they are needed`);
    this.key = key;
  }
}

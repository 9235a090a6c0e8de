import type { Database } from '../../database/tables/tables.ts';
import { createCache } from '../../../common/cache.ts';
import { Problem } from '../../lib/errors.ts';
import type { ViewWait } from '../../maps/service/drawn-datasets.ts';
import type { PairedRaster, RasterPairs, RasterGrid } from '../../maps/service/raster-pairs.ts';
import { comparisonProblems, type GridDifference } from '../../messages/zoning/english.ts';
import { landscapeProblems } from '../../messages/runs/english.ts';
import { nodeByCode, nodes } from '../graph/graph.ts';
import type { GraphNode } from '../model/node.ts';
import { readRun } from '../runs/run-rows.ts';

/** The codes of all nodes; only nodes with classes can be compared. */
export const nodeCodes = nodes.map(({ code }) => code);

/** The numbers of all classes, as texts. */
export const classTexts = [
  ...new Set(nodes.flatMap(({ output }) => (output.type === 'uint8' ? output.classes.map(String) : []))),
];

/** Two runs and the compared node. */
export interface ComparedRuns {
  readonly a: string;
  readonly b: string;
  readonly node: string;
}

/** Rasters of classes on one grid. */
export interface ComparedRasters {
  readonly node: GraphNode;
  /** Datasets of the first and of the second run. */
  readonly datasets: readonly [string, string];
  readonly views: readonly [PairedRaster, PairedRaster];
  /** Graph versions of the first and of the second run. */
  readonly graphVersions: readonly [number, number];
}

/** The outputs of a run that has succeeded. */
interface Made {
  /** Dataset ids by the codes of nodes. */
  readonly outputs: ReadonlyMap<string, string>;
  readonly graphVersion: number;
}

const maxKept = 1000;

/** Creates the look-up of the rasters of two runs, with a cache: tiles request the same rasters again and again. */
export function createRasterFinder({ db, pairs }: { readonly db: Database; readonly pairs: RasterPairs }) {
  // The outputs of a run that has succeeded never change. A load in progress is not shared: the run may have succeeded since it began.
  const made = createCache<Made>({ max: maxKept, isLasting: () => true });

  async function readMade(id: string): Promise<Made> {
    const run = await readRun(db, id);
    if (run === undefined) throw landscapeProblems.noSuchRun();
    if (run.status !== 'succeeded') throw comparisonProblems.notSucceeded(run.status);
    const outputs = run.nodes.flatMap(({ code, outputId }) =>
      outputId === null ? [] : [[code, outputId] as const],
    );
    return { outputs: new Map(outputs), graphVersion: run.graphVersion ?? 1 };
  }

  async function open(id: string, { output }: GraphNode, wait: ViewWait): Promise<PairedRaster> {
    return await pairs.open(id, wait).catch((error: unknown) => {
      const isGone = error instanceof Problem && error.code === 'not_found';
      throw isGone ? landscapeProblems.rasterOfRunGone(output.group) : error;
    });
  }

  async function refuseOtherGrid([a, b]: ComparedRasters['views']): Promise<void> {
    // A run that has reused the raster of the other run.
    if (a.cogKey === b.cogKey) return;
    const [gridOfA, gridOfB] = [await pairs.gridOf(a), await pairs.gridOf(b)];
    if (gridOfA === undefined || gridOfB === undefined) throw comparisonProblems.noGrid();
    const differences = gridDifferences(gridOfA, gridOfB);
    if (differences.length > 0) throw comparisonProblems.otherGrid(differences);
  }

  /**
   * Finds the rasters of a node in two runs.
   * @throws {Problem} `not_found` without a run or when a raster was deleted, `conflict` when a run has not succeeded, `invalid` for a
   * node without classes and for different grids.
   */
  return async ({ a, b, node: code }: ComparedRuns, wait: ViewWait): Promise<ComparedRasters> => {
    const read = async (id: string) => await made.get(id, async () => await readMade(id));
    const [ofA, ofB] = [await read(a), await read(b)];
    const node = nodeByCode(code);
    if (node?.output.type !== 'uint8') throw comparisonProblems.notClasses(code);
    const [first, second] = [ofA.outputs.get(code), ofB.outputs.get(code)];
    if (first === undefined || second === undefined)
      throw landscapeProblems.rasterOfRunGone(node.output.group);
    const views = [await open(first, node, wait), await open(second, node, wait)] as const;
    await refuseOtherGrid(views);
    const graphVersions = [ofA.graphVersion, ofB.graphVersion] as const;
    return { node, datasets: [first, second], views, graphVersions };
  };
}

/** Tolerance at the far corner for two notations of the same grid, in pixels. */
const tolerancePixels = 1e-3;

/** Lists the differences between two grids; empty when their pixels coincide. */
export function gridDifferences(a: RasterGrid, b: RasterGrid): readonly GridDifference[] {
  const isNear = (one: number, other: number, within: number) => Math.abs(one - other) <= within;
  const [nearX, nearY] = [tolerancePixels * a.resX, tolerancePixels * a.resY];
  const hasSameCrs = a.crs === b.crs;
  const hasSameOrigin = isNear(a.left, b.left, nearX) && isNear(a.top, b.top, nearY);
  const hasSamePixels = isNear(a.resX, b.resX, nearX / a.width) && isNear(a.resY, b.resY, nearY / a.height);
  const hasSameSize = a.width === b.width && a.height === b.height;
  const differences: readonly (GridDifference | false)[] = [
    !hasSameCrs && { of: 'crs', a: a.crsName, b: b.crsName },
    !hasSameOrigin && { of: 'origin', a: [a.left, a.top], b: [b.left, b.top] },
    !hasSamePixels && { of: 'pixel_size', a: [a.resX, a.resY], b: [b.resX, b.resY] },
    !hasSameSize && { of: 'size', a: [a.width, a.height], b: [b.width, b.height] },
  ];
  return differences.filter((difference) => difference !== false);
}

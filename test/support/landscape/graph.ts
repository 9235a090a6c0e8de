import { createTileEvaluator, type Pixels } from '../../../src/landscape/compute/evaluate-tile.ts';
import { floatNoData } from '../../../src/landscape/model/bands.ts';
import { nodeByCode, nodes } from '../../../src/landscape/graph/graph.ts';
import type { ReferenceGrid } from '../../../src/landscape/grid/reference-grid.ts';
import { type Tile, windowsOf, withHalo } from '../../../src/landscape/model/tiles.ts';
import type { GraphNode } from '../../../src/landscape/model/node.ts';
import { leaves } from '../../../src/landscape/model/leaves.ts';
import { LandscapeParams } from '../../../src/landscape/model/params.ts';

/** A grid in the form of the golden data; `crs` is `projected`, `geographic` or `mercator`. */
interface GoldenGrid {
  readonly crs: string;
  readonly left: number;
  readonly top: number;
  readonly res: readonly number[];
  readonly rows: number;
  readonly cols: number;
}

export type Rasters = ReadonlyMap<string, Pixels>;

export function gridOf({ crs, left, top, res, rows, cols }: GoldenGrid): ReferenceGrid {
  const [resX = 0, resY = 0] = res;
  return { width: cols, height: rows, left, top, resX, resY, crs: crsOf(crs), wkt: '' };
}

function crsOf(crs: string): ReferenceGrid['crs'] {
  switch (crs) {
    case 'projected':
      return { kind: 'projected', metresPerUnit: 1 };
    case 'geographic':
      return { kind: 'geographic', degreesPerUnit: 1 };
    case 'mercator':
      return { kind: 'web-mercator' };
    default:
      throw new Error(`no such CRS in the golden data: ${crs}`);
  }
}

/** Returns the node of a code. */
export function nodeOf(code: string): GraphNode {
  const node = nodeByCode(code);
  if (node === undefined) throw new Error(`no node ${code}`);
  return node;
}

/** Leaves by key, from numbers and null for no value. */
export function leavesOf(values: Readonly<Record<string, readonly (number | null)[]>>): Rasters {
  return new Map(
    leaves.map(({ key, type }): [string, Pixels] => {
      const row = values[key] ?? [];
      return type === 'float32'
        ? [key, Float32Array.from(row, (value) => value ?? floatNoData)]
        : [key, Uint8Array.from(row, (value) => value ?? 0)];
    }),
  );
}

/** Evaluates one node on a row of pixels of its inputs by key, without the elevation. */
export function evaluateNode(node: GraphNode, pixels: Rasters, params: object = {}): Pixels {
  const length = Math.max(...Array.from(pixels.values(), (row) => row.length));
  const grid = gridOf({ crs: 'projected', left: 0, top: 0, res: [1, 1], rows: 1, cols: length });
  const tile = { x: 0, y: 0, width: length, height: 1 };
  const evaluator = createTileEvaluator({ nodes: [node], grid, params: LandscapeParams.parse(params) });
  const elevation = { values: new Float32Array(length), window: tile };
  const output = evaluator.evaluate(tile, { pixels, elevation }).get(node.code);
  if (output === undefined) throw new Error(`no output of ${node.code}`);
  return output;
}

/** All nodes on a whole grid, computed in tiles of `side` pixels. */
export function evaluateGraph(
  grid: ReferenceGrid,
  rasters: Rasters,
  { params = {}, side = 1024 }: { readonly params?: object; readonly side?: number } = {},
): Rasters {
  const evaluator = createTileEvaluator({ nodes, grid, params: LandscapeParams.parse(params) });
  const whole = { x: 0, y: 0, width: grid.width, height: grid.height };
  const results = new Map(nodes.map(({ code, output: { type } }) => [code, pixelsFor(type, whole)]));
  const dem = rasters.get('dem');
  if (!(dem instanceof Float32Array)) throw new Error('no elevation');
  for (const tile of windowsOf(grid, side)) {
    const window = withHalo(tile, evaluator.halo, grid);
    const values = new Float32Array(window.width * window.height);
    copy({ from: dem, of: whole, to: values, by: window }, window);
    const pixels = new Map([...rasters].map(([key, raster]) => [key, cut(raster, grid, tile)]));
    const outputs = evaluator.evaluate(tile, { pixels, elevation: { values, window } });
    for (const [code, result] of results) {
      const output = outputs.get(code);
      if (output === undefined) throw new Error(`no output of ${code}`);
      copy({ from: output, of: tile, to: result, by: whole }, tile);
    }
  }
  return results;
}

function pixelsFor(type: 'float32' | 'uint8', { width, height }: Tile): Pixels {
  return type === 'float32' ? new Float32Array(width * height) : new Uint8Array(width * height);
}

function cut(raster: Pixels, grid: ReferenceGrid, tile: Tile): Pixels {
  const part = pixelsFor(raster instanceof Float32Array ? 'float32' : 'uint8', tile);
  copy(
    { from: raster, of: { x: 0, y: 0, width: grid.width, height: grid.height }, to: part, by: tile },
    tile,
  );
  return part;
}

/** Copies the pixels of `tile` between arrays of two rectangles. */
function copy(
  { from, of, to, by }: { from: Pixels; of: Tile; to: Pixels; by: Tile },
  { x, y, width, height }: Tile,
): void {
  for (let row = y; row < y + height; row += 1) {
    const start = (row - of.y) * of.width + x - of.x;
    to.set(from.subarray(start, start + width), (row - by.y) * by.width + x - by.x);
  }
}

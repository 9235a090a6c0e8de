import type { Band, ClassBand, Elevation, FloatBand, TileBands, Lags } from '../model/bands.ts';
import { type ReferenceGrid, pixelSizeAt, lagsOf } from '../grid/reference-grid.ts';
import { maxTileSide, type Tile } from '../model/tiles.ts';
import { elevation } from '../model/leaves.ts';
import type { GraphNode } from '../model/node.ts';
import type { LandscapeParams } from '../model/params.ts';
import type { Layer, LayerPixels } from '../model/layer.ts';

/** One element per pixel of a tile, row by row. */
export type Pixels = Float32Array | Uint8Array;

export interface TileSources {
  /** Pixels by key of the band. A band here takes precedence over a node of the evaluation: it is pinned. */
  readonly pixels: ReadonlyMap<string, Pixels>;
  /** Its window is the tile with the halo of the evaluator, clipped to the grid. */
  readonly elevation: Elevation;
}

export interface TileEvaluator {
  /** Columns and rows around a tile that the elevation must include. */
  readonly halo: Halo;
  /** Computes all nodes on a tile of at most `maxTileSide` pixels per side. The call after the next overwrites the arrays. */
  evaluate(tile: Tile, sources: TileSources): ReadonlyMap<string, Pixels>;
  /** The time that each node has taken, in seconds, by code. */
  seconds(): ReadonlyMap<string, number>;
}

export interface Halo {
  readonly columns: number;
  readonly rows: number;
}

interface Evaluation {
  /** Nodes in the order of their codes. */
  readonly nodes: readonly GraphNode[];
  readonly grid: ReferenceGrid;
  readonly params: LandscapeParams;
  /** Pixels of the largest tile; by default the maximum tile size. */
  readonly mostPixels?: number;
}

/** Creates the evaluator of nodes in memory, tile by tile. Bands that the nodes do not compute come from the sources. */
export function createTileEvaluator({ nodes, grid, params, mostPixels }: Evaluation): TileEvaluator {
  const lags = lagsOf(grid);
  const pixelSize = (row: number) => pixelSizeAt(grid, row);
  const capacity = mostPixels ?? Math.min(maxTileSide, grid.width) * Math.min(maxTileSide, grid.height);
  const createBuffers = () => nodes.map((node) => ({ node, buffer: bufferOf(node.output, capacity) }));
  let [buffers, otherBuffers] = [createBuffers(), createBuffers()];
  const seconds = new Map(nodes.map(({ code }) => [code, 0]));
  return {
    halo: haloOf(nodes, lags),
    evaluate(tile, sources) {
      const outputs = new Map<string, Pixels>();
      [buffers, otherBuffers] = [otherBuffers, buffers];
      for (const { node, buffer } of buffers) {
        const output = buffer.subarray(0, tile.width * tile.height);
        const startedAt = performance.now();
        node.evaluate(bandsOf(node, output, { sources, outputs }), { tile, pixelSize, lags, params });
        seconds.set(node.code, (seconds.get(node.code) ?? 0) + (performance.now() - startedAt) / 1000);
        outputs.set(node.code, output);
      }
      return outputs;
    },
    seconds: () => seconds,
  };
}

/** Returns the halo of elevation that nodes need around a tile, in pixels. */
export function haloOf(nodes: readonly GraphNode[], lags: Lags): Halo {
  const reaches = nodes.map(({ halo }) => reachOf(halo, lags));
  return {
    columns: Math.max(0, ...reaches.map(({ x }) => x)),
    rows: Math.max(0, ...reaches.map(({ y }) => y)),
  };
}

function reachOf(halo: GraphNode['halo'], lags: Lags): Lags {
  if (halo === 'lag') return lags;
  return halo === 'pixel' ? { x: 1, y: 1 } : { x: 0, y: 0 };
}

function bufferOf({ type }: Band, length: number): Pixels {
  return type === 'float32' ? new Float32Array(length) : new Uint8Array(length);
}

interface Computed {
  readonly sources: TileSources;
  /** Outputs of the preceding nodes. */
  readonly outputs: ReadonlyMap<string, Pixels>;
}

/** Returns only the bands that a node has declared, and its output: its fingerprint does not cover any other band. */
function bandsOf(node: GraphNode, output: Pixels, { sources, outputs }: Computed): TileBands {
  const pixelsOf = (band: Band): Pixels => {
    if (band === node.output) return output;
    declared(band);
    const pixels = sources.pixels.get(band.key) ?? outputs.get(band.key);
    if (pixels?.length !== output.length) throw new Error(`node ${node.code} has no pixels of ${band.key}`);
    return pixels;
  };
  const declared = (band: Band): void => {
    if (!node.inputs.includes(band)) throw new Error(`node ${node.code} does not declare ${band.key}`);
  };
  return {
    floats: (band: FloatBand) => {
      const pixels = pixelsOf(band);
      if (pixels instanceof Float32Array) return pixels;
      throw new Error(`the pixels of ${band.key} are not float32`);
    },
    classes: (band: ClassBand) => {
      const pixels = pixelsOf(band);
      if (pixels instanceof Uint8Array) return pixels;
      throw new Error(`the pixels of ${band.key} are not uint8`);
    },
    elevation: () => {
      declared(elevation);
      return sources.elevation;
    },
  };
}

/** Creates the evaluator of a layer, tile by tile. The call after the next overwrites the returned array. */
export function createLayerEvaluator(layer: Layer) {
  const capacity = maxTileSide * maxTileSide;
  const createRoom = () =>
    layer.dataType === 'UInt16' ? new Uint16Array(capacity) : new Uint8Array(capacity);
  let [room, otherRoom] = [createRoom(), createRoom()];
  return {
    /** Evaluates a tile. @param pixels of the inputs on the tile, by key */
    evaluate({ width, height }: Tile, pixels: ReadonlyMap<string, Pixels>): LayerPixels {
      [room, otherRoom] = [otherRoom, room];
      const output = room.subarray(0, width * height);
      const pixelsOf = (band: Band): Pixels => {
        const found = layer.inputs.includes(band) ? pixels.get(band.key) : undefined;
        if (found?.length !== output.length)
          throw new Error(`layer ${layer.name} has no pixels of ${band.key}`);
        return found;
      };
      const wrongType = ({ key }: Band) => new Error(`the pixels of ${key} are of another type`);
      layer.evaluate(
        {
          floats: (band) => {
            const found = pixelsOf(band);
            if (found instanceof Float32Array) return found;
            throw wrongType(band);
          },
          classes: (band) => {
            const found = pixelsOf(band);
            if (found instanceof Uint8Array) return found;
            throw wrongType(band);
          },
        },
        output,
      );
      return output;
    },
  };
}

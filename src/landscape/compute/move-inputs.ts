import type { RasterReader } from '../../geo/raster-reader.ts';
import { bandByKey, nodeByCode } from '../graph/graph.ts';
import { zoning } from '../graph/zoning-inputs.ts';
import { createCellAreas } from '../grid/cell-areas.ts';
import { crsOf, type ReferenceGrid } from '../grid/reference-grid.ts';
import { type Band, classNoData, type Elevation, floatNoData } from '../model/bands.ts';
import { elevation } from '../model/leaves.ts';
import type { GraphNode } from '../model/node.ts';
import type { LandscapeParams } from '../model/params.ts';
import { type Tile, withHalo } from '../model/tiles.ts';
import { createTileEvaluator, type Pixels } from './evaluate-tile.ts';
import type { InputMoves, MovedBlock } from './landscape-engine.ts';
import { openSources } from './sources.ts';

interface ReadBlock {
  readonly pixels: ReadonlyMap<string, Pixels>;
  readonly elevation: Elevation;
}

/** Computes the zoning of blocks, unchanged and with each input varied, and compares the results. @throws {SourceUnreadable} */
export async function moveInputs(reader: RasterReader, moves: InputMoves): Promise<readonly MovedBlock[]> {
  const { grid } = moves;
  const nodes = moves.nodes.map((code) => known(nodeByCode(code), code));
  const files = moves.sources.map(({ key, path }) => ({ band: known(bandByKey(key), key), path }));
  const mostPixels = Math.max(0, ...moves.blocks.map(({ width, height }) => width * height));
  const base = createTileEvaluator({ nodes, grid, params: moves.params, mostPixels });
  const movers = moves.moved.map((key) => createMover(key, { ...moves, nodes, mostPixels }));
  const toEarth = reader.earthOf(crsOf(grid));
  const areasOf = toEarth && createCellAreas(grid, toEarth);
  using sources = await openSources(reader, grid, files);
  const counted: MovedBlock[] = [];
  for (const block of moves.blocks) {
    const window = withHalo(block, base.halo, grid);
    const around = await sources.readWindow(elevation.key, window, block);
    const read = await sources.readTile(block, elevation.key);
    if (!(around.values instanceof Float32Array)) throw new Error('elevation is no classes');
    const pixels = new Map([...read].map(([key, { values }]) => [key, values]));
    const sourcesOfBlock: ReadBlock = { pixels, elevation: { values: around.values, window } };
    const outputs = base.evaluate(block, sourcesOfBlock);
    const areas = areasOf?.(block) ?? new Float64Array(block.width * block.height).fill(1);
    const zones = classesOf(outputs.get(zoning.code));
    const changed = (sign: 1 | -1) =>
      movers.map((mover) => changedArea(zones, mover(block, sourcesOfBlock, outputs, sign), areas));
    counted.push({
      zoned: changedArea(zones, new Uint8Array(zones.length), areas),
      decreased: changed(-1),
      increased: changed(1),
    });
  }
  return counted;
}

interface MoverOptions {
  readonly nodes: readonly GraphNode[];
  readonly grid: ReferenceGrid;
  readonly params: LandscapeParams;
  readonly delta: number;
  readonly mostPixels: number;
}

/** Creates a function that computes the zoning of a block with one input varied: only dependent nodes are computed again. */
function createMover(key: string, { nodes, grid, params, delta, mostPixels }: MoverOptions) {
  const band = known(bandByKey(key), key);
  const affected = affectedBy(band, nodes);
  const evaluator = createTileEvaluator({ nodes: affected, grid, params, mostPixels });
  const isAffected = new Set(affected.map(({ code }) => code));
  return (
    block: Tile,
    { pixels, elevation: heights }: ReadBlock,
    outputs: ReadonlyMap<string, Pixels>,
    sign: 1 | -1,
  ): Uint8Array => {
    const others = [...outputs].filter(([code]) => !isAffected.has(code));
    const moved = new Map([...others, ...pixels]);
    const factor = 1 + sign * delta;
    if (band === elevation)
      return classesOf(
        evaluator
          .evaluate(block, {
            pixels: moved,
            elevation: { ...heights, values: movedPixels(band, heights.values, factor) },
          })
          .get(zoning.code),
      );
    moved.set(key, movedPixels(band, pixels.get(key), factor));
    const computed = evaluator.evaluate(block, { pixels: moved, elevation: heights });
    return classesOf(computed.get(zoning.code));
  };
}

/** Returns the nodes that depend on a band, directly or indirectly. */
function affectedBy(band: Band, nodes: readonly GraphNode[]): readonly GraphNode[] {
  const changing = new Set<Band>([band]);
  return nodes.filter(({ inputs, output }) => {
    const isAffected = inputs.some((input) => changing.has(input));
    if (isAffected) changing.add(output);
    return isAffected;
  });
}

/** Multiplies numbers, limited to the valid range of their band; missing values stay missing. */
function movedPixels(band: Band, pixels: Pixels | undefined, factor: number): Float32Array {
  if (band.type !== 'float32' || !(pixels instanceof Float32Array))
    throw new Error(`the input ${band.key} measures nothing`);
  const [least, most] = band.range ?? [-Infinity, Infinity];
  return pixels.map((value) =>
    value === floatNoData ? floatNoData : Math.min(most, Math.max(least, value * factor)),
  );
}

/** Returns the area where a pixel has a class that differs from the previous one. */
function changedArea(before: Uint8Array, after: Uint8Array, areas: Float64Array): number {
  let area = 0;
  for (let i = 0; i < before.length; i += 1)
    if (before[i] !== classNoData && before[i] !== after[i]) area += areas[i] ?? 0;
  return area;
}

function classesOf(pixels: Pixels | undefined): Uint8Array {
  if (!(pixels instanceof Uint8Array)) throw new Error('the zoning was not computed');
  return pixels;
}

function known<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new Error(`the graph knows no ${name}`);
  return found;
}

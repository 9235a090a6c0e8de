import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { GeoEngine, SourceTask } from '../geo/engine.ts';
import { type SourceChoice, type SourceDescription, sourceLimits, type SourceTile } from '../geo/source.ts';
import type { Attempt } from '../jobs/handler.ts';
import type { LandscapeEngine } from '../landscape/compute/landscape-engine.ts';
import { invalidFields } from '../lib/errors.ts';
import { Message } from '../lib/message.ts';
import { rasterFaults } from '../messages/sources/english.ts';
import type { ChosenTile, MosaicFigures, RastersInput } from './schema.ts';

/** Overlap of two tiles, as a share of the smaller one, from which they are two coverages. */
const sameAreaShare = 0.5;
const namedGrids = 4;

/**
 * Returns the tiles of a mosaic, first the one whose grid the others are resampled onto.
 * @throws {Problem} `invalid` for tiles that are not one coverage, and for several grids unless one is chosen.
 */
export function chooseTiles(
  { tiles: all = [] }: SourceDescription,
  { tiles: names, onto, crs }: RastersInput,
): readonly ChosenTile[] {
  const chosen = (names === undefined ? all.map(({ name }) => name) : [...new Set(names)]).map((name) => {
    const index = all.findIndex((tile) => tile.name === name);
    const tile = all[index];
    if (tile === undefined) throw invalidFields({ tiles: rasterFaults.noTile(name) });
    if (tile.refusal !== undefined) {
      const { message, sentence } = tile.refusal;
      throw invalidFields({ tiles: rasterFaults.refusedTile(name, new Message(message, sentence)) });
    }
    return { ...tile, index };
  });
  if (chosen.some((tile) => tile.crs === undefined)) {
    if (crs === undefined) throw invalidFields({ crs: rasterFaults.noCrs });
  } else if (crs !== undefined) throw invalidFields({ crs: rasterFaults.knownCrs });
  refuseSameArea(chosen);
  const base = onto === undefined ? chosen[0] : chosen.find(({ name }) => name === onto);
  if (base === undefined) throw invalidFields({ onto: rasterFaults.notChosen(onto ?? '') });
  const grids = Map.groupBy(chosen, ({ set }) => set);
  if (grids.size > 1 && onto === undefined) {
    const examples = [...grids.values()].slice(0, namedGrids).flatMap(([tile]) => tile?.name ?? []);
    throw invalidFields({ onto: rasterFaults.severalGrids(grids.size, examples.join(', ')) });
  }
  return [base, ...chosen.filter((tile) => tile !== base)].map(({ index, name, type }) => ({
    index,
    name,
    type,
  }));
}

/** Tiles of other coverages, such as a mask beside the heights, lie upon each other. @throws {Problem} `invalid` */
function refuseSameArea(tiles: readonly SourceTile[]): void {
  const boxes = tiles.flatMap(({ name, grid, set, width, height }) =>
    grid === undefined
      ? []
      : [
          {
            name,
            set,
            ...grid,
            right: grid.left + width * grid.cell_width,
            bottom: grid.top - height * grid.cell_height,
          },
        ],
  );
  const areaOf = (box: {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  }) => Math.max(0, box.right - box.left) * Math.max(0, box.top - box.bottom);
  for (const [index, one] of boxes.entries()) {
    for (const other of boxes.slice(index + 1)) {
      if (one.set !== other.set) continue;
      const common = areaOf({
        left: Math.max(one.left, other.left),
        right: Math.min(one.right, other.right),
        top: Math.min(one.top, other.top),
        bottom: Math.max(one.bottom, other.bottom),
      });
      if (common > sameAreaShare * Math.min(areaOf(one), areaOf(other)))
        throw invalidFields({ tiles: rasterFaults.sameArea(one.name, other.name) });
    }
  }
}

interface Mosaic {
  readonly tiles: readonly ChosenTile[];
  readonly choice: SourceChoice;
}

/** All values of a byte but 0, which means none in a mosaic of bytes. */
const bytes = Array.from({ length: 255 }, (_, index) => index + 1);

/**
 * Puts tiles together on the grid of the first one: each cell takes the first value that a tile has, in the order of their names. Bytes
 * stay bytes if 0 is not a value of them; all other values become real numbers in single precision.
 * @throws {Problem} if a tile cannot be read.
 */
export async function makeMosaic(
  { geo, landscape }: { readonly geo: GeoEngine; readonly landscape: Pick<LandscapeEngine, 'makeInput'> },
  { scratch, signal }: Attempt,
  source: SourceTask,
  { tiles, choice }: Mosaic,
): Promise<{ readonly path: string; readonly figures: MosaicFigures }> {
  const paths: string[] = [];
  for (let at = 0; at < tiles.length; at += sourceLimits.rastersAtOnce) {
    const folder = join(scratch, `tiles-${at}`);
    await mkdir(folder);
    const choices = tiles
      .slice(at, at + sourceLimits.rastersAtOnce)
      .map(({ index }) => ({ ...choice, tile: index }));
    const made = await geo.makeRasters({ ...source, scratch: folder, choices });
    paths.push(...made.map(({ path }) => path));
  }
  const sources = paths.map((path, index) => ({ role: 'raster' as const, key: String(index), path }));
  const combine = async (name: string, classes: number[] | null) => {
    const [folder, own] = [join(scratch, name), join(scratch, `${name}-engine`)];
    await mkdir(folder);
    await mkdir(own);
    const recipe = { method: 'mosaic', rule: 'first' } as const;
    return await landscape.makeInput({ work: { recipe, sources, classes, folder }, scratch: own, signal });
  };
  const asBytes = tiles.every(({ type }) => type === 'Byte') ? await combine('bytes', bytes) : undefined;
  const { path, figures } =
    asBytes === undefined || (asBytes.figures.invalid ?? 0) > 0 ? await combine('numbers', null) : asBytes;
  const { width, height, valid, overlap, largest_difference: difference } = figures;
  return {
    path,
    figures: {
      tiles: tiles.length,
      cells: width * height,
      valid,
      overlap: overlap ?? 0,
      largest_difference: difference,
    },
  };
}

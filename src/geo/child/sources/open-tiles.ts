import { Problem } from '../../../lib/errors.ts';
import { readablePath } from '../../../lib/readable.ts';
import { sourceProblems } from '../../../messages/sources/english.ts';
import { openArchive } from '../../formats/zip/archive.ts';
import { sourceLimits, type SourceTile, type SourceVariable } from '../../source.ts';
import { isSameReference } from './reference.ts';
import type { Source } from './source.ts';
import { findTiles, openTile, type OpenTile, type TileMember } from './tile-members.ts';

/**
 * Opens a ZIP of tiles that together cover an area. Each band that all tiles have is a variable; a choice names one tile, because the
 * mosaic is made of the rasters of its tiles. One tile at a time is unpacked.
 * @throws {Problem} for a malicious archive, one without tiles, and one whose tiles are all damaged.
 */
export async function openTiles(path: string, folder: string): Promise<Source> {
  const archive = await openArchive(path);
  try {
    const members = findTiles(archive.members);
    let current: OpenTile | undefined;
    const open = async (member: TileMember): Promise<OpenTile> => {
      await current?.close();
      current = undefined;
      return (current = await openTile(member, folder));
    };
    const close = async (): Promise<void> => {
      await current?.close();
      archive[Symbol.dispose]();
    };
    return {
      description: async () => await describeTiles(members, open),
      async plan({ tile = -1, ...choice }) {
        const member = members[tile];
        if (member === undefined) throw sourceProblems.noVariable(String(tile));
        const { source, crs } = await open(member);
        const planned = await source.plan(choice);
        return { ...planned, crs: planned.crs ?? crs };
      },
      close,
    };
  } catch (error) {
    archive[Symbol.dispose]();
    throw error;
  }
}

type DescribedTile = SourceTile & { readonly variables: readonly SourceVariable[] };

async function describeTiles(
  members: readonly TileMember[],
  open: (member: TileMember) => Promise<OpenTile>,
): Promise<ReturnType<typeof summaryOf>> {
  const sets: SourceTile[] = [];
  const tiles: DescribedTile[] = [];
  const faults: Problem[] = [];
  for (const member of members) {
    const name = readablePath(member.name);
    try {
      const { source, crs: besides } = await open(member);
      const { variables } = await source.description();
      const [first] = variables;
      if (first?.grid === undefined) throw sourceProblems.noCoordinates();
      const { width, height, type, grid, crs = besides } = first;
      const tile = { name, width, height, type, grid, crs, set: 0 };
      const known = sets.findIndex((one) => isOnGridOf(one, tile));
      const set = known === -1 ? sets.push(tile) - 1 : known;
      tiles.push({ ...tile, set, variables });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      faults.push(error);
      const { message, sentence } = error;
      tiles.push({ name, width: 0, height: 0, type: '', refusal: { message, sentence }, variables: [] });
    }
  }
  if (faults.length === tiles.length) throw faults[0] ?? sourceProblems.damaged();
  return summaryOf(tiles, sets.length);
}

/** Largest deviation of cells of one grid, in cells. */
const tolerance = 1e-3;

function isOnGridOf(one: SourceTile, other: SourceTile): boolean {
  if (one.grid === undefined || other.grid === undefined || !isSameReference(one.crs, other.crs))
    return false;
  const { left, top, cell_width: cellWidth, cell_height: cellHeight } = one.grid;
  const columns = (other.grid.left - left) / cellWidth;
  const rows = (top - other.grid.top) / cellHeight;
  const right = columns + (other.width * other.grid.cell_width) / cellWidth;
  const bottom = rows + (other.height * other.grid.cell_height) / cellHeight;
  const isWhole = (cells: number): boolean => Math.abs(cells - Math.round(cells)) <= tolerance;
  return (
    [columns, rows, right, bottom].every(isWhole) &&
    Math.round(right) - Math.round(columns) === other.width &&
    Math.round(bottom) - Math.round(rows) === other.height
  );
}

function summaryOf(all: readonly DescribedTile[], sets: number) {
  const good = all.filter(({ refusal }) => refusal === undefined);
  const [first] = good;
  const bands = Math.min(sourceLimits.variables, ...good.map((tile) => tile.variables.length));
  const whole = sets === 1 ? unionOf(good) : { width: 0, height: 0, grid: undefined };
  const variables = (first?.variables ?? []).slice(0, bands).map((variable): SourceVariable => {
    const types = new Set(
      good.map((tile) => tile.variables.find(({ name }) => name === variable.name)?.type),
    );
    return { ...variable, ...whole, type: types.size === 1 ? variable.type : 'Float32', crs: first?.crs };
  });
  const tiles = all.map(({ variables: _variables, ...tile }): SourceTile => tile);
  return { variables, axes: [], left_out: 0, tiles };
}

function unionOf(tiles: readonly SourceTile[]) {
  const grids = tiles.flatMap(({ grid, width, height }) =>
    grid === undefined ? [] : [{ ...grid, width, height }],
  );
  const { cell_width: cellWidth, cell_height: cellHeight } = grids[0] ?? {
    cell_width: NaN,
    cell_height: NaN,
  };
  const left = Math.min(...grids.map((grid) => grid.left));
  const top = Math.max(...grids.map((grid) => grid.top));
  const right = Math.max(...grids.map((grid) => grid.left + grid.width * grid.cell_width));
  const bottom = Math.min(...grids.map((grid) => grid.top - grid.height * grid.cell_height));
  return {
    width: Math.round((right - left) / cellWidth),
    height: Math.round((top - bottom) / cellHeight),
    grid: { left, top, cell_width: cellWidth, cell_height: cellHeight },
  };
}

import { open } from 'node:fs/promises';
import { sourceProblems } from '../../../messages/sources/english.ts';
import type { Source } from './source.ts';

/** Columns and rows by the number of bytes: heights in 3″ and in 1″, which have half of the columns in the far north. */
const sizes: ReadonlyMap<number, readonly [columns: number, rows: number]> = new Map(
  [
    [1201, 1201],
    [1801, 3601],
    [3601, 3601],
  ].map(([columns = 0, rows = 0]) => [2 * columns * rows, [columns, rows]]),
);
const noData = -32_768;

/**
 * Opens heights of SRTM: 16-bit integers, high byte first, in rows from the north. The name tells the degree, and the cells lie on its
 * edges, so that neighbours share a row or a column.
 * @throws {Problem} for another name or size.
 */
export async function openHeightGrid(path: string, name: string): Promise<Source> {
  const file = await open(path);
  const { size } = await file.stat();
  const [width, height] = sizes.get(size) ?? [0, 0];
  const [, north, latitude = '', east, longitude = ''] =
    /(?:^|\/)([NS])(\d\d)([EW])(\d{3})[^/]*$/i.exec(name) ?? [];
  if (width === 0 || north === undefined || east === undefined) {
    await file.close();
    throw sourceProblems.notHeights();
  }
  const [cellWidth, cellHeight] = [1 / (width - 1), 1 / (height - 1)];
  const south = Number(latitude) * (/n/i.test(north) ? 1 : -1);
  const west = Number(longitude) * (/e/i.test(east) ? 1 : -1);
  const [left, top] = [west - cellWidth / 2, south + 1 + cellHeight / 2];
  const [type, crs, unit] = ['Int16', 'EPSG:4326', 'm'] as const;
  const grid = { left, top, cell_width: cellWidth, cell_height: cellHeight };
  return {
    description: () => ({
      variables: [{ name: 'band 1', type, width, height, grid, crs, unit, axes: [] }],
      axes: [],
      left_out: 0,
    }),
    plan: () => ({
      width,
      height,
      left,
      top,
      cellWidth,
      cellHeight,
      crs,
      type,
      noData,
      unit,
      scale: undefined,
      offset: undefined,
      title: 'band 1',
      async readRows(first, count) {
        const bytes = Buffer.alloc(2 * count * width);
        const { bytesRead } = await file.read(bytes, 0, bytes.length, 2 * first * width);
        if (bytesRead < bytes.length) throw sourceProblems.damaged();
        const values = new Float64Array(count * width);
        for (let i = 0; i < values.length; i += 1) values[i] = bytes.readInt16BE(2 * i);
        return values;
      },
    }),
    close: async () => await file.close(),
  };
}

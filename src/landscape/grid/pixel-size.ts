import type { PixelSize, Lags } from '../model/bands.ts';
import type { ReferenceGrid } from './reference-grid.ts';

/** Radius of the sphere of EPSG:3857, metres. */
const mercatorRadius = 6378137;

/** Distance of the points that terrain ruggedness compares, metres. */
const lagMetres = 1000;
const maxLag = 128;

/**
 * Size on the ground of the pixels of a row, metres, at the centre of the row. `row` is absolute, so that a tile finds what
 * any other would. Degrees by the series of WGS 84; EPSG:3857 stretches by 1 / cos(latitude).
 */
export function pixelSizeAt(grid: ReferenceGrid, row: number): PixelSize {
  const { crs, resX, resY } = grid;
  if (crs.kind === 'projected') return { dx: resX * crs.metresPerUnit, dy: resY * crs.metresPerUnit };
  const y = grid.top - (row + 0.5) * resY;
  if (crs.kind === 'web-mercator') {
    const scale = Math.cos(2 * Math.atan(Math.exp(y / mercatorRadius)) - Math.PI / 2);
    return { dx: resX * scale, dy: resY * scale };
  }
  const latitude = y * crs.degreesPerUnit * (Math.PI / 180);
  return {
    dx: resX * crs.degreesPerUnit * metresPerDegreeOfLongitude(latitude),
    dy: resY * crs.degreesPerUnit * metresPerDegreeOfLatitude(latitude),
  };
}

/** Columns and rows that are nearest to one kilometre at the middle row of a grid. */
export function lagsOf(grid: ReferenceGrid): Lags {
  const { dx, dy } = pixelSizeAt(grid, Math.floor(grid.height / 2));
  return { x: lagOf(dx), y: lagOf(dy) };
}

function lagOf(size: number): number {
  return Math.min(maxLag, Math.max(1, Math.floor(lagMetres / size + 0.5)));
}

function metresPerDegreeOfLatitude(f: number): number {
  return 111132.954 - 559.822 * Math.cos(2 * f) + 1.175 * Math.cos(4 * f) - 0.0023 * Math.cos(6 * f);
}

function metresPerDegreeOfLongitude(f: number): number {
  return 111412.84 * Math.cos(f) - 93.5 * Math.cos(3 * f) + 0.118 * Math.cos(5 * f);
}

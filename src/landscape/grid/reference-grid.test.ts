import assert from 'node:assert/strict';
import { test } from 'node:test';
import cases from '../../../test/fixtures/landscape/cases.json' with { type: 'json' };
import { gridOf } from '../../../test/support/landscape/graph.ts';
import { type ReferenceGrid, pixelSizeAt, lagsOf } from './reference-grid.ts';

const degrees = gridOf({ crs: 'geographic', left: 70, top: 50, res: [1 / 120, 1 / 120], rows: 3, cols: 3 });
const metres: ReferenceGrid = { ...degrees, crs: { kind: 'projected', metresPerUnit: 1 } };

test('a degree is as long as the series of WGS 84 says, row by row', () => {
  const { grid, cell_metres_by_row } = cases.geographic_slope;
  assert.deepEqual([grid.top, grid.res[0], grid.rows], [degrees.top, degrees.resX, degrees.height]);
  const expected = cell_metres_by_row.map(([dx, dy]) => ({ dx, dy }));
  assert.deepEqual([pixelSizeAt(degrees, 0), pixelSizeAt(degrees, 1), pixelSizeAt(degrees, 2)], expected);
});

test('a grid in grads or radians has the pixels of the same grid in degrees', () => {
  const perUnit = 180 / Math.PI;
  const radians: ReferenceGrid = {
    ...degrees,
    top: degrees.top / perUnit,
    resX: degrees.resX / perUnit,
    resY: degrees.resY / perUnit,
    crs: { kind: 'geographic', degreesPerUnit: perUnit },
  };
  for (const row of [0, 1, 2]) {
    assertNear(pixelSizeAt(radians, row).dx, pixelSizeAt(degrees, row).dx);
    assertNear(pixelSizeAt(radians, row).dy, pixelSizeAt(degrees, row).dy);
  }
});

test('web mercator stretches a pixel by the cosine of its latitude, on both axes', () => {
  const { top, res, row, cell } = cases.mercator_cell_metres;
  const grid: ReferenceGrid = { ...metres, top, resX: res, resY: res, crs: { kind: 'web-mercator' } };
  const { dx, dy } = pixelSizeAt(grid, row);
  assert.deepEqual([dx, dy], cell);
});

test('a projected pixel has its own size times the unit of its CRS, everywhere', () => {
  const crs = { kind: 'projected', metresPerUnit: 0.3048 } as const;
  const feet: ReferenceGrid = { ...metres, resX: 100, resY: 50, crs };
  assert.deepEqual(pixelSizeAt(feet, 0), { dx: 30.48, dy: 15.24 });
  assert.deepEqual(pixelSizeAt(feet, 100_000), { dx: 30.48, dy: 15.24 });
});

test('lags are the pixels of one kilometre, 1 to 128', () => {
  const found = Object.keys(cases.lag_by_cell_size).map((size) => {
    const { x, y } = lagsOf({ ...metres, resX: Number(size), resY: Number(size) });
    return [size, [x, y]];
  });
  assert.deepEqual(Object.fromEntries(found), cases.lag_by_cell_size);
});

test('lags differ by axis where degrees do, and are those of the middle row', () => {
  const { x, y } = lagsOf(degrees);
  assert.deepEqual([x, y], cases.geographic_slope.lags);
  const toPole: ReferenceGrid = { ...degrees, top: 90, height: 60 * 120 };
  assert.deepEqual(lagsOf(toPole), { x: 2, y: 1 }, '60 degrees north');
});

function assertNear(found: number, wanted: number): void {
  assert.ok(Math.abs(found - wanted) <= 1e-9 * wanted, `${found} is not ${wanted}`);
}

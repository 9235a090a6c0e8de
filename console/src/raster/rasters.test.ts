import assert from 'node:assert/strict';
import { test } from 'node:test';
import proj4 from 'proj4';
import type { ColourMap } from '../../../common/maps/style/colour-map.ts';
import { fixture, rangesOf } from './file-ranges.for-tests.ts';
import type { Paint } from '../../../common/maps/raster/paint.ts';
import { placeOf } from './projection.ts';
import { createRasters } from './rasters.ts';

const utm18 = '+proj=utm +zone=18 +datum=NAD83 +units=m +no_defs';

async function openDsm() {
  const ranges = await rangesOf(fixture('raster/dsm_2m.tif'));
  const rasters = createRasters(ranges.fetch, 1_000_000);
  const opened = await rasters.open({ url: 'dsm' });
  const place = placeOf(opened, utm18);
  assert.ok(place);
  return { rasters, opened, place, asked: ranges.asked };
}

const inMercator = (x: number, y: number) => proj4(utm18, 'EPSG:3857', [x, y]);

test('a raster of values tells its size, spread and place', async () => {
  const { opened } = await openDsm();
  const spread = opened.spreads.get(1);
  assert.ok(spread);
  const { least, p2, p98, greatest } = spread;
  assert.ok(least <= p2 && p2 < p98 && p98 <= greatest, JSON.stringify(spread));
  assert.ok(least > -9999, 'nodata is not a value');
});

test('without any CRS there is no place', async () => {
  const { fetch } = await rangesOf(fixture('raster/no_georef.tif'));
  const opened = await createRasters(fetch, 1_000_000).open({ url: 'x' });
  assert.equal(placeOf(opened, undefined), undefined);
  assert.equal(placeOf(opened, utm18), undefined);
});

test('every drawn pixel has a colour of the palette, and restyling reads nothing', async () => {
  const { rasters, opened, place, asked } = await openDsm();
  const spread = opened.spreads.get(1);
  assert.ok(spread);
  const colours: ColourMap = {
    kind: 'intervals',
    stops: [
      { value: (spread.p2 + spread.p98) / 2, colour: [10, 20, 30, 255], label: 'low' },
      { value: Infinity, colour: [200, 100, 50, 255], label: 'high' },
    ],
  };
  const [x, y] = inMercator(...(await middleOf('raster/dsm_2m.tif')));
  assert.ok(x !== undefined && y !== undefined);
  const tile = async (paint: Paint) => {
    const lattice = place.lattice('EPSG:3857', { left: x - 100, top: y + 100, span: 200 });
    const pixels = await rasters.tile({ url: 'dsm', lattice, size: 64, paint });
    assert.ok(pixels);
    return new Set(new Uint32Array(pixels));
  };
  const [low, high] = [0xff1e140a, 0xff3264c8];
  assert.deepEqual(
    [...(await tile({ kind: 'values', band: 1, colours }))].toSorted((a, b) => a - b),
    [low, high],
  );
  const read = asked();
  assert.ok(!(await tile({ kind: 'values', band: 1, colours, only: 1 })).has(low));
  assert.equal(asked(), read);
});

test('the value under a point is that of its pixel; outside there is none', async () => {
  const { rasters, place } = await openDsm();
  const [x, y] = inMercator(...(await middleOf('raster/dsm_2m.tif')));
  assert.ok(x !== undefined && y !== undefined);
  const peek = async (x: number, y: number) => {
    const [column, row] = place.pixel('EPSG:3857', x, y);
    return await rasters.peek({ url: 'dsm', column, row });
  };
  const values = await peek(x, y);
  assert.deepEqual(values, [await gdalValueInTheMiddle('raster/dsm_2m.tif')]);
  assert.equal(await peek(x + 1e6, y), undefined);
});

async function gdalFile(path: string) {
  const { default: gdal } = await import('gdal-async');
  return gdal.open(fixture(path));
}

const middlePixel = ({ x, y }: { x: number; y: number }) => [Math.floor(x / 2), Math.floor(y / 2)] as const;

async function middleOf(path: string): Promise<[number, number]> {
  const file = await gdalFile(path);
  const [column, row] = middlePixel(file.rasterSize);
  const [x0 = 0, dx = 0, , y0 = 0, , dy = 0] = file.geoTransform ?? [];
  return [x0 + (column + 0.5) * dx, y0 + (row + 0.5) * dy];
}

async function gdalValueInTheMiddle(path: string): Promise<number> {
  const file = await gdalFile(path);
  return file.bands.get(1).pixels.get(...middlePixel(file.rasterSize));
}

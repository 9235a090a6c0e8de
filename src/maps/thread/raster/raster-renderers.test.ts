import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import gdal from 'gdal-async';
import { readSld } from '../../../../common/maps/style/sld-read.ts';
import type { RasterStyle } from '../../../../common/maps/style/sld-raster.ts';
import { drawBoth } from '../../../../test/support/maps/both-pictures.ts';
import { rendererStyles } from '../../../../test/support/maps/renderer-styles.ts';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';
import { createConversion } from '../../../../test/support/geo/raster-conversion.ts';

const side = 16;
const folder = await temporaryFolder();
const { convert } = createConversion(folder);

type Fill = (at: number, band: number) => number;

/** A small raster of a type, with a value from a formula in each pixel. */
async function rasterOf(
  name: string,
  { type, bands = 1, scale = 1, fill }: { type: string; bands?: number; scale?: number; fill: Fill },
) {
  const path = join(folder, `${name}.tif`);
  const options = bands === 3 ? ['PHOTOMETRIC=RGB'] : [];
  const raster = gdal.drivers.get('GTiff').create(path, side, side, bands, type, options);
  raster.srs = gdal.SpatialReference.fromEPSG(4326);
  raster.geoTransform = [70, 0.001, 0, 50, 0, -0.001];
  raster.bands.forEach((band, number) => {
    const values = Float64Array.from({ length: side * side }, (_, at) => fill(at, number));
    band.pixels.write(0, 0, side, side, values);
    band.noDataValue = 0;
    if (scale !== 1) band.scale = scale;
  });
  raster.close();
  return { path: (await convert(path)).cogPath, bands };
}

const rasters = {
  grey: await rasterOf('grey', { type: 'Byte', fill: (at) => at }),
  'red, green and blue': await rasterOf('rgb', {
    type: 'Byte',
    bands: 3,
    fill: (at, band) => (at * band) % 256,
  }),
  '16 bits': await rasterOf('sixteen', { type: 'UInt16', fill: (at) => at * 37 }),
  scaled: await rasterOf('scaled', { type: 'Int16', scale: 0.1, fill: (at) => at * 25 - 3000 }),
  floats: await rasterOf('floats', { type: 'Float32', fill: (at) => at * 4.1 - 100 }),
};

/** A colour map applies to one band, whatever channels the style has as well. */
const bandsOf = ({ colours, channels, band }: RasterStyle) =>
  Math.max(band, ...(colours === undefined ? (channels ?? []) : []));

const styles = await rendererStyles();

describe('A raster has the same colours in thumbnails and tiles as on the page, by the style', () => {
  for (const [name, sld] of [['no style', undefined] as const, ...Object.entries(styles)]) {
    const raster = sld === undefined ? undefined : readSld(sld).raster;
    if (sld !== undefined && raster === undefined) continue;
    test(name, async () => {
      for (const [kind, { path, bands }] of Object.entries(rasters)) {
        const wanted = raster === undefined ? 1 : bandsOf(raster);
        if (wanted > bands) {
          await assert.rejects(drawBoth(path, sld, side), new RegExp(`draws band ${wanted}`), kind);
          continue;
        }
        const { at, legend } = await drawBoth(path, sld, side);
        if (legend.kind !== 'classes') continue;
        const known = new Set(legend.entries.map(({ colour }) => colour.slice(0, 3).join()));
        for (let pixel = 0; pixel < side * side; pixel += 1) {
          const colour = at(pixel % side, Math.floor(pixel / side));
          const parts = [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
          assert.ok(colour === '.' || known.has(parts.join()), `${kind}: ${colour} is in the legend`);
        }
      }
    });
  }
});

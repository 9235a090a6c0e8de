import assert from 'node:assert/strict';
import { fromArrayBuffer } from 'geotiff';
import { fetchBytes } from '../acceptance/support/bytes.ts';
import type { Client } from '../acceptance/client.ts';
import { process } from '../acceptance/support/datasets.ts';
import { bytesOf } from '../acceptance/support/files.ts';
import { readReport } from '../acceptance/support/geojson.ts';
import { colourAt } from '../acceptance/support/maps.ts';
import { readCog, readTiff } from '../acceptance/support/rasters.ts';
import { caseFile, type FieldCase } from './case.ts';
import { drawStyled } from './style-cases.ts';

/** Uploads a raster, and asserts that its COG has its pixels. */
async function readRaster(client: Client, path: string) {
  const file = await caseFile(path);
  const dataset = await process(client, 'ready', file);
  const [source, cog] = [await readTiff(await bytesOf(file)), await readCog(client, dataset.id)];
  assert.deepEqual([cog.values, cog.type, cog.bands], [source.values, source.type, source.bands], path);
  const { bytes } = await fetchBytes(client, 200, `/datasets/${dataset.id}.cog`);
  const image = await (await fromArrayBuffer(Uint8Array.from(bytes).buffer)).getImage();
  return { ...dataset, cog, keys: { ...image.getGeoKeys() } };
}

function assertBox(actual: readonly number[] | undefined, expected: readonly number[]): void {
  for (const [index, edge] of expected.entries())
    assert.ok(Math.abs((actual?.[index] ?? NaN) - edge) < 1e-6, `${actual?.join()} for ${expected.join()}`);
}

/** Channels of a colour, from 0 to 255. */
const channelsOf = (colour: string): readonly number[] => [...Buffer.from(colour.slice(1, 7), 'hex')];

export const rasterCases: readonly FieldCase<Client>[] = [
  {
    slug: 'compound-crs',
    text: 'a system with heights lies where its plane does, and the COG keeps both',
    async check(client) {
      const { bbox, keys, cog } = await readRaster(client, 'compound-crs/dem_utm42_egm96.tif');
      assertBox(bbox, [69, 51.4457868, 69.0086347, 51.4511822]);
      assert.equal(keys['ProjectedCSTypeGeoKey'], 32_642);
      assert.equal(keys['VerticalCSTypeGeoKey'], 5773);
      assert.equal(cog.noData, -9999);
    },
  },
  {
    slug: 'qaztrf',
    text: 'QazTRF-23 is known, in degrees and in a zone, and drawn where it lies',
    async check(client) {
      const zone = await readRaster(client, 'qaztrf/qaz_gk12.tif');
      // By PROJ 9.7.1 with EPSG v12.029.
      assertBox(zone.bbox, [71.4269869, 51.070593, 71.5213395, 51.13]);
      assert.equal(zone.keys['ProjectedCSTypeGeoKey'], 10_946);
      const degrees = await readRaster(client, 'qaztrf/qaz_geo.tif');
      assertBox(degrees.bbox, [71.43, 51.066, 71.494, 51.13]);
      assert.equal(degrees.keys['GeographicTypeGeoKey'], 10_941);
      assert.equal(
        (await fetchBytes(client, 200, `/datasets/${zone.id}/tiles/12/2861/1369.png`)).status,
        200,
      );
    },
  },
  {
    slug: 'crs-says-degrees-data-metres',
    text: 'metres under GeoKeys of degrees are refused',
    async check(client) {
      const file = await caseFile('crs-says-degrees-data-metres/wgs84_tag_utm_coords.tif');
      const { parse_error } = await process(client, 'failed', file);
      assert.match(parse_error ?? '', /coordinate reference system/);
    },
  },
  {
    slug: 'nan-pixels-and-number-nodata',
    text: 'NaN and the nodata value are transparent, and infinite values have the last colours',
    async check(client) {
      const path = 'nan-pixels-and-number-nodata/nan_and_nodata.tif';
      const { coloursAt, legend } = await drawStyled(client, path);
      const places = [
        [0, 0],
        [9, 0],
        [3, 1],
        [0, 2],
        [1, 2],
        [8, 8],
      ] as const;
      const colours = await coloursAt(places);
      const [first, last] = [legend.at(0)?.[1], legend.at(-1)?.[1]];
      assert.deepEqual(colours.slice(0, 5), ['none', 'none', 'none', last, first]);
      assert.match(colours[5] ?? '', /^#/);
    },
  },
  {
    slug: 'nodata-outside-type',
    text: 'a nodata value that no pixel can have hides none, and others hide what they hide for GDAL',
    async check(client) {
      const rasters = [
        ['i16_nodata_comma.tif', false],
        ['i16_nodata_nan.tif', false],
        ['i16_nodata_text.tif', true],
        ['u16_nodata_-32768.tif', false],
        ['u8_nodata_-9999.tif', false],
        ['u8_nodata_0.5.tif', true],
      ] as const;
      const checks = rasters.map(async ([name, hidesZero]) => {
        const { coloursAt } = await drawStyled(client, `nodata-outside-type/${name}`);
        const [zero, next, last] = await coloursAt([
          [0, 0],
          [1, 0],
          [15, 15],
        ]);
        assert.equal(zero === 'none', hidesZero, `${name}: ${zero}`);
        assert.notEqual(next, 'none', name);
        assert.notEqual(last, 'none', name);
      });
      await Promise.all(checks);
    },
  },
  {
    slug: 'pixel-is-point',
    text: 'a pixel that is a point reaches half a pixel to either side, in the COG too',
    async check(client) {
      const point = await readRaster(client, 'pixel-is-point/point.tif');
      assertBox(point.bbox, [69.995, 50.965, 70.035, 51.005]);
      assert.equal(point.keys['GTRasterTypeGeoKey'], 2);
      const area = await readRaster(client, 'pixel-is-point/area.tif');
      assertBox(area.bbox, [70, 50.96, 70.04, 51]);
      assert.equal(area.keys['GTRasterTypeGeoKey'], 1);
    },
  },
  {
    slug: 'scale-offset-style-in-units',
    text: 'the report names scale and offset, and the COG keeps the stored values',
    async check(client) {
      const { id, cog } = await readRaster(client, 'scale-offset-style-in-units/ndvi_scaled.tif');
      assert.equal(Number(cog.metadata['SCALE']), 0.0001);
      const { raster } = await readReport(client, id);
      assert.match(JSON.stringify(raster), /"scales?":\[?0\.0001\b.*"offsets?":\[?0\b/);
    },
  },
  {
    slug: 'uint16-rgb-nir',
    text: 'pictures of 16 bits are stretched from the 2nd to the 98th percentile of each channel',
    async check(client) {
      const { id } = await readRaster(client, 'uint16-rgb-nir/s2rgb.tif');
      // The first pixels are 2712, 255, 2629 and 984, 2181, 824; the percentiles 261..3144, 251..3141, 256..3145.
      for (const [column, expected] of [
        [0, [216.8, 0.4, 209.5]],
        [1, [63.9, 170.3, 50.1]],
      ] as const) {
        const colour = await colourAt(client, `/datasets/${id}`, [70 + (column + 0.5) / 100, 50.995]);
        for (const [channel, value] of channelsOf(colour).entries())
          assert.ok(Math.abs(value - (expected[channel] ?? NaN)) < 6, `${colour} for ${expected.join()}`);
      }
      const four = await readRaster(client, 'uint16-rgb-nir/s2.tif');
      assert.equal(four.cog.bands, 4);
      const { bytes } = await fetchBytes(client, 200, `/datasets/${four.id}/thumbnail.png`);
      assert.ok(bytes.length > 1000);
    },
  },
];

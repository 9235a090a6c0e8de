import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../../claim.ts';
import { fetchBytes } from '../../support/bytes.ts';
import type { CategoryBody } from '../../support/catalogue.ts';
import { getDataset } from '../../support/datasets.ts';
import { assertGolden, goldenParams, goldenPixels } from '../../support/golden.ts';
import { groupOf, leaves, nodeCodes, nodes } from '../../support/graph.ts';
import {
  firstRun,
  goldenPins,
  listResults,
  nodeOf,
  outputOf,
  pixelsOf,
  succeed,
} from '../../support/landscape.ts';
import { readCog } from '../../support/rasters.ts';
import { readReport } from '../../support/geojson.ts';

claim(
  ['L6 golden', ...nodeCodes.map((code) => `L3.2 ${code}`), 'L2 scale', 'L2 types'],
  'every node gives its golden pixels',
  async (client) => {
    await assertGolden(client, await firstRun(client), 'default', nodeCodes);
  },
);

claim(
  ['L6 golden', 'L5.3 codes', 'L5.2 zones', 'L5.2 order', '2.6 LandscapeParams.v1_min_s_e3'],
  'other parameters give their golden zoning',
  async (client) => {
    const params = goldenParams('inverted_e3');
    const run = await succeed(client, { overrides: await goldenPins(client), params });
    assert.notDeepEqual(goldenPixels('inverted_e3', '34'), goldenPixels('default', '34'));
    await assertGolden(client, run, 'inverted_e3', ['32', '33', '34']);
  },
);

claim(
  ['L3.1 float output', 'L3.1 class output', 'L4 output file', '1.5 results', 'L4 grid'],
  'an output is one band of float32 with nodata -9999 or of uint8 with nodata 0, in tiles of 512, on the grid of the elevation',
  async (client) => {
    const run = await firstRun(client);
    const gridOf = ({ width, height, epsg, origin, resolution }: Awaited<ReturnType<typeof readCog>>) => ({
      width,
      height,
      epsg,
      origin,
      resolution,
    });
    const grid = {
      width: 4,
      height: 4,
      epsg: 32_642,
      origin: [500_000, 5_550_000, 0],
      resolution: [1000, -1000, 0],
    };
    const { 'landscape-in-dem': dem = '' } = await goldenPins(client);
    assert.deepEqual(gridOf(await readCog(client, dem)), grid);
    for (const { code, type } of nodes) {
      const raster = await readCog(client, outputOf(run, code));
      const { bands, noData, tile } = raster;
      const wanted = [1, type, type === 'float32' ? -9999 : 0, [512, 512]];
      assert.deepEqual([bands, raster.type, noData, tile], wanted, code);
      assert.deepEqual(gridOf(raster), grid, code);
    }
  },
);

/** First and last date of all rasters that a node depends on. */
const dates: Readonly<Record<string, readonly [start: string, end: string]>> = {
  '01': ['0200-02-11', '0200-02-22'],
  '03': ['0181-01-01', '0220-12-31'],
  '04': ['0200-02-11', '0222-09-30'],
  '14': ['0191-01-01', '0222-09-30'],
  '34': ['0181-01-01', '0222-09-30'],
};

claim(
  [
    'L4 output dataset | D6 unit | D6 meta overrides | D6 dates | L8.4 invalid pixels',
    '2.6 LandscapeRunNode.fingerprint',
  ],
  'an output is an automated, ready raster of its group in the category landscape, named, measured and dated, whose meta says what made it',
  async (client) => {
    const run = await firstRun(client);
    const results = await listResults(client);
    const categories: readonly CategoryBody[] = await client.get('/categories');
    const category = categories.find(({ code }) => code === 'landscape')?.id;
    for (const { code, title, unit, reads } of nodes) {
      const dataset = await getDataset(client, outputOf(run, code));
      const { category_id, dg_id, name, status, file_type, automated, meta, start_date, end_date } = dataset;
      const group = results.find(({ node }) => node === code)?.group_id;
      assert.deepEqual(
        [category_id, dg_id, name, dataset.unit, status, file_type, automated],
        [category, group, title, unit, 'ready', 'raster', true],
        code,
      );
      assert.deepEqual([start_date, end_date], dates[code] ?? [start_date, end_date], code);
      const { invalid_pixels: invalidPixels, ...origin } = meta ?? {};
      const { fingerprint } = nodeOf(run, code);
      const { overrides } = run;
      assert.deepEqual(origin, { run_id: run.id, node: code, fingerprint, graph_version: 1, overrides });
      for (const [read, count] of Object.entries(Object(invalidPixels)))
        assert.ok(reads.includes(read) && count === 0, read);
    }
  },
);

claim(
  ['L4 output file', '1.5 results'],
  'an output has a bbox, a file, a report and the legend of its group, like any raster',
  async (client) => {
    const run = await firstRun(client);
    for (const code of ['01', '34']) {
      const id = outputOf(run, code);
      const { bbox, dg_id, filename, content_type, size_bytes } = await getDataset(client, id);
      assert.deepEqual(
        bbox?.map((degrees) => Math.round(degrees * 100) / 100),
        [69, 50.07, 69.06, 50.1],
      );
      assert.deepEqual([filename, content_type], [`${groupOf(code)}.tif`, 'image/tiff']);
      const { bytes } = await fetchBytes(client, 200, `/datasets/${id}/download`);
      assert.equal(bytes.length, size_bytes);
      const { raster } = await readReport(client, id);
      assert.deepEqual([raster?.['width'], raster?.['height'], raster?.['crs']], [4, 4, 'EPSG:32642']);
      const own = await client.expect(200, 'GET', `/datasets/${id}/sld`);
      const shared = await client.expect(200, 'GET', `/dataset-groups/${dg_id}/sld`);
      assert.equal(own.text, shared.text);
    }
  },
);

claim(
  ['L5.3 codes'],
  'the functional zoning is what sector, zone, sensitivity and allocable land say',
  async (client) => {
    const run = await firstRun(client);
    const read = async (code: string) => await pixelsOf(client, run, code);
    const [land = [], sensitivity = [], sector = [], zone = [], zoning = []] = await Promise.all(
      ['05', '26', '32', '33', '34'].map(read),
    );
    for (const [pixel, code] of zoning.entries()) {
      const [V = 0, E = 0] = [zone[pixel], sensitivity[pixel]];
      const thirdZone = E >= 4 ? 31 : 32;
      const allocable = V === 0 ? 0 : V === 3 ? thirdZone : 10 * V + (sector[pixel] ?? 0);
      assert.equal(code, land[pixel] === 1 ? allocable : 40, `pixel ${pixel}`);
    }
  },
);

claim(
  ['L4 nodata table', 'L2 leaf nodata', 'L3.1 allocable', 'L2 protected nodata'],
  'an output has no value where an input has none; sectors and sensitivity none on water and built-up land',
  async (client) => {
    const run = await firstRun(client);
    const gapsOf = async (code: string) => {
      const { values, noData } = await readCog(client, outputOf(run, code));
      return [...values.entries()].filter(([, value]) => value === noData).map(([pixel]) => pixel);
    };
    const [water, builtUp, withoutRain] = [6, 12, 15];
    for (const [codes, gaps] of [
      ['01 02 04 05 11', []],
      ['03 12 14 34', [withoutRain]],
      ['13 24 25', [water, builtUp]],
      ['21 22 23 26 31 32 33', [water, builtUp, withoutRain]],
    ] as const) {
      for (const code of codes.split(' ')) assert.deepEqual(await gapsOf(code), gaps, code);
    }
  },
);

checkedElsewhere('src/landscape/graph/golden.test.ts', {
  'slope and ruggedness know the size of a pixel in degrees': ['L3.3 ground'],
  'every tie is broken as the table says': ['L5.1 ties'],
  'all 25 zones are those of the truth table': ['L5.2 zones'],
});
checkedElsewhere('src/landscape/grid/alignment.test.ts', {
  'EPSG:${epsg} is interpolated where the pixels of a grid in EPSG:${from} lie in it': [
    'L4 alignment',
    'L4 bilinear',
  ],
  'is looked at where each point is transformed to, to a millionth of a pixel': ['L4 alignment'],
  'gives classes of the pixels in which those of the grid lie': ['L4 nearest'],
});
checkedElsewhere('src/landscape/grid/align.test.ts', {
  'is interpolated as the golden data are, around what has no value': ['L4 bilinear'],
  'has no value outside': ['L4 outside'],
  'has values within the range of its band, its ends included, and no others': [
    'L2 invalid',
    'L8.4 invalid pixels',
  ],
  'has the classes of its band, as whole numbers': ['L2 invalid', 'L8.4 invalid pixels'],
  'may be class 0 wherever it has no other': ['L2 protected nodata', 'L4 outside'],
});
checkedElsewhere('src/landscape/graph/graph.test.ts', {
  'leaves have the ranges and classes of the design, in its order': leaves.map(({ key }) => `L2 ${key}`),
});

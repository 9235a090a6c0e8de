import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import type { CategoryBody } from '../support/catalogue.ts';
import { getDataset } from '../support/datasets.ts';
import { assertGolden, goldenParams, goldenPixels } from '../support/golden.ts';
import { groupOf, nodeCodes, nodes } from '../support/graph.ts';
import {
  firstRun,
  goldenPins,
  listResults,
  nodeOf,
  outputOf,
  pixelsOf,
  succeed,
} from '../support/landscape.ts';
import { readCog } from '../support/rasters.ts';
import { readReport } from '../support/geojson.ts';

for (const { code, title } of nodes) {
  claim(
    ['L6 golden', `L3.2 ${code}`, 'L2 scale', 'L2 types'],
    `node ${code}, ${title}, gives its golden pixels`,
    async (client) => {
      await assertGolden(client, await firstRun(client), 'default', [code]);
    },
  );
}

for (const [set, rows] of [
  ['tie_reversed', ['L5.1 ties', '2.6 LandscapeParams.tie_priority']],
  ['strict', ['L5.2 zones', '2.6 LandscapeParams.v1_min_s_e12', '2.6 LandscapeParams.v2_min_s_e3']],
  ['inverted_e3', ['L5.2 zones', 'L5.2 order', '2.6 LandscapeParams.v1_min_s_e3']],
] as const) {
  claim(
    ['L6 golden', 'L5.3 codes', ...rows],
    `the parameters "${set}" give their golden zoning`,
    async (client) => {
      await firstRun(client);
      const run = await succeed(client, { overrides: await goldenPins(client), params: goldenParams(set) });
      assert.notDeepEqual(goldenPixels(set, '34'), goldenPixels('default', '34'));
      await assertGolden(client, run, set, ['32', '33', '34']);
    },
  );
}

claim(
  ['L3.1 float output', 'L3.1 class output', 'L4 output file', '1.5 results'],
  'an output is one band of float32 with nodata -9999 or of uint8 with nodata 0, in tiles of 512',
  async (client) => {
    const run = await firstRun(client);
    for (const { code, type } of nodes) {
      const raster = await readCog(client, outputOf(run, code));
      const { bands, noData, tile } = raster;
      const wanted = [1, type, type === 'float32' ? -9999 : 0, [512, 512]];
      assert.deepEqual([bands, raster.type, noData, tile], wanted, code);
    }
  },
);

claim(
  ['L4 grid'],
  'every output has the CRS, the corner, the pixels and the size of the elevation',
  async (client) => {
    const run = await firstRun(client);
    const { 'landscape-in-dem': dem = '' } = await goldenPins(client);
    const gridOf = async (id: string) => {
      const { width, height, epsg, origin, resolution } = await readCog(client, id);
      return { width, height, epsg, origin, resolution };
    };
    const grid = await gridOf(dem);
    assert.deepEqual(grid, {
      width: 4,
      height: 4,
      epsg: 32_642,
      origin: [500_000, 5_550_000, 0],
      resolution: [1000, -1000, 0],
    });
    for (const code of nodeCodes) assert.deepEqual(await gridOf(outputOf(run, code)), grid, code);
  },
);

claim(
  ['L4 output dataset', 'D6 unit'],
  'an output is an automated, ready raster of its group in the category landscape, named and measured as its title says',
  async (client) => {
    const run = await firstRun(client);
    const results = await listResults(client);
    const categories: readonly CategoryBody[] = await client.get('/categories');
    const category = categories.find(({ code }) => code === 'landscape')?.id;
    for (const { code, title, unit } of nodes) {
      const dataset = await getDataset(client, outputOf(run, code));
      const { category_id, dg_id, name, status, file_type, automated } = dataset;
      assert.deepEqual(
        { category_id, dg_id, name, unit: dataset.unit, status, file_type, automated },
        {
          category_id: category,
          dg_id: results.find(({ node }) => node === code)?.group_id,
          name: title,
          unit,
          status: 'ready',
          file_type: 'raster',
          automated: true,
        },
        code,
      );
    }
  },
);

claim(
  ['L4 output dataset', 'D6 meta overrides', 'L8.4 invalid pixels', '2.6 LandscapeRunNode.fingerprint'],
  'the meta of an output says which run and node made it, of what, and with which pins',
  async (client) => {
    const run = await firstRun(client);
    for (const { code, reads } of nodes) {
      const { meta } = await getDataset(client, outputOf(run, code));
      const { invalid_pixels: invalidPixels, ...origin } = meta ?? {};
      assert.deepEqual(origin, {
        run_id: run.id,
        node: code,
        fingerprint: nodeOf(run, code).fingerprint,
        graph_version: 1,
        overrides: run.overrides,
      });
      for (const [group, count] of Object.entries(Object(invalidPixels))) {
        assert.ok(reads.includes(group), group);
        assert.equal(count, 0);
      }
    }
  },
);

claim(
  ['D6 dates', 'L4 output dataset'],
  'an output is dated by the first and the last of all dates of what it stands on',
  async (client) => {
    const run = await firstRun(client);
    for (const [code, start, end] of [
      ['01', '0200-02-11', '0200-02-22'],
      ['03', '0181-01-01', '0220-12-31'],
      ['04', '0200-02-11', '0222-09-30'],
      ['05', '0200-02-11', '0200-02-22'],
      ['14', '0191-01-01', '0222-09-30'],
      ['25', '0200-02-11', '0200-02-22'],
      ['34', '0181-01-01', '0222-09-30'],
    ] as const) {
      const { start_date, end_date } = await getDataset(client, outputOf(run, code));
      assert.deepEqual([start_date, end_date], [start, end], code);
    }
  },
);

claim(
  ['L4 output file', '1.5 results'],
  'an output has a bbox, a file, a report and the legend of its group, like any raster',
  async (client) => {
    const run = await firstRun(client);
    for (const code of nodeCodes) {
      const id = outputOf(run, code);
      const { bbox, dg_id, filename, content_type, size_bytes } = await getDataset(client, id);
      assert.deepEqual(
        bbox?.map((degrees) => Math.round(degrees * 100) / 100),
        [69, 50.07, 69.06, 50.1],
      );
      assert.deepEqual([filename, content_type], [`${groupOf(code)}.tif`, 'image/tiff']);
      const download = await fetch(`${client.baseUrl}/datasets/${id}/download`);
      assert.equal((await download.bytes()).length, size_bytes);
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

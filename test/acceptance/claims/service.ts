import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import { makeGroup, unique, unreadable } from '../support/catalogue.ts';
import {
  type Dataset,
  type DatasetState,
  makeTable,
  map,
  partsOf,
  process,
  refuseUpload,
  settle,
  upload,
} from '../support/datasets.ts';
import { readDescription } from '../support/description.ts';
import { box, collection, featureFile, geojsonFile, point, tiffFile } from '../support/files.ts';
import { nodeCodes } from '../support/graph.ts';
import { firstRun, listResults, outputOf } from '../support/landscape.ts';
import { readCog } from '../support/rasters.ts';
import { assertKeys } from '../support/fields.ts';
import { readObservations } from '../support/observations.ts';

const oneFeature = collection([
  { properties: { name: 'Esil', length: 2450 }, geometry: box(68, 51, 70, 52) },
]);

claim(
  ['1 file types', '1.1 upload', '1.1 asynchronous'],
  'a file of each of the three types is taken as a form, and answered at once as pending',
  async (client) => {
    for (const [file_type, file] of [
      ['vector', geojsonFile(oneFeature)],
      ['vector_with_kato', geojsonFile(oneFeature)],
      ['raster', tiffFile({ width: 2, height: 2, corner: [69, 51] })],
    ] as const) {
      const answer = await client.expect(201, 'POST', '/datasets', {
        parts: await partsOf(client, file, { file_type }),
      });
      const { id, status, file_type: type } = answer.read<Dataset>();
      assert.equal(answer.headers.get('location'), `/datasets/${id}`);
      assert.deepEqual([status, type], ['pending', file_type]);
    }
  },
);

claim(
  ['1 file types', '1.1 validation'],
  'file type, extension and first bytes each decide whether an upload is accepted',
  async (client) => {
    const raster = tiffFile({ width: 1, height: 1 });
    for (const [wrong, file, file_type] of [
      ['file_type', geojsonFile(oneFeature), 'table'],
      ['file', new File([raster], 'relief.png'), 'raster'],
      ['file', raster, 'vector'],
      ['file', geojsonFile(oneFeature), 'raster'],
      ['file', geojsonFile(oneFeature, 'relief.tif'), 'raster'],
      ['file', new File([raster], 'layer.geojson'), 'vector'],
    ] as const) {
      await refuseUpload(client, [wrong], file, { file_type });
    }
  },
);

claim(['1.2 vector'], 'attributes and geometry of a vector file become its GeoJSON', async (client) => {
  const { id } = await process(client, 'ready', geojsonFile(oneFeature));
  const answer = await client.expect(200, 'GET', `/datasets/${id}.geojson`);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/geo\+json/);
  const { features } = answer.read<{
    features: readonly { properties: object; geometry: { type: string } }[];
  }>();
  assert.deepEqual(
    features.map(({ properties, geometry }) => [properties, geometry.type]),
    [[{ name: 'Esil', length: 2450 }, 'Polygon']],
  );
});

claim(['1.2 raster'], 'a raster becomes a COG, and its bbox is its extent', async (client) => {
  const dataset = await process(client, 'ready', tiffFile({ width: 20, height: 10, corner: [69, 51] }));
  assert.deepEqual(
    dataset.bbox?.map((degrees) => Math.round(degrees * 1e6) / 1e6),
    [69, 50.9, 69.2, 51],
  );
  const { width, height, epsg } = await readCog(client, dataset.id);
  assert.deepEqual([width, height, epsg], [20, 10, 4326]);
});

claim(
  ['1.2 vector_with_kato'],
  'columns of a table by KATO are detected, and mapped values become observations',
  async (client) => {
    const { id, attribute_columns: columns } = await makeTable(client, [
      { kato: '110000000', y2020: 5, y2021: 6 },
      { kato: '150000000', y2020: 7, y2021: null },
    ]);
    assert.deepEqual(
      columns?.map(({ name }) => name),
      ['kato', 'y2020', 'y2021'],
    );
    await map(client, id, 'kato', [
      { column: 'y2020', start_date: '2020-12-31' },
      { column: 'y2021', start_date: '2021-12-31' },
    ]);
    const data = await readObservations(client, id);
    assert.deepEqual(
      data.map(({ kato_code, start_date, value }) => [kato_code, start_date, value]),
      [
        ['110000000', '2020-12-31', 5],
        ['110000000', '2021-12-31', 6],
        ['150000000', '2020-12-31', 7],
        ['150000000', '2021-12-31', null],
      ],
    );
  },
);

claim(
  ['1.3 polling', '6 polling'],
  'the status of a dataset can be polled, also by a request that waits until it changes',
  async (client) => {
    const { id } = await upload(client, featureFile(point(69, 51)));
    const seen = ['pending'];
    while (!['ready', 'failed'].includes(seen.at(-1) ?? '')) {
      const path = `/datasets/${id}/status?current=${seen.at(-1)}&wait=60`;
      const body = await client.get<DatasetState>(path);
      assert.deepEqual([body.id, body.parse_error], [id, null]);
      if (body.status !== seen.at(-1)) seen.push(body.status);
    }
    assert.deepEqual(
      seen.filter((status) => status !== 'processing'),
      ['pending', 'ready'],
    );
  },
);

claim(['1.4 groups'], 'the freshest dataset of a group is that of the latest period', async (client) => {
  const dg_id = (await makeGroup(client)).id;
  const name = unique('yield');
  const ids = new Map<string, string>();
  for (const year of ['2021', '2023', '2022']) {
    const fields = { dg_id, name, start_date: `${year}-01-01`, end_date: `${year}-12-31` };
    ids.set(year, (await upload(client, unreadable.raster, fields)).id);
  }
  assert.equal((await client.get<Dataset>(`/dataset-groups/${dg_id}/latest`)).id, ids.get('2023'));
});

claim(['1.4 styles'], 'a dataset shows the style of its group until it has its own', async (client) => {
  const dg_id = (await makeGroup(client)).id;
  const { id } = await upload(client, unreadable.raster, { dg_id });
  const styleOf = async () => (await client.expect(200, 'GET', `/datasets/${id}/sld`)).text;
  const style = (name: string) =>
    `<StyledLayerDescriptor version="1.0.0"><!-- ${name} --></StyledLayerDescriptor>`;
  const send = async (path: string, text: string) =>
    await client.expect(200, 'POST', `${path}/sld`, { form: { file: new File([text], 'style.sld') } });
  await client.expect(404, 'GET', `/datasets/${id}/sld`);
  await send(`/dataset-groups/${dg_id}`, style('shared'));
  assert.equal(await styleOf(), style('shared'));
  await send(`/datasets/${id}`, style('own'));
  assert.equal(await styleOf(), style('own'));
  assert.equal((await client.expect(200, 'GET', `/dataset-groups/${dg_id}/sld`)).text, style('shared'));
});

claim(
  ['1.5 graph', '1.5 runs', '1.5 results'],
  'a run over rasters gives rasters, which its nodes name and the results list',
  async (client) => {
    const run = await firstRun(client);
    const groups = new Map((await listResults(client)).map(({ node, group_id: id }) => [node, id]));
    for (const code of nodeCodes) {
      const dataset: Dataset = await client.get(`/datasets/${outputOf(run, code)}`);
      assert.deepEqual(
        [dataset.file_type, dataset.status, dataset.dg_id],
        ['raster', 'ready', groups.get(code)],
      );
    }
  },
);

claim(
  ['1.6 components'],
  'readiness is that of database, object store and message queue',
  async ({ get }) => {
    const { components } = await get<{ components: object }>('/readyz');
    assertKeys(components, ['database', 'message_queue', 'object_store']);
  },
);

claim(['5 authentication'], 'reading and writing need no credentials', async (client) => {
  const { headers } = await client.expect(200, 'GET', '/datasets');
  assert.equal(headers.get('www-authenticate'), null);
  const { id } = await upload(client, unreadable.raster);
  await settle(client, id);
  await client.expect(204, 'DELETE', `/datasets/${id}`);
});

claim(['9 version'], 'the description of the interface has version 1.0.0', async (client) => {
  assert.equal((await readDescription(client)).info.version, '1.0.0');
});

claim(['9 paths'], 'no path carries a version', async (client) => {
  const paths = Object.keys((await readDescription(client)).paths);
  assert.ok(paths.includes('/landscape/runs'));
  for (const path of paths) assert.doesNotMatch(path, /\/v?\d/);
  await client.expect(404, 'GET', '/v1/datasets');
});

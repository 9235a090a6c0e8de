import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { claim } from '../../claim.ts';
import { type Dataset, getDataset, makeTable, map, process, settle } from '../../support/datasets.ts';
import { readReport } from '../../support/geojson.ts';
import {
  failedRaster,
  failedTable,
  readyOnes,
  sharedRaster,
  sharedTable,
  sharedVector,
  unmappedTable,
} from '../../support/shared.ts';
import { assertKeys } from '../../support/errors.ts';

const members = ['dataset_id', 'engine', 'failure', 'raster', 'rows', 'source', 'timings', 'warnings'];

claim(
  ['D3 report', 'D3 report engine', 'D3 report nulls', 'D3 report raster', 'D3 report timings'],
  'the report of a raster says what it is, what was made of it, and how long it took',
  async (client) => {
    const { id } = await sharedRaster(client);
    const { timings, raster, ...rest } = await readReport(client, id);
    assert.deepEqual(rest, {
      dataset_id: id,
      engine: 'GDAL 3.6.2',
      source: null,
      rows: null,
      failure: null,
      warnings: [],
    });
    const { extent, resolution, cog, ...known } = Object(raster);
    assert.deepEqual(known, {
      width: 40,
      height: 30,
      bands: 1,
      data_type: 'Byte',
      nodata: null,
      scale: null,
      offset: null,
      crs: 'EPSG:4326',
      proj: '+proj=longlat +datum=WGS84 +no_defs',
    });
    assert.equal(extent.length, 4);
    assert.equal(resolution.length, 2);
    assertKeys(cog, ['compression', 'overview_resampling', 'passed_through', 'predictor']);
    assert.equal(cog.passed_through, false);
    assert.ok(Object.keys(timings).length > 0);
    for (const [step, seconds] of Object.entries(timings)) assert.ok(seconds >= 0 && seconds < 600, step);
  },
);

claim(
  ['D3 report source', 'D3 report nulls', 'D3 report'],
  'the report of a vector names driver, layer, CRS, extent and encoding',
  async (client) => {
    const { id } = await sharedVector(client);
    const report = await readReport(client, id);
    assert.deepEqual(Object.keys(report).toSorted(), members);
    assert.deepEqual([report.rows, report.raster], [null, null]);
    const { layers, encoding_from, layer: _unnamed, ...source } = Object(report.source);
    assert.deepEqual(source, {
      driver: 'GeoJSON',
      crs: 'EPSG:4326',
      extent: [70, 50, 71, 51],
      encoding: 'UTF-8',
    });
    assert.equal(typeof encoding_from, 'string');
    assert.deepEqual(layers, [{ name: 'GeoJSON', features: 1, geometry_types: ['Polygon'] }]);
  },
);

claim(
  ['D3 report rows', 'D3 report', 'D9 codes repaired'],
  'the report of a table counts its rows, read once it is parsed and skipped once it is extracted; right codes need no warning',
  async (client) => {
    const [waiting, mapped] = [await unmappedTable(client), await sharedTable(client)];
    assert.deepEqual((await readReport(client, waiting.id)).rows, { read: 3, skipped: null });
    const { rows, warnings } = await readReport(client, mapped.id);
    assert.deepEqual([rows, warnings], [{ read: 3, skipped: 0 }, []]);
  },
);

claim(
  ['D3 report failed', 'D7 failure'],
  'what failed has a report too, its parts that are not known null',
  async (client) => {
    for (const { id } of [await failedRaster(client), await failedTable(client)]) {
      const report = await readReport(client, id);
      assert.deepEqual(Object.keys(report).toSorted(), members);
      assert.deepEqual([report.dataset_id, report.engine, report.raster], [id, 'GDAL 3.6.2', null]);
      assert.match(report.failure?.code ?? '', /^\w+\.\w+$/);
      assert.ok(Array.isArray(report.failure?.facts));
    }
  },
);

claim(
  ['D3 report warnings', 'D9 described'],
  'the codes of warnings are listed in the description of the interface',
  async (client) => {
    const { text } = await client.expect(200, 'GET', '/openapi.json');
    const codes =
      'layers_left_out crs_assumed crs_member_ignored no_georeference georeference_fitted ' +
      'encoding_guessed geometry_repaired geometry_lost rows_without_shape colours_converted ' +
      'unusual_bits cog_differs rows_without_code codes_without_district mixed_decimal_comma ' +
      'ambiguous_decimal_comma names_truncated property_repeated empty_layer not_freshest ' +
      'axes_maybe_swapped codes_repaired codes_repeated ambiguous_decimal_point columns_left_out dates_impossible datum_unknown ' +
      'encoding_overruled ids_left_out longitudes_turned nodata_suspected overviews_replaced no_values complex_values scale_zero solids_flattened ' +
      'values_as_json features_left_out units_without_border other_warnings';
    for (const code of codes.split(' ')) {
      assert.ok(text.includes(`\`${code}\`: `), code);
    }
  },
);

claim(
  ['D3 retry', '3.1 failure', 'D3 retry 409'],
  'a failed file is pending again by one of several retries at once, and fails again with the same reason',
  async (client) => {
    const before = await process(client, 'failed', new File(['II*\0 broken'], 'broken.tif'));
    const path = `/datasets/${before.id}/retry`;
    const answers = await Promise.all([1, 2, 3, 4].map(async () => await client.ask('POST', path)));
    const [done = assert.fail(), ...others] = answers.toSorted((one, other) => one.status - other.status);
    assert.equal(done.status, 200);
    assert.equal(others.at(-1)?.status, 409);
    const { updated_at, ...retried } = done.read<Dataset>();
    assert.ok(Date.parse(updated_at) > Date.parse(before.updated_at));
    assert.deepEqual(
      { ...retried, updated_at: '' },
      { ...before, status: 'pending', parse_error: null, updated_at: '' },
    );
    const after = await settle(client, before.id);
    assert.deepEqual([after.status, after.parse_error], ['failed', before.parse_error]);
  },
);

claim(['D3 retry 409'], 'what has not failed cannot be retried', async (client) => {
  for (const { id } of [...(await readyOnes(client)), await unmappedTable(client)]) {
    await client.refused(409, 'POST', `/datasets/${id}/retry`);
  }
});

const wrongMapping = { kato_column: 'note', year_columns: [{ column: 'y', start_date: '2020-01-01' }] };

claim(
  ['D7 retry mapping', 'D3 retry 409'],
  'a failed mapping is taken back by a retry of the step mapping, once, and another follows',
  async (client) => {
    const table = await makeTable(client, [{ kato: '710000000', note: 'x'.repeat(300), y: 1 }]);
    await client.expect(200, 'POST', `/datasets/${table.id}/mapping`, { json: wrongMapping });
    const failed = await settle(client, table.id);
    assert.deepEqual([failed.status, failed.kato_column], ['failed', 'note']);
    const path = `/datasets/${table.id}/retry?step=mapping`;
    const answers = await Promise.all([1, 2, 3].map(async () => await client.ask('POST', path)));
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 409, 409],
    );
    const waiting = await getDataset(client, table.id);
    assert.deepEqual({ ...waiting, updated_at: '' }, { ...table, updated_at: '' });
    await client.refused(409, 'POST', path);
    await map(client, table.id, 'kato', [{ column: 'y', start_date: '2020-01-01' }]);
  },
);

claim(
  ['D7 retry mapping', 'D3 retry 409'],
  'a mapping is not taken back where nothing has failed, or where the file could not be read',
  async (client) => {
    for (const { id } of [
      await unmappedTable(client),
      await failedTable(client),
      ...(await readyOnes(client)),
    ]) {
      await client.refused(409, 'POST', `/datasets/${id}/retry?step=mapping`);
    }
    for (const step of ['', 'Mapping', 'extraction', 'mapping&step=mapping']) {
      await client.refused(400, 'POST', `/datasets/${(await failedTable(client)).id}/retry?step=${step}`);
    }
    await client.refused(404, 'POST', `/datasets/${randomUUID()}/retry?step=mapping`);
  },
);

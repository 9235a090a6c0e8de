import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { type Refusal, send, sendJson } from '../support/datasets.ts';
import { readDescription } from '../support/http/document.ts';
import { insertRaster } from '../support/geo/rasters.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const app = await closeAfterTests(startTestApp({ landscape: true }));

describe('what is wrong is said in plain words:', () => {
  const stage = 'must be a whole number from 0 to 3';
  const sectors = 'must be a list of the numbers from 1 to 5, each of them once';
  const wishes: readonly (readonly [body: object, errors: Refusal['errors']])[] = [
    [{ from_stage: 4 }, { from_stage: stage }],
    [{ from_stage: '1' }, { from_stage: stage }],
    [
      { params: { window_size: 1, v1_min_s_e3: 9, tie_priority: [1, 2, 3, 4, 9] } },
      {
        'params.window_size': 'must be a whole number from 256 to 8192',
        'params.v1_min_s_e3': 'must be a whole number from 1 to 5',
        'params.tie_priority': sectors,
      },
    ],
    [{ params: { tie_priority: [1, 2] } }, { 'params.tie_priority': sectors }],
    [{ params: [] }, { params: 'must be an object' }],
  ];
  for (const [body, errors] of wishes) {
    test(`a run with ${JSON.stringify(body)}`, async () => {
      const answer = await sendJson<Refusal>(app, 'POST', '/landscape/runs', body);
      assert.deepEqual([answer.status, answer.body.errors], [422, errors]);
    });
  }

  const date = 'must be a calendar date written YYYY-MM-DD';
  const statuses = 'pending, processing, parsing, awaiting_mapping, extracting, ready, failed';
  const queries: Readonly<Record<string, string>> = {
    'status=READY': `status: must be one of ${statuses}`,
    'status=ready&status=ready': 'status: was sent more than once',
    'page=0&category_id=x':
      'page: must be a whole number from 1 to 9007199254740991; category_id: must be a uuid',
    'start_date_from=': `start_date_from: ${date}`,
    'automated=1': 'automated: must be true or false',
  };
  for (const [query, error] of Object.entries(queries)) {
    test(`?${query}`, async () => {
      const { status, body } = await send<Refusal>(app, `/datasets?${query}`);
      assert.deepEqual([status, body.error], [400, error]);
    });
  }

  test('statistics by their names, and those that are not there', async () => {
    const names = 'mean, min, max, sd, p5, p10, p25, p50, p75, p90, p95, sum, valid_share';
    for (const [stats, error] of [
      ['mean,stdev', `"stdev": no such value; the values are ${names}`],
      ['mean, max', `must have 1 to 13 of ${names}, separated by commas without spaces`],
    ] as const) {
      const path = `/datasets/${randomUUID()}/zonal?stats=${encodeURIComponent(stats)}`;
      assert.equal((await send<Refusal>(app, path)).body.error, `stats: ${error}`);
    }
  });

  test('every parameter says how it is written', async () => {
    const { operations } = await readDescription(app);
    let tried = 0;
    for (const { method, path, parameters } of operations) {
      if (method !== 'GET') continue;
      const place = path.replace(/\{[^}]*\}/g, (name) => (/^\{(?:z|x|y)\}$/.test(name) ? '0' : randomUUID()));
      for (const { name } of parameters.filter((parameter) => parameter.in === 'query')) {
        const { status, text } = await send(app, `${place}?${name}=%C2%A7&lang=xx`);
        if (status !== 400) continue;
        tried += 1;
        assert.doesNotMatch(text, /required format|is not allowed/, `${path} ${name}`);
      }
    }
    assert.ok(tried > 200, `${tried}`);
  });

  test('in the language of lang, where a route has that, before that of the client', async () => {
    const at = `/landscape/runs/${randomUUID()}/explain?lat=52`;
    const header = { headers: { 'accept-language': 'kk' } };
    for (const [query, init, language, words] of [
      ['&lon=999&lang=ru', {}, 'ru', /^lon: должно быть числом/],
      ['&lon=999&lang=ru', header, 'ru', /^lon: должно быть числом/],
      ['&lon=70&lang=kk', {}, 'kk', /жоқ/],
      ['&lon=999', header, 'kk', /болуы тиіс/],
      ['&lon=70&lang=xx', {}, 'en', /^lang: must be one of ru, kk, en$/],
    ] as const) {
      const { body, headers } = await send<Refusal>(app, at + query, init);
      assert.equal(headers.get('content-language'), language, query);
      assert.match(body.error ?? '', words);
    }
    const { headers } = await send(app, '/datasets?page=0&lang=ru'); // the route has no such parameter
    assert.equal(headers.get('content-language'), 'en');
  });

  test('where a dataset is that is not a vector', async () => {
    const id = await insertRaster(app.services.db);
    for (const [form, language, words] of [
      ['gpkg', 'en', 'only a vector comes as a GeoPackage; a raster comes as .cog'],
      ['gpkg', 'ru', 'в GeoPackage выгружается только вектор; растр выгружается как .cog'],
      [
        'parquet',
        'en',
        'only a vector or vector_with_kato dataset comes as GeoParquet; a raster comes as .cog',
      ],
    ] as const) {
      const headers = { 'accept-language': language };
      assert.equal((await send<Refusal>(app, `/datasets/${id}.${form}`, { headers })).body.error, words);
    }
  });

  test('that a category keeps its code', async () => {
    const made = await sendJson(app, 'POST', '/categories', { code: 'kept', name: 'a' });
    const put = async (code: string) =>
      (await sendJson(app, 'PUT', `/categories/${made.body.id}`, { code, name: 'b' })).headers.get(
        'x-ignored',
      );
    assert.deepEqual([await put('free'), await put('kept')], ['code', null]);
  });
});

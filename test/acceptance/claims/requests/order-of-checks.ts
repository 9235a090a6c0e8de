import { randomUUID } from 'node:crypto';
import { checkedElsewhere, claim } from '../../claim.ts';
import { filePart } from '../../support/bytes.ts';
import {
  failedRaster,
  failedTable,
  sharedRaster,
  sharedTable,
  sharedVector,
  unmappedTable,
} from '../../support/shared.ts';
import { formType, rawForm } from '../../../support/http/raw-http.ts';

const nothing = (): string => randomUUID();

claim(
  ['D1 order syntax', 'D1 order path'],
  'a body that is not JSON is 400 where the resource does not exist, and a malformed id is 400 before that',
  async ({ refused }) => {
    for (const [method, path] of [
      ['PUT', '/categories/'],
      ['PUT', '/dataset-groups/'],
      ['PUT', '/datasets/'],
      ['PATCH', '/datasets/'],
    ] as const) {
      for (const body of ['{', '[]', undefined]) {
        const asked = body === undefined ? {} : { body };
        await refused(400, method, path + nothing(), asked);
        await refused(400, method, `${path}x`, asked);
      }
    }
    await refused(400, 'POST', `/datasets/${nothing()}/mapping`, { body: '{' });
  },
);

claim(
  ['D1 order resource', 'D1 order fields'],
  'a resource that does not exist is 404 whatever is wrong with the fields of the body',
  async ({ refused }) => {
    for (const json of [{}, { code: 'A', name: ' ', parent_id: 'x' }, { kato_column: 1, year_columns: [] }]) {
      await refused(404, 'PUT', `/categories/${nothing()}`, { json });
      await refused(404, 'PUT', `/dataset-groups/${nothing()}`, { json });
      await refused(404, 'PUT', `/datasets/${nothing()}`, { json });
      await refused(404, 'PATCH', `/datasets/${nothing()}`, { json });
      await refused(404, 'POST', `/datasets/${nothing()}/mapping`, { json });
    }
  },
);

claim(
  ['D1 order broken form', 'D1 order resource', 'D1 400 multipart'],
  'a form that is none, or breaks off after its file, is 400 also where the resource does not exist; a whole one is 404',
  async (client) => {
    const paths = [
      `/datasets/${nothing()}/sld`,
      `/dataset-groups/${nothing()}/sld`,
      '/landscape/slots/nothing',
    ];
    const cut = rawForm([filePart('x.tif', 'II*\0')], '');
    const whole = rawForm([filePart('x.tif', 'II*\0')]);
    for (const path of paths) {
      await client.refused(400, 'POST', path, { body: '{}' });
      await client.refused(400, 'POST', path, { body: cut, headers: formType });
      await client.refused(404, 'POST', path, { body: whole, headers: formType });
      await client.refused(404, 'POST', path, { form: { other: 'no file' } });
    }
  },
);

claim(
  [
    'D1 order type | D1 order state | 7 422 geojson | 7 422 cog | 7 409 geojson | 7 409 cog | 4.4 cog 422 | 4.4 cog 409',
    'D3 cog order | D3 geojson order | 4.4 geojson rule 1 | 4.4 geojson rule 2 | 4.4 geojson',
  ],
  'GeoJSON of a raster and a COG of anything else are 422 in whatever state; else what is not ready is 409',
  async (client) => {
    for (const [shared, geojson, cog] of [
      [failedRaster, 422, 409],
      [sharedRaster, 422, 200],
      [failedTable, 409, 422],
      [unmappedTable, 409, 422],
      [sharedTable, 200, 422],
      [sharedVector, 200, 422],
    ] as const) {
      const { id } = await shared(client);
      await client.expect(geojson, 'GET', `/datasets/${id}.geojson`);
      await client.expect(cog, 'GET', `/datasets/${id}.cog`);
    }
  },
);

// A service may leave this state before a client can see it.
checkedElsewhere('src/datasets/routes/unprocessed.test.ts', {
  '${type}: what is ${status} has no output yet, no report, and no retry': [
    'D1 order state',
    '7 409 geojson',
    '7 409 cog',
    'D3 report',
    'D3 retry 409',
  ],
});

import { randomUUID } from 'node:crypto';
import { claim } from '../claim.ts';
import { unreadable } from '../support/catalogue.ts';
import { makeTable, upload } from '../support/datasets.ts';
import { filePart } from '../support/raw.ts';
import {
  failedRaster,
  failedTable,
  sharedRaster,
  sharedTable,
  sharedVector,
  unmappedTable,
} from '../support/shared.ts';
import { floatTiff, squaresGeoJson } from '../../support/generated-files.ts';
import { formType, rawForm } from '../../support/raw-http.ts';

const nothing = (): string => randomUUID();

/** The fields of a mapping of these columns. */
function mapping(kato_column: unknown, ...columns: readonly unknown[]) {
  return { kato_column, year_columns: columns.map((column) => ({ column, start_date: '2020-01-01' })) };
}

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
  ['D1 order fields', 'D1 order type', 'D1 order state', '7 409 mapping'],
  'a mapping is checked for its fields, then the file type, then the state',
  async (client) => {
    const raster = await upload(client, unreadable.raster);
    const unread = await upload(client, unreadable.vector, { file_type: 'vector_with_kato' });
    for (const { id } of [raster, unread]) {
      const path = `/datasets/${id}/mapping`;
      const json = mapping(1);
      await client.invalid(['kato_column', 'year_columns'], 'POST', path, { json });
      await client.refused(400, 'POST', path, { body: '{' });
    }
    const json = mapping('kato', '2020');
    await client.refused(422, 'POST', `/datasets/${raster.id}/mapping`, { json });
    await client.refused(409, 'POST', `/datasets/${unread.id}/mapping`, { json });
  },
);

claim(
  ['D1 order columns', 'D1 nested names', 'D1 containers', '8 year_columns'],
  'of a table that waits for its mapping the fields come first, then its columns, each by its place',
  async (client) => {
    const { id } = await makeTable(client, [{ kato: '11', '2020': 1 }]);
    const refuse = async (fields: readonly string[], json: object) =>
      await client.invalid(fields, 'POST', `/datasets/${id}/mapping`, { json });
    await refuse(['year_columns'], mapping('kato'));
    await refuse(['year_columns'], { kato_column: 'kato', year_columns: {} });
    await refuse(['year_columns'], { kato_column: 'kato', year_columns: null });
    await refuse(['year_columns.0'], { kato_column: 'kato', year_columns: ['2020'] });
    await refuse(['year_columns.1.column'], mapping('nothing', '2020', 2));
    await refuse(['kato_column', 'year_columns.1.column'], mapping('nothing', '2020', '2021'));
    const periods = [
      { column: '2020', start_date: '2020-01-02', end_date: '2020-01-01' },
      { column: '2021', start_date: 'x' },
    ];
    const both = { kato_column: 'kato', year_columns: periods };
    await refuse(['year_columns.0.end_date', 'year_columns.1.start_date'], both);
    await client.expect(200, 'POST', `/datasets/${id}/mapping`, { json: mapping('kato', '2020') });
  },
);

claim(
  [
    'D1 order type | D1 order state | 7 422 geojson | 7 422 cog | 7 409 geojson | 7 409 cog | 4.4 cog 422 | 4.4 cog 409',
    'D3 cog order | D3 geojson order | 4.4 geojson rule 1 | 4.4 geojson rule 2 | 4.4 geojson',
  ],
  'GeoJSON of a raster and a COG of anything else are 422 in whatever state; else what is not ready is 409',
  async (client) => {
    const uploading = (file: File) => async (to: typeof client) => await upload(to, file);
    // What is not ready yet is asked about at once.
    for (const [create, geojson, cog] of [
      [uploading(new File([floatTiff(1500)], 'large.tif')), 422, 409],
      [failedRaster, 422, 409],
      [sharedRaster, 422, 200],
      [uploading(new File([squaresGeoJson(3000)], 'squares.geojson')), 409, 422],
      [uploading(unreadable.vector), 409, 422],
      [failedTable, 409, 422],
      [unmappedTable, 409, 422],
      [sharedTable, 200, 422],
      [sharedVector, 200, 422],
    ] as const) {
      const { id } = await create(client);
      await client.expect(geojson, 'GET', `/datasets/${id}.geojson`);
      await client.expect(cog, 'GET', `/datasets/${id}.cog`);
    }
  },
);

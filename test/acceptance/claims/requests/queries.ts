import { randomUUID } from 'node:crypto';
import { claim } from '../../claim.ts';
import { makeGroup, unreadable } from '../../support/catalogue.ts';
import { upload } from '../../support/datasets.ts';
import { failedRaster } from '../../support/shared.ts';
import { edgeDates, notDates } from '../../support/values.ts';

const uuid = randomUUID();
const pages = {
  page: ['1', '0', '1.0', '1e1', '%201', '%2B1', '١', '1,2', '%00', '%ff', '', '9007199254740992'],
  page_size: ['1', '', '0', '1.5', 'a', '101'],
};
const status = ['ready', '', 'READY', 'ready,failed'];
const file_type = ['raster', '', 'Raster', 'tif'];
const date = ['2024-01-01', '', ...notDates.map(encodeURIComponent)];
const wrongDate = ['2024-01-01', '2023-02-29', '2024-01-01T00:00:00Z'];

/** Values of each parameter, of which only the first is valid: any other is 400, and the valid one twice as well. */
const queries: readonly (readonly [
  rows: readonly string[],
  operation: string,
  parameters: Readonly<Record<string, readonly string[]>>,
])[] = [
  [['4.2 GET /categories 400'], 'GET /categories', { parent_id: [uuid, '', 'x', 'null'] }],
  [['4.3 GET /dataset-groups 400'], 'GET /dataset-groups', { code: ['a', '%00', '%ff', '%'], ...pages }],
  [
    [
      '4.4 list',
      '4.4 list page',
      '4.4 list page_size',
      '4.4 list status',
      '4.4 list automated',
      'D1 date',
      '2 date',
    ],
    'GET /datasets',
    {
      category_id: [uuid, '', 'x'],
      dg_id: [uuid, '', 'x'],
      status,
      file_type,
      category_code: ['a', '%00', '%c0%80'],
      q: ['a', '%00', '%c0%80'],
      automated: ['true', '', '1', 'TRUE', 'null'],
      start_date_from: date,
      start_date_to: wrongDate,
      end_date_from: wrongDate,
      end_date_to: wrongDate,
      ...pages,
    },
  ],
  [
    ['4.4 status wait', '4.4 status current', '8 wait'],
    'GET /datasets/{id}/status',
    { wait: ['1', '', '61', '-1', '1.5', '0x1', 'x', '9'.repeat(20)], current: status },
  ],
  [
    ['4.4 observations page, page_size'],
    'GET /datasets/{id}/observations',
    { kato_code: ['1', '%00'], ...pages },
  ],
  [['4.3 GET latest 400'], 'GET /dataset-groups/{id}/latest', { status, file_type }],
  [['4.5 GET runs 400'], 'GET /landscape/runs', pages],
  [['D6 dry run'], 'POST /landscape/runs', { dry_run: ['true', '', '1', 'yes', 'TRUE'] }],
];

for (const [rows, operation, parameters] of queries) {
  claim(
    [...rows, '4 query', '7 400 query', 'D1 400 query', 'D1 order path', '8 page', '8 page_size'],
    `a parameter of ${operation} that is malformed or given twice is 400, whether the resource exists or not`,
    async (client) => {
      const [method = '', path = ''] = operation.split(' ');
      const { id } = await (path.startsWith('/dataset-groups') ? makeGroup(client) : failedRaster(client));
      for (const each of path.includes('{id}') ? [id, randomUUID()] : ['']) {
        for (const [name, [valid = '', ...wrong]] of Object.entries(parameters)) {
          const target = `${path.replace('{id}', each)}?${name}=`;
          for (const text of [...wrong, `${valid}&${name}=${valid}`])
            await client.refused(400, method, target + text);
        }
      }
    },
  );
}

claim(
  ['D1 date', '2 date'],
  'the first and the last date, and leap days, are dates in queries and in bodies',
  async (client) => {
    const path = `/datasets/${(await upload(client, unreadable.raster)).id}`;
    for (const day of edgeDates) {
      await client.expect(200, 'GET', `/datasets?page_size=1&start_date_from=${day}&end_date_to=${day}`);
      await client.expect(200, 'PATCH', path, { json: { start_date: day, end_date: day } });
    }
  },
);

import { randomUUID } from 'node:crypto';
import { claim } from '../../claim.ts';
import type { Client } from '../../client.ts';
import { makeCategory, makeGroup, newCode, unreadable } from '../../support/catalogue.ts';
import { once, upload } from '../../support/datasets.ts';
import { notDates } from '../../support/values.ts';

type Values = Readonly<Record<string, unknown>>;
interface Target {
  readonly path: string;
  /** Values that the operation accepts. */
  readonly valid: Values;
  readonly isForm?: boolean;
}

/** For each operation, a valid request of which a refusal changes one field. */
const targets = once(async (client): Promise<Readonly<Record<string, Target>>> => {
  const [category, group] = [await makeCategory(client), await makeGroup(client)];
  const dataset = `/datasets/${(await upload(client, unreadable.raster)).id}`;
  const named = { code: newCode(), name: 'n' };
  const file = unreadable.raster;
  const texts = { category_id: category.id, name: 'n', description: '', unit: '' };
  const form = { file, file_type: 'raster', category_id: category.id };
  return {
    'POST /categories': { path: '/categories', valid: named },
    'PUT /categories/{id}': { path: `/categories/${category.id}`, valid: named },
    'POST /dataset-groups': { path: '/dataset-groups', valid: named },
    'PUT /dataset-groups/{id}': { path: `/dataset-groups/${group.id}`, valid: named },
    'PUT /datasets/{id}': { path: dataset, valid: texts },
    'PATCH /datasets/{id}': { path: dataset, valid: {} },
    'POST /datasets': { path: '/datasets', valid: form, isForm: true },
    'POST /landscape/slots/{code}': {
      path: '/landscape/slots/landscape-in-pet',
      valid: { file },
      isForm: true,
    },
    'POST /landscape/runs': { path: '/landscape/runs', valid: {} },
    'POST /landscape/runs?dry_run=true': { path: '/landscape/runs?dry_run=true', valid: {} },
  };
});

const catalogue = [
  'POST /categories',
  'PUT /categories/{id}',
  'POST /dataset-groups',
  'PUT /dataset-groups/{id}',
];
const catalogue422 = [
  '2.1 CategoryInput.code | 2.2 DatasetGroupInput.code | 8 code length | D2 PUT code | D1 422 fields',
  '4.2 POST /categories 422 | 4.2 PUT /categories/{id} 422',
  '4.3 POST /dataset-groups 422 | 4.3 PUT /dataset-groups/{id} 422',
].join(' | ');
const [put, post] = ['PUT /datasets/{id}', 'POST /datasets'];
const edits = [put, 'PATCH /datasets/{id}'];
const uploads = [post, 'POST /landscape/slots/{code}'];
const runs = ['POST /landscape/runs', 'POST /landscape/runs?dry_run=true'];
const textFile = new File(['n'], 'n.txt');
const notSlugs = ['', ' ', 'a\n', 'a b', ' a', ...'A Code -a a- a--b a_b a.b é қала a—b ａ'.split(' ')];
const notTexts = [1, true, [], {}, 'a\u0000', '\ud83d', 'a\ude00'];
const blanks = ['', ' ', '\t\n', '\u00A0', '\u3000'];
const nothing = randomUUID();
const notIds = ['', 'x', 1, true, [], {}, `{${nothing}}`, nothing.replaceAll('-', ''), nothing];
const notObjects = ['null', '[]', '"{}"', '{', '{} {}', '{"a":NaN}', '{"a":"\\u0000"}'];
const notFiles = [
  undefined,
  'II*\0 as a text',
  ...['dem.png', 'dem', 'dem.tif.gz', 'tif'].map((name) => new File(['II*\0'], name)),
  ...['', 'II*', 'II\0*', 'PK\u0003\u0004'].map((bytes) => new File([bytes], 'magic.tif')),
];
const notPriorities = [
  ...'1234 123451 12344 01234'.split(' ').map((digits) => Array.from(digits, Number)),
  [1, 2, 3, 4, 4.5],
  [...'12345'],
  [1, 2, 3, 4, null],
  '12345',
  { 0: 1, 1: 2, 2: 3, 3: 4, 4: 5, length: 5 },
  null,
];
const thresholds = ['v1_min_s_e12', 'v1_min_s_e3', 'v2_min_s_e3', 'v2_min_s_e4'];

/**
 * Values that are 422 on a field, and the operations that share the rule: values, operations and fields take
 * turns. `undefined` leaves the field out.
 */
const refusals: readonly (readonly [
  rows: string,
  operations: readonly string[],
  fields: string,
  values: readonly unknown[],
])[] = [
  [catalogue422, catalogue, 'code', [...notSlugs, ...notTexts, null, undefined, 'c'.repeat(256)]],
  [
    '2.1 CategoryInput.name | 2.2 DatasetGroupInput.name | 8 name length | D2 blank name | 7 422 input',
    catalogue,
    'name',
    [...blanks, ...notTexts, null, undefined, 'x'.repeat(256), '😀'.repeat(256)],
  ],
  [
    '2.1 CategoryInput.description | 2.2 DatasetGroupInput.description | 8 description length | D1 lengths',
    catalogue,
    'description',
    [...notTexts, null, 'x'.repeat(2001), '😀'.repeat(2001)],
  ],
  ['2.1 CategoryInput.parent_id | D1 422 reference', catalogue.slice(0, 2), 'parent_id', notIds],
  ['4.4 put category_id | 4.4 patch category_id | D3 PATCH null', edits, 'category_id', [...notIds, null]],
  [
    '4.4 put name | 4.4 patch name | 8 name length | D1 lengths | D3 PATCH null',
    edits,
    'name',
    [...blanks, ...notTexts, null, 'n'.repeat(256), '😀'.repeat(256)],
  ],
  ['4.4 put description | 4.4 patch description', edits, 'description', notTexts],
  ['4.4 put unit | 4.4 patch unit', edits, 'unit', notTexts],
  ['4.4 put description | 4.4 put unit', [put], 'description unit', [undefined, null]],
  ['4.4 put dg_id, start_date, end_date | 4.4 patch dg_id', edits, 'dg_id', notIds],
  [
    '4.4 put dg_id, start_date, end_date | 4.4 patch start_date, end_date | D1 date | 2 date',
    edits,
    'start_date end_date',
    [...notDates, '', 20_240_101, true, {}, ['2024-01-01']],
  ],
  [
    '4.4 upload start_date | 4.4 upload end_date | 4.5 POST slots start_date | 4.5 POST slots end_date | D1 date',
    uploads,
    'start_date end_date',
    notDates,
  ],
  [
    '4.4 upload file | 4.5 POST slots file | D1 422 upload | L8.2 bytes | L8.2 422',
    uploads,
    'file',
    notFiles,
  ],
  [
    '4.4 upload name | D3 name | 4.5 POST slots name | D6 slot rules | 4.5 POST slots 422',
    uploads,
    'name',
    [' ', 'n'.repeat(256), 'a\u0000b', textFile],
  ],
  ['4.4 upload file_type', [post], 'file_type', [undefined, '', 'tiff', 'RASTER', 'raster ', 'vector-kato']],
  ['4.4 upload category_id | D1 422 reference', [post], 'category_id', [undefined, '', '1', randomUUID()]],
  ['4.4 upload dg_id | D1 422 reference', [post], 'dg_id', ['null', 'zzzzzzzz', randomUUID()]],
  ['4.4 upload description | 4.4 upload unit', [post], 'description unit', ['\u0000', 'm\u0000', textFile]],
  ['4.4 upload meta | D3 meta', [post], 'meta', notObjects],
  ['4.4 upload automated', [post], 'automated', ['1', 'yes', 'TRUE', 'null', ' true']],
  [
    '2.6 LandscapeParams.window_size | 8 window_size | L8.1 integers | D6 null inside',
    runs,
    'params.window_size',
    [255, 8193, 0, -256, 1e9, 256.5, '2048', true, [2048], {}, null],
  ],
  [
    `${thresholds.map((name) => `2.6 LandscapeParams.${name}`).join(' | ')} | 8 thresholds | L8.1 integers`,
    runs,
    thresholds.map((name) => `params.${name}`).join(' '),
    [0, 6, -1, 2.5, '3', true, [3], {}, null],
  ],
  [
    '2.6 LandscapeParams.tie_priority | 8 tie_priority | L8.1 tie_priority',
    runs,
    'params.tie_priority',
    notPriorities,
  ],
  [
    '2.6 LandscapeRunInput.from_stage | 8 from_stage | L8.1 integers',
    runs,
    'from_stage',
    [-1, 4, 1.5, '1', true, [], {}],
  ],
  [
    '2.6 LandscapeRunInput.params | 2.6 LandscapeRunInput.overrides | L8.1 overrides shape | 4.5 POST runs 422',
    runs,
    'params overrides',
    [[], 'x', 7, true],
  ],
  [
    '2.6 LandscapeRunInput.overrides | L8.1 overrides shape | D6 null inside',
    runs,
    'overrides.landscape-in-pet',
    ['', 'latest', 7, true, [randomUUID()], {}, null, `{${randomUUID()}}`, `${randomUUID()} `],
  ],
];

/** Body or form with one field changed; `params.x` is the field x of params. */
function changed({ valid, isForm = false }: Target, field: string, value: unknown) {
  const [outer = '', inner] = field.split('.');
  const { [outer]: _, ...rest } = valid;
  const sent =
    value === undefined ? rest : { ...rest, [outer]: inner === undefined ? value : { [inner]: value } };
  if (!isForm) return { json: sent };
  return {
    parts: Object.entries(sent).map(
      ([name, part]) => [name, part instanceof File ? part : String(part)] as const,
    ),
  };
}

async function targetOf(client: Client, operation: string) {
  const target = (await targets(client))[operation];
  if (target === undefined) throw new Error(`no target for ${operation}`);
  return { ...target, method: operation.replace(/ .*/, '') };
}

for (const [rows, operations, fields, values] of refusals) {
  const text = `each wrong value of ${fields} is 422 on it alone: ${operations.join(', ')}`;
  claim([rows], text, async (client) => {
    const pairs = operations.flatMap((operation) => fields.split(' ').map((field) => ({ operation, field })));
    for (let turn = 0; turn < Math.max(pairs.length, values.length); turn += 1) {
      const { operation = '', field = '' } = pairs[turn % pairs.length] ?? {};
      const target = await targetOf(client, operation);
      const sent = changed(target, field, values[turn % values.length]);
      await client.invalid([field], target.method, target.path, sent);
    }
  });
}

const backwards = { start_date: '2020-01-02', end_date: '2020-01-01' };
/** Requests with several wrong fields, or with two that contradict each other; undefined leaves a field out. */
const together: readonly (readonly [
  rows: readonly string[],
  operations: readonly string[],
  sent: Values,
  fields: string,
])[] = [
  [
    ['D1 422 fields', '7 ValidationErrors', '7 422 body'],
    catalogue,
    { code: 'A', name: ' ', description: 'x'.repeat(2001) },
    'code name description',
  ],
  [['D1 422 fields'], catalogue, { code: undefined, name: undefined }, 'code name'],
  [
    ['4.4 put category_id', '4.4 put name', '4.4 put description', '4.4 put unit'],
    [put],
    { category_id: undefined, name: undefined, description: undefined, unit: undefined },
    'category_id name description unit',
  ],
  [['4.4 put dg_id, start_date, end_date', '4.4 patch start_date, end_date'], edits, backwards, 'end_date'],
  [
    ['D1 order fields', 'D1 422 reference', '7 422 body'],
    edits,
    { ...backwards, name: ' ', dg_id: randomUUID(), category_id: randomUUID() },
    'category_id dg_id end_date name',
  ],
  [['4.4 upload end_date', '4.5 POST slots end_date', 'L8.2 422'], uploads, backwards, 'end_date'],
  [
    ['4.5 POST slots 422', 'D6 slot rules'],
    uploads,
    { file: new File(['no'], 'no.png'), name: ' ', start_date: 'x', end_date: 'y' },
    'file name start_date end_date',
  ],
  [
    ['4.4 upload', 'D1 422 upload', '7 422 input', '7 ValidationErrors'],
    [post],
    {
      file: new File([], 'x.tif'),
      file_type: 'tiff',
      category_id: 'x',
      name: ' ',
      meta: '[]',
      automated: 'yes',
      dg_id: 'x',
      start_date: '2023-02-29',
      end_date: '1',
    },
    'file file_type category_id name meta automated dg_id start_date end_date',
  ],
  [
    ['4.4 upload file', '4.4 upload file_type', '4.4 upload category_id'],
    [post],
    { file: undefined, file_type: undefined, category_id: undefined, unknown: 'part' },
    'file file_type category_id',
  ],
  [
    ['D1 containers', 'D1 nested names'],
    runs,
    { params: [], overrides: [], from_stage: '1' },
    'params overrides from_stage',
  ],
  [
    ['4.5 rule 2 validates', '4.5 POST runs 422', 'D1 nested names'],
    runs,
    {
      from_stage: 9,
      params: { window_size: 1, tie_priority: [], v1_min_s_e3: 'x' },
      overrides: { nothing: randomUUID(), 'landscape-in-dem': 'x', 'landscape-in-pet': randomUUID() },
    },
    'from_stage params.window_size params.tie_priority params.v1_min_s_e3 ' +
      'overrides.nothing overrides.landscape-in-dem overrides.landscape-in-pet',
  ],
];

for (const [rows, operations, sent, fields] of together) {
  claim(rows, `everything wrong is named at once, ${fields}: ${operations.join(', ')}`, async (client) => {
    for (const operation of operations) {
      const { method, path, valid, isForm = false } = await targetOf(client, operation);
      const left = Object.entries({ ...valid, ...sent }).filter(([, value]) => value !== undefined);
      const parts = left.map(([name, part]) => [name, part instanceof File ? part : String(part)] as const);
      await client.invalid(
        fields.split(' '),
        method,
        path,
        isForm ? { parts } : { json: Object.fromEntries(left) },
      );
    }
  });
}

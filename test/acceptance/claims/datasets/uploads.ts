import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../../claim.ts';
import type { Client, Part } from '../../client.ts';
import { makeCategory, makeGroup, type Page, unique, unreadable } from '../../support/catalogue.ts';
import {
  type Dataset,
  discard,
  getDataset,
  partsOf,
  sharedCategory,
  upload,
} from '../../support/datasets.ts';
import { assertError } from '../../support/errors.ts';
import { emptyLayer, smallRaster } from '../../support/files.ts';
import { chunk, exchange, filePart, request } from '../../support/bytes.ts';
import { sharedGroup, sharedVector } from '../../support/shared.ts';
import { formType, rawForm, type RawPart, textPart } from '../../../support/http/raw-http.ts';

const MiB = 1024 * 1024;
const GiB = 1024 * MiB;
const tiff = 'II*\0 and nothing that could be read';
const slot = '/landscape/slots/landscape-in-precipitation';
const multipart = `content-type: ${formType['content-type']}`;
const small = (): File => smallRaster();

/** The required parts of an upload, written by hand. */
async function parts(client: Client): Promise<readonly RawPart[]> {
  const category = textPart('category_id', await sharedCategory(client));
  return [textPart('file_type', 'raster'), category, filePart('x.tif', tiff)];
}

async function refuse(client: Client, fields: readonly string[], ...more: readonly RawPart[]): Promise<void> {
  await client.invalid(fields, 'POST', '/datasets', { raw: [...(await parts(client)), ...more] });
}

claim(
  ['D3 part order', 'D1 unknown parts', 'D6 slot rules'],
  'parts may come in any order, and unknown ones may repeat, texts and files alike',
  async (client) => {
    const [type = assert.fail(), category = assert.fail(), file = assert.fail()] = await partsOf(
      client,
      small(),
    );
    const name: Part = ['name', 'порядок'];
    const strange: Part[] = [
      ['x', '1'],
      ['x', '2'],
      ['__proto__', 'x'],
      ['File', 'true'],
      ['', 'x'],
      ['files', new File(['II*\0'], 'a.tif')],
      ['files', new File([''], 'b.tif')],
    ];
    for (const [path, order] of [
      ['/datasets', [file, type, category, name]],
      ['/datasets', [type, ...strange, file, name, ...strange, category]],
      [slot, [name, ...strange, file]],
    ] as const) {
      const made = await client.read<Dataset>(201, 'POST', path, { parts: order });
      assert.deepEqual([made.name, made.filename], ['порядок', 'relief.tif']);
      await discard(client, made);
    }
  },
);

claim(
  ['1 file types', '1.1 upload', '1.1 asynchronous', '2.3 FileType', '4.4 upload file_type', '3.1 upload'],
  'a file of each of the three types is taken as a form, and answered at once as pending',
  async (client) => {
    for (const [file_type, file] of [
      ['vector', emptyLayer()],
      ['vector_with_kato', emptyLayer()],
      ['raster', small()],
    ] as const) {
      const form = { parts: await partsOf(client, file, { file_type }) };
      const answer = await client.expect(201, 'POST', '/datasets', form);
      const { id, status, file_type: type } = answer.read<Dataset>();
      assert.equal(answer.headers.get('location'), `/datasets/${id}`);
      assert.deepEqual([status, type], ['pending', file_type]);
      await discard(client, { id });
    }
  },
);

claim(
  ['D3 empty optional', 'D3 empty texts', 'D3 automated'],
  'every optional field sent empty counts as not sent',
  async (client) => {
    const empty = ['name', 'description', 'unit', 'meta', 'automated', 'dg_id', 'start_date', 'end_date'];
    const dataset = await upload(client, small(), Object.fromEntries(empty.map((name) => [name, ''])));
    assert.deepEqual(
      [dataset.name, dataset.description, dataset.unit, dataset.meta, dataset.automated],
      ['relief.tif', null, null, null, false],
    );
    assert.deepEqual([dataset.dg_id, dataset.start_date, dataset.end_date], [null, null, null]);
  },
);

claim(
  [
    ...['file', 'file_type', 'category_id', 'name', 'description', 'unit', 'meta', 'automated', 'dg_id'].map(
      (part) => `4.4 upload ${part}`,
    ),
    '4.4 upload start_date | 4.4 upload end_date | D1 part twice | D6 slot rules',
  ],
  'a known part that is sent twice is 422 on its name, and several of them at once',
  async (client) => {
    const dg_id = (await makeGroup(client)).id;
    const dates = { start_date: '2020-01-01', end_date: '2020-01-01' };
    const fields = { name: 'n', description: 'd', unit: 'u', meta: '{}', automated: 'true', dg_id, ...dates };
    const whole = await partsOf(client, small(), fields);
    assert.equal(whole.length, 11);
    for (const part of whole) {
      await client.invalid([part[0]], 'POST', '/datasets', { parts: [...whole, part] });
    }
    await client.invalid(
      whole.map(([name]) => name),
      'POST',
      '/datasets',
      { parts: [...whole, ...whole] },
    );
    const known = whole.filter(([name]) => ['file', 'name', 'start_date', 'end_date'].includes(name));
    for (const part of known) await client.invalid([part[0]], 'POST', slot, { parts: [...known, part] });
  },
);

claim(
  [
    '4.4 upload name | D3 name | 4.5 POST slots name | D6 slot rules',
    '4.4 upload start_date | 4.4 upload end_date | 4.5 POST slots start_date | 4.5 POST slots end_date',
  ],
  'a name may have 255 code points; one end of a period may be there alone, both may be one day, the first and the last',
  async (client) => {
    const name = '𐰴'.repeat(255);
    for (const [start_date, end_date] of [
      ['9999-12-31', ''],
      ['', '0001-01-01'],
    ] as const) {
      const made = await upload(client, small(), { name, start_date, end_date });
      const read = [made.name, made.start_date, made.end_date];
      assert.deepEqual(read, [name, start_date || null, end_date || null]);
      await discard(client, made);
    }
    const form = { file: small(), name, start_date: '0101-01-01', end_date: '0101-01-01' };
    await client.expect(201, 'POST', slot, { form });
  },
);

claim(
  [
    '4.4 upload',
    'D1 400 multipart',
    '7 400 JSON',
    '4.3 POST sld 400',
    '4.5 POST slots 400',
    'L8.2 400',
    'D1 order broken form',
  ],
  'every route that takes a form takes no other body, none without a boundary, and none that is cut short, however wrong its fields are',
  async (client) => {
    const { baseUrl } = client;
    const whole = new Uint8Array(rawForm(await parts(client)));
    const ends = [0, 8, 60, whole.length - 9];
    const wrong = rawForm([textPart('file_type', 'nope')], '--edge\r\nContent-Disp');
    const types = [
      'application/json',
      'text/plain',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=other',
      'multipart/mixed; boundary=edge',
      'nonsense',
    ];
    const [group, { id }] = [await sharedGroup(client), await sharedVector(client)];
    for (const path of ['/datasets', slot, `/datasets/${id}/sld`, `/dataset-groups/${group.id}/sld`]) {
      for (const body of [...ends.map((end) => whole.subarray(0, end)), new Uint8Array(wrong)]) {
        await client.refused(400, 'POST', path, { body, headers: formType });
      }
      for (const type of types) {
        await client.refused(400, 'POST', path, { body: whole, headers: { 'content-type': type } });
      }
      await client.refused(400, 'POST', path);
      const head = request(baseUrl, `POST ${path}`, [multipart, `content-length: ${whole.length}`]);
      assertError(await exchange(baseUrl, 400, [head, whole.subarray(0, -20)], { saidAll: true }), path);
    }
  },
);

claim(
  ['D3 nothing left', 'D1 422 upload', 'D1 413 nothing stored', 'D6 slot rules', '4.5 POST slots 422'],
  'refused and broken uploads leave no dataset',
  async (client) => {
    const { id: category_id } = await makeCategory(client);
    const name = unique('refused');
    const form = { file_type: 'raster', category_id, name, file: unreadable.raster };
    for (const wrong of [{ automated: 'maybe' }, { file_type: 'vector' }, { meta: '[]' }]) {
      await client.expect(422, 'POST', '/datasets', { form: { ...form, ...wrong } });
    }
    await client.expect(422, 'POST', slot, { form: { name, file: unreadable.raster, end_date: 'never' } });
    const broken = [
      textPart('category_id', category_id),
      textPart('file_type', 'raster'),
      textPart('name', name),
    ];
    const body = rawForm([...broken, filePart('a.tif', tiff)], '');
    await client.refused(400, 'POST', '/datasets', { body, headers: formType });
    for (const query of [`category_id=${category_id}`, `q=${name}`]) {
      assert.equal((await client.get<Page<Dataset>>(`/datasets?${query}`)).total, 0);
    }
  },
);

const digits =
  '"a":12345678901234567890,"b":1e400,"c":0.1000000000000000055511151231257827,"d":-0,"e":1.10,"f":-1E-400,"g":[0.30]';

claim(
  [
    'D3 meta | 4.4 upload meta | D1 digits meta | D1 meta depth | D1 1 MiB | D1 413 whole body | D1 4 KiB | D1 64 parts',
    'D1 not cut | 4.4 upload',
  ],
  'a form may have 64 parts, a file name of 4 KiB, fields of 1 MiB, and meta nested 64 deep, which comes back digit by digit',
  async (client) => {
    const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    const strange = '"__proto__":{"admin":true},"constructor":1,"б":2,"2":null,"1":"é"';
    const meta = `{"z":{"c":[0.1,1.0,-0]},${digits},${strange},"deep":${nested(63)}}`;
    const description = 'я'.repeat(MiB / 2);
    const [type = textPart('', ''), of = textPart('', '')] = await parts(client);
    const pathOf = (name: string) => `${'a/'.repeat(2000)}${name}.tif`;
    const others = Array.from({ length: 59 }, (_, index) => textPart(`other${index % 7}`, 'x'));
    const said = [textPart('meta', meta), textPart('description', description)];
    const raw = [type, of, filePart(pathOf('x'.repeat(92)), tiff), ...said, ...others];
    const made = await client.expect(201, 'POST', '/datasets', { raw });
    const { id, filename } = made.read<Dataset>();
    assert.equal(filename, `${'x'.repeat(92)}.tif`);
    for (const { text } of [made, await client.expect(200, 'GET', `/datasets/${id}`)])
      assert.ok(text.replaceAll(/\s/g, '').includes(`"meta":${meta}`), text.slice(0, 2000));
    assert.equal((await getDataset(client, id)).description, description);
    await discard(client, { id });

    const longer = [type, of, filePart(pathOf('x'.repeat(93)), tiff)];
    await client.invalid(['file'], 'POST', '/datasets', { raw: longer });
    await client.invalid(['file'], 'POST', '/datasets', { raw: [...raw, textPart('other', 'x')] });
    for (const depth of [65, 100_000]) await refuse(client, ['meta'], textPart('meta', nested(depth)));
    await refuse(client, ['description'], textPart('description', `${description}x`));
    await refuse(client, ['meta'], textPart('meta', `{"a":"${'x'.repeat(MiB)}"}`));
  },
);

claim(
  ['D1 part text', 'D1 422 fields'],
  'text that holds U+0000, half a surrogate pair or bytes that are not UTF-8 is 422 on its part',
  async (client) => {
    for (const name of ['name', 'description', 'unit', 'meta']) {
      for (const bytes of [
        [0x61, 0x00],
        [0xed, 0xa0, 0xbd],
        [0xc0, 0x80],
      ]) {
        await refuse(client, [name], textPart(name, new Uint8Array(bytes)));
      }
    }
    await refuse(client, ['meta'], textPart('meta', String.raw`{"a":"\ud83d"}`));
    await refuse(client, ['meta'], textPart('meta', String.raw`{"\u0000":1}`));
  },
);

claim(
  ['7 413', 'D1 413 early', '8 body default', 'D1 413 whole body', 'D6 slot rules', 'L8.2 413'],
  'a form of 2 GiB is asked for, and one of a byte more is 413 before it is sent',
  async ({ baseUrl }) => {
    for (const path of ['/datasets', slot]) {
      const announce = async (status: number, bytes: number, ...more: readonly string[]) => {
        const head = request(baseUrl, `POST ${path}`, [multipart, `content-length: ${bytes}`, ...more]);
        return await exchange(baseUrl, status, [head], { saidAll: true });
      };
      const fits = await announce(400, 2 * GiB, 'expect: 100-continue');
      assert.deepEqual(fits.interim, [100], 'asked for, and never sent');
      for (const more of [[], ['expect: 100-continue']]) {
        const over = await announce(413, 2 * GiB + 1, ...more);
        assert.deepEqual(over.interim, []);
        assertError(over);
      }
    }
  },
);

claim(
  ['D1 400 multipart', 'D1 413 counted'],
  'a form may come in chunks, without a length',
  async (client) => {
    const { baseUrl } = client;
    const form = Buffer.from(rawForm(await parts(client))).toString();
    const head = request(baseUrl, 'POST /datasets', [multipart, 'transfer-encoding: chunked']);
    await exchange(baseUrl, 201, [head, chunk(form.slice(0, 100)), chunk(form.slice(100)), chunk('')]);
  },
);

checkedElsewhere('test/http/edge/edge-limits.test.ts', {
  'answers 413 by its Content-Length, before it is sent and without leave to send it': ['4.4 upload 413'],
  'leaves nothing when the client goes away at any moment': ['D3 nothing left'],
});

import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import { makeCategory, type Page, unreadable } from '../support/catalogue.ts';
import { type Dataset, getDataset, once, process } from '../support/datasets.ts';
import { assertError } from '../support/errors.ts';
import { geojsonFile } from '../support/files.ts';
import { chunk, exchange, filePart, request } from '../support/raw.ts';
import type { Client } from '../client.ts';
import { formType, rawForm, textPart, type RawPart } from '../../support/raw-http.ts';

const MiB = 1024 * 1024;
const GiB = 1024 * MiB;
const tiff = 'II*\0 and nothing that could be read';
const multipart = `content-type: ${formType['content-type']}`;
const category = once(makeCategory);

/** The parts that an upload must have, written by hand. */
async function parts(client: Client): Promise<readonly RawPart[]> {
  const { id } = await category(client);
  return [textPart('file_type', 'raster'), textPart('category_id', id), filePart('x.tif', tiff)];
}

async function send(client: Client, ...more: readonly RawPart[]): Promise<Dataset> {
  return await client.read(201, 'POST', '/datasets', { raw: [...(await parts(client)), ...more] });
}

async function refuse(client: Client, fields: readonly string[], ...more: readonly RawPart[]): Promise<void> {
  await client.invalid(fields, 'POST', '/datasets', { raw: [...(await parts(client)), ...more] });
}

claim(
  ['D1 400 multipart', '4.3 POST sld 400', '7 400 JSON'],
  'a multipart route takes no other body, none without a boundary, and none that is cut short',
  async (client) => {
    const whole = Buffer.from(rawForm(await parts(client)));
    const broken = [0, 1, 6, 8, 40, 60, whole.length - 12, whole.length - 9].map(
      (length) => new Uint8Array(whole.subarray(0, length)),
    );
    for (const path of ['/datasets', '/landscape/slots/landscape-in-dem']) {
      for (const body of broken) {
        await client.refused(400, 'POST', path, { body, headers: formType });
      }
      for (const type of [
        'application/json',
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'multipart/form-data; boundary=',
        'multipart/form-data; boundary=other',
        'multipart/mixed; boundary=edge',
        'nonsense',
      ]) {
        const body = new Uint8Array(whole);
        await client.refused(400, 'POST', path, { body, headers: { 'content-type': type } });
      }
      await client.refused(400, 'POST', path);
    }
  },
);

claim(['D1 400 multipart'], 'a form that ends in the middle of its body is 400', async (client) => {
  const { baseUrl } = client;
  const form = Buffer.from(rawForm(await parts(client)));
  const head = request(baseUrl, 'POST /datasets', [multipart, `content-length: ${form.length}`]);
  assertError(await exchange(baseUrl, 400, [head, form.subarray(0, form.length - 20)], { saidAll: true }));
});

claim(
  ['D1 422 upload', '7 422 input', '7 ValidationErrors'],
  'everything that is wrong with an upload is named at once, by its part',
  async (client) => {
    const { id: category_id } = await category(client);
    const form = {
      file: new File([], 'x.tif'),
      file_type: 'tiff',
      category_id: 'x',
      name: ' ',
      meta: '[]',
      automated: 'yes',
      dg_id: 'x',
      start_date: '2023-02-29',
      end_date: '1',
    };
    await client.invalid(Object.keys(form), 'POST', '/datasets', { form });
    const nothing = { form: { other: 'part' } };
    await client.invalid(['file', 'file_type', 'category_id'], 'POST', '/datasets', nothing);
    const valid = { file_type: 'raster', category_id };
    for (const file of [
      new File([], 'x.tif'),
      new File(['II*\0'], 'x.geojson'),
      new File(['II*\0'], 'x'),
      new File(['II*\0'], 'x.tif.exe'),
      new File(['{}'], 'x.tif'),
      new File(['II'], 'x.tif'),
      tiff,
    ]) {
      await client.invalid(['file'], 'POST', '/datasets', { form: { ...valid, file } });
    }
    await client.invalid(['file'], 'POST', '/datasets', { form: valid });
    for (const wrong of [
      { meta: 'null' },
      { meta: '1' },
      { meta: '{"a":1,}' },
      { meta: '{"a":"\\u0000"}' },
      { automated: 'TRUE' },
      { automated: '1' },
      { name: 'x'.repeat(256) },
    ]) {
      const sent = { ...valid, file: unreadable.raster, ...wrong };
      await client.invalid(Object.keys(wrong), 'POST', '/datasets', { form: sent });
    }
    const backwards = { ...valid, file: unreadable.raster, start_date: '2020-01-02', end_date: '2020-01-01' };
    await client.invalid(['end_date'], 'POST', '/datasets', { form: backwards });
  },
);

claim(
  ['D1 422 upload', 'D1 413 nothing stored'],
  'an upload that is refused makes no dataset',
  async (client) => {
    const { id: category_id } = await makeCategory(client);
    const form = { file_type: 'raster', category_id, file: unreadable.raster };
    await client.expect(422, 'POST', '/datasets', { form: { ...form, automated: 'maybe' } });
    await client.expect(422, 'POST', '/datasets', { form: { ...form, file_type: 'vector' } });
    const { total } = await client.get<Page<Dataset>>(`/datasets?category_id=${category_id}`);
    assert.equal(total, 0);
  },
);

claim(
  ['D1 1 MiB', 'D1 not cut', 'D1 413 whole body'],
  'a field may have 1 MiB, counted in bytes, and not a byte more',
  async (client) => {
    const whole = 'я'.repeat(MiB / 2);
    const { id } = await send(client, textPart('description', whole));
    assert.equal((await getDataset(client, id)).description, whole);
    await refuse(client, ['description'], textPart('description', `${whole}x`));
    await refuse(client, ['meta'], textPart('meta', `{"a":"${'x'.repeat(MiB)}"}`));
  },
);

claim(
  ['D1 4 KiB', 'D1 not cut'],
  'a file name may have 4 KiB on the wire, not a byte more',
  async (client) => {
    const [type = textPart('', ''), of = textPart('', '')] = await parts(client);
    const formOf = (stem: string) => ({
      raw: [type, of, filePart(`${'a/'.repeat(2000)}${stem}.tif`, tiff)],
    });
    const { filename } = await client.read<Dataset>(201, 'POST', '/datasets', formOf('x'.repeat(92)));
    assert.equal(filename, `${'x'.repeat(92)}.tif`);
    await client.invalid(['file'], 'POST', '/datasets', formOf('x'.repeat(93)));
  },
);

claim(
  ['D1 64 parts', 'D1 unknown parts', 'D1 not cut'],
  'a form may have 64 parts, of which unknown ones repeat, and not one more',
  async (client) => {
    const others = (count: number) =>
      Array.from({ length: count }, (_, index) => textPart(`other${index % 7}`, 'x'));
    await send(client, ...others(61));
    await refuse(client, ['file'], ...others(62));
    await refuse(client, ['file'], ...others(3000));
  },
);

claim(
  ['D1 part twice'],
  'a known part that is sent twice is 422 on its name, equal or not, and all of them at once',
  async (client) => {
    const twice = (name: string) => [textPart(name, 'true'), textPart(name, 'true')];
    await refuse(client, ['file_type'], textPart('file_type', 'raster'));
    await refuse(client, ['file'], filePart('y.tif', tiff));
    await refuse(client, ['automated', 'unit'], ...twice('automated'), ...twice('unit'));
    await send(client, ...twice('File'), ...twice('unknown'), textPart('', 'x'), textPart('', 'x'));
  },
);

claim(
  ['D1 part text', 'D1 422 fields'],
  'text that holds U+0000, half a surrogate pair or bytes that are no UTF-8 is 422 on its part',
  async (client) => {
    for (const name of ['name', 'description', 'unit', 'meta']) {
      for (const bytes of [[0x61, 0x00], [0xed, 0xa0, 0xbd], [0xff], [0xc0, 0x80], [0xd0]]) {
        await refuse(client, [name], textPart(name, new Uint8Array(bytes)));
      }
    }
    await refuse(client, ['meta'], textPart('meta', String.raw`{"a":"\ud83d"}`));
    await refuse(client, ['meta'], textPart('meta', String.raw`{"\u0000":1}`));
  },
);

claim(['D1 meta depth'], 'meta may be nested 64 deep, not 65', async (client) => {
  const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const { id } = await send(client, textPart('meta', nested(64)));
  assert.deepEqual((await getDataset(client, id)).meta, JSON.parse(nested(64)));
  for (const depth of [65, 100_000]) await refuse(client, ['meta'], textPart('meta', nested(depth)));
});

const digits =
  '"a":12345678901234567890,"b":1e400,"c":0.1000000000000000055511151231257827,"d":-0,"e":1.10,"f":-1E-400,"g":[0.30]';

claim(['D1 digits meta'], 'numbers in meta keep their digits', async (client) => {
  const raw = [...(await parts(client)), textPart('meta', `{${digits},"__proto__":1}`)];
  const made = await client.expect(201, 'POST', '/datasets', { raw });
  const { id } = made.read<Dataset>();
  for (const { text } of [made, await client.expect(200, 'GET', `/datasets/${id}`)]) {
    assert.ok(text.replaceAll(/\s/g, '').includes(`"meta":{${digits},"__proto__":1}`), text);
  }
});

claim(['D1 digits geojson'], 'numbers in the properties of a .geojson keep their digits', async (client) => {
  const feature = `{"type":"Feature","geometry":{"type":"Point","coordinates":[71,51]},"properties":{${digits}}}`;
  const file = geojsonFile(`{"type":"FeatureCollection","features":[${feature}]}`);
  const { id } = await process(client, 'ready', file);
  const { text } = await client.expect(200, 'GET', `/datasets/${id}.geojson`);
  assert.ok(text.replaceAll(/\s/g, '').includes(`"properties":{${digits}}`), text);
});

claim(
  ['7 413', 'D1 413 early', '8 body default', 'D1 413 whole body'],
  'a form of 2 GiB is asked for, and one of a byte more is 413 before it is sent',
  async ({ baseUrl }) => {
    for (const path of ['/datasets', '/landscape/slots/landscape-in-dem']) {
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
    const chunks = [head, chunk(form.slice(0, 100)), chunk(form.slice(100)), chunk('')];
    await exchange(baseUrl, 201, chunks);
  },
);

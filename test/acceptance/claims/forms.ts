import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import { makeCategory, type Page, unreadable } from '../support/catalogue.ts';
import { type Dataset, getDataset, once, process } from '../support/datasets.ts';
import { assertError, assertFields } from '../support/errors.ts';
import { geojsonFile } from '../support/files.ts';
import { chunk, exchange, filePart, request } from '../support/raw.ts';
import type { Client } from '../client.ts';
import { formType, rawForm, textPart, type RawPart } from '../../support/raw-http.ts';

const MiB = 1024 * 1024;
const GiB = 1024 * MiB;
const tiff = 'II*\0 and nothing that could be read';
const category = once(makeCategory);

/** The parts that an upload must have, written by hand. */
async function parts(client: Client): Promise<readonly RawPart[]> {
  const { id } = await category(client);
  return [textPart('file_type', 'raster'), textPart('category_id', id), filePart('x.tif', tiff)];
}

async function send(client: Client, status: number, ...more: readonly RawPart[]) {
  const body = rawForm([...(await parts(client)), ...more]);
  return await client.expect(status, 'POST', '/datasets', { body, headers: formType });
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
        assertError(
          await client.expect(400, 'POST', path, { body, headers: formType }),
          `${path} ${body.length}`,
        );
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
        assertError(
          await client.expect(400, 'POST', path, { body, headers: { 'content-type': type } }),
          type,
        );
      }
      assertError(await client.expect(400, 'POST', path));
    }
  },
);

claim(['D1 400 multipart'], 'a form that ends in the middle of its body is 400', async (client) => {
  const { baseUrl } = client;
  const form = Buffer.from(rawForm(await parts(client)));
  const type = 'content-type: multipart/form-data; boundary=edge';
  const head = request(baseUrl, 'POST /datasets', [type, `content-length: ${form.length}`]);
  const answer = await exchange(baseUrl, [head, form.subarray(0, form.length - 20)], { saidAll: true });
  assert.equal(answer.status, 400, answer.text);
  assertError(answer);
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
    assertFields(await client.expect(422, 'POST', '/datasets', { form }), ...Object.keys(form));
    const nothing = await client.expect(422, 'POST', '/datasets', { form: { other: 'part' } });
    assertFields(nothing, 'file', 'file_type', 'category_id');
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
      assertFields(await client.expect(422, 'POST', '/datasets', { form: { ...valid, file } }), 'file');
    }
    assertFields(await client.expect(422, 'POST', '/datasets', { form: valid }), 'file');
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
      assertFields(await client.expect(422, 'POST', '/datasets', { form: sent }), ...Object.keys(wrong));
    }
    const backwards = { ...valid, file: unreadable.raster, start_date: '2020-01-02', end_date: '2020-01-01' };
    assertFields(await client.expect(422, 'POST', '/datasets', { form: backwards }), 'end_date');
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
    const { total } = (await client.expect(200, 'GET', `/datasets?category_id=${category_id}`)).read<
      Page<Dataset>
    >();
    assert.equal(total, 0);
  },
);

claim(
  ['D1 1 MiB', 'D1 not cut', 'D1 413 whole body'],
  'a field may have 1 MiB, counted in bytes, and not a byte more',
  async (client) => {
    const whole = 'я'.repeat(MiB / 2);
    const { id } = (await send(client, 201, textPart('description', whole))).read<Dataset>();
    assert.equal((await getDataset(client, id)).description, whole);
    assertFields(await send(client, 422, textPart('description', `${whole}x`)), 'description');
    assertFields(await send(client, 422, textPart('meta', `{"a":"${'x'.repeat(MiB)}"}`)), 'meta');
  },
);

claim(
  ['D1 4 KiB', 'D1 not cut'],
  'a file name may have 4 KiB on the wire, not a byte more',
  async (client) => {
    const [type = textPart('', ''), of = textPart('', '')] = await parts(client);
    const upload = async (status: number, name: string) => {
      const body = rawForm([type, of, filePart(name, tiff)]);
      return await client.expect(status, 'POST', '/datasets', { body, headers: formType });
    };
    const { filename } = (await upload(201, `${'a/'.repeat(2000)}${'x'.repeat(92)}.tif`)).read<Dataset>();
    assert.equal(filename, `${'x'.repeat(92)}.tif`);
    assertFields(await upload(422, `${'a/'.repeat(2000)}${'x'.repeat(93)}.tif`), 'file');
  },
);

claim(
  ['D1 64 parts', 'D1 unknown parts', 'D1 not cut'],
  'a form may have 64 parts, of which unknown ones repeat, and not one more',
  async (client) => {
    const others = (count: number) =>
      Array.from({ length: count }, (_, index) => textPart(`other${index % 7}`, 'x'));
    await send(client, 201, ...others(61));
    assertFields(await send(client, 422, ...others(62)), 'file');
    assertFields(await send(client, 422, ...others(3000)), 'file');
  },
);

claim(
  ['D1 part twice'],
  'a known part that is sent twice is 422 on its name, equal or not, and all of them at once',
  async (client) => {
    const twice = (name: string) => [textPart(name, 'true'), textPart(name, 'true')];
    assertFields(await send(client, 422, textPart('file_type', 'raster')), 'file_type');
    assertFields(await send(client, 422, filePart('y.tif', tiff)), 'file');
    assertFields(await send(client, 422, ...twice('automated'), ...twice('unit')), 'automated', 'unit');
    await send(client, 201, ...twice('File'), ...twice('unknown'), textPart('', 'x'), textPart('', 'x'));
  },
);

claim(
  ['D1 part text', 'D1 422 fields'],
  'text that holds U+0000, half a surrogate pair or bytes that are no UTF-8 is 422 on its part',
  async (client) => {
    for (const name of ['name', 'description', 'unit', 'meta']) {
      for (const bytes of [[0x61, 0x00], [0xed, 0xa0, 0xbd], [0xff], [0xc0, 0x80], [0xd0]]) {
        assertFields(await send(client, 422, textPart(name, new Uint8Array(bytes))), name);
      }
    }
    assertFields(await send(client, 422, textPart('meta', String.raw`{"a":"\ud83d"}`)), 'meta');
    assertFields(await send(client, 422, textPart('meta', String.raw`{"\u0000":1}`)), 'meta');
  },
);

claim(['D1 meta depth'], 'meta may be nested 64 deep, not 65', async (client) => {
  const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const { id } = (await send(client, 201, textPart('meta', nested(64)))).read<Dataset>();
  assert.deepEqual((await getDataset(client, id)).meta, JSON.parse(nested(64)));
  for (const depth of [65, 100_000])
    assertFields(await send(client, 422, textPart('meta', nested(depth))), 'meta');
});

const digits =
  '"a":12345678901234567890,"b":1e400,"c":0.1000000000000000055511151231257827,"d":-0,"e":1.10,"f":-1E-400,"g":[0.30]';

claim(['D1 digits meta'], 'numbers in meta keep their digits', async (client) => {
  const made = await send(client, 201, textPart('meta', `{${digits},"__proto__":1}`));
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

const multipart = 'content-type: multipart/form-data; boundary=edge';

claim(
  ['7 413', 'D1 413 early', '8 body default', 'D1 413 whole body'],
  'a form of 2 GiB is asked for, and one of a byte more is 413 before it is sent',
  async ({ baseUrl }) => {
    for (const path of ['/datasets', '/landscape/slots/landscape-in-dem']) {
      const announce = async (bytes: number, ...more: readonly string[]) =>
        await exchange(
          baseUrl,
          [request(baseUrl, `POST ${path}`, [multipart, `content-length: ${bytes}`, ...more])],
          {
            saidAll: true,
          },
        );
      const fits = await announce(2 * GiB, 'expect: 100-continue');
      assert.deepEqual([fits.interim, fits.status], [[100], 400], 'asked for, and never sent');
      for (const more of [[], ['expect: 100-continue']]) {
        const over = await announce(2 * GiB + 1, ...more);
        assert.deepEqual([over.interim, over.status], [[], 413]);
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
    const answer = await exchange(baseUrl, chunks);
    assert.equal(answer.status, 201, answer.text);
  },
);

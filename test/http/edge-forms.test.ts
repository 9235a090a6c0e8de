import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { MiB } from '../../src/common/units.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { insertCategory, leftovers, nothing, send, sendRawForm, tiffBytes } from '../support/datasets.ts';
import { describedOperations } from '../support/operations.ts';
import { exchange } from '../support/raw-http.ts';

interface Refusal {
  readonly error?: string;
  readonly errors?: Readonly<Record<string, string>>;
}

let app: TestApp;
let category = '';
let forms: readonly string[] = [];
before(async () => {
  app = await startTestApp({ landscape: true });
  category = await insertCategory(app.services.db);
  const operations = await describedOperations(app);
  forms = operations.filter(({ bodyKind }) => bodyKind === 'form').map(({ path }) => path);
});
after(async () => await app.close());
beforeEach(async () => {
  for (const { id } of (await leftovers(app.services)).datasets) {
    assert.equal((await send(app, `/datasets/${id}`, { method: 'DELETE' })).status, 204);
  }
});

const field = (name: string, value: string): string =>
  `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (disposition: string, content = tiffBytes, more = ''): string =>
  `--edge\r\nContent-Disposition: form-data; name="file"${disposition}\r\n${more}\r\n${content}\r\n`;
const usual = (): string => field('file_type', 'raster') + field('category_id', category);
const tif = '; filename="x.tif"';
const end = '--edge--\r\n';

async function post(body: string | Buffer, type = 'multipart/form-data; boundary=edge', path = '/datasets') {
  const bytes = Buffer.from(body);
  return await send<Refusal>(app, path, { method: 'POST', body: bytes, headers: { 'content-type': type } });
}

async function assertNothingStored(): Promise<void> {
  const { stored, datasets, jobs } = await leftovers(app.services);
  assert.deepEqual({ datasets, jobs }, { datasets: nothing.datasets, jobs: nothing.jobs });
  assert.deepEqual(
    stored.filter((key) => key.startsWith('originals/')),
    [],
  );
}

describe('a form that breaks off is 400 on every path that takes one, and stores nothing:', () => {
  const cases: Readonly<Record<string, () => string>> = {
    'its last boundary is missing': () => usual() + file(tif),
    'its last boundary lacks its dashes': () => `${usual() + file(tif)}--edge\r\n`,
    'the header of a part is cut': () => `${usual()}--edge\r\nContent-Disposition: form-da`,
    'the header of a part has no end': () =>
      `${usual()}--edge\r\nContent-Disposition: form-data; name="file"\r\n`,
    'a part header has no colon': () => `${usual()}--edge\r\nContent-Disposition\r\n\r\nx\r\n${end}`,
    'it is empty': () => '',
    'it has another boundary': () => (usual() + file(tif) + end).replaceAll('--edge', '--other'),
    'a part has a header of 100 KB': () =>
      usual() + file(tif, tiffBytes, `X: ${'x'.repeat(100_000)}\r\n`) + end,
  };
  for (const [what, body] of Object.entries(cases)) {
    test(what, async () => {
      assert.ok(forms.length >= 4);
      for (const path of forms) {
        const url = path
          .replace(/\{\w+\}/, 'landscape-in-dem')
          .replace(/datasets\/[^/]+|dataset-groups\/[^/]+/, (at) => at.replace('landscape-in-dem', category));
        const { status, body: answer, text } = await post(body(), undefined, url);
        assert.equal(status, 400, `${url} ${text}`);
        assert.equal(typeof answer.error, 'string');
      }
      await assertNothingStored();
    });
  }

  test('it says nothing of a boundary, or is no form', async () => {
    for (const type of [
      'multipart/form-data',
      'multipart/form-data; boundary=""',
      'text/plain',
      'multipart/mixed; boundary=edge',
    ]) {
      assert.equal((await post(usual() + file(tif) + end, type)).status, 400, type);
    }
    await assertNothingStored();
  });

  test('it is compressed: 415, whatever the coding, and nothing is inflated', async () => {
    for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'gzip, identity']) {
      const answer = await exchange(
        app.port,
        `POST /datasets HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-encoding: ${encoding}\r\n` +
          'content-type: multipart/form-data; boundary=edge\r\ncontent-length: 4\r\n\r\n\x1f\x8b\x08\x00',
      );
      assert.match(answer, /^HTTP\/1\.1 415 .*nosniff.*"error"/s, encoding);
    }
    await assertNothingStored();
  });
});

describe('a form with too many of something is refused whole:', () => {
  test('5,000 parts, 10,000 fields, or as many files are 422 on file', async () => {
    for (const parts of [
      field('x', '').repeat(5000),
      Array.from({ length: 10_000 }, (_, index) => field(`f${index}`, '1')).join(''),
      file('; filename="y.tif"').replace('"file"', '"y"').repeat(5000),
    ]) {
      const { status, body } = await post(parts + usual() + file(tif) + end);
      assert.equal(status, 422);
      assert.ok('file' in (body.errors ?? {}));
    }
    await assertNothingStored();
  });

  test('a file sent twice, and a field sent twice, are 422 on it', async () => {
    const twice = await post(usual() + file(tif) + file(tif) + end);
    assert.deepEqual([twice.status, Object.keys(twice.body.errors ?? {})], [422, ['file']]);
    const category_id = await post(usual() + field('category_id', category) + file(tif) + end);
    assert.deepEqual(
      [category_id.status, Object.keys(category_id.body.errors ?? {})],
      [422, ['category_id']],
    );
    await assertNothingStored();
  });

  test('a file without a name, with an empty one, or without a byte is 422 on file', async () => {
    for (const sent of [file(''), file('; filename=""'), file('; filename="dir/"'), file(tif, '')]) {
      const { status, body } = await post(usual() + sent + end);
      assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, ['file']], sent);
    }
    await assertNothingStored();
  });

  test('meta of a byte more than 1 MiB is 422 on meta; of 1 MiB it comes back whole', async () => {
    const meta = (bytes: number): string => `{"a":"${'x'.repeat(bytes - 8)}"}`;
    const over = await post(usual() + field('meta', meta(MiB + 1)) + file(tif) + end);
    assert.deepEqual([over.status, Object.keys(over.body.errors ?? {})], [422, ['meta']]);
    await assertNothingStored();
    const whole = await post(usual() + field('meta', meta(MiB)) + file(tif) + end);
    assert.equal(whole.status, 201);
    assert.ok(whole.text.includes(meta(MiB)));
  });
});

describe('a form that is only strange is taken:', () => {
  test('a million empty lines before it, after it, and in a field that nobody knows', async () => {
    const lines = '\r\n'.repeat(1_000_000);
    for (const body of [
      `${lines}${usual()}${file(tif)}${end}`,
      `${usual()}${file(tif)}${end}${lines}`,
      `${field('x', lines)}${usual()}${file(tif)}${end}`,
    ]) {
      const { status, text } = await post(body);
      assert.equal(status, 201, text);
    }
  });

  test('two thousand headers on a part', async () => {
    const headers = Array.from({ length: 2001 }, (_, index) => `X-${index}: 1`);
    const { status, body, text } = await sendRawForm(app, '/datasets', [
      { headers: ['Content-Disposition: form-data; name="file_type"'], content: 'raster' },
      { headers: ['Content-Disposition: form-data; name="category_id"'], content: category },
      { headers: [...headers, `Content-Disposition: form-data; name="file"${tif}`], content: tiffBytes },
    ]);
    assert.equal(status, 201, text);
    assert.equal(body['size_bytes'], tiffBytes.length);
  });

  test('the file before all fields', async () => {
    assert.equal((await post(file(tif) + usual() + end)).status, 201);
  });
});

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../support/app.ts';
import { insertCategory, send, sendRawForm, tiffBytes } from '../support/datasets.ts';
import { exchange, request } from '../support/raw-http.ts';

let app: TestApp;
let category = '';
before(async () => {
  app = await startTestApp();
  category = await insertCategory(app.services.db);
});
after(async () => await app.close());

/** Uploads a file whose name is sent with these very bytes. */
async function uploadNamed(disposition: string | Buffer) {
  return await sendRawForm(app, '/datasets', [
    { headers: ['Content-Disposition: form-data; name="file_type"'], content: 'raster' },
    { headers: ['Content-Disposition: form-data; name="category_id"'], content: category },
    {
      headers: [
        Buffer.concat([
          Buffer.from('Content-Disposition: form-data; name="file"; '),
          Buffer.from(disposition),
        ]),
      ],
      content: tiffBytes,
    },
  ]);
}

/** The header lines of a download, as they stand on the wire. */
async function downloadHead(id: string): Promise<readonly string[]> {
  const answer = await exchange(
    app.port,
    request('GET', `/datasets/${id}/download`, { connection: 'close' }),
  );
  assert.match(answer, /^HTTP\/1\.1 200 /);
  return answer.slice(0, answer.indexOf('\r\n\r\n')).split('\r\n');
}

/** As sent, as kept, and the two names of the download. */
const names: readonly (readonly [sent: string, kept: string, fallback: string, encoded: string])[] = [
  ['filename="../../x.tif"', 'x.tif', 'x.tif', 'x.tif'],
  [String.raw`filename="..\..\x.tif"`, 'x.tif', 'x.tif', 'x.tif'],
  ['filename="/etc/x.tif"', 'x.tif', 'x.tif', 'x.tif'],
  [String.raw`filename="C:\x.tif"`, 'x.tif', 'x.tif', 'x.tif'],
  ['filename="%2e%2e%2fx.tif"', '%2e%2e%2fx.tif', '%2e%2e%2fx.tif', '%252e%252e%252fx.tif'],
  [
    `filename="${'n'.repeat(4092)}.tif"`,
    `${'n'.repeat(251)}.tif`,
    `${'n'.repeat(251)}.tif`,
    `${'n'.repeat(251)}.tif`,
  ],
  ['filename="a\rb\0c\x7fd.tif"', 'abcd.tif', 'abcd.tif', 'abcd.tif'],
  ["filename*=UTF-8''a%0D%0AX-Evil:%201%00.tif", 'aX-Evil: 1.tif', 'aX-Evil: 1.tif', 'aX-Evil%3A%201.tif'],
  [String.raw`filename="a\"b;c'd.tif"`, `a"b;c'd.tif`, "ab;c'd.tif", 'ab%3Bc%27d.tif'],
  ["filename*=UTF-8''a%22%5Cb.tif", 'b.tif', 'b.tif', 'b.tif'],
  [
    'filename="😀\u2028\u202efit.tif"',
    '😀\u2028\u202efit.tif',
    '___fit.tif',
    '%F0%9F%98%80%E2%80%A8%E2%80%AEfit.tif',
  ],
  [
    'filename="Карта_ҚР.tif"',
    'Карта_ҚР.tif',
    '________.tif',
    '%D0%9A%D0%B0%D1%80%D1%82%D0%B0_%D2%9A%D0%A0.tif',
  ],
  [
    "filename*=UTF-8''%D0%9A%D0%B0%D1%80%D1%82%D0%B0_%D2%9A%D0%A0.tif",
    'Карта_ҚР.tif',
    '________.tif',
    '%D0%9A%D0%B0%D1%80%D1%82%D0%B0_%D2%9A%D0%A0.tif',
  ],
];

describe('a file name is kept without folders and control characters, and comes back in one header:', () => {
  for (const [sent, kept, fallback, encoded] of names) {
    test(JSON.stringify(sent.slice(0, 60)), async () => {
      const { status, body, text } = await uploadNamed(sent);
      assert.equal(status, 201, text);
      assert.equal(body['filename'], kept);
      assert.equal(body.storage_key, `originals/${body.id}/source.tif`);
      const head = await downloadHead(body.id);
      assert.deepEqual(
        head.filter((line) => /^content-disposition:/i.test(line)),
        [`content-disposition: attachment; filename="${fallback}"; filename*=UTF-8''${encoded}`],
      );
      assert.deepEqual(
        head.filter((line) => /^x-evil/i.test(line)),
        [],
      );
    });
  }

  test('and decides nothing about where the file is stored', async () => {
    const keys = await Array.fromAsync(app.services.objectStore.keys());
    assert.ok(keys.length >= names.length);
    for (const key of keys) assert.match(key, /^originals\/[0-9a-f-]{36}\/source\.tif$/);
  });
});

describe('a file name that can not be kept is refused on file:', () => {
  const cases: Readonly<Record<string, string | Buffer>> = {
    'half a surrogate pair': Buffer.concat([
      Buffer.from('filename="'),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from('.tif"'),
    ]),
    'half a surrogate pair, extended': "filename*=UTF-8''%ED%A0%80.tif",
    'an overlong encoding of a slash': Buffer.from([
      ...Buffer.from('filename="'),
      0xc0,
      0xaf,
      ...Buffer.from('x.tif"'),
    ]),
    'more than 4 KiB': `filename="${'n'.repeat(4093)}.tif"`,
    'nothing but folders': 'filename="../../"',
    'nothing but control characters': 'filename="\x01\x02"',
    'an extension behind the right one': 'filename="x.tif.exe"',
    'a trailing dot': 'filename="x.tif."',
    'a trailing blank': 'filename="x.tif "',
    'a letter that turns the direction': 'filename="x\u202efit."',
  };
  for (const [what, sent] of Object.entries(cases)) {
    test(what, async () => {
      const { status, body, text } = await uploadNamed(sent);
      assert.equal(status, 422, text);
      assert.deepEqual(Object.keys(body['errors'] ?? {}), ['file']);
    });
  }

  test('a line break makes a header of its own, and what is none is 400', async () => {
    assert.equal((await uploadNamed('filename="a\r\nb.tif"')).status, 400);
    const { status, body } = await uploadNamed('filename="a.tif"\r\nX-Evil: 1');
    assert.equal(status, 201);
    assert.deepEqual(
      (await downloadHead(body.id)).filter((line) => /^x-evil/i.test(line)),
      [],
    );
  });
});

test('nothing was written beside the folder of the objects', async () => {
  const { body } = await uploadNamed(`filename="${'../'.repeat(20)}${tmpdir()}/steppe-escape.tif"`);
  assert.equal((await send(app, `/datasets/${body.id}`)).status, 200);
  assert.ok(!(await readdir(tmpdir())).includes('steppe-escape.tif'));
});

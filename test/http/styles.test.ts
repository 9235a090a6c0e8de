import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../support/app.ts';
import {
  getRaw,
  insertCategory,
  insertGroup,
  leftovers,
  send,
  sendForm,
  upload,
} from '../support/datasets.ts';

interface Errors {
  readonly errors?: Readonly<Record<string, string>>;
}

const fixtures = new URL('../fixtures/sld/', import.meta.url);
const unknownId = '00000000-0000-0000-0000-00000000000f';
const minimal = '<StyledLayerDescriptor/>';

let app: TestApp;
let category: string;
before(async () => {
  app = await startTestApp();
  category = await insertCategory(app.services.db);
});
after(async () => await app.close());

const read = async (name: string) => await readFile(new URL(name, fixtures));
const fileOf = (content: string | Buffer, name = 'style.sld', type = '') =>
  new File([Buffer.from(content)], name, { type });

async function put(path: string, file: File) {
  return await sendForm(app, `${path}/sld`, [['file', file]]);
}

const owners = [
  ['dataset', async () => `/datasets/${(await upload(app, { category_id: category })).id}`],
  [
    'vector dataset',
    async () => `/datasets/${(await upload(app, { category_id: category, file_type: 'vector' })).id}`,
  ],
  ['group', async () => `/dataset-groups/${await insertGroup(app.services.db)}`],
] as const;

for (const [owner, create] of owners) {
  describe(`the style of a ${owner}`, () => {
    it('is stored and served verbatim, and shows on its owner', async () => {
      const path = await create();
      const bytes = await read('1.0_raster_complexRaster.sld');
      const { status, body, text } = await put(path, fileOf(bytes, 'dir/Рельеф.SLD', 'text/xml'));
      assert.equal(status, 200, text);
      assert.deepEqual([body['sld_filename'], body['sld_content_type']], ['Рельеф.SLD', 'text/xml']);
      assert.match(String(body['sld_storage_key']), /^styles\/[0-9a-f-]{36}\/[0-9a-f-]{36}\.sld$/);
      if (owner !== 'group') assert.deepEqual((await send(app, path)).body, body);
      const served = await getRaw(app, `${path}/sld`);
      assert.equal(served.status, 200);
      assert.ok(served.bytes.equals(bytes));
      assert.equal(served.headers.get('content-type'), 'application/xml');
      assert.match(served.headers.get('content-security-policy') ?? '', /^sandbox/);
      assert.equal(served.headers.get('content-length'), String(bytes.length));
      assert.match(served.headers.get('etag') ?? '', /^"/);
    });

    it('is replaced as a whole; nothing is left of the one before', async () => {
      const path = await create();
      const first = await put(path, fileOf(await read('danube.sld'), 'danube.xml'));
      assert.deepEqual(
        [first.body['sld_filename'], first.body['sld_content_type']],
        ['danube.xml', 'application/octet-stream'],
      );
      const { body } = await put(path, fileOf(minimal));
      assert.equal((await send(app, `${path}/sld`)).text, minimal);
      const { stored } = await leftovers(app.services);
      assert.ok(stored.includes(String(body['sld_storage_key'])));
      assert.ok(!stored.includes(String(first.body['sld_storage_key'])));
    });

    const refused = [
      ['html_error_page.sld', 'style.sld'],
      ['lol_classic.sld', 'style.sld'],
      ['unclosed-element.sld', 'style.sld'],
      ['xxe_file.sld', 'style.sld'],
      ['danube.sld', 'style.txt'],
      ['danube.sld', 'style.sld.exe'],
      ['danube.sld', 'sld'],
    ] as const;
    for (const [fixture, name] of refused) {
      it(`${fixture} as ${name} is 422 on file`, async () => {
        const path = await create();
        const { status, body } = await sendForm<Errors>(app, `${path}/sld`, [
          ['file', fileOf(await read(fixture), name)],
        ]);
        assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, ['file']]);
        assert.equal((await send(app, `${path}/sld`)).status, 404);
      });
    }

    it('is 422 without a file, with two, with an empty one and with one over 5 MiB', async () => {
      const path = await create();
      const large = Buffer.concat([Buffer.alloc(5 * 1024 * 1024, ' '), Buffer.from(minimal)]);
      const forms = [
        [['x', 'y']],
        [
          ['file', fileOf(minimal)],
          ['file', fileOf(minimal)],
        ],
        [['file', fileOf('')]],
        [['file', fileOf(large)]],
        [['file', minimal]],
      ] as const;
      for (const parts of forms) {
        const { status, body } = await sendForm<Errors>(app, `${path}/sld`, parts);
        assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, ['file']]);
      }
    });

    it('is 400 without a form or for a malformed id, 404 for an unknown owner, even with a bad file', async () => {
      const path = await create();
      assert.equal((await send(app, `${path}/sld`, { method: 'POST', body: minimal })).status, 400);
      const parent = path.slice(0, path.lastIndexOf('/'));
      assert.equal((await put(`${parent}/1`, fileOf(minimal))).status, 400);
      for (const content of [minimal, 'rubbish']) {
        assert.equal((await put(`${parent}/${unknownId}`, fileOf(content))).status, 404);
      }
      assert.equal((await send(app, `${parent}/1/sld`)).status, 400);
      assert.equal((await send(app, `${parent}/${unknownId}/sld`)).status, 404);
    });
  });
}

describe('GET /datasets/{id}/sld', () => {
  it('is its own style, else the one of its group, else 404', async () => {
    const group = await insertGroup(app.services.db);
    const { id } = await upload(app, { category_id: category, dg_id: group });
    const get = async () => await send(app, `/datasets/${id}/sld`);
    assert.equal((await get()).status, 404);
    await put(`/dataset-groups/${group}`, fileOf('<StyledLayerDescriptor>group</StyledLayerDescriptor>'));
    assert.match((await get()).text, /group/);
    await put(`/datasets/${id}`, fileOf('<StyledLayerDescriptor>own</StyledLayerDescriptor>'));
    assert.match((await get()).text, /own/);
  });
});

it('concurrent replacements and reads: every read is one whole style, one object stays', async () => {
  const { id } = await upload(app, { category_id: category });
  const style = (n: number) =>
    `<StyledLayerDescriptor>${String(n).repeat(20_000 + n * 1000)}</StyledLayerDescriptor>`;
  const styles = new Set(Array.from({ length: 10 }, (_, n) => style(n)));
  await put(`/datasets/${id}`, fileOf(style(0)));
  const written = new AbortController();
  const reads = Array.from({ length: 4 }, async () => {
    while (!written.signal.aborted) {
      const { status, text } = await send(app, `/datasets/${id}/sld`);
      assert.equal(status, 200, text);
      assert.ok(styles.has(text), `a whole style, not ${text.length} characters`);
    }
  });
  const writes = Array.from({ length: 10 }, async (_, n) => {
    for (let round = 0; round < 5; round += 1) {
      assert.equal((await put(`/datasets/${id}`, fileOf(style(n)))).status, 200);
    }
  });
  await Promise.all(writes).finally(() => written.abort());
  await Promise.all(reads);
  const { stored, ledger } = await leftovers(app.services);
  assert.equal(stored.filter((key) => key.startsWith(`styles/${id}/`)).length, 1);
  assert.equal(ledger.filter(({ key }) => key.startsWith(`styles/${id}/`)).length, 1);
});

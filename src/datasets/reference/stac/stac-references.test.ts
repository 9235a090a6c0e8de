import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { startTestApp } from '../../../../test/support/app.ts';
import { insertCategory, insertGroup, send, sendJson } from '../../../../test/support/datasets.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { fixture } from '../../../../test/support/geo/engine.ts';
import {
  openArchiveServer,
  readerOfArchive,
  toThisMachine,
} from '../../../../test/support/http/archive-server.ts';
import { noChildren } from '../../../../test/support/hostile/hijacked-engine.ts';
import { eventually } from '../../../../test/support/processes.ts';
import { createGdalEngine } from '../../../geo/parent/gdal-engine.ts';
import { startProcessing } from '../../../../test/support/processing.ts';
import { withReferences } from '../../../remote/referenced-objects.ts';
import { createReference } from '../create-reference.ts';
import { Problem } from '../../../lib/errors.ts';
import { createImportMaker } from './imports.ts';
import { lookAt } from './look.ts';

const archive = await closeAfterTests(openArchiveServer());
const elsewhere = await closeAfterTests(openArchiveServer());
const remoteFiles = readerOfArchive(archive.port, {
  hosts: [`archive.test:${archive.port}`, `wrong.test:${archive.port}`, 'inner.test', '10.0.0.1'],
  resolve(name, callback) {
    if (name === 'inner.test') callback(null, [{ address: '10.0.0.1', family: 4 }]);
    else toThisMachine(name, callback);
  },
  deadlineMs: 120_000,
  pausesMs: [1],
});
await closeAfterTests(Promise.resolve({ close: async () => remoteFiles.close() }));
/** The tests of references process files; here it is enough that they are registered. */
const engine = createGdalEngine({
  ...noChildren,
  run: async () => ({
    outcome: 'problem',
    message: 'No file is read in this test.',
    findings: { source: null, raster: null, timings: {}, warnings: [] },
  }),
});
const processing = await closeAfterTests(
  startProcessing({
    engine,
    aroundStore: (store) => withReferences(store, remoteFiles),
    makers: (parts) => [createImportMaker({ ...parts, remoteFiles })],
  }),
);
const { db, objectStore, messageQueue } = processing;
const app = await closeAfterTests(
  startTestApp({
    databaseTarget: processing.target,
    aroundStore: () => objectStore,
    messageQueue,
    remoteFiles,
  }),
);
const category = await insertCategory(db);
const cog = await readFile(fixture('raster/cog_already.tif'));
const base = `https://archive.test:${archive.port}`;

interface Import {
  readonly id: string;
  readonly state: string;
  readonly title: string | null;
  readonly registered: readonly { readonly item: string; readonly dataset_id: string }[];
  readonly refused: readonly { readonly item: string; readonly reason: string }[];
  readonly complete: boolean;
  readonly failure: string | null;
}

function serveJson(path: string, document: unknown, status = 200): string {
  return archive.serve(path, { bytes: Buffer.from(JSON.stringify(document)) }, (file, _request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(file.bytes);
  });
}

/** Serves the example of the specification, with its files on the archive. */
async function serveExample(): Promise<string> {
  for (const name of ['collection', 'simple-item', 'core-item', 'extended-item']) {
    const text = await readFile(fixture(`stac/${name}.json`), 'utf8');
    const own = text.replaceAll('https://storage.googleapis.com/open-cogs/stac-examples', `${base}/files`);
    serveJson(`/stac/${name}.json`, JSON.parse(own));
  }
  for (const name of ['', '_analytic', '_analytic_udm'])
    archive.serve(`/files/20201211_223832_CS2${name}.tif`, { bytes: cog, etag: `"${name}"` });
  return `${base}/stac/collection.json`;
}

const item = (id: string, href: string, properties: object = { datetime: '2026-02-03T23:59:59+05:00' }) => ({
  type: 'Feature',
  stac_version: '1.0.0',
  id,
  geometry: null,
  properties,
  links: [],
  assets: { data: { href, type: 'image/tiff; application=geotiff; profile=cloud-optimized' } },
});
const page = (features: readonly unknown[], links: readonly object[] = []) => ({
  type: 'FeatureCollection',
  features,
  links,
});

const look = async (address: string) =>
  await sendJson<{
    title: string | null;
    items: readonly { id: string; start_date: string | null; end_date: string | null }[];
    assets: readonly { key: string; items: number; refusal: string | null }[];
    refused: readonly { item: string; reason: string }[];
    complete: boolean;
    errors?: { address: string };
  }>(app, 'POST', '/datasets/references/stac/look', { address });

async function importAll(address: string, asset: string, group: string): Promise<Import> {
  const body = { address, asset, category_id: category, dg_id: group };
  const started = await sendJson<Import>(app, 'POST', '/datasets/references/stac', body);
  assert.equal(started.status, 201, started.text);
  return await eventually('the import', async () => {
    const { body } = await send<Import>(app, `/datasets/references/stac/${started.body.id}`);
    return body.state !== 'pending' && body;
  });
}

const datasetsOf = async (group: string) =>
  await db
    .selectFrom('datasets')
    .innerJoin('dataset_references', 'dataset_id', 'datasets.id')
    .select(['datasets.id', 'name', 'start_date', 'end_date', 'address'])
    .where('dg_id', '=', group)
    .orderBy('name')
    .execute();

describe('a static collection', () => {
  test('is looked at, and the chosen file of each item becomes a reference with its period', async () => {
    const address = await serveExample();
    const { status, body } = await look(address);
    assert.equal(status, 200);
    assert.equal(body.title, 'Simple Example Collection');
    assert.deepEqual(
      body.items.map(({ id, start_date, end_date }) => [id, start_date, end_date]),
      [
        ['20201211_223832_CS2', '2020-12-11', '2020-12-11'],
        ['20201211_223832_CS2', '2020-12-11', '2020-12-11'],
        ['20201211_223832_CS2', '2020-12-14', '2020-12-14'],
      ],
    );
    assert.deepEqual(
      body.assets.map(({ key, items, refusal }) => [key, items, refusal]),
      [
        ['visual', 3, null],
        ['analytic', 2, null],
        ['udm', 2, null],
      ],
    );
    const group = await insertGroup(db);
    const made = await importAll(address, 'analytic', group);
    assert.deepEqual([made.state, made.failure, made.complete], ['made', null, true]);
    // The two items share their file, so that it is one dataset.
    assert.equal(made.registered.length, 2);
    assert.match(made.refused[0]?.reason ?? '', /has no file “?"?analytic/);
    const [dataset, ...others] = await datasetsOf(group);
    assert.deepEqual([dataset?.name, others.length], ['20201211_223832_CS2', 0]);
    assert.equal(dataset?.address, `${base}/files/20201211_223832_CS2_analytic.tif`);
  });
});

describe('the pages of an API', () => {
  const ids = Array.from({ length: 7 }, (_, index) => `scene-${index}`);
  for (const id of ids) archive.serve(`/scenes/${id}.tif`, { bytes: cog, etag: `"${id}"` });
  const items = ids.map((id) => item(id, `${base}/scenes/${id}.tif`));
  const address = serveJson('/api/collections/scenes', {
    type: 'Collection',
    id: 'scenes',
    links: [
      { rel: 'items', href: `${base}/api/collections/scenes/items` },
      { rel: 'item', href: './never-read.json' },
    ],
  });
  serveJson('/api/collections/scenes/items', page(items.slice(0, 4), [{ rel: 'next', href: '../page-2' }]));
  serveJson(
    '/api/collections/page-2',
    page(items.slice(4), [{ rel: 'next', href: '../collections/page-2' }]),
  );

  test('are followed to the last, also in a circle; a second import adds what is new', async () => {
    const group = await insertGroup(db);
    const made = await importAll(address, 'data', group);
    assert.deepEqual(made.refused, []);
    assert.deepEqual(
      made.registered.map(({ item: id }) => id),
      ids,
    );
    const before = await datasetsOf(group);
    assert.deepEqual(
      before.map(({ start_date: start, end_date: end }) => [start, end]),
      ids.map(() => ['2026-02-03', '2026-02-03']),
    );
    serveJson('/api/collections/page-2', page([...items.slice(4), item('scene-7', '/scenes/scene-7.tif')]));
    archive.serve('/scenes/scene-7.tif', { bytes: cog });
    const again = await importAll(address, 'data', group);
    assert.deepEqual(again.registered.slice(0, 7), made.registered);
    assert.equal(again.registered.length, 8);
    assert.equal((await datasetsOf(group)).length, 8);
  });

  test('are registered once by imports at the same time, and by one whose process dies', async () => {
    const group = await insertGroup(db);
    const order = async (unit: string) =>
      await sendJson<Import>(app, 'POST', '/datasets/references/stac', {
        address,
        asset: 'data',
        category_id: category,
        dg_id: group,
        unit,
      });
    // As an import that was killed after its first items leaves it.
    const fields = { category_id: category, dg_id: group, name: ids[0] };
    await createReference(
      { db, objectStore, messageQueue, remoteFiles },
      { ...fields, address: `${base}/scenes/${ids[0]}.tif` },
    );
    const [one, same, other] = await Promise.all([order('m'), order('m'), order('km')]);
    assert.equal(one.body.id, same.body.id);
    assert.notEqual(one.body.id, other.body.id);
    for (const { body } of [one, other])
      await eventually('the import', async () => {
        const { body: now } = await send<Import>(app, `/datasets/references/stac/${body.id}`);
        return now.state === 'made';
      });
    assert.equal((await datasetsOf(group)).length, 8);
  });

  test('that are requested by POST, or of which one is gone, leave what could be read', async () => {
    const group = await insertGroup(db);
    const half = serveJson(
      '/api/half',
      page(items.slice(0, 1), [
        { rel: 'next', href: `${base}/api/search`, method: 'POST', body: {} },
        { rel: 'next', href: '/api/gone' },
        { rel: 'next', href: `https://elsewhere.test:${elsewhere.port}/page` },
        { rel: 'next', href: 'http://archive.test/page' },
      ]),
    );
    const made = await importAll(half, 'data', group);
    assert.equal(made.registered.length, 1);
    assert.deepEqual(
      made.refused.map(({ reason }) => reason.replaceAll(/:\d+/g, ':N')),
      [
        'The next pages are requested by POST, which this service does not do. Use an address whose pages are requested by GET.',
        'archive.test:N has no file at this address.',
        'The operator of this service has not listed elsewhere.test:N in REFERENCE_HOSTS, so nothing is read from it.',
        'must be an https address without user name, password and fragment, or an object as s3://bucket/key, at most 2000 characters long',
      ],
    );
    assert.equal(elsewhere.requests(), 0);
  });
});

describe('items that cannot be registered', () => {
  test('are named with the reason, and lead to no other host', async () => {
    const group = await insertGroup(db);
    archive.serve('/moved.tif', { bytes: cog }, (_file, _request, response) => {
      response.writeHead(302, { location: `https://elsewhere.test:${elsewhere.port}/a.tif` }).end();
    });
    archive.serve('/fine.tif', { bytes: cog });
    const address = serveJson(
      '/mixed',
      page([
        item('fine', '/fine.tif'),
        item('other-host', `https://elsewhere.test:${elsewhere.port}/a.tif`),
        item('private', 'https://169.254.169.254/latest/a.tif'),
        item('private-listed', 'https://10.0.0.1/a.tif'),
        item('private-name', 'https://inner.test/a.tif'),
        item('no-tls', `http://archive.test:${archive.port}/fine.tif`),
        item('own-disk', 'file:///etc/a.tif'),
        item('password', `https://user:secret@archive.test:${archive.port}/fine.tif`),
        item('bucket', 's3://not-listed/a.tif'),
        item('moved', '/moved.tif'),
        item('missing', '/missing.tif'),
        item('picture', '/picture.jpg'),
        item('no-time', '/fine.tif', { datetime: null }),
        { type: 'Feature', id: 'broken' },
        'nothing',
      ]),
    );
    const { body } = await look(address);
    assert.match(body.assets[0]?.refusal ?? '', /has not listed elsewhere\.test/);
    const made = await importAll(address, 'data', group);
    assert.deepEqual(
      made.registered.map(({ item: id }) => id),
      ['fine', 'no-time'],
    );
    assert.deepEqual(
      made.refused.map(({ item: id }) => id),
      [
        'other-host',
        'private',
        'private-listed',
        'private-name',
        'no-tls',
        'own-disk',
        'password',
        'bucket',
        'moved',
        'missing',
        'picture',
        address,
        address,
      ],
    );
    for (const [index, sentence] of [
      /has not listed elsewhere/,
      /has not listed 169/,
      /10\.0\.0\.1 has an address in a private or reserved network/,
      /inner\.test has an address in a private or reserved network/,
      /has no file/,
      /has no file/,
      /has no file/,
      /has not listed this part of the bucket not-listed/,
      /redirects to elsewhere/,
      /has no file at this address/,
      /has no file/,
      /without id, properties or assets/,
      /without id, properties or assets/,
    ].entries())
      assert.match(made.refused[index]?.reason ?? '', sentence);
    assert.equal(elsewhere.requests(), 0);
  });

  test('are not read beyond five hundred', async () => {
    const group = await insertGroup(db);
    const many = Array.from({ length: 501 }, (_, index) => item(`m-${index}`, '/none.jpg'));
    const made = await importAll(serveJson('/many', page(many)), 'data', group);
    assert.deepEqual([made.refused.length, made.complete], [500, false]);
    const { body } = await look(`${base}/many`);
    assert.deepEqual([body.items.length, body.complete], [20, false]);
  });

  test('are not named beyond a thousand', async () => {
    const group = await insertGroup(db);
    const broken = Array.from({ length: 1001 }, () => 0);
    const made = await importAll(serveJson('/broken', page(broken)), 'data', group);
    assert.deepEqual([made.state, made.refused.length, made.complete], ['made', 1000, false]);
  });
});

describe('an address', () => {
  test('that is not STAC, or may not be read, is refused', async () => {
    const text = archive.serve('/text', { bytes: Buffer.from('<html>') });
    const long = archive.serve('/long', { bytes: Buffer.alloc(1) }, (_file, _request, response) => {
      response.writeHead(200);
      const send = (): void => {
        while (response.write(Buffer.alloc(1 << 20, 32)));
        response.once('drain', send);
      };
      send();
      response.on('error', () => undefined);
    });
    for (const [address, sentence] of [
      [text, /not a STAC item/],
      [serveJson('/list', []), /not a STAC item/],
      [serveJson('/fault', {}, 500), /status 500/],
      [long, /longer than 16 MiB/],
      [`${base}/nowhere`, /has no file/],
      [`https://wrong.test:${archive.port}/text`, /certificate/],
      ['https://inner.test/', /private or reserved network/],
      ['https://unlisted.test/', /has not listed/],
      ['http://archive.test/', /must be an https address/],
      ['s3://bucket/collection.json', /must be an https address/],
    ] as const) {
      const { status, body } = await look(address);
      assert.equal(status, 422, address);
      assert.match(body.errors?.address ?? '', sentence, address);
    }
    const late = archive.serve('/late', { bytes: Buffer.alloc(0) }, () => undefined);
    const options = { language: 'en', signal: AbortSignal.timeout(100) } as const;
    await assert.rejects(lookAt(remoteFiles, late, options), (error) => {
      assert.match(String(error instanceof Problem && error.fields?.['address']), /in time/);
      return true;
    });
    const group = await insertGroup(db);
    const made = await importAll(text, 'data', group);
    assert.equal(made.state, 'failed');
    assert.match(made.failure ?? '', /not a STAC item/);
  });

  test('is refused with the category and the group that do not exist', async () => {
    const none = '00000000-0000-0000-0000-000000000000';
    const body = { address: `${base}/mixed`, asset: 'data', category_id: none, dg_id: none };
    const answer = await sendJson<{ errors: object }>(app, 'POST', '/datasets/references/stac', body);
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['category_id', 'dg_id']]);
    assert.equal((await send(app, `/datasets/references/stac/${none}`)).status, 404);
  });
});

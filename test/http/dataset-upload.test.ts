import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../support/app.ts';
import {
  geojsonBytes,
  insertCategory,
  insertGroup,
  leftovers,
  nothing,
  type Part,
  send,
  sendForm,
  sendRawForm,
  tiffBytes,
} from '../support/datasets.ts';

interface Errors {
  readonly error?: string;
  readonly errors?: Readonly<Record<string, string>>;
}

let app: TestApp;
let category: string;
before(async () => {
  app = await startTestApp();
  category = await insertCategory(app.services.db, 'relief');
});
after(async () => await app.close());

const tiff = (name = 'relief.tif', type = 'image/tiff') => new File([tiffBytes], name, { type });
const raster = (file: File | string = tiff()): Part[] => [
  ['file_type', 'raster'],
  ['category_id', category],
  ['file', file],
];

describe('an accepted upload', () => {
  it('answers 201 with the dataset as pending, its path, and null for what nobody said', async () => {
    const { status, headers, body } = await sendForm(app, '/datasets', raster());
    assert.equal(status, 201);
    assert.equal(headers.get('location'), `/datasets/${body.id}`);
    const { id, storage_key, created_at, updated_at, ...rest } = body;
    assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.equal(storage_key, `originals/${id}/source.tif`);
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(updated_at, created_at);
    assert.deepEqual(rest, {
      category_id: category,
      dg_id: null,
      start_date: null,
      end_date: null,
      name: 'relief.tif',
      description: null,
      unit: null,
      filename: 'relief.tif',
      cog_storage_key: null,
      sld_storage_key: null,
      sld_filename: null,
      sld_content_type: null,
      file_type: 'raster',
      size_bytes: tiffBytes.length,
      content_type: 'image/tiff',
      meta: null,
      automated: false,
      status: 'pending',
      attribute_columns: null,
      kato_column: null,
      year_columns: null,
      parse_error: null,
    });
  });

  it('keeps every field that was sent', async () => {
    const group = await insertGroup(app.services.db);
    const fields = {
      file_type: 'vector',
      category_id: category.toUpperCase(),
      name: 'Озёра',
      description: 'of the north',
      unit: 'km²',
      automated: 'true',
      dg_id: group,
      start_date: '2020-01-01',
      end_date: '2020-01-01',
    };
    const file = new File([geojsonBytes], 'lakes.geojson');
    const { status, body } = await sendForm(app, '/datasets', [...Object.entries(fields), ['file', file]]);
    assert.equal(status, 201);
    const kept = Object.fromEntries(Object.keys(fields).map((name) => [name, body[name]]));
    assert.deepEqual(kept, { ...fields, category_id: category, automated: true });
  });

  it('is stored byte by byte, with a ledger entry and one queued job that the queue was notified of', async () => {
    const { body } = await sendForm(app, '/datasets', raster());
    const { text } = await send(app, `/datasets/${body.id}/download`);
    assert.equal(text, tiffBytes);
    const { db } = app.services;
    const entry = await db.selectFrom('objects').selectAll().where('key', '=', body.storage_key).execute();
    assert.deepEqual(
      entry.map(({ state }) => state),
      ['live'],
    );
    const jobs = await db.selectFrom('jobs').selectAll().where('ref_id', '=', body.id).execute();
    assert.deepEqual(
      jobs.map(({ kind, state }) => [kind, state]),
      [['process-dataset', 'queued']],
    );
    assert.ok(app.notified.includes(jobs[0]?.id ?? ''));
  });

  it('does not mind the order of its parts, nor parts that nobody knows', async () => {
    const group = await insertGroup(app.services.db);
    const parts: Part[] = [
      ...raster(),
      ['dg_id', group],
      ['other', 'x'],
      ['other', new File(['y'], 'y.bin')],
    ];
    for (const order of [parts, parts.toReversed(), [...parts.slice(2), ...parts.slice(0, 2)]]) {
      const { status, body } = await sendForm(app, '/datasets', order);
      assert.deepEqual([status, body['dg_id']], [201, group]);
    }
  });

  it('counts an optional field that is sent empty as not sent', async () => {
    const optional = ['name', 'description', 'unit', 'meta', 'automated', 'dg_id', 'start_date', 'end_date'];
    const { status, body } = await sendForm(app, '/datasets', [
      ...raster(),
      ...optional.map((name): Part => [name, '']),
    ]);
    assert.equal(status, 201);
    const kept = optional.map((name) => body[name]);
    assert.deepEqual(kept, ['relief.tif', null, null, null, false, null, null, null]);
  });
});

describe('content and extension', () => {
  const accepted = [
    ['raster', 'A.TIF', 'II*\0'],
    ['raster', 'a.tiff', 'MM\0*'],
    ['raster', 'a.tif', 'II+\0'],
    ['raster', 'a.tif', 'MM\0+'],
    ['vector', 'a.gpkg', 'SQLite format 3\0'],
    ['vector', 'a.Zip', 'PK\x03\x04'],
    ['vector', 'a.geojson', ' \n{}'],
    ['vector_with_kato', 'a.GEOJSON', '\xEF\xBB\xBF{}'],
    ['vector_with_kato', 'a.gpkg', 'SQLite format 3\0'],
    ['vector_with_kato', 'a.zip', 'PK\x03\x04'],
  ] as const;
  for (const [fileType, name, content] of accepted) {
    it(`${fileType} takes ${name} that begins with ${JSON.stringify(content)}`, async () => {
      const file = new File([Buffer.from(content, 'latin1')], name);
      const parts: Part[] = [...raster(file).slice(1), ['file_type', fileType]];
      const { status, text } = await sendForm(app, '/datasets', parts);
      assert.equal(status, 201, text);
    });
  }

  const refused = [
    ['raster', 'a.geojson', '{}'],
    ['raster', 'a.zip', 'PK\x03\x04'],
    ['raster', 'a.tif', '{}'],
    ['raster', 'a.tif', 'version https://git-lfs.github.com/spec/v1'],
    ['raster', 'a.tif.exe', 'II*\0'],
    ['raster', 'a.tif.', 'II*\0'],
    ['raster', 'tif', 'II*\0'],
    ['vector', 'a.tif', 'II*\0'],
    ['vector', 'a.geojson', 'II*\0'],
    ['vector', 'a.geojson', '[]'],
    ['vector', 'a.geojson', '   '],
    ['vector', 'a.gpkg', 'PK\x03\x04'],
    ['vector', 'a.zip', 'PK\x05\x06'],
    ['vector', 'a.shp', '\0\0\x27\x0a'],
    ['vector_with_kato', 'a.csv', 'a,b'],
    ['vector', 'a.geojson', ''],
    ['raster', 'a.tif', ''],
  ] as const;
  for (const [fileType, name, content] of refused) {
    it(`${fileType} refuses ${name} that begins with ${JSON.stringify(content)}`, async () => {
      const file = new File([Buffer.from(content, 'latin1')], name);
      const parts: Part[] = [...raster(file).slice(1), ['file_type', fileType]];
      const { status, body } = await sendForm<Errors>(app, '/datasets', parts);
      assert.equal(status, 422);
      assert.deepEqual(Object.keys(body.errors ?? {}), ['file']);
    });
  }
});

describe('names and types of files', () => {
  async function uploadNamed(disposition: string, type = 'Content-Type: image/tiff') {
    return await sendRawForm(app, '/datasets', [
      { headers: ['Content-Disposition: form-data; name="file_type"'], content: 'raster' },
      { headers: ['Content-Disposition: form-data; name="category_id"'], content: category },
      { headers: [`Content-Disposition: form-data; name="file"; ${disposition}`, type], content: tiffBytes },
    ]);
  }

  const names = [
    ['filename="Карта_ҚР.tif"', 'Карта_ҚР.tif'],
    ["filename*=UTF-8''%D0%9A%D0%B0%D1%80%D1%82%D0%B0_%D2%9A%D0%A0.tif", 'Карта_ҚР.tif'],
    ['filename="../../etc/x.tif"', 'x.tif'],
    ['filename="/etc/x.tif"', 'x.tif'],
    ['filename="%2e%2e%2fx.tif"', '%2e%2e%2fx.tif'],
    ['filename="a;b\'c😀\u2028\u202e.tif"', "a;b'c😀\u2028\u202e.tif"],
    ['filename="tab\there.tif"', 'tabhere.tif'],
    [`filename="${'ы'.repeat(300)}.tif"`, `${'ы'.repeat(251)}.tif`],
  ] as const;
  for (const [disposition, filename] of names) {
    it(`${disposition.slice(0, 60)} is kept as ${JSON.stringify(filename.slice(0, 30))}`, async () => {
      const { status, body, text } = await uploadNamed(disposition);
      assert.equal(status, 201, text);
      assert.deepEqual([body['filename'], body.name], [filename, filename]);
    });
  }

  const nameless = ['filename=""', 'filename="folder/"', `filename="${'x'.repeat(5000)}.tif"`, 'x="y"'];
  for (const disposition of nameless) {
    it(`${disposition.slice(0, 30)} is refused on file`, async () => {
      const { status, body } = await uploadNamed(disposition);
      assert.equal(status, 422);
      assert.deepEqual(Object.keys(body['errors'] ?? {}), ['file']);
    });
  }

  const types = [
    ['Content-Type: application/octet-stream', 'application/octet-stream'],
    ['Content-Type: text/plain; charset=utf-8', 'image/tiff'],
    ['Content-Type: image/x.y; a="b c"', 'image/x.y; a="b c"'],
    ['Content-Type: rubbish', 'image/tiff'],
    ['Content-Type: image/x; a', 'image/tiff'],
    ['X-Nothing: here', 'image/tiff'],
  ] as const;
  for (const [header, contentType] of types) {
    it(`${header} gives the content type ${contentType}`, async () => {
      const { body } = await uploadNamed('filename="a.tif"', header);
      assert.equal(body['content_type'], contentType);
    });
  }
});

describe('meta', () => {
  it('comes back as it was sent, digit by digit and key by key', async () => {
    const meta =
      '{ "huge": 1e400, "long": 12345678901234567890, "z": -0, "10": 1, "2": 0.1000000000000000055, "__proto__": {"x": [null]}, "ключ": "\\u00e9" }';
    const created = await sendForm(app, '/datasets', [['meta', meta], ...raster()]);
    assert.equal(created.status, 201, created.text);
    assert.ok(created.text.includes(`"meta":${meta}`), created.text);
    const read = await send(app, `/datasets/${created.body.id}`);
    assert.ok(read.text.includes(`"meta":${meta}`), read.text);
  });
});

describe('a refused upload', () => {
  afterEach(async () => {
    const { stored, ledger } = await leftovers(app.services);
    assert.deepEqual(
      stored.toSorted(),
      ledger.map(({ key }) => key),
    );
  });

  const unknownId = '00000000-0000-0000-0000-00000000000f';
  const wrong: readonly Part[] = [
    ['file_type', 'grid'],
    ['file_type', ''],
    ['category_id', 'relief'],
    ['category_id', unknownId],
    ['category_id', ''],
    ['dg_id', 'x'],
    ['dg_id', unknownId],
    ['name', ' '],
    ['name', 'x'.repeat(256)],
    ['description', 'a\0b'],
    ['meta', '[1]'],
    ['meta', 'null'],
    ['meta', '{"a":"\\u0000"}'],
    ['meta', 'x'.repeat(1024 * 1024 + 1)],
    ['automated', 'yes'],
    ['start_date', '2024-02-30'],
    ['end_date', 'tomorrow'],
  ];
  for (const [name, value] of wrong) {
    it(`with ${name} ${JSON.stringify(value).slice(0, 40)} is 422 on ${name}`, async () => {
      const parts = [...raster().filter(([usual]) => usual !== name), [name, value] as const];
      const { status, body } = await sendForm<Errors>(app, '/datasets', parts);
      assert.equal(status, 422);
      assert.deepEqual(Object.keys(body.errors ?? {}), [name]);
    });
  }

  it('names every failing part at once, whatever comes first', async () => {
    const parts: Part[] = [
      ['file', new File(['{}'], 'a.tif')],
      ['file_type', 'raster'],
      ['category_id', unknownId],
      ['dg_id', unknownId],
      ['name', ' '],
      ['meta', '{'],
      ['automated', 'on'],
      ['start_date', '2024-02-02'],
      ['end_date', '2024-02-01'],
    ];
    for (const order of [parts, parts.toReversed()]) {
      const { status, body } = await sendForm<Errors>(app, '/datasets', order);
      assert.equal(status, 422);
      const expected = ['file', 'category_id', 'dg_id', 'name', 'meta', 'automated', 'end_date'];
      assert.deepEqual(Object.keys(body.errors ?? {}).toSorted(), expected.toSorted());
    }
  });

  it('without any part names the three that are required', async () => {
    const { status, body } = await sendForm<Errors>(app, '/datasets', [['x', 'y']]);
    assert.equal(status, 422);
    assert.deepEqual(Object.keys(body.errors ?? {}).toSorted(), ['category_id', 'file', 'file_type']);
  });

  it('with a part sent twice is 422 on it', async () => {
    for (const twice of [['category_id', category] as const, ['file', tiff('b.tif')] as const]) {
      const { status, body } = await sendForm<Errors>(app, '/datasets', [...raster(), twice]);
      assert.equal(status, 422);
      assert.deepEqual(Object.keys(body.errors ?? {}), [twice[0]]);
    }
  });

  it('whose file is sent as text is 422 on file', async () => {
    const { status, body } = await sendForm<Errors>(app, '/datasets', raster('II*\0'));
    assert.equal(status, 422);
    assert.deepEqual(Object.keys(body.errors ?? {}), ['file']);
  });

  it('that is no form is 400', async () => {
    const bodies: RequestInit[] = [
      { body: '{}', headers: { 'content-type': 'application/json' } },
      { body: 'x', headers: { 'content-type': 'multipart/form-data' } },
      { body: '--edge\r\nContent-Disp', headers: { 'content-type': 'multipart/form-data; boundary=edge' } },
      {},
    ];
    for (const init of bodies) {
      const { status, body } = await send<Errors>(app, '/datasets', { method: 'POST', ...init });
      assert.equal(status, 400);
      assert.equal(typeof body.error, 'string');
    }
  });
});

it('refused and broken uploads leave no row, no object and no ledger entry', async () => {
  await using own = await startTestApp({ maxUploadBytes: 100_000 });
  const id = await insertCategory(own.services.db);
  const fields: Part[] = [
    ['file_type', 'raster'],
    ['category_id', id],
  ];
  const large = new File([tiffBytes, Buffer.alloc(100_000)], 'large.tif');
  const outcomes = [
    await sendForm(own, '/datasets', [...fields, ['file', tiff('a.png')]]),
    await sendForm(own, '/datasets', [...fields, ['file', new File(['{}'], 'a.tif')]]),
    await sendForm(own, '/datasets', [['file', tiff()], ...fields, ['dg_id', id]]),
    await sendForm(own, '/datasets', [...fields, ['file', large]]),
    await send(own, '/datasets', {
      method: 'POST',
      body: `--edge\r\nContent-Disposition: form-data; name="file"; filename="a.tif"\r\n\r\n${tiffBytes}`,
      headers: { 'content-type': 'multipart/form-data; boundary=edge' },
    }),
  ];
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    [422, 422, 422, 413, 400],
  );
  assert.deepEqual(await leftovers(own.services), nothing);
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../support/app.ts';
import {
  type DatasetBody,
  insertGroup,
  leftovers,
  type Part,
  send,
  sendForm,
  setState,
  tiffBytes,
} from '../support/datasets.ts';
import { deleteUnderway } from '../support/locks.ts';

interface Slot {
  readonly code: string;
  readonly title: string;
  readonly group_id: string;
  readonly latest: DatasetBody | null;
}
interface Failure {
  readonly error?: string;
  readonly errors?: Readonly<Record<string, string>>;
}

const titles = [
  ['landscape-in-dem', 'Elevation'],
  ['landscape-in-land-cover', 'Land cover'],
  ['landscape-in-protected-areas', 'Protected areas'],
  ['landscape-in-precipitation', 'Annual precipitation'],
  ['landscape-in-pet', 'Annual reference evapotranspiration'],
  ['landscape-in-temperature-sum', 'Sum of active temperatures'],
  ['landscape-in-snow-depth', 'Snow depth'],
  ['landscape-in-soil-texture', 'Topsoil texture'],
  ['landscape-in-soil-organic-carbon', 'Topsoil organic carbon'],
  ['landscape-in-soil-salinity', 'Topsoil salinity'],
  ['landscape-in-ndvi', 'Vegetation index'],
  ['landscape-in-distance-water', 'Distance to water'],
  ['landscape-in-distance-road', 'Distance to road'],
] as const;

let app: TestApp;
before(async () => {
  app = await startTestApp({ landscape: true });
});
after(async () => await app.close());

const tiff = (name = 'relief.tif'): File => new File([tiffBytes], name);

async function listSlots(of = app): Promise<readonly Slot[]> {
  const { status, body, text } = await send<Slot[]>(of, '/landscape/slots');
  assert.equal(status, 200, text);
  return body;
}

async function slot(code: string, of = app): Promise<Slot> {
  const found = (await listSlots(of)).find((listed) => listed.code === code);
  assert.ok(found !== undefined, code);
  return found;
}

async function fill(code: string, parts: readonly Part[] = [], of = app) {
  return await sendForm(of, `/landscape/slots/${code}`, [['file', tiff()], ...parts]);
}

describe('GET /landscape/slots', () => {
  test('lists the 13 inputs in the order of the graph, each with its group', async () => {
    const slots = await listSlots();
    assert.deepEqual(
      slots.map(({ code, title }) => [code, title]),
      titles,
    );
    for (const { code, group_id } of slots) {
      const { body } = await send(app, `/dataset-groups/${group_id}`);
      assert.equal(body['code'], code);
    }
  });

  test('has null for a slot that nothing was uploaded to', async () => {
    assert.equal((await slot('landscape-in-distance-road')).latest, null);
  });

  test('shows the freshest dataset: greatest end_date, none last, then newest', async () => {
    const code = 'landscape-in-pet';
    const freshest = [];
    for (const end_date of ['', '2020-12-31', '2019-12-31', '2020-12-31', '']) {
      const { body } = await fill(code, [['end_date', end_date]]);
      freshest.push([body.id, (await slot(code)).latest?.id]);
    }
    const [none, year2020, , again2020] = freshest.map(([id]) => id);
    assert.deepEqual(
      freshest.map(([, latest]) => latest),
      [none, year2020, year2020, again2020, again2020],
    );
  });

  test('shows a dataset in any status, failed included', async () => {
    const { body } = await fill('landscape-in-ndvi');
    for (const status of ['processing', 'failed', 'ready']) {
      await setState(app.services, body.id, { status });
      assert.deepEqual((await slot('landscape-in-ndvi')).latest?.['status'], status);
    }
  });

  test('is 404 when a group of a slot is missing', async () => {
    await using own = await startTestApp({ landscape: true });
    const { group_id } = await slot('landscape-in-ndvi', own);
    assert.equal((await send(own, `/dataset-groups/${group_id}`, { method: 'DELETE' })).status, 204);
    const { status, body } = await send<Failure>(own, '/landscape/slots');
    assert.deepEqual([status, Object.keys(body)], [404, ['error']]);
  });
});

describe('an upload to a slot', () => {
  test('ends in the group of the slot, in the category landscape, and shows at once', async () => {
    const code = 'landscape-in-dem';
    const answer = await fill(code, [
      ['name', 'Рельеф'],
      ['start_date', '2020-01-01'],
      ['end_date', '2020-12-31'],
    ]);
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.headers.get('location'), `/datasets/${answer.body.id}`);
    const { latest, group_id } = await slot(code);
    const category = await app.services.db
      .selectFrom('categories')
      .select('id')
      .where('code', '=', 'landscape')
      .executeTakeFirstOrThrow();
    assert.deepEqual(latest, {
      id: answer.body.id,
      category_id: category.id,
      dg_id: group_id,
      start_date: '2020-01-01',
      end_date: '2020-12-31',
      name: 'Рельеф',
      description: null,
      unit: null,
      file_type: 'raster',
      size_bytes: tiffBytes.length,
      status: 'pending',
      created_at: answer.body.created_at,
      updated_at: answer.body.updated_at,
    });
    assert.deepEqual((await send(app, `/datasets/${answer.body.id}`)).body, answer.body);
  });

  test('queues its processing', async () => {
    const { body } = await fill('landscape-in-dem');
    const jobs = await app.services.db
      .selectFrom('jobs')
      .select(['id', 'kind', 'state'])
      .where('ref_id', '=', body.id)
      .execute();
    assert.deepEqual(
      jobs.map(({ kind, state }) => [kind, state]),
      [['process-dataset', 'queued']],
    );
    assert.ok(app.notified.includes(jobs[0]?.id ?? ''));
  });

  test('has the name of its file when it is not named', async () => {
    const { body } = await fill('landscape-in-dem', [['name', '']]);
    assert.equal(body.name, 'relief.tif');
  });

  test('takes .tiff too, and an escaped code', async () => {
    const parts: Part[] = [['file', tiff('a.TIFF')]];
    const { status } = await sendForm(app, '/landscape/slots/landscape%2Din-%64em', parts);
    assert.equal(status, 201);
  });

  test('ignores the parts that only other uploads have, however often they come', async () => {
    const parts: Part[] = [
      ['file_type', 'vector'],
      ['category_id', 'x'],
      ['dg_id', 'x'],
      ['dg_id', 'y'],
      ['meta', '['],
      ['description', 'x'],
      ['automated', 'true'],
    ];
    const { status, body, text } = await fill('landscape-in-dem', parts);
    assert.equal(status, 201, text);
    const { group_id } = await slot('landscape-in-dem');
    const kept = ['file_type', 'dg_id', 'meta', 'description', 'automated'].map((name) => body[name]);
    assert.deepEqual(kept, ['raster', group_id, null, null, false]);
  });
});

describe('an upload to a slot that is wrong', () => {
  const file = (name: string, content = tiffBytes): Part => [
    'file',
    new File([Buffer.from(content, 'latin1')], name),
  ];
  const wrong: readonly (readonly [what: string, parts: readonly Part[], fields: readonly string[]])[] = [
    ['has no file', [['name', 'x']], ['file']],
    ['has its file as text', [['file', 'II*\0']], ['file']],
    ['has two files', [file('a.tif'), file('b.tif')], ['file']],
    ['has an empty file', [file('a.tif', '')], ['file']],
    ['has a file of another extension', [file('a.geojson', '{}')], ['file']],
    ['has a file without extension', [file('tif')], ['file']],
    ['has a file that does not begin like a TIFF', [file('a.tif', 'II+*')], ['file']],
    ['has a blank name', [file('a.tif'), ['name', ' ']], ['name']],
    ['has two names', [file('a.tif'), ['name', 'x'], ['name', 'x']], ['name']],
    ['starts on no date', [file('a.tif'), ['start_date', '2021-02-29']], ['start_date']],
    [
      'ends before it starts',
      [file('a.tif'), ['start_date', '2021-01-02'], ['end_date', '2021-01-01']],
      ['end_date'],
    ],
    [
      'has nothing right',
      [
        ['start_date', 'x'],
        ['end_date', '1'],
        ['name', 'x'.repeat(256)],
      ],
      ['end_date', 'file', 'name', 'start_date'],
    ],
  ];
  for (const [what, parts, fields] of wrong) {
    test(`that ${what} is 422 on ${fields.join(', ')}`, async () => {
      const { status, body } = await sendForm<Failure>(app, '/landscape/slots/landscape-in-dem', parts);
      assert.equal(status, 422);
      assert.deepEqual(Object.keys(body.errors ?? {}).toSorted(), fields);
    });
  }

  test('or no form is 400, whether there is such a slot or not', async () => {
    const brokenForm = { 'content-type': 'multipart/form-data; boundary=edge' };
    const cut = `--edge\r\nContent-Disposition: form-data; name="file"; filename="a.tif"\r\n\r\n${tiffBytes}`;
    const bodies: RequestInit[] = [
      {},
      { body: '{}', headers: { 'content-type': 'application/json' } },
      { body: 'x', headers: { 'content-type': 'multipart/form-data' } },
      { body: cut, headers: brokenForm },
      { body: `${cut}\r\n--edge\r\nno header\r\n\r\n`, headers: brokenForm },
    ];
    for (const code of ['landscape-in-dem', 'landscape-in-nothing']) {
      for (const init of bodies) {
        const path = `/landscape/slots/${code}`;
        const { status, body } = await send<Failure>(app, path, { method: 'POST', ...init });
        assert.deepEqual([status, Object.keys(body)], [400, ['error']], code);
      }
    }
  });

  test('leaves no row, no object and no ledger entry', async () => {
    const before = await leftovers(app.services);
    for (const [, parts] of wrong) await sendForm(app, '/landscape/slots/landscape-in-dem', parts);
    assert.deepEqual(await leftovers(app.services), before);
  });

  test('is 413 when it is over the limit, whether there is such a slot or not', async () => {
    await using small = await startTestApp({ landscape: true, maxUploadBytes: 20_000 });
    const before = await leftovers(small.services);
    const form = new FormData();
    form.append('file', new File([tiffBytes, Buffer.alloc(20_000)], 'large.tif'));
    for (const code of ['landscape-in-dem', 'landscape-in-nothing']) {
      // The body as a stream, which has no length beforehand.
      const { headers, body } = new Response(form);
      const init = { method: 'POST', headers, body, duplex: 'half' } as const;
      assert.equal((await send(small, `/landscape/slots/${code}`, init)).status, 413, code);
    }
    assert.deepEqual(await leftovers(small.services), before);
  });
});

describe('an upload to a slot that is not there', () => {
  const codes = [
    ['no group has', 'landscape-in-nothing'],
    ['an output has', 'landscape-01-slope'],
    ['differs in case', 'LANDSCAPE-IN-DEM'],
    ['is a key, not a code', 'dem'],
    ['is a uuid', '00000000-0000-0000-0000-00000000000f'],
    ['holds a slash', 'landscape-in%2Fdem'],
    ['is long', 'x'.repeat(10_000)],
    ['is a name of every object', '__proto__'],
    ['is empty', ''],
  ] as const;
  for (const [what, code] of codes) {
    test(`because its code ${what} is 404 and stores nothing`, async () => {
      const before = await leftovers(app.services);
      const { status, body } = await sendForm<Failure>(app, `/landscape/slots/${code}`, [['file', tiff()]]);
      assert.deepEqual([status, Object.keys(body)], [404, ['error']]);
      assert.deepEqual(await leftovers(app.services), before);
    });
  }

  test('is not even written for a moment', async () => {
    await using own = await startTestApp({ landscape: true });
    await own.services.pool.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'no object is to be written'; end $$;
      create trigger refuse before insert on objects for each row execute function refuse()`);
    assert.equal((await fill('landscape-in-dem', [], own)).status, 500);
    assert.equal((await fill('landscape-in-nothing', [], own)).status, 404);
  });

  test('because its code is no text is 400', async () => {
    for (const code of ['landscape-in-dem%00', '%00', '%ff', '%zz']) {
      const { status } = await sendForm(app, `/landscape/slots/${code}`, [['file', tiff()]]);
      assert.equal(status, 400, code);
    }
  });

  test('because a group is none of the graph is 404', async () => {
    await insertGroup(app.services.db, 'landscape-in-more');
    assert.equal((await fill('landscape-in-more')).status, 404);
  });

  test('is 404 before it is 422', async () => {
    const { status } = await sendForm(app, '/landscape/slots/landscape-in-nothing', [['start_date', 'x']]);
    assert.equal(status, 404);
  });

  test('because its group was deleted is 404 and stores nothing', async () => {
    await using own = await startTestApp({ landscape: true });
    const { group_id } = await slot('landscape-in-dem', own);
    await send(own, `/dataset-groups/${group_id}`, { method: 'DELETE' });
    const before = await leftovers(own.services);
    assert.equal((await fill('landscape-in-dem', [], own)).status, 404);
    assert.deepEqual(await leftovers(own.services), before);
  });

  test('because its group is deleted in the middle is 404 and leaves nothing', async () => {
    await using own = await startTestApp({ landscape: true });
    const { group_id } = await slot('landscape-in-dem', own);
    const answer = await deleteUnderway(
      own.services,
      { table: 'dataset_groups', id: group_id },
      async () => await fill('landscape-in-dem', [], own),
    );
    assert.equal(answer.status, 404);
    const { stored, ledger, datasets } = await leftovers(own.services);
    assert.deepEqual(datasets, []);
    assert.deepEqual(
      stored.toSorted(),
      ledger.map(({ key }) => key),
    );
  });
});

describe('the category of slot uploads', () => {
  async function categoryId(own: TestApp): Promise<string | undefined> {
    const { body } = await send<{ id: string; code: string }[]>(own, '/categories');
    return body.find(({ code }) => code === 'landscape')?.id;
  }

  test('is created again when it is missing', async () => {
    await using own = await startTestApp({ landscape: true });
    const first = await categoryId(own);
    await send(own, `/categories/${first}`, { method: 'DELETE' });
    assert.equal(await categoryId(own), undefined);
    const { status, body } = await fill('landscape-in-dem', [], own);
    assert.equal(status, 201);
    assert.notEqual(body['category_id'], first);
    assert.equal(await categoryId(own), body['category_id']);
  });

  test('is created again when it is deleted between the check of an upload and its insert', async () => {
    await using own = await startTestApp({ landscape: true });
    // A sequence is not rolled back with the insert that fails: it happens once.
    await own.services.pool.query(`
      create sequence inserts;
      create function delete_category_once() returns trigger language plpgsql as $$ begin
        if nextval('inserts') = 1 then delete from categories where code = 'landscape'; end if;
        return new;
      end $$;
      create trigger once before insert on datasets for each row execute function delete_category_once()`);
    const { status, body, text } = await fill('landscape-in-dem', [], own);
    assert.equal(status, 201, text);
    assert.equal(await categoryId(own), body['category_id']);
  });

  test('is not created for an upload to a slot that is not there', async () => {
    await using own = await startTestApp();
    assert.equal((await fill('landscape-in-dem', [], own)).status, 404);
    assert.equal(await categoryId(own), undefined);
  });
});

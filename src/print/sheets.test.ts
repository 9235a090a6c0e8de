import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { isReached } from '../../common/areas/reached.ts';
import type { DatasetAreas, OwnAreas } from '../areas/areas-schema.ts';
import { checkStore } from '../object-store/fsck.ts';
import { deleteDataset } from '../datasets/deletion/delete.ts';
import { fromAlbers, toAlbers } from '../../common/maps/paper/albers.ts';
import { paperOf, frameAround } from '../../common/maps/paper/papers.ts';
import { AtlasOrder, prepareAtlasContent } from './atlas-content.ts';
import { polygonOfFrame } from './sheet-content.ts';
import { formatFixed } from '../../common/formats/numbers.ts';
import { box } from '../../test/support/areas/areas.ts';
import { startCountingApp, zones } from '../../test/support/areas/counting-app.ts';
import { insertCategory, send, sendJson, setState } from '../../test/support/datasets.ts';
import { insertRaster } from '../../test/support/geo/rasters.ts';
import { meshOfDegrees } from '../../test/support/geo/drawable-raster.ts';
import { insertSucceededRun } from '../../test/support/landscape/gap-runs.ts';
import { readPdf, type ReadPdf } from '../../test/support/maps/pdf.ts';

const { app, db, addRaster, ...rest } = await startCountingApp();
after(async () => await rest.close());

const hostileName = `<script>"a"</script> \u202e${'Ұзын атау '.repeat(40)}`;
const sld = `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>z</Name><UserStyle>
<FeatureTypeStyle><Rule><RasterSymbolizer><ColorMap type="values"><ColorMapEntry color="#1f78b4" quantity="11" label="Әлқап &lt;b&gt; ҒҚҢӨҰҮҺІ"/>
<ColorMapEntry color="#e6ab02" quantity="22" label="Пашня"/></ColorMap></RasterSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;

async function addZones(): Promise<string> {
  const id = await addRaster(zones, { options: { TILED: 'YES', BLOCKXSIZE: '16', BLOCKYSIZE: '16' } });
  const columns = { view_state: 'made', bbox: [60, 48, 63, 50] };
  await setState(app.services, id, columns, {
    view_mesh: meshOfDegrees([60, 48, 63, 50], { width: 30, height: 20 }),
  });
  const form = new FormData();
  form.append('file', new File([sld], 'zones.sld'));
  const styled = await fetch(`${app.baseUrl}/datasets/${id}/sld`, { method: 'POST', body: form });
  assert.ok(styled.ok, await styled.text());
  return id;
}
const id = await addZones();

/** Starts a run with pinned zones, which do not follow from its cells, because this worker makes none. */
async function pinnedRun(zoning: string): Promise<string> {
  const run = await insertSucceededRun(db, zoning);
  const overrides = JSON.stringify({ 'landscape-33-use-zone': zoning });
  await db.updateTable('landscape_runs').set({ overrides }).where('id', '=', run).execute();
  return run;
}

async function bytesOf(path: string): Promise<{ bytes: Uint8Array; etag: string }> {
  const response = await fetch(app.baseUrl + path);
  const bytes = new Uint8Array(await response.arrayBuffer());
  assert.equal(response.status, 200, Buffer.from(bytes).toString());
  assert.equal(response.headers.get('content-type'), 'application/pdf');
  return { bytes, etag: response.headers.get('etag') ?? '' };
}
const sheetOf = async (query: string) => readPdf((await bytesOf(`/datasets/${id}/sheet.pdf${query}`)).bytes);

/** Frame of the map, the only unfilled box on a page of this size. */
function frameOf({ pages: [page] }: ReadPdf) {
  const boxes = [...(page?.content ?? '').matchAll(/([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re\nS/g)];
  const found = boxes
    .map(([, ...numbers]) => numbers.map(Number))
    .toSorted((one, other) => (other[2] ?? 0) - (one[2] ?? 0))[0];
  const [x = 0, y = 0, width = 0, height = 0] = found ?? [];
  return { x, y, width, height };
}

describe('a sheet', () => {
  test('has hectares of the unit as /areas has them, and says so, in text that can be selected', async () => {
    const { body } = await send<DatasetAreas>(app, `/datasets/${id}/areas?wait=60`);
    const row = body.rows.find(({ kato }) => kato === '102000000');
    const sheet = await sheetOf('?kato=102000000&lang=ru&wait=60');
    const { text } = sheet.pages[0] ?? assert.fail();
    assert.ok(row !== undefined);
    for (const hectares of [row.area_ha, row.classes['22'] ?? 0, row.no_data_ha, row.outside_raster_ha])
      assert.ok(text.includes(formatFixed(hectares, 'ru', 0)), `${hectares} is not in ${text}`);
    assert.match(text, /Гектары территории: Восточный/);
    assert.match(text, /Площади указаны по карте и не являются/);
    assert.match(text, /43° и 53° с\. ш\./);
    assert.ok(!text.includes('\u0000'), 'each glyph has a character');
    const other = await sheetOf('?kato=101000000&lang=kk&wait=60');
    const kazakh = other.pages[0]?.text ?? '';
    for (const letter of 'ӘҒҚҢӨҰҮҺІ') assert.ok(kazakh.includes(letter), letter);
    assert.match(kazakh, /Батыс/);
    assert.match(kazakh, /Әлқап <b>/);
    assert.equal(other.embeddedFonts.length, 2);
  });

  test('has the stated scale on paper, and draws every pixel at 300 dots to an inch', async () => {
    for (const [query, scale] of [
      ['size=A4&orientation=landscape&scale=750000', 750_000],
      ['size=A3&orientation=portrait&scale=500000', 500_000],
    ] as const) {
      const sheet = await sheetOf(`?${query}&center=61,49&lang=en&wait=60`);
      const frame = frameOf(sheet);
      const labels = (sheet.pages[0]?.texts ?? []).filter(({ y, text }) => /^6\d°/.test(text) && y < frame.y);
      // Labels of equal length are centred on their lines in the same way.
      const alike = labels.filter(({ text }) => text.length === (labels[0]?.text.length ?? 0));
      const [first, last] = [alike[0], alike.at(-1)];
      assert.ok(first !== undefined && last !== undefined && first !== last);
      const degrees = ({ text }: { text: string }) => {
        const [whole = 0, minutes = 0] = text.split(/[°’]/).map(Number);
        return whole + minutes / 60;
      };
      // The upper edge crosses the same parallels of the plane at all labels.
      const [, middle] = toAlbers(61, 49);
      const top = middle + (frame.height / 2) * (0.0254 / 72) * scale;
      const metres = placeAtTop(degrees(last), top) - placeAtTop(degrees(first), top);
      const points = last.x - first.x;
      assert.ok(Math.abs((points * (0.0254 / 72) * scale) / metres - 1) < 0.005, `${points} ${metres}`);
      const [width] = [...new Set(sheet.images.map((image) => image.width))];
      assert.ok(Math.abs((width ?? 0) / (frame.width / 72) - 300) < 0.5, `${width} ${frame.width}`);
      assert.match(sheet.pages[0]?.text ?? '', new RegExp(`Scale 1:${scale / 1000},000`));
    }
  });

  test('of a frame has the hectares that its polygon has', async () => {
    const run = await pinnedRun(id);
    const { map } = paperOf('A4', 'landscape');
    const [x, y] = toAlbers(61.2, 48.9);
    const frame = frameAround({ left: x, right: x, top: y, bottom: y }, map, 300_000);
    const body = JSON.stringify({ type: 'Polygon', coordinates: polygonOfFrame(frame) });
    const areas = await send<OwnAreas>(app, `/landscape/runs/${run}/areas?wait=60`, { method: 'POST', body });
    assert.equal(areas.status, 200, areas.text);
    const { text } =
      (await sheetOf('?center=61.2,48.9&scale=300000&lang=en&wait=60')).pages[0] ?? assert.fail();
    const whole = areas.body.rows[0]?.area_ha ?? 0;
    assert.ok(text.includes(formatFixed(whole, 'en', 0)), `${whole} is not in ${text}`);
    assert.match(text, /Hectares of the frame of this map/);
  });

  test('has the same bytes for the same content, and an ETag', async () => {
    const path = `/datasets/${id}/sheet.pdf?lang=en&wait=60`;
    const [one, other] = [await bytesOf(path), await bytesOf(`${path}&size=A4`)];
    assert.ok(Buffer.from(one.bytes).equals(other.bytes));
    assert.equal((await fetch(app.baseUrl + path, { headers: { 'if-none-match': one.etag } })).status, 304);
    assert.match((await sheetOf('?lang=en&wait=60')).pages[0]?.text ?? '', /Hectares of the whole raster/);
  });

  test('of invented values says so across the map and in a sentence, in each language', async () => {
    const invented = await addZones();
    const path = `/datasets/${invented}/sheet.pdf`;
    const plain = await bytesOf(`${path}?lang=en&wait=60`);
    const said = await sendJson(app, 'PUT', `/datasets/${invented}/metadata`, { origin: 'invented' });
    assert.equal(said.status, 200, said.text);
    for (const [language, sentence] of [
      ['en', 'Invented data, for demonstration only.'],
      ['ru', 'Вымышленные данные, только для демонстрации.'],
      ['kk', 'Ойдан шығарылған деректер, тек көрсету үшін.'],
    ] as const) {
      const { bytes, etag } = await bytesOf(`${path}?lang=${language}&wait=60`);
      const { isMarked, text } = readPdf(bytes).pages[0] ?? assert.fail();
      assert.ok(isMarked && text.includes(sentence), text);
      assert.notEqual(etag, plain.etag, 'a statement makes another sheet');
    }
    const [page] = readPdf(plain.bytes).pages;
    assert.ok(page?.isMarked === false && !/invented/i.test(page.text));
  });

  test('without a known unit, or beyond the earth, is refused', async () => {
    for (const [query, status] of [
      ['?kato=999999999', 404],
      ['?kato=100000000&by=district', 404],
      ['?run_id=00000000-0000-4000-8000-000000000000', 404],
      ['?center=67,89&scale=50000000', 422],
      ['?scale=1', 400],
    ] as const)
      assert.equal((await send(app, `/datasets/${id}/sheet.pdf${query}`)).status, status, query);
  });
});

/** Easting at which a meridian crosses a horizontal line of the plane. */
function placeAtTop(lon: number, top: number): number {
  let [south, north] = [30, 70];
  for (let step = 0; step < 60; step += 1) {
    const lat = (south + north) / 2;
    if (toAlbers(lon, lat)[1] > top) north = lat;
    else south = lat;
  }
  assert.ok(Math.abs(fromAlbers(...toAlbers(lon, south))[0] - lon) < 1e-6);
  return toAlbers(lon, south)[0];
}

/** Inserts a table with nine periods of the western district, the last without a number. */
async function addTable(): Promise<{ readonly table: string; readonly setId: number }> {
  const table = await insertRaster(db, {
    category_id: await insertCategory(db, 'tables'),
    name: 'Сбор зерна',
    unit: 'т',
    file_type: 'vector_with_kato',
  });
  const set = { dataset_id: table, job_id: randomUUID(), attempt: 1 };
  const made = await db.insertInto('observation_sets').values(set).returning('id').executeTakeFirstOrThrow();
  const years = [2012, 2013, 2014, 2015, 2016, 2017, 2018, 2019, 2020];
  const rows = years.map((year) => ({
    set_id: made.id,
    id: randomUUID(),
    kato_code: '101000000',
    start_date: `${year}-01-01`,
    end_date: `${year}-12-31`,
    value: year === 2020 ? null : year - 2000.5,
    value_text: year === 2020 ? 'нет данных' : null,
    mapping_order: year,
    row_number: 0,
  }));
  await db.insertInto('observations').values(rows).execute();
  await setState(app.services, table, { observation_set_id: made.id });
  return { table, setId: made.id };
}

const { signal } = new AbortController();

describe('an atlas', () => {
  test('is made once, has an index and a sheet for each unit, and goes with its zoning', async () => {
    const zoning = await addZones();
    await db.updateTable('datasets').set({ name: hostileName }).where('id', '=', zoning).execute();
    const run = await pinnedRun(zoning);
    const { table, setId } = await addTable();
    const path = `/landscape/runs/${run}/atlas.pdf?by=district&kato=100000000&lang=ru&tables=${table}`;
    const pending = await send<{ status: string }>(app, `${path}&wait=0`);
    assert.equal(pending.status, 202, pending.text);
    const [one, other] = await Promise.all([bytesOf(`${path}&wait=60`), bytesOf(`${path}&wait=60`)]);
    assert.deepEqual(one.bytes, other.bytes);
    const atlases = await db.selectFrom('results').selectAll().execute();
    assert.equal(atlases.length, 1);
    const { pages } = readPdf(one.bytes);
    assert.equal(pages.length, 3);
    const [index, west, east] = pages;
    assert.match(index?.text ?? '', /Указатель листов/);
    assert.match(index?.text ?? '', /=Западный, район/);
    assert.match(west?.text ?? '', /Лист 1 из 2/);
    assert.match(west?.text ?? '', /Гектары территории: =Западный, район/);
    for (const words of ['Сбор зерна, т', '2019', '18,5', 'нет данных', 'Полоса — доля на этой территории'])
      assert.ok(west?.text.includes(words), `${words} is not in ${west?.text}`);
    assert.ok(
      west?.texts.every(({ text }) => text !== '2012'),
      'the last eight periods',
    );
    assert.match(east?.text ?? '', /Гектары территории: Восточный/);
    assert.ok(east?.text.includes('Сбор зерна') === false);
    assert.match(east?.text ?? '', /Состояние: черновик/);
    assert.match(east?.text ?? '', /неизвестно, на какой доле/);
    assert.match(east?.text ?? '', /<script>"a"<\/script> Ұзын.*…/);
    assert.deepEqual(
      (await checkStore(db, app.services.objectStore)).damage.filter(({ kind }) => /owner/.test(kind)),
      [],
    );
    const { input } = await db.selectFrom('results').select('input').executeTakeFirstOrThrow();
    const keyOf = async () => {
      const content = await prepareAtlasContent(
        app.services.printing,
        AtlasOrder.parse(JSON.parse(input)),
        signal,
      );
      return content.isPending ? assert.fail('counted before') : content.key;
    };
    const before = await keyOf();
    await db.updateTable('observations').set({ value: 77 }).where('set_id', '=', setId).execute();
    assert.notEqual(await keyOf(), before, 'other values, another atlas');
    const changed = await fetch(`${app.baseUrl}/landscape/runs/${run}/record`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Вариант', state: 'proposed' }),
    });
    assert.ok(changed.ok);
    assert.equal((await send(app, `${path}&wait=0`)).status, 202, 'another state, another atlas');
    await deleteDataset(app.services, zoning);
    assert.deepEqual(await db.selectFrom('results').selectAll().execute(), []);
    const [key] = atlases.map(({ object_key: object }) => object);
    assert.equal(await app.services.objectStore.size(key ?? ''), undefined);
  });

  test('is offered for the regions that the zoning reaches, and refused for all others', async () => {
    const run = await pinnedRun(id);
    const geometry = JSON.stringify(box(80, 40, 81, 41));
    const beyond = { kato_code: '990000000', level: 'region', name: 'Далёкая', geometry } as const;
    await db.insertInto('districts').values(beyond).execute();
    const { body } = await send<DatasetAreas>(app, `/datasets/${id}/areas?by=region&wait=60`);
    const offered = body.rows
      .filter((unit) => isReached({ area: unit.area_ha, outside: unit.outside_raster_ha }))
      .map(({ kato }) => kato);
    assert.deepEqual(
      [body.rows.map(({ kato }) => kato), offered],
      [['100000000', '990000000'], ['100000000']],
    );
    for (const { kato } of body.rows) {
      const atlas = `/landscape/runs/${run}/atlas.pdf?by=region&kato=${kato}&wait=0`;
      assert.equal((await send(app, atlas)).status, offered.includes(kato) ? 202 : 404, kato);
    }
  });

  test('of a table that is none is refused', async () => {
    const run = await pinnedRun(id);
    const { status, text } = await send(app, `/landscape/runs/${run}/atlas.pdf?tables=${id}`);
    assert.equal(status, 422, text);
    assert.match(text, /only vector_with_kato datasets/);
  });

  test('of no unit on the zoning is refused', async () => {
    const run = await pinnedRun(id);
    const { status, text } = await send(app, `/landscape/runs/${run}/atlas.pdf?kato=999999999&wait=60`);
    assert.equal(status, 404, text);
  });
});

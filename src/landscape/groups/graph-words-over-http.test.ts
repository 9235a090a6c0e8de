import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startTestApp } from '../../../test/support/app.ts';
import { insertCategory, send, sendForm, setState, upload } from '../../../test/support/datasets.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { drawableRaster } from '../../../test/support/geo/drawable-raster.ts';

interface Legend {
  readonly title: string;
  readonly unit: string | null;
  readonly entries: readonly { readonly label: string; readonly value?: number }[];
  readonly reading?: string;
}

const app = await closeAfterTests(startTestApp({ landscape: true }));
const drawable = await drawableRaster();

async function groupIdOf(code: string): Promise<string> {
  const group = await app.services.db
    .selectFrom('dataset_groups')
    .select('id')
    .where('code', '=', code)
    .executeTakeFirstOrThrow();
  return group.id;
}

/** Inserts a raster as a run publishes it, or with other fields. */
async function publish(
  group: string,
  facts: { readonly name: string; readonly unit?: string },
): Promise<string> {
  const dg_id = await groupIdOf(group);
  const category_id = await insertCategory(app.services.db);
  const { id } = await upload(app, { category_id, dg_id, file_type: 'raster', ...facts });
  await setState(app.services, id, { ...drawable.columns }, drawable.objects);
  return id;
}

await publish('landscape-34-functional-zoning', { name: 'Functional zoning' });
const soilLoss = await publish('landscape-14-soil-loss', {
  name: 'Soil loss by water, t/ha/yr',
  unit: 't/ha/yr',
});
const zoningGroup = await groupIdOf('landscape-34-functional-zoning');

async function readIn<T>(language: string | undefined, path: string) {
  const headers = language === undefined ? {} : { 'accept-language': language };
  const answer = await send<T>(app, path, { headers });
  assert.equal(answer.status, 200, answer.text);
  assert.match(answer.headers.get('vary') ?? '', /\bAccept-Language\b/);
  assert.equal(answer.headers.get('content-language'), language ?? 'en');
  return answer;
}

const legendIn = async (language: string | undefined, owner: string) =>
  (await readIn<Legend>(language, `${owner}/legend.json`)).body;

describe('a map of the graph', () => {
  test('has the name of its group where that is asked', async () => {
    const titles = await Promise.all(
      ['ru', 'kk', undefined].map(
        async (each) => (await legendIn(each, `/dataset-groups/${zoningGroup}`)).title,
      ),
    );
    assert.deepEqual(titles, [
      'Ландшафтная программа 34: Функциональное зонирование',
      'Ландшафт бағдарламасы 34: Функционалдық аймақтау',
      'Landscape 34: Functional zoning',
    ]);
  });

  test('is described to other programs in the language of the client, or of the query', async () => {
    const path = `/datasets/${soilLoss}`;
    for (const [form, english, russian] of [
      [
        'tilejson.json',
        '"name":"Soil loss by water, t/ha/yr"',
        '"name":"Потери почвы от водной эрозии, т/га/год"',
      ],
      [
        'style.json',
        '"name":"Soil loss by water, t/ha/yr"',
        '"name":"Потери почвы от водной эрозии, т/га/год"',
      ],
      ['wmts', '<ows:Abstract>t/ha/yr<', '<ows:Abstract>т/га/год<'],
    ] as const) {
      const [inEnglish, inRussian] = [
        await readIn(undefined, `${path}/${form}`),
        await readIn('ru', `${path}/${form}`),
      ];
      assert.ok(inEnglish.text.includes(english), inEnglish.text);
      assert.ok(inRussian.text.includes(russian), inRussian.text);
      assert.notEqual(inEnglish.headers.get('etag'), inRussian.headers.get('etag'));
      // A client that sets the language in the query receives addresses with the same query.
      const asked = await send(app, `${path}/${form}?lang=ru`, { headers: { 'accept-language': 'kk' } });
      assert.equal(asked.headers.get('content-language'), 'ru');
      assert.ok(asked.text.includes(russian), asked.text);
      if (form !== 'style.json') {
        assert.ok(asked.text.includes('/legend.png?lang=ru'), asked.text);
        assert.ok(!inRussian.text.includes('lang='), inRussian.text);
      }
      assert.equal((await send(app, `${path}/${form}?lang=de`)).status, 400);
    }
  });

  test('keeps names, units and labels that users have given', async () => {
    const style = `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><UserStyle><FeatureTypeStyle><Rule>
      <RasterSymbolizer><ColorMap type="values"><ColorMapEntry color="#ff0000" quantity="11" label="V1 irrigation"/>
      <ColorMapEntry color="#00ff00" quantity="12" label="V1 irrigation"/><ColorMapEntry color="#0000ff" quantity="13" label="my own"/>
      </ColorMap></RasterSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
    const own = await publish('landscape-34-functional-zoning', { name: 'My zoning', unit: 'class' });
    const sent = await sendForm(app, `/datasets/${own}/sld`, [['file', new File([style], 'own.sld')]]);
    assert.equal(sent.status, 200, sent.text);
    const { title, unit, entries } = await legendIn('ru', `/datasets/${own}`);
    assert.deepEqual([title, unit], ['My zoning', 'class']);
    assert.deepEqual(
      entries.map(({ label }) => label),
      // A label of the graph is translated only for its own class.
      ['V1 орошение', 'V1 irrigation', 'my own'],
    );
    const elsewhere = await publish('landscape-in-dem', { name: 'Functional zoning', unit: 'm' });
    const input = await legendIn('ru', `/datasets/${elsewhere}`);
    assert.deepEqual([input.title, input.unit, input.reading], ['Functional zoning', 'м', undefined]);
  });
});

test('the legend of a raster without a style goes from the 2nd to the 98th percentile of all pixels, once they are counted', async () => {
  const category_id = await insertCategory(app.services.db);
  const { id } = await upload(app, { category_id, file_type: 'raster', name: 'relief' });
  await setState(app.services, id, { ...drawable.columns }, drawable.objects);
  const read = async () => {
    const path = `/datasets/${id}/legend.json`;
    const { body, headers } = await send<{ stops: readonly { value: number }[] }>(app, path);
    return { ends: [body.stops[0]?.value, body.stops.at(-1)?.value], etag: headers.get('etag') };
  };
  const before = await read();
  const band = { index: 1, min: -7, p2: -5, p98: 4000, max: 9000 };
  await app.services.db
    .insertInto('raster_statistics')
    .values({ dataset_id: id, state: 'counted', counts: JSON.stringify({ pixels: 1, bands: [band] }) })
    .execute();
  app.services.maps.forgetAll();
  const after = await read();
  assert.deepEqual(after.ends, [-5, 4000]);
  assert.notDeepEqual(before.ends, after.ends);
  assert.notEqual(before.etag, after.etag);
});

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { decode } from 'fast-png';
import Fastify from 'fastify';
import { checkAnswers } from '../support/answers.ts';
import { eventually } from '../support/processes.ts';
import type { Legends, LegendSource } from '../../src/maps/service/legend-source.ts';
import { drawLegend } from '../../src/maps/thread/legend/legend-image.ts';
import { datasetProblems } from '../../src/messages/datasets.ts';
import { createDrawnAnswers } from '../../src/http/files/drawn-response.ts';
import { addErrorMapping } from '../../src/http/errors.ts';
import { addSchemaCompilers, type App } from '../../src/http/request/schemas.ts';
import { registerLegendRoutes } from '../../src/http/routes/legends.ts';

const zoning = '11111111-1111-4111-8111-111111111111';
const height = '22222222-2222-4222-8222-222222222222';

const classes: LegendSource = {
  title: 'Функциональное зонирование',
  unit: null,
  model: {
    kind: 'classes',
    entries: [
      {
        colour: [31, 120, 180, 255],
        label: { kind: 'text', text: 'Орошение' },
        range: { from: 11, to: 11 },
        sign: 'area',
        isHidden: false,
      },
      {
        colour: [0, 0, 0, 0],
        label: { kind: 'text', text: 'No data' },
        sign: 'area',
        isHidden: true,
      },
      {
        colour: [255, 127, 0, 128],
        label: { kind: 'range', from: 1234.5, to: Infinity },
        sign: 'line',
        isHidden: false,
      },
    ],
  },
  hasNoData: true,
  leftOut: ['hillshade'],
  etagParts: ['styles/1'],
};
const ramp: LegendSource = {
  title: 'DEM',
  unit: 'm',
  model: {
    kind: 'ramp',
    stops: [
      { value: 0, colour: [0, 0, 0, 255] },
      { value: 2500.5, colour: [255, 255, 255, 255] },
    ],
  },
  hasNoData: false,
  leftOut: [],
  etagParts: ['styles/2'],
};

let shown = classes;
let drawn = 0;
let lookUps = 0;
/** Drawings wait for it. */
let mayDraw: () => Promise<unknown> = async () => await Promise.resolve();
const legends: Legends = {
  modelOf: async (id) => {
    lookUps += 1;
    if (id === zoning) return shown;
    if (id === height) return ramp;
    throw datasetProblems.notFound();
  },
  modelOfGroup: async () => ramp,
  draw: async (picture) => {
    drawn += 1;
    await mayDraw();
    return drawLegend(picture);
  },
};

const app: App = Fastify();
addErrorMapping(app);
addSchemaCompilers(app);
checkAnswers(app);
registerLegendRoutes(app, { legends, drawnAnswers: createDrawnAnswers() });
const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
after(() => app.close());

const ask = async (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  await fetch(baseUrl + path, { method, headers });
const widthOf = async (answer: Response) => decode(new Uint8Array(await answer.arrayBuffer())).width;

describe('legend.json', () => {
  test('has the classes that are drawn, with their numbers, in the language that is asked for', async () => {
    const answer = await ask(`/datasets/${zoning}/legend.json?lang=ru`);
    assert.equal(answer.headers.get('content-language'), 'ru');
    assert.deepEqual(await answer.json(), {
      title: 'Функциональное зонирование',
      unit: null,
      kind: 'classes',
      entries: [
        { label: 'Орошение', colour: '#1f78b4', value: 11, sign: 'area' },
        { label: 'от 1\u00a0234,5', colour: '#ff7f0080', from: 1234.5, sign: 'line' },
      ],
      no_data: { label: 'нет данных: не рисуется', drawn: false },
      left_out: ['hillshade'],
    });
  });

  test('has the stops of a ramp', async () => {
    const answer = await ask(`/datasets/${height}/legend.json`);
    assert.deepEqual(await answer.json(), {
      title: 'DEM',
      unit: 'm',
      kind: 'ramp',
      entries: [],
      stops: [
        { value: 0, label: '0', colour: '#000000' },
        { value: 2500.5, label: '2,501', colour: '#ffffff' },
      ],
      no_data: null,
      left_out: [],
    });
  });

  test('speaks as the client prefers, English otherwise; the query wins', async () => {
    const labelFor = async (query: string, language?: string) => {
      const headers = language === undefined ? {} : { 'accept-language': language };
      const answer = await ask(`/datasets/${zoning}/legend.json${query}`, headers);
      assert.equal(answer.headers.get('vary'), 'Accept-Language');
      const { no_data: noData }: { no_data: { label: string } } = Object(await answer.json());
      return noData.label;
    };
    assert.equal(await labelFor(''), 'no data: not drawn');
    assert.equal(await labelFor('', 'kk-KZ,ru;q=0.5'), 'деректер жоқ: салынбайды');
    assert.equal(await labelFor('?lang=en', 'kk'), 'no data: not drawn');
  });
});

describe('legend.png', () => {
  test('is a picture, twice as wide for twice the pixels', async () => {
    for (const path of [`/datasets/${zoning}/legend.png`, `/dataset-groups/${zoning}/legend.png`]) {
      const answer = await ask(path);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('content-type'), 'image/png');
      assert.equal(answer.headers.get('cache-control'), 'no-cache');
      const width = await widthOf(answer);
      assert.equal(await widthOf(await ask(`${path}?scale=2`)), 2 * width);
    }
  });

  test('HEAD has the headers alone', async () => {
    const [get, head] = [
      await ask(`/datasets/${zoning}/legend.png`),
      await ask(`/datasets/${zoning}/legend.png`, {}, 'HEAD'),
    ];
    const bytes = (await get.arrayBuffer()).byteLength;
    assert.equal((await head.arrayBuffer()).byteLength, 0);
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(bytes)]);
    assert.equal(head.headers.get('etag'), get.headers.get('etag'));
  });
});

test('a picture that twenty ask for at the same time is drawn once', async () => {
  shown = { ...classes, title: 'not drawn before' };
  [drawn, lookUps] = [0, 0];
  mayDraw = async () => await eventually('all have asked', async () => lookUps === 20);
  const asked = await Promise.all(
    Array.from({ length: 20 }, async () => (await ask(`/datasets/${zoning}/legend.png`)).status),
  );
  assert.deepEqual(new Set(asked), new Set([200]));
  assert.equal(drawn, 1);
  mayDraw = async () => await Promise.resolve();
  shown = classes;
});

describe('the ETag of a legend', () => {
  const etagOf = async (path: string, headers?: Readonly<Record<string, string>>) =>
    (await ask(path, headers)).headers.get('etag') ?? '';

  test('spares the client what it has, and the service the drawing', async () => {
    const path = `/datasets/${zoning}/legend.png`;
    const etag = await etagOf(path);
    assert.match(etag, /^"[\da-f]{32}"$/);
    const before = drawn;
    const again = await ask(path, { 'if-none-match': `"other", W/${etag}` });
    assert.deepEqual([again.status, await again.text(), drawn], [304, '', before]);
    assert.equal(again.headers.get('etag'), etag);
  });

  test('is another one for each form, scale, language, dataset and style', async () => {
    const path = `/datasets/${zoning}/legend`;
    const etags = [
      await etagOf(`${path}.png`),
      await etagOf(`${path}.png?scale=2`),
      await etagOf(`${path}.png?lang=ru`),
      await etagOf(`${path}.png`, { 'accept-language': 'kk' }),
      await etagOf(`${path}.json`),
      await etagOf(`/datasets/${height}/legend.json`),
    ];
    assert.equal(await etagOf(`${path}.png?lang=en&scale=1`), etags[0]);
    for (const change of [{ etagParts: ['styles/3'] }, { title: 'Другое' }, { unit: 'га' }]) {
      shown = { ...classes, ...change };
      etags.push(await etagOf(`${path}.png`));
    }
    shown = classes;
    assert.equal(new Set(etags).size, etags.length);
  });
});

test('what cannot be answered is refused, and nothing of it is kept', async () => {
  const cases = [
    [`/datasets/${zoning}/legend.png?lang=de`, 400],
    [`/datasets/${zoning}/legend.json?lang=RU`, 400],
    [`/datasets/${zoning}/legend.png?scale=3`, 400],
    [`/datasets/${zoning}/legend.png?scale=1&scale=2`, 400],
    ['/datasets/1/legend.png', 400],
    ['/datasets/33333333-3333-4333-8333-333333333333/legend.json', 404],
  ] as const;
  for (const [path, status] of cases) {
    const answer = await ask(path);
    assert.deepEqual([path, answer.status, answer.headers.get('etag')], [path, status, null]);
  }
});

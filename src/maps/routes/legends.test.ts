import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import Fastify from 'fastify';
import { checkAnswers } from '../../../test/support/answers.ts';
import type { Legends, LegendSource } from '../service/legends.ts';
import { drawLegend } from '../thread/legend/legend-image.ts';
import { datasetProblems } from '../../messages/datasets/english.ts';
import { createDrawnAnswers } from '../../http/answer/drawn.ts';
import { addErrorMapping } from '../../http/errors.ts';
import { addSchemaCompilers, type App } from '../../http/request/schemas.ts';
import { registerLegendRoutes } from './legends.ts';

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
  warning: 'Invented data, for demonstration only',
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
  warning: null,
  etagParts: ['styles/2'],
};

let shown = classes;
const legends: Legends = {
  modelOf: async (id) => {
    if (id === zoning) return shown;
    if (id === height) return ramp;
    throw datasetProblems.notFound();
  },
  modelOfGroup: async () => ramp,
  draw: async (picture) => drawLegend(picture),
};

const app: App = Fastify();
addErrorMapping(app);
addSchemaCompilers(app);
checkAnswers(app);
registerLegendRoutes(app, { legends, drawnAnswers: createDrawnAnswers() });
const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
after(() => app.close());

const ask = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
  await fetch(baseUrl + path, { headers });

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
      warning: 'Invented data, for demonstration only',
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
});

describe('the ETag of a legend', () => {
  const etagOf = async (path: string, headers?: Readonly<Record<string, string>>) =>
    (await ask(path, headers)).headers.get('etag') ?? '';

  test('differs for each form, scale, language, dataset and style', async () => {
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
    for (const change of [
      { etagParts: ['styles/3'] },
      { title: 'Другое' },
      { unit: 'га' },
      { warning: null },
    ]) {
      shown = { ...classes, ...change };
      etags.push(await etagOf(`${path}.png`));
    }
    shown = classes;
    assert.equal(new Set(etags).size, etags.length);
  });
});

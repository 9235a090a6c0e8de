import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LegendModel, WordedLegend } from '../../../common/maps/legend/model.ts';
import { wordModel } from './map-words.ts';
import type { Rgba } from '../../../common/maps/style/colour-map.ts';
import { toLegendPicture, noDataLabel, wordLegend } from './worded-legend.ts';

const grey: Rgba = [128, 128, 128, 255];
const classesOf = (count: number): LegendModel => ({
  kind: 'classes',
  entries: Array.from({ length: count }, (_, index) => ({
    colour: grey,
    label: { kind: 'range', from: index, to: index + 1 },
    sign: 'area',
    isHidden: false,
  })),
});
const sourceOf = (model: LegendModel) => ({
  title: 'Население',
  unit: null,
  model,
  hasNoData: true,
  leftOut: [],
  warning: null,
  etagParts: [],
});

test('each kind of class has words in three languages', () => {
  const labels = [
    { kind: 'range', from: -Infinity, to: 1234.5 },
    { kind: 'range', from: 1234.5, to: 2000 },
    { kind: 'range', from: 2000, to: Infinity },
    { kind: 'text', text: '' },
    { kind: 'others' },
  ] as const;
  const entries = labels.map((label) => ({ colour: grey, label, sign: 'area', isHidden: false }) as const);
  const said = (language: 'ru' | 'kk' | 'en') => {
    const legend = wordLegend({ kind: 'classes', entries }, language);
    return legend.kind === 'classes' ? legend.entries.map(({ label }) => label) : [];
  };
  assert.deepEqual(said('ru'), [
    'менее 1\u00a0234,5',
    '1\u00a0234,5 – 2\u00a0000',
    'от 2\u00a0000',
    'без названия',
    'прочие',
  ]);
  assert.deepEqual(said('kk'), [
    '1\u00a0234,5-тен кем',
    '1\u00a0234,5 – 2\u00a0000',
    '2\u00a0000-нан бастап',
    'атаусыз',
    'басқалары',
  ]);
  assert.deepEqual(said('en'), [
    'below 1,234.5',
    '1,234.5 – 2,000',
    'from 2,000',
    'without a name',
    'others',
  ]);
  assert.deepEqual(
    [noDataLabel('ru'), noDataLabel('kk'), noDataLabel('en')],
    ['нет данных: не рисуется', 'деректер жоқ: салынбайды', 'no data: not drawn'],
  );
});

test('numbers beside a ramp have the digits that tell them apart', () => {
  const labels = (...values: readonly number[]) => {
    const legend = wordLegend(
      { kind: 'ramp', stops: values.map((value) => ({ value, colour: grey })) },
      'ru',
    );
    return legend.kind === 'ramp' ? legend.ticks.map(({ label }) => label) : [];
  };
  assert.deepEqual(labels(287.3, 811.9), ['300', '400', '500', '600', '700', '800']);
  assert.deepEqual(labels(0, 0.000_000_3), ['0', '0,0000001', '0,0000002', '0,0000003']);
  assert.deepEqual(labels(1000, 1001), [
    '1\u00a0000',
    '1\u00a0000,2',
    '1\u00a0000,4',
    '1\u00a0000,6',
    '1\u00a0000,8',
    '1\u00a0001',
  ]);
  assert.deepEqual(labels(0, 0.1, 1, 1000), ['0', '0,1', '1', '1\u00a0000']);
});

test('a picture has 100 classes, and says how many more there are', () => {
  const all = toLegendPicture(sourceOf(classesOf(100)), 'ru', 1);
  assert.equal(all.moreLabel, undefined);
  const cut = toLegendPicture(sourceOf(classesOf(1223)), 'ru', 1);
  assert.equal(cut.legend.kind === 'classes' ? cut.legend.entries.length : 0, 100);
  assert.equal(cut.moreLabel, '… и ещё 1\u00a0123');
  assert.equal(toLegendPicture(sourceOf(classesOf(101)), 'en', 1).moreLabel, '… 1 more');
});

test('a ramp without numbers, and one of a single number, have words all the same', () => {
  assert.deepEqual(wordLegend({ kind: 'ramp', stops: [] }, 'en'), { kind: 'ramp', stops: [], ticks: [] });
  const single = wordLegend({ kind: 'ramp', stops: [{ value: 12.5, colour: grey }] }, 'en');
  assert.deepEqual(single.kind === 'ramp' && single.ticks, [{ at: 0.5, value: 12.5, label: '12.5' }]);
  assert.deepEqual(wordLegend({ kind: 'colours' }, 'kk'), { kind: 'colours', label: 'Түстер файлдағыдай' });
});

test('a ramp has the names of its style, in legends of the service itself numbers in the language of the reader', () => {
  const model: LegendModel = {
    kind: 'ramp',
    stops: [
      { value: -500.5, colour: grey, label: '-500.5 m' },
      { value: 1500, colour: grey },
    ],
  };
  const said = (legend: WordedLegend) =>
    legend.kind === 'ramp' ? [legend.stops, legend.ticks].map((each) => each.map(({ label }) => label)) : [];
  assert.deepEqual(said(wordLegend(model, 'ru')), [
    ['-500.5 m', '1\u00a0500'],
    ['-500.5 m', '1\u00a0500'],
  ]);
  const words = { title: '', nameOf: String, unitOf: () => null, labelOf: String, reading: undefined };
  assert.deepEqual(said(wordLegend(wordModel(model, words), 'ru'))[0], ['-500,5', '1\u00a0500']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSld } from '../../../common/maps/style/sld-read.ts';
import { classesOf } from '../../../common/maps/units/choropleth.ts';
import { paintOfRules } from '../../../common/maps/units/unit-paint.ts';
import { readMapAddress, writeMapAddress } from './place/address.ts';
import { unionOf, viewCodeFor } from './place/boxes.ts';
import { drawLine } from './drawing/line-path.ts';
import { scaleBar } from './place/scale-length.ts';
import {
  allDates,
  dateIndex,
  rankInRegion,
  type Series,
  unitsToDraw,
  valuesAt,
} from './units/unit-series.ts';

const [a, b] = ['0197d0a0-0000-7000-8000-000000000001', '0197d0a0-0000-7000-8000-000000000002'];

function seriesOf(
  years: readonly number[],
  rows: Readonly<Record<string, Series['units'][0]['values']>>,
): Series {
  return {
    dates: years.map((year) => ({ start_date: `${year}-01-01`, end_date: null })),
    units: Object.entries(rows).map(([code, values]) => ({ kato_code: code, values })),
    without_district: { codes: 0, rows: 0 },
  };
}

test('an address that was written reads the same', () => {
  const query = `l=${a},${b}.40-&at=51.1694,71.4491,6.25&date=2023-01-01&class=${a}.3`;
  const address = readMapAddress(query);
  assert.deepEqual(address.layers, [
    { id: a, opacity: 1, isVisible: true },
    { id: b, opacity: 0.4, isVisible: false },
  ]);
  assert.deepEqual(address.only, { id: a, index: 3 });
  assert.equal(writeMapAddress(address), query);
  const capitals = readMapAddress(`l=${a.toUpperCase()}&class=${a.toUpperCase()}.3`);
  assert.deepEqual([capitals.layers[0]?.id, capitals.only?.id], [a, a]);
});

test('what cannot be read of an address is left out', () => {
  const address = readMapAddress(`l=x,${a},${a}.20,${b}.abc&at=91,0,3&date=<b>&class=1.2`);
  assert.deepEqual(
    address.layers.map(({ id }) => id),
    [a],
  );
  assert.deepEqual([address.at, address.date, address.only], [undefined, undefined, undefined]);
  assert.equal(readMapAddress('at=,,').at, undefined);
});

test('the scale is a round length that fits', () => {
  assert.deepEqual(scaleBar(100, 120), { metres: 10_000, pixels: 100 });
  assert.deepEqual(scaleBar(500, 120), { metres: 50_000, pixels: 100 });
  assert.equal(scaleBar(0.3, 120).metres, 20);
});

test('the equal-area view is for what lies around Kazakhstan', () => {
  assert.equal(viewCodeFor([[46, 40, 87, 55]]), 'KZ:AEA');
  assert.equal(viewCodeFor([]), 'KZ:AEA');
  assert.equal(
    viewCodeFor([
      [46, 40, 87, 55],
      [-113, 37, -112, 38],
    ]),
    'EPSG:3857',
  );
  assert.equal(viewCodeFor([[90, 40, 45, 50]]), 'EPSG:3857', 'round the antimeridian');
  assert.deepEqual(
    unionOf([
      [170, -5, -170, 5],
      [160, 0, 165, 9],
    ]),
    [160, -5, 190, 9],
  );
});

test('dates: the last one unless asked, those of all layers once', () => {
  const first = seriesOf([2021, 2023], {});
  const second = seriesOf([2022, 2023], {});
  assert.equal(dateIndex(first, undefined), 1);
  assert.equal(dateIndex(first, '2022-01-01'), -1);
  assert.deepEqual(
    allDates([first, second]).map(({ start }) => start),
    ['2021-01-01', '2022-01-01', '2023-01-01'],
  );
});

test('classes are those of all dates, and no value is in none', () => {
  const series = seriesOf([2021, 2022], {
    '110000000': [1, 100],
    '150000000': [2, null],
    '190000000': [3, 'н/д'],
  });
  const { list, classOf } = classesOf(series, 'quantiles', 4);
  assert.deepEqual(
    list.map(({ label }) => label.kind === 'range' && label.from),
    [1, 1.75, 2.5, 27.25],
  );
  assert.deepEqual([1, 2, 3, 100, 'н/д'].map(classOf), [0, 1, 2, 3, undefined]);
  assert.deepEqual(
    [...valuesAt(series, 1)],
    [
      ['110000000', 100],
      ['190000000', 'н/д'],
    ],
  );
});

test('words are classes of their own where there are no numbers; beyond twelve the rest is one', () => {
  const words = Array.from({ length: 14 }, (_, index) => `зона ${String.fromCodePoint(1072 + index)}`);
  const few = classesOf(seriesOf([2021], { '1': ['степь'], '2': ['пустыня'], '3': ['степь'] }), 'equal', 5);
  assert.deepEqual(
    few.list.map(({ label }) => label),
    [
      { kind: 'text', text: 'пустыня' },
      { kind: 'text', text: 'степь' },
    ],
  );
  assert.equal(few.classOf('степь'), 1);
  const many = classesOf(
    seriesOf([2021], Object.fromEntries(words.map((word, i) => [`${i}`, [word]]))),
    'equal',
    5,
  );
  assert.equal(many.list.length, 12);
  assert.equal(many.classOf(words.at(-1) ?? ''), 11);
});

test('rules of a style on `value` make the classes', () => {
  const rule = (title: string, condition: string, fill: string) =>
    `<Rule><Title>${title}</Title>${condition}<PolygonSymbolizer><Fill><CssParameter name="fill">${fill}</CssParameter></Fill></PolygonSymbolizer></Rule>`;
  const below =
    '<Filter><PropertyIsLessThan><PropertyName>value</PropertyName><Literal>5</Literal></PropertyIsLessThan></Filter>';
  const { rules } = readSld(
    `<StyledLayerDescriptor>${rule('low', below, '#112233')}${rule('rest', '<ElseFilter/>', '#445566')}</StyledLayerDescriptor>`,
  );
  const paint = paintOfRules(rules);
  assert.deepEqual(
    paint?.entries.map(({ label, colour }) => [label.kind === 'text' && label.text, colour[0]]),
    [
      ['low', 0x11],
      ['rest', 0x44],
    ],
  );
  assert.deepEqual(
    [4, 5].map((value) => paint?.entryOf({ value }, 1000)),
    [0, 1],
  );
  assert.equal(paintOfRules([]), undefined);
});

test('units without data are drawn beside those of a table, and none hides another', () => {
  const [regions, districts] = [
    ['110000000', '150000000', '710000000'],
    ['113000000', '114000000', '153000000'],
  ];
  const drawnFor = (...codes: string[]) => {
    const rows = Object.fromEntries(codes.map((code) => [code, [1]]));
    return [...unitsToDraw(seriesOf([2021], rows), regions, districts)].toSorted();
  };
  assert.deepEqual(drawnFor('110000000'), regions);
  assert.deepEqual(drawnFor('113000000'), [...districts, '710000000']);
  assert.deepEqual(drawnFor('113000000', '150000000'), ['113000000', '114000000', '150000000', '710000000']);
  assert.deepEqual(drawnFor('999'), ['999']);
});

test('a unit has its place among those of its region', () => {
  const values = new Map<string, number | string>([
    ['111', 5],
    ['112', 9],
    ['113', 5],
    ['114', 'н/д'],
    ['191', 99],
  ]);
  assert.deepEqual(rankInRegion(values, '111'), { place: 2, of: 3 });
  assert.equal(rankInRegion(values, '114'), undefined);
  assert.equal(rankInRegion(values, '191'), undefined);
});

test('a line has gaps where there is no value', () => {
  const drawing = drawLine([0, undefined, 10, 5], { width: 30, height: 10, positions: [0, 1, 2, 3] });
  assert.equal(drawing?.path, 'M0.0 10.0M20.0 0.0L30.0 5.0');
  assert.equal(drawing?.points[1], undefined);
  assert.equal(drawLine([undefined], { width: 1, height: 1, positions: [0] }), undefined);
  assert.deepEqual([drawLine([4, 10], { width: 1, height: 1, positions: [0, 1] })?.from], [0]);
});

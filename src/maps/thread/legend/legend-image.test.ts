import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, convertIndexedToRgb } from 'fast-png';
import type { Rgba } from '../../../../common/maps/style/colour-map.ts';
import type { LegendPicture, WordedLegend } from '../../../../common/maps/legend/model.ts';
import { drawLegend } from './legend-image.ts';

const blue: Rgba = [31, 120, 180, 255];

const picture = (legend: WordedLegend, more: Partial<LegendPicture> = {}): LegendPicture => ({
  title: 'Зоны',
  unit: null,
  warning: null,
  legend,
  noDataLabel: null,
  moreLabel: undefined,
  scale: 1,
  ...more,
});

/** Returns the colour of each pixel of a legend, by its position at scale 1. */
function looked(drawn: LegendPicture) {
  const png = decode(drawLegend(drawn));
  const pixels = png.palette === undefined ? png.data : convertIndexedToRgb(png);
  const { width, height } = png;
  const at = (x: number, y: number) => {
    const start = (y * drawn.scale * width + x * drawn.scale) * 3;
    return [...pixels.subarray(start, start + 3)];
  };
  return { width, height, at };
}

const entry = (colour: Rgba, sign: 'area' | 'line' | 'point' = 'area', label = 'Орошение') => ({
  label,
  colour,
  sign,
  range: undefined,
});
const classes = (...entries: readonly ReturnType<typeof entry>[]): WordedLegend => ({
  kind: 'classes',
  entries,
});
/** Position of the first swatch: below the padding, one line of title and a gap. */
const [left, top] = [8, 36] as const;

for (const scale of [1, 2] as const) {
  test(`a class is a swatch of its colour with a hairline on white, at ${scale}`, () => {
    const { at, width, height } = looked(picture(classes(entry(blue)), { scale }));
    assert.deepEqual(at(left + 11, top + 7), [31, 120, 180]);
    assert.deepEqual(at(left, top + 7), [20, 77, 116]);
    assert.deepEqual(at(left - 1, top + 7), [255, 255, 255]);
    assert.deepEqual(
      [at(0, 0), at(left + 26, top + 7)],
      [
        [255, 255, 255],
        [255, 255, 255],
      ],
    );
    assert.deepEqual([width % scale, height], [0, (8 + 19 + 8 + 16 + 8) * scale]);
  });
}

test('letters are drawn: dark in the title and the label, grey in the unit', () => {
  const drawn = looked(picture(classes(entry(blue)), { unit: 'га' }));
  const darkest = (from: number, to: number, x0 = 0) => {
    let least = 255;
    for (let y = from; y < to; y += 1)
      for (let x = x0; x < drawn.width; x += 1) least = Math.min(least, drawn.at(x, y)[0] ?? 255);
    return least;
  };
  assert.ok(darkest(8, 27) < 60);
  const unit = darkest(28, 44);
  assert.ok(unit >= 91 && unit < 140, String(unit));
  assert.ok(darkest(52, 68, 8 + 22 + 8) < 60);
});

test('chequers show through an area that is not opaque; a line and a point stand on white', () => {
  const half: Rgba = [0, 0, 255, 128];
  const area = looked(picture(classes(entry(half))));
  assert.deepEqual(
    [area.at(left + 2, top + 2), area.at(left + 6, top + 2)],
    [
      [110, 112, 239],
      [127, 127, 255],
    ],
  );
  const line = looked(picture(classes(entry(blue, 'line'))));
  assert.deepEqual(
    [line.at(left, top + 7), line.at(left, top + 1)],
    [
      [31, 120, 180],
      [255, 255, 255],
    ],
  );
  const point = looked(picture(classes(entry(blue, 'point'))));
  assert.deepEqual(
    [point.at(left + 11, top + 7), point.at(left + 1, top + 7)],
    [
      [31, 120, 180],
      [255, 255, 255],
    ],
  );
});

test('a ramp has its highest value at the top', () => {
  const stops = [
    { at: 0, value: 0, label: '0', colour: [255, 0, 0, 255] },
    { at: 1, value: 9, label: '9', colour: [0, 0, 255, 255] },
  ] as const;
  const { at } = looked(picture({ kind: 'ramp', stops, ticks: stops }));
  const [bar, height] = [35 + 8, 120];
  assert.deepEqual(at(left + 10, bar + 1), [3, 0, 252]);
  assert.deepEqual(at(left + 10, bar + height - 2), [252, 0, 3]);
  const middle = at(left + 10, bar + height / 2);
  assert.ok(
    middle.every((part, index) => Math.abs(part - ([127, 0, 127][index] ?? 0)) <= 2),
    String(middle),
  );
});

test('the row without data is an empty box that is struck through', () => {
  const { at } = looked(picture(classes(), { noDataLabel: 'нет данных' }));
  assert.deepEqual(at(left + 4, top + 3), [255, 255, 255]);
  assert.ok((at(left + 11, top + 6)[0] ?? 255) < 200);
});

test('many classes stand in columns of equal length, with what is more below them', () => {
  const many = Array.from({ length: 60 }, (_, index) => entry([index, 0, 0, 255], 'area', `${index}`));
  const { at, height } = looked(picture(classes(...many), { moreLabel: '… и ещё 7' }));
  assert.deepEqual(at(left + 11, top + 7), [0, 0, 0]);
  assert.equal(height, 8 + 19 + 8 + (20 * 20 - 4) + 4 + 16 + 8);
});

test('long names wrap, and the picture stays within 320 pixels of text', () => {
  const long = 'Каштановые солонцеватые почвы в комплексе с солонцами степными '.repeat(5);
  const { width, height } = looked(picture(classes(entry(blue, 'area', long)), { title: long }));
  assert.ok(width <= 336 && width > 280, String(width));
  assert.equal(height, 8 + 4 * 19 + 8 + 4 * 16 + 8);
});

test('a small legend has a palette, with the exact colours of its classes', () => {
  const png = decode(
    drawLegend({ ...picture(classes(entry(blue), entry([200, 7, 8, 255], 'point'))), scale: 2 }),
  );
  assert.ok((png.palette?.length ?? Infinity) <= 256);
  for (const colour of [blue, [200, 7, 8]]) {
    assert.ok(png.palette?.some((known) => known.slice(0, 3).join() === colour.slice(0, 3).join()));
  }
});

test('hostile labels and numbers take little processor time', () => {
  const labels = [
    'Ж'.repeat(100_000),
    '😀'.repeat(500),
    '\u202eעברית ع',
    '\ud800\udc00\ud800',
    '\u0000\u0007\u001b[31m',
    '\u0301'.repeat(300),
  ];
  const entries = Array.from({ length: 250 }, (_, index) =>
    entry(blue, 'area', labels[index % labels.length]),
  );
  const start = process.cpuUsage();
  const { width } = looked(picture(classes(...entries), { title: '\u0301'.repeat(9999), scale: 2 }));
  assert.ok(width > 1000);
  assert.ok(process.cpuUsage(start).user < 5e6);
  const stops = [NaN, -Infinity, 7].map((at) => ({ at, value: at, label: '1e308', colour: blue }));
  assert.deepEqual(looked(picture({ kind: 'ramp', stops, ticks: stops })).at(left + 10, 60), [31, 120, 180]);
});

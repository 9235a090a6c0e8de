import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readSld } from '../../../common/maps/style/sld-read.ts';
import { stopIndexOf } from '../../../common/maps/raster/raw-colours.ts';
import { takenRules } from '../../../common/maps/style/sld-read.ts';
import { formatLabel } from '../../../common/maps/legend/labels.ts';
import { type LegendModel, ruleEntries } from '../../../common/maps/legend/model.ts';
import { legendOf } from '../../../common/maps/raster/raster-legend.ts';
import { boundBetweenValues, type Grain } from './sld-write.ts';
import { type Choice, hasChoice, readBreaks, readChoice, writeChoice } from './choice.ts';
import { distributionOfBand, distributionOfNumbers } from './distribution.ts';
import { drawingOf, unordered, valuesOf } from './drawing.ts';
import { writePlainSld, writeSld } from './sld-write.ts';

const first = { kind: 'classes', ramp: 'ylgn' } as const;
const chosen = (query = ''): Choice => readChoice(new URLSearchParams(query), first);
const distribution = (values: readonly number[]) => {
  const found = distributionOfNumbers(values);
  assert.ok(found);
  return found;
};
const boundsOf = (query: string, values: readonly number[]) => {
  const drawing = drawingOf(chosen(query), distribution(values));
  assert.ok(drawing.kind === 'classes');
  assert.equal(drawing.colours.length, drawing.bounds.length + 1);
  return drawing.bounds;
};
const oneTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe('classes', () => {
  test('have bounds by each method, whole ones of whole values', () => {
    assert.deepEqual(boundsOf('classes=4', oneTo(100)), [26, 51, 76]);
    assert.deepEqual(boundsOf('classes=4&by=equal', oneTo(101)), [26, 51, 76]);
    assert.deepEqual(boundsOf('classes=3&by=natural', [1, 2, 3, 50, 51, 52, 90, 91]), [50, 90]);
    assert.deepEqual(boundsOf('by=own&breaks=30;10;20;10', oneTo(50)), [10, 20, 30]);
  });

  test('are fewer where values are equal, and one where all are', () => {
    assert.deepEqual(boundsOf('classes=5', [0, 0, 0, 0, 0, 0, 0, 0, 7, 9]), [2]);
    assert.deepEqual(boundsOf('classes=5', [4, 4, 4]), []);
    assert.deepEqual(boundsOf('classes=9', [1, 2]), [2]);
  });

  test('keep their values apart when these are tiny, huge or negative', () => {
    for (const factor of [1e-9, 1e12, -1e-9, -1]) {
      const values = oneTo(1000).map((value) => (value + 0.5) * factor);
      const bounds = boundsOf('classes=9', values);
      assert.equal(new Set(bounds).size, 8, String(factor));
      const counts = [...bounds, Infinity].map(
        (bound, index) =>
          values.filter((value) => value < bound && value >= (bounds[index - 1] ?? -Infinity)).length,
      );
      for (const count of counts) assert.ok(count > 95 && count < 130, `${factor}: ${counts.join()}`);
    }
  });

  test('are made of the pixels of a raster, of which a histogram or each value is known', () => {
    const band = {
      index: 1,
      valid: 300,
      nodata: 0,
      mean: 1,
      no_data_ha: null,
      p2: 0,
      p98: 30,
      min: 0,
      max: 30,
    };
    const histogram = { min: 0, max: 32, counts: [100, 100, 50, 50] };
    const spread = distributionOfBand({ ...band, histogram, classes: null });
    assert.ok(spread);
    assert.deepEqual([spread.least, spread.greatest, spread.distinct], [0, 30, undefined]);
    const quantiles = drawingOf(chosen('classes=3'), spread);
    assert.ok(quantiles.kind === 'classes');
    assert.deepEqual(quantiles.bounds.map(Math.round), [8, 16]);
    const far = { ...band, min: 0, max: 1e30, histogram: { min: 0, max: 1e30, counts: [300, 0] } };
    const percentiles = [...Array.from({ length: 100 }, (_, index) => index / 100), 1e30];
    const apart = distributionOfBand({ ...far, percentiles, classes: null });
    const fifths = apart && drawingOf(chosen('classes=5'), apart);
    assert.ok(fifths?.kind === 'classes');
    assert.deepEqual(
      fifths.bounds.map((bound) => Math.round(bound * 100) / 100),
      [0.2, 0.4, 0.6, 0.8],
    );
    const pixels = [1, 5, 200].map((value) => ({ value, pixels: 100, hectares: null }));
    const whole = distributionOfBand({ ...band, min: 1, max: 200, histogram, classes: pixels });
    assert.deepEqual([whole?.distinct, whole?.isWhole], [[1, 5, 200], true]);
    assert.equal(
      distributionOfBand({ ...band, min: null, max: null, histogram: null, classes: null }),
      undefined,
    );
    assert.equal(distributionOfNumbers([Number.NaN, Infinity]), undefined);
  });
});

const grains: Readonly<Record<string, Grain>> = {
  whole: { format: 2, bits: 16, scale: 1, offset: 0 },
  scaled: { format: 1, bits: 16, scale: 0.1, offset: -5 },
  turned: { format: 1, bits: 8, scale: -0.5, offset: 10 },
  float: { format: 3, bits: 32, scale: 1, offset: 0 },
  double: { format: 3, bits: 64, scale: 1, offset: 0 },
};

describe('the bound of a class in a style', () => {
  test('lies on no value, so that programs which count it to either side agree', () => {
    for (const [name, grain] of Object.entries(grains)) {
      for (const bound of [0.5, 1, 3, 7.5, -2]) {
        const written = boundBetweenValues(bound, grain);
        for (const steps of [-3, -2, -1, 0, 1, 2, 3]) {
          const value = neighbour(bound, steps, grain);
          if (value === undefined) continue;
          assert.notEqual(value, written, `${name} ${bound} ${steps}`);
          const isAbove = value >= bound - (name === 'scaled' ? 1e-9 : 0);
          assert.equal(value > written, isAbove, `${name} ${bound} ${steps}: ${value} ${written}`);
        }
      }
    }
  });
});

/** A value that pixels can have, some steps from a bound. */
function neighbour(bound: number, steps: number, { format, bits, scale, offset }: Grain): number | undefined {
  if (format !== 3) return Math.round((bound - offset) / scale + steps) * scale + offset;
  if (bits === 64) return bound * (1 + steps * 1e-9);
  const float = Float32Array.of(bound);
  const whole = new Int32Array(float.buffer);
  whole[0] = (whole[0] ?? 0) + steps;
  return float[0];
}

/** Labels of a legend in words that are no language's. */
function labelsIn(legend: LegendModel): readonly string[] {
  assert.ok(legend.kind === 'classes');
  const words = {
    others: '',
    unnamedClass: '?',
    above: (from: string) => `${from} <`,
    below: (to: string) => `< ${to}`,
  };
  return legend.entries.map(({ label }) => formatLabel(label, { words, language: 'en' }).replace(' – ', '–'));
}

describe('a style that is written', () => {
  test('is read as the classes that it was made of, each value on a bound in the upper one', () => {
    const drawing = drawingOf(chosen('by=own&breaks=10;20'), distribution(oneTo(30)));
    for (const [name, grain] of Object.entries(grains)) {
      if (name === 'turned') continue;
      const { raster, undrawn } = readSld(
        writeSld({ kind: 'raster', title: 'Yield <t> & "more"', grain }, drawing),
      );
      assert.deepEqual(undrawn, []);
      const { colours } = raster ?? {};
      assert.ok(colours !== undefined && drawing.kind === 'classes');
      const band = {
        type: { format: grain.format, bits: grain.bits },
        scale: grain.scale,
        offset: grain.offset,
      };
      const classAt = (value: number) => stopIndexOf(colours, value, band);
      assert.deepEqual([9, 10, 19, 20, 1e6, -1e6].map(classAt), [0, 1, 1, 2, 2, 0], name);
      assert.deepEqual(
        colours.stops.map(({ colour }) => colour),
        drawing.colours,
      );
      assert.deepEqual(
        labelsIn(legendOf({ kind: 'values', band: 1, colours }, { spread: undefined, band, opacity: 1 })),
        ['< 10', '10–20', '20 <'],
      );
    }
  });

  test('has a rule for each class of a table, and none for what has no value', () => {
    const drawing = drawingOf(chosen('by=own&breaks=-1;0.5'), distribution(oneTo(9)));
    const { rules, undrawn } = readSld(writeSld({ kind: 'units', title: 'T' }, drawing));
    assert.deepEqual(undrawn, []);
    const ruleAt = (value: unknown) => takenRules(rules, { value }, 1e6).map(({ number }) => number);
    assert.deepEqual([-1.01, -1, 0.49, 0.5, 1e12, null, ''].map(ruleAt), [[1], [2], [2], [3], [3], [], []]);
    assert.deepEqual(labelsIn({ kind: 'classes', entries: ruleEntries(rules) }), ['< -1', '-1–0.5', '0.5 <']);
    const constant = readSld(
      writeSld({ kind: 'units', title: 'T' }, drawingOf(chosen(), distribution([4, 4]))),
    );
    assert.deepEqual(
      [4, 5, null].map((value) => takenRules(constant.rules, { value }, 1e6).length),
      [1, 1, 0],
    );
    assert.deepEqual(labelsIn({ kind: 'classes', entries: ruleEntries(constant.rules) }), ['4']);
  });

  test('has a colour for each word of a table, with signs that XML knows', () => {
    const words = ['чернозём', 'a<b & "c"'];
    const { rules } = readSld(writeSld({ kind: 'units', title: 'T' }, valuesOf(words, unordered)));
    assert.deepEqual(
      words.map((value) => takenRules(rules, { value }, 1e6).map(({ title }) => title)),
      words.map((word) => [word]),
    );
  });

  test('has a ramp between two values, one symbol for a vector, and single values with their names', () => {
    const grain = grains['whole'] ?? assert.fail();
    const spread = distribution(oneTo(100));
    const ramp = readSld(
      writeSld({ kind: 'raster', title: '', grain }, drawingOf(chosen('kind=ramp&from=10&to=90'), spread)),
    );
    const stops = ramp.raster?.colours?.stops ?? [];
    assert.deepEqual([stops.length, stops[0]?.value, stops.at(-1)?.value], [9, 10, 90]);
    const three = distribution([1, 2, 7]);
    const values = readSld(
      writeSld(
        { kind: 'raster', title: '', grain },
        drawingOf(chosen('kind=values'), three),
        new Map([[2, 'V2']]),
      ),
    );
    assert.deepEqual(
      values.raster?.colours?.stops.map(({ value, label }) => [value, label]),
      [
        [1, '1'],
        [2, 'V2'],
        [7, '7'],
      ],
    );
    const symbol = { fill: '#aabbcc', line: '#001122', width: 2 };
    const { rules } = readSld(writePlainSld('Roads', ['area', 'line', 'point'], symbol));
    assert.deepEqual(
      rules.flatMap(({ signs }) => signs.map(({ kind }) => kind)),
      ['polygon', 'line', 'point'],
    );
  });
});

test('the bounds of many whole values are rounded', () => {
  assert.deepEqual(boundsOf('classes=3', oneTo(98_765)), [32_900, 65_800]);
});

describe('a choice in the address', () => {
  test('is read as it was written', () => {
    for (const query of [
      'kind=ramp&ramp=puor&reversed=1&from=-1.5&to=2',
      'by=own&breaks=1;2.5',
      'classes=9&by=natural&ramp=blues',
    ]) {
      const choice = chosen(query);
      const written = Object.entries(writeChoice(choice)).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      );
      assert.deepEqual(chosen(new URLSearchParams(written).toString()), choice);
    }
    assert.equal(hasChoice(new URLSearchParams('at=1,2,3')), false);
    const bad = chosen('kind=x&ramp=y&classes=99&by=z&breaks=a;;1e999&from=');
    assert.deepEqual(bad, { ...chosen(''), classes: 9 });
  });

  test('has bounds as people type them', () => {
    assert.deepEqual(readBreaks('10 000; 0,5;\n−2; 0,5'), [-2, 0.5, 10_000]);
    for (const text of ['', 'ten', '1;2;x', '1;2;3;4;5;6;7;8;9']) assert.equal(readBreaks(text), undefined);
  });
});

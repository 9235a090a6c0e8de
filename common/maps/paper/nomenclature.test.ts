import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cornersByPyproj } from './corners.for-tests.ts';
import { formatAngle, neighboursOf, nomenclatureScales, readNomenclature, sheetAt } from './nomenclature.ts';
import { type Datum, openPlane, operationAt, planeOf } from './planes.ts';

function sheetOf(text: string) {
  const sheet = readNomenclature(text);
  assert.ok(typeof sheet !== 'string', text);
  return sheet;
}

/** Corners in the order of the table, in degrees of the datum. */
function cornersOf(text: string) {
  const { west, south, east, north } = sheetOf(text);
  const seconds = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ] as const;
  return seconds.map(([lon, lat]) => [lon / 3600, lat / 3600] as const);
}

function assertNear(found: readonly number[], expected: readonly number[], most: number, what: string) {
  for (const [index, number] of expected.entries())
    assert.ok(
      Math.abs((found[index] ?? Number.NaN) - number) <= most,
      `${what}: ${found.join(' ')}, not ${expected.join(' ')}`,
    );
}

describe('a sheet of the state map', () => {
  test('has the corners that another program computes, on both datums, to a millimetre on the ground', () => {
    for (const { name, seconds, operation, sk42, qaztrf, wgs84 } of cornersByPyproj) {
      const sheet = sheetOf(name);
      assert.equal(sheet.name, name);
      assert.deepEqual([sheet.west, sheet.south, sheet.east, sheet.north], seconds, name);
      const plane = planeOf(sheet, 'sk-42');
      assert.ok(plane.kind === 'gauss-krueger' && plane.datum === 'sk-42');
      assert.equal(plane.operation, operation, name);
      for (const [datum, metres] of [
        ['sk-42', sk42],
        ['qaztrf-23', qaztrf],
      ] as const satisfies [Datum, unknown][]) {
        const { ownToPlane, toPlane, fromPlane } = openPlane(planeOf(sheet, datum));
        for (const [index, corner] of cornersOf(name).entries()) {
          const expected = metres[index] ?? assert.fail();
          assertNear(ownToPlane(...corner), expected, 0.001, `${name} ${datum}`);
          const place = datum === 'sk-42' ? (wgs84[index] ?? assert.fail()) : corner;
          // A billionth of a degree is a tenth of a millimetre.
          assertNear(fromPlane(expected[0], expected[1]), place, 1.1e-8, `${name} ${datum} from the plane`);
          assertNear(toPlane(...place), expected, 0.002, `${name} ${datum} to the plane`);
        }
      }
    }
  });

  test('is read in both alphabets, with any hyphens and zeros, and named in one way', () => {
    for (const [text, name] of [
      ['M-42-047', 'M-42-047'],
      [' м–42—47 ', 'M-42-047'],
      ['M42-47', 'M-42-047'],
      ['М-42-Г', 'M-42-Г'],
      ['m-42-d', 'M-42-Г'],
      ['К-43-ХХІХ', 'K-43-XXIX'],
      ['K-43-Ⅸ', 'K-43-IX'],
      ['Н-41-077-б-В-3', 'N-41-077-Б-в-3'],
      ['n 41 77 b c 3', 'N-41-077-Б-в-3'],
      ['Л_39_144Гг4', 'L-39-144-Г-г-4'],
    ] as const)
      assert.equal(sheetOf(text).name, name, text);
  });

  test('is refused with the reason if it is wrong, doubled or far away', () => {
    for (const [text, fault] of [
      ['', 'form'],
      ['42-M', 'form'],
      ['M-42-047-Е', 'form'],
      ['M-42-047-А-а-1-1', 'form'],
      ['M-42-0470', 'form'],
      ['Ж-42', 'form'],
      [`M-42-${'1'.repeat(10_000)}`, 'form'],
      ['M-42-0', 'part'],
      ['M-42-145', 'part'],
      ['M-42-XXXVII', 'part'],
      ['M-42-IIX', 'part'],
      ['M-61', 'part'],
      ['P-42-001', 'doubled'],
      ['M-37', 'outside'],
      ['A-42', 'outside'],
    ] as const)
      assert.equal(readNomenclature(text), fault, text);
  });

  test('is found at each place inside it, at all scales, and beside its neighbours', () => {
    for (const scale of nomenclatureScales) {
      for (const [lon, lat] of [
        [71.4, 51.1],
        [51.2, 43.6],
        [83.29, 49.99],
        [68.001, 40.001],
      ] as const) {
        const sheet = sheetAt(scale, lon * 3600, lat * 3600) ?? assert.fail();
        assert.ok(sheet.west <= lon * 3600 && lon * 3600 < sheet.east, sheet.name);
        assert.ok(sheet.south <= lat * 3600 && lat * 3600 < sheet.north, sheet.name);
        assert.deepEqual(readNomenclature(sheet.name), sheet);
        const { top, bottom, left, right } = neighboursOf(sheet);
        assert.deepEqual([bottom?.north, left?.east, right?.west], [sheet.south, sheet.west, sheet.east]);
        assert.equal(top?.south, sheet.north);
      }
    }
    assert.equal(neighboursOf(sheetOf('M-42-001')).left?.name, 'M-41-012');
    assert.equal(neighboursOf(sheetOf('O-45')).top, undefined);
  });

  test('has angles as they stand at its corners', () => {
    const written = [180_000, 182_400, 182_550].map((each) => formatAngle(each, { hasMinutes: true }));
    assert.deepEqual(written, ['50°00’', '50°40’', '50°42’30”']);
    assert.equal(formatAngle(180_000, { hasMinutes: false }), '50°');
  });

  test('on SK-42 takes the operation of files: that of PROJ at its middle', () => {
    assert.deepEqual(
      [operationAt(69, 50), operationAt(51, 45), operationAt(69, 41), operationAt(51, 41.16)],
      [20, 10, 16, 10],
    );
  });
});

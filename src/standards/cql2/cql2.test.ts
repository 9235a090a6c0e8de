import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Problem } from '../../lib/errors.ts';
import { shapeOfBbox } from '../shapes.ts';
import { holds, isLike, type Subject } from './evaluate.ts';
import type { Queryables } from './filter.ts';
import { type FilterLanguage, readFilter } from './read-filter.ts';

const queryables: Queryables = {
  name: 'string',
  'proj:code': 'string',
  size: 'number',
  done: 'boolean',
  datetime: 'time',
  geometry: 'geometry',
  large: 'integer',
  day: 'date',
  parts: 'string',
};
const noon = Date.parse('2024-06-01T12:00:00Z');
const values: Readonly<Record<string, string | number | bigint | boolean | null>> = {
  large: 2n ** 53n + 1n,
  day: '2024-06-01',
  parts: '\u0438\u0306',
  name: 'Жайылым 7',
  'proj:code': null,
  size: 10,
  done: true,
  datetime: noon,
};
const subject: Subject = {
  value: (property) => values[property],
  shape: () => shapeOfBbox([60, 40, 70, 45]),
  interval: () => ({ from: noon, to: noon }),
};

const isTrue = (filter: unknown, language: FilterLanguage = 'cql2-text') =>
  holds(readFilter(filter, language, { queryables }), subject, { steps: 1000 });

function faultOf(filter: unknown, language: FilterLanguage = 'cql2-text'): string {
  try {
    readFilter(filter, language, { queryables });
  } catch (error) {
    if (error instanceof Problem && error.status === 400) return error.message;
    throw error;
  }
  return assert.fail(`${JSON.stringify(filter).slice(0, 100)} was read`);
}

describe('a filter in CQL2 text', () => {
  const filters: readonly (readonly [text: string, isTrue: boolean])[] = [
    [`name = 'Жайылым 7'`, true],
    [`"name" <> 'It''s'`, true],
    [`name < 'Жайылым 8' AND name >= 'Ж'`, true],
    ['size = 10', true],
    ['large = 9007199254740993', true],
    ['large in (9007199254740992, 9007199254740994)', false],
    ['large between 9007199254740993 and 9007199254740993 and large > 9.007199254740992e15', true],
    [`day = DATE('2024-06-01') and day < TIMESTAMP('2024-06-01T00:00:01Z')`, true],
    [`day > TIMESTAMP('2024-05-31T23:59:59Z') and not day like '2023%'`, true],
    [`t_intersects(day, INTERVAL('2024-06-01','..'))`, true],
    ["name = 'Жайылым 7' and parts = 'й'", true],
    ["parts like 'й'", true],
    ['size>=-1.5e1 and size<.5E+2', true],
    ['10 < size', false],
    ['10 <= size', true],
    ['size BETWEEN 9 AND 11', true],
    ['size not between 9 and 11', false],
    ['size in (1, 2, 10)', true],
    [`name NOT IN ('a','b')`, true],
    [`name LIKE 'Жайыл%7'`, true],
    [`name like '_айылым _'`, true],
    [`name not like '%8'`, true],
    ['proj:code IS NULL', true],
    ['size is not null', true],
    [`proj:code = 'EPSG:4326'`, false],
    [`NOT (proj:code = 'EPSG:4326')`, false],
    [`proj:code = 'x' OR size = 10`, true],
    ['done = true', true],
    ['not done = true', false],
    ['true', true],
    ['size = 1 or size = 10 and done = true', true],
    ['(size = 1 or size = 10) and done = false', false],
    [`datetime > TIMESTAMP('2024-06-01T11:59:59Z')`, true],
    [`datetime >= DATE('2024-06-02')`, false],
    [`datetime = '2024-06-01T17:00:00+05:00'`, true],
    [`T_INTERSECTS(datetime, INTERVAL('2024-01-01', '..'))`, true],
    [`t_intersects(datetime, DATE('2024-06-01'))`, true],
    [`T_INTERSECTS(datetime, INTERVAL('..', '2024-05-31'))`, false],
    ['S_INTERSECTS(geometry, BBOX(69, 44, 80, 50))', true],
    ['S_INTERSECTS(geometry, BBOX(170, 44, -170, 50))', false],
    ['s_intersects(POINT(65 42), geometry)', true],
    ['S_INTERSECTS(geometry, POLYGON((71 40, 75 40, 71 44, 71 40)))', false],
    ['S_INTERSECTS(geometry, MULTIPOLYGON(((71 40,75 40,71 44,71 40)),((69 44,80 44,80 50,69 44))))', true],
    ['S_INTERSECTS(geometry, LINESTRING(50 42, 80 42))', true],
    ['S_INTERSECTS(geometry, MULTIPOINT((1 1), (65 42)))', true],
    ['S_INTERSECTS(geometry, MULTIPOINT(1 1, 65 42))', true],
  ];
  for (const [text, expected] of filters)
    test(`${text}: ${expected}`, () => assert.equal(isTrue(text), expected));

  test('is refused with the place or the reason', () => {
    const faults: readonly (readonly [text: string, fault: RegExp])[] = [
      ['', /at character 1$/],
      ['size =', /at character 7$/],
      ['size = 1 size = 2', /at character 10$/],
      ['size = 1)', /at character 9$/],
      ['(size = 1', /at character 10$/],
      [`name = 'open`, /at character 8$/],
      ['size', /at character 5$/],
      ['size == 1', /at character 7$/],
      ['size = 1; drop table datasets', /at character 9$/],
      ['size between 1 or 2', /at character 16$/],
      ['size in ()', /at character 10$/],
      ['weight = 1', /weight, which is not a queryable/],
      ['constructor = 1', /constructor, which is not a queryable/],
      ['size = size', /must compare size with a number/],
      [`size = '10'`, /must compare size with a number/],
      ['done > true', /must compare done with true or false/],
      [`datetime > 'yesterday'`, /must compare datetime with a time/],
      [`size like '1%'`, /LIKE/],
      [`CASEI(name) = 'x'`, /CASEI, which is not supported/],
      ['1 = 1', /must have a property in each =/],
      ['S_INTERSECTS(size, POINT(1 2))', /must compare size with/],
      ['S_INTERSECTS(geometry, POLYGON((1 2, 3 4)))', /geometry or a box/],
      ['S_INTERSECTS(geometry, BBOX(1,2,3))', /geometry or a box/],
      ['S_INTERSECTS(geometry, POINT(1 2 3 4))', /at character/],
      [`T_INTERSECTS(datetime, INTERVAL('2025-01-01','2024-01-01'))`, /must compare datetime/],
    ];
    for (const [text, fault] of faults) assert.match(faultOf(text), fault, text);
  });
});

describe('a filter in CQL2 JSON', () => {
  test('is the same as in text', () => {
    const property = { property: 'size' };
    const filter = {
      op: 'and',
      args: [
        { op: 'between', args: [property, 1, 20] },
        { op: 'not', args: [{ op: 'in', args: [property, [1, 2]] }] },
        { op: '>', args: [20, property] },
        { op: 'isNull', args: [{ property: 'proj:code' }] },
        { op: 's_intersects', args: [{ property: 'geometry' }, { bbox: [60, 40, 61, 41] }] },
        { op: 's_intersects', args: [{ property: 'geometry' }, { type: 'Point', coordinates: [61, 41] }] },
        {
          op: 't_intersects',
          args: [{ property: 'datetime' }, { interval: ['2024-01-01T00:00:00Z', '..'] }],
        },
        { op: 'like', args: [{ property: 'name' }, '%7'] },
      ],
    };
    assert.equal(isTrue(filter, 'cql2-json'), true);
    assert.equal(isTrue(JSON.stringify(filter), 'cql2-json'), true);
  });

  test('is refused with the reason', () => {
    const faults: readonly (readonly [filter: unknown, fault: RegExp])[] = [
      ['{', /must be CQL2 JSON/],
      [7, /must be CQL2 JSON/],
      [{ op: '=', args: 1 }, /must be CQL2 JSON/],
      [{ op: '__proto__', args: [] }, /not supported/],
      [{ op: 'casei', args: [] }, /casei, which is not supported/],
      [{ op: '=', args: [{ property: 'size' }] }, /wrong number of arguments/],
      [{ op: 'and', args: [] }, /wrong number of arguments/],
      [{ op: '=', args: [{ property: 'size' }, { nested: 1 }] }, /must compare size/],
      [{ op: '=', args: [{ property: 'name' }, 'a\u0000'] }, /must compare name/],
      [{ op: 's_intersects', args: [{ property: 'geometry' }, { bbox: [1, 9, 2, 3] }] }, /geometry or a box/],
    ];
    for (const [filter, fault] of faults) assert.match(faultOf(filter, 'cql2-json'), fault);
  });
});

describe('a hostile filter', () => {
  test('is bounded in length, parts and depth', () => {
    assert.match(faultOf(`name = '${'x'.repeat(8192)}'`), /at most 8192 characters/);
    assert.match(faultOf(Array.from({ length: 300 }, () => 'size=1').join(' or ')), /at most 200 operations/);
    assert.match(faultOf(`size in (${'1,'.repeat(300)}1)`), /at most 200 operations/);
    assert.match(faultOf(`S_INTERSECTS(geometry, LINESTRING(${'1 2,'.repeat(300)}1 2))`), /at most 200 /);
    assert.match(faultOf(`${'('.repeat(4000)}size = 1`), /at most 16 nested operations/);
    assert.match(faultOf(`${'not '.repeat(2000)}size = 1`), /at most 16 nested operations/);
    let deep: unknown = { op: '=', args: [{ property: 'size' }, 1] };
    for (let level = 0; level < 60; level += 1) deep = { op: 'not', args: [deep] };
    assert.match(faultOf(deep, 'cql2-json'), /at most 16 nested operations/);
    assert.match(faultOf('['.repeat(8000), 'cql2-json'), /must be CQL2 JSON/);
  });

  test('with a pattern of many wildcards ends soon', () => {
    const pattern = `${'%a'.repeat(120)}%b`;
    assert.equal(isLike('a'.repeat(20_000), pattern), false);
    assert.equal(isLike('50 %', String.raw`50 \%`), true);
    assert.equal(isLike('500', String.raw`50\%`), false);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cells, isContested, noCell, notAllocableCell } from '../../../../common/landscape/cells.ts';
import { createStabilityOf } from '../../../../common/landscape/stability.ts';
import { codeOfCell, type ZoningCase, zoneOfCell } from '../../../../common/landscape/zoning.ts';
import { classColoursOf, shownColour } from '../../map/layers/class-colours.ts';
import { neutralColour, type Drawing, drawingsOf, judgeBy, keyOfSet, pairsOf, type View } from './model.ts';

const run: ZoningCase = {
  v1_min_s_e12: 3,
  v1_min_s_e3: 4,
  v2_min_s_e3: 3,
  v2_min_s_e4: 5,
  tie_priority: [1, 2, 3, 4, 5],
};
const strict = { ...run, v1_min_s_e3: 5 };
const cropFirst = { ...run, tie_priority: [3, 1, 2, 4, 5] };

/** The number of each cell as its hectares: no two are the same. */
const ha = cells.map((_, index) => index + 1);
const sum = (isOf: (index: number) => boolean) =>
  ha.reduce((total, hectares, index) => total + (isOf(index) ? hectares : 0), 0);
const land = { area_ha: sum(() => true) + 30, not_allocable_ha: 20, no_data_ha: 10, ha };

test('with the settings of the run nothing changes, and all land has a zone', () => {
  const judged = judgeBy(cells, run, run)(land);
  assert.equal(judged.changed, 0);
  assert.deepEqual(judged.before, judged.after);
  assert.equal(judged.mapped, land.area_ha);
  assert.equal(
    judged.zones.reduce((total, hectares) => total + hectares, 0),
    judged.zoned,
  );
});

test('a moved threshold moves the land of the cells whose zone it changes, and a unit lies partly outside the grid', () => {
  const judge = judgeBy(cells, run, strict);
  const judged = judge(land);
  const isMoved = (index: number) => {
    const cell = cells[index];
    return cell !== undefined && cell.e === 3 && cell.s === 4;
  };
  assert.equal(judged.changed, sum(isMoved));
  assert.equal((judged.zonesBefore[0] ?? 0) - (judged.zones[0] ?? 0), judged.changed);
  assert.equal((judged.zones[1] ?? 0) - (judged.zonesBefore[1] ?? 0), judged.changed);
  const zoneAt = (index: number) => (cells[index] === undefined ? 0 : zoneOfCell(cells[index], strict));
  for (const zone of [1, 2, 3])
    assert.equal(
      judged.zones[zone - 1],
      sum((index) => zoneAt(index) === zone),
    );
  const unit = {
    kato: '111000000',
    name: 'Кокшетау',
    name_kk: null,
    name_en: null,
    level: 'district',
    outside_raster_ha: 400,
    ...land,
    area_ha: land.area_ha + 400,
    zones: [0, 0, 0],
    functional: [],
  } as const;
  assert.equal(judge(unit, unit).mapped, land.area_ha);
});

test('another order moves contested land alone, and no land between zones', () => {
  const judged = judgeBy(cells, run, cropFirst)(land);
  assert.deepEqual(judged.zones, judged.zonesBefore);
  const isMoved = (index: number) => {
    const cell = cells[index];
    return cell !== undefined && codeOfCell(cell, run) !== codeOfCell(cell, cropFirst);
  };
  assert.ok(judged.changed > 0);
  assert.equal(judged.changed, sum(isMoved));
  assert.equal(
    judged.contested,
    sum((index) => cells[index] !== undefined && isContested(cells[index])),
  );
});

test('the table of suitability and sensitivity has all land once', () => {
  const hectares = pairsOf(cells, land);
  let total = 0;
  for (const s of [1, 2, 3, 4, 5]) for (const e of [1, 2, 3, 4, 5]) total += hectares(s, e);
  assert.equal(
    total,
    sum(() => true),
  );
  assert.equal(
    hectares(4, 3),
    sum((index) => cells[index]?.s === 4 && cells[index].e === 3),
  );
});

const colours = new Map([
  ...[11, 12, 13, 14, 15, 21, 22, 23, 24, 25, 31, 32].map(
    (code) => [code, `#0000${code.toString(16).padStart(2, '0')}`] as const,
  ),
  [40, '#636363'] as const,
]);
const legend = [1, 2, 3, 4].map((value) => ({ value, title: '', color: `#00000${value}`, ha: 0 }));
const sets = [
  { sectors: [2, 3], title: '', color: '#000023', ha: 1 },
  { sectors: null, title: '', color: '#0000ff', ha: 1 },
];

function drawn(view: View, more: { onlyCode?: number; onlySet?: string; isHatched?: boolean } = {}) {
  const { onlyCode, onlySet, isHatched = false } = more;
  return drawingsOf(view, { run, shown: strict, colours, onlyCode, onlySet, isHatched, sets, legend });
}

/** Asserts how each cell is drawn. */
function eachCell(view: View, expected: (cell: (typeof cells)[number]) => Drawing, more = {}) {
  const draw = drawn(view, more);
  for (const [index, cell] of cells.entries())
    assert.deepEqual(draw(index + 1), expected(cell), JSON.stringify(cell));
}

const colourOf = (code: number) => colours.get(code) ?? '';

test('the zoning has the colours of the legend, one class alone, and stripes where the order has chosen', () => {
  const plain = { isPale: false, isHatched: false };
  eachCell('zones', (cell) => ({ ...plain, color: colourOf(codeOfCell(cell, strict)) }));
  eachCell(
    'zones',
    (cell) => {
      const code = codeOfCell(cell, strict);
      return { ...plain, color: colourOf(code), isPale: code !== 13 };
    },
    { onlyCode: 13 },
  );
  eachCell(
    'zones',
    (cell) => {
      const code = codeOfCell(cell, strict);
      return { ...plain, color: colourOf(code), isHatched: isContested(cell) && code < 30 };
    },
    { isHatched: true },
  );
  assert.equal(drawn('zones')(noCell), undefined);
  assert.deepEqual(drawn('zones')(notAllocableCell), { color: '#636363', isPale: false });
  assert.deepEqual(drawn('zones', { onlyCode: 11 })(notAllocableCell), { color: '#636363', isPale: true });
});

test('what changes, contested land and stability are told from the rest', () => {
  eachCell('changed', (cell) => {
    const after = codeOfCell(cell, strict);
    return { color: after === codeOfCell(cell, run) ? neutralColour : colourOf(after) };
  });
  const isSnowAndCrop = (mask: number) => mask === 0b00110;
  eachCell('contested', (cell) =>
    isContested(cell)
      ? { color: isSnowAndCrop(cell.mask) ? '#000023' : '#0000ff', isPale: false }
      : { color: neutralColour },
  );
  eachCell(
    'contested',
    (cell) =>
      isContested(cell)
        ? { color: isSnowAndCrop(cell.mask) ? '#000023' : '#0000ff', isPale: !isSnowAndCrop(cell.mask) }
        : { color: neutralColour },
    { onlySet: keyOfSet([3, 2]) },
  );
  const stabilityOf = createStabilityOf(strict);
  eachCell('stability', (cell) => ({ color: `#00000${stabilityOf(cell)}` }));
  for (const view of ['changed', 'contested', 'stability'] as const) {
    assert.deepEqual(drawn(view)(notAllocableCell), { color: neutralColour });
    assert.equal(drawn(view)(noCell), undefined);
  }
});

test('colours become pixels: paler ones lie near to paper, and stripes of a hatched class are darker', () => {
  const drawings = [
    undefined,
    { color: '#204060' },
    { color: '#204060', isPale: true },
    { color: '#204060', isHatched: true },
  ];
  const { fill, stripes } = classColoursOf(3, (number) => drawings[number]);
  assert.deepEqual([fill[0], stripes[0], fill[4], fill[65_535]], [0, 0, 0, 0]);
  const bytesOf = (pixel: number | undefined) => [...new Uint8Array(Uint32Array.of(pixel ?? 0).buffer)];
  assert.deepEqual(bytesOf(fill[1]), [32, 64, 96, 255]);
  assert.equal(stripes[1], fill[1]);
  assert.ok(
    bytesOf(fill[2])
      .slice(0, 3)
      .every((part) => part > 190),
  );
  assert.deepEqual(bytesOf(fill[2]), [...shownColour({ color: '#204060', isPale: true })]);
  assert.equal(fill[3], fill[1]);
  assert.notEqual(stripes[3], fill[3]);
});

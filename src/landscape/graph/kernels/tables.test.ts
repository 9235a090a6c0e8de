import assert from 'node:assert/strict';
import { test } from 'node:test';
import cases from '../../../../test/fixtures/landscape/cases.json' with { type: 'json' };
import tables from '../../../../test/fixtures/landscape/tables.json' with { type: 'json' };
import { type Lookup, rate, type RatingTable } from '../../model/rating.ts';
import { landCoverLookups, textureLookups, ratings } from './lookups.ts';

const byName: Readonly<Record<string, RatingTable>> = ratings;

test('rating tables are those of the design', () => {
  assert.equal(Object.keys(ratings).length, 23);
  const found = Object.entries(ratings).map(([name, { breaks, values }]) => [
    name,
    { breaks: [...breaks], values: [...values] },
  ]);
  const wanted = Object.entries(tables.rating).map(([name, { breaks, values }]) => [
    name,
    { breaks: breaks.map(Math.fround), values },
  ]);
  assert.deepEqual(Object.fromEntries(found), Object.fromEntries(wanted));
});

for (const [name, boundaries] of Object.entries(cases.rating_boundaries)) {
  test(`breaks of "${name}" belong to the interval above them`, () => {
    const table = byName[name];
    assert.ok(table);
    assert.equal(boundaries.length, 2 * table.breaks.length);
    const found = boundaries.map(([x = NaN]) => [x, rate(table, x)]);
    assert.deepEqual(found, boundaries);
  });
}

test('what is above the last break, and what is below the first, has a value', () => {
  assert.equal(rate(ratings['tourism-relief'], Infinity), 3);
  assert.equal(rate(ratings['tourism-relief'], -Infinity), 1);
});

test('a number reaches a break when both are the same float32', () => {
  assert.ok(Math.fround(0.35) < 0.35 && Math.fround(0.1) > 0.1);
  assert.equal(rate(ratings['medalus-aridity'], Math.fround(350 / 1000)), 1.35);
  assert.equal(rate(ratings['medalus-aridity'], 100 / 1000), 1.55);
});

test('lookups by texture are those of the design', () => {
  assert.deepEqual(entriesOf(textureLookups.medalus), tables.texture_medalus);
  assert.deepEqual(entriesOf(textureLookups.irrigation), tables.texture_irrigation);
  assert.deepEqual(entriesOf(textureLookups.crop), tables.texture_crop);
  assert.deepEqual(
    columnsOf([textureLookups.erodibilityLowOrganic, textureLookups.erodibilityOrganic]),
    tables.texture_k_us_om_lt2_ge2,
  );
});

test('lookups by land cover are those of the design', () => {
  const { fireRisk, erosionProtection, droughtResistance, ...sectors } = landCoverLookups;
  assert.deepEqual(
    columnsOf([fireRisk, erosionProtection, droughtResistance]),
    tables.vegetation_fire_erosion_drought,
  );
  const { irrigation, snow, crop, pasture, tourism } = sectors;
  assert.deepEqual(
    columnsOf([irrigation, snow, crop, pasture, tourism]),
    tables.land_cover_irrigation_snow_crop_pasture_tourism,
  );
});

/** Classes with a value, and that value. */
function entriesOf(lookup: Lookup): Record<string, number> {
  return Object.fromEntries([...lookup.entries()].filter(([, value]) => value !== 0));
}

function columnsOf(lookups: readonly [Lookup, ...Lookup[]]): Record<string, number[]> {
  const classes = Object.keys(entriesOf(lookups[0])).map(Number);
  return Object.fromEntries(classes.map((each) => [each, lookups.map((lookup) => lookup[each] ?? 0)]));
}

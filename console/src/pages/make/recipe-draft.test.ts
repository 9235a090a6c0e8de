import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Draft, emptyDraft, methodsOf, recipeOf, renewed } from './recipe-draft.ts';

const draftOf = (draft: Partial<Draft> & Pick<Draft, 'method'>): Draft => ({ ...emptyDraft, ...draft });

test('a recipe for an attribute has a row for each value that was chosen, none on purpose included', () => {
  const draft = draftOf({ method: 'rasterize', vector: 'v', attribute: 'soil' });
  assert.equal(recipeOf(draft), undefined);
  const chosen = new Map([
    ['clay', '1'],
    ['water', ''],
  ]);
  assert.deepEqual(recipeOf({ ...draft, chosen }), {
    method: 'rasterize',
    dataset_id: 'v',
    attribute: 'soil',
    rule: 'majority',
    table: [
      { value: 'clay', number: 1 },
      { value: 'water', number: null },
    ],
    unmapped: 'refuse',
    min_coverage: 0.5,
  });
  assert.equal(recipeOf({ ...draft, chosen, minCoverage: '101' }), undefined);
  assert.equal(recipeOf({ ...draft, chosen: new Map([['clay', 'x']]) }), undefined);
  assert.deepEqual(recipeOf({ ...draft, chosen, takesNumbers: true }), {
    method: 'rasterize',
    dataset_id: 'v',
    attribute: 'soil',
    rule: 'majority',
    min_coverage: 0.5,
  });
});

test('numbers are typed with a comma or a point, and a limit in kilometres', () => {
  const distance = draftOf({ method: 'distance', vector: 'v', limit: '2,5' });
  assert.deepEqual(recipeOf(distance), {
    method: 'distance',
    dataset_id: 'v',
    measure: 'geodesic',
    limit_m: 2500,
    beyond: 'no_data',
    where: null,
  });
  assert.equal(recipeOf({ ...distance, limit: '-1' }), undefined);
  const sum = draftOf({ method: 'arithmetic', rasters: ['a'], scale: '0,1', offset: '1.5', byDays: true });
  assert.deepEqual(recipeOf(sum), {
    method: 'arithmetic',
    dataset_ids: ['a'],
    combine: 'mean',
    weights: 'days',
    scale: 0.1,
    offset: 1.5,
    conversion: null,
    above: null,
  });
  assert.deepEqual(recipeOf({ ...sum, combine: 'maximum', above: '10' }), {
    ...recipeOf(sum),
    combine: 'maximum',
    weights: 'equal',
    above: 10,
  });
  assert.equal(recipeOf({ ...sum, scale: 'x' }), undefined);
});

test('a recipe has a grid, a name and a period if they are given, and the features that were chosen', () => {
  const draft = draftOf({ method: 'distance', vector: 'v', filterBy: 'kind' });
  assert.equal(recipeOf(draft), undefined, 'no value of the attribute is chosen');
  const own = { grid: 'g', name: ' Roads ', start: '2026-01-01', end: '2026-12-31' };
  assert.deepEqual(recipeOf({ ...draft, ...own, filterValues: ['road'], measure: 'grid' }), {
    method: 'distance',
    dataset_id: 'v',
    measure: 'grid',
    limit_m: null,
    beyond: 'no_data',
    where: { attribute: 'kind', values: ['road'] },
    grid: 'g',
    name: 'Roads',
    start_date: '2026-01-01',
    end_date: '2026-12-31',
  });
});

test('a recipe is repeated with the fresher datasets of its sources', () => {
  const newer = {
    id: 'new',
    category_id: 'c',
    dg_id: null,
    start_date: null,
    end_date: null,
    description: null,
    unit: null,
    name: 'n',
    file_type: 'raster',
    size_bytes: 1,
    status: 'ready',
    created_at: '',
    updated_at: '',
  } as const;
  const source = { name: 'n', role: 'raster', storage_key: 'k' } as const;
  const recipe = {
    method: 'mosaic',
    dataset_ids: ['old', 'other'],
    rule: 'first',
    grid: 'first',
    start_date: null,
    end_date: null,
  } as const;
  const sources = [
    { ...source, dataset_id: 'old', newer },
    { ...source, dataset_id: 'other', newer: null },
  ];
  assert.deepEqual(renewed({ recipe, sources }), { ...recipe, dataset_ids: ['new', 'other'] });
});

test('the usual method of a slot comes first', () => {
  assert.deepEqual(methodsOf({ kind: 'classes', group: 'landscape-in-soil-texture' }), [
    'rasterize',
    'mosaic',
  ]);
  assert.equal(methodsOf({ kind: 'numbers', group: 'landscape-in-distance-road' })[0], 'distance');
  assert.equal(methodsOf({ kind: 'numbers', group: 'landscape-in-dem' })[0], 'mosaic');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formsOf, partsToLookFor } from './text-search.ts';

test('a text is looked for by the ends of its words, and a short one with what stands before it', () => {
  assert.deepEqual(partsToLookFor('Жайылым 7777'), ['Жай', 'лым', '777']);
  assert.deepEqual(partsToLookFor('Осадки за 77'), ['Оса', 'дки', ' за', ' 77']);
  assert.deepEqual(partsToLookFor('layer_77777.gpkg'), ['lay', 'yer', '777', 'gpk', 'pkg']);
});

test('a short text is looked for as a whole, and a long one by few parts', () => {
  for (const text of ['', '%', 'слой', 'ДЕМ 7', '_a_b_']) assert.deepEqual(partsToLookFor(text), [], text);
  const long = Array.from({ length: 50 }, (_, number) => `слово${number + 100}`).join(' ');
  assert.deepEqual(partsToLookFor(long), ['сло', '100', '101', '102', '146', '147', '148', '149']);
});

test('a text is looked for with whole letters and with their parts, and once where both are the same', () => {
  const [whole, apart] = ['\u0439\u0451', '\u0438\u0306\u0435\u0308'];
  assert.deepEqual([...formsOf(whole)], [whole, apart]);
  assert.deepEqual([...formsOf(apart)], [apart, whole]);
  assert.deepEqual([...formsOf('Жер 7')], ['Жер 7']);
});

test('letters whose lower case depends on others are not taken out of their word', () => {
  assert.deepEqual(partsToLookFor('ΟΔΥΣΣΕΥΣ οδυσσευς'), []);
  assert.deepEqual(partsToLookFor('İSTANBUL haritası 2024'), ['202', '024']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Category } from '../../service/types.ts';
import { type Branch, treeOf, withoutBranch } from './category-tree.ts';

const now = '2026-01-01T00:00:00.000Z';
const category = (id: string, parent_id: string | null, name: string): Category => ({
  id,
  parent_id,
  name,
  code: id,
  description: '',
  created_at: now,
  updated_at: now,
});
const drawn = (branches: readonly Branch[]): unknown[] =>
  branches.map(({ category: { name }, branches: below }) => [name, ...drawn(below)]);

test('categories hang below their parents, by name', () => {
  const list = [
    category('c', 'a', 'Я'),
    category('a', null, 'Почвы'),
    category('b', 'a', 'А'),
    category('d', null, 'Вода'),
  ];
  assert.deepEqual(drawn(treeOf(list)), [['Вода'], ['Почвы', ['А'], ['Я']]]);
});

test('one whose parent is not there is a root', () => {
  assert.deepEqual(drawn(treeOf([category('a', 'gone', 'Рельеф')])), [['Рельеф']]);
});

test('what lies below a category cannot hold it', () => {
  const list = [
    category('c', 'b', 'В'),
    category('b', 'a', 'Б'),
    category('a', null, 'А'),
    category('d', null, 'Г'),
  ];
  assert.deepEqual(
    withoutBranch(list, 'a').map(({ id }) => id),
    ['d'],
  );
  assert.deepEqual(
    withoutBranch(list, 'c').map(({ id }) => id),
    ['b', 'a', 'd'],
  );
});

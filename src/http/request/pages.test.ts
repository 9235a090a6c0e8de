import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { BooleanText } from '../../validation/fields.ts';
import { pageQuery } from './pages.ts';

describe('a page number', () => {
  const Query = z.object(pageQuery);
  test('is written in decimal digits', () => {
    for (const page of ['0', '-1', '1.0', '1e3', '0x10', ' 1', '+1', '١', '', ['1', '2']]) {
      assert.equal(Query.safeParse({ page }).success, false, JSON.stringify(page));
    }
    assert.deepEqual(Query.parse({ page: '7' }), { page: 7, page_size: 20 });
    assert.deepEqual(Query.parse({}), { page: 1, page_size: 20 });
  });

  test('may be as large as a number holds exactly, the size of a page may not', () => {
    assert.equal(Query.parse({ page: '9007199254740991' }).page, Number.MAX_SAFE_INTEGER);
    assert.equal(Query.safeParse({ page: '9007199254740992' }).success, false);
    assert.equal(Query.safeParse({ page_size: '101' }).success, false);
    assert.equal(Query.parse({ page_size: '100' }).page_size, 100);
  });
});

test('a boolean parameter is true or false and nothing else', () => {
  assert.equal(BooleanText.parse('true'), true);
  assert.equal(BooleanText.parse('false'), false);
  for (const text of ['on', '1', 'yes', 'TRUE', '', ['true', 'true']]) {
    assert.equal(BooleanText.safeParse(text).success, false);
  }
});

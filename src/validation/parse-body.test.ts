import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { Problem } from '../lib/errors.ts';
import { parseBody } from './parse-body.ts';

const Body = z.object({
  name: z.string(),
  params: z.object({ size: z.number() }).optional(),
  items: z.array(z.object({ id: z.guid() })).optional(),
});

function fieldsOf(body: unknown) {
  try {
    parseBody(Body, body);
  } catch (error) {
    if (error instanceof Problem) return Object.keys(error.fields ?? {});
    throw error;
  }
  return [];
}

describe('a JSON body', () => {
  test('has all its failing fields named at once, with dots and indexes', () => {
    const body = { params: { size: 'x' }, items: [{ id: crypto.randomUUID() }, { id: '1' }, {}] };
    assert.deepEqual(fieldsOf(body), ['name', 'params.size', 'items.1.id', 'items.2.id']);
  });

  test('has a wrong container named by its own name', () => {
    assert.deepEqual(fieldsOf({ name: 'x', params: [], items: {} }), ['params', 'items']);
  });

  test('loses what is not known', () => {
    const parsed = parseBody(Body, JSON.parse('{"name":"x","other":1,"__proto__":{"polluted":1}}'));
    assert.deepEqual(parsed, { name: 'x' });
    assert.equal('polluted' in {}, false);
  });
});

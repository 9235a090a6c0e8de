import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { Message } from '../lib/message.ts';
import { issueMessage, unlessMissing, validationMessages } from './validation-messages.ts';

const Stage = z.int().min(0).max(3);
const Status = z.enum(['pending', 'ready']);

/** Refused values with their schemas and messages. */
const refusals: readonly (readonly [schema: z.ZodType, value: unknown, message: string])[] = [
  [z.string(), undefined, 'is required'],
  [Status, undefined, 'is required'],
  [z.string(), 7, 'must be text'],
  [z.string(), null, 'must be text'],
  [z.boolean(), 'x', 'must be true or false'],
  [z.array(z.string()), {}, 'must be a list'],
  [z.object({}), [], 'must be an object'],
  [z.record(z.string(), z.string()), 'x', 'must be an object'],
  [z.date(), 'x', 'is of the wrong type'],
  [z.number(), 'x', 'must be a number'],
  [z.int(), 'x', 'must be a whole number'],
  [z.int(), 1e300, 'must be a whole number'],
  [z.int().min(1), 0.5, 'must be a whole number of 1 or more'],
  [z.number().max(9), 10, 'must be a number of 9 or less'],
  [Stage, 4, 'must be a whole number from 0 to 3'],
  [Stage, -1, 'must be a whole number from 0 to 3'],
  [Stage, 1.5, 'must be a whole number from 0 to 3'],
  [Stage, 'x', 'must be a whole number from 0 to 3'],
  [z.coerce.number().int().min(1).max(9), 'abc', 'must be a whole number from 1 to 9'],
  [z.number().multipleOf(5), 7, 'must be a multiple of 5'],
  [Status, 'READY', 'must be one of pending, ready'],
  [z.literal('Feature'), 'x', 'must be Feature'],
  [z.string().max(1), 'ab', 'must have at most 1 character'],
  [z.string().min(2), 'a', 'must have at least 2 characters'],
  [z.array(z.int()).length(5), [1], 'must have exactly 5 items'],
  [z.array(z.int()).max(1), [1, 2], 'must have at most 1 item'],
  [z.guid(), 'x', 'must be a uuid'],
  [z.iso.date(), '2024-02-30', 'must be a calendar date written YYYY-MM-DD'],
  [z.iso.datetime(), 'x', 'must be a time written YYYY-MM-DDThh:mm:ssZ'],
  [z.url(), 'x', 'must be a URL with its scheme in front, such as https://maps.example'],
  [z.string().regex(/^a$/), 'b', 'does not have the required format'],
  [z.strictObject({}), { b: 1 }, 'must not have b'],
  [z.union([z.string(), z.boolean()]), 7, 'is not one of the allowed values'],
];

function firstMessage(schema: z.ZodType, value: unknown): string | undefined {
  const issue = schema.safeParse(value, validationMessages).error?.issues[0];
  return issue && issueMessage(issue).english;
}

describe('a value that is refused', () => {
  for (const [schema, value, message] of refusals) {
    test(`${JSON.stringify(value)} ${message}`, () => {
      const issues = schema.safeParse(value, validationMessages).error?.issues ?? [];
      const texts = issues.map((issue) => issueMessage(issue).english);
      assert.equal(texts[0], message);
      for (const text of texts) assert.doesNotMatch(text, /Invalid|expected|Too/);
    });
  }

  test('keeps the sentence that its schema has for it, but not for what is missing', () => {
    const Id = z.guid({ error: unlessMissing(new Message('must be a uuid')) });
    const messages = [7, 'x', null, undefined].map((value) => firstMessage(Id, value));
    assert.deepEqual(messages, ['must be a uuid', 'must be a uuid', 'must be a uuid', 'is required']);
    const Even = z.int().refine((value) => value % 2 === 0, { error: 'must be even' });
    assert.equal(firstMessage(Even, 3), 'must be even');
  });
});

import assert from 'node:assert/strict';
import type { Answer } from '../client.ts';

type Said = Pick<Answer, 'headers' | 'text'>;

/** The body is `{error}` and nothing else; gives what it says. */
export function assertError({ headers, text }: Said, because = ''): string {
  assert.match(headers.get('content-type') ?? '', /^application\/json\b/, because);
  const body: Readonly<Record<string, unknown>> = JSON.parse(text);
  assert.deepEqual(Object.keys(body), ['error'], `${because} ${text}`);
  const { error } = body;
  assert.ok(typeof error === 'string' && error !== '', `${because} ${text}`);
  return error;
}

/** The body is `{errors}` with a message for each of exactly these fields; gives the messages. */
export function assertFields(
  { headers, text }: Said,
  fields: readonly string[],
  because = '',
): Readonly<Record<string, string>> {
  assert.match(headers.get('content-type') ?? '', /^application\/json\b/, because);
  const body: Readonly<Record<string, unknown>> = JSON.parse(text);
  assert.deepEqual(Object.keys(body), ['errors'], `${because} ${text}`);
  const messages: Readonly<Record<string, string>> = Object(body['errors']);
  assert.deepEqual(Object.keys(messages).toSorted(), fields.toSorted(), `${because} ${text}`);
  for (const message of Object.values(messages)) {
    assert.ok(typeof message === 'string' && message !== '', `${because} ${text}`);
  }
  return messages;
}

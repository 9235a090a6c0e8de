import assert from 'node:assert/strict';
import type { Answer, Asked, Client } from '../client.ts';

/** Without `wait` a request is held for 25 seconds; no job takes this many requests. */
const mostTries = 12;

/** Repeats a request until the result of its job exists. */
export async function made(client: Client, path: string, method = 'GET', asked: Asked = {}): Promise<Answer> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const answer = await client.ask(method, path, asked);
    if (answer.status === 200) return answer;
    assert.equal(answer.status, 202, answer.text);
    assert.equal(answer.headers.get('retry-after'), '1');
  }
  throw new Error(`${path} is not made`);
}

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

export function assertNear(found: number, expected: number, tolerance = 1e-9): void {
  assert.ok(
    Math.abs(found - expected) <= tolerance * Math.max(1, Math.abs(expected)),
    `${found}, not ${expected}`,
  );
}

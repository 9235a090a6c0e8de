import assert from 'node:assert/strict';
import type { Answer } from '../client.ts';
import { assertFields } from './errors.ts';

/** Sends requests at once, and gives how many answers there are of each status. */
export async function statusesAtOnce(
  count: number,
  ask: (index: number) => Promise<Answer>,
): Promise<Readonly<Record<string, number>>> {
  const answers = await Promise.all(Array.from({ length: count }, async (_, index) => await ask(index)));
  const statuses = Object.groupBy(answers, ({ status }) => status);
  return Object.fromEntries(Object.entries(statuses).map(([status, all = []]) => [status, all.length]));
}

/** A deletion and another request at once: either the other is 422 on the field, or it is done and the deletion 409. */
export async function oneGivesWay(
  requests: readonly [deletion: Promise<Answer>, other: Promise<Answer>],
  done: 200 | 201,
  field: string,
): Promise<'deleted' | 'kept'> {
  const [deletion, other] = await Promise.all(requests);
  const outcome = `${deletion.status} ${other.status}`;
  assert.ok(['204 422', `409 ${done}`].includes(outcome), outcome);
  if (other.status === 422) assertFields(other, [field]);
  return other.status === 422 ? 'deleted' : 'kept';
}

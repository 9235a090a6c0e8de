import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../database/tables/tables.ts';
import type { Attempt, JobHandler } from './handler.ts';
import { createResultHandler, makerOf, resultOf, wantResult } from './result-kinds.ts';
import { Problem } from '../lib/errors.ts';
import { silentQueue } from '../../test/support/landscape/pretended-runs.ts';

export const mostWaiting = 3;
/** The name of the database sessions of a worker that makes toys. */
export const toyWorkerName = 'steppe-toys';

/** A kind of result with a text as its object, and a dataset with which it is deleted. */
export const toys = resultOf({
  name: 'toy',
  input: z.object({ text: z.string() }),
  content: z.object({ object_key: z.string() }),
  kept: sql`interval '30 days'`,
  waiting: { most: mostWaiting, refuse: () => new Problem('too_many', 'too many toys wait') },
  notNow: () => new Problem('conflict', 'no toy now'),
});

/** Steps of making a toy, at each of which its worker may die. */
export const steps = ['claimed', 'stored', 'published, not committed', 'committed'] as const;
type Step = (typeof steps)[number];

/** Creates the handler that makes toys. @param at is called at each step */
export function createToyHandler(
  db: Database,
  at: (step: Step, attempt: Attempt) => Promise<void>,
): JobHandler {
  const maker = makerOf(toys, async (attempt, { input: { text } }) => {
    await at('claimed', attempt);
    const object_key = await attempt.store('toy', '.txt', Readable.from([Buffer.from(text)]));
    await at('stored', attempt);
    return { object_key };
  });
  const { run, fail } = createResultHandler(db, [maker]);
  return {
    async run(attempt) {
      await run({
        ...attempt,
        publish: async (write) =>
          await attempt.publish(async (trx) => {
            await write(trx);
            await at('published, not committed', attempt);
          }),
      });
      await at('committed', attempt);
    },
    fail,
  };
}

/** Requests the toy of a dataset by its key. */
export const wantToy = async (db: Database, datasetId: string, key: string) =>
  await wantResult({ db, messageQueue: silentQueue }, toys, { key, input: { text: 'toy' }, datasetId });

import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../database/tables/tables.ts';
import type { Attempt, JobHandler } from './handler.ts';
import { publishResult, resultHandler, type ResultKind, want } from './results.ts';
import { Problem } from '../lib/errors.ts';
import { silentQueue } from '../../test/support/landscape/pretended-runs.ts';

export const mostWaiting = 3;

/** A kind of result with an object and a subject: a text in the table of atlases. */
export const toys = {
  job: 'make-atlas',
  table: 'sheet_atlases',
  content: z.object({ object_key: z.string() }),
  kept: sql`interval '30 days'`,
  waiting: { most: mostWaiting, refuse: () => new Problem('too_many', 'too many toys wait') },
  notNow: () => new Problem('conflict', 'no toy now'),
} as const satisfies ResultKind<z.ZodRawShape>;

/** The steps of making one, at each of which its worker may die. */
export const steps = ['claimed', 'stored', 'published, not committed', 'committed'] as const;
type Step = (typeof steps)[number];

/** Makes toys. @param at is called at each step */
export const createToyHandler = (at: (step: Step, attempt: Attempt) => Promise<void>): JobHandler =>
  resultHandler(toys, async (attempt) => {
    await at('claimed', attempt);
    const object_key = await attempt.store('toy', '.txt', Readable.from([Buffer.from('toy')]));
    await at('stored', attempt);
    await attempt.publish(async (trx) => {
      await publishResult(trx, toys.table, attempt.refId, { object_key });
      await at('published, not committed', attempt);
    });
    await at('committed', attempt);
  });

/** Asks for the toy of a dataset by its key. */
export const wantToy = async (db: Database, datasetId: string, key: string) =>
  await want({ db, messageQueue: silentQueue }, toys, key, {
    columns: { dataset_id: datasetId, wanted: '{}' },
    lock: async (trx) =>
      await trx.selectFrom('datasets').select('id').where('id', '=', datasetId).forKeyShare().execute(),
  });

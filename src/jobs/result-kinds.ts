import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { z } from 'zod';
import type { Database, Transaction } from '../database/tables/tables.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import type { Attempt, JobHandler } from './handler.ts';
import {
  discardResult,
  type MadeResult,
  type PendingResult,
  publishResult,
  resultHandler,
  type ResultKind,
  want,
} from './results.ts';

/** A kind of result in the table `results`, which needs no table, job kind or handler of its own. */
export interface NamedKind<Input, Shape extends z.ZodRawShape> extends ResultKind<Shape> {
  /** The stored name of the kind. */
  readonly name: string;
  readonly input: z.ZodType<Input>;
  readonly job: 'make-result';
  readonly table: 'results';
  readonly among: RawBuilder<SqlBool>;
}

/** Defines a kind of result in the table `results`, whose columns `content` (JSON text) and `object_key` it may use. */
export function resultOf<Input, Shape extends z.ZodRawShape>(
  kind: Omit<NamedKind<Input, Shape>, 'job' | 'table' | 'among'>,
): NamedKind<Input, Shape> {
  return { ...kind, job: 'make-result', table: 'results', among: sql<SqlBool>`kind = ${kind.name}` };
}

interface Wanted<Input> {
  /** A digest of everything that the result depends on, and of its kind: keys are unique over all kinds. */
  readonly key: string;
  readonly input: Input;
  /** The dataset with which the result is deleted. */
  readonly datasetId?: string;
}

/** Returns a result, or enqueues the job that makes it; see `want`. */
export async function wantResult<Input, Shape extends z.ZodRawShape>(
  dependencies: { readonly db: Database; readonly messageQueue: MessageQueue },
  kind: NamedKind<Input, Shape>,
  { key, input, datasetId }: Wanted<Input>,
): Promise<MadeResult<z.output<z.ZodObject<Shape>>> | PendingResult> {
  return await want(dependencies, kind, key, {
    columns: { kind: kind.name, input: JSON.stringify(input), dataset_id: datasetId ?? null },
    ...(datasetId !== undefined && {
      lock: async (trx) =>
        await trx.selectFrom('datasets').select('id').where('id', '=', datasetId).forKeyShare().execute(),
    }),
  });
}

/** The columns of a made result: at least one of them is set. */
interface Made {
  /** JSON text. */
  readonly content?: string;
  readonly object_key?: string;
  /** Writes in the transaction that publishes the result. */
  readonly alsoWrite?: (trx: Transaction) => Promise<void>;
  /** Runs after this transaction. It may be lost if the process dies. */
  readonly afterwards?: () => Promise<void>;
}

/** Makes the results of one kind. */
export interface ResultMaker {
  readonly kind: NamedKind<unknown, z.ZodRawShape>;
  /** @returns undefined if the input has changed since the request */
  readonly make: (
    attempt: Attempt,
    row: { readonly key: string; readonly input: unknown },
  ) => Promise<Made | undefined>;
}

/** Combines a kind with the function that makes its results, which may be interrupted anywhere and run again. */
export function makerOf<Input, Shape extends z.ZodRawShape>(
  kind: NamedKind<Input, Shape>,
  make: (attempt: Attempt, row: { readonly key: string; readonly input: Input }) => Promise<Made | undefined>,
): ResultMaker {
  return {
    kind,
    make: async (attempt, { key, input }) => await make(attempt, { key, input: kind.input.parse(input) }),
  };
}

/** Creates the handler of the jobs `make-result`, which make results of all these kinds. */
export const createResultHandler = (db: Database, makers: readonly ResultMaker[]): JobHandler =>
  resultHandler({ table: 'results' }, async (attempt) => {
    const row = await db
      .selectFrom('results')
      .select(['kind', 'key', 'input'])
      .where('id', '=', attempt.refId)
      .where('state', '=', 'pending')
      .executeTakeFirst();
    if (row === undefined) return; // deleted, or already made
    const maker = makers.find(({ kind }) => kind.name === row.kind);
    if (maker === undefined) throw new Error(`this release makes no results of the kind ${row.kind}`);
    const made = await maker.make(attempt, { key: row.key, input: JSON.parse(row.input) });
    if (made === undefined) return await discardResult(attempt, 'results');
    const { content = null, object_key = null } = made;
    await attempt.publish(async (trx) => {
      await made.alsoWrite?.(trx);
      await publishResult(trx, 'results', attempt.refId, { content, object_key });
    });
    await made.afterwards?.();
  });

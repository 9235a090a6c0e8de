import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { raisedLimits } from '../../database/transaction.ts';
import type { Cell } from '../../table/cells.ts';
import type { YearColumn } from '../../table/mapping-schema.ts';
import type { UnpivotedRow } from '../../table/unpivot.ts';
import { inSpan } from '../../tracing/tracing.ts';
import type { Attempt } from '../../jobs/handler.ts';
import { copiedColumnsOf, createObservationWriter } from './binary-copy.ts';

export interface ObservationSource {
  readonly mappingVersion: number;
  readonly yearColumns: readonly YearColumn[];
  readonly rows: AsyncIterable<readonly Cell[]>;
  /** Returns undefined for a row without a code. */
  unpivot(row: readonly Cell[], rowNumber: number): UnpivotedRow | undefined;
}

export interface CopiedObservations {
  readonly setId: number;
  /** Counts of rows; those without a code are skipped. */
  readonly rows: { readonly read: number; readonly skipped: number };
  /** Total length of all text values, in UTF-16 units. */
  readonly textCharacters: number;
}

/** Writes a new set of observations that no dataset refers to yet, in one transaction and constant memory. */
export async function copyObservations(
  pool: pg.Pool,
  attempt: Pick<Attempt, 'refId' | 'jobId' | 'number' | 'signal'>,
  source: ObservationSource,
): Promise<CopiedObservations> {
  return await inSpan(copySpan, async () => await copyInTransaction(pool, attempt, source));
}

const copySpan = {
  name: 'copy observations',
  kind: 'client',
  attributes: { 'db.system.name': 'postgresql', 'db.operation.name': 'copy' },
} as const;

async function copyInTransaction(
  pool: pg.Pool,
  attempt: Pick<Attempt, 'refId' | 'jobId' | 'number' | 'signal'>,
  source: ObservationSource,
): Promise<CopiedObservations> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(raisedLimits);
    const inserted = await client.query<{ id: number }>(
      'insert into observation_sets (dataset_id, job_id, attempt) values ($1, $2, $3) returning id',
      [attempt.refId, attempt.jobId, attempt.number],
    );
    const [set] = inserted.rows;
    if (set === undefined) throw new Error('an insert returned no row');
    const copy = client.query(
      copyFrom(`copy observations (${copiedColumnsOf(source.yearColumns)}) from stdin (format binary)`),
    );
    const counts = { read: 0, skipped: 0, textCharacters: 0 };
    const chunks = Readable.from(copyChunks(set.id, attempt.refId, counts, source));
    await pipeline(chunks, copy, { signal: attempt.signal }).catch((error: unknown) => {
      attempt.signal.throwIfAborted();
      throw chunks.errored ?? error; // the server only repeats that the copy failed
    });
    await client.query('commit');
    client.release();
    const { textCharacters, ...rows } = counts;
    return { setId: set.id, rows, textCharacters };
  } catch (error) {
    client.release(true); // closed, not reused: the server rolls back the transaction
    throw error;
  }
}

/** Yields the input of COPY, many observations per chunk, and counts rows and characters. */
async function* copyChunks(
  setId: number,
  datasetId: string,
  counts: { read: number; skipped: number; textCharacters: number },
  { rows, unpivot, ...source }: ObservationSource,
): AsyncGenerator<Buffer> {
  const writer = createObservationWriter({ setId, datasetId, ...source });
  for await (const cells of rows) {
    const rowNumber = counts.read;
    const row = unpivot(cells, rowNumber);
    counts.read += 1;
    if (row === undefined) {
      counts.skipped += 1;
      continue;
    }
    for (const reading of row.readings) {
      if (typeof reading === 'string') counts.textCharacters += reading.length;
    }
    yield* writer.write(row, rowNumber);
  }
  yield* writer.end();
}

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { KiB } from '../common/units.ts';
import type { Cell } from '../datasets/table/cells.ts';
import { createObservationIds, type UnpivotedValue } from '../datasets/table/unpivot.ts';
import type { Attempt } from '../jobs/handler.ts';

export interface ObservationSource {
  readonly mappingVersion: number;
  readonly rows: AsyncIterable<readonly Cell[]>;
  unpivot(row: readonly Cell[], rowNumber: number): UnpivotedValue[];
}

const batchCharacters = 64 * KiB;

export interface CopiedObservations {
  readonly setId: number;
  /** Counts of rows; those without a code are skipped. */
  readonly rows: { readonly read: number; readonly skipped: number };
  /** UTF-16 units of all values that are texts. */
  readonly textCharacters: number;
}

/** Writes a new set of observations that no dataset shows yet, in one transaction and constant memory. */
export async function copyObservations(
  pool: pg.Pool,
  attempt: Pick<Attempt, 'refId' | 'jobId' | 'number' | 'signal'>,
  source: ObservationSource,
): Promise<CopiedObservations> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const inserted = await client.query<{ id: number }>(
      'insert into observation_sets (dataset_id, job_id, attempt) values ($1, $2, $3) returning id',
      [attempt.refId, attempt.jobId, attempt.number],
    );
    const [set] = inserted.rows;
    if (set === undefined) throw new Error('an insert returned no row');
    const columns =
      'set_id, id, kato_code, start_date, end_date, value, value_text, mapping_order, row_number';
    const copy = client.query(copyFrom(`copy observations (${columns}) from stdin`));
    const counts = { read: 0, skipped: 0, textCharacters: 0 };
    const lines = Readable.from(copyText(set.id, attempt.refId, counts, source));
    await pipeline(lines, copy, { signal: attempt.signal }).catch((error: unknown) => {
      attempt.signal.throwIfAborted();
      throw lines.errored ?? error; // the server only repeats that the copy failed
    });
    await client.query('commit');
    client.release();
    const { textCharacters, ...rows } = counts;
    return { setId: set.id, rows, textCharacters };
  } catch (error) {
    client.release(true); // closed, not reused: the server rolls back what was begun
    throw error;
  }
}

/** Writes lines of PostgreSQL's text format for COPY, many to a chunk, and counts rows and characters. */
async function* copyText(
  setId: number,
  datasetId: string,
  counts: { read: number; skipped: number; textCharacters: number },
  source: ObservationSource,
): AsyncGenerator<Buffer> {
  const idOf = createObservationIds(datasetId, source.mappingVersion);
  let batch = '';
  for await (const row of source.rows) {
    const rowNumber = counts.read;
    const observations = source.unpivot(row, rowNumber);
    counts.read += 1;
    if (observations.length === 0) counts.skipped += 1;
    for (const found of observations) {
      counts.textCharacters += found.valueText?.length ?? 0;
      const fields = [
        setId,
        idOf(rowNumber, found.column),
        found.katoCode,
        found.startDate,
        found.endDate,
        found.value,
        found.valueText,
        found.mappingOrder,
        rowNumber,
      ];
      batch += `${fields.map(copyField).join('\t')}\n`;
      if (batch.length < batchCharacters) continue;
      yield Buffer.from(batch);
      batch = '';
    }
  }
  if (batch !== '') yield Buffer.from(batch);
}

function copyField(field: string | number | null): string {
  if (field === null) return '\\N';
  if (typeof field === 'number') return String(field);
  return field
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
}

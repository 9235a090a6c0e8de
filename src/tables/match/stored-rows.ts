import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Cell } from '../../table/cells.ts';
import { linesOf, openRows, readRows } from '../../table/rows.ts';
import type { AttributeTable } from '../../geo/engine.ts';
import type { Attempt } from '../../jobs/handler.ts';
import { ObjectMissing, type ObjectStore } from '../../object-store/object-store.ts';

/** First line of the object; the other lines are rows. */
const Head = z.object({ columns: z.array(z.string()).readonly(), rowCount: z.int() });

/** A table whose rows can be read once; disposal closes open files. */
export interface OpenTable extends AsyncDisposable {
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<readonly Cell[]>;
}

/** Opens the rows that the engine has just read. */
export function openReadRows(table: AttributeTable, signal: AbortSignal): OpenTable {
  const lines = linesOf(openRows(table.rowsPath, signal));
  return { columns: table.columns, rows: readRows(table, lines), [Symbol.asyncDispose]: endOf(lines) };
}

/**
 * Stores the rows that the engine has read, so that a mapping, possibly days later, need not read the file again.
 * @returns the key
 */
export async function storeRows(table: AttributeTable, attempt: Attempt): Promise<string> {
  const { columns, rowCount, rowsPath } = table;
  async function* content(): AsyncGenerator<string | Buffer> {
    yield `${JSON.stringify({ columns, rowCount } satisfies z.infer<typeof Head>)}\n`;
    yield* createReadStream(rowsPath);
  }
  return await attempt.store('rows', '.ndjson', Readable.from(content(), { objectMode: false }));
}

/** Opens stored rows; undefined if the store has lost them. */
export async function openStoredRows(objectStore: ObjectStore, key: string): Promise<OpenTable | undefined> {
  const object = await objectStore.read(key).catch((error: unknown) => {
    if (error instanceof ObjectMissing) return undefined;
    throw error;
  });
  if (object === undefined) return undefined;
  const lines = linesOf(object.setEncoding('utf8'));
  const head = await lines.next();
  const { columns, rowCount } = Head.parse(JSON.parse(head.done === true ? '' : head.value));
  return { columns, rows: readRows({ columns, rowCount }, lines), [Symbol.asyncDispose]: endOf(lines) };
}

function endOf(lines: AsyncGenerator<string>): () => Promise<void> {
  return async () => void (await lines.return(undefined));
}

/** Passes each row to `listener` while it is read. */
export async function* withListener<T>(
  rows: AsyncIterable<T>,
  listener: (row: T) => void,
): AsyncGenerator<T> {
  for await (const row of rows) {
    listener(row);
    yield row;
  }
}

/** Serialises a value as JSON for storage. */
export function jsonText(value: unknown): Readable {
  return Readable.from([JSON.stringify(value)], { objectMode: false });
}

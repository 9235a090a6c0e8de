import type { LogEvent } from 'kysely';
import { addSpan } from '../tracing/tracing.ts';

/**
 * Adds a span for a statement that has ended: what it does and to which table. Its text is left out, since some statements have
 * values in it.
 */
export function traceStatement({ query: { sql }, queryDurationMillis, ...event }: LogEvent): void {
  const { operation, table } = summarize(sql);
  addSpan(
    {
      name: table === undefined ? operation : `${operation} ${table}`,
      kind: 'client',
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': operation,
        ...(table === undefined ? {} : { 'db.collection.name': table }),
      },
    },
    queryDurationMillis,
    event.level === 'error' ? event.error : undefined,
  );
}

/** Finds the first word of a statement, and the first table that it names. */
export function summarize(sql: string): { readonly operation: string; readonly table: string | undefined } {
  const operation = /^\s*(?<word>[a-z]+)/i.exec(sql)?.groups?.['word']?.toLowerCase() ?? 'statement';
  const table = /\b(?:from|into|update|table)\s+"?(?<name>[a-z_]+)\b/i.exec(sql)?.groups?.['name'];
  return { operation, table };
}

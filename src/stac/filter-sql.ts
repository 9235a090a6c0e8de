import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Filter, Literal } from '../standards/cql2/filter.ts';
import type { Interval } from '../standards/times.ts';
import { inShape } from './place-sql.ts';
import { expressionOf, queryables } from './queryables.ts';

type Condition = RawBuilder<SqlBool>;

/** Returns the SQL condition for a filter, on a dataset `d`, its group `g` and its category `c`; values are passed as parameters. */
export function filterSql(filter: Filter): Condition {
  switch (filter.op) {
    case 'and':
    case 'or':
      return sql`(${sql.join(filter.filters.map(filterSql), filter.op === 'and' ? sql` and ` : sql` or `)})`;
    case 'not':
      return sql`(not ${filterSql(filter.filter)})`;
    case 'constant':
      return sql`${filter.value}::boolean`;
    case 'compare':
      return sql`(${comparable(filter.property)} ${sql.raw(filter.comparison)} ${valueSql(filter.property, filter.value)})`;
    case 'between':
      return sql`(${comparable(filter.property)} between ${valueSql(filter.property, filter.low)} and ${valueSql(filter.property, filter.high)})`;
    case 'in':
      return sql`(${comparable(filter.property)} in (${sql.join(filter.values.map((value) => valueSql(filter.property, value)))}))`;
    case 'like':
      // A backslash at the end of a pattern would be an error in SQL.
      return sql`(${comparable(filter.property)} like ${filter.pattern.normalize('NFC').replace(/(?<!\\)((?:\\\\)*)\\$/, '$1')})`;
    case 'isNull':
      return sql`(${expressionOf(filter.property)} is null)`;
    case 'sIntersects':
      return inShape(filter.shape);
    default:
      return inTime(filter.interval);
  }
}

/** Matches a dataset `d` whose period intersects an interval. */
export function inTime({ from, to }: Interval): Condition {
  return sql`d.period && tsrange(${endText(from)}::timestamp, ${endText(to)}::timestamp, '[]')`;
}

function endText(ms: number): string {
  if (ms === -Infinity) return '-infinity';
  return ms === Infinity ? 'infinity' : timeText(ms);
}

/**
 * Texts are compared by code point, regardless of the collation of the database, and in normalized form, because macOS decomposes letters
 * in file names.
 */
function comparable(property: string): RawBuilder<unknown> {
  const expression = expressionOf(property);
  return queryables[property] === 'string' ? sql`normalize(${expression}, NFC) collate "C"` : expression;
}

function valueSql(property: string, value: Literal): RawBuilder<unknown> {
  if (queryables[property] === 'time') return sql`${timeText(Number(value))}::timestamp`;
  return sql`${typeof value === 'string' ? value.normalize('NFC') : value}`;
}

function timeText(ms: number): string {
  return new Date(ms).toISOString().slice(0, -1);
}

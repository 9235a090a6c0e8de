import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { z } from 'zod';
import { requestProblems } from '../messages/request/english.ts';
import { standardFaults } from '../messages/standards/english.ts';
import { parseInstant } from '../standards/times.ts';

/** The properties by which results can be ordered; none of them is ever null. */
const keys = {
  id: { expression: sql`d.id`, type: 'uuid' },
  created: { expression: sql`d.created_at`, type: 'timestamptz' },
  updated: { expression: sql`d.updated_at`, type: 'timestamptz' },
  datetime: { expression: sql`lower(d.period)`, type: 'timestamp' },
  start_datetime: { expression: sql`lower(d.period)`, type: 'timestamp' },
  end_datetime: { expression: sql`upper(d.period)`, type: 'timestamp' },
  title: { expression: sql`d.name collate "C"`, type: 'text' },
} as const;

type SortKey = keyof typeof keys;
export interface Sort {
  readonly key: SortKey;
  readonly isDescending: boolean;
}

export const sortKeys = z.enum([
  'id',
  'created',
  'updated',
  'datetime',
  'start_datetime',
  'end_datetime',
  'title',
]);
export const maxSorts = 4;
/** The newest first, as in lists of datasets. */
const usualOrder: readonly Sort[] = [{ key: 'created', isDescending: true }];
const byId: Sort = { key: 'id', isDescending: false };

/** Returns the requested order, completed so that it is total. */
export function orderOf(sorts: readonly Sort[]): readonly Sort[] {
  const wanted = sorts.length === 0 ? usualOrder : sorts;
  const at = wanted.findIndex(({ key }) => key === 'id');
  return at === -1 ? [...wanted, byId] : wanted.slice(0, at + 1);
}

/** Reads a sort key of a query: `-` in front for descending, `+` or nothing for ascending; `properties.` is optional. */
export function readSort(text: string): Sort | undefined {
  const [, sign, name] = /^([+ -]?)(?:properties\.)?(\w+)$/.exec(text) ?? [];
  const key = sortKeys.safeParse(name);
  return key.success ? { key: key.data, isDescending: sign === '-' } : undefined;
}

export function orderSql(order: readonly Sort[]): RawBuilder<unknown> {
  return sql.join(
    order.map(({ key, isDescending }) =>
      isDescending ? sql`${keys[key].expression} desc` : keys[key].expression,
    ),
  );
}

/** Selects the place of a row in the order, as texts. */
export function placeSql(order: readonly Sort[]): RawBuilder<readonly string[]> {
  return sql`array[${sql.join(order.map(({ key }) => sql`(${keys[key].expression})::text`))}]`;
}

/** Matches rows after a place. The first comparison allows the use of an index. */
export function behindSql(order: readonly Sort[], place: readonly string[]): RawBuilder<SqlBool> {
  const terms = order.map(({ key, isDescending }, index) => {
    const { expression, type } = keys[key];
    const value = sql`${place[index] ?? ''}::${sql.raw(type)}`;
    return {
      equal: sql`${expression} = ${value}`,
      behind: sql`${expression} ${sql.raw(isDescending ? '<' : '>')} ${value}`,
      expression,
      value,
      isDescending,
    };
  });
  const [first] = terms;
  if (first === undefined) return sql`true`;
  const chains = terms.map(
    (term, index) =>
      sql`(${sql.join([...terms.slice(0, index).map(({ equal }) => equal), term.behind], sql` and `)})`,
  );
  return sql`(${first.expression} ${sql.raw(first.isDescending ? '<=' : '>=')} ${first.value} and (${sql.join(chains, sql` or `)}))`;
}

const maxTokenCharacters = 4096;
const timeForm =
  /^(?!0000)(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,6})?)(?:[+-](?:0\d|1[0-5])(?::[0-5]\d){0,2})?$/;
/** A time in the format of the database; invalid days and hours are refused here, because the database would fail on them. */
const time = z.string().refine((text) => {
  const [, day = '', hours = ''] = timeForm.exec(text) ?? [];
  return parseInstant(`${day}T${hours}Z`) !== undefined;
});
const forms = {
  uuid: z.guid(),
  timestamptz: time,
  timestamp: time,
  text: z
    .string()
    .max(255)
    .refine((text) => !text.includes('\0')),
} as const;

/** Writes a place in an order as a token. */
export function writeToken(order: readonly Sort[], place: readonly string[]): string {
  return Buffer.from(JSON.stringify([nameOf(order), ...place])).toString('base64url');
}

/** Reads a token. @throws {Problem} `malformed` for a token of another order, or one that no page has returned */
export function readToken(order: readonly Sort[], token: string): readonly string[] {
  const [name, ...place] = token.length > maxTokenCharacters ? [] : decoded(token);
  const isPlace =
    place.length === order.length &&
    order.every(({ key }, index) => forms[keys[key].type].safeParse(place[index]).success);
  if (name !== nameOf(order) || !isPlace)
    throw requestProblems.wrongParameters({ token: standardFaults.token });
  return place;
}

function nameOf(order: readonly Sort[]): string {
  return order.map(({ key, isDescending }) => `${isDescending ? '-' : '+'}${key}`).join();
}

function decoded(token: string): readonly string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(Buffer.from(token, 'base64url').toString()));
  } catch {
    return [];
  }
}

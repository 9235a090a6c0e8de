import { z } from 'zod';
import { messageText } from '../lib/message.ts';
import { fieldFaults, requestProblems } from '../messages/request/english.ts';
import { standardFaults } from '../messages/standards/english.ts';
import { boxesOf, isBbox } from '../standards/boxes.ts';
import { checkFilter } from '../standards/cql2/check.ts';
import { filterLanguages, type FilterLanguage, readFilter } from '../standards/cql2/read-filter.ts';
import { maxPositions, readShape } from '../standards/shapes.ts';
import { parseInterval } from '../standards/times.ts';
import { Text } from '../validation/fields.ts';
import { parseParameters } from '../validation/parse-parameters.ts';
import { unlessMissing } from '../validation/validation-messages.ts';
import { maxSorts, readSort, type Sort, sortKeys } from './order.ts';
import { type Fields, readFields } from './projection.ts';
import { queryables } from './queryables.ts';
import type { Search } from './search.ts';

export const searchLimits = { items: 1000, usualItems: 10, ids: 1000, collections: 100, fields: 50 } as const;
const crs84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';

/** Parameters of a search beside those of all standards; lists are split, the rest is text. */
export interface AskedByQuery {
  readonly bbox?: readonly number[] | undefined;
  readonly datetime?: string | undefined;
  readonly intersects?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly collections?: readonly string[] | undefined;
  readonly sortby?: readonly string[] | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly filter?: string | undefined;
  readonly 'filter-lang'?: FilterLanguage | undefined;
  readonly query?: string | undefined;
  readonly limit: number;
  readonly token?: string | undefined;
}

export const FilterLang = z.enum(filterLanguages).describe('The language of `filter`');
export const FilterCrs = z.literal(crs84).describe('Geometries in filters are longitude and latitude');

const Names = (max: number) =>
  z.array(Text).max(max, { error: messageText(fieldFaults.wrongCount('item', 'at most', max)) });
const Direction = z.enum(['asc', 'desc']);

/** The body of a search. Unknown members are refused, because the client expects them to narrow the search. */
export const SearchBody = z
  .strictObject({
    bbox: z
      .array(z.number())
      .refine(isBbox, { error: messageText(standardFaults.bbox) })
      .nullish()
      .meta({ minItems: 4, maxItems: 6 })
      .describe('West, south, east, north in degrees; west > east across 180°'),
    intersects: z
      .looseObject({ type: z.string().describe('The type of the geometry') })
      .refine((geometry) => readShape(geometry) !== undefined, {
        error: messageText(standardFaults.geometry(maxPositions)),
      })
      .nullish()
      .describe('A GeoJSON geometry; not together with `bbox`'),
    datetime: z
      .string()
      .refine((text) => parseInterval(text) !== undefined, { error: messageText(standardFaults.datetime) })
      .nullish()
      .describe(
        'A time according to RFC 3339, or an interval of two times separated by a slash, of which one may be `..`',
      ),
    ids: Names(searchLimits.ids).nullish().describe('Only these items'),
    collections: z
      .union([Names(searchLimits.collections), Text])
      .nullish()
      .describe('Only items of these collections; a single collection may also be sent as a text'),
    limit: z
      .int({ error: unlessMissing(standardFaults.limit) })
      .min(1, { error: messageText(standardFaults.limit) })
      .nullish()
      .describe(`Items per page; more than ${searchLimits.items} are ${searchLimits.items}`),
    token: z.string().nullish().describe('The position at which the page begins, from the link `next`'),
    sortby: z
      .array(
        z.object({
          field: z
            .string()
            .describe(`One of ${sortKeys.options.join(', ')}; \`properties.\` may stand in front`),
          direction: Direction.default('asc').describe('Ascending or descending'),
        }),
      )
      .max(maxSorts, { error: messageText(fieldFaults.wrongCount('item', 'at most', maxSorts)) })
      .nullish()
      .describe('The order of items; by default the newest first'),
    fields: z
      .object({
        include: Names(searchLimits.fields)
          .nullish()
          .describe('Members to include; dots separate nested members'),
        exclude: Names(searchLimits.fields).nullish().describe('Members to leave out'),
      })
      .optional()
      .describe('The members of items; a small selection if neither list names any'),
    filter: z
      .union([z.string(), z.looseObject({})])
      .nullish()
      .describe('CQL2 JSON, or CQL2 text with `filter-lang` `cql2-text`'),
    'filter-lang': FilterLang.nullish().describe('The language of `filter`'),
    'filter-crs': FilterCrs.nullish().describe('Geometries in filters are longitude and latitude'),
    query: z
      .looseObject({})
      .nullish()
      .describe('Conditions of the older query extension: operators and values by property'),
  })
  .meta({
    id: 'StacSearch',
    description: 'The conditions for items; all of them must be met',
    examples: [
      {
        collections: ['functional_zoning'],
        bbox: [60, 45, 75, 55],
        datetime: '2024-01-01T00:00:00Z/..',
        limit: 10,
        filter: { op: '=', args: [{ property: 'steppe:file_type' }, 'raster'] },
      },
    ],
  });
export type SearchBody = z.infer<typeof SearchBody>;

/** Reads the body of a search. @throws {Problem} `malformed`, naming every wrong member */
export function readSearchBody(body: unknown): SearchBody {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return parseParameters(SearchBody, body);
  const unknown = Object.entries(body).filter(([name]) => !Object.hasOwn(SearchBody.shape, name));
  // A member that is null is ignored.
  const asking = unknown.filter(([, value]) => value !== null).map(([name]) => name);
  if (asking.length > 0)
    throw requestProblems.wrongParameters(
      Object.fromEntries(asking.map((name) => [name, standardFaults.unknownMember])),
    );
  const known = Object.entries(body).filter(([name]) => Object.hasOwn(SearchBody.shape, name));
  return parseParameters(SearchBody, Object.fromEntries(known));
}

interface AskedSearch {
  readonly search: Search;
  readonly fields: Fields | undefined;
}

/** Reads a search from a query. @throws {Problem} `malformed` */
export function searchOfQuery(asked: AskedByQuery): AskedSearch {
  const { sortby, fields, filter, 'filter-lang': language = 'cql2-text' } = asked;
  const sorts = sortby?.map((text) => readSort(text) ?? refuseSort());
  if (sorts !== undefined && sorts.length > maxSorts) refuseSort();
  const intersects = asked.intersects === undefined ? undefined : (parseJson(asked.intersects) ?? {});
  const query = asked.query === undefined ? undefined : (parseJson(asked.query) ?? []);
  return {
    search: searchOf({ ...asked, intersects, sorts, filter, language, query }),
    fields: fields === undefined ? undefined : readFields(fields),
  };
}

/** Reads a search from a body that has been checked. @throws {Problem} `malformed` */
export function searchOfBody(body: SearchBody): AskedSearch {
  const { fields, sortby, filter, 'filter-lang': language, collections: named, ...rest } = body;
  const collections = typeof named === 'string' ? [named] : named;
  const sorts = sortby?.map(({ field, direction }) => {
    const sort = readSort(field);
    return sort === undefined ? refuseSort() : { ...sort, isDescending: direction === 'desc' };
  });
  const limit = Math.min(rest.limit ?? searchLimits.usualItems, searchLimits.items);
  return {
    search: searchOf({ ...rest, collections, limit, sorts, filter, language: language ?? 'cql2-json' }),
    fields: fields && fieldsOf(fields),
  };
}

interface Parts {
  readonly bbox?: readonly number[] | null | undefined;
  readonly intersects?: unknown;
  readonly datetime?: string | null | undefined;
  readonly ids?: readonly string[] | null | undefined;
  readonly collections?: readonly string[] | null | undefined;
  readonly sorts: readonly Sort[] | undefined;
  readonly filter: unknown;
  readonly language: FilterLanguage;
  readonly query?: unknown;
  readonly limit: number;
  readonly token?: string | null | undefined;
}

function searchOf({
  bbox,
  intersects,
  datetime,
  ids,
  collections,
  sorts,
  filter,
  language,
  query,
  limit,
  token,
}: Parts): Search {
  const hasGeometry = isGiven(intersects);
  if (hasGeometry && isGiven(bbox)) refuse('intersects', standardFaults.boxAndGeometry);
  const shape = hasGeometry ? readShape(intersects) : undefined;
  if (hasGeometry && shape === undefined) refuse('intersects', standardFaults.geometry(maxPositions));
  const isId = (id: string) => z.guid().safeParse(id).success;
  const rules = { queryables, areOthersAbsent: true };
  const queried = isGiven(query) ? filterOfQuery(query) : undefined;
  const filters = [
    ...(isGiven(filter) ? [readFilter(filter, language, rules)] : []),
    ...(queried === undefined ? [] : [checkFilter(queried, rules)]),
  ];
  return {
    // A text that is not a valid id matches no dataset.
    ids: ids?.filter(isId),
    collections: collections ?? undefined,
    boxes: isGiven(bbox) ? boxesOf(bbox) : undefined,
    shape,
    interval: isGiven(datetime) ? parseInterval(datetime) : undefined,
    filter: filters.length === 0 ? undefined : { op: 'and', filters },
    sorts,
    limit,
    token: token ?? undefined,
  };
}

function fieldsOf({ include, exclude }: NonNullable<SearchBody['fields']>): Fields {
  const isOnlyWithout = include === undefined && (exclude ?? []).length > 0;
  return { include: isOnlyWithout ? undefined : (include ?? []), exclude: exclude ?? [] };
}

/** Returns whether a value is present; clients send null for omitted members. */
function isGiven<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null;
}

function refuse(parameter: string, fault: ReturnType<typeof standardFaults.geometry>): never {
  throw requestProblems.wrongParameters({ [parameter]: fault });
}

function refuseSort(): never {
  return refuse('sortby', standardFaults.unknownSort(sortKeys.options));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The operators of the older query extension, as operations of CQL2. */
const comparisons: ReadonlyMap<string, string> = new Map([
  ['eq', '='],
  ['neq', '<>'],
  ['lt', '<'],
  ['lte', '<='],
  ['gt', '>'],
  ['gte', '>='],
]);
const patterns: ReadonlyMap<string, (text: string) => string> = new Map([
  ['startsWith', (text) => `${text}%`],
  ['endsWith', (text) => `%${text}`],
  ['contains', (text) => `%${text}%`],
]);
const queryOperators = [...comparisons.keys(), ...patterns.keys(), 'in'];

/**
 * Converts conditions of the query extension of STAC to CQL2 JSON; undefined without conditions. Names and values are not checked here.
 * @throws {Problem} `malformed` for another form
 */
function filterOfQuery(query: unknown): object | undefined {
  const args = membersOf(query).flatMap(([name, operators]) =>
    membersOf(operators).map(([operator, value]) => testOf(name, operator, value)),
  );
  return args.length === 0 ? undefined : { op: 'and', args };
}

function testOf(name: string, operator: string, value: unknown): object {
  const property = { property: name.replace(/^properties\./, '') };
  const comparison = comparisons.get(operator);
  if (comparison !== undefined) return { op: comparison, args: [property, value] };
  const pattern = patterns.get(operator);
  if (pattern !== undefined && typeof value === 'string')
    return { op: 'like', args: [property, pattern(value.replaceAll(/[%_\\]/g, String.raw`\$&`))] };
  return operator === 'in' ? { op: 'in', args: [property, value] } : refuseQuery();
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : refuseQuery();
}

function refuseQuery(): never {
  throw requestProblems.wrongParameters({ query: standardFaults.query(queryOperators) });
}

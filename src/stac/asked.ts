import { messageText } from '../lib/message.ts';
import { z } from 'zod';
import { fieldFaults, requestProblems } from '../messages/request.ts';
import { standardFaults } from '../messages/standards.ts';
import { boxesOf, isBbox } from '../standards/boxes.ts';
import { filterLanguages, type FilterLanguage, readFilter } from '../standards/cql2/read-filter.ts';
import { maxPositions, readShape } from '../standards/shapes.ts';
import { parseInterval } from '../standards/times.ts';
import { Text } from '../validation/fields.ts';
import { unlessMissing } from '../validation/validation-messages.ts';
import { maxSorts, readSort, type Sort, sortKeys } from './order.ts';
import { type Fields, readFields } from './projection.ts';
import { queryables } from './queryables.ts';
import type { Search } from './search.ts';

export const searchLimits = { items: 1000, usualItems: 10, ids: 1000, collections: 100, fields: 50 } as const;
const crs84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';

/** What a query of a search may have beside what all doors share; lists come apart, the rest is text. */
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
  readonly limit: number;
  readonly token?: string | undefined;
}

export const FilterLang = z.enum(filterLanguages).describe('The language of `filter`');
export const FilterCrs = z.literal(crs84).describe('Geometries in filters are longitude and latitude');

const Names = (max: number) =>
  z.array(Text).max(max, { error: messageText(fieldFaults.wrongCount('item', 'at most', max)) });
const Direction = z.enum(['asc', 'desc']);

/** The body of a search. */
export const SearchBody = z
  .object({
    bbox: z
      .array(z.number())
      .refine(isBbox, { error: messageText(standardFaults.bbox) })
      .optional()
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
      .describe('A time by RFC 3339, or two with a slash between, of which one may be `..`'),
    ids: Names(searchLimits.ids).nullish().describe('Only these items'),
    collections: z
      .union([Names(searchLimits.collections), Text])
      .nullish()
      .describe('Only items of these collections; some clients send the only one as it is'),
    limit: z
      .int({ error: unlessMissing(standardFaults.limit) })
      .min(1, { error: messageText(standardFaults.limit) })
      .nullish()
      .describe(`Items per page; more than ${searchLimits.items} are ${searchLimits.items}`),
    token: z.string().nullish().describe('The place where the page begins, out of the link `next`'),
    sortby: z
      .array(
        z.object({
          field: z
            .string()
            .describe(`One of ${sortKeys.options.join(', ')}; \`properties.\` may stand in front`),
          direction: Direction.default('asc').describe('Ascending, or descending'),
        }),
      )
      .max(maxSorts, { error: messageText(fieldFaults.wrongCount('item', 'at most', maxSorts)) })
      .nullish()
      .describe('What items are ordered by; the newest first without it'),
    fields: z
      .object({
        include: Names(searchLimits.fields)
          .nullish()
          .describe('Only these members; dots lead through objects'),
        exclude: Names(searchLimits.fields).nullish().describe('All but these'),
      })
      .optional()
      .describe('Which members items have; few when neither list names any'),
    filter: z
      .union([z.string(), z.looseObject({})])
      .nullish()
      .describe('CQL2 JSON, or CQL2 text with `filter-lang` `cql2-text`'),
    'filter-lang': FilterLang.optional(),
    'filter-crs': FilterCrs.optional(),
  })
  .meta({
    id: 'StacSearch',
    description: 'What items are looked for by; all that is given must hold',
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
  return {
    search: searchOf({ ...asked, intersects, sorts, filter, language }),
    fields: fields === undefined ? undefined : readFields(fields),
  };
}

/** Reads a search from a body that has been checked. @throws {Problem} `malformed` */
export function searchOfBody(body: SearchBody): AskedSearch {
  const { fields, sortby, filter, 'filter-lang': language = 'cql2-json', collections: named, ...rest } = body;
  const collections = typeof named === 'string' ? [named] : named;
  const sorts = sortby?.map(({ field, direction }) => {
    const sort = readSort(field);
    return sort === undefined ? refuseSort() : { ...sort, isDescending: direction === 'desc' };
  });
  const limit = Math.min(rest.limit ?? searchLimits.usualItems, searchLimits.items);
  return {
    search: searchOf({ ...rest, collections, limit, sorts, filter, language }),
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
  limit,
  token,
}: Parts): Search {
  const hasGeometry = isGiven(intersects);
  if (hasGeometry && isGiven(bbox)) refuse('intersects', standardFaults.boxAndGeometry);
  const shape = hasGeometry ? readShape(intersects) : undefined;
  if (hasGeometry && shape === undefined) refuse('intersects', standardFaults.geometry(maxPositions));
  const isId = (id: string) => z.guid().safeParse(id).success;
  return {
    // What is not the form of an id is the id of nothing.
    ids: ids?.filter(isId),
    collections: collections ?? undefined,
    boxes: isGiven(bbox) ? boxesOf(bbox) : undefined,
    shape,
    interval: isGiven(datetime) ? parseInterval(datetime) : undefined,
    filter: isGiven(filter) ? readFilter(filter, language, { queryables, areOthersAbsent: true }) : undefined,
    sorts,
    limit,
    token: token ?? undefined,
  };
}

function fieldsOf({ include, exclude }: NonNullable<SearchBody['fields']>): Fields {
  const isOnlyWithout = include === undefined && (exclude ?? []).length > 0;
  return { include: isOnlyWithout ? undefined : (include ?? []), exclude: exclude ?? [] };
}

/** Clients send null for what they leave out. */
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

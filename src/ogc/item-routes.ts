import { sendText } from '../http/answer/answer.ts';
import { messageText } from '../lib/message.ts';
import { z } from 'zod';
import type { FeatureCollections } from './features/collections.ts';
import { degreesOf, positionTextIn } from './features/crs.ts';
import type { Asked, FeaturePage, FeatureSource, Shown } from './features/source.ts';
import { createFairQueue } from '../lib/concurrency/fair-queue.ts';
import { featureSentences } from '../messages/standards/english.ts';
import { requestProblems } from '../messages/request/english.ts';
import { boxesOf } from '../standards/boxes.ts';
import { readLiteral } from '../standards/cql2/check.ts';
import { type Filter, type Literal, type PropertyType, readNumber } from '../standards/cql2/filter.ts';
import { filterLanguages, readFilter } from '../standards/cql2/read-filter.ts';
import { parseInterval } from '../standards/times.ts';
import { clientOf } from '../http/access/authentication.ts';
import { absoluteBase, standardAnswers, type Link, mediaTypes } from '../http/standards/answers.ts';
import { standardErrors } from '../http/openapi/standards.ts';
import {
  BboxQuery,
  datetimeQuery,
  standardQuery,
  FormatQuery,
  limitQuery,
  offsetQuery,
  refuseUnknown,
} from '../http/standards/parameters.ts';
import type { App } from '../http/request/schemas.ts';
import { untilGone } from '../http/request/until-gone.ts';
import { CollectionParams, deletedMeanwhile, openFeatures } from './collection-routes.ts';
import { crsQuery, FeatureJson, ItemsJson } from './schemas.ts';
import type { AccessPolicy } from '../http/access/access-policy.ts';

const tags = ['features'];
const config = { scope: 'data:read' } as const;
const [mostItems, usualItems] = [10_000, 10];
/** The number of pages that are built at the same time; each takes some tens of megabytes at most. */
const pagesAtOnce = 4;
const pagesOfClient = 3;
/** The maximum number of parameters that name properties. */
const maxProperties = 20;

const known = {
  f: FormatQuery,
  limit: limitQuery(mostItems, usualItems),
  bbox: BboxQuery,
  'bbox-crs': crsQuery('The reference system of `bbox`'),
  crs: crsQuery('The reference system of the answer'),
  offset: offsetQuery(),
  datetime: datetimeQuery({ whole: true, days: true }),
  filter: z
    .string()
    .optional()
    .describe('A filter in CQL2: comparisons of properties, joined by and, or, not'),
  'filter-lang': z
    .enum(filterLanguages, { error: messageText(featureSentences.filterLanguage) })
    .default('cql2-text')
    .describe('The language of `filter`'),
  skipGeometry: z
    .enum(['true', 'false'])
    .default('false')
    .describe('`true` for features without their geometry'),
  properties: z
    .string()
    .optional()
    .describe('Names of the properties of features, separated by commas; by default all'),
  token: z
    .string()
    .max(100)
    .optional()
    .describe('The position at which the page begins, from the link `next`'),
};
/** Every property of a collection is also a parameter; its properties are known only when the collection is. */
const ItemsQuery = z.looseObject(known).meta({ style: 'form', explode: false });
type ItemsQuery = z.infer<typeof ItemsQuery>;

const itemsDescription = `In the order of the collection. \`next\` leads to the next page; a page may have fewer features than \`limit\`, because an answer has at most 16 MiB and examines a
bounded number of features. Any property of the collection is a parameter: \`?name=Акмола\` returns the features with this value. In a table by KATO each unit has the feature
of its latest value unless \`datetime\` names a time; \`../..\` returns all.`;

export function registerOgcItemRoutes(
  app: App,
  collections: FeatureCollections,
  { access }: { readonly access: AccessPolicy },
): void {
  const turns = createFairQueue({ places: pagesAtOnce, placesOfClient: pagesOfClient });

  app.get('/ogc/collections/:collectionId/items', {
    config,
    schema: {
      tags,
      operationId: 'listFeatures',
      summary: 'Read a page of features',
      description: itemsDescription,
      params: CollectionParams,
      querystring: ItemsQuery,
      response: {
        ...standardAnswers('A page of features', ItemsJson, mediaTypes.geoJson),
        ...standardErrors(400, 404),
      },
    },
    handler: async (request, reply) => {
      const { collectionId } = request.params;
      const source = await openFeatures(collections, collectionId);
      const asked = askedOf(source, request.query);
      // The turn ends only when the client has read the answer.
      using turn = await turns.enter(clientOf(request), untilGone(reply));
      const page = await source.page(asked).catch(deletedMeanwhile);
      const matched = await matchedOf(source, asked, page).catch(deletedMeanwhile);
      turn[Symbol.dispose]();
      const collection = `${absoluteBase(request, access)}/ogc/collections/${collectionId}`;
      const file = `${absoluteBase(request, access)}/datasets/${collectionId}.fgb`;
      const links = [...linksOf(collection, request.url, page), ...fileLinks(file, page)];
      reply.header('content-crs', `<${request.query.crs}>`);
      const body = textOf(page, links, matched);
      return await sendText(request, reply, { body, type: mediaTypes.geoJson });
    },
  });

  app.get('/ogc/collections/:collectionId/items/:featureId', {
    config,
    schema: {
      tags,
      operationId: 'getFeature',
      summary: 'Read a feature',
      description:
        'The id is the code of a unit, the number of a feature of a vector, or code and date of a value, such as `110000000.2020-01-01`.',
      params: CollectionParams.extend({ featureId: z.string().max(100).describe('Id of the feature') }),
      querystring: standardQuery({
        crs: known.crs,
        skipGeometry: known.skipGeometry,
        properties: known.properties,
      }),
      response: {
        ...standardAnswers('The feature', FeatureJson, mediaTypes.geoJson),
        ...standardErrors(400, 404),
      },
    },
    handler: async (request, reply) => {
      const { collectionId, featureId } = request.params;
      const source = await openFeatures(collections, collectionId);
      const shown = shownOf(source, request.query);
      const text = await source.feature(featureId, shown).catch(deletedMeanwhile);
      if (text === undefined) throw featureSentences.noFeature();
      const collection = `${absoluteBase(request, access)}/ogc/collections/${collectionId}`;
      const links = [
        { rel: 'self', href: `${collection}/items/${featureId}`, type: mediaTypes.geoJson },
        { rel: 'collection', href: collection, type: mediaTypes.json },
      ];
      reply.header('content-crs', `<${request.query.crs}>`);
      const body = `${text.slice(0, -1)},"links":${JSON.stringify(links)}}`;
      return await sendText(request, reply, { body, type: mediaTypes.geoJson });
    },
  });
}

/** Checks the parameters that depend on the collection. @throws {Problem} `malformed` */
function askedOf(source: FeatureSource, query: ItemsQuery): Asked {
  const { queryables } = source;
  const { bbox, datetime, token, limit, offset } = query;
  refuseUnknown(query, [...Object.keys(known), ...Object.keys(queryables)]);
  if (token !== undefined && !source.isToken(token))
    throw requestProblems.wrongParameters({ token: featureSentences.token });
  const equal = Object.entries(query).filter(([name]) => !Object.hasOwn(known, name));
  if (equal.length > maxProperties) refuseUnknown(Object.fromEntries(equal.slice(maxProperties)), []);
  const filters: Filter[] = equal.map(([property, text]) => {
    const value = literalOf(property, text, queryables[property]);
    return { op: 'compare', property, comparison: '=', value };
  });
  if (query.filter !== undefined)
    filters.push(readFilter(query.filter, query['filter-lang'], { queryables }));
  return {
    boxes: bbox && boxesOf(degreesOf(bbox, query['bbox-crs'])),
    interval: datetime === undefined ? undefined : parseInterval(datetime, { whole: true, days: true }),
    filter: filters.length === 0 ? undefined : { op: 'and', filters },
    limit,
    offset,
    token,
    ...shownOf(source, query),
  };
}

/** Reads the requested properties. @throws {Problem} `malformed` for a name that is not a property of the collection. */
function shownOf(
  source: FeatureSource,
  { crs, skipGeometry, properties }: Pick<ItemsQuery, 'crs' | 'skipGeometry' | 'properties'>,
): Shown {
  const names = properties?.split(',');
  const unknown = names?.find((name) => !source.properties.includes(name));
  if (unknown !== undefined)
    throw requestProblems.wrongParameters({ properties: featureSentences.unknownProperty(unknown) });
  return {
    positionText: positionTextIn(crs),
    hasGeometry: skipGeometry === 'false',
    properties: names && new Set(names),
  };
}

/** Reads the value of a property. @throws {Problem} `malformed` when the text is not a value of its type. */
function literalOf(property: string, text: unknown, type: PropertyType | undefined): Literal {
  if (typeof text === 'string') {
    const isNumber = type === 'number' || type === 'integer';
    const said = isNumber ? readNumber(text) : text;
    const value = readLiteral(type === 'boolean' && isTruth(text) ? text === 'true' : said, type ?? 'string');
    if (value !== undefined) return value;
  }
  throw requestProblems.wrongParameters({ [property]: featureSentences.value(type ?? 'string') });
}

const isTruth = (text: string): boolean => text === 'true' || text === 'false';

/** Counts the matching features; the result is the same for all pages of a search. */
async function matchedOf(
  source: FeatureSource,
  asked: Asked,
  { features, next }: FeaturePage,
): Promise<number | undefined> {
  const isOnlyPage = asked.token === undefined && asked.offset === 0 && next === undefined;
  return isOnlyPage ? features.length : await source.count(asked);
}

/** Returns the links of a page; they keep the parameters of the request. */
function linksOf(
  collection: string,
  url: string,
  { next, left = 0 }: Pick<FeaturePage, 'next' | 'left'>,
): readonly Link[] {
  const sent = new URLSearchParams(url.split('?')[1]);
  const address = (query: URLSearchParams) =>
    `${collection}/items${query.size === 0 ? '' : `?${query.toString()}`}`;
  const type = mediaTypes.geoJson;
  const self = { rel: 'self', href: address(sent), type };
  const links = [self, { rel: 'collection', href: collection, type: mediaTypes.json }];
  if (next === undefined) return links;
  sent.set('token', next);
  sent.delete('offset');
  if (left > 0) sent.set('offset', String(left));
  return [...links, { rel: 'next', href: address(sent), type }];
}

/** Links to the file that contains geometries too large for an answer. */
function fileLinks(href: string, { withoutGeometry = [] }: FeaturePage): readonly Link[] {
  return withoutGeometry.map((id) => ({
    rel: 'enclosure',
    href,
    type: 'application/flatgeobuf',
    title: featureSentences.geometryElsewhere(id).english,
  }));
}

function textOf({ features }: FeaturePage, links: readonly Link[], matched: number | undefined): string {
  const counts = `"numberReturned":${features.length}${matched === undefined ? '' : `,"numberMatched":${matched}`}`;
  const head = `{"type":"FeatureCollection","links":${JSON.stringify(links)},${counts},"features":[`;
  return `${head}${features.join(',')}]}`;
}

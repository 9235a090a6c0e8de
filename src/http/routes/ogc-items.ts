import { messageText } from '../../lib/message.ts';
import { z } from 'zod';
import type { FeatureCollections } from '../../features/collections.ts';
import { degreesOf, positionTextIn } from '../../features/crs.ts';
import type { Asked, FeaturePage, FeatureSource } from '../../features/source.ts';
import { ObjectMissing } from '../../object-store/object-store.ts';
import { createLimiter } from '../../lib/limiter.ts';
import { featureDoor } from '../../messages/features.ts';
import { requestProblems } from '../../messages/request.ts';
import { boxesOf } from '../../standards/boxes.ts';
import type { Filter, Literal, PropertyType } from '../../standards/cql2/filter.ts';
import { filterLanguages, readFilter } from '../../standards/cql2/read-filter.ts';
import { parseInterval } from '../../standards/times.ts';
import { absoluteBase, doorAnswers, type Link, mediaTypes, sendTagged } from '../standards/answers.ts';
import { doorErrors } from '../standards/dialects.ts';
import { BboxQuery, datetimeQuery, doorQuery, limitQuery, refuseUnknown } from '../standards/parameters.ts';
import type { App } from '../request/schemas.ts';
import { CollectionParams } from './ogc-collections.ts';
import { crsQuery, FeatureJson, FormatQuery, ItemsJson } from './ogc-schemas.ts';
import type { Services } from './services.ts';

const tags = ['features'];
const config = { scope: 'data:read' } as const;
const [mostItems, usualItems] = [10_000, 10];
/** Pages that are made at the same time; each takes some tens of megabytes at most, and others wait. */
const pagesAtOnce = 4;
/** The most parameters that name properties. */
const maxProperties = 20;

const known = {
  f: FormatQuery,
  limit: limitQuery(mostItems, usualItems),
  bbox: BboxQuery,
  'bbox-crs': crsQuery('The reference system of `bbox`'),
  crs: crsQuery('The reference system of the answer'),
  datetime: datetimeQuery({ whole: true }),
  filter: z
    .string()
    .optional()
    .describe('A filter in CQL2: comparisons of properties, joined by and, or, not'),
  'filter-lang': z
    .enum(filterLanguages, { error: messageText(featureDoor.filterLanguage) })
    .default('cql2-text')
    .describe('The language of `filter`'),
  token: z.string().max(100).optional().describe('The place where the page begins, out of the link `next`'),
};
/** Every property of a collection is a parameter, too; which ones there are shows when the collection is known. */
const ItemsQuery = z.looseObject(known).meta({ style: 'form', explode: false });
type ItemsQuery = z.infer<typeof ItemsQuery>;

const itemsDescription = `In the order of the collection. \`next\` leads to the next page; one may have fewer features than \`limit\`, because an answer has at most 16 MiB and looks at a
bounded number of features. Any property of the collection is a parameter: \`?name=Акмола\` gives features with this value. Of a table by KATO each unit has the feature
of its latest value unless \`datetime\` names a time; \`../..\` gives all.`;

/** Registers the features of a collection. */
export function registerOgcItemRoutes(
  app: App,
  collections: FeatureCollections,
  { access }: Pick<Services, 'access'>,
): void {
  const inTurn = createLimiter(pagesAtOnce);

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
        ...doorAnswers('A page of features', ItemsJson, mediaTypes.geoJson),
        ...doorErrors(400, 404),
      },
    },
    handler: async (request, reply) => {
      const { collectionId } = request.params;
      const source = await collections.open(collectionId).catch(deletedMeanwhile);
      if (source === undefined) throw featureDoor.noCollection();
      const asked = askedOf(source, request.query);
      const page = await inTurn(async () => await source.page(asked).catch(deletedMeanwhile));
      const collection = `${absoluteBase(request, access)}/ogc/collections/${collectionId}`;
      const links = linksOf(collection, request.url, page.next);
      reply.header('content-crs', `<${request.query.crs}>`);
      const body = textOf(page, links, matchedOf(source, asked, page));
      return await sendTagged(request, reply, { body, type: mediaTypes.geoJson });
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
      params: CollectionParams.extend({ featureId: z.string().max(100).describe('Of the feature') }),
      querystring: doorQuery({ f: FormatQuery, crs: known.crs }),
      response: { ...doorAnswers('The feature', FeatureJson, mediaTypes.geoJson), ...doorErrors(400, 404) },
    },
    handler: async (request, reply) => {
      const { collectionId, featureId } = request.params;
      const source = await collections.open(collectionId).catch(deletedMeanwhile);
      if (source === undefined) throw featureDoor.noCollection();
      const positionText = positionTextIn(request.query.crs);
      const text = await source.feature(featureId, positionText).catch(deletedMeanwhile);
      if (text === undefined) throw featureDoor.noFeature();
      const collection = `${absoluteBase(request, access)}/ogc/collections/${collectionId}`;
      const links = [
        { rel: 'self', href: `${collection}/items/${featureId}`, type: mediaTypes.geoJson },
        { rel: 'collection', href: collection, type: mediaTypes.json },
      ];
      reply.header('content-crs', `<${request.query.crs}>`);
      const body = `${text.slice(0, -1)},"links":${JSON.stringify(links)}}`;
      return await sendTagged(request, reply, { body, type: mediaTypes.geoJson });
    },
  });
}

/** A dataset may go between the look at its row and that at its object. */
export function deletedMeanwhile(error: unknown): never {
  if (error instanceof ObjectMissing) throw featureDoor.noCollection().because(error);
  throw error;
}

/** Checks what depends on the collection. @throws {Problem} `malformed` */
function askedOf(source: FeatureSource, query: ItemsQuery): Asked {
  const { queryables } = source;
  const { bbox, datetime, token, limit } = query;
  refuseUnknown(query, [...Object.keys(known), ...Object.keys(queryables)]);
  if (token !== undefined && !source.isToken(token))
    throw requestProblems.wrongParameters({ token: featureDoor.token });
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
    interval: datetime === undefined ? undefined : parseInterval(datetime, { whole: true }),
    filter: filters.length === 0 ? undefined : { op: 'and', filters },
    limit,
    token,
    positionText: positionTextIn(query.crs),
  };
}

/** @throws {Problem} `malformed` when the text is not a value of this type. */
function literalOf(property: string, text: unknown, type: PropertyType | undefined): Literal {
  if (typeof text === 'string') {
    if (type === 'string') return text;
    if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
    if (type === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  }
  throw requestProblems.wrongParameters({ [property]: featureDoor.value(type ?? 'string') });
}

function matchedOf(source: FeatureSource, asked: Asked, page: FeaturePage): number | undefined {
  if (asked.token === undefined && page.next === undefined) return page.features.length;
  const isWhole = asked.boxes === undefined && asked.filter === undefined;
  return isWhole ? source.count : undefined;
}

/** The parameters of the links are those that were sent. */
function linksOf(collection: string, url: string, next: string | undefined): readonly Link[] {
  const sent = new URLSearchParams(url.split('?')[1]);
  const address = (query: URLSearchParams) =>
    `${collection}/items${query.size === 0 ? '' : `?${query.toString()}`}`;
  const type = mediaTypes.geoJson;
  const self = { rel: 'self', href: address(sent), type };
  const links = [self, { rel: 'collection', href: collection, type: mediaTypes.json }];
  if (next === undefined) return links;
  sent.set('token', next);
  return [...links, { rel: 'next', href: address(sent), type }];
}

function textOf({ features }: FeaturePage, links: readonly Link[], matched: number | undefined): string {
  const counts = `"numberReturned":${features.length}${matched === undefined ? '' : `,"numberMatched":${matched}`}`;
  const head = `{"type":"FeatureCollection","links":${JSON.stringify(links)},${counts},"features":[`;
  return `${head}${features.join(',')}]}`;
}

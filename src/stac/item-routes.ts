import { sendText } from '../http/answer/answer.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { datasetProblems } from '../messages/datasets/english.ts';
import { standardFaults } from '../messages/standards/english.ts';
import {
  type AskedByQuery,
  FilterCrs,
  FilterLang,
  readSearchBody,
  SearchBody,
  searchLimits,
  searchOfBody,
  searchOfQuery,
} from './asked.ts';
import { hasCollection } from './collections.ts';
import { itemOf } from './item.ts';
import { createClassReader, readItemRows } from './item-rows.ts';
import { type Fields, project } from './projection.ts';
import { ItemCollectionJson, ItemJson } from './schemas.ts';
import { type Search, searchDatasets } from './search.ts';
import { absoluteBase, standardAnswers, type Link, mediaTypes } from '../http/standards/answers.ts';
import { standardErrors } from '../http/openapi/standards.ts';
import {
  BboxQuery,
  datetimeQuery,
  standardQuery,
  limitQuery,
  namesQuery,
} from '../http/standards/parameters.ts';
import type { App } from '../http/request/schemas.ts';
import { CollectionParams } from './catalog-routes.ts';
import { readWarnings } from '../landscape/groups/warnings.ts';
import type { Database } from '../database/tables/tables.ts';
import type { AccessPolicy } from '../http/access/access-policy.ts';

const tags = ['stac'];
const config = { scope: 'data:read' } as const;
const { geoJson, json } = mediaTypes;

const ItemParams = CollectionParams.extend({ itemId: z.string().max(64).describe('Id of the dataset') });

const searching = {
  bbox: BboxQuery,
  datetime: datetimeQuery(),
  limit: limitQuery(searchLimits.items, searchLimits.usualItems),
  token: z
    .string()
    .max(4096)
    .optional()
    .describe('The position at which the page begins, from the link `next`'),
  sortby: namesQuery(8).describe(
    'The order of items, with a `-` prefix for descending; by default the newest first',
  ),
  fields: namesQuery(searchLimits.fields).describe(
    'The members of items, with a `-` prefix to leave a member out',
  ),
  filter: z.string().max(8192).optional().describe('A filter in CQL2'),
  'filter-lang': FilterLang.optional(),
  'filter-crs': FilterCrs.optional(),
  query: z
    .string()
    .max(8192)
    .optional()
    .describe('Conditions of the older query extension of STAC, as a JSON object'),
  intersects: z
    .string()
    .max(8192)
    .optional()
    .describe('A GeoJSON geometry; not together with `bbox`. Send large geometries in a body'),
  ids: namesQuery(searchLimits.ids).describe('Only these items'),
  collections: namesQuery(searchLimits.collections).describe('Only items of these collections'),
};

const searchDescription = `An item must meet all conditions. Pages follow each other by \`token\`; the newest items come first unless \`sortby\` is given. A search that takes
longer than a second is answered with 503. \`/stac/queryables\` lists the properties that filters may name.`;

interface Page {
  readonly search: Search;
  readonly fields: Fields | undefined;
  /** Returns the link to the page after a place. */
  readonly nextLink: (token: string) => Link;
  readonly self: string;
}

/** Registers the items and their search. */
export function registerStacItemRoutes(
  app: App,
  { db, access }: { readonly db: Database; readonly access: AccessPolicy },
): void {
  const readClasses = createClassReader(db);

  async function itemsOf(ids: readonly string[], base: string): Promise<ItemJson[]> {
    const rows = await readItemRows(db, ids);
    const styles = rows.map(({ fileType, styleKey }) => (fileType === 'raster' ? styleKey : null));
    const classes = await readClasses(styles);
    const warnings = await readWarnings(db, ids, 'en');
    return rows.map((row) =>
      itemOf(row, base, {
        classes: classes.get(row.styleKey ?? '') ?? [],
        warning: warnings.get(row.id) ?? null,
      }),
    );
  }

  async function sendPage(
    request: FastifyRequest,
    reply: FastifyReply,
    { search, fields, nextLink, self }: Page,
  ): Promise<FastifyReply> {
    const base = absoluteBase(request, access);
    const { ids, next, matched } = await searchDatasets(db, search);
    const items = await itemsOf(ids, base);
    const features = fields === undefined ? items : items.map((item) => project(item, fields));
    const links = [
      { rel: 'self', href: self, type: geoJson },
      { rel: 'root', href: `${base}/stac`, type: json },
      ...(next === undefined ? [] : [nextLink(next)]),
    ];
    const counts = {
      numberReturned: features.length,
      ...(matched === undefined ? {} : { numberMatched: matched }),
    };
    const body = { type: 'FeatureCollection', features, links, ...counts };
    return await sendText(request, reply, { body, type: geoJson });
  }

  /** Sends a page of a GET request; the link to the next page has the same query with another token. */
  async function sendQueried(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: AskedByQuery,
  ): Promise<FastifyReply> {
    const [path = '', query = ''] = request.url.split('?');
    const self = `${absoluteBase(request, access)}${path}`;
    const nextLink = (token: string) => {
      const parameters = new URLSearchParams(query);
      parameters.set('token', token);
      return { rel: 'next', href: `${self}?${parameters.toString()}`, type: geoJson, method: 'GET' };
    };
    return await sendPage(request, reply, { ...searchOfQuery(asked), nextLink, self });
  }

  app.get('/stac/search', {
    config,
    schema: {
      tags,
      operationId: 'searchStac',
      summary: 'Search items',
      description: searchDescription,
      querystring: standardQuery(searching),
      response: {
        ...standardAnswers('A page of items', ItemCollectionJson, geoJson),
        ...standardErrors(400),
      },
    },
    handler: async (request, reply) => await sendQueried(request, reply, request.query),
  });

  app.post('/stac/search', {
    config: { ...config, maxBodyBytes: 1024 * 1024 },
    schema: {
      tags,
      operationId: 'searchStacByBody',
      summary: 'Search items with a body',
      description: searchDescription,
      querystring: standardQuery({}),
      body: SearchBody,
      response: {
        200: standardAnswers('A page of items', ItemCollectionJson, geoJson)[200],
        ...standardErrors(400, 413),
      },
    },
    handler: async (request, reply) => {
      const body = readSearchBody(request.body);
      const self = `${absoluteBase(request, access)}/stac/search`;
      const nextLink = (token: string) => ({
        rel: 'next',
        href: self,
        type: geoJson,
        method: 'POST',
        body: { ...body, token },
      });
      return await sendPage(request, reply, { ...searchOfBody(body), nextLink, self });
    },
  });

  app.get('/stac/collections/:collectionId/items', {
    config,
    schema: {
      tags,
      operationId: 'listStacItems',
      summary: 'List the items of a collection',
      description: searchDescription,
      params: CollectionParams,
      querystring: standardQuery(searching),
      response: {
        ...standardAnswers('A page of items', ItemCollectionJson, geoJson),
        ...standardErrors(400, 404),
      },
    },
    handler: async (request, reply) => {
      const { collectionId } = request.params;
      if (!(await hasCollection(db, collectionId))) throw standardFaults.noCollection();
      // Clients may repeat the collection of the path in the query; other collections match nothing.
      const { collections = [collectionId], ...asked } = request.query;
      const own = collections.filter((each) => each === collectionId);
      return await sendQueried(request, reply, { ...asked, collections: own });
    },
  });

  app.get('/stac/collections/:collectionId/items/:itemId', {
    config,
    schema: {
      tags,
      operationId: 'getStacItem',
      summary: 'Read an item',
      description: 'A ready dataset, with its files, its tiles, and its sources.',
      params: ItemParams,
      querystring: standardQuery({}),
      response: { ...standardAnswers('The item', ItemJson, geoJson), ...standardErrors(400, 404) },
    },
    handler: async (request, reply) => {
      const { collectionId, itemId } = request.params;
      const isId = z.guid().safeParse(itemId).success;
      const [item] = isId ? await itemsOf([itemId], absoluteBase(request, access)) : [];
      if (item?.collection !== collectionId) throw datasetProblems.notFound();
      return await sendText(request, reply, { body: item, type: geoJson });
    },
  });
}

import { sendText } from '../http/answer/answer.ts';
import { z } from 'zod';
import { standardFaults } from '../messages/standards/english.ts';
import { collectionOf, findCollection, hasCollection, listCollections } from './collections.ts';
import { queryablesSchema } from './queryables.ts';
import { CatalogJson, CollectionJson, CollectionsJson, ConformanceJson } from './schemas.ts';
import { conformsTo, stacVersion } from './versions.ts';
import {
  absoluteBase,
  standardAnswers,
  mediaTypes,
  pageLinks,
  QueryablesSchema,
} from '../http/standards/answers.ts';
import { standardErrors, standardProgramErrors } from '../http/openapi/standards.ts';
import { standardQuery, limitQuery, namesQuery } from '../http/standards/parameters.ts';
import { textOfAtMost } from '../validation/fields.ts';
import type { App } from '../http/request/schemas.ts';
import type { Database } from '../database/tables/tables.ts';
import type { AccessPolicy } from '../http/access/access-policy.ts';

const tags = ['stac'];
const config = { scope: 'data:read' } as const;
const mostCollections = 100;
const usualCollections = 20;
const mostWords = 20;

export const CollectionParams = z.object({
  collectionId: textOfAtMost(300).describe('Code of a group, or `category.` and the code of a category'),
});

/** Registers the landing page for STAC clients, and the collections. */
export function registerStacCatalogRoutes(
  app: App,
  { db, access }: { readonly db: Database; readonly access: AccessPolicy },
): void {
  app.get('/stac', {
    config,
    schema: {
      tags,
      operationId: 'getStacCatalog',
      summary: 'Read the catalogue for STAC clients',
      description:
        'The starting point for clients of STAC. It leads to the collections, to the search and to the first 100 collections.',
      querystring: standardQuery({}),
      response: { ...standardAnswers('The catalogue', CatalogJson), ...standardErrors(400) },
    },
    handler: async (request, reply) => {
      const base = absoluteBase(request, access);
      const { rows } = await listCollections(db, { limit: mostCollections, after: undefined });
      const children = rows.map(({ code, name }) => ({
        rel: 'child',
        href: `${base}/stac/collections/${encodeURIComponent(code)}`,
        type: mediaTypes.json,
        title: name,
      }));
      return await sendText(request, reply, { body: catalogOf(base, children), type: mediaTypes.json });
    },
  });

  app.get('/stac/conformance', {
    config,
    schema: {
      tags,
      operationId: 'getStacConformance',
      summary: 'Read the conformance classes for STAC clients',
      description: 'The same list as in the catalogue.',
      querystring: standardQuery({}),
      response: {
        ...standardAnswers('Conformance classes', ConformanceJson),
        ...standardProgramErrors(400, 503),
      },
    },
    handler: async (request, reply) =>
      await sendText(request, reply, { body: { conformsTo }, type: mediaTypes.json }),
  });

  app.get('/stac/queryables', {
    config,
    schema: {
      tags,
      operationId: 'getStacQueryables',
      summary: 'Read the properties that STAC filters may name',
      description: 'As JSON Schema; the same for all collections.',
      querystring: standardQuery({}),
      response: {
        ...standardAnswers('The queryables', QueryablesSchema, mediaTypes.schema),
        ...standardProgramErrors(400, 503),
      },
    },
    handler: async (request, reply) => {
      const body = queryablesSchema(`${absoluteBase(request, access)}/stac/queryables`);
      return await sendText(request, reply, { body, type: mediaTypes.schema });
    },
  });

  app.get('/stac/collections', {
    config,
    schema: {
      tags,
      operationId: 'listStacCollections',
      summary: 'List STAC collections',
      description: 'Dataset groups, and categories with datasets that have no group.',
      querystring: standardQuery({
        limit: limitQuery(mostCollections, usualCollections),
        token: textOfAtMost(300)
          .optional()
          .describe('The position at which the page begins, from the link `next`'),
        q: namesQuery(mostWords).describe(
          'Only collections with one of these words in their code, name or description',
        ),
      }),
      response: { ...standardAnswers('A page of collections', CollectionsJson), ...standardErrors(400) },
    },
    handler: async (request, reply) => {
      const base = absoluteBase(request, access);
      const { limit, token, q } = request.query;
      const words = q?.map((word) => word.trim().replace(/^"(.*)"$/, '$1')).filter((word) => word !== '');
      const asked = words === undefined || words.length === 0 ? {} : { words };
      const { rows, next } = await listCollections(db, { limit, after: token, ...asked });
      const links = pageLinks(`${base}/stac/collections`, {
        limit,
        next,
        query: q === undefined ? {} : { q: q.join() },
        others: [{ rel: 'root', href: `${base}/stac`, type: mediaTypes.json }],
      });
      const collections = rows.map((row) => collectionOf(row, base));
      const body = { collections, links, numberReturned: collections.length };
      return await sendText(request, reply, { body, type: mediaTypes.json });
    },
  });

  app.get('/stac/collections/:collectionId', {
    config,
    schema: {
      tags,
      operationId: 'getStacCollection',
      summary: 'Read a STAC collection',
      description:
        'Its extents are those of its datasets; for more than 100,000 datasets the whole earth and all of time.',
      params: CollectionParams,
      querystring: standardQuery({}),
      response: { ...standardAnswers('The collection', CollectionJson), ...standardErrors(400, 404) },
    },
    handler: async (request, reply) => {
      const row = await findCollection(db, request.params.collectionId);
      if (row === undefined) throw standardFaults.noCollection();
      const body = collectionOf(row, absoluteBase(request, access));
      return await sendText(request, reply, { body, type: mediaTypes.json });
    },
  });

  app.get('/stac/collections/:collectionId/queryables', {
    config,
    schema: {
      tags,
      operationId: 'getStacCollectionQueryables',
      summary: 'Read the properties that filters of a STAC collection may name',
      description: 'As JSON Schema; the same for all collections.',
      params: CollectionParams,
      querystring: standardQuery({}),
      response: {
        ...standardAnswers('The queryables', QueryablesSchema, mediaTypes.schema),
        ...standardErrors(400, 404),
      },
    },
    handler: async (request, reply) => {
      const { collectionId } = request.params;
      if (!(await hasCollection(db, collectionId))) throw standardFaults.noCollection();
      const id = `${absoluteBase(request, access)}/stac/collections/${encodeURIComponent(collectionId)}/queryables`;
      return await sendText(request, reply, { body: queryablesSchema(id), type: mediaTypes.schema });
    },
  });
}

function catalogOf(base: string, children: CatalogJson['links']): CatalogJson {
  const root = `${base}/stac`;
  const { json, geoJson, openApi, schema } = mediaTypes;
  return {
    type: 'Catalog',
    stac_version: stacVersion,
    stac_extensions: [],
    id: 'steppe',
    title: 'Steppe',
    description: 'Geodata: rasters, vectors and tables by administrative units.',
    conformsTo: [...conformsTo],
    links: [
      { rel: 'self', href: root, type: json },
      { rel: 'root', href: root, type: json },
      { rel: 'conformance', href: `${root}/conformance`, type: json },
      { rel: 'data', href: `${root}/collections`, type: json },
      { rel: 'search', href: `${root}/search`, type: geoJson, method: 'GET' },
      { rel: 'search', href: `${root}/search`, type: geoJson, method: 'POST' },
      { rel: 'http://www.opengis.net/def/rel/ogc/1.0/queryables', href: `${root}/queryables`, type: schema },
      { rel: 'service-desc', href: `${root}/api`, type: openApi },
      { rel: 'service-doc', href: `${base}/docs`, type: 'text/html' },
      ...children,
    ],
  };
}

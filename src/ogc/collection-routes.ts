import { sendText } from '../http/answer/answer.ts';
import { messageText } from '../lib/message.ts';
import { z } from 'zod';
import { type FeatureCollections, placeOf } from './features/collections.ts';
import type { FeatureSource } from './features/source.ts';
import { featureSentences } from '../messages/standards/english.ts';
import { ObjectMissing } from '../object-store/object-store.ts';
import type { Queryables } from '../standards/cql2/filter.ts';
import {
  absoluteBase,
  standardAnswers,
  mediaTypes,
  pageLinks,
  QueryablesSchema,
} from '../http/standards/answers.ts';
import { standardErrors } from '../http/openapi/standards.ts';
import { standardQuery, limitQuery } from '../http/standards/parameters.ts';
import type { App } from '../http/request/schemas.ts';
import {
  CollectionJson,
  collectionOf,
  CollectionsJson,
  ConformanceJson,
  conformsTo,
  LandingJson,
} from './schemas.ts';
import { relations } from './tile-schemas.ts';
import type { AccessPolicy } from '../http/access/access-policy.ts';

const tags = ['features'];
const config = { scope: 'data:read' } as const;
/** The limit of a page; it is high because some clients never read a second page. */
const mostCollections = 1000;

export const CollectionParams = z.object({
  collectionId: z.string().max(100).describe('`districts`, `regions`, or the id of a dataset'),
});

/** Registers the landing page and the collections of OGC API - Features. */
export function registerOgcCollectionRoutes(
  app: App,
  collections: FeatureCollections,
  { access }: { readonly access: AccessPolicy },
): void {
  app.get('/ogc', {
    config,
    schema: {
      tags,
      operationId: 'getFeatureLanding',
      summary: 'Read the landing page for clients of OGC API - Features and Tiles',
      description: 'The starting point for QGIS, ArcGIS, GDAL and other clients: give them this address.',
      querystring: standardQuery({}),
      response: { ...standardAnswers('The landing page', LandingJson), ...standardErrors(400) },
    },
    handler: async (request, reply) => {
      const body = landingOf(absoluteBase(request, access));
      return await sendText(request, reply, { body, type: mediaTypes.json });
    },
  });

  app.get('/ogc/conformance', {
    config,
    schema: {
      tags,
      operationId: 'getFeatureConformance',
      summary: 'Read the conformance classes for clients of OGC APIs',
      description: 'The supported conformance classes of the standards.',
      querystring: standardQuery({}),
      response: { ...standardAnswers('Conformance classes', ConformanceJson), ...standardErrors(400) },
    },
    handler: async (request, reply) =>
      await sendText(request, reply, { body: { conformsTo }, type: mediaTypes.json }),
  });

  app.get('/ogc/collections', {
    config,
    schema: {
      tags,
      operationId: 'listFeatureCollections',
      summary: 'List collections',
      description:
        'Districts and regions, then every vector and every table by KATO that is ready, then every raster that can be drawn; of both the newest first.',
      querystring: standardQuery({
        limit: limitQuery(mostCollections, mostCollections),
        token: z
          .string()
          .refine((text) => placeOf(text) !== undefined, { error: messageText(featureSentences.token) })
          .optional()
          .describe('The position at which the page begins, from the link `next`'),
      }),
      response: { ...standardAnswers('A page of collections', CollectionsJson), ...standardErrors(400) },
    },
    handler: async (request, reply) => {
      const base = absoluteBase(request, access);
      const { limit, token } = request.query;
      const { facts, next } = await collections.list({ limit, token });
      const links = pageLinks(`${base}/ogc/collections`, { limit, next });
      const body = { collections: facts.map((each) => collectionOf(each, base)), links };
      return await sendText(request, reply, { body, type: mediaTypes.json });
    },
  });

  app.get('/ogc/collections/:collectionId', {
    config,
    schema: {
      tags,
      operationId: 'getFeatureCollection',
      summary: 'Read a collection',
      description:
        'Its box, the days of its values, the reference systems of its features, and links to its tiles. A raster has only tiles.',
      params: CollectionParams,
      querystring: standardQuery({}),
      response: { ...standardAnswers('The collection', CollectionJson), ...standardErrors(400, 404) },
    },
    handler: async (request, reply) => {
      const facts = await collections.find(request.params.collectionId);
      if (facts === undefined) throw featureSentences.noCollection();
      const body = collectionOf(facts, absoluteBase(request, access));
      return await sendText(request, reply, { body, type: mediaTypes.json });
    },
  });

  app.get('/ogc/collections/:collectionId/queryables', {
    config,
    schema: {
      tags,
      operationId: 'getFeatureQueryables',
      summary: 'Read the properties that filters of a collection may name',
      description: 'As JSON Schema. Each property is also a parameter of the items.',
      params: CollectionParams,
      querystring: standardQuery({}),
      response: {
        ...standardAnswers('The queryables', QueryablesSchema, mediaTypes.schema),
        ...standardErrors(400, 404),
      },
    },
    handler: async (request, reply) => {
      const { collectionId } = request.params;
      const source = await openFeatures(collections, collectionId);
      const id = `${absoluteBase(request, access)}/ogc/collections/${collectionId}/queryables`;
      return await sendText(request, reply, {
        body: schemaOf(id, source.queryables),
        type: mediaTypes.schema,
      });
    },
  });
}

/** Opens the features of a collection. @throws {Problem} `not_found` when the collection does not exist, or has no features */
export async function openFeatures(collections: FeatureCollections, id: string): Promise<FeatureSource> {
  const source = await collections.open(id).catch(deletedMeanwhile);
  if (source !== undefined) return source;
  const facts = await collections.find(id);
  throw facts?.kind === 'raster' ? featureSentences.noFeatures() : featureSentences.noCollection();
}

/** Reports an error as `not_found`: a dataset may be deleted after its row was read and before its object is. */
export function deletedMeanwhile(error: unknown): never {
  if (error instanceof ObjectMissing) throw featureSentences.noCollection().because(error);
  throw error;
}

function landingOf(base: string): z.infer<typeof LandingJson> {
  const root = `${base}/ogc`;
  const { json, openApi } = mediaTypes;
  return {
    title: 'Steppe',
    description:
      'Single features of datasets, values of tables by district and date, districts and regions; tiles of all of these and of rasters.',
    links: [
      { rel: 'self', href: root, type: json, title: 'This page' },
      { rel: 'service-desc', href: `${root}/api`, type: openApi, title: 'The description of the API' },
      { rel: 'service-doc', href: `${base}/docs`, type: 'text/html', title: 'The documentation' },
      { rel: 'conformance', href: `${root}/conformance`, type: json, title: 'Conformance classes' },
      { rel: 'data', href: `${root}/collections`, type: json, title: 'Collections' },
      { rel: relations.schemes, href: `${root}/tileMatrixSets`, type: json, title: 'Tile matrix sets' },
    ],
  };
}

function schemaOf(id: string, queryables: Queryables) {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: id,
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(queryables).map(([name, type]) => [
        name,
        type === 'date' ? { type: 'string', format: 'date' } : { type },
      ]),
    ),
    additionalProperties: false,
  };
}

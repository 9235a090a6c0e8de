import { z } from 'zod';
import { Problem } from '../lib/errors.ts';
import { Cursor, readCursor } from '../datasets/list/cursor.ts';
import { Catalogue, readCatalogue } from './catalogue.ts';
import { boxOf, readFacts, type Publisher } from './facts.ts';
import { isoRecord } from './iso.ts';
import { describeMetadata } from './missing.ts';
import { DatasetMetadata, MetadataInput } from './schema.ts';
import { writeMetadata } from './stored.ts';
import type { Language } from '../messages/languages/translate.ts';
import { IdParams } from '../validation/fields.ts';
import { baseUrlOf } from '../http/access/own-addresses.ts';
import { type DrawnAnswers, textAnswer } from '../http/answer/drawn.ts';
import { answerIn, LanguageQuery } from '../http/language/language.ts';
import { bytesResponse, drawnResponses, ok } from '../http/openapi/responses.ts';
import { pageQuery } from '../http/request/pages.ts';
import type { App } from '../http/request/schemas.ts';
import type { Database } from '../database/tables/tables.ts';
import type { Maps } from '../maps/service/maps.ts';
import type { VectorMaps } from '../maps/service/vector-maps.ts';
import type { AccessPolicy } from '../http/access/access-policy.ts';

const tags = ['metadata'];
const xml = 'application/xml';
const jsonLd = 'application/ld+json';

const readText = `The entries of people in the record, and its missing elements: \`missing\` names each element, whether catalogues require it, and the request that sets it.
Available in any status; facts from the file are missing until the file has been read.`;

const recordText = `The record of the dataset by ISO 19139 (\`gmd\`, 2007), the form in which GeoNetwork, geoportals of the INSPIRE profile and QGIS read ISO 19115. An unknown element is
marked as such (\`gco:nilReason\`), so that the record is always valid; \`GET /datasets/{id}/metadata\` lists these elements. For an output of a run, the lineage names the node, the
run and every upload from which the output was made.`;

const catalogueText = `The ready datasets, newest first, as a \`dcat:Catalog\` of DCAT-AP 3 in JSON-LD, for open-data portals. Its vocabularies are inline. \`hydra:next\` of \`hydra:view\` is the
address of the next page.`;

interface Dependencies {
  readonly db: Database;
  readonly maps: Maps;
  readonly vectorMaps: VectorMaps;
  readonly drawnAnswers: DrawnAnswers;
  readonly publisher: Publisher;
  readonly access: AccessPolicy;
}

/** Registers the metadata records of datasets and the catalogue. */
export function registerMetadataRoutes(
  app: App,
  { db, publisher, access, maps, vectorMaps, drawnAnswers }: Dependencies,
): void {
  const boxOfVector = async (id: string) => {
    try {
      const { bounds } = await vectorMaps.factsOf(await vectorMaps.ofDataset(await maps.dataset(id)));
      return boxOf(bounds ?? null);
    } catch (error) {
      // A dataset that cannot be drawn still has a record.
      if (error instanceof Problem && ['conflict', 'invalid', 'not_found'].includes(error.code)) return null;
      throw error;
    }
  };
  const facts = async (id: string, language: Language) =>
    await readFacts({ db, publisher, boxOfVector }, id, language);

  app.get('/datasets/:id/metadata', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getDatasetMetadata',
      summary: 'Read the missing elements of the metadata record of a dataset',
      description: readText,
      params: IdParams,
      response: ok('The fields of the record, and the missing elements', DatasetMetadata, 400, 404),
    },
    handler: async (request, reply) => {
      const language = answerIn(request, reply);
      return describeMetadata(await facts(request.params.id, language), language);
    },
  });

  app.put('/datasets/:id/metadata', {
    config: { scope: 'data:write' },
    schema: {
      tags,
      operationId: 'setDatasetMetadata',
      summary: 'Replace the fields of the metadata record of a dataset',
      description:
        'Replaces all fields that people have entered: an omitted field is cleared. Name, description and period are those of the dataset.',
      params: IdParams,
      body: MetadataInput,
      response: ok('The fields of the record, and the missing elements', DatasetMetadata, 400, 404, 413, 422),
    },
    handler: async (request, reply) => {
      await writeMetadata(db, request.params.id, request.body);
      const language = answerIn(request, reply);
      return describeMetadata(await facts(request.params.id, language), language);
    },
  });

  app.get('/datasets/:id/metadata.xml', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getDatasetRecord',
      summary: 'Read the metadata record of a dataset by ISO 19139',
      description: recordText,
      params: IdParams,
      querystring: LanguageQuery,
      response: drawnResponses(bytesResponse('The record', xml), 400, 404),
    },
    handler: (request, reply) =>
      drawnAnswers.send(request, reply, async () => {
        const language = answerIn(request, reply);
        const known = await facts(request.params.id, language);
        return textAnswer(isoRecord(known, baseUrlOf(request, access), language), xml);
      }),
  });

  app.get('/catalog.jsonld', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getCatalogue',
      summary: 'Read the catalogue of datasets by DCAT',
      description: catalogueText,
      querystring: z.object({
        page_size: pageQuery.page_size,
        after: Cursor.optional().describe('The position at which the page begins, from `hydra:next`'),
        ...LanguageQuery.shape,
      }),
      response: drawnResponses(
        { description: 'A page of the catalogue', content: { [jsonLd]: { schema: Catalogue } } },
        400,
      ),
    },
    handler: (request, reply) =>
      drawnAnswers.send(request, reply, async () => {
        const { page_size: limit, after: text = '' } = request.query;
        const language = answerIn(request, reply);
        const key = readCursor(text);
        const after = key && { text, key };
        const base = baseUrlOf(request, access);
        return textAnswer(await readCatalogue({ db, publisher, base, language, limit, after }), jsonLd);
      }),
  });
}

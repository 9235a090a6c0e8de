import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { openTable } from '../../datasets/export/open-table.ts';
import { refuseWideTable } from '../../datasets/export/table-files.ts';
import { featuresParquet, refuseWideFeatures } from '../../datasets/export/features-parquet.ts';
import { tableGeoParquet } from '../../datasets/export/table-parquet.ts';
import type { RecentDataset } from '../../datasets/recent-datasets.ts';
import { getFlatGeobufKey } from '../../datasets/vector-features.ts';
import { fileProblems } from '../../messages/request.ts';
import { tableOutProblems } from '../../messages/tables.ts';
import { ObjectMissing } from '../../object-store/object-store.ts';
import { IdParams } from '../../validation/fields.ts';
import { attachment } from '../files/content-headers.ts';
import { sendStreamed } from '../files/streamed-response.ts';
import { makerOf, tableMedia } from '../files/table-forms.ts';
import { languageAsked, languageHeaders, LanguageQuery } from '../language/language.ts';
import { drawnResponses, FileBytes } from '../openapi/responses.ts';
import type { App } from '../request/schemas.ts';
import type { TakeWritingPlace } from '../request/writing-places.ts';
import type { Services } from './services.ts';

const description = `GeoParquet 1.1: WKB in WGS 84, longitude first, with the box of each row beside it. It is written while it is sent. Another type is 422, a dataset that
is not \`ready\` 409, and 429 says that other tables are being written already.

- Of a \`vector\`: each feature as its FlatGeobuf (\`.fgb\`) has it, in its order, with all attributes: texts, numbers of 64 bits, whole ones as such, booleans; a column of
  different types holds the JSON text of each value. 404 where there is no FlatGeobuf, 422 for more than 998 attributes.
- Of a \`vector_with_kato\`: the columns of \`observations.parquet\`, wide, and the borders of the unit as they are today; none where no unit has the code.`;

/** Registers vectors as GeoParquet. */
export function registerGeoParquetRoute(
  app: App,
  { db, featureFiles, recentDatasets, rates }: Services,
  takePlace: TakeWritingPlace,
): void {
  type GeoRequest = FastifyRequest<{ Params: { id: string }; Querystring: z.infer<typeof LanguageQuery> }>;

  async function sendTable(request: GeoRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { signal, ...place } = takePlace(request, reply);
    await using held = place.held;
    const { unitAreas } = rates;
    const table = held.use(await openTable(db, request.params.id, { withRate: false, unitAreas, signal }));
    refuseWideTable(table.facts, { form: 'parquet', shape: 'wide' });
    const language = languageAsked(request, request.query);
    return await sendStreamed(request, reply, {
      parts: [table.facts.version, 'geo', makerOf('parquet'), language],
      headers: languageHeaders(language),
      contentHeaders: contentHeaders(table.facts.name),
      write: () => tableGeoParquet(table, language),
      held,
      signal,
    });
  }

  async function sendFeatures(
    request: GeoRequest,
    reply: FastifyReply,
    dataset: RecentDataset,
  ): Promise<FastifyReply> {
    const key = getFlatGeobufKey(dataset);
    const { signal, ...place } = takePlace(request, reply);
    await using held = place.held;
    const file = await featureFiles.open(key).catch((error: unknown) => {
      throw error instanceof ObjectMissing ? fileProblems.gone().because(error) : error;
    });
    refuseWideFeatures(file);
    return await sendStreamed(request, reply, {
      parts: [key, dataset.name, makerOf('parquet')],
      headers: {},
      contentHeaders: contentHeaders(dataset.name),
      write: () => featuresParquet(featureFiles, file),
      held,
      signal,
    });
  }

  app.get('/datasets/:id.parquet', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['datasets'],
      operationId: 'getDatasetGeoParquet',
      summary: 'Read a vector dataset as GeoParquet',
      description,
      params: IdParams,
      querystring: LanguageQuery,
      response: drawnResponses(
        { description: 'The features', content: { [tableMedia.parquet]: { schema: FileBytes } } },
        400,
        404,
        409,
        422,
        429,
      ),
    },
    handler: async (request, reply) => {
      const dataset = await recentDatasets.read(request.params.id);
      if (dataset.file_type === 'raster') throw tableOutProblems.noVector();
      if (dataset.file_type === 'vector') return await sendFeatures(request, reply, dataset);
      return await sendTable(request, reply);
    },
  });
}

const contentHeaders = (name: string) => ({
  'content-type': tableMedia.parquet,
  'content-disposition': attachment(`${name}.parquet`),
});

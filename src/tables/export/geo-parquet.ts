import { hasManyCells, openTable } from './open-table.ts';
import { refuseWideTable } from './table-files.ts';
import { featuresParquet, refuseWideFeatures } from './features-parquet.ts';
import { tableGeoParquet } from './table-parquet.ts';
import { getFlatGeobufKey } from '../../datasets/vector-features.ts';
import { isLongFile, type FeatureFiles } from '../../geo/flatgeobuf/open-file.ts';
import { fileProblems } from '../../messages/request/english.ts';
import { tableOutProblems } from '../../messages/tables/english.ts';
import { ObjectMissing } from '../../object-store/object-store.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { IdParams } from '../../validation/fields.ts';
import { clientOf } from '../../http/access/authentication.ts';
import { attachment } from '../../http/files/content-headers.ts';
import { sendSpooled, type SpooledAnswer, spooledText, Superseded } from '../../http/answer/spooled.ts';
import { makerOf, tableMedia } from '../../http/files/table-forms.ts';
import { answerIn, LanguageQuery } from '../../http/language/language.ts';
import { madeFileResponses, FileBytes } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { RecentDatasets } from '../../datasets/recent-datasets.ts';
import type { Spool } from '../../spool/spool.ts';
import type { Rates } from '../rates/rate-series.ts';
import type { TileBudget } from '../../http/limits/tile-budget.ts';

const description = `GeoParquet 1.1: WKB in WGS 84, longitude first, with the bounding box of each row in a separate column. Another type is answered with 422, a dataset that is not \`ready\` with 409.

- For a \`vector\`: each feature as in its FlatGeobuf (\`.fgb\`), in the same order, with all attributes: texts, 64-bit numbers and integers, booleans; a column of
    different types contains the JSON text of each value. 404 without a FlatGeobuf, 422 for more than 998 attributes.
- For a \`vector_with_kato\`: the columns of \`observations.parquet\`, wide, and the current borders of the unit, or none if no unit has the code.

${spooledText}`;

interface Dependencies {
  readonly db: Database;
  readonly recentDatasets: RecentDatasets;
  readonly featureFiles: FeatureFiles;
  readonly spool: Spool;
  readonly rates: Rates;
  readonly tileBudget: TileBudget;
}

export function registerGeoParquetRoute(
  app: App,
  { db, featureFiles, recentDatasets, rates, tileBudget, spool }: Dependencies,
): void {
  function tableAnswer(id: string, language: Language) {
    const { unitAreas } = rates;
    const open = async (signal: AbortSignal) =>
      await openTable(db, id, { withRate: false, unitAreas, signal });
    return async (gone: AbortSignal): Promise<SpooledAnswer> => {
      await using table = await open(gone);
      const { version, name } = table.facts;
      refuseWideTable(table.facts, { form: 'parquet', shape: 'wide' });
      return {
        parts: [version, 'geo', makerOf('parquet'), language],
        contentHeaders: contentHeaders(name),
        isLong: async () => await hasManyCells(db, id),
        async *source(signal) {
          await using now = await open(signal);
          if (now.facts.version !== version) throw new Superseded();
          yield* tableGeoParquet(now, language);
        },
      };
    };
  }

  function featuresAnswer(id: string) {
    return async (): Promise<SpooledAnswer> => {
      const dataset = await recentDatasets.read(id);
      const key = getFlatGeobufKey(dataset);
      const file = await featureFiles.open(key).catch(rethrowAsGone);
      refuseWideFeatures(file);
      return {
        parts: [key, dataset.name, makerOf('parquet')],
        contentHeaders: contentHeaders(dataset.name),
        isLong: async () => isLongFile(file),
        source: (signal) => featuresParquet(featureFiles, file, signal),
      };
    };
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
      response: madeFileResponses(
        {
          description: 'The features as GeoParquet',
          content: { [tableMedia.parquet]: { schema: FileBytes } },
        },
        400,
        404,
        409,
        422,
        429,
      ),
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      const dataset = await recentDatasets.read(id);
      if (dataset.file_type === 'raster') throw tableOutProblems.noVector();
      const isVector = dataset.file_type === 'vector';
      const lookUp = isVector ? featuresAnswer(id) : tableAnswer(id, answerIn(request, reply));
      const charge = () => tileBudget.charge(clientOf(request));
      return await sendSpooled(request, reply, { spool, charge, lookUp }).catch(rethrowAsGone);
    },
  });
}

const contentHeaders = (name: string) => ({
  'content-type': tableMedia.parquet,
  'content-disposition': attachment(`${name}.parquet`),
});

function rethrowAsGone(error: unknown): never {
  throw error instanceof ObjectMissing ? fileProblems.gone().because(error) : error;
}

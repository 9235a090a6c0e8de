import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { openTable, type OpenTable } from '../../datasets/export/open-table.ts';
import { refuseWideTable, tableCsv, tableWorkbook, type Written } from '../../datasets/export/table-files.ts';
import { tableParquet } from '../../datasets/export/table-parquet.ts';
import { listObservations, Observation } from '../../datasets/observations.ts';
import { gzipped } from '../../lib/packing.ts';
import { IdParams, Text } from '../../validation/fields.ts';
import { attachment, chooseEncoding } from '../files/content-headers.ts';
import { sendStreamed } from '../files/streamed-response.ts';
import { formAsked, makerOf, tableMedia } from '../files/table-forms.ts';
import { languageAsked, languageHeaders, LanguageQuery } from '../language/language.ts';
import { drawnResponses, FileBytes } from '../openapi/responses.ts';
import { pageOf, pageQuery, sendPage } from '../request/pages.ts';
import { RateQuery } from '../request/rate-query.ts';
import type { App } from '../request/schemas.ts';
import { createWritingPlaces, maxWrittenAtOnce } from '../request/writing-places.ts';
import { registerGeoPackageRoute } from './geo-package.ts';
import { registerGeoParquetRoute } from './geo-parquet.ts';
import type { Services } from './services.ts';

const tags = ['tables by KATO'];

const layoutText = `- \`shape=wide\`, as the table came in: a row of each of its rows that has a code, in their order; the code, the name of the unit in the language of
  \`lang\`, else of \`Accept-Language\`, and the mapped columns under their own names, numbers and texts as they were read.
- \`shape=long\`: a row of each value, by code and date: \`kato_code\`, \`name\`, \`start_date\`, \`end_date\`, \`value\`, \`value_text\` where a
  text is in its place, and \`land_since\` where the land of the unit changed between the dates of the table: values before that day are of other land, and
  \`history\` of \`GET /datasets/{id}/series\` names the acts. It is empty where the land stayed the same, or where the change is not known.

With \`rate=1\` the rates are beside the values: of the wide shape a column for each mapped one, of the long shape \`rate\`, \`rate_reason\` and what the value was divided
by. Without a denominator that is 409. It is streamed from one snapshot: another mapping meanwhile changes nothing in it. Another type than \`vector_with_kato\`
is 422, a dataset that is not \`ready\` 409, and 429 says that ${maxWrittenAtOnce} tables are being written already.`;

const csvText = `RFC 4180 in UTF-8, numbers not rounded, gzip for those who accept it. A text that a spreadsheet would take for a formula has an apostrophe in front. For Excel take
\`observations.xlsx\`.

${layoutText}`;

const workbookText = `The first sheet says what the table is and how it was read; the next ones have the table, as many as its rows need. Codes are text cells. More columns than a
sheet can have are 422.

${layoutText}`;

const parquetText = `For pandas, R, DuckDB and other programs: columns with types, packed by Snappy, group of rows by group of rows. Numbers are those of the JSON, 64 bits wide; dates are
dates, codes are texts. A wide column that has texts beside numbers becomes two, \`name\` with the numbers and \`name_text\` with the texts; one that has texts alone is a
column of texts. A wide table of more than 1,000 columns is 422.

${layoutText}`;

const listText = `A dataset of any type and status without observations gives an empty page. With \`format\`, or an \`Accept\` that prefers \`text/csv\` or
\`${tableMedia.parquet}\`, the answer is that of \`observations.csv\` or \`observations.parquet\` with \`shape=long\`: all pages at once, with the statuses of these.`;

const CodeQuery = z.object({ kato_code: Text.optional().describe('Only observations of this code') });

const TableQuery = z.object({
  shape: z.enum(['wide', 'long']).default('wide').describe('As the table came in, or a row for each value'),
  ...CodeQuery.shape,
  ...RateQuery.shape,
  ...LanguageQuery.shape,
});

const ListQuery = z.object({
  ...pageQuery,
  ...CodeQuery.shape,
  ...LanguageQuery.shape,
  format: z
    .enum(['json', 'csv', 'parquet'])
    .optional()
    .describe('`json` is paged; the others are not. Without it, what `Accept` prefers'),
});

/** Registers the observations of tables: as pages, and as files for people and programs. */
export function registerTableFileRoutes(app: App, services: Services): void {
  const { db, rates, tileBudget } = services;
  const takePlace = createWritingPlaces(tileBudget);

  type TableRequest = FastifyRequest<{ Params: { id: string } }>;

  async function send(
    request: TableRequest,
    reply: FastifyReply,
    { form, ...query }: z.infer<typeof TableQuery> & { readonly form: FileForm },
  ): Promise<FastifyReply> {
    const { shape, rate, kato_code: code } = query;
    const { signal, ...place } = takePlace(request, reply);
    await using held = place.held;
    const { unitAreas } = rates;
    const table = held.use(
      await openTable(db, request.params.id, { withRate: rate === '1', code, unitAreas, signal }),
    );
    refuseWideTable(table.facts, { form, shape });
    const language = languageAsked(request, query);
    const encoding =
      form === 'csv' ? chooseEncoding(request.headers['accept-encoding'], ['gzip']) : undefined;
    return await sendStreamed(request, reply, {
      parts: [table.facts.version, makerOf(form), shape, language, encoding ?? null],
      headers: {
        ...languageHeaders(language),
        vary: form === 'csv' ? 'Accept, Accept-Encoding, Accept-Language' : 'Accept, Accept-Language',
      },
      contentHeaders: {
        'content-type': tableMedia[form],
        'content-disposition': attachment(`${table.facts.name}.${form}`),
        ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
      },
      write: () => bytesOf(table, { form, shape, language, encoding }),
      held,
      signal,
    });
  }

  registerGeoParquetRoute(app, services, takePlace);
  registerGeoPackageRoute(app, services, takePlace);

  app.get('/datasets/:id/observations', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'listObservations',
      summary: 'List observations by code, start and end',
      description: listText,
      params: IdParams,
      querystring: ListQuery,
      response: drawnResponses(
        {
          description: 'A page of observations, or all of them as a file',
          content: {
            'application/json': { schema: pageOf(Observation, 'ObservationPage') },
            'text/csv': { schema: z.string() },
            [tableMedia.parquet]: { schema: FileBytes },
          },
        },
        400,
        404,
        409,
        422,
        429,
      ),
    },
    handler: async (request, reply) => {
      const { format, ...query } = request.query;
      const form = format ?? formAsked(request.headers.accept, ['csv', 'parquet']);
      if (form !== 'json') return await send(request, reply, { ...query, form, shape: 'long' });
      reply.header('vary', 'Accept');
      return await sendPage(request, reply, (window) =>
        listObservations(db, request.params.id, query, window),
      );
    },
  });

  for (const { form, operationId, summary, description, response } of [
    {
      form: 'csv',
      operationId: 'getObservationsCsv',
      summary: 'Download the observations of a table as CSV',
      description: csvText,
      response: { description: 'The table', content: { 'text/csv': { schema: z.string() } } },
    },
    {
      form: 'xlsx',
      operationId: 'getObservationsWorkbook',
      summary: 'Download the observations of a table as a workbook',
      description: workbookText,
      response: { description: 'The workbook', content: { [tableMedia.xlsx]: { schema: FileBytes } } },
    },
    {
      form: 'parquet',
      operationId: 'getObservationsParquet',
      summary: 'Download the observations of a table as Parquet',
      description: parquetText,
      response: { description: 'The table', content: { [tableMedia.parquet]: { schema: FileBytes } } },
    },
  ] as const) {
    app.get(`/datasets/:id/observations.${form}`, {
      config: { scope: 'data:read' },
      schema: {
        tags,
        operationId,
        summary,
        description,
        params: IdParams,
        querystring: TableQuery,
        response: drawnResponses(response, 400, 404, 409, 422, 429),
      },
      handler: async (request, reply) => await send(request, reply, { ...request.query, form }),
    });
  }
}

type FileForm = 'csv' | 'xlsx' | 'parquet';

function bytesOf(
  table: OpenTable,
  {
    form,
    encoding,
    ...written
  }: Written & { readonly form: FileForm; readonly encoding: string | undefined },
): AsyncIterable<Uint8Array | string> {
  if (form === 'xlsx') return tableWorkbook(table, written);
  if (form === 'parquet') return tableParquet(table, written);
  const text = tableCsv(table, written);
  return encoding === undefined ? text : gzipped(text);
}

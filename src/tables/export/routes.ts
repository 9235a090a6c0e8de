import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { hasManyCells, openTable, type OpenTable } from './open-table.ts';
import { refuseWideTable, tableCsv, tableWorkbook, type Written } from './table-files.ts';
import { tableParquet } from './table-parquet.ts';
import { listObservations, Observation } from '../observations.ts';
import { gzipped } from '../../lib/formats/packing.ts';
import { IdParams, Text } from '../../validation/fields.ts';
import { clientOf } from '../../http/access/authentication.ts';
import { attachment, chooseEncoding } from '../../http/files/content-headers.ts';
import { sendSpooled, type SpooledAnswer, spooledText, Superseded } from '../../http/answer/spooled.ts';
import { formAsked, makerOf, tableMedia } from '../../http/files/table-forms.ts';
import { answerIn, LanguageQuery } from '../../http/language/language.ts';
import { madeFileResponses, FileBytes } from '../../http/openapi/responses.ts';
import { pageOf, pageQuery, sendPage } from '../../http/request/pages.ts';
import { RateQuery } from '../../http/request/rate-query.ts';
import type { App } from '../../http/request/schemas.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { Spool } from '../../spool/spool.ts';
import type { Rates } from '../rates/rate-series.ts';
import type { TileBudget } from '../../http/limits/tile-budget.ts';

const tags = ['tables by KATO'];

const layoutText = `- \`shape=wide\`, the layout of the uploaded table: a row for each of its rows with a code, in the same order, with the code, the name of the unit in the language of
  \`lang\`, otherwise of \`Accept-Language\`, and the mapped columns under their own names, with numbers and texts as they were read.
- \`shape=long\`: a row for each value, by code and date: \`kato_code\`, \`name\`, \`start_date\`, \`end_date\`, \`value\`, \`value_text\` for a
  text in its place, and \`land_since\` if the land of the unit changed between the dates of the table: values before that day refer to other land, and
  \`history\` of \`GET /datasets/{id}/series\` names the acts. It is empty if the land stayed the same, or if the change is unknown.

If the mapping has units or columns of remarks, the long shape ends with \`unit\`, \`status\` (\`none\`, \`not_available\`, \`not_applicable\`, \`confidential\`, \`negligible\`,
\`revised\`, \`provisional\`, \`estimated\`, \`note\`) and \`remark\`, the marks of the cell with their explanation; the wide shape has the columns of remarks behind the mapped ones.

With \`rate=1\` the file has rates as well: a column for each mapped column in the wide shape; \`rate\`, \`rate_reason\` and the denominator of the value in the long shape.
409 without a denominator. The file is written from one snapshot, which later mappings do not change. Another type than \`vector_with_kato\`
is answered with 422, a dataset that is not \`ready\` with 409.

${spooledText}`;

const csvText = `RFC 4180 in UTF-8, with unrounded numbers, in gzip for clients that accept it. A text that a spreadsheet would read as a formula is prefixed with an apostrophe,
also after a \`;\`, a tab or a line break in it. The file has no byte-order mark, because many readers read it as a part of the first name: for Excel use \`observations.xlsx\`.

${layoutText}`;

const workbookText = `The first sheet contains the table, and further sheets continue it if it has too many rows for one; the last sheet describes the table and how it was read. Codes are text cells. More columns than a
sheet can have are answered with 422.

${layoutText}`;

const parquetText = `For pandas, R, DuckDB and other programs: columns with types, compressed by Snappy, in row groups. Numbers are those of the JSON, with 64 bits; dates are
dates, codes are texts. A wide column with both numbers and texts becomes two columns, \`name\` with the numbers and \`name_text\` with the texts; a column with texts only is a
column of texts. A wide table of more than 1,000 columns is answered with 422.

${layoutText}`;

const listText = `A dataset without observations, of any type and status, gives an empty page. With \`format\`, or an \`Accept\` that prefers \`text/csv\` or
\`${tableMedia.parquet}\`, the answer is that of \`observations.csv\` or \`observations.parquet\` with \`shape=long\`: all pages at once, with the same statuses.`;

const CodeQuery = z.object({ kato_code: Text.optional().describe('Only observations of this code') });

const TableQuery = z.object({
  shape: z
    .enum(['wide', 'long'])
    .default('wide')
    .describe('`wide` has the layout of the uploaded table, `long` a row for each value'),
  ...CodeQuery.shape,
  ...RateQuery.shape,
  ...LanguageQuery.shape,
});

const ListQuery = z.object({
  ...pageQuery,
  ...CodeQuery.shape,
  ...LanguageQuery.shape,
  remarks: z
    .enum(['1'])
    .optional()
    .describe('Add `unit`, `status` and `remark` to each observation; files have them without being asked'),
  format: z
    .enum(['json', 'csv', 'parquet'])
    .optional()
    .describe('`json` is paged; the others are not. Without it, the format that `Accept` prefers'),
});

const files = { 'text/csv': { schema: z.string() }, [tableMedia.parquet]: { schema: FileBytes } };

interface Dependencies {
  readonly db: Database;
  readonly spool: Spool;
  readonly rates: Rates;
  readonly tileBudget: TileBudget;
}

/** Registers the observations of tables as pages and as files. */
export function registerTableFileRoutes(app: App, parts: Dependencies): void {
  const { db, rates, tileBudget, spool } = parts;

  type TableRequest = FastifyRequest<{ Params: { id: string } }>;

  async function send(
    request: TableRequest,
    reply: FastifyReply,
    { form, ...query }: z.infer<typeof TableQuery> & { readonly form: FileForm },
  ): Promise<FastifyReply> {
    const { shape, rate, kato_code: code } = query;
    const { id } = request.params;
    const { unitAreas } = rates;
    const open = async (signal: AbortSignal) =>
      await openTable(db, id, { withRate: rate === '1', code, unitAreas, signal });
    const language = answerIn(request, reply);
    // Ranges refer to the unencoded text.
    const encoding =
      form === 'csv' && request.headers.range === undefined
        ? chooseEncoding(request.headers['accept-encoding'], ['gzip'])
        : undefined;
    const lookUp = async (gone: AbortSignal): Promise<SpooledAnswer> => {
      await using table = await open(gone);
      const { version, name } = table.facts;
      refuseWideTable(table.facts, { form, shape });
      return {
        parts: [version, makerOf(form), shape, language, encoding ?? null],
        headers: {
          vary: form === 'csv' ? 'Accept, Accept-Encoding, Accept-Language' : 'Accept, Accept-Language',
        },
        contentHeaders: {
          'content-type': tableMedia[form],
          'content-disposition': attachment(`${name}.${form}`),
          ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
        },
        isLong: async () => await hasManyCells(db, id, code),
        async *source(signal) {
          await using now = await open(signal);
          if (now.facts.version !== version) throw new Superseded();
          yield* bytesOf(now, { form, shape, language, encoding });
        },
      };
    };
    return await sendSpooled(request, reply, {
      spool,
      charge: () => tileBudget.charge(clientOf(request)),
      lookUp,
    });
  }

  app.get('/datasets/:id/observations', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'listObservations',
      summary: 'List observations by code, start and end',
      description: listText,
      params: IdParams,
      querystring: ListQuery,
      response: {
        ...madeFileResponses(
          { description: 'All observations as a file', content: files },
          400,
          404,
          409,
          422,
          429,
        ),
        200: {
          description: 'A page of observations, or all observations as a file',
          content: { 'application/json': { schema: pageOf(Observation, 'ObservationPage') }, ...files },
        },
      },
    },
    handler: async (request, reply) => {
      const { format, remarks, ...query } = request.query;
      const form = format ?? formAsked(request.headers.accept, ['csv', 'parquet']);
      if (form !== 'json') return await send(request, reply, { ...query, form, shape: 'long' });
      reply.header('vary', 'Accept');
      return await sendPage(request, reply, (window) =>
        listObservations(db, request.params.id, { ...query, withRemarks: remarks === '1' }, window),
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
        response: madeFileResponses(response, 400, 404, 409, 422, 429),
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

import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { openTable, type OpenTable } from '../../datasets/export/open-table.ts';
import { refuseWideSheet, tableCsv, tableWorkbook } from '../../datasets/export/table-files.ts';
import { gzipped } from '../../lib/packing.ts';
import { tableOutProblems } from '../../messages/tables.ts';
import { fileProblems } from '../../messages/request.ts';
import { IdParams } from '../../validation/fields.ts';
import { isListed, matches } from '../files/conditions.ts';
import { attachment, chooseEncoding } from '../files/content-headers.ts';
import { tableMedia } from '../files/table-forms.ts';
import { answerIn, errorBody, languageAsked, languageHeaders, LanguageQuery } from '../language/language.ts';
import { drawnResponses, FileBytes } from '../openapi/responses.ts';
import { RateQuery } from '../request/rate-query.ts';
import type { App } from '../request/schemas.ts';
import { untilGone } from '../request/until-gone.ts';
import type { Services } from './services.ts';

/** Each holds a database connection until its client has all of it. */
const maxAtOnce = 4;
/** A client that takes longer holds up what the database has to tidy. */
const maxSeconds = 1800;

const layoutText = `- \`shape=wide\`, as the table came in: a row of each of its rows that has a code, in their order; the code, the name of the unit in the language of
  \`lang\`, else of \`Accept-Language\`, and the mapped columns under their own names, numbers and texts as they were read.
- \`shape=long\`: a row of each value, by code and date: \`kato_code\`, \`name\`, \`start_date\`, \`end_date\`, \`value\`, \`value_text\` where a
  text is in its place, and \`land_since\` where the land of the unit changed between the dates of the table: values before that day are of other land, and
  \`history\` of \`GET /datasets/{id}/series\` names the acts. It is empty where the land stayed the same, or where the change is not known.

With \`rate=1\` the rates are beside the values: of the wide shape a column for each mapped one, of the long shape \`rate\`, \`rate_reason\` and what the value was divided
by. Without a denominator that is 409. It is streamed from one snapshot: another mapping meanwhile changes nothing in it. Another type than \`vector_with_kato\`
is 422, a dataset that is not \`ready\` 409, and 429 says that ${maxAtOnce} tables are being written already.`;

const csvText = `RFC 4180 in UTF-8, numbers not rounded, gzip for those who accept it. A text that a spreadsheet would take for a formula has an apostrophe in front. For Excel take
\`observations.xlsx\`.

${layoutText}`;

const workbookText = `The first sheet says what the table is and how it was read; the next ones have the table, as many as its rows need. Codes are text cells. More columns than a
sheet can have are 422.

${layoutText}`;

const TableQuery = z.object({
  shape: z.enum(['wide', 'long']).default('wide').describe('As the table came in, or a row for each value'),
  ...RateQuery.shape,
  ...LanguageQuery.shape,
});

/** Registers the observations of tables as files for people and programs. */
export function registerTableFileRoutes(app: App, { db, rates, tileBudget }: Services): void {
  let underWay = 0;

  type TableRequest = FastifyRequest<{
    Params: { id: string };
    Querystring: z.infer<typeof TableQuery>;
  }>;

  async function send(
    request: TableRequest,
    reply: FastifyReply,
    form: 'csv' | 'xlsx',
  ): Promise<FastifyReply> {
    const { shape, rate } = request.query;
    tileBudget.charge(request.ip);
    if (underWay >= maxAtOnce) throw tableOutProblems.tooManyAtOnce();
    underWay += 1;
    await using held = new AsyncDisposableStack();
    held.defer(() => void (underWay -= 1));
    const signal = AbortSignal.any([untilGone(reply), AbortSignal.timeout(maxSeconds * 1000)]);
    const { unitAreas } = rates;
    const table = held.use(
      await openTable(db, request.params.id, { withRate: rate === '1', unitAreas, signal }),
    );
    if (form === 'xlsx') refuseWideSheet(table.facts, shape);
    const language = languageAsked(request, request.query);
    const encoding =
      form === 'csv' ? chooseEncoding(request.headers['accept-encoding'], ['gzip']) : undefined;
    const parts = [table.facts.version, form, shape, language, encoding ?? null];
    const etag = `"${hash('sha256', JSON.stringify(parts)).slice(0, 32)}"`;
    const headers = {
      ...languageHeaders(language),
      vary: form === 'csv' ? 'Accept-Encoding, Accept-Language' : 'Accept-Language',
      etag,
      'cache-control': 'no-cache',
    };
    if (!matches(request.headers['if-match'], etag)) {
      reply.code(412).headers(headers);
      return await reply.send(errorBody(fileProblems.changed, answerIn(request, reply)));
    }
    if (isListed(request.headers['if-none-match'], etag))
      return await reply.code(304).headers(headers).send();
    const body =
      request.method === 'HEAD'
        ? Readable.from([])
        : Readable.from(bytesOf(table, { form, shape, language, encoding }), { objectMode: false });
    const rest = held.move();
    body.once('close', () => void rest.disposeAsync().catch((error: unknown) => request.log.warn(error)));
    signal.addEventListener('abort', () => body.destroy(), { once: true });
    reply.headers({
      ...headers,
      'content-type': tableMedia[form],
      'content-disposition': attachment(`${table.facts.name}.${form}`),
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    });
    return await reply.send(body);
  }

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
  ] as const) {
    app.get(`/datasets/:id/observations.${form}`, {
      config: { scope: 'data:read' },
      schema: {
        tags: ['tables by KATO'],
        operationId,
        summary,
        description,
        params: IdParams,
        querystring: TableQuery,
        response: drawnResponses(response, 400, 404, 409, 422, 429),
      },
      handler: async (request, reply) => await send(request, reply, form),
    });
  }
}

function bytesOf(
  table: OpenTable,
  {
    form,
    encoding,
    ...written
  }: Parameters<typeof tableCsv>[1] & {
    readonly form: 'csv' | 'xlsx';
    readonly encoding: string | undefined;
  },
): AsyncIterable<Buffer | string> {
  if (form === 'xlsx') return tableWorkbook(table, written);
  const text = tableCsv(table, written);
  return encoding === undefined ? text : gzipped(text);
}

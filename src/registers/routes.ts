import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { readUnits } from '../areas/by-unit.ts';
import { orientations, paperSizes } from '../../common/maps/paper/papers.ts';
import { unitLevels } from '../../common/maps/units/levels.ts';
import { readDistrictsVersion } from '../database/districts-version.ts';
import { baseUrlOf } from '../http/access/own-addresses.ts';
import type { AccessPolicy } from '../http/access/access-policy.ts';
import type { DrawnAnswers } from '../http/answer/drawn.ts';
import { attachment } from '../http/files/content-headers.ts';
import { formAsked, makerOf, type TableForm, tableMedia } from '../http/files/table-forms.ts';
import { answerIn, LanguageQuery } from '../http/language/language.ts';
import type { TileBudget } from '../http/limits/tile-budget.ts';
import { pendingResponse, type ResultWaiters, waitQuery } from '../http/long-poll/result-waiters.ts';
import { bytesResponse, drawnResponses, FileBytes, madeFileResponses } from '../http/openapi/responses.ts';
import type { App } from '../http/request/schemas.ts';
import type { PaperMaps } from '../maps/paper/paper-maps.ts';
import type { Language } from '../messages/languages/translate.ts';
import { Scale } from '../print/routes.ts';
import type { SheetDependencies } from '../print/sheet-subject.ts';
import { readWarning } from '../landscape/groups/warnings.ts';
import { readSuccession } from '../units/history/store.ts';
import { CalendarDate, Guid, KatoCode, writtenLike } from '../validation/fields.ts';
import { comparedUnit, compareRegisters } from './compare.ts';
import { registerFileVersion, registersFile } from './files.ts';
import { registerReport, registerReportVersion } from './report.ts';
import { RegisterComparison, type SideName } from './schema.ts';
import { drawnUnits, drawRegisterSheet, registerSheetVersion } from './sheet.ts';
import { prepareSide, type PreparedSide, type RegisterDependencies, type SideOrder } from './sides.ts';

const tags = ['registers'];

const Params = z.object({
  a: Guid.describe('Id of the first dataset: a table by KATO, or a raster of classes'),
  b: Guid.describe('Id of the second dataset; it may be the first one, with another date or other classes'),
});

const Factor = z
  .string()
  .regex(/^(?=.{1,20}$)(?=.*[1-9])\d{1,12}(?:\.\d{1,12})?$/, { error: writtenLike('1000') })
  .optional();
const Classes = z
  .string()
  .regex(/^-?\d{1,15}(?:,-?\d{1,15}){0,255}$/, { error: writtenLike('10,20,30') })
  .optional();

const sideQuery = {
  a_date: CalendarDate.optional().describe(
    'First day of the column to compare, if the first dataset is a table; without it, the last column',
  ),
  b_date: CalendarDate.optional().describe('The same for the second dataset'),
  a_class: Classes.describe(
    'Values of the classes whose hectares are compared, joined by commas, if the first dataset is a raster; without it, all',
  ),
  b_class: Classes.describe('The same for the second dataset'),
  a_factor: Factor.describe(
    'Number by which the values of the first dataset are multiplied, if it is a table: 1000 for thousand hectares that are compared with hectares',
  ),
  b_factor: Factor.describe('The same for the second dataset'),
};

const ComparisonQuery = LanguageQuery.extend({
  ...sideQuery,
  by: z
    .enum(unitLevels)
    .optional()
    .describe('The level of the units; without it, the deepest level on which both registers have values'),
  kato: KatoCode.optional().describe('Only the unit with this code, and the units within it'),
  ...waitQuery,
});
type ComparisonQuery = z.infer<typeof ComparisonQuery>;

const SheetQuery = ComparisonQuery.extend({
  size: z.enum(paperSizes).default('A4').describe('The paper size'),
  orientation: z.enum(orientations).default('landscape').describe('The orientation of the paper'),
  scale: Scale,
});

const compared = `Each dataset is a table by KATO, of which one column is compared, or a raster of classes, whose hectares are those of \`GET /datasets/{id}/areas\`. Values under
a former code of the same land belong to the current unit, as on maps. A vector is answered with 422, a dataset that is not \`ready\` with 409.

Units of measurement are compared as texts, in which \`га\`, \`ha\` and their words are the same. **Nothing is converted unless the request has a factor**, which the answer repeats: different units
without one are answered with 422, and so is a table without a unit beside one that has it. With a factor for one dataset, the result is in the unit of the other; with one for both, in hectares.`;

const descriptions = {
  json: `Two registers of the same land side by side, with the difference of each unit, the largest first, sums, units that one register alone has, and the reasons that the service can know:
another date, a border that changed between the dates, a former code, a unit without borders or data, classes that were not chosen, a text in place of a number. A difference does not mean that a register is wrong.

${compared}

Units have the level \`by\`; each counts once. Sums are those of units that have a number in both registers. The land of a raster is counted by a job at the first request: the answer waits for it up to \`wait\`
seconds, then it is 202; send the same request again later. With \`Accept: text/csv\` the answer is that of \`.csv\`, with \`${tableMedia.parquet}\` that of \`.parquet\`.`,
  csv: `One row for each unit, with unrounded values and the reasons as text; names and reasons are in the language of \`lang\`, otherwise of \`Accept-Language\`. Text that a spreadsheet would read as a formula has
an apostrophe in front.`,
  xlsx: `A workbook of two sheets: the table with its sums, and the two registers with their dates, units, factors and classes. Codes are text cells.`,
  parquet: 'The columns of the CSV with types: numbers of 64 bits, texts for codes, names and reasons.',
} as const;

const sheetDescription = `The map of the differences in diverging colours, with its legend, the largest differences and the reasons that concern all units, true to scale in an Albers equal-area projection of
Kazakhstan. The file is PDF/A-2b; equal content has equal bytes. Without a compared unit that has borders it is 409.

${compared}`;

const reportDescription = `One self-contained HTML page, without requests and scripts, with the map inside: both registers, sums, the map of the differences, and every unit with its reasons; it prints on A4.

${compared}`;

interface Dependencies extends RegisterDependencies {
  readonly resultWaiters: ResultWaiters;
  readonly drawnAnswers: DrawnAnswers;
  readonly printing: SheetDependencies;
  readonly paperMaps: PaperMaps;
  readonly tileBudget: TileBudget;
  readonly access: AccessPolicy;
}

type Asked = FastifyRequest<{ Params: z.infer<typeof Params>; Querystring: ComparisonQuery }>;

export function registerRegisterRoutes(app: App, parts: Dependencies): void {
  const { db, access, drawnAnswers, printing, paperMaps, recentDatasets, resultWaiters, tileBudget } = parts;

  /** Finds a comparison; undefined after an answer 202. */
  async function find(request: Asked, reply: FastifyReply) {
    const { query, params } = request;
    const language = answerIn(request, reply);
    const poll = async () => {
      const sides: PreparedSide[] = [];
      for (const order of ordersOf(params, query)) {
        const side = await prepareSide(parts, order, language);
        if (side.isPending) return side;
        sides.push(side);
      }
      const [a, b] = sides;
      if (a === undefined || b === undefined) throw new Error('a comparison has two sides');
      comparedUnit(a.facts, b.facts);
      return { isPending: false as const, a, b };
    };
    const found = await resultWaiters.readyOr202(request, reply, { wait: query.wait, poll });
    if (found === undefined) return undefined;
    const { a, b } = found;
    const version = await readDistrictsVersion(db);
    const { by, kato } = query;
    return {
      language,
      parts: [...a.parts, '', ...b.parts, version, by ?? null, kato ?? null, language],
      async read(): Promise<RegisterComparison> {
        const names = await readUnits(db);
        const units = { names, succession: await readSuccession(db), version };
        const sides = {
          a: { facts: a.facts, values: await a.read(names) },
          b: { facts: b.facts, values: await b.read(names) },
        };
        return compareRegisters(sides, units, { by, kato, language });
      },
    };
  }

  async function send(request: Asked, reply: FastifyReply, form: TableForm): Promise<FastifyReply> {
    const found = await find(request, reply);
    if (found === undefined) return reply;
    const { language, read } = found;
    return await drawnAnswers.send(
      request,
      reply,
      async () => ({
        hasRanges: true,
        parts: [registerFileVersion, makerOf(form), ...found.parts],
        headers: {
          vary: 'Accept, Accept-Language',
          ...(form === 'json' ? {} : { 'content-disposition': attachment(`registers.${form}`) }),
        },
        draw: async () => ({
          contentType: tableMedia[form],
          bytes: await registersFile(form, await read(), language),
        }),
      }),
      recentDatasets.forgetAll,
    );
  }

  const path = '/datasets/:a/compare/:b';
  const csv = { 'text/csv': { schema: z.string() } };
  const parquet = { [tableMedia.parquet]: { schema: FileBytes } };
  const xlsx = { [tableMedia.xlsx]: { schema: FileBytes } };
  const json = { 'application/json': { schema: RegisterComparison } };
  const forms = [
    ['json', '', '', { ...json, ...csv, ...parquet }],
    ['csv', 'Csv', ' as CSV', csv],
    ['xlsx', 'Workbook', ' as a workbook', xlsx],
    ['parquet', 'Parquet', ' as Parquet', parquet],
  ] as const;
  for (const [form, suffix, as, content] of forms)
    app.get(form === 'json' ? path : `${path}.${form}`, {
      config: { scope: 'data:read' },
      schema: {
        tags,
        operationId: `compareRegisters${suffix}`,
        summary: `Compare two registers unit by unit${as}`,
        description: descriptions[form],
        params: Params,
        querystring: ComparisonQuery,
        response: {
          ...madeFileResponses({ description: 'The comparison', content }, 400, 404, 409, 422),
          ...pendingResponse,
        },
      },
      handler: async (request, reply) =>
        await send(
          request,
          reply,
          form === 'json' ? formAsked(request.headers.accept, ['csv', 'parquet']) : form,
        ),
    });

  app.get(`${path}/sheet.pdf`, {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getRegisterSheet',
      summary: 'Print the map of the differences between two registers',
      description: sheetDescription,
      params: Params,
      querystring: SheetQuery,
      response: {
        ...drawnResponses(bytesResponse('The sheet', 'application/pdf'), 400, 404, 409, 422, 429),
        ...pendingResponse,
      },
    },
    handler: async (request, reply) => {
      const found = await find(request, reply);
      if (found === undefined) return reply;
      const { language, read } = found;
      const { a, b } = request.params;
      const { size, orientation, scale, wait: _wait, ...query } = request.query;
      const asOf = await lastChange(a, b);
      const address = `${baseUrlOf(request, access)}${pagePath(a, b)}${questionOf({ ...query, lang: language })}`;
      const order = {
        paper: { size, orientation, scale: scale === undefined ? undefined : Number(scale) },
        address,
        asOf,
        language,
        warning: await readWarning(db, [a, b], language),
      };
      return await drawnAnswers.send(
        request,
        reply,
        async () => ({
          parts: [registerSheetVersion, ...found.parts, JSON.stringify(order)],
          headers: { 'content-disposition': 'inline; filename="registers.pdf"' },
          budget: tileBudget,
          draw: async (signal) => ({
            contentType: 'application/pdf',
            bytes: await drawRegisterSheet(printing, await read(), order, signal),
          }),
        }),
        recentDatasets.forgetAll,
      );
    },
  });

  app.get(`${path}/report.html`, {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getRegisterReport',
      summary: 'Read the differences between two registers as one HTML page',
      description: reportDescription,
      params: Params,
      querystring: ComparisonQuery,
      response: {
        ...drawnResponses(
          { description: 'The report', content: { 'text/html': { schema: z.string() } } },
          400,
          404,
          409,
          422,
        ),
        ...pendingResponse,
      },
    },
    handler: async (request, reply) => {
      const found = await find(request, reply);
      if (found === undefined) return reply;
      const { language, read } = found;
      const { a, b } = request.params;
      const baseUrl = baseUrlOf(request, access);
      const warning = await readWarning(db, [a, b], language);
      return await drawnAnswers.send(
        request,
        reply,
        async () => ({
          parts: [registerReportVersion, ...found.parts, baseUrl, warning],
          headers: { 'content-security-policy': "sandbox; frame-ancestors 'none'" },
          draw: async () => {
            const comparison = await read();
            const units = await drawnUnits({ paperMaps }, comparison);
            const html = registerReport(comparison, units, { language, baseUrl, warning });
            return { contentType: 'text/html; charset=utf-8', bytes: Buffer.from(html) };
          },
        }),
        recentDatasets.forgetAll,
      );
    },
  });

  async function lastChange(a: string, b: string): Promise<string> {
    const rows = await db.selectFrom('datasets').select('updated_at').where('id', 'in', [a, b]).execute();
    const days = rows.map(({ updated_at: at }) => at.toISOString().slice(0, 10));
    return days.reduce((one, other) => (other > one ? other : one), '');
  }
}

function ordersOf({ a, b }: z.infer<typeof Params>, query: ComparisonQuery): readonly SideOrder[] {
  const orderOf = (side: SideName, datasetId: string): SideOrder => {
    const factor = query[`${side}_factor`];
    return {
      side,
      datasetId,
      date: query[`${side}_date`],
      classes: query[`${side}_class`]?.split(',').map(Number),
      factor: factor === undefined ? undefined : Number(factor),
    };
  };
  return [orderOf('a', a), orderOf('b', b)];
}

/** The page of a comparison in the console. */
const pagePath = (a: string, b: string) => `/#/registers/${a}/${b}?`;

/** Returns the query of an address without parameters that are missing, in the order of their names. */
function questionOf(
  query: Readonly<Record<string, string | number | undefined>> & { readonly lang: Language },
): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  return new URLSearchParams(
    given.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([...pair]) => pair),
  ).toString();
}

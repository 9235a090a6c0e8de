import { z } from 'zod';
import { unitLevels } from '../../common/maps/units/levels.ts';
import { zoningIdOf } from '../landscape/gaps/run-zoning.ts';
import { readRun } from '../landscape/runs/run-rows.ts';
import { readNomenclature } from '../../common/maps/paper/nomenclature.ts';
import { atlasSizes, orientations, paperSizes } from '../../common/maps/paper/papers.ts';
import { datums } from '../../common/maps/paper/planes.ts';
import { sheetFaults } from '../messages/drawing/english.ts';
import { annexLimits, annexOf, readNames, readSignatures } from './annex.ts';
import { landscapeProblems } from '../messages/runs/english.ts';
import { prepareAtlas } from './atlases.ts';
import { prepareSheet } from './sheets.ts';
import { messageText } from '../lib/message.ts';
import { fieldFaults, requestProblems } from '../messages/request/english.ts';
import { CalendarDate, Guid, IdParams, KatoCode, textOfAtMost, writtenLike } from '../validation/fields.ts';
import { baseUrlOf } from '../http/access/own-addresses.ts';
import { attachment } from '../http/files/content-headers.ts';
import { sendCurrentObject } from '../http/answer/object.ts';
import { answerIn, LanguageQuery } from '../http/language/language.ts';
import { pendingResponse, waitQuery, type ResultWaiters } from '../http/long-poll/result-waiters.ts';
import { bytesResponse, drawnResponses, FileBytes, fileResponses } from '../http/openapi/responses.ts';
import type { App } from '../http/request/schemas.ts';
import { untilGone } from '../http/request/until-gone.ts';
import type { Database } from '../database/tables/tables.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import type { Maps } from '../maps/service/maps.ts';
import type { SheetDependencies } from './sheet-subject.ts';
import type { TileBudget } from '../http/limits/tile-budget.ts';
import type { DrawnAnswers } from '../http/answer/drawn.ts';
import type { Language } from '../messages/languages/translate.ts';
import type { AccessPolicy } from '../http/access/access-policy.ts';

const pdf = 'application/pdf';
const tags = ['maps'];

const sheetDescription = `A map of one to four datasets on A4 to A1, true to scale. Each pixel of a raster is the nearest one, 300 to an inch, in the exact colours of the
legend; lines and points of a vector have the widths and sizes of its style, where a pixel is 0.28 mm. Text is stored as text, in the embedded font of the service. The file is
PDF/A-2b; equal content has equal bytes.

The map shows the first of these that the request gives: the sheet \`nomenclature\` of the state map; the unit \`kato\`, with pale surroundings; \`bbox\`; the surroundings of \`center\`;
otherwise the whole dataset. A sheet by nomenclature is drawn in the zone of Gauss-Krüger of its datum, with its frame, minutes, coordinates of the corners, kilometre grid and neighbours, at its
own scale, or at the next round one that fits on the paper of the request; all other maps in an Albers equal-area projection of Kazakhstan, at \`scale\` or the next round scale that fits. Projection,
datum and accuracy are printed on the sheet. From WGS 84 to SK-42 the service takes the same operation as for files in EPSG:4284, 2 to 4.5 m accurate; QazTRF-23 equals WGS 84 to 1 m.

The legend of the first dataset shows the hectares of the unit, of the frame of the map or of the whole raster, and names this extent; they are those of \`GET /datasets/{id}/areas\`. A vector and a
raster without classes have none. A sentence below the legend of a zoning gives the share of land whose leading sector the order has chosen. The single features of a vector are drawn, by their
properties; a vector whose FlatGeobuf is not made yet is drawn as its GeoJSON.

With \`decision_body\`, \`decision_number\` and \`decision_date\` the sheet is headed as the annex of this decision; \`signatures\` adds lines to sign, and \`names\` replaces names in the legends. These words are
printed and not stored, and they are no part of the address in the QR code.

The map of a run that is not adopted has a watermark. Sources are named with \`source\`, \`attribution\`, \`copyright\`, \`license\` and \`licence\` of the \`meta\` of the datasets
from which the layers stem.

The land is counted by a job at the first request: the answer waits up to \`wait\` seconds, then it is 202. A frame beyond the earth is answered with 422, and so are a raster without a georeference, more than
32 MiB of features on the map, and a sheet that does not fit on its paper at \`scale\`.`;

const atlasDescription = `The sheet of each unit of the functional zoning of a run, as \`GET /datasets/{id}/sheet.pdf\` draws it, behind an index with an overview;
up to 60 sheets. Bars in the legend show the shares of the unit, with a mark at those of the whole zoning; \`tables\` adds the last values of the unit. With \`scale\` all sheets have the same scale, without it each has the next round scale that fits. Units that the zoning does not reach are left out.

A job makes it at the first request, once for all equal requests: the answer waits up to \`wait\` seconds, then it is 202; send the same request again
later. A change of the content, such as the state of the run or a style, makes another atlas.`;

/** The scale of a sheet, as a query states it. */
export const Scale = z
  .string()
  .regex(/^(?:[1-9][0-9]{3,7}|100000000)$/, { error: messageText(fieldFaults.outOfRange(1000, 100_000_000)) })
  .optional()
  .describe('Denominator of the scale, 1,000 to 100,000,000; without it, the next round scale that fits');
const number = String.raw`-?\d{1,3}(?:\.\d{1,12})?`;
const Numbers = (count: number, text: string) =>
  z
    .string()
    .regex(new RegExp(`^${Array.from({ length: count }, () => number).join(',')}$`), {
      error: writtenLike(['68.5', '51.25', '71', '53'].slice(0, count).join(',')),
    })
    .optional()
    .describe(text);

const PaperQuery = LanguageQuery.extend({ scale: Scale, ...waitQuery });

const guid = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
/** Ids of datasets, separated by commas. */
const Guids = (most: number) =>
  z
    .string()
    .regex(new RegExp(`^${guid}(?:,${guid}){0,${most - 1}}$`), {
      error: writtenLike('0b0e6a1c-5d57-4a70-9f3b-2a5c1d8e4f60,7d0c6f0e-1c1f-4a39-8f57-3f1f7d6f2a11'),
    })
    .toLowerCase()
    .optional();
const { signatures: mostSignatures, names: mostNames, characters } = annexLimits;
const nomenclatureFaults = {
  form: sheetFaults.form,
  part: sheetFaults.part,
  doubled: sheetFaults.doubled,
  outside: sheetFaults.outside,
} as const;

const Nomenclature = textOfAtMost(60).superRefine((text, context) => {
  const sheet = readNomenclature(text);
  if (typeof sheet === 'string')
    context.addIssue({ code: 'custom', message: messageText(nomenclatureFaults[sheet]) });
});

const SheetQuery = PaperQuery.extend({
  size: z
    .enum(paperSizes)
    .optional()
    .describe(
      'The paper size; without it A4, or for a `nomenclature` the smallest paper on which it has its own scale',
    ),
  orientation: z
    .enum(orientations)
    .optional()
    .describe(
      'The orientation of the paper; without it landscape, or for a `nomenclature` the one that fits',
    ),
  nomenclature: Nomenclature.optional().describe(
    'Name of a sheet of the state map from 1:1,000,000 to 1:10,000, in Latin or Cyrillic letters, such as `M-42-047`: its frame is shown at its own scale, with kilometre grid and minutes; not together with `kato`, `by`, `bbox` and `center`',
  ),
  datum: z
    .enum(datums)
    .optional()
    .describe(
      'Datum of `nomenclature`, `qaztrf-23` without it: the frame and the zone of Gauss-Krüger are those of this datum',
    ),
  layers: Guids(3).describe(
    'Up to three further datasets, separated by commas, each over the one before it; rasters lie below all vectors',
  ),
  borders: z
    .enum(['region', 'district', 'okrug', 'all', 'none'])
    .optional()
    .describe(
      'Levels of the borders on the map, which the legend then explains; without it those of the level of the unit, or that suit the scale',
    ),
  by: z.enum(unitLevels).optional().describe('The level of the unit; without it, the level of the code'),
  kato: KatoCode.optional().describe('KATO code of the unit to show'),
  bbox: Numbers(4, 'West, south, east and north, degrees: the frame contains all of it'),
  center: Numbers(
    2,
    'Longitude and latitude of the middle of the frame, degrees; 1:1,000,000 without `scale`',
  ),
  run_id: Guid.optional().describe(
    'The run that the sheet describes; without it, the run that made the dataset',
  ),
  decision_body: textOfAtMost(characters)
    .optional()
    .describe(
      'The body whose decision has this sheet as its annex, with `decision_number` and `decision_date`',
    ),
  decision_number: textOfAtMost(40).optional().describe('The number of the decision'),
  decision_date: CalendarDate.optional().describe('The day of the decision'),
  signatures: textOfAtMost(1000)
    .refine((text) => readSignatures(text) !== undefined, {
      error: messageText(sheetFaults.signatures(mostSignatures, characters)),
    })
    .optional()
    .describe(
      `Up to ${mostSignatures} lines for signatures, separated by semicolons: post and name separated by \`|\``,
    ),
  names: textOfAtMost(8000)
    .refine((text) => readNames(text) !== undefined, {
      error: messageText(sheetFaults.names(mostNames, characters)),
    })
    .optional()
    .describe(
      `Up to ${mostNames} names of conventional signs, separated by semicolons, each as \`value=name\`: the value of a class, or its name in the style`,
    ),
});

const AtlasQuery = PaperQuery.extend({
  size: z.enum(atlasSizes).default('A4').describe('The paper size'),
  orientation: z.enum(orientations).default('landscape').describe('The orientation of the paper'),
  by: z.enum(unitLevels).default('district').describe('The level of the units; each unit has one sheet'),
  kato: KatoCode.optional().describe(
    'Only units within the unit with this code, or the unit itself: a district by `okrug` has a sheet for each of its rural districts',
  ),
  tables: Guids(2).describe(
    'Up to two tables by KATO, separated by commas: their last eight values of the unit stand on its page, with bars',
  ),
});

interface Dependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
  readonly resultWaiters: ResultWaiters;
  readonly maps: Maps;
  readonly printing: SheetDependencies;
  readonly tileBudget: TileBudget;
  readonly drawnAnswers: DrawnAnswers;
  readonly access: AccessPolicy;
}

/** Registers the routes of printed maps. */
export function registerSheetRoutes(app: App, parts: Dependencies): void {
  const { db, access, objectStore, resultWaiters, drawnAnswers, tileBudget: budget, maps, printing } = parts;

  app.get('/datasets/:id/sheet.pdf', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getSheet',
      summary: 'Print a map of datasets to scale',
      description: sheetDescription,
      params: IdParams,
      querystring: SheetQuery,
      response: {
        ...drawnResponses(bytesResponse('The sheet', pdf), 400, 404, 409, 422, 429),
        ...pendingResponse,
      },
    },
    handler: async (request, reply) => {
      const { size, orientation, scale, by, kato, bbox, center, wait } = request.query;
      const signal = untilGone(reply);
      const language = answerIn(request, reply);
      const datasetId = request.params.id.toLowerCase();
      const order = {
        datasetId,
        layers: request.query.layers?.split(',') ?? [],
        names: readNames(request.query.names ?? '') ?? new Map(),
        runId: request.query.run_id,
        language,
        address: `${baseUrlOf(request, access)}/datasets/${datasetId}/sheet.pdf?${questionOf({ ...paperIn(request.query), lang: language })}`,
        paper: { size, orientation, scale: scale === undefined ? undefined : Number(scale) },
        nomenclature: nomenclatureIn(request.query),
        borders: request.query.borders,
        annex: annexIn(request.query, language),
        by,
        kato,
        bbox: numbersIn(bbox),
        center: numbersIn(center),
      };
      const poll = async () => await prepareSheet(printing, order, signal);
      const sheet = await resultWaiters.readyOr202(request, reply, { wait, poll });
      if (sheet === undefined) return reply;
      const headers = { 'content-disposition': inline('sheet.pdf') };
      const answer = async () => ({
        parts: sheet.parts,
        headers,
        budget,
        draw: async () => ({ contentType: pdf, bytes: await sheet.draw(signal) }),
      });
      return await drawnAnswers.send(request, reply, answer, maps.forgetAll);
    },
  });

  app.get('/landscape/runs/:id/atlas.pdf', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getAtlas',
      summary: 'Print the zoning of a run, a sheet for each unit',
      description: atlasDescription,
      params: IdParams,
      querystring: AtlasQuery,
      response: { ...fileResponses('The atlas', pdf, FileBytes, 404, 409, 422), ...pendingResponse },
    },
    handler: async (request, reply) => {
      const { size, orientation, scale, by, kato, wait } = request.query;
      const signal = untilGone(reply);
      const language = answerIn(request, reply);
      const runId = request.params.id.toLowerCase();
      const run = await readRun(db, runId);
      if (run === undefined) throw landscapeProblems.noSuchRun();
      const order = {
        datasetId: zoningIdOf(run),
        runId,
        language,
        address: `${baseUrlOf(request, access)}/landscape/runs/${runId}/atlas.pdf?${questionOf({ ...request.query, lang: language })}`,
        paper: { size, orientation, scale: scale === undefined ? undefined : Number(scale) },
        by,
        kato,
        tables: request.query.tables?.split(','),
      };
      const poll = async () => await prepareAtlas(printing, order, signal);
      const atlas = await resultWaiters.readyOr202(request, reply, { wait, poll });
      if (atlas === undefined) return reply;
      const headers = { 'content-disposition': inline('atlas.pdf') };
      return await sendCurrentObject(request, reply, objectStore, async () => ({
        key: atlas.objectKey,
        contentType: pdf,
        headers,
      }));
    },
  });
}

const numbersIn = (joined: string | undefined) => joined?.split(',').map(Number);

/** Returns the sheet of the state map of a query. @throws {Problem} if the query has another extent as well */
function nomenclatureIn({ nomenclature, datum, kato, by, bbox, center }: z.infer<typeof SheetQuery>) {
  const sheet = nomenclature === undefined ? undefined : readNomenclature(nomenclature);
  if (sheet === undefined || typeof sheet === 'string') return undefined;
  if ((kato ?? by ?? bbox ?? center) !== undefined)
    throw requestProblems.wrongParameters({ nomenclature: sheetFaults.alone });
  return { sheet, datum: datum ?? 'qaztrf-23' };
}

/** Fills in the paper, which a sheet of the state map chooses itself: equal sheets have equal addresses. */
function paperIn({ nomenclature, datum, size, orientation, ...query }: z.infer<typeof SheetQuery>) {
  if (nomenclature === undefined)
    return { size: size ?? 'A4', orientation: orientation ?? 'landscape', ...query };
  return { nomenclature, datum: datum ?? 'qaztrf-23', size, orientation, ...query };
}

/** Returns the annex of a query. @throws {Problem} if the decision is not whole */
function annexIn(query: z.infer<typeof SheetQuery>, language: Language) {
  const { decision_body: body, decision_number: number, decision_date: date } = query;
  const given = { decision_body: body, decision_number: number, decision_date: date };
  const missing = Object.entries(given).filter(([, value]) => value === undefined || value.trim() === '');
  const isWhole = body !== undefined && number !== undefined && date !== undefined && missing.length === 0;
  if (!isWhole && missing.length < 3)
    throw requestProblems.wrongParameters(
      Object.fromEntries(missing.map(([name]) => [name, fieldFaults.missing])),
    );
  const signatures = query.signatures === undefined ? [] : (readSignatures(query.signatures) ?? []);
  return annexOf(isWhole ? { body, number, date } : undefined, signatures, language);
}

/** The words of a client do not fit into a QR code, and are no part of the address. */
const wordsOfClients: readonly string[] = [
  'decision_body',
  'decision_number',
  'decision_date',
  'signatures',
  'names',
];

/** Returns the query of the URL of a sheet, without the waiting time, which does not change the sheet. */
function questionOf(query: Readonly<Record<string, string | number | undefined>>): string {
  const asked = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || name === 'wait' || wordsOfClients.includes(name)
      ? []
      : [[name, String(value)] as const],
  );
  return new URLSearchParams(Object.fromEntries(asked)).toString().replaceAll('%2C', ',');
}

const inline = (name: string) => attachment(name).replace(/^attachment/, 'inline');

import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { toDatasetAreas } from './area-answers.ts';
import { areasOf, digestOf } from './area-counts.ts';
import { classWords, wordsIn } from './class-words.ts';
import { readUnits } from './by-unit.ts';
import { AreaLevels, DatasetAreas } from './areas-schema.ts';
import { areasFile } from './areas-files.ts';
import { unitFileVersion } from './unit-files.ts';
import { unitRoutes } from './unit-routes.ts';
import { findFile } from '../datasets/files.ts';
import type { RecentDataset, RecentDatasets } from '../datasets/recent-datasets.ts';
import { areaProblems } from '../messages/areas/english.ts';
import { writtenLike } from '../validation/fields.ts';
import { attachment } from '../http/files/content-headers.ts';
import { formAsked, makerOf, type TableForm, tableMedia } from '../http/files/table-forms.ts';
import { answerIn, LanguageQuery } from '../http/language/language.ts';
import { waitQuery, type ResultWaiters } from '../http/long-poll/result-waiters.ts';
import type { App } from '../http/request/schemas.ts';
import type { Database } from '../database/tables/tables.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import type { Legends } from '../maps/service/legends.ts';
import type { DrawnAnswers } from '../http/answer/drawn.ts';

const descriptions = {
  json: `Hectares of each class of a raster in each administrative unit, geodesic on the ellipsoid of WGS 84. Every pixel is counted at full
resolution; a pixel on the border of a unit contributes the share that the unit covers. Borders are straight in longitude and latitude.

- In each unit, classes, \`no_data_ha\` and \`outside_raster_ha\` add up to \`area_ha\`.
- All units of a level and \`outside_units\`, less \`overlap\`, add up to \`raster\`.
- The part of a unit within the raster is made of pixels, and the part outside is measured directly on the ellipsoid. The area of a unit therefore depends
  on the raster by less than a millionth, unless the unit is as small as a few pixels.

A job counts them once for each COG and version of the units, at the first request: the answer waits for it up to \`wait\` seconds, then it is 202; send
the same request again later. Another type than a raster is answered with 422, and so is a raster without classes (more than 256 different values, or values
that are not whole numbers); a raster that is not \`ready\` with 409. With \`Accept: text/csv\` the answer is that of \`areas.csv\`, with
\`${tableMedia.parquet}\` that of \`areas.parquet\`.`,

  csv: `One row for each unit, with unrounded hectares; codes and names are text, names in the language of \`lang\`, otherwise of \`Accept-Language\`; a
name that a spreadsheet would read as a formula has an apostrophe in front. For Excel, which reads names correctly only after a byte-order mark, use \`areas.xlsx\`.`,

  xlsx: `A workbook of two sheets: the table with its sums, and an explanation of the areas and of the method. Codes are text cells,
hectares are numbers. In the language of \`lang\`, otherwise of \`Accept-Language\`.`,

  parquet: `The columns of \`areas.csv\` with types: numbers of 64 bits, texts for codes and names.`,
};

const AreasQuery = z.object({
  by: AreaLevels.default('district').describe(
    'Regions with the cities of republican significance, the districts below them, rural districts (`okrug`) or settlements, of which those with borders are there, or all of these',
  ),
  class: z
    .string()
    .regex(/^-?\d{1,15}(?:,-?\d{1,15}){0,255}$/, { error: writtenLike('10,20,30') })
    .optional()
    .describe('Values of classes, joined by commas; without it, all'),
  ...waitQuery,
  ...LanguageQuery.shape,
});
type AreasQuery = z.infer<typeof AreasQuery>;

interface Dependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
  readonly resultWaiters: ResultWaiters;
  readonly recentDatasets: RecentDatasets;
  readonly legends: Legends;
  readonly drawnAnswers: DrawnAnswers;
}

export function registerAreaRoutes(app: App, parts: Dependencies): void {
  const { db, recentDatasets, resultWaiters, drawnAnswers } = parts;

  async function send(
    request: FastifyRequest<{ Params: { id: string }; Querystring: AreasQuery }>,
    reply: FastifyReply,
    form: TableForm,
  ): Promise<FastifyReply> {
    const { by, wait, class: classes } = request.query;
    const dataset = await recentDatasets.read(request.params.id);
    const cog = cogOf(dataset);
    const poll = async () => await areasOf(parts, { cogs: [cog] });
    const counted = await resultWaiters.readyOr202(request, reply, { wait, poll });
    if (counted === undefined) return reply;
    const language = answerIn(request, reply);
    const words = await classWords(parts, dataset.id, language);
    const only = classes === undefined ? undefined : new Set(classes.split(',').map(Number));
    const { key, districtsVersion, countedAt } = counted;
    const versionParts = [
      unitFileVersion,
      dataset.id,
      dataset.name,
      key,
      by,
      classes ?? null,
      language,
      makerOf(form),
      JSON.stringify(words),
      // A workbook contains the time of the count.
      form === 'xlsx' ? countedAt.toISOString() : null,
    ];
    const headers = {
      vary: 'Accept, Accept-Language',
      ...(form === 'json' ? {} : { 'content-disposition': attachment(`areas-${by}.${form}`) }),
    };
    return await drawnAnswers.send(request, reply, async () => ({
      hasRanges: true,
      parts: versionParts,
      headers,
      draw: async () => {
        const digest = await digestOf(db, cog);
        const areas = toDatasetAreas(await counted.read(), {
          datasetId: dataset.id,
          by,
          names: await readUnits(db),
          districtsVersion,
          digest,
          wordsOf: wordsIn(words),
          only,
        });
        const bytes = await areasFile(form, areas, { title: dataset.name, countedAt }, language);
        return { contentType: tableMedia[form], bytes };
      },
    }));
  }

  const routes = unitRoutes({
    path: '/datasets/:id/areas',
    operationId: 'getDatasetAreas',
    summary: 'Read the hectares of each class in each administrative unit',
    answer: 'The areas',
    schema: DatasetAreas,
    descriptions,
  });
  for (const { form, url, ...documented } of routes)
    app.get(url, {
      config: { scope: 'data:read' },
      schema: { ...documented, querystring: AreasQuery },
      handler: async (request, reply) =>
        await send(
          request,
          reply,
          form === 'json' ? formAsked(request.headers.accept, ['csv', 'parquet']) : form,
        ),
    });
}

/** The key of the COG of a raster that is ready. @throws {Problem} `invalid`, `conflict`, in the words of what is asked for */
export function cogOf(
  { file_type: type, status, files }: Pick<RecentDataset, 'file_type' | 'status' | 'files'>,
  problems: Pick<typeof areaProblems, 'notARaster' | 'notReady'> = areaProblems,
): string {
  if (type !== 'raster') throw problems.notARaster();
  const key = findFile(files, 'cog');
  if (status !== 'ready' || key === null) throw problems.notReady(status);
  return key;
}

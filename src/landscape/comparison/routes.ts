import { z } from 'zod';
import { describeComparison } from './compare-runs.ts';
import { AreaLevels } from '../../areas/areas-schema.ts';
import { RunComparison } from './compare-schema.ts';
import { countChange } from './count-change.ts';
import { readRunWarning } from '../runs/run-warning.ts';
import { getRun } from '../runs/run-rows.ts';
import { classTexts, createRasterFinder, nodeCodes } from './compared-runs.ts';
import { createTileSender, drawnTile, type TiledPicture } from '../../maps/routes/pixel-tiles.ts';
import { Legend, toLegendJson } from '../../maps/service/legend-json.ts';
import { versionOf } from '../../maps/service/maps.ts';
import type { ShownChange, RasterPairs, ChangeColours } from '../../maps/service/raster-pairs.ts';
import { fieldFaults, requestProblems } from '../../messages/request/english.ts';
import { Guid } from '../../validation/fields.ts';
import { clientOf } from '../../http/access/authentication.ts';
import { drawnResponses, jsonResponse } from '../../http/openapi/responses.ts';
import { answerIn, LanguageQuery } from '../../http/language/language.ts';
import { pendingResponse, waitQuery, type ResultWaiters } from '../../http/long-poll/result-waiters.ts';
import type { App } from '../../http/request/schemas.ts';
import { rasterTileOf, rasterTileParams } from '../../http/request/tile-params.ts';
import { untilGone } from '../../http/request/until-gone.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import type { RecentDatasets } from '../../datasets/recent-datasets.ts';
import type { ZonedRuns } from '../balance/zoned-runs.ts';
import type { TileBudget } from '../../http/limits/tile-budget.ts';
import { type DrawnAnswers, textAnswer } from '../../http/answer/drawn.ts';
import { zoningCode } from '../../../common/landscape/zoning.ts';
import type { LegendSource } from '../../maps/service/legends.ts';
import type { LegendEntry } from '../../../common/maps/legend/model.ts';
import { parseCss, type Rgba } from '../../../common/maps/style/colour-map.ts';
import { comparisonPhrases } from '../../messages/zoning/english.ts';
import { type Language, translate } from '../../messages/languages/translate.ts';
import { nodeWords } from '../groups/graph-words.ts';
import type { GraphNode } from '../model/node.ts';

const tags = ['landscape'];

const runIds = {
  a: Guid.describe('Id of the first run'),
  b: Guid.describe('Id of the second run'),
};
const ComparedParams = z.object(runIds);
const TileParams = z.object({ ...runIds, ...rasterTileParams });

const none = 'none';
const nodeQuery = {
  node: z
    .enum(nodeCodes)
    .default(zoningCode)
    .describe('Code of the node whose rasters are compared; it has to make classes'),
};

const side = z.enum([...classTexts, none]).optional();
const shownQuery = {
  from: side.describe('With `to`, the only change to show: the class in the first run, or `none`'),
  to: side.describe('The class of that change in the second run, or `none`'),
};

const compared = `The node makes classes in both runs, both runs have succeeded, and both rasters have the same grid: 422 names the difference in CRS, origin, size of
a pixel or size.`;

const description = `Every pixel of both rasters contributes its area on the ellipsoid of WGS 84, at borders the share that a unit covers. \`matrix\` contains the
hectares of each pair of classes over the union of the classes of both, with a row and a column for land without a class. The first answer for a pair of
rasters needs a job: 202 with \`Retry-After\` if \`wait\` seconds are not enough. ${compared}`;

const tileDescription = `Places whose class differs between the runs have the colour that the class of the second run has in the legend of the node, or black where it has
none; all other places are pale, and places without a class in either are transparent. With \`from\` and \`to\`, only that change has a colour, of its own,
and everything else is pale. \`legend.json\` lists the colours. Tiles are those of WebMercatorQuad, 256 pixels a side, 512 with \`@2x\`; each pixel is the nearest of
either raster. ${compared}`;

interface Dependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
  readonly resultWaiters: ResultWaiters;
  readonly recentDatasets: RecentDatasets;
  readonly zonedRuns: ZonedRuns;
  readonly rasterPairs: RasterPairs;
  readonly tileBudget: TileBudget;
  readonly drawnAnswers: DrawnAnswers;
}

export function registerComparisonRoutes(app: App, parts: Dependencies): void {
  const {
    db,
    messageQueue,
    rasterPairs,
    zonedRuns,
    resultWaiters,
    tileBudget,
    drawnAnswers,
    recentDatasets,
  } = parts;
  const sendTile = createTileSender(parts);
  const findRasters = createRasterFinder({ db, pairs: rasterPairs });

  app.get('/landscape/runs/:a/compare/:b', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'compareLandscapeRuns',
      summary: 'Read the differences between two runs, in hectares from class to class',
      description,
      params: ComparedParams,
      querystring: LanguageQuery.extend({
        ...nodeQuery,
        by: AreaLevels.default('district').describe('The level of the units'),
        ...waitQuery,
      }),
      response: {
        ...drawnResponses(jsonResponse('The comparison', RunComparison), 400, 404, 409, 422),
        ...pendingResponse,
      },
    },
    handler: async (request, reply) => {
      const { a, b } = request.params;
      const { node: code, by, wait } = request.query;
      const language = answerIn(request, reply);
      const signal = untilGone(reply);
      const poll = async () => {
        const rasters = await findRasters({ a, b, node: code }, { signal });
        const runs = { a: await getRun(db, a), b: await getRun(db, b) };
        const areas = { db, messageQueue };
        const found = await countChange({ areas, zonedRuns }, { ...runs, rasters, by });
        return found.isPending ? found : { ...found, parts: { ...runs, ...rasters, by } };
      };
      const found = await resultWaiters.readyOr202(request, reply, { wait, poll });
      if (found === undefined) return reply;
      const { countedFrom, parts, read } = found;
      const answer = async () => {
        const comparison = await describeComparison(
          db,
          { ...parts, ...(await read()), countedFrom },
          language,
        );
        return textAnswer(comparison);
      };
      return await drawnAnswers.send(request, reply, answer, recentDatasets.forgetAll);
    },
  });

  app.get('/landscape/runs/:a/compare/:b/tiles/:z/:x/:y.png', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getRunComparisonTile',
      summary: 'Draw a tile of the differences between two runs',
      description: tileDescription,
      params: TileParams,
      querystring: z.object({ ...nodeQuery, ...shownQuery }),
      response: drawnResponses(drawnTile, 400, 404, 409, 422, 429),
    },
    handler: async (request, reply) => {
      const { a, b } = request.params;
      const only = shownOf(request.query);
      const wait = { signal: untilGone(reply), begin: () => tileBudget.charge(clientOf(request)) };
      const lookUp = async (): Promise<TiledPicture> => {
        const { node, views } = await findRasters({ a, b, node: request.query.node }, wait);
        const colours = changeColoursOf(node);
        const keys = views.flatMap(({ cogKey, meshKey }) => [cogKey, meshKey]);
        const shown = only === undefined ? null : JSON.stringify(only);
        return {
          parts: [versionOf([...keys, JSON.stringify(colours)]), shown],
          draw: async (place, signal) => await rasterPairs.tile(views, { colours, only, ...place }, signal),
        };
      };
      const place = rasterTileOf(request.params, request.url);
      return await sendTile(request, reply, place, { lookUp, forget: recentDatasets.forgetAll });
    },
  });

  app.get('/landscape/runs/:a/compare/:b/legend.json', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getRunComparisonLegend',
      summary: 'Read the legend of the differences between two runs',
      description: `The meaning of the colours of the tiles. ${compared}`,
      params: ComparedParams,
      querystring: LanguageQuery.extend({ ...nodeQuery, ...shownQuery }),
      response: drawnResponses(jsonResponse('The legend', Legend), 400, 404, 409, 422),
    },
    handler: async (request, reply) => {
      const { a, b } = request.params;
      const language = answerIn(request, reply);
      const only = shownOf(request.query);
      const signal = untilGone(reply);
      return await drawnAnswers.send(
        request,
        reply,
        async () => {
          const { node } = await findRasters({ a, b, node: request.query.node }, { signal });
          const warning = await readRunWarning(db, [a, b], language);
          return textAnswer(
            toLegendJson({ ...changeLegendOf(node, only, language), warning, etagParts: [] }, language),
          );
        },
        recentDatasets.forgetAll,
      );
    },
  });
}

/** Reads the only change to show from a query. @throws {Problem} `malformed` when only one of `from` and `to` is present. */
function shownOf({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  if (from === undefined && to === undefined) return undefined;
  if (from === undefined || to === undefined)
    throw requestProblems.wrongParameters({ [from === undefined ? 'from' : 'to']: fieldFaults.missing });
  const sideOf = (text: string) => (text === none ? null : Number(text));
  return { from: sideOf(from), to: sideOf(to) } satisfies ShownChange;
}

const pale: Rgba = [230, 230, 225, 255];
const lost: Rgba = [43, 43, 43, 255];
const other: Rgba = [138, 138, 138, 255];
const chosen: Rgba = [194, 24, 91, 255];

/** Returns the colours of a map of changes between two rasters of a node. */
export function changeColoursOf({ legend }: GraphNode): ChangeColours {
  const classes = legend.entries.map(({ value, color }) => ({ value, colour: parseCss(color) }));
  return { classes, pale, lost, other, chosen };
}

/** Returns the legend of these colours in a language. @param only the only change that is shown; otherwise all. */
export function changeLegendOf(
  node: GraphNode,
  only: ShownChange | undefined,
  language: Language,
): Omit<LegendSource, 'etagParts' | 'warning'> {
  const { title, classes = {} } = nodeWords(language, node.code);
  const { classes: colours } = changeColoursOf(node);
  const nameOf = (value: number | null) =>
    value === null ? translate(comparisonPhrases.none, language) : (classes[value] ?? String(value));
  const all: readonly LegendEntry[] = [
    ...colours.map(({ value, colour }) => ({
      ...entryOf(colour, nameOf(value)),
      range: { from: value, to: value },
    })),
    entryOf(lost, translate(comparisonPhrases.lost, language)),
    entryOf(pale, translate(comparisonPhrases.unchanged, language)),
  ];
  const one = only && [
    entryOf(chosen, translate(comparisonPhrases.chosen(nameOf(only.from), nameOf(only.to)), language)),
    entryOf(pale, translate(comparisonPhrases.others, language)),
  ];
  return {
    title: translate(comparisonPhrases.title(title), language),
    unit: null,
    model: { kind: 'classes', entries: one ?? all },
    hasNoData: true,
    leftOut: [],
  };
}

const entryOf = (colour: Rgba, text: string): LegendEntry => ({
  colour,
  label: { kind: 'text', text },
  sign: 'area',
  isHidden: false,
});

import { LandscapeExplanation } from './schema.ts';
import { IdParams } from '../../validation/fields.ts';
import { clientOf } from '../../http/access/authentication.ts';
import { answerIn, LanguageQuery } from '../../http/language/language.ts';
import { ok } from '../../http/openapi/responses.ts';
import { degrees } from '../../http/request/degrees.ts';
import type { App } from '../../http/request/schemas.ts';
import { untilGone } from '../../http/request/until-gone.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { RasterPoints } from '../../maps/service/raster-points.ts';
import type { TileBudget } from '../../http/limits/tile-budget.ts';
import { landscapeProblems } from '../../messages/runs/english.ts';
import { explanationProblems } from '../../messages/explanation/english.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { graphVersion } from '../graph/graph.ts';
import { readRun, type StoredRun } from '../runs/run-rows.ts';
import { answerOf, answerOutside } from './answer.ts';
import { pixelGraphOf, type PixelValues } from './pixel.ts';
import { type PlaceOfRun, readPlaceOfRun } from './read-place.ts';
import { localeOf } from './locale.ts';

const description = `The reasons for the zone of a place, step by step: the value of each input and each node of the run at the pixel of the grid that contains the
place, the rule that decided at each node, and the limiting factors. \`sentence\` is a summary in one sentence. All titles and sentences are in
the language of \`lang\`, otherwise of \`Accept-Language\`.

\`nearest_changes\` lists for each factor, in each direction, the nearest value that gives the place another class of the zoning while
no other factor changes, and the same for parameters: thresholds, and neighbours in the order of sectors. \`to\` is
exact: intervals are compared in float32, as the run does. Slope and ruggedness follow from the elevation around the place, and are
factors themselves.

Values of nodes are those of the rasters of the run. Inputs are aligned as the run has aligned them; if \`is_exact\` is false, the raster
has another CRS and its pixel is located to a quarter of a pixel. A pinned output ends the chain. In a hole, \`missing\` names the inputs
without a value. 409 before the run has succeeded, or when another version of the graph made it; 404 when it failed, or a raster of it was
deleted; 422 when one of its rasters cannot be read at places.`;

interface Dependencies {
  readonly db: Database;
  readonly rasterPoints: RasterPoints;
  readonly tileBudget: TileBudget;
}

export function registerExplainRoute(app: App, { db, rasterPoints, tileBudget }: Dependencies): void {
  app.get('/landscape/runs/:id/explain', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['landscape'],
      operationId: 'explainLandscapePlace',
      summary: 'Explain why a place of a run is in its zone, and which changes would give another zone',
      description,
      params: IdParams,
      querystring: LanguageQuery.extend({
        lon: degrees(180).describe('Longitude of the place, WGS 84'),
        lat: degrees(90).describe('Latitude of the place'),
      }),
      response: ok('The explanation', LandscapeExplanation, 400, 404, 409, 422, 429),
    },
    handler: async (request, reply) => {
      const { lon, lat } = request.query;
      const language = answerIn(request, reply);
      const signal = untilGone(reply);
      const place = { runId: request.params.id, lon, lat, language };
      const explain = async () => await explainPlace({ db, rasterPoints }, place, signal);
      const explained = await tileBudget.spend(clientOf(request), explain, signal);
      return explained;
    },
  });
}

interface PlaceRequest {
  readonly runId: string;
  readonly lon: number;
  readonly lat: number;
  readonly language: Language;
}

/**
 * Explains the zone of a place of a run, and the changes that would give another zone.
 * @throws {Problem} `not_found` when the run does not exist or failed, or one of its rasters was deleted; `conflict` before it has
 * succeeded, and when an earlier version of the graph made it.
 */
export async function explainPlace(
  { db, rasterPoints }: Omit<Dependencies, 'tileBudget'>,
  { runId, lon, lat, language }: PlaceRequest,
  signal: AbortSignal,
): Promise<LandscapeExplanation> {
  const run = await readExplicableRun(db, runId);
  const place = await readPlaceOfRun(rasterPoints, { run, lon, lat }, signal);
  const locale = localeOf(language);
  if (place.pixel === undefined) return answerOutside({ lon, lat }, locale);
  const graph = pixelGraphOf((group) => Object.hasOwn(run.overrides, group));
  const pixel = { graph, values: valuesOf(place), params: run.params };
  return answerOf({ lon, lat, pixel, place, at: place.pixel }, locale);
}

async function readExplicableRun(db: Database, id: string): Promise<StoredRun> {
  const run = await readRun(db, id);
  if (run === undefined) throw landscapeProblems.noSuchRun();
  if (run.status === 'failed') throw explanationProblems.ofFailedRun();
  if (run.status !== 'succeeded') throw explanationProblems.notYet();
  if ((run.graphVersion ?? 1) !== graphVersion) throw explanationProblems.ofOtherGraph();
  return run;
}

/** Returns the values of a pixel with which the run computed. */
export function valuesOf({ inputs, outputs }: Pick<PlaceOfRun, 'inputs' | 'outputs'>): PixelValues {
  return new Map([...outputs, ...inputs].map(({ band, value }) => [band.key, value]));
}

import type { Database } from '../../database/tables/tables.ts';
import type { RasterPoints } from '../../maps/service/raster-points.ts';
import { landscapeProblems } from '../../messages/runs/english.ts';
import { explanationProblems } from '../../messages/explanation/english.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { graphVersion } from '../graph/graph.ts';
import { readRun, type StoredRun } from '../runs/run-rows.ts';
import { answerOf, answerOutside } from './answer.ts';
import { pixelGraphOf, type PixelValues } from './pixel.ts';
import { type PlaceOfRun, readPlaceOfRun } from './read-place.ts';
import type { LandscapeExplanation } from './schema.ts';
import { speechIn } from './speech.ts';

interface Dependencies {
  readonly db: Database;
  readonly rasterPoints: RasterPoints;
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
  { db, rasterPoints }: Dependencies,
  { runId, lon, lat, language }: PlaceRequest,
  signal: AbortSignal,
): Promise<LandscapeExplanation> {
  const run = await readExplicableRun(db, runId);
  const place = await readPlaceOfRun(rasterPoints, { run, lon, lat }, signal);
  const speech = speechIn(language);
  if (place.pixel === undefined) return answerOutside({ lon, lat }, speech);
  const graph = pixelGraphOf((group) => Object.hasOwn(run.overrides, group));
  const pixel = { graph, values: valuesOf(place), params: run.params };
  return answerOf({ lon, lat, pixel, place, at: place.pixel }, speech);
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

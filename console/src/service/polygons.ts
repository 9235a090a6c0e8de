import type { RunPolygons } from './types.ts';
import { ask, type Asking } from './ask.ts';
import { askCounted } from './counted.ts';

/** How polygons are made of zones. */
export interface PolygonsWanted {
  /** Hectares; null merges none. */
  readonly minArea: number | null;
  readonly by: RunPolygons['by'];
}

const pathOf = (runId: string): string => `/landscape/runs/${encodeURIComponent(runId)}/polygons`;

/** The polygons that were asked for of a run, newest first. @throws {Refused} */
export async function listPolygons(runId: string, signal?: AbortSignal): Promise<readonly RunPolygons[]> {
  return await ask(pathOf(runId), signal === undefined ? {} : { signal });
}

/** Asks for polygons, and waits until they are made. @throws {Refused} 422 for too many zones, with the minimum area that fits */
export async function makePolygons(
  runId: string,
  { minArea, by }: PolygonsWanted,
  asking: Pick<Asking, 'signal'>,
): Promise<RunPolygons> {
  return await askCounted(pathOf(runId), {
    method: 'POST',
    body: { min_area_ha: minArea, by },
    onCounting: () => undefined,
    ...asking,
  });
}

import { ask } from './ask.ts';
import type { LandscapeExplanation } from './types.ts';

/** Why a place of a run, in degrees, is in its zone, in the language of the page. @throws {Refused} */
export async function explainPlace(
  runId: string,
  { lon, lat }: { readonly lon: number; readonly lat: number },
  signal: AbortSignal,
): Promise<LandscapeExplanation> {
  return await ask(`/landscape/runs/${runId}/explain?lon=${lon}&lat=${lat}`, { signal });
}

import { ask } from './ask.ts';
import type { LandscapeGaps } from './types.ts';

/** Estimates which input would leave which hole, of a run over these pins. @throws {Refused} 409 when inputs are missing. */
export async function estimateGaps(
  overrides: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<LandscapeGaps> {
  return await ask('/landscape/gaps', {
    method: 'POST',
    body: { overrides },
    isQuiet: true,
    ...(signal && { signal }),
  });
}

/** The holes that the inputs of a run leave, counted over all its pixels. @throws {Refused} 404 when they were not counted. */
export async function gapsOfRun(runId: string, signal?: AbortSignal): Promise<LandscapeGaps> {
  return await ask(`/landscape/runs/${runId}/gaps`, signal === undefined ? {} : { signal });
}

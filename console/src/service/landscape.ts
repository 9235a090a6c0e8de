import { ask, Refused, refusedOf } from './ask.ts';
import type { LandscapeGraph, LandscapePlan, LandscapeRun, LandscapeSlot } from './types.ts';

/** What a run is asked for; a parameter that is left out takes its default. */
export interface RunRequest {
  readonly params: Readonly<Record<string, number | readonly number[]>>;
  /** Ids of datasets by the code of the group that they stand for. */
  readonly overrides: Readonly<Record<string, string>>;
  /** The nodes of this stage and of all later ones are computed in any case. */
  readonly from_stage: number | null;
}

/** Reads the graph, with its texts in the language of the page. @throws {Refused} */
export async function getGraph(signal: AbortSignal): Promise<LandscapeGraph> {
  return await ask('/landscape/graph', { signal });
}

export async function listSlots(signal: AbortSignal): Promise<readonly LandscapeSlot[]> {
  return await ask('/landscape/slots', { signal });
}

/** Asks what a run would do; nothing is stored. @throws {Refused} */
export async function planRun(body: RunRequest, signal: AbortSignal): Promise<LandscapePlan> {
  try {
    return await ask('/landscape/plans', { method: 'POST', body, signal });
  } catch (error) {
    const { message, status, requestId } = refusedOf(error);
    // Without an answer nothing has changed, as with any other question.
    throw new Refused(message, { status, requestId });
  }
}

/** Puts a run into the queue, once for each key. @throws {Refused} */
export async function startRun(body: RunRequest, key: string): Promise<LandscapeRun> {
  return await ask('/landscape/runs', { method: 'POST', body, key });
}

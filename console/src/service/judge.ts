import type { ZoningCase } from '../../../src/landscape/cells/zoning.ts';
import { fetchFromService, refusalOf } from './ask.ts';
import type { Balance, Conflicts, Sensitivity, Stability } from './balance-types.ts';

/** By which units hectares are counted. */
export type By = Balance['by'];

interface Waiting {
  readonly signal: AbortSignal;
  /** Called whenever the service says that it is still counting. */
  readonly onWaiting?: () => void;
}

/** So long the service may hold back an answer, in seconds; it answers at once when it has counted. */
const waitSeconds = 10;
const pauseMs = 1000;

/**
 * Asks for figures that the service counts at the first request, until they are there. @throws {Refused} 409 when they cannot
 * be counted
 */
async function askCounted<T>(path: string, query: URLSearchParams, waiting: Waiting): Promise<T> {
  const { signal, onWaiting } = waiting;
  query.set('wait', String(waitSeconds));
  for (;;) {
    const answer = await fetchFromService(`${path}?${query.toString()}`, { signal }, async (response) => {
      if (!response.ok) throw await refusalOf(response);
      const value: T = await response.json();
      return response.status === 202 ? undefined : { value };
    });
    if (answer !== undefined) return answer.value;
    onWaiting?.();
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    signal.throwIfAborted();
  }
}

/** Hectares of all cells of a run, by unit, and its zones. @throws {Refused} */
export async function getBalance(run: string, by: By, waiting: Waiting): Promise<Balance> {
  return await askCounted(pathOf(run, 'balance'), new URLSearchParams({ by }), waiting);
}

interface Judging {
  readonly by: By;
  readonly zoning: ZoningCase;
}

/** What each parameter moves by one step, from a case on. @throws {Refused} */
export async function getSensitivity(run: string, judging: Judging, waiting: Waiting): Promise<Sensitivity> {
  return await askCounted(pathOf(run, 'sensitivity'), queryOf(judging), waiting);
}

/** The land for which several sectors compete in a case. @throws {Refused} */
export async function getConflicts(run: string, judging: Judging, waiting: Waiting): Promise<Conflicts> {
  return await askCounted(pathOf(run, 'conflicts'), queryOf(judging), waiting);
}

/** The land that keeps its zone when the parameters of a case move. @throws {Refused} */
export async function getStability(run: string, judging: Judging, waiting: Waiting): Promise<Stability> {
  return await askCounted(pathOf(run, 'stability'), queryOf(judging), waiting);
}

function pathOf(run: string, what: string): string {
  return `/landscape/runs/${encodeURIComponent(run)}/${what}`;
}

function queryOf({ by, zoning }: Judging): URLSearchParams {
  return new URLSearchParams({
    by,
    ...Object.fromEntries(Object.entries(zoning).map(([name, value]) => [name, String(value)])),
  });
}

import type { ZoningCase } from '../../../common/landscape/zoning.ts';
import type { Balance, Conflicts, LandscapeInputSensitivity, Sensitivity, Stability } from './types.ts';
import { askCounted } from './counted.ts';

/** By which units hectares are counted. */
export type By = Balance['by'];

interface Asking {
  readonly signal: AbortSignal;
  /** The service has answered that it still counts. */
  readonly onCounting: () => void;
}

/** Hectares of all cells of a run, by unit, and its zones. @throws {Refused} */
export async function getBalance(run: string, by: By, asking: Asking): Promise<Balance> {
  return await askCounted(pathOf(run, 'balance', { by }), asking);
}

interface Judging {
  readonly by: By;
  /** The code of the one unit whose figures are asked for; all units of the level without one. */
  readonly kato: string | undefined;
  readonly zoning: ZoningCase;
}

/** What each parameter moves by one step, from a case on. @throws {Refused} */
export async function getSensitivity(run: string, judging: Judging, asking: Asking): Promise<Sensitivity> {
  return await askCounted(pathOf(run, 'sensitivity', parametersOf(judging)), asking);
}

/** The land for which several sectors compete in a case. @throws {Refused} */
export async function getConflicts(run: string, judging: Judging, asking: Asking): Promise<Conflicts> {
  return await askCounted(pathOf(run, 'conflicts', parametersOf(judging)), asking);
}

/** The land that keeps its zone when the parameters of a case move. @throws {Refused} */
export async function getStability(run: string, judging: Judging, asking: Asking): Promise<Stability> {
  return await askCounted(pathOf(run, 'stability', parametersOf(judging)), asking);
}

/** By so many percent each input is moved. */
const delta = '10';

/** How much of the zoning changes when one input is moved, estimated on a sample. @throws {Refused} */
export async function getInputSensitivity(run: string, asking: Asking): Promise<LandscapeInputSensitivity> {
  return await askCounted(pathOf(run, 'input-sensitivity', { delta }), asking);
}

function pathOf(run: string, what: string, parameters: Readonly<Record<string, string>>): string {
  return `/landscape/runs/${encodeURIComponent(run)}/${what}?${new URLSearchParams(parameters).toString()}`;
}

function parametersOf({ by, kato, zoning }: Judging): Readonly<Record<string, string>> {
  return {
    by,
    ...(kato !== undefined && { kato }),
    ...Object.fromEntries(Object.entries(zoning).map(([name, value]) => [name, String(value)])),
  };
}

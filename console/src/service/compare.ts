import type { Change } from './change.ts';
import type { RunComparison } from './types.ts';
import { askCounted } from './counted.ts';

export interface ComparisonRequest {
  readonly a: string;
  readonly b: string;
  /** Code of the node whose maps are compared. */
  readonly node: string;
  readonly by: RunComparison['by'];
}

/** Reads what differs between two runs, for which it waits while the service counts. @param onCounting it does. @throws {Refused} */
export async function compareRuns(
  { a, b, node, by }: ComparisonRequest,
  signal: AbortSignal,
  onCounting: () => void,
): Promise<RunComparison> {
  const path = `${pathOf(a, b)}?${new URLSearchParams({ node, by }).toString()}`;
  return await askCounted<RunComparison>(path, { signal, onCounting });
}

/** The path of the tiles of what differs, with `{z}`, `{x}` and `{y}`. @param only the one change to show */
export function changeTilesOf(
  { a, b, node }: Omit<ComparisonRequest, 'by'>,
  only: Change | undefined,
): string {
  return `${pathOf(a, b)}/tiles/{z}/{x}/{y}.png?${queryOf(node, only)}`;
}

/** The path of the legend of these tiles. */
export function changeLegendOf(
  { a, b, node }: Omit<ComparisonRequest, 'by'>,
  only: Change | undefined,
): string {
  return `${pathOf(a, b)}/legend.json?${queryOf(node, only)}`;
}

const queryOf = (node: string, only: Change | undefined): string =>
  new URLSearchParams({ node, ...(only && { from: sideOf(only.from), to: sideOf(only.to) }) }).toString();

const none = 'none';
const sideOf = (side: number | null): string => (side === null ? none : String(side));

const pathOf = (a: string, b: string): string =>
  `/landscape/runs/${encodeURIComponent(a)}/compare/${encodeURIComponent(b)}`;

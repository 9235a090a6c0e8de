import type { Conflicts } from './types.ts';
import { askCounted } from './counted.ts';
import { inLongTurn } from './turns.ts';

/** Nodes that follow the order of sectors where several suit best alike: their legends say on how much land. */
const ordered: ReadonlySet<string> = new Set(['32', '33', '34']);

export const followsOrder = (node: string): boolean => ordered.has(node);

/** The land of a run for which several sectors compete, in all. @throws {Refused} 409 with the reason where it cannot be told */
export async function getContested(
  runId: string,
  asking: { readonly signal: AbortSignal; readonly onCounting: () => void },
): Promise<Conflicts> {
  return await inLongTurn(
    asking.signal,
    async () => await askCounted(`/landscape/runs/${encodeURIComponent(runId)}/conflicts?by=all`, asking),
  );
}

import { askCounted } from './counted.ts';
import type { LandscapeLimits, LandscapeWhere } from './types.ts';
import { inLongTurn } from './turns.ts';

interface Asking {
  readonly signal: AbortSignal;
  readonly onCounting: () => void;
}

/** What limits a sector of a run, by its node; with the areas that there would be if a factor were relieved. @throws {Refused} */
export async function getLimits(
  runId: string,
  { sector, relieved }: { readonly sector: string; readonly relieved: string | undefined },
  asking: Asking,
): Promise<LandscapeLimits> {
  const query = new URLSearchParams({ sector, by: 'all', ...(relieved === undefined ? {} : { relieved }) });
  const path = `/landscape/runs/${encodeURIComponent(runId)}/limits?${query.toString()}`;
  return await inLongTurn(asking.signal, async () => await askCounted(path, asking));
}

/** Where a run meets conditions, in hectares by district. @throws {Refused} 422 for conditions about nothing that the run has */
export async function getWhere(runId: string, conditions: string, asking: Asking): Promise<LandscapeWhere> {
  const query = new URLSearchParams({ conditions, by: 'district' });
  return await askCounted(`/landscape/runs/${encodeURIComponent(runId)}/where?${query.toString()}`, asking);
}

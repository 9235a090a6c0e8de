import { ask } from './ask.ts';
import type { GroupFreshness, LandscapeWatch } from './types.ts';

/** Every group that has a cadence, with its state of today. @throws {Refused} */
export async function listFreshness(signal: AbortSignal): Promise<readonly GroupFreshness[]> {
  return await ask('/dataset-groups/freshness', { signal });
}

/** Sets how often a group is delivered, as ISO 8601 durations. @throws {Refused} */
export async function setCadence(
  groupId: string,
  cadence: Pick<GroupFreshness, 'every' | 'grace'>,
): Promise<void> {
  await ask(cadenceOf(groupId), { method: 'PUT', body: cadence });
}

/** @throws {Refused} with 404 when it has none */
export async function removeCadence(groupId: string): Promise<void> {
  await ask(cadenceOf(groupId), { method: 'DELETE' });
}

const cadenceOf = (groupId: string): string => `/dataset-groups/${encodeURIComponent(groupId)}/cadence`;

/** What the watch over the inputs does, and its last draft. @throws {Refused} */
export async function getWatch(signal: AbortSignal): Promise<LandscapeWatch> {
  return await ask('/landscape/watch', { signal });
}

/** Switches the watch on with a hold, an ISO 8601 duration; off without one. @throws {Refused} */
export async function setWatch(hold: string | undefined): Promise<void> {
  if (hold === undefined) await ask('/landscape/watch', { method: 'DELETE' });
  else await ask('/landscape/watch', { method: 'PUT', body: { on: 'input', hold } });
}

import { ask } from './ask.ts';
import type { GroupZonal } from './types.ts';

const pathOf = (groupId: string): string => `/dataset-groups/${encodeURIComponent(groupId)}/zonal`;

/** How far the table is that follows a group; `off` without one. @throws {Refused} */
export async function getGroupZonal(groupId: string, signal: AbortSignal): Promise<GroupZonal> {
  return await ask(pathOf(groupId), { signal });
}

/** @throws {Refused} */
export async function followGroup(groupId: string, settings: unknown): Promise<GroupZonal> {
  return await ask(pathOf(groupId), { method: 'PUT', body: settings });
}

/** @throws {Refused} */
export async function unfollowGroup(groupId: string): Promise<void> {
  await ask(pathOf(groupId), { method: 'DELETE' });
}

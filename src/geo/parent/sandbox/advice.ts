import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readable } from '../../../lib/readable.ts';
import { isolationAdvice } from '../../../messages/service.ts';
import { type Isolation, type IsolationRefusal, findTool, type Tools } from './isolation.ts';

/** An obstacle to a stronger isolation of children. */
export interface Advice {
  /** Such as `bubblewrap is not installed`. */
  readonly obstacle: string;
  /** One command that removes it, or where to read on. */
  readonly remedy: string;
}

/** Settings of the kernel that can forbid user namespaces: the value that does, and one that does not. */
const kernelSettings = [
  { setting: 'user.max_user_namespaces', forbids: '0', allows: '15000', bindsRoot: true },
  { setting: 'kernel.unprivileged_userns_clone', forbids: '0', allows: '1', bindsRoot: false },
  { setting: 'kernel.apparmor_restrict_unprivileged_userns', forbids: '1', allows: '0', bindsRoot: false },
];

/** Facts of the system that decide how far children can be isolated. */
export type SystemFacts = Awaited<ReturnType<typeof readSystemFacts>>;

export async function readSystemFacts() {
  /** Values by setting of the kernel; settings that it does not have are absent. */
  const settings = new Map<string, string>();
  for (const { setting } of kernelSettings) {
    const path = join('/proc/sys', setting.replace('.', '/'));
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== undefined) settings.set(setting, text.trim());
  }
  const hasApt = (await findTool('apt-get')) !== undefined;
  return { isRoot: process.getuid?.() === 0, hasApt, settings };
}

/** Names the first obstacle on the way to bubblewrap; undefined when that is in force. */
export function adviseIsolation(state: {
  /** The isolation in force. */
  readonly isolation: Isolation;
  /** True when ENGINE_ISOLATION names it. */
  readonly isNamed: boolean;
  readonly refusals: readonly IsolationRefusal[];
  readonly tools: Tools;
  readonly system: SystemFacts;
}): Advice | undefined {
  const { isolation, isNamed, refusals, tools, system } = state;
  const { isRoot, settings } = system;
  if (isolation === 'bubblewrap') return undefined;
  if (isNamed) return isolationAdvice.named(isolation);
  if (tools.bwrap === undefined) return isolationAdvice.notInstalled(system.hasApt, isRoot);
  const blocking = kernelSettings.find(
    ({ setting, forbids, bindsRoot }) => settings.get(setting) === forbids && (bindsRoot || !isRoot),
  );
  if (blocking !== undefined) return isolationAdvice.kernelSetting(blocking.setting, blocking.allows, isRoot);
  const reason = refusals.find((each) => each.isolation === 'bubblewrap')?.reason ?? '';
  return isolationAdvice.other(readable(reason, maxReasonCharacters));
}

export const maxReasonCharacters = 300;

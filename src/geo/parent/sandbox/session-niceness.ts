import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** For accounts other than root, the kernel accepts ten such writes per second in total. */
const tries = 20;
const pauseMs = 110;

/**
 * Lets all processes of a session yield to those of others if processors are short. Linux schedules sessions first
 * (autogroups), and each child leads one, so that its own niceness has no effect outside. A kernel without autogroups,
 * or with control groups instead, uses the niceness of processes, or the weights of groups.
 * @param leaderPid leader of the session, which may have ended.
 */
export async function setSessionNiceness(leaderPid: number, niceness: number): Promise<void> {
  for (let left = tries; left > 0; left -= 1) {
    try {
      // Immediately, before the leader becomes a program whose files only root may write to.
      writeFileSync(`/proc/${leaderPid}/autogroup`, String(niceness), { flag: 'r+' });
      return;
    } catch (error) {
      const isTooSoon = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
      if (!isTooSoon) return; // unsupported, or ended
    }
    await delay(pauseMs, undefined, { ref: false });
  }
}

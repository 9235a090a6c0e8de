import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** The kernel takes such a word of accounts other than root's ten times a second, from all of them together. */
const tries = 20;
const pauseMs = 110;

/**
 * Lets all processes of a session wait for those of others when there are too few processors. Linux shares these out among sessions first
 * (autogroups), and each child leads one: its own niceness counts within it alone, and so for nothing. A kernel without autogroups, or one
 * that shares out among control groups instead, goes by the niceness of processes, or by those groups' weights.
 * @param leaderPid of the session, which may have ended.
 */
export async function setSessionNiceness(leaderPid: number, niceness: number): Promise<void> {
  for (let left = tries; left > 0; left -= 1) {
    try {
      // At once, before the leader becomes a program that may be written to by root alone.
      writeFileSync(`/proc/${leaderPid}/autogroup`, String(niceness), { flag: 'r+' });
      return;
    } catch (error) {
      const isTooSoon = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
      if (!isTooSoon) return; // not there, or ended
    }
    await delay(pauseMs, undefined, { ref: false });
  }
}

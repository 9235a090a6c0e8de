import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SetupFailed } from './step.mjs';

/** A lock folder without an owner is a set-up that was killed between two lines. */
const ownerlessMs = 5000;

/** Runs `work` while no other set-up of this clone does; waits for one that is under way. */
export async function withSetupLock(folder, work) {
  while (!take(folder)) {
    if (isStale(folder)) {
      rmSync(folder, { recursive: true, force: true });
    } else {
      await sleep(500);
    }
  }
  try {
    await work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function take(folder) {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw new SetupFailed(
      `This folder can not be written (${error.code}).`,
      'Run it once as the user who owns the clone.',
    );
  }
  writeFileSync(join(folder, 'pid'), String(process.pid));
  return true;
}

function isStale(folder) {
  try {
    const owner = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    process.kill(owner, 0);
    return false;
  } catch (error) {
    if (error.code === 'EPERM') return false; // alive, and somebody else's
    if (error.code === 'ENOENT')
      return Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0) > ownerlessMs;
    return true;
  }
}

import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { SetupFailed } from './step.mjs';

/** Exit code of flock when another process holds the lock and flock must not wait. */
const heldByAnother = 1;

/**
 * Runs `work` while no other set-up of this clone runs; waits for another one, with a message. The lock is an operating system lock on
 * the folder, so it is released however this process ends. `work` gets its descriptor; a program that inherits it holds the lock until it
 * ends, even if this process is killed.
 * @throws {SetupFailed} when the folder cannot be created.
 */
export async function withSetupLock(folder, work) {
  const descriptor = openFolder(folder);
  try {
    let ending = await lock(descriptor, '-n');
    if (ending === heldByAnother) {
      process.stderr.write('set-up: waiting for another set-up of this folder …\n');
      ending = await lock(descriptor);
    }
    if (ending !== 0) {
      process.stderr.write('set-up: no lock here (flock of util-linux); run no other set-up meanwhile\n');
    }
    await work(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function openFolder(folder) {
  try {
    mkdirSync(folder, { recursive: true });
    return openSync(folder, 'r');
  } catch (error) {
    throw new SetupFailed(
      `${folder} cannot be made (${error.code}).`,
      'Run it once as the user who owns the clone.',
    );
  }
}

/**
 * Locks a descriptor. Node has no file locks, but a lock is shared by all processes that inherit a descriptor: flock sets it and exits,
 * and this process keeps it.
 */
async function lock(descriptor, ...options) {
  const flock = spawn('flock', ['-x', ...options, '3'], {
    stdio: ['ignore', 'ignore', 'ignore', descriptor],
  });
  return await new Promise((resolve) => {
    flock.once('error', resolve);
    flock.once('exit', resolve);
  });
}

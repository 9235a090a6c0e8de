import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The project's folder, without a trailing slash. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** A step that the person at the keyboard can help along; `remedy` is what to type. */
export class SetupFailed extends Error {
  constructor(message, remedy) {
    super(message);
    this.remedy = remedy;
  }
}

/** Runs one step of the set-up, saying what it is before and how long it took after. */
export async function step(title, run) {
  const start = Date.now();
  process.stderr.write(`set-up: ${title} …\n`);
  await run();
  process.stderr.write(`set-up: ${title} done in ${Math.round((Date.now() - start) / 1000)} s\n`);
}

const authorities = '/etc/ssl/certs/ca-certificates.crt';

/**
 * Runs a program without a shell, and resolves when it ends well.
 * @throws {SetupFailed} with the last lines of its output and `remedy` otherwise.
 */
export async function run(command, args, { cwd = root, env = {}, remedy }) {
  const inherited = { ...process.env };
  // npm trusts its own list of certificate authorities only; a company's proxy is in the system's.
  if (existsSync(authorities)) inherited.NODE_EXTRA_CA_CERTS ??= authorities;
  const child = spawn(command, args, {
    cwd,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let tail = '';
  const keep = (chunk) => {
    tail = (tail + chunk).slice(-4000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ending = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(code === 0 ? undefined : `it ended with ${signal ?? code}`));
  });
  if (ending !== undefined) {
    throw new SetupFailed(`\`${[command, ...args].join(' ')}\`: ${ending}.\n${tail.trimEnd()}`, remedy);
  }
}

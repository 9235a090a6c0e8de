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

/**
 * Context of all steps: `signal` ends the programs that they run, and `lock` is the descriptor of set-up's lock, if there is one.
 * @typedef {{ signal?: AbortSignal, lock?: number }} Context
 */

const sayToTerminal = (line) => process.stderr.write(`set-up: ${line}\n`);

/** Runs one step of the set-up, saying what it is before and how long it took after; returns its seconds. */
export async function step(title, run, say = sayToTerminal) {
  const start = Date.now();
  say(`${title} …`);
  await run();
  const seconds = (Date.now() - start) / 1000;
  say(`${title} done in ${Math.round(seconds)} s`);
  return seconds;
}

/**
 * Runs steps side by side, in the order of `after`: a step begins when those named there have ended well, if it is not
 * done by then. When one fails, the others are stopped, and have ended when this rejects with the failure of the first.
 * @param steps of `{ name, title, after, done, run }`; `run` gets the context
 * @param options.stopping stops all of them; its reason is what this rejects with
 * @returns for each step that was not done yet, its seconds
 */
export async function runSteps(steps, { stopping = new AbortController(), lock, say } = {}) {
  const context = { signal: stopping.signal, lock };
  const ends = new Map();
  const taken = [];
  for (const { name, title, after = [], done, run } of steps) {
    const inTurn = async () => {
      await Promise.all(after.map((earlier) => ends.get(earlier)));
      context.signal.throwIfAborted();
      if (!done()) taken.push(await step(title, () => run(context), say));
    };
    // The first failure is the reason; what is stopped because of it fails as well.
    ends.set(
      name,
      inTurn().catch((error) => {
        stopping.abort(error);
        throw error;
      }),
    );
  }
  await Promise.allSettled(ends.values());
  context.signal.throwIfAborted();
  return taken;
}

const authorities = '/etc/ssl/certs/ca-certificates.crt';

/**
 * Runs a program without a shell, and resolves when it has ended well. It holds the lock as long as it runs, so that what
 * a killed set-up leaves running meets no other.
 * @param options.remedy what to type, or a function that tells it from the last lines of the output
 * @param options.stopWith how the program is asked to end when `context.signal` says so
 * @throws {SetupFailed} with the last lines of its output and the remedy otherwise, after its end
 */
export async function run(command, args, { cwd = root, env = {}, remedy, context, stopWith = 'SIGTERM' }) {
  const { signal, lock } = context;
  const inherited = { ...process.env };
  // npm trusts its own list of certificate authorities only; a company's proxy is in the system's.
  if (existsSync(authorities)) inherited.NODE_EXTRA_CA_CERTS ??= authorities;
  const child = spawn(command, args, {
    cwd,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(lock === undefined ? [] : [lock])],
    signal,
    killSignal: stopWith,
    // Ctrl-C reaches this process alone, which ends each program as it wants to be ended.
    detached: true,
  });
  let tail = '';
  const keep = (chunk) => {
    tail = (tail + chunk).slice(-4000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ending = await new Promise((resolve) => {
    let failure;
    child.on('error', (error) => {
      failure = error.message;
    });
    child.on('close', (code, by) =>
      resolve(failure ?? (code === 0 ? undefined : `it ended with ${by ?? code}`)),
    );
  });
  if (ending !== undefined) {
    throw new SetupFailed(
      `\`${[command, ...args].join(' ')}\`: ${ending}.\n${tail.trimEnd()}`,
      typeof remedy === 'function' ? remedy(`${ending}\n${tail}`) : remedy,
    );
  }
}

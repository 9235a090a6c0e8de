import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root folder of the project, without a trailing slash. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** A failed step that the user can fix; `remedy` is the command to type. */
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

/** Runs one step of the set-up, printing its title before and its duration after; returns the seconds. */
export async function step(title, run, say = sayToTerminal) {
  const start = Date.now();
  say(`${title} …`);
  await run();
  const seconds = (Date.now() - start) / 1000;
  say(`${title} done in ${Math.round(seconds)} s`);
  return seconds;
}

/**
 * Runs steps in parallel, in the order of `after`: a step begins when the steps named there have succeeded, unless it is already done.
 * When one fails, the others are stopped and awaited, and this rejects with the first failure.
 * @param steps of `{ name, title, after, done, run }`; `run` gets the context
 * @param options.stopping stops all of them; its reason is the rejection
 * @returns the seconds of each step that was run
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
    // The first failure is the reason; steps that are stopped because of it fail too.
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
 * Runs a program without a shell, and resolves when it has succeeded. It holds the lock while it runs, so that the remains of a killed
 * set-up do not run beside another one.
 * @param options.remedy the command to type, or a function that returns it from the last lines of the output
 * @param options.stopWith the signal that stops the program when `context.signal` aborts
 * @throws {SetupFailed} with the last lines of its output and the remedy, after its end
 */
export async function run(command, args, { cwd = root, env = {}, remedy, context, stopWith = 'SIGTERM' }) {
  const { signal, lock } = context;
  const inherited = { ...process.env };
  // npm uses only its own list of certificate authorities; that of a company's proxy is in the list of the system.
  if (existsSync(authorities)) inherited.NODE_EXTRA_CA_CERTS ??= authorities;
  const child = spawn(command, args, {
    cwd,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(lock === undefined ? [] : [lock])],
    signal,
    killSignal: stopWith,
    // Ctrl-C reaches only this process, which stops each program with its own signal.
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

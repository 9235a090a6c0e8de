import type { Logger } from 'pino';
import { isChildOfNpm, readConfig } from '../config.ts';
import { createLogger } from '../process/logger.ts';
import { shutdownRequested } from '../process/shutdown.ts';
import { api } from './api.ts';
import type { Command } from './command.ts';
import { demo } from './demo.ts';
import { districts } from './districts.ts';
import { doctor } from './doctor.ts';
import { fsck } from './fsck.ts';
import { answerTo, findCommand } from './help.ts';
import { migrate } from './migrate.ts';
import { UsageError } from './options.ts';
import { serve } from './serve.ts';
import { survey } from './survey.ts';
import { token } from './token.ts';
import { worker, workerOfService } from './worker.ts';

/** The commands in the order in which help lists them. */
const commands = [serve, api, worker, workerOfService, doctor, migrate, districts, demo, survey, token, fsck];

/** Granted to a command after a signal before the process is ended. */
const hardStopMilliseconds = 9500;

/** Runs the command that a command line names, to its end, and returns the exit code. Help needs no valid settings. */
export async function runCommand([name = 'serve', ...args]: readonly string[]): Promise<number> {
  try {
    const answer = await answerTo(name, args, commands);
    if (answer === undefined) return await run(findCommand(name, commands), args);
    process.stdout.write(`${answer}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`steppe: ${reportOf(error)}${hintFor(error, name)}\n`);
    return 1;
  }
}

async function run(command: Command, args: readonly string[]): Promise<number> {
  const runIn = command.read(args);
  const config = readConfig();
  const level = command.isQuiet === true && config.logLevel === 'info' ? 'warn' : config.logLevel;
  const log = createLogger(level, command.serviceRole ?? command.name);
  const shutdown = listenForShutdown(command, log);
  try {
    const exitCode = (await runIn({ config, log, shutdown })) ?? 0;
    log.info({ exitCode }, 'ended');
    return exitCode;
  } catch (error) {
    // A start that was given up because somebody asked for it is no failure.
    const isAbort = error === shutdown.reason || (error instanceof Error && error.name === 'AbortError');
    if (shutdown.aborted && isAbort) return 0;
    throw error;
  }
}

function listenForShutdown({ serviceRole }: Command, log: Logger): AbortSignal {
  const shutdown = shutdownRequested(
    log,
    isChildOfNpm() && serviceRole === undefined ? process.ppid : undefined,
  );
  shutdown.addEventListener('abort', () => {
    setTimeout(() => process.exit(1), hardStopMilliseconds).unref();
  });
  return shutdown;
}

/** Returns one line about what an operator can act on; only a fault of our own shows where it happened. */
function reportOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isOurFault = [TypeError, RangeError, ReferenceError, SyntaxError].some(
    (kind) => error instanceof kind,
  );
  return isOurFault ? (error.stack ?? error.message) : error.message;
}

function hintFor(error: unknown, name: string): string {
  if (!(error instanceof UsageError)) return '';
  return `; see ./steppe ${commands.some((command) => command.name === name) ? `${name} ` : ''}--help`;
}

import type { Logger } from 'pino';
import { readConfig } from '../config.ts';
import type { Command } from '../commands/command.ts';
import { commands } from './commands.ts';
import { answerTo, commandNamed } from './help.ts';
import { createLogger } from '../process/logger.ts';
import { UsageError } from '../commands/options.ts';
import { shutdownRequested } from '../process/shutdown.ts';

/** Given when a signal has to end what does not end by itself. */
const hardStopMilliseconds = 9500;

/**
 * Runs the command that a command line names, to its end; gives the exit code. Whoever only asks something is answered
 * before settings are looked at.
 */
export async function runCommand(argv: readonly string[]): Promise<number> {
  try {
    const answer = await answerTo(argv, commands);
    if (answer === undefined) return await runNamed(argv);
    process.stdout.write(`${answer}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`steppe: ${reportOf(error)}${whereToLook(error, argv)}\n`);
    return 1;
  }
}

async function runNamed([name = 'serve', ...args]: readonly string[]): Promise<number> {
  const command = commandNamed(name, commands);
  const run = command.read(args);
  const config = readConfig(process.env);
  const level = command.isQuiet === true && config.logLevel === 'info' ? 'warn' : config.logLevel;
  const log = createLogger(level, command.serviceRole ?? name);
  const shutdown = listenForShutdown(command, log);
  try {
    const exitCode = (await run({ config, log, shutdown })) ?? 0;
    log.info({ exitCode }, 'ended');
    return exitCode;
  } catch (error) {
    if (shutdown.aborted && isAbort(error, shutdown)) return 0;
    throw error;
  }
}

function listenForShutdown({ serviceRole }: Command, log: Logger): AbortSignal {
  const isChildOfNpm = process.env['npm_lifecycle_event'] !== undefined && serviceRole === undefined;
  const shutdown = shutdownRequested(log, isChildOfNpm ? process.ppid : undefined);
  shutdown.addEventListener('abort', () => {
    setTimeout(() => process.exit(1), hardStopMilliseconds).unref();
  });
  return shutdown;
}

/** A start that was given up because somebody asked for it is no failure. */
function isAbort(error: unknown, shutdown: AbortSignal): boolean {
  return error === shutdown.reason || (error instanceof Error && error.name === 'AbortError');
}

/** What an operator can act on is one line; only a fault of our own shows where it happened. */
function reportOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isOurFault = [TypeError, RangeError, ReferenceError, SyntaxError].some(
    (kind) => error instanceof kind,
  );
  return isOurFault ? (error.stack ?? error.message) : error.message;
}

/** Who has mistyped a command line is told where it says how to type it. */
function whereToLook(error: unknown, [name = 'serve']: readonly string[]): string {
  if (!(error instanceof UsageError)) return '';
  const isCommand = commands.some((command) => command.name === name);
  return `; see ./steppe ${isCommand ? `${name} --help` : '--help'}`;
}

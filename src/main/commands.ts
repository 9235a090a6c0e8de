import type { Logger } from 'pino';
import { type Config, readConfig } from '../config.ts';
import { demo } from './demo.ts';
import { districts } from './districts.ts';
import { doctor } from './doctor.ts';
import { createLogger } from './logger.ts';
import { serveApi, work } from './roles.ts';
import { serve } from './serve.ts';
import { shutdownRequested } from './shutdown.ts';
import { survey } from './survey.ts';
import { token } from './token.ts';
import { fsck, migrateOnly } from './tools.ts';

/** Given when a signal has to end what does not end by itself. */
const hardStopMilliseconds = 9500;

interface Command {
  readonly summary: string;
  /** Its answer is what matters: only warnings are logged, unless LOG_LEVEL asks for more or less than usual. */
  readonly isQuiet?: boolean;
  /** Resolves with the exit code, or with nothing for success. */
  run(config: Config, log: Logger, shutdown: AbortSignal, args: readonly string[]): Promise<number | void>;
}

const commands: Readonly<Record<string, Command>> = {
  serve: { summary: 'run the whole service (what npm start does)', run: serve },
  api: { summary: 'run only the HTTP api; needs the three URLs', run: serveApi },
  worker: {
    summary: 'run only a worker; needs the three URLs',
    run: async (config, log, shutdown) => await work(config, log, shutdown, ofService),
  },
  doctor: { summary: 'say how well this installation stands', run: doctor, isQuiet: true },
  migrate: { summary: 'bring the database up to date, then end', run: migrateOnly, isQuiet: true },
  districts: {
    summary: 'import administrative units from a file; without arguments it says how',
    run: districts,
    isQuiet: true,
  },
  demo: { summary: 'take the example files through a running service', run: demo, isQuiet: true },
  survey: {
    summary: 'take every file of a folder through a running service',
    run: survey,
    isQuiet: true,
  },
  token: { summary: 'make, list and revoke access tokens', run: token, isQuiet: true },
  fsck: { summary: 'check that store, ledger and rows agree', run: fsck, isQuiet: true },
};

const [name = 'serve', ...options] = process.argv.slice(2);
/** Not for people: a service starts its worker so. */
const ofService = name === 'worker' && options.includes('--of-service');

/** Runs the command that the command line names, to its end; gives the exit code. */
export async function runCommand(): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    const isHelp = ['help', '--help', '-h'].includes(name);
    (isHelp ? process.stdout : process.stderr).write(
      isHelp ? help() : `steppe: no command ${name}\n\n${help()}`,
    );
    return isHelp ? 0 : 1;
  }
  let shutdown: AbortSignal | undefined;
  try {
    const config = readConfig(process.env);
    const level = command.isQuiet === true && config.logLevel === 'info' ? 'warn' : config.logLevel;
    const log = createLogger(level, name);
    const startedByNpm = process.env['npm_lifecycle_event'] !== undefined && !ofService;
    shutdown = shutdownRequested(log, startedByNpm);
    shutdown.addEventListener('abort', () => {
      setTimeout(() => process.exit(1), hardStopMilliseconds).unref();
    });
    const exitCode = (await command.run(config, log, shutdown, options)) ?? 0;
    log.info({ exitCode }, 'ended');
    return exitCode;
  } catch (error) {
    if (shutdown?.aborted === true && isAbort(error, shutdown)) return 0;
    process.stderr.write(`steppe: ${reportOf(error)}\n`);
    return 1;
  }
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

function help(): string {
  const lines = Object.entries(commands).map(([each, { summary }]) => `  ${each.padEnd(9)} ${summary}`);
  return `Usage: ./steppe <command>\n\n${lines.join('\n')}\n  help      show this\n\nSettings are environment variables; README.md lists them.\n`;
}

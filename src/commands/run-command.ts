import type { Logger } from 'pino';
import { type Config, isChildOfNpm, readConfig } from '../config.ts';
import { ownVersion } from '../lib/own-version.ts';
import { usageMistakes } from '../messages/service/english.ts';
import { createLogger } from '../runtime/logger.ts';
import type { Command } from './command.ts';
import { asksForHelp, readOptions, UsageError } from './options.ts';

/** Commands in the order of the help. Each is loaded on demand, because most need few modules of the service. */
const loadCommand: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  api: async () => (await import('./api.ts')).api,
  worker: async () => (await import('./worker.ts')).worker,
  'worker-of-service': async () => (await import('./worker.ts')).workerOfService,
  doctor: async () => (await import('./doctor.ts')).doctor,
  migrate: async () => (await import('./migrate.ts')).migrate,
  districts: async () => (await import('./districts.ts')).districts,
  token: async () => (await import('./token.ts')).token,
  fsck: async () => (await import('./fsck.ts')).fsck,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./backup.ts')).restore,
  mcp: async () => (await import('./mcp.ts')).mcp,
  verify: async () => (await import('./verify.ts')).verify,
};

/** Minimum time between a signal and the hard stop of the process, beyond the command's drain time. */
const hardStopMilliseconds = 9500;
const afterDrainMilliseconds = 5500;
const parentCheckMilliseconds = 500;

/** Runs the command that a command line names, and returns the exit code. Help does not require valid settings. */
export async function runCommand([name = 'serve', ...args]: readonly string[]): Promise<number> {
  try {
    const answer = await answerTo(name, args);
    if (answer === undefined) return await run(await findCommand(name), args);
    process.stdout.write(`${answer}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`steppe: ${reportOf(error)}${hintFor(error, name)}\n`);
    return 1;
  }
}

/** Runs a tool of `npm run` as `runCommand` runs a command. */
export async function runTool(tool: Command, args: readonly string[]): Promise<number> {
  try {
    if (!asksForHelp(args)) return await run(tool, args);
    process.stdout.write(`${tool.usage}\n`);
    return 0;
  } catch (error) {
    const hint = error instanceof UsageError ? `; see npm run ${tool.name} -- --help` : '';
    process.stderr.write(`${tool.name}: ${reportOf(error)}${hint}\n`);
    return 1;
  }
}

/** Answers a command line that only asks for help or the version; returns undefined for any other. @throws {UsageError} */
async function answerTo(name: string, args: readonly string[]): Promise<string | undefined> {
  switch (name) {
    case 'help':
    case '--help':
    case '-h': {
      const asked = args.filter((arg) => !asksForHelp([arg]));
      const [about] = readOptions(asked, {}, 1).positionals;
      return about === undefined ? await describeAll() : (await findCommand(about)).usage;
    }
    case 'version':
    case '--version':
      if (asksForHelp(args)) return await describeAll();
      readOptions(args, {}, 0);
      return ownVersion;
    default:
      return asksForHelp(args) ? (await findCommand(name)).usage : undefined;
  }
}

/** @throws {UsageError} for an unknown command. */
async function findCommand(wanted: string): Promise<Command> {
  const load = isCommand(wanted) ? loadCommand[wanted] : undefined;
  if (load === undefined) throw new UsageError(usageMistakes.unknownCommand(wanted));
  return await load();
}

function isCommand(name: string): boolean {
  return Object.hasOwn(loadCommand, name);
}

async function describeAll(): Promise<string> {
  const commands = await Promise.all(Object.values(loadCommand).map((load) => load()));
  const lines = commands
    .filter(({ serviceRole }) => serviceRole === undefined)
    .map(({ name, summary }) => `  ${name.padEnd(9)} ${summary}`);
  return `Usage: ./steppe [COMMAND] [--help]

${lines.join('\n')}
  version   print the version
  help      show this; with the name of a command, how that is used

Settings are environment variables; docs/operations.md lists them.`;
}

async function run(command: Command, args: readonly string[]): Promise<number> {
  const runIn = command.read(args);
  const config = readConfig();
  const level = command.isQuiet === true && config.logLevel === 'info' ? 'warn' : config.logLevel;
  const log = createLogger(level, command.serviceRole ?? command.name);
  const shutdown = listenForShutdown(command, config, log);
  try {
    const exitCode = (await runIn({ config, log, shutdown })) ?? 0;
    log.info({ exitCode }, 'ended');
    return exitCode;
  } catch (error) {
    // A start that was aborted on request is not a failure.
    const isAbort = error === shutdown.reason || (error instanceof Error && error.name === 'AbortError');
    if (shutdown.aborted && isAbort) return 0;
    throw error;
  }
}

function listenForShutdown(command: Command, config: Config, log: Logger): AbortSignal {
  const { serviceRole, drainSeconds = () => 0 } = command;
  const drained = drainSeconds(config) * 1000 + afterDrainMilliseconds;
  const npm = isChildOfNpm() && serviceRole === undefined ? process.ppid : undefined;
  const shutdown = shutdownRequested(log, npm);
  shutdown.addEventListener('abort', () => {
    setTimeout(() => process.exit(1), Math.max(hardStopMilliseconds, drained)).unref();
  });
  return shutdown;
}

/** Formats an error: one line for an error that an operator can act on, with a stack for a bug. */
function reportOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const faults = [TypeError, RangeError, ReferenceError, SyntaxError];
  const isOurFault = faults.some((kind) => error instanceof kind);
  return isOurFault ? (error.stack ?? error.message) : error.message;
}

function hintFor(error: unknown, name: string): string {
  if (!(error instanceof UsageError)) return '';
  return `; see ./steppe ${isCommand(name) ? `${name} ` : ''}--help`;
}

/**
 * Returns a signal that aborts when this process is asked to stop: by a signal, or by the death of the npm that started
 * it (npm passes on SIGTERM, but cannot pass on SIGKILL).
 * @param npm process id of npm; undefined if it is not the parent.
 */
function shutdownRequested(log: Logger, npm: number | undefined): AbortSignal {
  const request = new AbortController();
  const ask = (reason: string) => {
    if (request.signal.aborted) return;
    log.info({ reason }, 'shutting down');
    request.abort(new Error(reason));
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => ask(signal));
  if (npm !== undefined) {
    setInterval(() => {
      if (process.ppid !== npm) ask('npm has ended');
    }, parentCheckMilliseconds).unref();
  }
  return request.signal;
}

import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { type OptionTypes, readOptions } from './options.ts';

/** Context that every command receives, whatever its arguments. */
export interface CommandContext {
  readonly config: Config;
  readonly log: Logger;
  /** Aborts when the command is asked to stop. */
  readonly shutdown: AbortSignal;
}

interface CommandFacts {
  readonly name: string;
  /** One line in the list of commands. */
  readonly summary: string;
  /** Text of `--help`, without a trailing line break. */
  readonly usage: string;
  /** True for a command whose output is its result: it logs warnings only, unless LOG_LEVEL is set. */
  readonly isQuiet?: boolean;
  /** Name in the log of a command that a service starts; the list of commands omits such a command. */
  readonly serviceRole?: string;
  /** Seconds for which the command may go on serving after it is asked to stop; 0 by default. */
  drainSeconds?(config: Config): number;
}

interface CommandDefinition<Options extends OptionTypes> extends CommandFacts {
  /** Options in the form of `parseArgs`. */
  readonly options: Options;
  /** Maximum number of positional arguments; 0 by default. */
  readonly maxArguments?: number;
  /** Resolves with the exit code, or undefined for success. */
  run(context: CommandContext & ReturnType<typeof readOptions<Options>>): Promise<number | void>;
}

export interface Command extends CommandFacts {
  /** Reads the command's arguments; the result runs it. @throws {UsageError} */
  read(args: readonly string[]): (context: CommandContext) => Promise<number | void>;
}

/** Defines a command whose `run` receives only options that it declares. */
export function defineCommand<const Options extends OptionTypes>({
  options,
  maxArguments = 0,
  run,
  ...facts
}: CommandDefinition<Options>): Command {
  return {
    ...facts,
    read(args) {
      const given = readOptions(args, options, maxArguments);
      return async (context) => await run({ ...context, ...given });
    },
  };
}

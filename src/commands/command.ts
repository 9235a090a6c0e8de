import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { type OptionTypes, readOptions } from './options.ts';

/** The surroundings that every command is given, whatever its command line says. */
export interface CommandContext {
  readonly config: Config;
  readonly log: Logger;
  /** Aborts when the command is asked to end. */
  readonly shutdown: AbortSignal;
}

interface CommandFacts {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** The answer to `--help`, without a line break at its end. */
  readonly usage: string;
  /** Its answer is what matters: only warnings are logged, unless LOG_LEVEL asks for more or less than usual. */
  readonly isQuiet?: boolean;
  /** The name in the log of a command that a service starts; the list of commands leaves it out. */
  readonly serviceRole?: string;
  /** Seconds for which it may serve on after it is asked to end; none by default. */
  drainSeconds?(config: Config): number;
}

interface CommandDefinition<Options extends OptionTypes> extends CommandFacts {
  /** The options in the form of `parseArgs`. */
  readonly options: Options;
  /** Arguments beside the options; none by default. */
  readonly maxArguments?: number;
  /** Resolves with the exit code, or with nothing for success. */
  run(context: CommandContext & ReturnType<typeof readOptions<Options>>): Promise<number | void>;
}

export interface Command extends CommandFacts {
  /** Reads the command's part of the command line; nothing happens before the result is called. @throws {UsageError} */
  read(args: readonly string[]): (context: CommandContext) => Promise<number | void>;
}

/** Defines a command that never sees a command line other than it has defined. */
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

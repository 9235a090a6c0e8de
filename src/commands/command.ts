import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { type OptionTypes, readOptions } from './options.ts';

/** What every command is given, whatever its command line says. */
export interface CommandContext {
  readonly config: Config;
  readonly log: Logger;
  /** Aborts when the command is asked to end. */
  readonly shutdown: AbortSignal;
}

interface Traits {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What `--help` prints, without a line break at its end. */
  readonly usage: string;
  /** Its answer is what matters: only warnings are logged, unless LOG_LEVEL asks for more or less than usual. */
  readonly isQuiet?: boolean;
  /** Started by a service and not by people, who do not find it in the list; as what it shows in the log. */
  readonly serviceRole?: string;
}

interface Definition<Options extends OptionTypes> extends Traits {
  readonly options: Options;
  /** Of arguments that are no options. */
  readonly maxArguments: number;
  /** Resolves with the exit code, or with nothing for success. */
  run(call: CommandContext & ReturnType<typeof readOptions<Options>>): Promise<number | void>;
}

export interface Command extends Traits {
  /** Reads the command's part of the command line; nothing happens before the result is called. @throws {UsageError} */
  read(args: readonly string[]): (context: CommandContext) => Promise<number | void>;
}

/** A command that never sees a command line other than it has defined. */
export function defineCommand<const Options extends OptionTypes>(definition: Definition<Options>): Command {
  const { options, maxArguments, run, ...traits } = definition;
  return {
    ...traits,
    read(args) {
      const given = readOptions(args, options, maxArguments);
      return async (context) => await run({ ...context, ...given });
    },
  };
}

/** A command that takes neither options nor arguments. */
export function defineBareCommand(
  definition: Traits & { run(context: CommandContext): Promise<number | void> },
): Command {
  return defineCommand({ ...definition, options: {}, maxArguments: 0 });
}

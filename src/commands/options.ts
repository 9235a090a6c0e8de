import { parseArgs, type ParseArgsConfig } from 'node:util';
import { codeOf, messageOf } from '../lib/error-facts.ts';
import { usageMistakes } from '../messages/service.ts';

export type OptionTypes = NonNullable<ParseArgsConfig['options']>;
/** The values of those options that were given. */
export type OptionValues<Options extends OptionTypes> = ReturnType<typeof readOptions<Options>>['values'];

/** The command line is wrong. The message has no full stop, because a hint at the help follows it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Returns whether a command line asks for help, anywhere before `--`. */
export function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? undefined : end).some((each) => each === '--help' || each === '-h');
}

/**
 * Reads the options and arguments of one command, strictly.
 * @throws {UsageError} naming an unknown option, an option with too little or too much, or one argument too many.
 */
export function readOptions<const Options extends OptionTypes>(
  args: readonly string[],
  options: Options,
  maxArguments: number,
) {
  try {
    const { values, positionals } = parseArgs({
      args: joinNegativeNumbers(args),
      options,
      allowPositionals: true,
    });
    const surplus = positionals[maxArguments];
    if (surplus !== undefined) throw new UsageError(usageMistakes.surplusArgument(surplus));
    return { values, positionals };
  } catch (error) {
    throw asUsageError(error);
  }
}

/** `--days -3` names a value, wrong as it may be; `parseArgs` would take it for the next option. */
function joinNegativeNumbers(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const isValue = /^-\d/.test(arg) && /^--[^=]+$/.test(joined.at(-1) ?? '');
    joined.push(isValue ? `${joined.pop()}=${arg}` : arg);
  }
  return joined;
}

function asUsageError(error: unknown): unknown {
  const message = messageOf(error);
  const option = /'(?<name>--?[^\s',]+)/.exec(message)?.groups?.['name'] ?? '';
  switch (codeOf(error)) {
    case 'ERR_PARSE_ARGS_UNKNOWN_OPTION':
      return new UsageError(usageMistakes.unknownOption(option));
    case 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE':
      return new UsageError(
        message.includes('does not take')
          ? usageMistakes.surplusValue(option)
          : usageMistakes.missingValue(option),
      );
    default:
      return error;
  }
}

import { parseArgs, type ParseArgsConfig } from 'node:util';
import { codeOf, messageOf } from '../lib/error-facts.ts';
import { usageMistakes } from '../messages/service/english.ts';

export type OptionTypes = NonNullable<ParseArgsConfig['options']>;
/** Values of the options that were given. */
export type OptionValues<Options extends OptionTypes> = ReturnType<typeof readOptions<Options>>['values'];

/** An invalid command line. The message has no full stop, because a hint at the help follows. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Returns whether a command line has `--help` or `-h` anywhere before `--`. */
export function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? undefined : end).some((each) => each === '--help' || each === '-h');
}

/**
 * Parses the options and arguments of one command, strictly.
 * @throws {UsageError} naming an unknown option, a missing or superfluous value, or a superfluous argument.
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

/** `--days -3` has a value, even if an invalid one; `parseArgs` would read it as the next option. */
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

import { parseArgs, type ParseArgsConfig } from 'node:util';

export type OptionTypes = NonNullable<ParseArgsConfig['options']>;
/** What was given of some options. */
export type OptionValues<Options extends OptionTypes> = ReturnType<typeof readOptions<Options>>['values'];
type Token = NonNullable<ReturnType<typeof parseArgs<{ tokens: true; strict: false }>>['tokens']>[number];

/** The command line is wrong; says how, without a full stop: what to do about it follows. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Whether a command line asks how it has to look, wherever in it that stands. */
export function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? undefined : end).some((each) => each === '--help' || each === '-h');
}

/**
 * Reads a command's own part of the command line.
 * @throws {UsageError} naming an unknown option, an option with too little or too much, or one argument too many.
 */
export function readOptions<const Options extends OptionTypes>(
  args: readonly string[],
  options: Options,
  maxArguments: number,
) {
  // First loosely, because the complaints of a strict reading are not in our words.
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const checked = tokens.map((token) => checkedText(token, options));
  const { values, positionals } = parseArgs({ args: checked, options, allowPositionals: true });
  const surplus = positionals[maxArguments];
  if (surplus !== undefined) throw new UsageError(`unexpected argument ${surplus}`);
  return { values, positionals };
}

/** The token as it can not be misread: a value stands behind `=`. */
function checkedText(token: Token, options: OptionTypes): string {
  if (token.kind === 'option-terminator') return '--';
  if (token.kind === 'positional') return token.value;
  const { name, rawName, value, inlineValue } = token;
  const type = Object.hasOwn(options, name) && rawName === `--${name}` ? options[name]?.type : undefined;
  if (type === undefined) throw new UsageError(`unknown option ${rawName}`);
  if (type === 'boolean') {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value`);
    return rawName;
  }
  // A negative number is a value, wrong as it may be; anything else with a dash is the next option.
  if (value === undefined || (!inlineValue && /^-\D/.test(value))) {
    throw new UsageError(`${rawName} needs a value`);
  }
  return `${rawName}=${value}`;
}

import { parseArgs, type ParseArgsConfig } from 'node:util';

/** Reads a command's own part of the command line. @throws {Error} what is wrong with it, and the usage. */
export function readOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  usage: string,
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (cause) {
    throw new Error(`${cause instanceof Error ? cause.message : String(cause)}\n\n${usage}`, { cause });
  }
}

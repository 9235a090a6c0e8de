import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { usageMistakes } from '../messages/commands.ts';
import type { Command } from './command.ts';
import { asksForHelp, readOptions, UsageError } from './options.ts';

const Package = z.object({ version: z.string() });
const packagePath = new URL('../../package.json', import.meta.url);

/**
 * Answers a command line that only asks for help, in general or about a command, or for the version. Returns undefined
 * when a command has to be run. @throws {UsageError}
 */
export async function answerTo(
  name: string,
  args: readonly string[],
  commands: readonly Command[],
): Promise<string | undefined> {
  switch (name) {
    case 'help':
    case '--help':
    case '-h': {
      const asked = args.filter((arg) => !asksForHelp([arg]));
      const [about] = readOptions(asked, {}, 1).positionals;
      return about === undefined ? describeAll(commands) : findCommand(about, commands).usage;
    }
    case 'version':
    case '--version':
      if (asksForHelp(args)) return describeAll(commands);
      readOptions(args, {}, 0);
      return Package.parse(JSON.parse(await readFile(packagePath, 'utf8'))).version;
    default:
      return asksForHelp(args) ? findCommand(name, commands).usage : undefined;
  }
}

/** @throws {UsageError} when there is none. */
export function findCommand(wanted: string, commands: readonly Command[]): Command {
  const command = commands.find(({ name }) => name === wanted);
  if (command === undefined) throw new UsageError(usageMistakes.unknownCommand(wanted));
  return command;
}

function describeAll(commands: readonly Command[]): string {
  const lines = commands
    .filter(({ serviceRole }) => serviceRole === undefined)
    .map(({ name, summary }) => `  ${name.padEnd(9)} ${summary}`);
  return `Usage: ./steppe [COMMAND] [--help]

${lines.join('\n')}
  version   print the version
  help      show this; with the name of a command, how that is used

Settings are environment variables; README.md lists them.`;
}

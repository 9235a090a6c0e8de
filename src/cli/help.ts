import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Command } from '../commands/command.ts';
import { asksForHelp, UsageError } from '../commands/options.ts';

const Package = z.object({ version: z.string() });
const packagePath = new URL('../../package.json', import.meta.url);

/**
 * What is printed when somebody only asks something: for help, in general or about a command, or for the version.
 * Undefined when a command has to be run. @throws {UsageError}
 */
export async function answerTo(
  [name = 'serve', ...args]: readonly string[],
  commands: readonly Command[],
): Promise<string | undefined> {
  switch (name) {
    case 'help':
    case '--help':
    case '-h':
      return helpOn(args, commands);
    case 'version':
    case '--version':
      return asksForHelp(args) ? listOf(commands) : await versionWith(args);
    default:
      return asksForHelp(args) ? commandNamed(name, commands).usage : undefined;
  }
}

/** @throws {UsageError} when there is none. */
export function commandNamed(wanted: string, commands: readonly Command[]): Command {
  const command = commands.find(({ name }) => name === wanted);
  if (command === undefined) throw new UsageError(`there is no command ${wanted}`);
  return command;
}

function helpOn(args: readonly string[], commands: readonly Command[]): string {
  const [about, surplus] = args.filter((arg) => !asksForHelp([arg]));
  if (surplus !== undefined) throw new UsageError(`unexpected argument ${surplus}`);
  return about === undefined ? listOf(commands) : commandNamed(about, commands).usage;
}

async function versionWith([surplus]: readonly string[]): Promise<string> {
  if (surplus !== undefined) throw new UsageError(`unexpected argument ${surplus}`);
  return Package.parse(JSON.parse(await readFile(packagePath, 'utf8'))).version;
}

function listOf(commands: readonly Command[]): string {
  const lines = commands
    .filter(({ serviceRole }) => serviceRole === undefined)
    .map(({ name, summary }) => `  ${name.padEnd(9)} ${summary}`);
  return `Usage: ./steppe [COMMAND] [--help]

${lines.join('\n')}
  version   print the version
  help      show this; with the name of a command, how that is used

Settings are environment variables; README.md lists them.`;
}

import { createToken, listTokens, revokeToken, type TokenListing } from '../access/tokens.ts';
import { knownScopes, scopes as tokenScopes } from '../access/authenticator.ts';
import { commandFailures, usageMistakes } from '../messages/service/english.ts';
import { defineCommand, type CommandContext } from './command.ts';
import { type OptionValues, UsageError } from './options.ts';
import { withComponents } from './with-components.ts';

const usage = `Usage: ./steppe token create --name NAME --scopes SCOPE,SCOPE [--expires-in-days N]
       ./steppe token list
       ./steppe token revoke ID

Tokens for a service with AUTH_MODE=token. The scopes are ${tokenScopes.join(', ')};
none contains another. A new token is printed once and never again. A revoked one is void from the next request on.`;

const options = {
  name: { type: 'string' },
  scopes: { type: 'string' },
  'expires-in-days': { type: 'string' },
} as const;

const maxNameCharacters = 255;
const maxDays = 36_500;

/** Creates, lists and revokes tokens; works with or without a running service. */
export const token = defineCommand({
  name: 'token',
  summary: 'make, list and revoke access tokens',
  usage,
  isQuiet: true,
  options,
  maxArguments: 2,
  async run({ values, positionals: [action, id], ...context }) {
    if (action === 'create') {
      if (id !== undefined) throw new UsageError(usageMistakes.surplusArgument(id));
      return await create(context, readInput(values));
    }
    const [option] = Object.keys(values);
    if (option !== undefined) throw new UsageError(usageMistakes.optionOfOther(option, 'token create'));
    if (action === 'revoke') {
      if (id === undefined) throw new UsageError(usageMistakes.noTokenId);
      return await revoke(context, id);
    }
    if (action !== 'list') throw new UsageError(usageMistakes.noTokenAction);
    if (id !== undefined) throw new UsageError(usageMistakes.surplusArgument(id));
    return await list(context);
  },
});

async function create(context: CommandContext, input: ReturnType<typeof readInput>): Promise<void> {
  const { id, text } = await withComponents(context, async ({ db }) => await createToken(db, input));
  process.stderr.write(`Token ${id}. This is the only time that it is shown:\n`);
  process.stdout.write(`${text}\n`);
}

async function list(context: CommandContext): Promise<void> {
  const found = await withComponents(context, async ({ db }) => await listTokens(db));
  process.stdout.write(tableOf(found));
}

async function revoke(context: CommandContext, id: string): Promise<void> {
  const isKnown = await withComponents(context, async ({ db }) => await revokeToken(db, id));
  if (!isKnown) throw new Error(commandFailures.unknownToken(id));
  process.stdout.write(`Token ${id} is void.\n`);
}

function readInput({ name = '', scopes = '', 'expires-in-days': days }: OptionValues<typeof options>) {
  // Control characters in a printed name could steer a terminal.
  if (name.trim() === '' || name.length > maxNameCharacters || /\p{C}/u.test(name)) {
    throw new UsageError(usageMistakes.wrongTokenName(maxNameCharacters));
  }
  const wanted = scopes.split(',').map((scope) => scope.trim());
  const known = knownScopes(wanted);
  if (wanted.some((scope) => !tokenScopes.some((each) => each === scope))) {
    throw new UsageError(usageMistakes.wrongScopes(tokenScopes));
  }
  return { name, scopes: [...known], expiresInDays: days === undefined ? undefined : readDays(days) };
}

function readDays(text: string): number {
  const days = /^\d+$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= maxDays) return days;
  throw new UsageError(usageMistakes.wrongDays(maxDays, text));
}

function tableOf(found: readonly TokenListing[]): string {
  if (found.length === 0) return 'There are no tokens.\n';
  const head = ['ID', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED', 'SCOPES', 'NAME'];
  const rows = found.map((each) => [
    each.id,
    each.state,
    minuteOf(each.createdAt),
    each.expiresAt === null ? 'never' : minuteOf(each.expiresAt),
    each.lastUsedAt === null ? 'never' : minuteOf(each.lastUsedAt),
    each.scopes.join(','),
    each.name,
  ]);
  const lines = [head, ...rows];
  const widths = head.map((_title, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** Formats a time in UTC, such as `2026-11-21 21:40Z`. */
function minuteOf(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')}Z`;
}

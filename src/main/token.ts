import type { Logger } from 'pino';
import {
  createToken,
  knownScopes,
  listTokens,
  revokeToken,
  type TokenListing,
  tokenScopes,
} from '../compose/tokens.ts';
import type { Config } from '../config.ts';
import { readOptions } from './options.ts';
import { withComponents } from './tools.ts';

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

type Options = { readonly [name in keyof typeof options]?: string };

/** Makes, lists and revokes tokens; beside a running service or alone. */
export async function token(
  config: Config,
  log: Logger,
  signal: AbortSignal,
  args: readonly string[],
): Promise<number> {
  const { values, positionals } = readOptions(args, usage, options);
  const [action, id, ...rest] = positionals;
  if (action === 'create' && id === undefined) {
    const input = readInput(values);
    const { id, text } = await withComponents(config, log, signal, async ({ db }) => {
      return await createToken(db, input);
    });
    process.stderr.write(`Token ${id}. This is the only time that it is shown:\n`);
    process.stdout.write(`${text}\n`);
    return 0;
  }
  if (Object.keys(values).length > 0 || rest.length > 0) throw new Error(usage);
  if (action === 'list' && id === undefined) {
    const found = await withComponents(config, log, signal, async ({ db }) => await listTokens(db));
    process.stdout.write(tableOf(found));
    return 0;
  }
  if (action !== 'revoke' || id === undefined) throw new Error(usage);
  const isKnown = await withComponents(config, log, signal, async ({ db }) => await revokeToken(db, id));
  if (!isKnown)
    throw new Error(`there is no token ${id}; \`./steppe token list\` shows those that there are`);
  process.stdout.write(`Token ${id} is void.\n`);
  return 0;
}

function readInput({ name = '', scopes = '', 'expires-in-days': days }: Options) {
  // What is printed to terminals must not steer them.
  if (name.trim() === '' || name.length > maxNameCharacters || /\p{C}/u.test(name)) {
    throw new Error(
      `--name: what the token is for, in at most ${maxNameCharacters} printable characters.\n\n${usage}`,
    );
  }
  const wanted = scopes.split(',').map((scope) => scope.trim());
  const known = knownScopes(wanted);
  if (wanted.some((scope) => !tokenScopes.some((each) => each === scope))) {
    throw new Error(`--scopes: some of ${tokenScopes.join(', ')}, with commas between.\n\n${usage}`);
  }
  return { name, scopes: [...known], expiresInDays: days === undefined ? undefined : readDays(days) };
}

function readDays(text: string): number {
  const days = /^\d+$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= maxDays) return days;
  throw new Error(`--expires-in-days: a whole number from 1 to ${maxDays}.`);
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

/** In UTC, such as `2026-11-21 21:40Z`. */
function minuteOf(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')}Z`;
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Scope, scopes } from '../src/access/authenticator.ts';
import { startTestApp } from '../test/support/app.ts';
import { projectRoot } from '../test/support/project.ts';

const [begin, end] = [
  '<!-- Scopes, written by `npm run docs` from the routes. -->',
  '<!-- End of the scopes. -->',
];
/** The purpose of each scope; the table adds its routes. */
const purposes: Readonly<Record<Scope, string>> = {
  'data:read': 'all reading, including the `POST` requests that change nothing',
  'data:write': 'datasets: uploads, changes, styles, mappings, tables of statistics, deletion',
  'catalog:write':
    'settings that datasets share: categories, groups with their styles and cadences, and the receivers of events',
  'landscape:run':
    'all decisions about runs: starting, cancelling, records and with them adoption, signatures, polygons, the watch',
};

interface Described {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly summary: string; readonly security?: readonly object[] }>>
    >
  >;
}

/** Returns docs/commands.md with the table of scopes and their routes. */
export async function describeScopes(): Promise<string> {
  const page = readFileSync(join(projectRoot, 'docs/commands.md'), 'utf8');
  const [before = '', rest = ''] = page.split(begin);
  const [, after = ''] = rest.split(end);
  return `${before}${begin}\n\n${await tableOfScopes()}\n\n${end}${after}`;
}

async function tableOfScopes(): Promise<string> {
  const operations = await readOperations();
  const rows = scopes.map((scope) => {
    const own = operations.filter((operation) => operation.scope === scope);
    // Reading is the default, so only other methods of this scope are listed.
    const listed = scope === 'data:read' ? own.filter(({ method }) => method !== 'GET') : own;
    const all = scope === 'data:read' ? [`every \`GET\` that is in no other row`] : [];
    const texts = [...all, ...listed.map(({ method, path, summary }) => `\`${method} ${path}\` ${summary}`)];
    return `| \`${scope}\` | ${purposes[scope]} | ${texts.join('<br>')} |`;
  });
  return ['| Scope | For | Opens |', '|---|---|---|', ...rows].join('\n');
}

/** Reads the operations of each scope from the API description of a service with tokens; it needs no database. */
async function readOperations() {
  const authenticator = { authenticate: async () => undefined };
  await using app = await startTestApp({
    databaseTarget: { host: '/nonexistent', database: 'none' },
    access: () => ({ authentication: { mode: 'token', authenticator } }),
  });
  const { paths }: Described = JSON.parse(await (await fetch(`${app.baseUrl}/openapi.json`)).text());
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { summary, security = [] }]) => {
      const scope = security.flatMap((one) => Object.values(one).flat()).map(String)[0];
      return scope === undefined ? [] : [{ method: method.toUpperCase(), path, summary, scope }];
    }),
  );
}

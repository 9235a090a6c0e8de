import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AuthenticationPolicy } from '../../../src/http/access/access-policy.ts';
import { describeRoutes } from '../../../scripts/routes.ts';
import { describeScopes } from '../../../scripts/scopes.ts';
import { startTestApp } from '../../support/app.ts';
import { documentedBody, documentedStatuses, readDocument, violations } from '../../support/http/document.ts';
import { send } from '../../support/datasets.ts';
import { readProjectFile } from '../../support/project.ts';

interface Secured {
  readonly components: { readonly securitySchemes?: object };
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/** Must not be called: the description is open. */
const authenticator = { authenticate: async () => await Promise.reject(new Error('asked')) };

async function describe_(authentication: AuthenticationPolicy): Promise<Secured> {
  await using app = await startTestApp({ access: () => ({ authentication }) });
  return (await send<Secured>(app, '/openapi.json')).body;
}

describe('/openapi.json', () => {
  test('says nothing of credentials while none are asked for', async () => {
    const text = JSON.stringify(await describe_({ mode: 'off' }));
    assert.doesNotMatch(text, /"security|"401"|"403"/);
  });

  test('says that tokens are bearers, and which operation asks for which scope', async () => {
    const described = await describe_({ mode: 'token', authenticator });
    assert.deepEqual(described.components.securitySchemes, {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description: 'A token that `./steppe token create` made',
      },
    });
    const text = JSON.stringify(described.paths['/landscape/runs']?.['post']);
    assert.match(text, /"security":\[\{"bearer":\["landscape:run"\]\}\]/);
    const optional = JSON.stringify(described.paths['/capabilities']?.['get']);
    assert.match(optional, /"security":\[\{\},\{"bearer":\[\]\}\]/);
  });

  test('is what the table of scopes in docs/commands.md is written from, by `npm run docs`', async () => {
    const page = await describeScopes();
    assert.equal(readProjectFile('docs/commands.md'), page);
    const described = await describe_({ mode: 'token', authenticator });
    for (const [path, methods] of Object.entries(described.paths))
      for (const [method, operation] of Object.entries(methods)) {
        const scope = /"bearer":\["([^"]+)"\]/.exec(JSON.stringify(operation))?.[1];
        if (scope === undefined || (method === 'get' && scope === 'data:read')) continue;
        const row = page.split('\n').find((line) => line.startsWith(`| \`${scope}\``)) ?? '';
        assert.ok(row.includes(`\`${method.toUpperCase()} ${path}\``), `${method} ${path}`);
      }
  });

  test('has its routes in docs/routes.md, each with its slice and its file', async () => {
    const page = await describeRoutes();
    assert.equal(readProjectFile('docs/routes.md'), page, 'run npm run docs');
    const { paths } = await describe_({ mode: 'off' });
    for (const [path, methods] of Object.entries(paths))
      for (const method of Object.keys(methods)) {
        const route = `| ${method.toUpperCase()} | \`${path.replaceAll(/\{(\w+)\}/g, ':$1')}\` |`;
        assert.ok(page.includes(route), route);
      }
  });

  test('names the issuer whose tokens are asked for', async () => {
    const described = await describe_({ mode: 'oidc', authenticator, issuer: 'https://id.example/land/' });
    assert.deepEqual(described.components.securitySchemes, {
      bearer: {
        type: 'openIdConnect',
        openIdConnectUrl: 'https://id.example/land/.well-known/openid-configuration',
      },
    });
  });

  test('adds 401 and 403 to every operation but the open ones, and changes nothing else', async () => {
    const open = documentedStatuses(readDocument(await describe_({ mode: 'off' })).operations);
    const closed = readDocument(await describe_({ mode: 'token', authenticator }));
    const statuses = documentedStatuses(closed.operations);
    const added = statuses.filter((status) => !open.includes(status));
    const operations = [...new Set(open.map((status) => status.replace(/ \d+$/, '')))].filter(
      (operation) => !/\/(?:healthz|readyz|capabilities)$/.test(operation),
    );
    assert.deepEqual(
      added.toSorted(),
      [
        ...operations.flatMap((operation) => [`${operation} 401`, `${operation} 403`]),
        ...[401, 500, 503].map((status) => `GET /capabilities ${status}`),
      ].toSorted(),
    );
    for (const status of open) assert.ok(statuses.includes(status), status);
    const body = documentedBody(closed.operations, { method: 'GET', path: '/categories', status: 401 });
    assert.ok(body !== undefined);
    assert.deepEqual(violations(body.schema, { error: 'x' }, closed.definitions), []);
    assert.notDeepEqual(violations(body.schema, { errors: {} }, closed.definitions), []);
  });
});

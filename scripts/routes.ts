import Fastify from 'fastify';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { registerRoutes } from '../src/runtime/api/routes.ts';
import { startTestApp } from '../test/support/app.ts';
import { projectRoot } from '../test/support/project.ts';
import { slices, sliceOf } from '../test/structure/order.ts';

interface Route {
  readonly method: string;
  readonly path: string;
  readonly file: string;
}

/** Returns docs/routes.md: every route with its slice and the file that registers it, in the order of the slices. */
export async function describeRoutes(): Promise<string> {
  const place = ({ file, path, method }: Route): string =>
    `${String(slices.indexOf(sliceOf(file))).padStart(2, '0')} ${path} ${method}`;
  const rows = (await readRoutes())
    .toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
    .map(({ method, path, file }) => `| ${sliceOf(file)} | ${method} | \`${path}\` | \`${file}\` |`);
  return `# Routes

Every route with its slice and the file that registers it. \`npm run docs\` writes this page from the code.

| Slice | Method | Path | File |
|---|---|---|---|
${rows.join('\n')}
`;
}

/** Registers all routes without a database, and determines from the stack which file registers each. */
async function readRoutes(): Promise<readonly Route[]> {
  await using service = await startTestApp({ databaseTarget: { host: '/nonexistent', database: 'none' } });
  const routes: Route[] = [];
  const app = Fastify();
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat())
      if (each !== 'HEAD') routes.push({ method: each, path: url, file: registeringFile() });
  });
  await registerRoutes(app, service.services);
  return routes;
}

/** Returns the file of a slice on the stack; library code and the list of all routes are skipped. */
function registeringFile(): string {
  const frames = [...(new Error().stack ?? '').matchAll(/file:[^\s)]+?\.ts/g)].map(([url]) =>
    relative(projectRoot, fileURLToPath(url)),
  );
  const own = frames.filter((file) => file.startsWith('src/') && file !== 'src/runtime/api/routes.ts');
  return own.find((file) => !file.startsWith('src/http/')) ?? own[0] ?? '';
}

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { App } from './request/schemas.ts';

/** Build folder of `console/`. */
const built = fileURLToPath(new URL('../../console/dist', import.meta.url));

const policyOf = (directives: Readonly<Record<string, string>>): string =>
  Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');

/** Restricts all loads to the origin and the tiles of a base map that the operator has configured. */
const pagePolicy = (baseMapOrigin: string | undefined): string =>
  policyOf({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': ["'self'", 'data:', 'blob:', ...(baseMapOrigin === undefined ? [] : [baseMapOrigin])].join(
      ' ',
    ),
    'font-src': "'self'",
    'connect-src': "'self'",
    'worker-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  });

/** A worker obeys the policy of its own file; WebAssembly decoders run only there. */
const workerPolicy = policyOf({
  'default-src': "'none'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'connect-src': "'self' data:",
});

/** Links to the entry points for other programs. */
const forPrograms = [
  '</openapi.json>; rel="service-desc"',
  '</docs>; rel="service-doc"',
  '</stac>; rel="alternate"; type="application/json"; title="STAC"',
  '</ogc>; rel="alternate"; type="application/json"; title="OGC API"',
].join(', ');

const yearSeconds = 31_536_000;

/** The worker that reads spreadsheets, which may be hostile, may not connect to anything. */
const sheetWorkerPolicy = policyOf({ 'default-src': "'none'", 'script-src': "'self'" });

interface ConsoleSettings {
  readonly baseMap: { readonly url: string } | undefined;
}

/** Serves the console at `/` and its files below `/assets/`. Before it is built, `/` leads to the documentation. */
export async function registerConsole(app: App, { baseMap }: ConsoleSettings, folder = built): Promise<void> {
  const options = { config: { scope: 'open' }, schema: { hide: true } } as const;
  if (!existsSync(join(folder, 'index.html'))) {
    app.get('/', options, async (_request, reply) => await reply.redirect('/docs', 303));
    return;
  }
  const policy = pagePolicy(baseMap === undefined ? undefined : new URL(baseMap.url).origin);
  await app.register(async (page) => {
    page.decorate('pluginScope', 'open');
    await page.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      preCompressed: true,
      index: false,
      cacheControl: false,
      schemaHide: true,
      setHeaders(reply, path) {
        if (/\/index\.html(?:\.br|\.gz)?$/.test(path)) return;
        // File names change with their content.
        reply.header('cache-control', `public, max-age=${yearSeconds}, immutable`);
        const name = basename(path);
        if (name.startsWith('worker-')) reply.header('content-security-policy', workerPolicy);
        if (name.startsWith('sheet-worker-')) reply.header('content-security-policy', sheetWorkerPolicy);
      },
    });
    page.get('/', options, async (_request, reply) => {
      reply.headers({
        'content-security-policy': policy,
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-cache',
        link: forPrograms,
      });
      return await reply.sendFile('index.html', folder, { cacheControl: false });
    });
  });
}

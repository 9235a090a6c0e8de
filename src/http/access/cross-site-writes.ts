import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../../common/errors.ts';
import type { AccessPolicy } from './access-policy.ts';
import type { App } from '../fastify/app-type.ts';
import { isOwnOrigin } from './origins.ts';

/** What changes nothing, whoever sends it. */
const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

type Origins = Pick<AccessPolicy, 'corsOrigins' | 'publicUrl'>;

/**
 * Refuses writes that a browser sends for a page from elsewhere. A form needs nobody's leave to post to us, and on a
 * machine of one's own, or inside a network, that it comes from there is all that protects the data.
 */
export function refuseCrossSiteWrites(app: App, origins: Origins): void {
  app.addHook('onRequest', async ({ method, headers }) => {
    if (safeMethods.includes(method) || isWelcome(headers, origins)) return;
    throw new Problem(
      'forbidden',
      'a page from elsewhere must not write here; CORS_ALLOWED_ORIGINS can list its origin',
    );
  });
}

function isWelcome(headers: IncomingHttpHeaders, { corsOrigins, publicUrl }: Origins): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin') return true;
  if (origin === undefined) return site !== 'cross-site'; // programs send neither
  return isOwnOrigin(origin, { publicUrl, host }) || (corsOrigins !== '*' && corsOrigins.includes(origin));
}

import type { FastifyRequest } from 'fastify';
import { withoutTrailingSlashes } from '../../lib/addresses.ts';
import type { App } from '../request/schemas.ts';
import type { AccessPolicy } from './access-policy.ts';

type PublicUrl = Pick<AccessPolicy, 'publicUrl'>;

/**
 * Returns the address at which the client reaches the service, without a trailing slash: `PUBLIC_URL`, otherwise the host of the request.
 * Forwarding headers are ignored, even from a trusted proxy: it may pass on values that a client has made up.
 */
export function baseUrlOf({ headers }: Pick<FastifyRequest, 'headers'>, access: PublicUrl): string {
  return addressOf('', access) || `http://${headers.host ?? ''}`;
}

/** Returns the address of one of our paths below `PUBLIC_URL`, which may have a path itself; without `PUBLIC_URL`, the path. */
export function addressOf(path: string, { publicUrl }: PublicUrl): string {
  return publicUrl === undefined ? path : withoutTrailingSlashes(publicUrl.href) + path;
}

/** Response headers that hold addresses. Routes and the file plugins write paths into them. */
const headersWithAddress = ['location', 'content-location', 'link'] as const;

/** Turns paths in response headers into addresses, so that routes need not know the address of the service. */
export function addOwnAddresses(app: App, access: PublicUrl): void {
  if (access.publicUrl === undefined) return;
  app.addHook('onSend', (_request, reply, payload, done) => {
    for (const name of headersWithAddress) {
      const value = reply.getHeader(name);
      if (typeof value === 'string') reply.header(name, withAddresses(name, value, access));
    }
    done(null, payload);
  });
}

/** Paths begin with one slash: two would lead to another host. `Link` puts them in angle brackets. */
function withAddresses(name: (typeof headersWithAddress)[number], value: string, access: PublicUrl): string {
  if (name === 'link')
    return value.replaceAll(/<(\/(?!\/)[^<>]*)>/g, (_link, path: string) => `<${addressOf(path, access)}>`);
  return /^\/(?!\/)/.test(value) ? addressOf(value, access) : value;
}

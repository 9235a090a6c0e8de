import type { FastifyRequest } from 'fastify';
import { withoutTrailingSlashes } from '../../lib/trailing-slashes.ts';
import type { AccessPolicy } from './access-policy.ts';

/**
 * Returns the address at which the client finds the service, without a slash at its end: `PUBLIC_URL`, else the host that the request
 * names. What proxies claim in headers of their own does not count, not even that of a trusted one, which may pass on what a client has made up.
 */
export function baseUrlOf({ headers }: FastifyRequest, { publicUrl }: AccessPolicy): string {
  return withoutTrailingSlashes(publicUrl?.href ?? `http://${headers.host ?? ''}`);
}

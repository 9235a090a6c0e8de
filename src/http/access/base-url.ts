import type { FastifyRequest } from 'fastify';
import { withoutTrailingSlashes } from '../../lib/trailing-slashes.ts';
import type { AccessPolicy } from './access-policy.ts';

/**
 * Returns the address at which the client finds the service, without a slash at its end: `PUBLIC_URL`, else the host that the request
 * names. What proxies claim in headers of their own does not count.
 */
export function baseUrlOf({ protocol, host }: FastifyRequest, { publicUrl }: AccessPolicy): string {
  return withoutTrailingSlashes(publicUrl?.href ?? `${protocol}://${host}`);
}

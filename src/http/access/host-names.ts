import type { FastifyRequest } from 'fastify';
import { Problem } from '../../common/errors.ts';
import { isLoopbackName } from '../../common/loopback.ts';
import type { HostPolicy } from './access-policy.ts';
import type { App } from '../fastify/app-type.ts';

/** Asked by machines that know an address and no name. */
const probes: readonly (string | undefined)[] = ['/healthz', '/readyz'];

/**
 * Refuses requests under foreign host names: a page whose name was rebound to our address would be of our own origin
 * to the browser. One without a name (HTTP/1.0) comes from no browser.
 */
export function addHostCheck(app: App, policy: HostPolicy): void {
  if (policy.answered === 'any') return;
  app.addHook('onRequest', async (request) => {
    const { host } = request.headers;
    if (host !== undefined && !isAnswered(nameIn(host), request, policy)) throw refusal(policy);
  });
}

function isAnswered(name: string, { routeOptions }: FastifyRequest, policy: HostPolicy): boolean {
  if (isLoopbackName(name)) return true;
  return policy.answered === 'listed' && (policy.names.includes(name) || probes.includes(routeOptions.url));
}

/** Without the port, in lower case; empty when it is no host at all. */
function nameIn(host: string): string {
  const [, name = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(host) ?? [];
  return name.toLowerCase();
}

function refusal({ answered }: HostPolicy): Problem {
  const advice =
    answered === 'listed'
      ? 'ALLOWED_HOSTS does not list it'
      : 'set ALLOWED_HOSTS to the names that the service has, or PUBLIC_URL to where it is found';
  return new Problem('forbidden', `the service is not answering under this host name; ${advice}`);
}

import type { FastifyRequest } from 'fastify';
import { isLoopbackName } from '../../common/loopback.ts';
import { accessProblems } from '../../messages/access.ts';
import type { App } from '../request/schemas.ts';
import type { HostPolicy } from './access-policy.ts';

/** Probes come from machines that know the address but no name. */
const probes: readonly (string | undefined)[] = ['/healthz', '/readyz'];

/**
 * Refuses requests under foreign host names (DNS rebinding): to a browser, a page whose name leads to our address has
 * our own origin. A request without a name (HTTP/1.0) comes from no browser.
 */
export function addHostCheck(app: App, policy: HostPolicy): void {
  if (policy.answered === 'any') return;
  app.addHook('onRequest', async (request) => {
    const { host } = request.headers;
    if (host === undefined || isAnswered(nameIn(host), request, policy)) return;
    throw policy.answered === 'listed' ? accessProblems.hostNotListed() : accessProblems.hostNotLoopback();
  });
}

function isAnswered(name: string, { routeOptions }: FastifyRequest, policy: HostPolicy): boolean {
  if (isLoopbackName(name)) return true;
  return policy.answered === 'listed' && (policy.names.includes(name) || probes.includes(routeOptions.url));
}

/** Returns a host without its port, in lower case; empty when it is no host at all. */
function nameIn(host: string): string {
  const [, name = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(host) ?? [];
  return name.toLowerCase();
}

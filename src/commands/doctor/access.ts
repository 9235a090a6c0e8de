import { reasonOf } from '../../lib/error-facts.ts';
import { checkIssuer } from '../../access/oidc.ts';
import type { Config } from '../../config.ts';
import { isLoopbackOnly } from '../../lib/addresses.ts';
import type { Finding } from './finding.ts';

const title = 'Access';

/** Examines who has access to the service, and whether it can authenticate them. */
export async function examineAccess(config: Config): Promise<Finding> {
  const { authentication } = config;
  if (authentication.mode === 'oidc') return await examineIssuer(authentication.issuer);
  const line =
    authentication.mode === 'off'
      ? await openness(config)
      : 'token: asks for tokens that ./steppe token makes';
  return { title, lines: [line] };
}

async function openness({ httpHost, publicUrl }: Config): Promise<string> {
  // A name that cannot be resolved is reported by the examination of the address.
  if (!(await isLoopbackOnly(httpHost).catch(() => true))) {
    return `off: anyone who can reach ${httpHost} may read and write; AUTH_MODE=token asks for tokens`;
  }
  if (publicUrl !== undefined)
    return `off: anyone whom the proxy of ${publicUrl} lets through may read and write`;
  return 'off: anyone on this machine may read and write, no other machine reaches it';
}

async function examineIssuer(issuer: string): Promise<Finding> {
  try {
    await checkIssuer(issuer);
    return { title, lines: [`oidc: asks for tokens of ${issuer}, whose keys can be fetched`] };
  } catch (error) {
    const line = `oidc: the keys of ${issuer} cannot be fetched: ${reasonOf(error)}`;
    return { title, lines: [line], isFault: true };
  }
}

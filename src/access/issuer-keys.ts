import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { issuerFaults } from '../messages/access.ts';
import { serviceProblems } from '../messages/request.ts';

const timeoutMs = 5_000;
/** The time that the issuer may be away, because keys are used without asking for them again. */
const maxKeyAgeMs = 600_000;
const defaultCooldownMs = 5_000;

const Metadata = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

type RemoteKeys = ReturnType<typeof createRemoteJWKSet>;

/**
 * Returns the keys of an OpenID issuer, found by its metadata. They are fetched when they are first needed, when they are
 * old, and when a token names one that is not among them.
 * @throws {Problem} `unavailable` (from the result) when a key cannot be looked for now.
 */
export function createIssuerKeys(options: {
  readonly issuer: string;
  readonly keyCooldownMs?: number;
}): JWTVerifyGetKey {
  const { issuer, keyCooldownMs: cooldownDuration = defaultCooldownMs } = options;
  let found: Promise<RemoteKeys> | undefined;

  async function find(): Promise<RemoteKeys> {
    const url = await discover(issuer);
    return createRemoteJWKSet(url, {
      timeoutDuration: timeoutMs,
      cooldownDuration,
      cacheMaxAge: maxKeyAgeMs,
    });
  }

  return async (header, token) => {
    const finding = (found ??= find());
    const forget = (): void => {
      if (found === finding) found = undefined;
    };
    const keys = await finding.catch((cause: unknown) => {
      forget();
      throw serviceProblems.unavailable('identity provider').because(cause);
    });
    try {
      return await keys(header, token);
    } catch (error) {
      if (isAboutTheToken(error)) throw error;
      // The keys may have moved; those that are still valid stay.
      if (!keys.fresh) forget();
      throw serviceProblems.unavailable('identity provider').because(error);
    }
  };
}

/** Fetches the keys of an OpenID issuer once, within ten seconds. @throws {Error} saying what keeps the service from them. */
export async function checkIssuer(issuer: string): Promise<void> {
  await createRemoteJWKSet(await discover(issuer), { timeoutDuration: timeoutMs }).reload();
}

/** Returns the URL at which an OpenID issuer describes itself. */
export function metadataUrlOf(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/** Finds the URL of the keys by OpenID Connect Discovery. */
async function discover(issuer: string): Promise<URL> {
  const url = metadataUrlOf(issuer);
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(issuerFaults.wrongStatus(url, response.status));
  const { data: metadata } = Metadata.safeParse(await response.json());
  if (metadata === undefined) throw new Error(issuerFaults.notMetadata(url));
  if (metadata.issuer !== issuer) throw new Error(issuerFaults.otherIssuer(url, metadata.issuer));
  const keysUrl = new URL(metadata.jwks_uri);
  // Whoever can change the keys in transit can sign every token.
  if (issuer.startsWith('https:') && keysUrl.protocol !== 'https:') {
    throw new Error(issuerFaults.keysWithoutTls(issuer, keysUrl.href));
  }
  return keysUrl;
}

function isAboutTheToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  );
}

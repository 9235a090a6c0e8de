import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { Problem } from '../common/errors.ts';

const timeoutMs = 5_000;
/** For so long keys are used without asking for them again, so for so long the issuer may be away. */
const maxKeyAgeMs = 600_000;
const defaultCooldownMs = 5_000;

const Metadata = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

type RemoteKeys = ReturnType<typeof createRemoteJWKSet>;

/**
 * The keys of an OpenID issuer, as its metadata says where they are; fetched when they are first needed, when they are
 * old, and when a token names one that is not among them.
 * @throws {Problem} `unavailable` (from the result) when a key can not be looked for now.
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
      throw unavailable(cause);
    });
    try {
      return await keys(header, token);
    } catch (error) {
      if (saysSomethingOfTheToken(error)) throw error;
      // They may have moved; while there are some of use they stay.
      if (!keys.fresh) forget();
      throw unavailable(error);
    }
  };
}

/** Fetches the keys of an OpenID issuer once, within ten seconds. @throws {Error} what keeps the service from them. */
export async function checkIssuer(issuer: string): Promise<void> {
  await createRemoteJWKSet(await discover(issuer), { timeoutDuration: timeoutMs }).reload();
}

/** Where an OpenID issuer describes itself. */
export function metadataUrlOf(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/** Where the keys are, by OpenID Connect Discovery. */
async function discover(issuer: string): Promise<URL> {
  const url = metadataUrlOf(issuer);
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`${url} is answered with ${response.status}`);
  const { data: metadata } = Metadata.safeParse(await response.json());
  if (metadata === undefined) throw new Error(`${url} is no description of an OpenID issuer`);
  if (metadata.issuer !== issuer) throw new Error(`${url} is of the issuer ${metadata.issuer}`);
  const keysUrl = new URL(metadata.jwks_uri);
  // Whoever can change the keys on their way can sign every token.
  if (issuer.startsWith('https:') && keysUrl.protocol !== 'https:') {
    throw new Error(`the keys of ${issuer} are not fetched without TLS from ${keysUrl.href}`);
  }
  return keysUrl;
}

function saysSomethingOfTheToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  );
}

function unavailable(cause: unknown): Problem {
  return new Problem('unavailable', 'identity provider unavailable', { cause });
}

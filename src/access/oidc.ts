import {
  createRemoteJWKSet,
  errors,
  type JWTHeaderParameters,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
} from 'jose';
import { z } from 'zod';
import { issuerFaults, serviceProblems } from '../messages/request/english.ts';
import { type Authenticator, knownScopes } from './authenticator.ts';

/** Asymmetric algorithms only: with HMAC, the public key would be the secret. */
const algorithms = ['RS256', 'ES256', 'EdDSA', 'Ed25519'];
/** Access tokens are `at+jwt` (RFC 9068); many issuers write `JWT`. Tokens for another purpose have another type (RFC 8725, 3.11). */
const accessTokenTypes: readonly string[] = ['at+jwt', 'application/at+jwt', 'jwt'];
const clockSkewSeconds = 60;
const timeoutMs = 5_000;
/** Time for which cached keys are used without asking the issuer: an outage of this length goes unnoticed. */
const maxKeyAgeMs = 600_000;
const defaultCooldownMs = 5_000;

const Metadata = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

export interface OidcOptions {
  /** The issuer's URL exactly as in its tokens. */
  readonly issuer: string;
  readonly audience: string;
  /** Minimum time between two fetches because of an unknown key. */
  readonly keyCooldownMs?: number;
}

/** Creates the authenticator for JWT access tokens from an OpenID provider. */
export function createOidcAuthenticator(options: OidcOptions): Authenticator {
  const { issuer, audience, keyCooldownMs = defaultCooldownMs } = options;
  const keys = createIssuerKeys(issuer, keyCooldownMs);
  const expected = {
    issuer,
    audience,
    algorithms,
    requiredClaims: ['exp'],
    clockTolerance: clockSkewSeconds,
  };
  return {
    async authenticate(token) {
      try {
        const { payload, protectedHeader } = await jwtVerify(token, keys, expected);
        // A token that is bound to a key (RFC 7800) requires a proof of possession, which a bearer does not send.
        if (payload['cnf'] !== undefined || !isAccessToken(protectedHeader)) return undefined;
        const subject = subjectOf(payload);
        return { subject, name: subject, scopes: scopesIn(payload) };
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}

function isAccessToken({ typ: type }: JWTHeaderParameters): boolean {
  return type === undefined || (typeof type === 'string' && accessTokenTypes.includes(type.toLowerCase()));
}

/** RFC 9068 requires `sub`. Issuers omit it from tokens of programs, which have a `client_id` or `azp`. */
function subjectOf({ sub, client_id: client, azp }: JWTPayload): string {
  const named = [sub, client, azp].find((claim) => typeof claim === 'string' && claim !== '');
  return typeof named === 'string' ? named : 'unnamed';
}

/** The standard defines `scope`; some issuers use `scp` or `permissions`. */
function scopesIn({ scope, scp, permissions }: JWTPayload) {
  return knownScopes(
    [scope, scp, permissions].flatMap((claim): readonly unknown[] =>
      typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [],
    ),
  );
}

/**
 * Returns the keys of an OpenID issuer, found through its metadata. Keys are fetched when first needed, when they are
 * too old, and when a token names an unknown key.
 * @throws {Problem} `unavailable` (from the result) if the keys cannot be fetched now.
 */
function createIssuerKeys(issuer: string, cooldownDuration: number): JWTVerifyGetKey {
  const options = { timeoutDuration: timeoutMs, cooldownDuration, cacheMaxAge: maxKeyAgeMs };
  const find = async () => createRemoteJWKSet(await discover(issuer), options);
  let found: ReturnType<typeof find> | undefined;
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
      // The issuer may have moved its keys; keys that are still valid are kept.
      if (!keys.fresh) forget();
      throw serviceProblems.unavailable('identity provider').because(error);
    }
  };
}

/** Fetches the keys of an OpenID issuer once, within ten seconds. @throws {Error} with the reason if that fails. */
export async function checkIssuer(issuer: string): Promise<void> {
  await createRemoteJWKSet(await discover(issuer), { timeoutDuration: timeoutMs }).reload();
}

export function metadataUrlOf(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/** Finds the URL of the keys through OpenID Connect Discovery. */
async function discover(issuer: string): Promise<URL> {
  const url = metadataUrlOf(issuer);
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(issuerFaults.wrongStatus(url, response.status));
  const { data: metadata } = Metadata.safeParse(await response.json());
  if (metadata === undefined) throw new Error(issuerFaults.notMetadata(url));
  if (metadata.issuer !== issuer) throw new Error(issuerFaults.otherIssuer(url, metadata.issuer));
  const keysUrl = new URL(metadata.jwks_uri);
  // An attacker who can replace the keys in transit can sign any token.
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

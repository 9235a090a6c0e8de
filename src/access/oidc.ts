import {
  createRemoteJWKSet,
  errors,
  type JWTHeaderParameters,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
} from 'jose';
import { z } from 'zod';
import { issuerFaults, serviceProblems } from '../messages/request.ts';
import { type Authenticator, knownScopes } from './authenticator.ts';

/** Signatures only: with HMAC a public key would be the secret. */
const algorithms = ['RS256', 'ES256', 'EdDSA', 'Ed25519'];
/** Access tokens are `at+jwt` (RFC 9068); many issuers write `JWT`. Tokens for something else say so (RFC 8725, 3.11). */
const accessTokenTypes: readonly string[] = ['at+jwt', 'application/at+jwt', 'jwt'];
const clockSkewSeconds = 60;
const timeoutMs = 5_000;
/** The time that the issuer may be away, because keys are used without asking for them again. */
const maxKeyAgeMs = 600_000;
const defaultCooldownMs = 5_000;

const Metadata = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

export interface OidcOptions {
  /** The issuer's URL as its tokens spell it. */
  readonly issuer: string;
  readonly audience: string;
  /** The time between two searches for an unknown key. */
  readonly keyCooldownMs?: number;
}

/** Creates the authenticator for the JWT access tokens that an OpenID provider issues for this service. */
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
        // One that is bound to a key (RFC 7800) is worth nothing without a proof, which a bearer does not give.
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

/** `sub` is what RFC 9068 requires; issuers leave it out of tokens of programs, which have a `client_id` or `azp`. */
function subjectOf({ sub, client_id: client, azp }: JWTPayload): string {
  const named = [sub, client, azp].find((claim) => typeof claim === 'string' && claim !== '');
  return typeof named === 'string' ? named : 'unnamed';
}

/** `scope` is what the standard says; `scp` and `permissions` are what issuers say too. */
function scopesIn({ scope, scp, permissions }: JWTPayload) {
  return knownScopes(
    [scope, scp, permissions].flatMap((claim): readonly unknown[] =>
      typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [],
    ),
  );
}

/**
 * Returns the keys of an OpenID issuer, found by its metadata. They are fetched when they are first needed, when they are
 * old, and when a token names one that is not among them.
 * @throws {Problem} `unavailable` (from the result) when a key cannot be looked for now.
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
  // An attacker who can change the keys in transit can sign every token.
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

import { errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { type Authenticator, knownScopes, type Scope } from './authenticator.ts';
import { createIssuerKeys } from './issuer-keys.ts';

/** Signatures only: with HMAC a public key would be the secret. */
const algorithms = ['RS256', 'ES256', 'EdDSA', 'Ed25519'];
/** Access tokens are `at+jwt` (RFC 9068); many issuers write `JWT`. Tokens for something else say so (RFC 8725, 3.11). */
const accessTokenTypes: readonly string[] = ['at+jwt', 'application/at+jwt', 'jwt'];
const clockSkewSeconds = 60;

export interface OidcOptions {
  /** The issuer's URL as its tokens spell it. */
  readonly issuer: string;
  readonly audience: string;
  /** The time between two searches for an unknown key; five seconds unless given. */
  readonly keyCooldownMs?: number;
}

/** Creates the authenticator for the JWT access tokens that an OpenID provider issues for this service. */
export function createOidcAuthenticator(options: OidcOptions): Authenticator {
  const { issuer, audience } = options;
  const keys = createIssuerKeys(options);
  return {
    async scopesOf(token) {
      const payload = await verified(token, keys, { issuer, audience });
      return payload === undefined ? undefined : scopesIn(payload);
    },
  };
}

async function verified(
  token: string,
  keys: JWTVerifyGetKey,
  expected: { readonly issuer: string; readonly audience: string },
): Promise<JWTPayload | undefined> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      ...expected,
      algorithms,
      requiredClaims: ['exp'],
      clockTolerance: clockSkewSeconds,
    });
    // One that is bound to a key (RFC 7800) is worth nothing without a proof, which a bearer does not give.
    const isBound = payload['cnf'] !== undefined;
    return isBound || !isAccessToken(protectedHeader.typ) ? undefined : payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

function isAccessToken(type: unknown): boolean {
  return type === undefined || (typeof type === 'string' && accessTokenTypes.includes(type.toLowerCase()));
}

/** `scope` is what the standard says; `scp` and `permissions` are what issuers say too. */
function scopesIn({ scope, scp, permissions }: JWTPayload): ReadonlySet<Scope> {
  return knownScopes([scope, scp, permissions].flatMap(words));
}

function words(claim: unknown): readonly unknown[] {
  return typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
}

import { problem, sentences } from './define.ts';

export const accessProblems = sentences('access', {
  tokenMissing: problem('unauthorized', () => 'a bearer token is required: Authorization: Bearer <token>'),
  tokenInvalid: problem('unauthorized', () => 'the token is not valid, or no longer valid'),
  scopeMissing: problem('forbidden', (scope: string) => `the token lacks the scope ${scope}`),
  foreignPage: problem(
    'forbidden',
    () => 'a page from another origin must not write here; CORS_ALLOWED_ORIGINS can list its origin',
  ),
  hostNotListed: problem('forbidden', () => `${wrongHost}; ALLOWED_HOSTS does not list it`),
  hostNotLoopback: problem(
    'forbidden',
    () => `${wrongHost}; set ALLOWED_HOSTS to the names of the service, or PUBLIC_URL to its address`,
  ),
});

const wrongHost = 'the service does not answer under this host name';

/** Faults that keep the service from the keys of an OpenID issuer. */
export const issuerFaults = {
  wrongStatus: (url: string, status: number) => `${url} answers with ${status}`,
  notMetadata: (url: string) => `${url} does not describe an OpenID issuer`,
  otherIssuer: (url: string, issuer: string) => `${url} belongs to the issuer ${issuer}`,
  keysWithoutTls: (issuer: string, keysUrl: string) =>
    `the keys of ${issuer} must be fetched over TLS, not from ${keysUrl}`,
};

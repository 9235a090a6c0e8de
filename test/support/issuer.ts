import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { Provider } from 'oidc-provider';

export interface Issuer extends AsyncDisposable {
  readonly url: string;
  /** The private key that it signs with now. */
  key(): JWK;
  /** An access token that a client gets for its own id and secret. */
  issue(scope: string, resource?: string): Promise<string>;
  /** Signs with a new key from now on, and forgets the old one. */
  rotate(algorithm?: Algorithm): Promise<void>;
  /** Paths that were asked for since the last call. */
  asked(): string[];
  /** Answers with this instead of being an issuer; with nothing it is one again. */
  answerWith(listener: RequestListener | undefined): void;
  /** Closes the port, until `listen`. */
  close(): Promise<void>;
  listen(): Promise<void>;
}

type Algorithm = 'RS256' | 'ES256' | 'EdDSA';

export const audience = 'https://steppe.example/';
const client = { client_id: 'field-team', client_secret: 'as secret as can be' };
const grantable = 'data:read data:write catalog:write landscape:run profile.nonsense';

/** A real OpenID provider with one client, in this process. */
export async function startIssuer(): Promise<Issuer> {
  let key: JWK = {};
  let provider: RequestListener = () => undefined;
  let replacement: RequestListener | undefined;
  let asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    (replacement ?? provider)(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const { port } = address;
  const url = `http://127.0.0.1:${port}`;
  const issuer: Issuer = {
    url,
    key: () => key,
    async issue(scope, resource = audience) {
      const response = await fetch(`${url}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(Object.values(client).map(encodeURIComponent).join(':'))}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource }),
      });
      const body: { access_token: string } = JSON.parse(await response.text());
      assert.equal(response.status, 200, JSON.stringify(body));
      return body.access_token;
    },
    async rotate(algorithm = 'RS256') {
      const pair = await generateKeyPair(algorithm, { extractable: true });
      key = { ...(await exportJWK(pair.privateKey)), alg: algorithm, use: 'sig', kid: crypto.randomUUID() };
      const listener = new Provider(url, configuration(key, algorithm)).callback();
      provider = (request, response) => void listener(request, response);
    },
    asked() {
      const paths = asked;
      asked = [];
      return paths;
    },
    answerWith(listener) {
      replacement = listener;
    },
    async close() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
    async listen() {
      await once(server.listen(port, '127.0.0.1'), 'listening');
    },
    [Symbol.asyncDispose]: async () => await issuer.close(),
  };
  await issuer.rotate();
  return issuer;
}

function configuration(key: JWK, algorithm: Algorithm): object {
  return {
    jwks: { keys: [key] },
    clients: [{ ...client, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] }],
    // Its default keys and pages, which it warns of, are not used.
    cookies: { keys: ['unused'] },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context: unknown, resource: string) => ({
          scope: grantable,
          audience: resource,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: algorithm } },
        }),
      },
    },
    enabledJWA: {
      idTokenSigningAlgValues: [algorithm],
      userinfoSigningAlgValues: [algorithm],
    },
    clientDefaults: { id_token_signed_response_alg: algorithm },
    ttl: { ClientCredentials: 600 },
  };
}

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { Provider } from 'oidc-provider';
import { listenOn } from '../ports.ts';

export type Issuer = Awaited<ReturnType<typeof startIssuer>>;
type Algorithm = 'RS256' | 'ES256' | 'EdDSA';

export const audience = 'https://steppe.example/';
const client = { client_id: 'field-team', client_secret: 'as secret as can be' };
const grantable = 'data:read data:write catalog:write landscape:run profile.nonsense';

/** A real OpenID provider with one client, in this process. */
export async function startIssuer() {
  let key: JWK = {};
  let provider: RequestListener = () => undefined;
  let replacement: RequestListener | undefined;
  let asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    (replacement ?? provider)(request, response);
  });
  const port = await listenOn(server);
  const url = `http://127.0.0.1:${port}`;
  async function rotate(algorithm: Algorithm = 'RS256'): Promise<void> {
    const pair = await generateKeyPair(algorithm, { extractable: true });
    key = { ...(await exportJWK(pair.privateKey)), alg: algorithm, use: 'sig', kid: crypto.randomUUID() };
    const listener = new Provider(url, configuration(key, algorithm)).callback();
    provider = (request, response) => void listener(request, response);
  }
  async function close(): Promise<void> {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }
  await rotate();
  return {
    url,
    /** The current private key. */
    key: () => key,
    /** An access token for the client's id and secret. */
    async issue(scope: string, resource = audience): Promise<string> {
      const response = await fetch(`${url}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(Object.values(client).map(encodeURIComponent).join(':'))}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource }),
      });
      const body: { access_token: string } = JSON.parse(await response.text());
      assert.equal(response.status, 200, JSON.stringify(body));
      return body.access_token;
    },
    /** Switches to a new key and forgets the old one. */
    rotate,
    /** Paths requested since the last call. */
    asked(): string[] {
      const paths = asked;
      asked = [];
      return paths;
    },
    /** Answers with `listener` instead of as an issuer, until called without one. */
    answerWith(listener: RequestListener | undefined): void {
      replacement = listener;
    },
    /** Closes the port until `listen`. */
    close,
    async listen(): Promise<void> {
      await once(server.listen(port, '127.0.0.1'), 'listening');
    },
    [Symbol.asyncDispose]: close,
  };
}

function configuration(key: JWK, algorithm: Algorithm): object {
  return {
    jwks: { keys: [key] },
    clients: [{ ...client, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] }],
    // Replaces the default keys and pages, which cause warnings.
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

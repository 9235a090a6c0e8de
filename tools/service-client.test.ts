import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { describe, test } from 'node:test';
import { createServiceClient, Refused } from './service-client.ts';

const token = 'steppe_0123456789abcdef_secret';

/** Returns the error of a client for this answer of a service. */
async function complaintAbout(answer: RequestListener, sent?: string): Promise<unknown> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    const { signal } = new AbortController();
    return await createServiceClient(`http://127.0.0.1:${address.port}`, signal, sent)
      .slots()
      .then(
        () => undefined,
        (error: unknown) => error,
      );
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Refuses requests, and returns whether they contained a token. */
function refusing(status: number, headers: Readonly<Record<string, string>>): RequestListener {
  return (request, response) => {
    const said = request.headers.authorization === `Bearer ${token}` ? 'that one' : 'none';
    response.writeHead(status, headers).end(JSON.stringify({ error: `sent ${said}` }));
  };
}

describe('a client of a service', () => {
  const challenge = { 'www-authenticate': 'Bearer realm="steppe"' };
  const makes = '`./steppe token create` makes one, or the identity provider of the service.';

  test('that is asked for a token tells the way to one, and never the one that it has sent', async () => {
    assert.deepEqual(
      await complaintAbout(refusing(401, challenge)),
      new Refused(401, `sent none. Set STEPPE_TOKEN to a token; ${makes}`),
    );
    for (const status of [401, 403]) {
      assert.deepEqual(
        await complaintAbout(refusing(status, challenge), token),
        new Refused(status, `sent that one. Set STEPPE_TOKEN to another token; ${makes}`),
      );
    }
  });

  test('that is refused for another reason speaks of no token', async () => {
    assert.deepEqual(await complaintAbout(refusing(403, {})), new Refused(403, 'sent none'));
  });

  test('whose connection breaks says at what, and takes it for no fault of its own', async () => {
    const error = await complaintAbout(({ socket }) => socket.destroy());
    assert.ok(error instanceof Error && error.name === 'Error');
    assert.match(error.message, /^GET \/landscape\/slots: the connection failed \(.+\)$/);
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AccessPolicy } from '../../../src/http/access/access-policy.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { ask } from '../../support/http/ask.ts';
import { insertCategory, setState, upload } from '../../support/datasets.ts';
import { closeAfterTests } from '../../support/for-tests.ts';

const listed = 'https://maps.example';
const exposed =
  'Content-Range, Accept-Ranges, ETag, Content-Length, Content-Disposition, Content-Location, Content-Crs, Link, Location, Retry-After, Allow, WWW-Authenticate, Tus-Checksum-Algorithm, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, Upload-Expires, Upload-Length, Upload-Metadata, Upload-Offset, X-Ignored, X-Request-Id, X-Style-Left-Out, X-Tile-Thinned';
const strangers = ['https://maps.example.evil', 'https://evilmaps.example', 'http://maps.example', 'null'];

async function startWith(corsOrigins: AccessPolicy['corsOrigins']): Promise<TestApp> {
  return await startTestApp({ access: () => ({ corsOrigins }) });
}

/** The CORS headers of an answer. */
function corsHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
}

function preflight(origin: string, method: string) {
  const headers = {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,range',
  };
  return { headers };
}

const app = await closeAfterTests(startWith([listed, 'http://localhost:5173']));
const openApp = await closeAfterTests(startWith('*'));

describe('CORS for a list', () => {
  test('lets pages of its origins read answers, errors included, and the headers that matter', async () => {
    for (const [path, status] of [
      ['/categories', 200],
      ['/categories/x', 400],
      ['/nowhere', 404],
      ['/healthz', 200],
    ] as const) {
      const answer = await ask(app, 'GET', path, { headers: { origin: listed } });
      assert.equal(answer.status, status);
      assert.deepEqual(corsHeaders(answer.headers), {
        'access-control-allow-origin': listed,
        'access-control-expose-headers': exposed,
      });
    }
  });

  test('lets no other origin in', async () => {
    for (const origin of strangers) {
      assert.deepEqual(
        corsHeaders((await ask(app, 'GET', '/categories', { headers: { origin } })).headers),
        {},
      );
      const asked = await ask(app, 'OPTIONS', '/categories', preflight(origin, 'GET'));
      assert.deepEqual([asked.status, corsHeaders(asked.headers)], [204, {}]);
    }
  });

  test('tells caches that answers differ by origin, beside what else they differ by', async () => {
    const category_id = await insertCategory(app.services.db);
    const { id } = await upload(app, { category_id, file_type: 'vector' });
    await setState(app.services, id, { status: 'ready' }, { geojson: '{}' });
    for (const headers of [{ origin: listed }, { origin: 'null' }, {}]) {
      const plain = await ask(app, 'GET', '/categories', { headers });
      assert.equal(plain.headers.get('vary'), 'Origin');
      const encoded = await ask(app, 'GET', `/datasets/${id}.geojson`, { headers });
      assert.equal(encoded.headers.get('vary'), 'Accept-Encoding, Origin');
      const etag = encoded.headers.get('etag') ?? '';
      const known = await ask(app, 'GET', `/datasets/${id}.geojson`, {
        headers: { ...headers, 'if-none-match': etag },
      });
      assert.deepEqual([known.status, known.headers.get('vary')], [304, 'Accept-Encoding, Origin']);
    }
  });

  test('answers preflights with what a page may send', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status, headers } = await ask(app, 'OPTIONS', '/categories', preflight(listed, method));
      assert.equal(status, 204);
      assert.deepEqual(corsHeaders(headers), {
        'access-control-allow-origin': listed,
        'access-control-allow-methods': 'DELETE, GET, HEAD, PATCH, POST, PUT',
        'access-control-allow-headers':
          'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Last-Event-ID, Range, Traceparent, X-HTTP-Method-Override, X-Request-Id, Mcp-Protocol-Version, Mcp-Session-Id, Tus-Resumable, Upload-Checksum, Upload-Concat, Upload-Defer-Length, Upload-Length, Upload-Metadata, Upload-Offset',
        'access-control-expose-headers': exposed,
        'access-control-max-age': '600',
      });
      assert.equal(headers.get('allow'), 'GET, HEAD, OPTIONS, POST');
    }
  });

  test('leaves an ordinary OPTIONS what it was', async () => {
    const { status, headers } = await ask(app, 'OPTIONS', '/categories', { headers: { origin: listed } });
    assert.deepEqual([status, headers.get('allow')], [204, 'GET, HEAD, OPTIONS, POST']);
    assert.equal(headers.get('access-control-allow-methods'), null);
  });
});

describe('CORS for `*`', () => {
  test('opens reads to every page', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await ask(openApp, method, '/categories', {
        headers: { origin: 'https://any.example' },
      });
      assert.deepEqual(corsHeaders(headers), {
        'access-control-allow-origin': '*',
        'access-control-expose-headers': exposed,
      });
    }
    const { headers } = await ask(openApp, 'OPTIONS', '/categories', preflight('https://any.example', 'GET'));
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.equal(headers.get('access-control-allow-methods'), 'GET, HEAD');
  });

  test('opens no write', async () => {
    const asked = await ask(openApp, 'OPTIONS', '/categories', preflight('https://any.example', 'POST'));
    assert.deepEqual([asked.status, corsHeaders(asked.headers)], [204, {}]);
    const sent = await ask(openApp, 'POST', '/categories', { headers: { origin: 'https://any.example' } });
    assert.deepEqual([sent.status, corsHeaders(sent.headers)], [403, {}]);
  });
});

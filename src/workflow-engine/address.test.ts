import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesOf, readWorkflowEngineUrl } from './address.ts';

const none = { caPath: undefined, certPath: undefined, keyPath: undefined, apiKeyPath: undefined };

test('an address has a server and a namespace, and both have a usual value', () => {
  assert.deepEqual(readWorkflowEngineUrl('temporal://temporal.example'), {
    server: 'temporal.example:7233',
    namespace: 'steppe',
    ...none,
  });
  assert.deepEqual(readWorkflowEngineUrl('temporal://[::1]:7000/?namespace=maps'), {
    server: '[::1]:7000',
    namespace: 'maps',
    ...none,
  });
});

test('files prove who is who, and are named by their parameters', () => {
  const mutual = readWorkflowEngineUrl('temporal://a:1?ca=/tls/ca.pem&cert=/tls/cert.pem&key=/tls/key.pem');
  assert.deepEqual(filesOf(mutual), [
    ['ca', '/tls/ca.pem'],
    ['cert', '/tls/cert.pem'],
    ['key', '/tls/key.pem'],
  ]);
  const { apiKeyPath } = readWorkflowEngineUrl('temporal://a:1/?namespace=maps.abc12&api_key_file=/key');
  assert.equal(apiKeyPath, '/key');
});

test('a wrong address is refused in one line that names the variable', () => {
  const wrong: readonly (readonly [url: string, words: RegExp])[] = [
    ['temporal://', /must name a server/],
    ['temporal://a:70000', /must name a server/],
    ['temporal://user:secret@a', /must name a server/],
    ['temporal://a:7233/maps', /must name a server/],
    ['temporal://a?tls=true', /tls is not known/],
    ['temporal://a?cert=/tls/cert.pem', /cert and key belong together/],
    ['temporal://a?cert=/c&key=/k&api_key_file=/f', /either/],
  ];
  for (const [url, words] of wrong) {
    assert.throws(() => readWorkflowEngineUrl(url), { message: /^WORKFLOW_ENGINE_URL: [^\n]+\.$/ }, url);
    assert.throws(() => readWorkflowEngineUrl(url), { message: words }, url);
  }
});

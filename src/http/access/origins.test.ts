import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOwnOrigin } from './origins.ts';

test('an origin is our own when host and port are those of the Host header', () => {
  for (const [origin, host] of [
    ['http://127.0.0.1:8080', '127.0.0.1:8080'],
    ['http://[::1]:8080', '[::1]:8080'],
    ['http://steppe.example', 'steppe.example'],
    ['https://steppe.example', 'steppe.example'], // behind a proxy that speaks TLS
    ['https://steppe.example', 'Steppe.Example:443'],
  ] as const) {
    assert.ok(isOwnOrigin(origin, host, undefined), `${origin} ${host}`);
  }
});

test('any other origin is foreign', () => {
  for (const [origin, host] of [
    ['http://127.0.0.1:8081', '127.0.0.1:8080'],
    ['http://steppe.example.evil', 'steppe.example'],
    ['http://evil.example', 'steppe.example'],
    ['http://steppe.example', 'steppe.example:443'],
    ['null', 'null'],
    ['null', undefined],
    ['file://', ''],
    ['http://', ''],
    ['steppe.example', 'steppe.example'],
    ['chrome-extension://steppe.example', 'steppe.example'],
    ['http://steppe.example@evil.example', 'evil.example'],
    ['http://steppe.example/evil', 'steppe.example'],
    ['http://steppe.example, http://evil.example', 'steppe.example'],
  ] as const) {
    assert.ok(!isOwnOrigin(origin, host, undefined), `${origin} ${host}`);
  }
});

test('PUBLIC_URL says what is our own, whatever the Host header', () => {
  const publicUrl = new URL('https://steppe.example/geo/');
  assert.ok(isOwnOrigin('https://steppe.example', '10.0.0.7:8080', publicUrl));
  assert.ok(isOwnOrigin('https://steppe.example:443', undefined, publicUrl));
  assert.ok(!isOwnOrigin('http://10.0.0.7:8080', '10.0.0.7:8080', publicUrl));
  assert.ok(!isOwnOrigin('http://steppe.example', 'steppe.example', publicUrl));
});

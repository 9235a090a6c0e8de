import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readConfig } from './config.ts';

describe('the settings of access', () => {
  test('are all off in an empty environment', () => {
    const { authentication, corsAllowedOrigins, publicUrl, allowedHosts } = readConfig({});
    assert.deepEqual(
      { authentication, corsAllowedOrigins, publicUrl, allowedHosts },
      {
        authentication: { mode: 'off' },
        corsAllowedOrigins: [],
        publicUrl: undefined,
        allowedHosts: undefined,
      },
    );
  });

  test('are lists with commas between, names in lower case', () => {
    const config = readConfig({
      CORS_ALLOWED_ORIGINS: 'https://maps.example, http://localhost:5173',
      ALLOWED_HOSTS: 'Steppe.Example,[::1]',
    });
    assert.deepEqual(config.corsAllowedOrigins, ['https://maps.example', 'http://localhost:5173']);
    assert.deepEqual(config.allowedHosts, ['steppe.example', '[::1]']);
    assert.equal(readConfig({ CORS_ALLOWED_ORIGINS: '*' }).corsAllowedOrigins, '*');
  });

  test('name an issuer and an audience for oidc', () => {
    const oidc = {
      AUTH_MODE: 'oidc',
      OIDC_ISSUER: 'https://id.example/realms/land',
      OIDC_AUDIENCE: 'steppe',
    };
    assert.deepEqual(readConfig(oidc).authentication, {
      mode: 'oidc',
      issuer: 'https://id.example/realms/land',
      audience: 'steppe',
    });
  });

  const wrong: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    AUTH_MODE: { AUTH_MODE: 'on' },
    'OIDC_ISSUER, OIDC_AUDIENCE': { AUTH_MODE: 'oidc' },
    OIDC_AUDIENCE: { AUTH_MODE: 'oidc', OIDC_ISSUER: 'https://id.example' },
    'OIDC_ISSUER: must be an https URL': { OIDC_ISSUER: 'http://id.example' },
    'CORS_ALLOWED_ORIGINS: must be': { CORS_ALLOWED_ORIGINS: 'https://a.example/,null' },
    'CORS_ALLOWED_ORIGINS: must': { CORS_ALLOWED_ORIGINS: '*,https://a.example' },
    PUBLIC_URL: { PUBLIC_URL: 'steppe.example' },
    'ALLOWED_HOSTS: must be': { ALLOWED_HOSTS: 'steppe.example:8080' },
  };
  for (const [name, environment] of Object.entries(wrong)) {
    test(`stop the start when they are ${JSON.stringify(environment)}`, () => {
      assert.throws(
        () => readConfig(environment),
        (error: Error) => {
          assert.ok(error.message.startsWith(`Wrong configuration. ${name}`), error.message);
          assert.ok(!error.message.includes('\n'));
          return true;
        },
      );
    });
  }
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readConfig } from './config.ts';

const sizeOf = (min: number) =>
  `must be a whole number of bytes, or a number with KiB, MiB, GiB or TiB, such as 2GiB or 2147483648, and at least ${min} bytes`;
const proxies =
  'must be addresses or networks with commas between, such as 10.0.0.0/8, or loopback, linklocal or uniquelocal';

describe('a wrong setting stops the start with a plain sentence:', () => {
  const wrong: readonly (readonly [name: string, value: string, sentence: string])[] = [
    ['HTTP_PORT', 'abc', 'must be a whole number from 0 to 65535'],
    ['HTTP_PORT', '70000', 'must be a whole number from 0 to 65535'],
    ['HTTP_MAX_UPLOAD_BYTES', '2GB', sizeOf(1)],
    ['HTTP_MAX_UPLOAD_BYTES', '0', sizeOf(1)],
    ['HTTP_MAX_UPLOAD_BYTES', '1.5', sizeOf(1)],
    ['ENGINE_MEMORY_BYTES', '1G', sizeOf(268_435_456)],
    ['ENGINE_MEMORY_BYTES', '255 MiB', sizeOf(268_435_456)],
    ['HTTP_MAX_UPLOAD_BYTES', '0.3 KiB', sizeOf(1)],
    ['ENGINE_MEMORY_BYTES', '1024', sizeOf(268_435_456)],
    ['ENGINE_DEADLINE_SECONDS', '0', 'must be a whole number of 1 or more'],
    ['WORKER_CONCURRENCY', '257', 'must be a whole number from 1 to 256'],
    ...['runs,', 'runs, maps'].map(
      (value) =>
        ['WORKER_ROLES', value, 'must be some of datasets, runs, blocks, with commas between'] as const,
    ),
    ['LANDSCAPE_SPREAD_PIXELS', '0', 'must be a whole number of 1 or more'],
    [
      'WORKFLOW_ENGINE_URL',
      'temporal.example:7233',
      'must be a URL such as temporal://localhost:7233/?namespace=steppe',
    ],
    ['METRICS_PORT', '-1', 'must be a whole number from 0 to 65535'],
    ...[
      'true',
      '1',
      '10.0.0.0/33',
      '10.0.0.0/0',
      '::1/129',
      '10.0.0.1,',
      'proxy.example',
      '10.0.0.0/8/8',
    ].map((value) => ['TRUST_PROXY', value, proxies] as const),
    ...['steppe-objects', '/steppe-objects', '/', '/../', '/a b/'].map(
      (value) =>
        [
          'NGINX_FILES_LOCATION',
          value,
          'must be a location of nginx with a slash at both ends, such as /steppe-objects/',
        ] as const,
    ),
    ...['https://archive.example', 'archive.example/path', 'archive.example:0', 'a b', '*.example', 'x,'].map(
      (value) =>
        [
          'REFERENCE_HOSTS',
          value,
          'must be host names with commas between, such as archive.example or archive.example:8443',
        ] as const,
    ),
    ...['archive', 'https://s3.example/archive', 's3://a, b'].map(
      (value) =>
        [
          'REFERENCE_BUCKETS',
          value,
          'must be buckets with commas between, such as s3://archive?region=eu-central-1',
        ] as const,
    ),
    ['AUTH_MODE', 'on', 'must be one of off, token, oidc'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'must be an http or https URL'],
    ['OTEL_TRACES_SAMPLER_ARG', '2', 'must be a number from 0 to 1'],
    ['DATABASE_URL', 'here', 'must be a URL such as postgres://steppe@localhost/steppe'],
  ];
  for (const [name, value, sentence] of wrong) {
    test(`${name}=${value}`, () => {
      assert.throws(() => readConfig({ [name]: value }), {
        message: `Wrong configuration. ${name}: ${sentence}`,
      });
    });
  }

  test('sizes and counts that are written otherwise but plainly are taken', () => {
    const config = readConfig({ LANDSCAPE_MAX_PIXELS: '1e10', HTTP_MAX_UPLOAD_BYTES: '1e9' });
    assert.deepEqual([config.landscapeMaxPixels, config.maxUploadBytes], [1e10, 1e9]);
  });

  test('a run may have as many cells as a raster where it is spread, unless another number is set', () => {
    const WORKFLOW_ENGINE_URL = 'temporal://localhost:7233/?namespace=steppe';
    const cells = [{}, { WORKFLOW_ENGINE_URL }, { WORKFLOW_ENGINE_URL, LANDSCAPE_MAX_PIXELS: '5' }];
    assert.deepEqual(
      cells.map((environment) => readConfig(environment).landscapeMaxPixels),
      [1e10, 64e9, 5],
    );
  });
});

test('proxies are trusted by address, network or the name of a range, and none by default', () => {
  assert.deepEqual(readConfig({}).trustedProxies, []);
  const value = '192.0.2.7, 10.0.0.0/8,2001:db8::/32,loopback';
  const all = ['192.0.2.7', '10.0.0.0/8', '2001:db8::/32', 'loopback'];
  assert.deepEqual(readConfig({ TRUST_PROXY: value }).trustedProxies, all);
});

test('figures are told on this machine alone unless METRICS_HOST says otherwise, on any free port with 0', () => {
  const { metricsHost, metricsPort } = readConfig({ HTTP_HOST: '0.0.0.0', METRICS_PORT: '0' });
  assert.deepEqual([metricsHost, metricsPort], ['127.0.0.1', 0]);
  assert.equal(readConfig({ METRICS_HOST: '::' }).metricsHost, '::');
});

test('a worker takes everything unless WORKER_ROLES says otherwise', () => {
  assert.deepEqual(readConfig({}).workerRoles, ['datasets', 'runs', 'blocks']);
  assert.deepEqual(readConfig({ WORKER_ROLES: 'runs, blocks' }).workerRoles, ['runs', 'blocks']);
});

test('traces are asked for by the address of a collector alone', () => {
  assert.equal(readConfig({ OTEL_SERVICE_NAME: 'maps' }).tracing, undefined);
  assert.equal(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: '' }).tracing, undefined);
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
  const all = { serviceName: undefined, sampler: 'parentbased_always_on', samplerRatio: 1 };
  assert.deepEqual(readConfig(environment).tracing, all);
  const some = {
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.1',
    OTEL_SERVICE_NAME: 'maps',
  };
  assert.deepEqual(readConfig({ ...environment, ...some }).tracing, {
    serviceName: 'maps',
    sampler: 'traceidratio',
    samplerRatio: 0.1,
  });
});

test('a size may have a unit that means one thing', () => {
  const sizeOf = (text: string) => readConfig({ HTTP_MAX_UPLOAD_BYTES: text }).maxUploadBytes;
  assert.deepEqual(
    ['2 GiB', '2GiB', '1.5MiB', '512 KiB', '1TiB', '7'].map(sizeOf),
    [2_147_483_648, 2_147_483_648, 1_572_864, 524_288, 1_099_511_627_776, 7],
  );
  assert.equal(readConfig({}).maxUploadBytes, sizeOf('2 GiB'));
});

describe('a base map', () => {
  const url = 'https://tiles.example/steppe/{z}/{x}/{y}.png?key=1';

  test('is none unless it is set, and has the attribution that is given', () => {
    assert.equal(readConfig({}).baseMap, undefined);
    assert.deepEqual(readConfig({ BASE_MAP_URL: url }).baseMap, { url, attribution: '' });
    const attribution = '© OpenStreetMap contributors';
    const environment = { BASE_MAP_URL: url, BASE_MAP_ATTRIBUTION: attribution };
    assert.deepEqual(readConfig(environment).baseMap, { url, attribution });
  });

  for (const wrong of [
    'foo',
    'tiles.example/{z}/{x}/{y}.png',
    'ftp://tiles.example/{z}/{x}/{y}.png',
    'https://tiles.example/{z}/{x}.png',
    'https://{a-c}.tiles.example/{z}/{x}/{y}.png',
    'https://tiles.example;script-src/{z}/{x}/{y}.png',
    'https://name:secret@tiles.example/{z}/{x}/{y}.png',
  ]) {
    test(`cannot be ${wrong}`, () => {
      // Once: a line that says the same of a variable twice is read as two faults.
      const message =
        /^Wrong configuration\. BASE_MAP_URL: must be an http or https URL with (?:(?!BASE_MAP_URL)[^\n])*$/;
      assert.throws(() => readConfig({ BASE_MAP_URL: wrong }), { message });
    });
  }
});

describe('the settings of access', () => {
  test('are all off in an empty environment', () => {
    const { authentication, corsAllowedOrigins, publicUrl, allowedHosts } = readConfig({});
    assert.deepEqual(authentication, { mode: 'off' });
    assert.deepEqual([corsAllowedOrigins, publicUrl, allowedHosts], [[], undefined, undefined]);
  });

  test('are lists with commas between, names in lower case', () => {
    const config = readConfig({
      CORS_ALLOWED_ORIGINS: 'https://maps.example, http://localhost:5173',
      ALLOWED_HOSTS: 'Steppe.Example,[::1]',
      REFERENCE_HOSTS: 'Archive.Example:443, data.example:8443',
    });
    assert.deepEqual(config.corsAllowedOrigins, ['https://maps.example', 'http://localhost:5173']);
    assert.deepEqual(config.allowedHosts, ['steppe.example', '[::1]']);
    assert.deepEqual(config.referenceHosts, ['archive.example', 'data.example:8443']);
    assert.deepEqual(readConfig({}).referenceHosts, []);
    assert.equal(readConfig({ CORS_ALLOWED_ORIGINS: '*' }).corsAllowedOrigins, '*');
  });

  test('name an issuer and an audience for oidc', () => {
    const issuer = 'https://id.example/realms/land';
    const oidc = { AUTH_MODE: 'oidc', OIDC_ISSUER: issuer, OIDC_AUDIENCE: 'steppe' };
    assert.deepEqual(readConfig(oidc).authentication, { mode: 'oidc', issuer, audience: 'steppe' });
  });

  const wrong: Readonly<Record<string, Readonly<Record<string, string>>>> = {
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

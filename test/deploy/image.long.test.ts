import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { createClient } from '../support/client.ts';
import { type Container, startContainer } from '../support/deploy/container.ts';
import { buildImage, openImage } from '../support/deploy/image.ts';
import { closeAfterTests, temporaryFolder } from '../support/for-tests.ts';
import { floatTiff, squaresGeoJson } from '../support/generated-files.ts';
import { freePort } from '../support/ports.ts';
import { eventually } from '../support/processes.ts';
import { startServices } from '../support/services/services.ts';

const name = 'localhost/steppe';
await buildImage(name);
const image = await closeAfterTests(openImage(name));
const folder = await temporaryFolder();

/** Runs a container to its end. */
async function run(options: {
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  dataDir?: string;
}) {
  const { args, env = {}, dataDir = 'commands' } = options;
  const command = [...image.entrypoint, ...args];
  const readable = certificatesOf(env);
  await using container = await startContainer({
    image,
    dataDir: join(folder, dataDir),
    env,
    readable,
    command,
  });
  return { code: await container.ended(), output: container.output() };
}

async function start(role: string, env: Readonly<Record<string, string>>) {
  const command = [...image.entrypoint, role];
  const readable = certificatesOf(env);
  return await closeAfterTests(
    startContainer({ image, dataDir: join(folder, role), env, readable, command }),
  );
}

/** The files that the URL of the database names. */
function certificatesOf({ DATABASE_URL: url = '' }: Readonly<Record<string, string>>): readonly string[] {
  const path = URL.parse(url)?.searchParams.get('sslrootcert') ?? undefined;
  return path === undefined ? [] : [path];
}

async function becomesReady(container: Container, baseUrl: string): Promise<void> {
  const ready = async () =>
    await fetch(`${baseUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually('ready', ready, 60).catch((error: unknown) => {
    throw new Error(container.output(), { cause: error });
  });
}

async function isHealthy(env: Readonly<Record<string, string>>): Promise<boolean> {
  const dataDir = join(folder, 'health');
  await using container = await startContainer({ image, dataDir, env, command: image.healthcheck });
  return (await container.ended()) === 0;
}

/** Uploads a raster and a vector, and waits until both are served. */
async function processes(baseUrl: string): Promise<void> {
  const client = createClient(baseUrl);
  const categoryId = await client.createCategory('image');
  const ids = [
    await client.upload(categoryId, 'raster', new File([floatTiff(300)], 'elevation.tif')),
    await client.upload(categoryId, 'vector', new File([squaresGeoJson(200)], 'fields.geojson')),
  ];
  for (const id of ids) {
    await eventually(`${id} is ready`, async () => (await client.status(id)).status === 'ready', 60);
  }
}

describe('the image', () => {
  it('runs as a user who is not root, and has no compiler', async () => {
    assert.match(image.user, /^[1-9]\d*:[1-9]\d*$/);
    for (const program of ['gcc', 'g++', 'make', 'npm', 'python3']) {
      await assert.rejects(stat(join(image.root, 'usr/bin', program)), { code: 'ENOENT' }, program);
    }
  });

  it('is a whole service without any setting: upload, isolation of its files, page, health, end', async () => {
    const port = await freePort();
    const env = {
      HTTP_PORT: String(port),
      METRICS_PORT: String(await freePort()),
      ENGINE_ISOLATION: 'bubblewrap',
    };
    const baseUrl = `http://127.0.0.1:${port}`;
    const service = await start('serve', env);
    await becomesReady(service, baseUrl);
    await processes(baseUrl);
    const page = await fetch(baseUrl);
    assert.match(await page.text(), /<script type="module"/);
    assert.equal(await isHealthy(env), true);
    await service.stop();
    assert.equal(await service.ended(), 0, service.output());
    assert.equal(await isHealthy(env), false);
    assert.doesNotMatch(service.output(), /set-up:|EROFS/);
  });
});

describe('its roles on PostgreSQL, S3 and NATS', async () => {
  const services = await closeAfterTests(startServices());
  const ports = async () => ({ HTTP_PORT: String(await freePort()), METRICS_PORT: String(await freePort()) });
  const apiEnv = { ...services.env, ...(await ports()) };
  const workerEnv = { ...services.env, ...(await ports()) };
  const baseUrl = `http://127.0.0.1:${apiEnv.HTTP_PORT}`;

  before(async () => {
    const { code, output } = await run({ args: ['migrate'], env: services.env });
    assert.equal(code, 0, output);
  });

  it('api and worker serve together, each healthy, and end when they are asked to', async () => {
    const api = await start('api', { ...apiEnv, DRAIN_DELAY_SECONDS: '0' });
    const worker = await start('worker', { ...workerEnv, ENGINE_ISOLATION: 'bubblewrap' });
    await becomesReady(api, baseUrl);
    await processes(baseUrl);
    assert.equal(await isHealthy(apiEnv), true);
    assert.equal(await isHealthy(workerEnv), true);
    for (const container of [api, worker]) {
      await container.stop();
      assert.equal(await container.ended(), 0, container.output());
    }
    assert.equal(await isHealthy(workerEnv), false);
  });

  it('the other commands work: doctor, fsck, backup, and a restore into a service of its own', async () => {
    const dataDir = 'backup';
    for (const args of [
      ['fsck', '--digests'],
      ['backup', '/data/one'],
    ]) {
      const { code, output } = await run({ args, env: services.env, dataDir });
      assert.equal(code, 0, output);
    }
    const restored = await run({ args: ['restore', '/data/one'], dataDir });
    assert.equal(restored.code, 0, restored.output);
    const examined = await run({ args: ['fsck', '--digests'], dataDir });
    assert.match(examined.output, /no damage/);
  });
});

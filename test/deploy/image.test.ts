import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { createClient } from '../support/client.ts';
import { type Container, startContainer } from '../support/deploy/container.ts';
import { buildImage, openImage } from '../support/deploy/image.ts';
import { closeAfterTests, temporaryFolder } from '../support/for-tests.ts';
import { floatTiff, squaresGeoJson } from '../support/geo/generated-files.ts';
import { freePort } from '../support/ports.ts';
import { eventually } from '../support/processes.ts';
import { startServices } from '../support/services/services.ts';
import { startTemporal } from '../support/services/temporal.ts';

const name = 'localhost/steppe';
/** Keeps parallel tests within their time limits. */
const niceness = 10;
await buildImage(name, niceness);
const image = await closeAfterTests(openImage(name));
const folder = await temporaryFolder();

type Environment = Readonly<Record<string, string>>;

/**
 * Starts a container with arguments for its entrypoint.
 * @param data folder of its data, which earlier containers may have used
 */
async function launch(args: readonly string[], env: Environment, data: string): Promise<Container> {
  return await startContainer({
    image,
    dataDir: join(folder, data),
    env,
    readable: certificatesOf(env),
    command: [...image.entrypoint, ...args],
  });
}

/** Runs a container and waits for its end. */
async function run(args: readonly string[], env: Environment = {}, data = 'commands') {
  await using container = await launch(args, env, data);
  return { code: await container.ended(), output: container.output() };
}

async function start(args: readonly string[], env: Environment): Promise<Container> {
  return await closeAfterTests(launch(args, env, args.join('-')));
}

/** Files that the URL of the database names. */
function certificatesOf({ DATABASE_URL: url = '' }: Environment): readonly string[] {
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

/** Runs the health check in a container of its own, whose first process has no role. */
async function isHealthy(env: Environment, role: string): Promise<boolean> {
  const dataDir = join(folder, 'health');
  const command = [...image.healthcheck, role];
  await using container = await startContainer({ image, dataDir, env, command });
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
    const service = await start(image.defaultArguments, env);
    await becomesReady(service, baseUrl);
    await processes(baseUrl);
    const page = await fetch(baseUrl);
    assert.match(await page.text(), /<script type="module"/);
    assert.equal(await isHealthy(env, 'serve'), true);
    await service.stop();
    assert.equal(await service.ended(), 0, service.output());
    assert.equal(await isHealthy(env, 'serve'), false);
    assert.doesNotMatch(service.output(), /set-up:|EROFS/);
  });
});

describe('its roles on PostgreSQL, S3, NATS and Temporal', async () => {
  const services = await closeAfterTests(startServices());
  const temporal = await closeAfterTests(startTemporal(services.folder));
  const withEngine = { ...services.env, WORKFLOW_ENGINE_URL: temporal.url };
  const ports = async () => ({ HTTP_PORT: String(await freePort()), METRICS_PORT: String(await freePort()) });
  const apiEnv = { ...services.env, ...(await ports()) };
  const workerEnv = { ...withEngine, ...(await ports()) };
  const baseUrl = `http://127.0.0.1:${apiEnv.HTTP_PORT}`;

  before(async () => {
    const { code, output } = await run(['migrate'], services.env);
    assert.equal(code, 0, output);
  });

  it('api and worker serve together, each healthy, and end when they are asked to', async () => {
    const api = await start(['api'], { ...apiEnv, DRAIN_DELAY_SECONDS: '0' });
    const worker = await start(['worker'], { ...workerEnv, ENGINE_ISOLATION: 'bubblewrap' });
    await becomesReady(api, baseUrl);
    await processes(baseUrl);
    assert.match(worker.output(), /large landscape runs are spread over workers/);
    assert.equal(await isHealthy(apiEnv, 'api'), true);
    assert.equal(await isHealthy(workerEnv, 'worker'), true);
    for (const container of [api, worker]) {
      await container.stop();
      assert.equal(await container.ended(), 0, container.output());
    }
    assert.equal(await isHealthy(workerEnv, 'worker'), false);
  });

  it('the other commands work: doctor, fsck, backup, and a restore into a service of its own', async () => {
    const data = 'backup';
    for (const args of [['doctor'], ['fsck', '--digests'], ['backup', '/data/one']]) {
      const { code, output } = await run(args, withEngine, data);
      assert.equal(code, 0, output);
      if (args[0] === 'doctor') assert.match(output, /Temporal 1\.32\.1 answers/);
    }
    const restored = await run(['restore', '/data/one'], {}, data);
    assert.equal(restored.code, 0, restored.output);
    const examined = await run(['fsck', '--digests'], {}, data);
    assert.match(examined.output, /no damage/);
  });
});

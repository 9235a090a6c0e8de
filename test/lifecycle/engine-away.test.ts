import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLandscapeClient } from '../support/landscape/landscape.ts';
import { openCollector } from '../support/services/collector.ts';
import { closeAfterTests, temporaryFolder } from '../support/for-tests.ts';
import { squaresGeoJson } from '../support/geo/generated-files.ts';
import { freePort } from '../support/ports.ts';
import { eventually } from '../support/processes.ts';
import { startService } from '../support/service.ts';
import { startTemporal } from '../support/services/temporal.ts';

const temporal = await closeAfterTests(startTemporal(await temporaryFolder()));
const collector = await closeAfterTests(openCollector());
const metricsPort = await freePort();
const { baseUrl } = await closeAfterTests(
  startService({
    env: {
      WORKFLOW_ENGINE_URL: temporal.url,
      LANDSCAPE_SPREAD_PIXELS: '1',
      METRICS_PORT: String(metricsPort),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    },
  }),
);
const landscape = createLandscapeClient(baseUrl);
await landscape.fillAll();

const metrics = async (): Promise<string> =>
  await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
const figure = async (name: string): Promise<number> =>
  Number(
    new RegExp(`^${name.replaceAll(/[{}"]/g, '\\$&')} (\\S+)$`, 'm').exec(await metrics())?.[1] ?? 'NaN',
  );
/** The apis query the database every 15 s. */
const keptSeconds = 30;

test('a run over workers is counted in steps, and traced from its attempt to every step', async () => {
  await landscape.run();
  const steps = async (step: string): Promise<number> =>
    await figure(`steppe_steps_total{step="${step}",ending="done"}`);
  await eventually('its steps are counted', async () => (await steps('publish-outputs')) >= 1);
  assert.equal(await steps('compute-block'), 1);
  assert.equal(await steps('judge-pixels'), 1);
  const named = (name: string) => collector.spans.filter((span) => span.name === name);
  await eventually('its attempt is told', async () => named('attempt run-landscape').length === 1);
  const [attempt] = named('attempt run-landscape');
  for (const name of ['step compute-block', 'step judge-pixels', 'step publish-outputs']) {
    const found = named(name);
    assert.ok(found.length > 0, name);
    for (const { traceId, parentSpanId } of found)
      assert.deepEqual([traceId, parentSpanId], [attempt?.traceId, attempt?.spanId], name);
  }
});

test('while the engine is away a run waits and says so, all else goes on, and the run ends well when it is back', async () => {
  await temporal.process.stop();
  const { id } = await landscape.start({ from_stage: 0 });
  const away = async (): Promise<string | undefined> => {
    const answer = await landscape.json<{ blocks?: { engine_away_since: string | null } }>(
      `/landscape/runs/${id}`,
    );
    return answer.body.blocks?.engine_away_since ?? undefined;
  };
  await eventually('the run says that it waits', async () => (await away()) !== undefined, 60);
  assert.equal((await fetch(`${baseUrl}/readyz`)).status, 200);
  const categoryId = await landscape.createCategory('beside');
  const file = new File([squaresGeoJson(3)], 'fields.geojson');
  const dataset = await landscape.upload(categoryId, 'vector', file);
  await eventually('ready', async () => (await landscape.status(dataset)).status === 'ready');
  const awaySeconds = async (): Promise<number> => await figure('steppe_workflow_engine_away_seconds');
  await eventually('the figure says so', async () => (await awaySeconds()) > 0, keptSeconds);
  assert.equal(await figure('steppe_run_blocks{state="left"}'), 1);

  await temporal.restart();
  const { status, error } = await landscape.finished(id);
  assert.equal(status, 'succeeded', error ?? '');
  await eventually('the figure says so', async () => (await awaySeconds()) === 0, keptSeconds);
  assert.equal(await figure('steppe_run_blocks{state="left"}'), 0);
});

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { createServiceClient } from '../../../tools/service-client.ts';
import { openEngineChildren } from '../../../src/runtime/engines.ts';
import { createComparison } from '../../../tools/compare/comparison.ts';
import { readConfig } from '../../../src/config.ts';
import { listItems } from '../../../tools/survey/files.ts';
import type { Finding } from '../../../tools/survey/look.ts';
import { runSurvey, watchHealth } from '../../../tools/survey/survey.ts';
import { closeAfterTests } from '../../support/for-tests.ts';
import { descendantsOf, eventually, isRunning } from '../../support/processes.ts';
import { assertNoDamage, startService } from '../../support/service.ts';
import { isTimeUp, repetitions } from '../../support/tier.ts';
import { mutatedFile } from '../mutate/mutate.ts';
import { readOwnOriginals } from '../mutate/originals.ts';

const seed = Number(process.env['MUTATION_SEED'] ?? 1);
const count = repetitions('MUTATIONS', 40, 5000);
const parallel = 4;
/** Number of files that are written and uploaded at once. */
const filesARound = 100;

const originals = await readOwnOriginals();
const service = await closeAfterTests(startService());
const folder = await mkdtemp(join(tmpdir(), 'steppe-mutations-'));
const pids = [service.pid, await service.workerPid(), await service.postgresPid()];

describe(`${count} mutated files (MUTATION_SEED=${seed})`, () => {
  const findings: Finding[] = [];
  const outages: string[] = [];
  let made = 0;
  before(async () => {
    while (made < count && (made === 0 || !isTimeUp())) {
      const round = join(folder, `from-${made}`);
      await mkdir(round);
      for (const end = Math.min(count, made + filesARound); made < end; made += 1) {
        const { name, bytes } = mutatedFile(originals, seed, made);
        await writeFile(join(round, name), bytes);
      }
      const taken = await takeThrough(service.baseUrl, round);
      findings.push(...taken.findings);
      outages.push(...taken.outages);
      if (isFine(taken.findings)) await rm(round, { recursive: true });
    }
  });
  after(async () => {
    if (isFine(findings)) await rm(folder, { recursive: true });
  });

  test('end as a refusal or a failure in a sentence for people, or are served as their source says', (t) => {
    t.diagnostic(`${made} files`);
    assert.equal(new Set(findings.map(({ name }) => name)).size, made);
    const troubled = findings.filter(({ troubles }) => troubles.length > 0);
    assert.deepEqual(troubled, [], repeatWith(troubled));
    const statuses = new Set(findings.map(({ status }) => status));
    for (const status of ['ready', 'failed', 'refused']) assert.ok(statuses.has(status), status);
  });

  test('kill no engine child', () => {
    assert.doesNotMatch(service.output(), /geo engine child (?:died|failed)/);
    const deadly = findings.filter(({ sentence }) => sentence.includes('ended the geodata engine'));
    assert.deepEqual(deadly, [], repeatWith(deadly));
  });

  test('leave the processes as they were, and no others', async () => {
    assert.deepEqual(outages, []);
    assert.deepEqual([service.pid, await service.workerPid(), await service.postgresPid()], pids);
    assert.ok(await isRunning(service.pid));
    const workerPid = await service.workerPid();
    await eventually(
      'an end of all engine children',
      async () => (await descendantsOf(workerPid)).length === 0,
    );
  });

  test('leave nothing behind', async () => {
    await eventually('an empty scratch folder', async () => {
      return (await readdir(join(service.dataDir, 'scratch'))).length === 0;
    });
    await assertNoDamage(service.dataDir);
  });

  /** Describes how to reproduce the files. */
  function repeatWith(troubled: readonly Finding[]): string {
    const lines = troubled.map(({ name, type, status, sentence, troubles }) => {
      const index = Number(/^seed\d+-(\d+)-/.exec(name)?.[1]);
      return [
        `npm run mutate -- FOLDER --seed ${seed} --first ${index} --count 1   (or below ${folder})`,
        `  ${type} ${status}: ${sentence}`,
        ...troubles.map((trouble) => `  !! ${trouble}`),
      ].join('\n');
    });
    return `\n${lines.join('\n')}`;
  }
});

async function takeThrough(baseUrl: string, folder: string) {
  const { signal } = new AbortController();
  const client = createServiceClient(baseUrl, signal);
  const children = await openEngineChildren(readConfig({}), pino({ level: 'silent' }));
  await using health = watchHealth(client);
  const { items } = await listItems(folder);
  const findings = await runSurvey({
    items,
    client,
    parallel,
    verify: true,
    discard: true,
    compareRasters: createComparison(children, 'raster', signal),
    compareFeatures: createComparison(children, 'vector', signal),
    signal,
    onStarted: () => undefined,
    onFound: () => undefined,
  });
  return { findings, outages: await health.finish() };
}

const isFine = (findings: readonly Finding[]): boolean =>
  findings.length > 0 && findings.every(({ troubles }) => troubles.length === 0);

import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { closeAfterTests, temporaryFolder } from './support/for-tests.ts';
import { freePort } from './support/ports.ts';
import { projectRoot, readProjectFile } from './support/project.ts';
import { runShell } from './support/tools/paste.ts';
import { temporalProgram, temporalSqlProgram } from './support/services/programs.ts';
import { startServices } from './support/services/services.ts';
import { makeTemporalRole, temporalPorts } from './support/services/temporal.ts';

/** Shell lines of docs/operations.md by the heading above them; a heading may have several blocks. */
const blocks = readProjectFile('docs/operations.md')
  .split(/^## /m)
  .flatMap((section) => {
    const title = section.split('\n', 1)[0] ?? '';
    return [...section.matchAll(/```sh\n(?<lines>[\s\S]*?)```/g)].map(({ groups }) => ({
      title,
      lines: groups?.['lines'] ?? '',
    }));
  });
const linesOf = (title: string): string =>
  blocks
    .filter((block) => block.title === title)
    .map(({ lines }) => lines)
    .join('');

/** Lines that are run elsewhere: `npm run services` by CI, images by test/deploy; and no cluster exists here. */
const elsewhere = /npm run services|docker (?:build|run|compose)|kubectl create|helm install/;

test('an operator who types the lines of docs/operations.md sets up, watches, restarts, proves, backs up and restores', async () => {
  const services = await closeAfterTests(startServices());
  const { postgres, pooler, s3, nats } = services;
  const folder = await temporaryFolder();
  const [port, otherPort, metricsPort] = [await freePort(), await freePort(), await freePort()];
  const programs = join(folder, 'bin');
  await mkdir(programs);
  await symlink(await temporalProgram(), join(programs, 'temporal-server'));
  await symlink(await temporalSqlProgram(), join(programs, 'temporal-sql-tool'));
  const temporal = await makeTemporalRole(postgres);
  const temporalPort = await temporalPorts();
  const tls = '?sslmode=verify-full&sslrootcert=/etc/steppe/db-ca.pem';
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret } = s3.env;
  const backup = /\/backups\/[\d-]+/.exec(linesOf('Backups'))?.[0] ?? '';
  /** Words of the document, and their values in this test. */
  const meant: readonly (readonly [words: string, here: string])[] = [
    [
      'export OBJECT_STORE_URL=… MESSAGE_QUEUE_URL=…',
      `export OBJECT_STORE_URL='${s3.url}' MESSAGE_QUEUE_URL='${nats.url}'`,
    ],
    [`postgres://steppe_owner:…@db.example/steppe${tls}`, postgres.ownerUrl],
    ['postgres://steppe:…@pgbouncer.example:6432/steppe', pooler.url],
    [`postgres://steppe:…@db.example:5432/steppe${tls}`, postgres.url],
    ['s3://steppe-data/prod?endpoint=https://s3.example&region=us-east-1&path_style=true', s3.url],
    [
      'AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=…',
      `AWS_ACCESS_KEY_ID=${id} AWS_SECRET_ACCESS_KEY=${secret}`,
    ],
    [
      'nats://a.example:4222,b.example:4222,c.example:4222?creds=/etc/steppe/nats.creds&ca=/etc/steppe/nats-ca.pem',
      nats.url,
    ],
    [
      'SQL_HOST=db.example SQL_PORT=5432 SQL_USER=temporal SQL_PASSWORD=…',
      `SQL_HOST=${temporal.host} SQL_PORT=${temporal.port} SQL_USER=temporal SQL_PASSWORD=${temporal.password}`,
    ],
    [
      'POSTGRES_SEEDS=db.example DB_PORT=5432 POSTGRES_USER=temporal POSTGRES_PWD=…',
      `POSTGRES_SEEDS=${temporal.host} DB_PORT=${temporal.port} POSTGRES_USER=temporal POSTGRES_PWD=${temporal.password}`,
    ],
    [
      'BIND_ON_IP=127.0.0.1',
      ['BIND_ON_IP=127.0.0.1', ...Object.entries(temporalPort.ports).map((each) => each.join('='))].join(' '),
    ],
    [
      'FRONTEND_GRPC_PORT=7233 FRONTEND_HTTP_PORT=7243',
      `FRONTEND_GRPC_PORT=${temporalPort.ports.FRONTEND_GRPC_PORT} FRONTEND_HTTP_PORT=${temporalPort.ports.FRONTEND_HTTP_PORT}`,
    ],
    ['/etc/temporal/dynamic.yaml', join(folder, 'dynamic.yaml')],
    ['temporal.example:7233', `127.0.0.1:${temporalPort.grpc}`],
    ['/var/lib/steppe', join(folder, 'worker')],
    [backup, join(folder, 'backup')],
    // A command that runs until it is stopped continues in the background.
    ['./steppe api & ', './steppe api & API_PID=$!'],
    ['temporal-server start &', 'temporal-server start & TEMPORAL_PID=$!'],
    ['./steppe worker ', './steppe worker & WORKER_PID=$!'],
    [
      'METRICS_PORT=9464 ./steppe api ',
      `HTTP_PORT=${otherPort} METRICS_PORT=${metricsPort} ./steppe api & WATCHED_PID=$!`,
    ],
    ['127.0.0.1:8080', `127.0.0.1:${port}`],
    ['127.0.0.1:9464', `127.0.0.1:${metricsPort}`],
  ];
  for (const [words] of meant) {
    assert.ok(blocks.some(({ lines }) => lines.includes(words)) || words.startsWith('/'), words);
  }
  const here = (lines: string): string =>
    meant.reduce((text, [words, value]) => text.replaceAll(words, value), lines);
  const untilReady = (at: number): string =>
    `until curl -fs http://127.0.0.1:${at}/readyz > /dev/null; do sleep 0.2; done`;
  const [kill = '', wait = ''] = here(linesOf('Rolling restarts')).split('\n');
  const [backUp = '', restore = ''] = here(linesOf('Backups')).split('\n');

  const shown = await runLines([
    here(linesOf('PostgreSQL')),
    here(linesOf('S3')),
    here(linesOf('NATS')),
    here(linesOf('Temporal')),
    here(linesOf('Processes')),
    "until ./steppe doctor | grep 'namespace steppe keeps what has ended for 72 h'; do sleep 1; done",
    untilReady(port),
    kill,
    'wait "$API_PID"; echo "the api ended with $?"; ./steppe api & API_PID=$!',
    wait,
    here(linesOf('Watching')).replace('\ncurl', `\n${untilReady(otherPort)}\ncurl`),
    here(linesOf('Proving the data')),
    backUp,
    'kill -TERM "$API_PID" "$WORKER_PID" "$WATCHED_PID"; wait "$API_PID" "$WORKER_PID" "$WATCHED_PID"',
    'kill -TERM "$TEMPORAL_PID"; wait',
    'unset DATABASE_URL DATABASE_DIRECT_URL OBJECT_STORE_URL MESSAGE_QUEUE_URL WORKFLOW_ENGINE_URL',
    'export DATA_DIR="$DATA_DIR-restored"',
    restore,
    './steppe fsck --digests',
  ]);
  for (const words of [
    /The database is up to date\./,
    /PostgreSQL 15\S* answers/,
    /Temporal 1\.32\.1 answers/,
    /namespace steppe is made by the first worker/,
    /the api ended with 0\n/,
    /^# TYPE steppe_http_requests_total counter$/m,
    /^steppe_jobs\{/m,
  ]) {
    assert.match(shown, words);
  }
  // Twice each: before the backup by hand, then after the restore by command and by hand.
  assert.equal(shown.match(/no damage/g)?.length, 4, shown);

  /** Runs lines in one shell, which stops at the first failure. Returns what a terminal shows. */
  async function runLines(lines: readonly string[]): Promise<string> {
    const env = {
      PATH: `${programs}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      HOME: folder,
      DATA_DIR: join(folder, 'api'),
      HTTP_PORT: String(port),
      DRAIN_DELAY_SECONDS: '0',
      LOG_LEVEL: 'warn',
    };
    const { code, shown } = await runShell(`${lines.join('\n')}\necho 'the shell came to its end'\n`, {
      command: ['sh', '-e'],
      cwd: projectRoot,
      env,
    });
    assert.ok(code === 0 && shown.includes('the shell came to its end'), shown);
    return shown;
  }
});

test('every line of the document is among those', () => {
  const run = new Set([
    'PostgreSQL',
    'S3',
    'NATS',
    'Temporal',
    'Processes',
    'Rolling restarts',
    'Watching',
    'Proving the data',
    'Backups',
  ]);
  const others = blocks.filter(({ title }) => !run.has(title));
  const unknown = others.flatMap(({ lines }) =>
    lines.split('\n').filter((line) => line !== '' && !elsewhere.test(line)),
  );
  assert.deepEqual(unknown, []);
});

import assert from 'node:assert/strict';
import { cp, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { runSteppe, runTool, type Service, startService } from './support/service.ts';
import { closeAfterTests, temporaryFolder } from './support/for-tests.ts';

const fixtures = fileURLToPath(new URL('fixtures', import.meta.url));
const Report = z.array(
  z.object({
    name: z.string(),
    type: z.enum(['raster', 'vector', 'vector_with_kato', 'style']),
    status: z.string(),
    sentence: z.string(),
    troubles: z.array(z.string()),
  }),
);
/** Status and a part of the message where they are unusual, by file, or folder with a trailing slash, and type. */
const Exceptions = z.record(z.string(), z.record(z.string(), z.tuple([z.string(), z.string()])));
const usual: Readonly<Record<string, readonly string[]>> = {
  raster: ['ready'],
  vector: ['ready'],
  vector_with_kato: ['awaiting_mapping', 'ready'],
  style: ['accepted'],
};
/** Any file may have no table. */
const noColumns = 'The file has no columns: none of its features has properties, so there is nothing to map.';

const folder = await temporaryFolder();
const service = await closeAfterTests(startService());

async function survey(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const report = join(folder, 'report.json');
  const { code, output } = await runTool(['survey', ...args, '--report', report], {
    dataDir: folder,
    env,
  });
  const read = async () => Report.parse(JSON.parse(await readFile(report, 'utf8')));
  return { code, output, read };
}

async function countDatasets({ baseUrl }: Service): Promise<number> {
  const response = await fetch(`${baseUrl}/datasets`);
  const { total }: { total: number } = JSON.parse(await response.text());
  return total;
}

test('every fixture ends as it must, and what comes out is verified', async () => {
  const { code, output, read } = await survey([
    fixtures,
    '--verify',
    '--delete',
    '--base-url',
    service.baseUrl,
  ]);
  const findings = await read();
  const troubled = findings.filter(({ troubles }) => troubles.length > 0);
  assert.deepEqual(troubled, []);
  assert.equal(code, 0, output);
  assert.match(output, /Nothing went wrong\.\n$/);
  assert.equal(await countDatasets(service), 0);

  const exceptions = Exceptions.parse(
    JSON.parse(await readFile(new URL('survey-exceptions.json', import.meta.url), 'utf8')),
  );
  const surprises = findings.filter(({ name, type, status, sentence }) => {
    // test/field-cases checks these.
    if (name.startsWith('field-cases/')) return false;
    const exception = (exceptions[name] ?? exceptions[`${dirname(name)}/`])?.[type];
    if (exception !== undefined) return status !== exception[0] || !sentence.includes(exception[1]);
    const isWithoutTable = type === 'vector_with_kato' && status === 'failed' && sentence === noColumns;
    return !isWithoutTable && usual[type]?.includes(status) !== true;
  });
  assert.deepEqual(surprises, []);
  const population = 'kato/population_by_region_2000_2023.geojson';
  const [table] = findings.filter(({ name, type }) => name === population && type === 'vector_with_kato');
  assert.match(table?.sentence ?? '', /, 480 observations, 20 features$/);
});

test('a service that does not run, and one that dies on the way, end with exit code 1 and the reason', async () => {
  const nobody = await survey([fixtures, '--base-url', 'http://127.0.0.1:1']);
  assert.equal(nobody.code, 1);
  assert.match(nobody.output, /no service is ready at http:\/\/127\.0\.0\.1:1\. Start one .* npm start/);

  await cp(join(fixtures, 'vector'), join(folder, 'vector'), { recursive: true });
  await using mortal = await startService();
  const running = survey([join(folder, 'vector'), '--base-url', mortal.baseUrl, '--parallel', '1']);
  for (;;) {
    if ((await countDatasets(mortal)) > 1) break;
  }
  await mortal.kill9();
  const { code, output } = await running;
  assert.equal(code, 1, output);
  assert.match(output, /broken .*(?:the connection failed|other side closed|terminated|ECONNRESET)/);
  assert.match(output, /\d+ WENT WRONG/);
  assert.match(output, /!! \S+: \/healthz: \S/);
  assert.match(output, /The service does not answer any more\./);
});

test('a service that asks for tokens is surveyed with the one in STEPPE_TOKEN, which is never shown', async () => {
  const styles = join(folder, 'styles');
  await cp(join(fixtures, 'sld'), styles, { recursive: true });
  await using guarded = await startService({ env: { AUTH_MODE: 'token' } });
  const surveyWith = async (env: Readonly<Record<string, string>>) => {
    const { code, output } = await survey([styles, '--base-url', guarded.baseUrl], env);
    return { code, output };
  };
  assert.deepEqual(await surveyWith({}), {
    code: 1,
    output: `survey: a bearer token is required: Authorization: Bearer <token>. ${adviceFor('a token')}`,
  });
  const [reader, writer] = [
    await createToken(guarded, 'data:read'),
    await createToken(guarded, 'data:read,data:write,catalog:write'),
  ];
  assert.deepEqual(await surveyWith({ STEPPE_TOKEN: reader }), {
    code: 1,
    output: `survey: the token lacks the scope catalog:write. ${adviceFor('another token')}`,
  });
  const { code, output } = await surveyWith({ STEPPE_TOKEN: writer });
  assert.equal(code, 0, output);
  assert.match(output, /Nothing went wrong\.\n$/);
  const written = output + (await readFile(join(folder, 'report.json'), 'utf8'));
  assert.ok(!written.includes(writer));
});

function adviceFor(what: string): string {
  return `Set STEPPE_TOKEN to ${what}; \`./steppe token create\` makes one, or the identity provider of the service.\n`;
}

async function createToken({ dataDir }: Service, scopes: string): Promise<string> {
  const options = ['--name', 'Survey', '--scopes', scopes];
  const { code, stdout, output } = await runSteppe(['token', 'create', ...options], { dataDir });
  assert.equal(code, 0, output);
  return stdout.trimEnd();
}

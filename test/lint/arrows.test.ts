import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** One file for each part of the tree, and the parts that it may import; every other arrow has to be refused. */
const domain = ['access', 'catalogue', 'datasets', 'processing', 'landscape'];
const ports = ['database', 'object-store', 'message-queue', 'geo'];
const drivers = ['embedded database', 'directory store', 'postgres queue', 'gdal'];
const leaves = [
  'error facts',
  'errors',
  'units',
  'in time',
  'loopback',
  'plain words',
  'readable',
  'resource error',
  'stopwatch',
  'verbatim JSON',
];
const clients = ['client', 'survey', 'demo'];
const parts: Record<string, { file: string; mayImport: readonly string[] }> = {
  main: { file: 'src/main.ts', mayImport: ['compose', 'config', ...clients, ...leaves] },
  compose: {
    file: 'src/compose.ts',
    mayImport: ['config', 'http', 'jobs', ...domain, ...ports, ...drivers, ...leaves],
  },
  http: { file: 'src/http/routes/x.ts', mayImport: [...domain, ...ports, ...leaves] },
  jobs: { file: 'src/jobs/x.ts', mayImport: [...domain, ...ports, ...leaves] },
  access: { file: 'src/access/x.ts', mayImport: [...domain, ...ports, ...leaves] },
  catalogue: { file: 'src/catalogue/x.ts', mayImport: [...domain, ...ports, ...leaves] },
  datasets: { file: 'src/datasets/x.ts', mayImport: [...domain, ...ports, ...leaves] },
  processing: { file: 'src/processing/x.ts', mayImport: [...domain, ...ports, ...leaves] },
  landscape: { file: 'src/landscape/x.ts', mayImport: [...domain, ...ports, ...leaves] },
  database: { file: 'src/database/tables.ts', mayImport: [...ports, ...leaves] },
  'object-store': { file: 'src/object-store/object-store.ts', mayImport: [...ports, ...leaves] },
  'message-queue': { file: 'src/message-queue/message-queue.ts', mayImport: [...ports, ...leaves] },
  geo: { file: 'src/geo/engine.ts', mayImport: [...ports, ...leaves] },
  'embedded database': { file: 'src/database/embedded.ts', mayImport: [...ports, ...leaves] },
  'directory store': { file: 'src/object-store/directory.ts', mayImport: [...ports, ...leaves] },
  'postgres queue': { file: 'src/message-queue/postgres.ts', mayImport: [...ports, ...leaves] },
  gdal: { file: 'src/geo/gdal/engine.ts', mayImport: [...ports, ...leaves] },
  config: { file: 'src/config.ts', mayImport: leaves },
  client: { file: 'src/client/x.ts', mayImport: leaves },
  survey: { file: 'src/survey/x.ts', mayImport: ['client', ...leaves] },
  demo: { file: 'src/demo/x.ts', mayImport: ['client', ...leaves] },
  'error facts': { file: 'src/error-facts.ts', mayImport: leaves },
  errors: { file: 'src/errors.ts', mayImport: leaves },
  units: { file: 'src/units.ts', mayImport: leaves },
  'in time': { file: 'src/in-time.ts', mayImport: leaves },
  loopback: { file: 'src/loopback.ts', mayImport: leaves },
  'plain words': { file: 'src/plain-words.ts', mayImport: leaves },
  readable: { file: 'src/readable.ts', mayImport: leaves },
  'resource error': { file: 'src/resource-error.ts', mayImport: leaves },
  stopwatch: { file: 'src/stopwatch.ts', mayImport: leaves },
  'verbatim JSON': { file: 'src/verbatim-json.ts', mayImport: leaves },
};
const names = Object.keys(parts);

/** The project's own rules; only what needs a type checker is left out, because the folder has none. */
async function configWithoutTypes(): Promise<string> {
  const config: unknown = JSON.parse(await readFile(join(root, '.oxlintrc.json'), 'utf8'));
  return JSON.stringify({ ...Object(config), options: {} });
}

function specifier(from: string, to: string): string {
  const path = relative(dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

describe('the arrows between the parts', () => {
  const reported = new Map<string, string>();

  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'steppe-arrows-'));
    try {
      await writeFile(join(folder, '.oxlintrc.json'), await configWithoutTypes());
      for (const from of names) await writeImports(folder, from);
      const lint = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--format=unix'], {
        cwd: folder,
        encoding: 'utf8',
      });
      for (const line of lint.stdout.split('\n')) {
        const place = /^(?<file>src\/[^:]+):(?<line>\d+):.*no-restricted-imports/.exec(line)?.groups;
        if (place !== undefined) reported.set(`${place['file']}:${place['line']}`, line);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  for (const from of names) {
    for (const to of names) {
      if (from === to) continue;
      const allowed = parts[from]?.mayImport.includes(to) ?? false;
      test(`${from} ${allowed ? 'may' : 'must not'} import ${to}`, () => {
        const line = names.indexOf(to) + 1;
        assert.equal(reported.has(`${parts[from]?.file}:${line}`), !allowed);
      });
    }
  }

  /** Line n imports the n-th part, so that a finding's line says which arrow it is about. */
  async function writeImports(folder: string, from: string): Promise<void> {
    const file = parts[from]?.file ?? '';
    const lines = names.map((to) =>
      to === from
        ? ''
        : `import * as part${names.indexOf(to)} from '${specifier(file, parts[to]?.file ?? '')}';`,
    );
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), `${lines.join('\n')}\n`);
  }
  after(() => reported.clear());
});

test('GDAL is loaded nowhere but in the child of the engine', async () => {
  const files = (await readdir(join(root, 'src'), { recursive: true })).filter((name) =>
    name.endsWith('.ts'),
  );
  const loading = [];
  for (const file of files) {
    if (file.startsWith('geo/gdal/') || file.endsWith('.test.ts')) continue;
    if (/from 'gdal-async'/.test(await readFile(join(root, 'src', file), 'utf8'))) loading.push(file);
  }
  assert.deepEqual(loading, []);
});

test('the median source file has fewer than 100 lines', async () => {
  const files = (await readdir(join(root, 'src'), { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  const lengths = await Promise.all(
    files.map(async (file) => (await readFile(join(root, 'src', file), 'utf8')).split('\n').length),
  );
  lengths.sort((a, b) => a - b);
  const median = lengths[Math.floor(lengths.length / 2)] ?? 0;
  assert.ok(files.length > 30 && median < 100, `${files.length} files, median ${median} lines`);
});

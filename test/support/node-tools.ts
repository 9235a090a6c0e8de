import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachePath } from './project.ts';

/**
 * Installs a package of npm unless an earlier clone has; the tree stays as it is. @param version an exact one.
 * @param beside what it works with, such as `typescript@5.9.3`, where it would take any version of that.
 * @returns a folder in which programs can import it @throws {Error} when npm does not have it
 */
export function installNodeTool(name: string, version: string, beside: readonly string[] = []): string {
  const folder = cachePath([name.replace('/', '+'), version, ...beside].join('-'));
  if (existsSync(join(folder, 'installed'))) return folder;
  rmSync(folder, { recursive: true, force: true });
  console.log(`installing ${name} ${version}`);
  const install = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  const { status } = spawnSync('npm', [...install, `${name}@${version}`, ...beside], { stdio: 'inherit' });
  if (status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`${name} could not be installed from npm`);
  }
  writeFileSync(join(folder, 'installed'), '');
  return folder;
}

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './step.mjs';

const modules = join(root, 'node_modules');
/** Written when `npm ci` has ended well; holds what it was run for. */
const stamp = join(modules, '.steppe-installed');

/** Node 24 as npm brought it; every later step and the service itself run on it. */
export const node24 = join(modules, '.bin', 'node');

function wanted() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}`;
}

export function modulesAreInstalled() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted() && existsSync(node24);
}

export async function installModules() {
  await installPackages(root);
  writeFileSync(stamp, wanted());
}

/** Installs the packages of the lock file in a folder, without running their scripts. */
export async function installPackages(folder) {
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  await run(command, [...first, 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    remedy: 'Check that the npm registry can be reached (npm ping), then run the same command again.',
  });
}

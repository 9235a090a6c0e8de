import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, SetupFailed } from './step.mjs';

const answers = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** Files that compile and run the GDAL binding, and the Debian package that brings each. */
const needed = [
  { packageName: 'libgdal-dev', isThere: () => answers('gdal-config', '--version') },
  { packageName: 'g++', isThere: () => answers('g++', '--version') },
  { packageName: 'make', isThere: () => answers('make', '--version') },
  { packageName: 'python3', isThere: () => answers('python3', '--version') },
];

const missing = () => needed.filter(({ isThere }) => !isThere()).map(({ packageName }) => packageName);
const isRoot = () => process.getuid?.() === 0;
const canInstall = () => isRoot() && answers('apt-get', '--version');

/** True as well when nothing can be done about it here: the GDAL binding then says what to type. */
export function systemPackagesAreInstalled() {
  return !canInstall() || missing().length === 0;
}

export async function installSystemPackages() {
  await install([...missing(), 'bubblewrap']);
}

/** Written when bubblewrap could not be installed, so that it is not tried at every start. */
const refusal = join(root, 'node_modules/.steppe-no-bubblewrap');

/** True as well when nothing can be done about it here: `./steppe doctor` then says what to type. */
export function bubblewrapIsSettled() {
  return answers('bwrap', '--version') || !canInstall() || existsSync(refusal);
}

/** The service works without it, only less well guarded; so does set-up. */
export async function installBubblewrap() {
  try {
    await install(['bubblewrap']);
  } catch (error) {
    if (!(error instanceof SetupFailed)) throw error;
    writeFileSync(refusal, `${error.message}\n`);
    process.stderr.write('set-up: bubblewrap could not be installed; ./steppe doctor says what that means\n');
  }
}

async function install(packages) {
  const remedy = `apt-get update && apt-get install -y ${packages.join(' ')}`;
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-qq'], { env, remedy });
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env, remedy });
}

/** Names the command that an ordinary user has to ask an administrator for; undefined when nothing is missing. */
export function missingPackagesRemedy() {
  const packages = missing();
  return packages.length === 0 ? undefined : `sudo apt-get install -y ${packages.join(' ')} bubblewrap`;
}

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

export async function installSystemPackages(context) {
  await install([...missing(), 'bubblewrap'], context);
}

/** Written when bubblewrap could not be installed, so that it is not tried at every start. */
const refusal = join(root, 'node_modules/.steppe-no-bubblewrap');

/** True as well when nothing can be done about it here: `./steppe doctor` then says what to type. */
export function bubblewrapIsSettled() {
  return answers('bwrap', '--version') || !canInstall() || existsSync(refusal);
}

/** The service works without it, only less well guarded; so does set-up. */
export async function installBubblewrap(context) {
  try {
    await install(['bubblewrap'], context);
  } catch (error) {
    if (!(error instanceof SetupFailed) || context.signal.aborted) throw error;
    writeFileSync(refusal, `${error.message}\n`);
    process.stderr.write('set-up: bubblewrap could not be installed; ./steppe doctor says what that means\n');
  }
}

async function install(packages, { signal }) {
  const options = {
    env: { DEBIAN_FRONTEND: 'noninteractive' },
    remedy: asLine(packages, ''),
    // Its own lock keeps apt-get from meeting another; that of set-up would stay with a server that a package starts.
    context: { signal },
    // At an interrupt apt-get lets dpkg end what it is unpacking; anything else leaves Debian's packages half installed.
    stopWith: 'SIGINT',
  };
  const waiting = ['-o', 'DPkg::Lock::Timeout=600'];
  await run('apt-get', ['update', '-qq'], options);
  await run('apt-get', [...waiting, 'install', '-y', '-qq', '--no-install-recommends', ...packages], options);
}

const asLine = (packages, sudo) =>
  `${sudo}apt-get update && ${sudo}apt-get install -y --no-install-recommends ${packages.join(' ')}`;

/** Prints that command at the beginning, so that an administrator can install while npm does. */
export function sayWhatAdministratorsInstall() {
  const remedy = missingPackagesRemedy();
  if (remedy === undefined || canInstall()) return;
  process.stderr.write(`set-up: GDAL needs packages that an administrator installs, best now: ${remedy}\n`);
}

/** Names the command that an ordinary user has to ask an administrator for; undefined when nothing is missing. */
export function missingPackagesRemedy() {
  const packages = missing();
  return packages.length === 0 ? undefined : asLine([...packages, 'bubblewrap'], 'sudo ');
}

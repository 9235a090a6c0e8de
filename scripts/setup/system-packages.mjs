import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, SetupFailed } from './step.mjs';

const answers = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** Files for compiling and running the GDAL binding, with their Debian packages. */
const needed = [
  { packageName: 'libgdal-dev', isThere: () => answers('gdal-config', '--version') },
  { packageName: 'g++', isThere: () => answers('g++', '--version') },
  { packageName: 'make', isThere: () => answers('make', '--version') },
  { packageName: 'python3', isThere: () => answers('python3', '--version') },
];

const missing = () => needed.filter(({ isThere }) => !isThere()).map(({ packageName }) => packageName);
const isRoot = () => process.getuid?.() === 0;
const canInstall = () => isRoot() && answers('apt-get', '--version');

/** Also true if they cannot be installed here: the GDAL binding then prints the command. */
export function systemPackagesAreInstalled() {
  return !canInstall() || missing().length === 0;
}

export async function installSystemPackages(context) {
  await install([...missing(), 'bubblewrap'], context);
}

/** Written when bubblewrap could not be installed, so that not every start tries again. */
const refusal = join(root, 'node_modules/.steppe-no-bubblewrap');

/** Also true if it cannot be installed here: `./steppe doctor` then prints the command. */
export function bubblewrapIsSettled() {
  return answers('bwrap', '--version') || !canInstall() || existsSync(refusal);
}

/** Installs bubblewrap; a failure is ignored, because the service works without it, with weaker isolation. */
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
    // apt-get has its own lock; the lock of set-up would be inherited by servers that a package starts.
    context: { signal },
    // At SIGINT, apt-get lets dpkg finish the current package; other signals leave packages half installed.
    stopWith: 'SIGINT',
  };
  const waiting = ['-o', 'DPkg::Lock::Timeout=600'];
  await run('apt-get', ['update', '-qq'], options);
  await run('apt-get', [...waiting, 'install', '-y', '-qq', '--no-install-recommends', ...packages], options);
}

const asLine = (packages, sudo) =>
  `${sudo}apt-get update && ${sudo}apt-get install -y --no-install-recommends ${packages.join(' ')}`;

/** Prints the command for administrators at the beginning, so that they can run it during the npm installation. */
export function sayWhatAdministratorsInstall() {
  const remedy = missingPackagesRemedy();
  if (remedy === undefined || canInstall()) return;
  process.stderr.write(`set-up: GDAL needs packages that an administrator installs, best now: ${remedy}\n`);
}

/** Returns the command for an administrator; undefined when nothing is missing. */
export function missingPackagesRemedy() {
  const packages = missing();
  return packages.length === 0 ? undefined : asLine([...packages, 'bubblewrap'], 'sudo ');
}

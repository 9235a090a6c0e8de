import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { compileBinding } from './compile-binding.mjs';
import { node24 } from './modules.mjs';
import { SetupFailed, root, run } from './step.mjs';
import { missingPackagesRemedy } from './system-packages.mjs';

const packageFolder = join(root, 'node_modules', 'gdal-async');
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Returns the path at which gdal-async expects its native binding, under the Node of the service. */
function bindingPath() {
  const { version } = readJson(
    join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'package.json'),
  );
  const abi = { 24: 137 }[Number(version.split('.')[0])];
  return join(
    packageFolder,
    'lib',
    'binding',
    `node-v${abi}-${process.platform}-${process.arch}`,
    'gdal.node',
  );
}

export function gdalBindingIsInstalled() {
  return existsSync(packageFolder) && existsSync(node24) && existsSync(bindingPath());
}

/**
 * Compiles against the system's libgdal, or uses the result of an earlier clone; otherwise downloads the prebuilt binding of gdal-async.
 */
export async function installGdalBinding(context) {
  const remedy = missingPackagesRemedy();
  if (remedy === undefined) {
    await takeOrCompile(cachePath(), context);
  } else {
    await fetchPrebuilt(remedy, context);
  }
  proveItLoads();
}

async function takeOrCompile(cached, context) {
  if (existsSync(cached)) {
    place(cached, bindingPath());
    return;
  }
  await compileBinding(packageFolder, context, (built) => place(built, bindingPath()));
  try {
    place(bindingPath(), cached);
  } catch {
    // If the home folder is not writable, the next clone compiles again.
  }
}

function cachePath() {
  const gdal = spawnSync('gdal-config', ['--version'], { encoding: 'utf8' }).stdout.trim();
  const { version } = readJson(join(packageFolder, 'package.json'));
  const abi = bindingPath().split('/').at(-2);
  const folder = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(folder, 'steppe', `gdal-async-${version}-libgdal-${gdal}-${abi}.node`);
}

/** Copies a file atomically, also while another process does the same. */
function place(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  const partial = `${to}.${process.pid}`;
  copyFileSync(from, partial);
  renameSync(partial, to);
}

async function fetchPrebuilt(remedy, context) {
  const preGyp = ['node_modules', '../../node_modules']
    .map((folder) => join(packageFolder, folder, '@mapbox', 'node-pre-gyp', 'bin', 'node-pre-gyp'))
    .find((path) => existsSync(path));
  try {
    await run(node24, [preGyp ?? 'node-pre-gyp', 'install'], { cwd: packageFolder, remedy, context });
  } catch (error) {
    if (!(error instanceof SetupFailed)) throw error;
    throw new SetupFailed(
      `GDAL has to be compiled, and packages for that are missing; a build of gdal-async cannot be fetched instead:\n${error.message.split('\n').at(-1)}`,
      remedy,
    );
  }
}

function proveItLoads() {
  const load = ['-e', "require('gdal-async').version"];
  const { status, stderr } = spawnSync(node24, load, { cwd: root, encoding: 'utf8' });
  if (status === 0) return;
  rmSync(bindingPath(), { force: true });
  throw new SetupFailed(
    `The GDAL binding does not load.\n${stderr.trim()}`,
    `rm -f "${cachePath()}", then run the same command again.`,
  );
}

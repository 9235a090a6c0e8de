import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, freemem, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { joinSources } from './joined-sources.mjs';
import { node24 } from './modules.mjs';
import { root, run } from './step.mjs';

const remedy =
  'sudo apt-get install -y libgdal-dev g++ make python3, then run the same command again. The lines above are the compiler’s.';

/**
 * Compiles gdal-async against the system's libgdal in a folder without spaces in its path, which make cannot handle, passes the path of
 * the result to `take`, and cleans up.
 */
export async function compileBinding(packageFolder, context, take) {
  const folder = mkdtempSync(join(plainTemporaryFolder(), 'steppe-gdal-'));
  try {
    copySources(packageFolder, folder);
    const source = join(folder, 'node_modules', 'gdal-async');
    const jobs = compilersAtOnce();
    // A single compiler processes smaller files, which need less memory.
    joinSources(source, jobs === 1 ? 4 : jobs);
    // The binding only forwards calls to GDAL, so the compilation is optimized for speed.
    const env = {
      PATH: `${dirname(node24)}:${process.env.PATH}`,
      CXXFLAGS: '-O1',
      // Set as a variable, because the variable of an .npmrc takes precedence over an option.
      npm_config_nodedir: join(folder, 'node'),
    };
    const gyp = join(folder, 'node_modules', 'node-gyp', 'bin', 'node-gyp.js');
    const options = ['--shared_gdal', '--module_name=gdal', `--module_path=${folder}`];
    await run(node24, [gyp, 'configure', ...options], { cwd: source, env, remedy, context });
    const make = ['-C', 'build', 'BUILDTYPE=Release', `-j${jobs}`, 'gdal'];
    await run('make', make, { cwd: source, env, remedy, context });
    take(join(source, 'build', 'Release', 'gdal.node'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A compiler that reads half of the sources needs 0.7 GB. */
const compilerBytes = 2 ** 30;

function compilersAtOnce() {
  const available = process.availableMemory?.() ?? freemem();
  return Math.max(1, Math.min(availableParallelism(), Math.floor(available / compilerBytes)));
}

function plainTemporaryFolder() {
  return /^[\w/.-]+$/.test(tmpdir()) ? tmpdir() : '/tmp';
}

/**
 * Copies gdal-async without its bundled GDAL, its build tools, and the headers of Node without the 2,700 headers of OpenSSL, which are
 * unused.
 */
function copySources(packageFolder, folder) {
  const bundled = join(packageFolder, 'deps');
  const built = join(packageFolder, 'build');
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const path of closure(packages, [
    'node_modules/gdal-async',
    'node_modules/node-gyp',
    'node_modules/nan',
  ])) {
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      filter: (from) => !from.startsWith(bundled) && !from.startsWith(built),
    });
  }
  const headers = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'include');
  const unused = join(headers, 'node', 'openssl');
  cpSync(headers, join(folder, 'node', 'include'), {
    recursive: true,
    filter: (from) => !from.startsWith(unused),
  });
}

/** Returns the paths in the lock file of these packages and of all their dependencies. */
function closure(packages, paths, found = new Set()) {
  for (const path of paths) {
    if (found.has(path) || !existsSync(join(root, path))) continue;
    found.add(path);
    const names = Object.keys(packages[path].dependencies ?? {});
    closure(
      packages,
      names.map((name) => resolve(packages, path, name)),
      found,
    );
  }
  return found;
}

/** Resolves a package as Node does: in the nearest enclosing node_modules that contains it. */
function resolve(packages, from, name) {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    const candidate = base === '' ? `node_modules/${name}` : `${base}/node_modules/${name}`;
    if (candidate in packages || base === '') return candidate;
  }
}

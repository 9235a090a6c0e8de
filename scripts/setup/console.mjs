import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { node24 } from './modules.mjs';
import { root, run } from './step.mjs';

const folder = join(root, 'console');
/** The folder that the page and the service share. */
const shared = 'common';
const dist = join(folder, 'dist');
/** Written after the build of the console; contains the digest of its sources. */
const stamp = join(dist, '.stamp');
/** Files that are compressed; pictures and fonts are compressed already. */
const texts = /\.(?:html|js|css|svg|json|wasm)$/;

function wanted() {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  for (const path of sources()) hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  return hash.digest('hex');
}

/** Lists the source files of the page, relative to the root of the project. */
function sources() {
  const wanted = /^(?:console\/[^/]*\.(?:html|ts|json)|console\/src\/.*|common\/.*)$/;
  return ['console', shared]
    .flatMap(filesIn)
    .filter((path) => wanted.test(path) && !/\.test\.tsx?$/.test(path))
    .toSorted((a, b) => (a < b ? -1 : 1));
}

function filesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => isFile(join(root, path)));
}

function isFile(path) {
  return statSync(path).isFile();
}

export function consoleIsBuilt() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted();
}

/** Builds the page, and compresses its files once, instead of for each request. */
export async function buildConsole(context) {
  const built = wanted();
  rmSync(stamp, { force: true });
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  await run(node24, [vite, 'build', '--logLevel', 'warn', folder], {
    remedy: 'Run it again; if it fails again, npm run check says what is wrong in console/.',
    context,
  });
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  const compress = async (path) => {
    const content = readFileSync(join(dist, path));
    writeFileSync(join(dist, `${path}.br`), await promisify(brotliCompress)(content, { params }));
    writeFileSync(join(dist, `${path}.gz`), await promisify(gzip)(content, { level: 9 }));
  };
  await Promise.all(
    readdirSync(dist, { recursive: true })
      .filter((path) => texts.test(path))
      .map(compress),
  );
  context.signal.throwIfAborted();
  writeFileSync(stamp, built);
}

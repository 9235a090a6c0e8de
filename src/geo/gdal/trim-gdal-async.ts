/**
 * Prevents gdal-async from loading 190 modules that are not used here: those of `wrapVRT`, which writes XML, and those
 * that search the binding. They take a quarter of the processor time of a child's start. Import this before gdal-async.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.resolve('gdal-async'));
const { modules: abi } = process.versions;
const binding = join(
  dirname(require.resolve('gdal-async/package.json')),
  `lib/binding/node-v${abi}-${process.platform}-${process.arch}/gdal.node`,
);

provide('xmlbuilder2', {});
// If the binding is not in its usual place, gdal-async searches it, and reports the fault.
if (existsSync(binding)) provide('@mapbox/node-pre-gyp', { find: () => binding });

/** Provides a package for gdal-async's `require`. */
function provide(name: string, exports: object): void {
  const id = require.resolve(name);
  const module = { id, filename: id, path: dirname(id), loaded: true, exports, require };
  require.cache[id] = { ...module, children: [], paths: [], parent: null, isPreloading: false };
}

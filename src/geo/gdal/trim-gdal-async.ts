/**
 * Keeps gdal-async from loading 190 modules that nothing here calls: those of `wrapVRT`, which writes XML, and those that
 * look for the binding. They take a quarter of the processor time in which a child starts. To be imported before it.
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
// Where the binding is not at its usual place, gdal-async looks for it, and says what is wrong.
if (existsSync(binding)) provide('@mapbox/node-pre-gyp', { find: () => binding });

/** Answers gdal-async's `require` of a package. */
function provide(name: string, exports: object): void {
  const id = require.resolve(name);
  const module = { id, filename: id, path: dirname(id), loaded: true, exports, require };
  require.cache[id] = { ...module, children: [], paths: [], parent: null, isPreloading: false };
}

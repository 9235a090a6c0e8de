/** The program of the geo engine's children without the layers that a request names in `without`. */
import { registerHooks } from 'node:module';
import { answerOnce } from '../../../src/geo/gdal/answer-once.ts';
import type { Request } from '../../../src/geo/protocol.ts';

/** Replacements for the exports of modules, in JavaScript. */
type Replaced = Readonly<Record<string, readonly string[]>>;

const fileChecks: Replaced = {
  'formats/tiff/limits.ts': ['refuseUnreasonableTiff = async () => {}'],
  'formats/zip/structure.ts': [
    'checkList = async () => {}',
    'checkStructure = () => {}',
    'isLargerThanSaid = () => false',
  ],
  'formats/geopackage/check.ts': ['checkGeoPackage = () => new Set()'],
  'formats/geopackage/layer-table.ts': ['withRegistrations = (path) => path'],
};
const driverList: Replaced = { 'gdal/load-gdal.ts': ['refuseForeignDrivers = () => {}'] };

answerOnce(async ({ without, ...request }: Request & { readonly without: readonly string[] }, findings) => {
  if (without.includes('file-checks')) replaceExports(fileChecks);
  if (without.includes('driver-list')) replaceExports(driverList);
  const { perform } = await import('../../../src/geo/child/perform.ts');
  return await perform(request, findings);
});

/** Replaces exports of modules that are not loaded yet. @throws when a module does not have such an export. */
function replaceExports(replaced: Replaced): void {
  const folder = new URL('../../../src/geo/', import.meta.url);
  const replacements = new Map(
    Object.entries(replaced).map(([path, exports]) => [new URL(path, folder).href, exports]),
  );
  registerHooks({
    load(url, context, next) {
      const exports = replacements.get(url);
      if (exports === undefined) return next(url, context);
      const original = `${url}?original`;
      const names = exports.map((each) => each.split(' ', 1).join());
      const source = [
        `export * from '${original}';`,
        // Fails where a guard was moved and would stay in force.
        `import { ${names.map((name, index) => `${name} as original${index}`).join()} } from '${original}';`,
        ...exports.map((each) => `export const ${each};`),
      ].join('\n');
      return { format: 'module', source, shortCircuit: true };
    },
  });
}

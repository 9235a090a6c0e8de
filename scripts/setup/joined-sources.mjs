import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const list = /("sources_node_gdal": \[)([^\]]*)\]/;

/**
 * Replaces the sources of gdal-async with `count` files of equal weight that include them. The compiler spends nearly all of its time on
 * the headers of Node and GDAL, which each of the 61 files would read again.
 * @param folder a copy of the package, whose `binding.gyp` and `src` are changed
 */
export function joinSources(folder, count) {
  const gyp = join(folder, 'binding.gyp');
  const text = readFileSync(gyp, 'utf8');
  const sources = [...(list.exec(text)?.[2] ?? '').matchAll(/"src\/([^"]+)"/g)].map(([, path]) => path);
  if (sources.length === 0)
    throw new Error('binding.gyp of gdal-async does not list its sources as expected');
  const weights = new Map(sources.map((path) => [path, weightOf(join(folder, 'src', path))]));
  const names = distribute(weights, count).map((joined, index) => {
    const inOrder = sources.filter((path) => joined.includes(path));
    const name = `src/joined-${index}.cpp`;
    writeFileSync(join(folder, name), inOrder.map((path) => `#include "${path}"\n`).join(''));
    return `"${name}"`;
  });
  writeFileSync(gyp, text.replace(list, `$1 ${names.join(', ')} ]`));
}

/** Half of each file is documentation, which is not counted. */
function weightOf(path) {
  return readFileSync(path, 'utf8').replaceAll(/\/\*.*?\*\//gs, '').length;
}

/** Assigns weights to groups, the heaviest first, each to the currently lightest group. */
function distribute(weights, count) {
  const groups = Array.from({ length: count }, () => ({ weight: 0, paths: [] }));
  for (const [path, weight] of [...weights].toSorted(([, a], [, b]) => b - a)) {
    const lightest = groups.reduce((least, group) => (group.weight < least.weight ? group : least));
    lightest.weight += weight;
    lightest.paths.push(path);
  }
  return groups.map(({ paths }) => paths);
}

import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FindingsCollector } from '../../findings-collector.ts';
import type { VectorFile } from '../../formats/features/vector-file.ts';
import type { VectorResult } from '../../protocol.ts';
import { createDissolve, type Dissolve } from './dissolve.ts';
import { geometryText } from './geometry-text.ts';
import { openVectorFile, type VectorTask } from './open.ts';
import { positionsOf } from './reproject.ts';
import { writeText } from './text-file.ts';

/**
 * Dissolves all features of a vector file into one, whose properties are those of the only feature, or all of them as
 * `rows`. Without any geometry the collection is empty.
 * @throws {Problem} when the file cannot be read or its coordinates have no place in WGS 84.
 */
export async function assembleVector(task: VectorTask, findings: FindingsCollector): Promise<VectorResult> {
  const file = await openVectorFile(task, { findings, gatherColumns: false });
  const dissolve = createDissolve(file, findings);
  const geojsonPath = join(task.scratch, 'assembled.geojson');
  await using out = await open(geojsonPath, 'w');
  // The properties come first, because they can be written while the geometry still grows.
  await findings.time('read', () => writeText(out, propertiesText(file, dissolve)));
  const dissolved = await findings.time('dissolve', () => dissolve.finish());
  if (positionsOf(dissolved).every(({ length }) => length === 0)) {
    await writeFile(geojsonPath, '{"type":"FeatureCollection","features":[]}\n');
  } else {
    await writeText(out, geometryText(dissolved));
    await writeText(out, ['}]}\n']);
  }
  return { geojsonPath };
}

/** Begins the collection with the properties of all features, in one reading, in which their geometry is gathered too. */
function* propertiesText(file: VectorFile, dissolve: Dissolve): Generator<string | Buffer> {
  yield '{"type":"FeatureCollection","features":[{"type":"Feature","properties":';
  let first: Buffer | string = '{}';
  let number = 0;
  for (const feature of file.features({ geometry: true })) {
    number += 1;
    const properties = feature.properties ?? '{}';
    // Only the second feature tells that there are several.
    if (number === 1) first = properties;
    else {
      if (number === 2) yield* ['{"rows":[', first];
      yield* [',\n', properties];
    }
    dissolve.add(feature);
  }
  yield number > 1 ? ']}' : first;
  yield '\n,"geometry":';
}

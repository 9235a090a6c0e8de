import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FindingsCollector } from '../../findings-collector.ts';
import type { VectorResult } from '../../protocol.ts';
import { openBlockWriter, type BlockWriter } from './block-writer.ts';
import { createDissolve, type Dissolve } from './dissolve.ts';
import { geometryText } from './geometry-text.ts';
import { openVectorFile, type VectorTask } from './open.ts';
import type { VectorFile } from '../../formats/features/vector-file.ts';

/**
 * Dissolves all features of a vector file into one, whose properties are those of the only feature, or all of them as
 * `rows`. Without any geometry the collection is empty.
 * @throws {Problem} when the file can not be read or its coordinates have no place in WGS 84.
 */
export async function assembleVector(task: VectorTask, findings: FindingsCollector): Promise<VectorResult> {
  const file = await openVectorFile(task, { findings, gatherColumns: false });
  const dissolve = createDissolve(file, findings);
  const geojsonPath = join(task.scratch, 'assembled.geojson');
  const out = await openBlockWriter(geojsonPath);
  let hasGeometry = false;
  try {
    // The properties come first, because they can be written while the geometry still grows.
    await out.write('{"type":"FeatureCollection","features":[{"type":"Feature","properties":');
    await findings.time('read', () => writeProperties(file, dissolve, out));
    const dissolved = await findings.time('dissolve', () => dissolve.finish());
    const text = geometryText(dissolved);
    hasGeometry = text !== undefined;
    for (const piece of ['\n,"geometry":', ...(text ?? ['null'])]) await out.write(piece);
    await out.write('}]}\n');
  } finally {
    await out.close();
  }
  if (!hasGeometry) await writeFile(geojsonPath, '{"type":"FeatureCollection","features":[]}\n');
  return { geojsonPath };
}

/** Writes the properties of all features in one reading, in which their geometry is gathered too. */
async function writeProperties(file: VectorFile, dissolve: Dissolve, out: BlockWriter): Promise<void> {
  let first: Buffer | string = '{}';
  let number = 0;
  for (const feature of file.features({ geometry: true })) {
    number += 1;
    const properties = feature.properties ?? '{}';
    // Only the second feature tells that there are several.
    if (number === 1) first = properties;
    else {
      if (number === 2) for (const piece of ['{"rows":[', first]) await out.write(piece);
      await out.write(',\n');
      await out.write(properties);
    }
    dissolve.add(feature);
  }
  await out.write(number > 1 ? ']}' : first);
}

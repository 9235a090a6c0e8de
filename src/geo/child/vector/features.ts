import { join } from 'node:path';
import type { FindingsCollector } from '../../findings-collector.ts';
import type { FeaturesResult } from '../../answers.ts';
import { geometryText } from './geometry-text.ts';
import { openVectorFile, type VectorTask } from './open.ts';
import { chooseReferenceSystem } from './reference-system.ts';
import { cellTexts } from './table.ts';
import { writeText } from './text-file.ts';
import { createUnion } from './unions.ts';

/**
 * Reads all features one by one: their geometry, valid and as RFC 7946 wants it, and their properties.
 * @throws {Problem} when the file cannot be read or its coordinates have no place in WGS 84.
 */
export async function readFeatureTable(
  task: VectorTask,
  findings: FindingsCollector,
): Promise<FeaturesResult> {
  const file = await openVectorFile(task, { findings, gatherColumns: true });
  const system = chooseReferenceSystem(file.crs);
  const rowsPath = join(task.scratch, 'features.ndjson');
  let rowCount = 0;
  function* rows(): Generator<string> {
    for (const { geometry, properties } of file.features({ geometry: true })) {
      rowCount += 1;
      const union = createUnion();
      if (geometry !== undefined) union.add(system.toWgs84(geometry.parts, `feature ${rowCount}`));
      yield '[';
      yield* geometryText(union.finish());
      for (const cell of cellTexts(properties, file.columns)) yield `,${cell}`;
      yield ']\n';
    }
  }
  await writeText(rowsPath, rows());
  return { columns: file.columns, rowsPath, rowCount, beginsWith: 'geometry' };
}

import { join } from 'node:path';
import type { Parts } from '../../formats/features/geometry.ts';
import type { FindingsCollector } from '../../findings-collector.ts';
import type { FeaturesResult } from '../../protocol.ts';
import { openBlockWriter } from './block-writer.ts';
import { geometryText } from './geometry-text.ts';
import { openVectorFile, type VectorTask } from './open.ts';
import { chooseReferenceSystem } from './reference-system.ts';
import { cellTexts } from './table.ts';
import { createAreaUnion, createLineUnion, createPointUnion } from './unions.ts';

/**
 * Reads all features one by one: their geometry, repaired and as RFC 7946 wants it, and their properties.
 * @throws {Problem} when the file can not be read or its coordinates have no place in WGS 84.
 */
export async function readFeatureTable(
  task: VectorTask,
  findings: FindingsCollector,
): Promise<FeaturesResult> {
  const file = await openVectorFile(task, { findings, gatherColumns: true });
  const system = chooseReferenceSystem(file.crs);
  const rowsPath = join(task.scratch, 'features.ndjson');
  const out = await openBlockWriter(rowsPath);
  let rowCount = 0;
  try {
    for (const { geometry, properties } of file.features({ geometry: true })) {
      rowCount += 1;
      const parts = geometry && clean(system.toWgs84(geometry.parts, `feature ${rowCount}`));
      await out.write('[');
      for (const piece of (parts && geometryText(parts)) ?? ['null']) await out.write(piece);
      for (const cell of cellTexts(properties, file.columns)) await out.write(`,${cell}`);
      await out.write(']\n');
    }
  } finally {
    await out.close();
  }
  return { columns: file.columns, rowsPath, rowCount, beginsWith: 'geometry' };
}

/** Valid, rounded and wound as it must be. */
function clean({ points, lines, polygons }: Parts): Parts {
  const [pointUnion, lineUnion, areaUnion] = [createPointUnion(), createLineUnion(), createAreaUnion()];
  pointUnion.add(points);
  lines.forEach((line) => lineUnion.add(line));
  polygons.forEach((polygon) => areaUnion.add(polygon));
  return { points: pointUnion.finish(), lines: lineUnion.finish(), polygons: areaUnion.finish() };
}

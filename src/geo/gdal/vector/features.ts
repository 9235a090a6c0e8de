import { join } from 'node:path';
import { readFeatures, surveyDocument } from '../../geojson/document.ts';
import { readParts, type Parts } from '../../geojson/parts.ts';
import { openBlockWriter } from './block-writer.ts';
import { geometryText } from './geometry-text.ts';
import { refuseOtherFormats } from './input.ts';
import { chooseReferenceSystem } from './reference-system.ts';
import { cellTexts } from './table.ts';
import { createAreaUnion, createLineUnion, createPointUnion } from './unions.ts';
import type { FindingsCollector } from '../findings-collector.ts';
import type { FeaturesResult } from '../messages.ts';

/**
 * Reads all features one by one: their geometry, repaired and as RFC 7946 wants it, and their properties, whose text stays
 * as it stands in the file.
 * @throws {Problem} when the file is no GeoJSON or its coordinates are no longitudes and latitudes.
 */
export async function readFeatureTable(
  task: { inputPath: string; scratch: string },
  findings: FindingsCollector,
): Promise<FeaturesResult> {
  await refuseOtherFormats(task.inputPath);
  const survey = await findings.time('read', () => surveyDocument(task.inputPath, { gatherColumns: true }));
  const toWgs84 = chooseReferenceSystem(survey.crs);
  const rowsPath = join(task.scratch, 'features.ndjson');
  const out = await openBlockWriter(rowsPath);
  let rowCount = 0;
  try {
    for (const { geometry, properties } of readFeatures(task.inputPath, survey)) {
      rowCount += 1;
      const where = `feature ${rowCount}`;
      const parts = geometry && clean(toWgs84(readParts(geometry, where), where));
      await out.write('[');
      for (const piece of (parts && geometryText(parts)) ?? ['null']) await out.write(piece);
      for (const cell of cellTexts(properties, survey.columns)) await out.write(`,${cell}`);
      await out.write(']\n');
    }
  } finally {
    await out.close();
  }
  return { columns: survey.columns, rowsPath, rowCount, beginsWith: 'geometry' };
}

/** Valid, rounded and wound as it must be. */
function clean({ points, lines, polygons }: Parts): Parts {
  const [pointUnion, lineUnion, areaUnion] = [createPointUnion(), createLineUnion(), createAreaUnion()];
  pointUnion.add(points);
  lines.forEach((line) => lineUnion.add(line));
  polygons.forEach((polygon) => areaUnion.add(polygon));
  return { points: pointUnion.finish(), lines: lineUnion.finish(), polygons: areaUnion.finish() };
}

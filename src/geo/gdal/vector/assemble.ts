import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFeatures, surveyDocument, type DocumentSurvey } from '../../geojson/document.ts';
import { readParts, type Parts } from '../../geojson/parts.ts';
import { openBlockWriter, type BlockWriter } from './block-writer.ts';
import { geometryText } from './geometry-text.ts';
import { refuseOtherFormats } from './input.ts';
import { chooseReferenceSystem } from './reference-system.ts';
import { createAreaUnion, createLineUnion, createPointUnion } from './unions.ts';
import type { FindingsCollector } from '../findings-collector.ts';
import type { VectorResult } from '../messages.ts';

/**
 * Dissolves all features of a GeoJSON file into one, whose properties are those of the only feature, or all of them as
 * `rows`; their text stays as it stands in the file. Without any geometry the collection is empty.
 * @throws {Problem} when the file is no GeoJSON or its coordinates are no longitudes and latitudes.
 */
export async function assembleVector(
  task: { inputPath: string; scratch: string },
  findings: FindingsCollector,
): Promise<VectorResult> {
  await refuseOtherFormats(task.inputPath);
  const survey = await findings.time('read', () => surveyDocument(task.inputPath, { gatherColumns: false }));
  const geojsonPath = join(task.scratch, 'assembled.geojson');
  const out = await openBlockWriter(geojsonPath);
  let dissolved: Parts;
  try {
    // The properties come first, because they can be written while the geometry still grows.
    await out.write('{"type":"FeatureCollection","features":[{"type":"Feature","properties":');
    dissolved = await writeProperties(task.inputPath, survey, out);
    for (const piece of ['\n,"geometry":', ...(geometryText(dissolved) ?? ['null'])]) await out.write(piece);
    await out.write('}]}\n');
  } finally {
    await out.close();
  }
  if (geometryText(dissolved) === undefined) {
    await writeFile(geojsonPath, '{"type":"FeatureCollection","features":[]}\n');
  }
  return { geojsonPath };
}

/** Writes the properties of all features in one reading, in which their geometry is gathered too. */
async function writeProperties(path: string, survey: DocumentSurvey, out: BlockWriter): Promise<Parts> {
  const dissolve = createDissolve(survey);
  const several = survey.featureCount > 1;
  if (several) await out.write('{"rows":[');
  if (survey.featureCount === 0) await out.write('{}');
  let number = 0;
  for (const feature of readFeatures(path, survey)) {
    number += 1;
    if (number > 1) await out.write(',\n');
    await out.write(feature.properties ?? '{}');
    if (feature.geometry !== undefined) dissolve.add(feature.geometry, `feature ${number}`);
  }
  if (several) await out.write(']}');
  return dissolve.finish();
}

function createDissolve(survey: DocumentSurvey): {
  add(geometry: Buffer, where: string): void;
  finish(): Parts;
} {
  const toWgs84 = chooseReferenceSystem(survey.crs);
  const [points, lines, areas] = [createPointUnion(), createLineUnion(), createAreaUnion()];
  return {
    add(geometry, where) {
      const parts = toWgs84(readParts(geometry, where), where);
      points.add(parts.points);
      parts.lines.forEach((line) => lines.add(line));
      parts.polygons.forEach((polygon) => areas.add(polygon));
    },
    finish: () => ({ points: points.finish(), lines: lines.finish(), polygons: areas.finish() }),
  };
}

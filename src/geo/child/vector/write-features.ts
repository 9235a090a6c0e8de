import { decodeParts } from '../../formats/ogr/wkb.ts';
import type { Parts, SourceFeature } from '../../formats/features/geometry.ts';
import type { FindingsCollector } from '../../gather-findings.ts';
import type { FlatGeobufResult } from '../../protocol.ts';
import { createFeatureWriter, type FeatureWriter, type WrittenFeatures } from './features/feature-writer.ts';
import { wound } from './geometry-text.ts';
import { openVectorFile, type VectorTask } from './open.ts';
import { chooseReferenceSystem } from './reference-system.ts';
import { linesWithinWorld, pointsWithinWorld, polygonsWithinWorld } from './reprojection.ts';
import { repaired } from './unions.ts';

/**
 * Writes the features of a file as a FlatGeobuf, each as the file has it.
 * @throws {Problem} when the file cannot be read or its coordinates have no place in WGS 84.
 */
export async function writeFeatures(
  task: VectorTask,
  findings: FindingsCollector,
): Promise<FlatGeobufResult> {
  const file = await openVectorFile(task, { findings, gatherColumns: false });
  const system = chooseReferenceSystem(file.crs);
  const writer = createFeatureWriter(task.scratch, findings);
  let number = 0;
  for (const feature of file.features({ geometry: true })) {
    number += 1;
    addFeature(
      writer,
      feature,
      feature.geometry && system.toWgs84(feature.geometry.parts, `feature ${number}`),
    );
  }
  return { features: writtenResult(writer.finish()) };
}

/** @param onEarth its geometry in longitude and latitude, on whatever turn around the earth. */
export function addFeature(
  writer: FeatureWriter,
  { properties, geometry }: SourceFeature,
  onEarth: Parts | undefined,
): void {
  const isMulti = /^multi/i.test(geometry?.type ?? '');
  writer.add({ properties, parts: onEarth && withinWorld(onEarth), isMulti });
}

/** As RFC 7946 has it: cut at 180°, outer rings counter-clockwise. What need not be cut is not repaired or rounded. */
export function withinWorld({ points, lines, polygons }: Parts): Parts {
  return {
    points: pointsWithinWorld(points),
    lines: lines.flatMap(linesWithinWorld),
    polygons: polygons.flatMap((rings) => {
      const isWithin = rings.every((ring) => ring.every((value, i) => i % 2 === 1 || Math.abs(value) <= 180));
      if (isWithin) return [wound(rings)];
      return polygonsWithinWorld(rings, repaired).flatMap((wkb) => decodeParts(wkb).polygons.map(wound));
    }),
  };
}

/** Returns what a child answers of the features that it has written. */
export function writtenResult(written: WrittenFeatures | undefined): FlatGeobufResult['features'] {
  if (written === undefined) return undefined;
  const { path, count, box } = written;
  return { path, count, box: box === undefined ? null : [...box] };
}

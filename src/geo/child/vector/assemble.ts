import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import gdal from 'gdal-async';
import { vectorProblems, vectorWarnings } from '../../../messages/vector/english.ts';
import type { FindingsCollector } from '../../gather-findings.ts';
import {
  isEmpty,
  type Parts,
  type Rings,
  type SourceFeature,
  type VectorFile,
} from '../../formats/features/geometry.ts';
import { decodeParts, encodeMultiPolygon, encodePolygon } from '../../formats/ogr/wkb.ts';
import type { VectorResult } from '../../protocol.ts';
import { geometryText } from './geometry-text.ts';
import { describeFeatures, openVectorFile, type VectorTask } from './open.ts';
import { chooseReferenceSystem } from './reference-system.ts';
import { createFeatureWriter } from './features/feature-writer.ts';
import { writeText } from './table.ts';
import { repaired } from './repair.ts';
import { createUnion, overlappingGroups, uniteCascaded } from './unions.ts';
import { createTally } from './features/tally.ts';
import { addFeature, writtenResult } from './write-features.ts';

/**
 * Dissolves all features of a vector file into one, whose properties are those of the only feature, or all of them as
 * `rows`. Without any geometry, the collection is empty. Also writes all features as a FlatGeobuf.
 * @throws {Problem} if the file cannot be read or its coordinates have no place in WGS 84.
 */
export async function assembleVector(task: VectorTask, findings: FindingsCollector): Promise<VectorResult> {
  const file = await openVectorFile(task, { findings, gatherColumns: false });
  const writer = createFeatureWriter(task.scratch, findings);
  const dissolve = createDissolve(file, findings, (feature, onEarth) => addFeature(writer, feature, onEarth));
  const geojsonPath = join(task.scratch, 'assembled.geojson');
  await using out = await open(geojsonPath, 'w');
  // Properties come first, because they can be written while the geometry still grows.
  await findings.time('read', () => writeText(out, propertiesText(file, dissolve.add)));
  const dissolved = await findings.time('dissolve', dissolve.finish);
  if (isEmpty(dissolved)) {
    await writeFile(geojsonPath, '{"type":"FeatureCollection","features":[]}\n');
  } else {
    await writeText(out, geometryText(dissolved));
    await writeText(out, ['}]}\n']);
  }
  const features = writtenResult(await findings.time('features', () => writer.finish()));
  return { geojsonPath, features };
}

/** Writes the start of the collection with the properties of all features, and passes each feature to `add` in the same pass. */
function* propertiesText(
  file: VectorFile,
  add: (feature: SourceFeature) => void,
): Generator<string | Buffer> {
  yield '{"type":"FeatureCollection","features":[{"type":"Feature","properties":';
  let first: Buffer | string = '{}';
  let number = 0;
  for (const feature of file.features({ geometry: true })) {
    number += 1;
    const properties = feature.properties ?? '{}';
    // Only the second feature shows that there are several.
    if (number === 1) first = properties;
    else {
      if (number === 2) yield* ['{"rows":[', first];
      yield* [',\n', properties];
    }
    add(feature);
  }
  yield number > 1 ? ']}' : first;
  yield '\n,"geometry":';
}

/** Transforms the features of a file to WGS 84 and unites their geometry; describes them in the findings. */
function createDissolve(
  file: VectorFile,
  findings: FindingsCollector,
  onFeature: (feature: SourceFeature, onEarth: Parts | undefined) => void,
) {
  const system = chooseReferenceSystem(file.crs);
  const extent = createExtent();
  const types = new Set<string>();
  let [features, repaired] = [0, 0];
  /** `thin` counts vertical pieces of solids, which have no area and are left out. */
  const [lost, thin, flattened] = [createTally(), createTally(), createTally()];
  const overlapping = createTally();
  let isFlattened = false;
  const union = createUnion({
    repaired: () => (repaired += 1),
    lost: () => (isFlattened ? thin : lost).add(features),
  });
  return {
    /** @throws {Problem} if the geometry has no place on the earth. */
    add(feature: SourceFeature): void {
      const { geometry } = feature;
      features += 1;
      if (geometry === undefined) return onFeature(feature, undefined);
      types.add(geometry.type);
      isFlattened = geometry.isFlattened;
      if (isFlattened) flattened.add(features);
      extent.add(geometry.parts);
      const onEarth = system.toWgs84(geometry.parts, `feature ${features}`);
      union.add(onEarth);
      // Pieces of solids and members of collections may overlap.
      if (!isFlattened && geometry.type !== 'GeometryCollection' && partsOverlap(onEarth.polygons))
        overlapping.add(features);
      onFeature(feature, onEarth);
      for (let i = 0; i < geometry.leftOut; i += 1) lost.add(features);
    },
    /** @throws {Problem} if nothing of the geometry is left. */
    finish(): Parts {
      const geometry_types = [...types].toSorted();
      const shift = system.shift();
      const place = { crs: system.name, ...(shift && { shift }), extent: extent.bounds() };
      describeFeatures(file, findings, { features, ...(types.size > 0 && { geometry_types }) }, place);
      if (types.size > 0) for (const warning of system.warnings()) findings.add(warning);
      if (repaired > 0) findings.warn('geometry_repaired', vectorWarnings.repaired(repaired));
      if (overlapping.first !== undefined)
        findings.warn('geometry_repaired', vectorWarnings.partsOverlap(overlapping.count, overlapping.first));
      const united = union.finish();
      const first = lost.first ?? thin.first;
      if (first !== undefined && isEmpty(united)) throw vectorProblems.nothingLeft(first);
      if (lost.first !== undefined)
        findings.warn('geometry_lost', vectorWarnings.lost(lost.count, lost.first));
      if (flattened.first !== undefined)
        findings.warn('solids_flattened', vectorWarnings.flattened(flattened.count, flattened.first));
      return united;
    },
  };
}

function createExtent() {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  return {
    add({ points, lines, polygons }: Parts): void {
      for (const positions of [points, ...lines, ...polygons.map(([outer = []]) => outer)]) {
        for (let i = 0; i + 1 < positions.length; i += 2) {
          const [x, y] = [positions[i] ?? 0, positions[i + 1] ?? 0];
          if (x < west) west = x;
          if (x > east) east = x;
          if (y < south) south = y;
          if (y > north) north = y;
        }
      }
    },
    bounds: (): [number, number, number, number] | null =>
      west <= east && south <= north ? [west, south, east, north] : null,
  };
}

/** A smaller share of an area is rounding. */
const leastOverlap = 1e-9;

/** Returns whether any parts of a polygon overlap in area, rather than only touch. */
function partsOverlap(parts: readonly Rings[]): boolean {
  if (parts.length < 2) return false;
  return overlappingGroups(parts.map(encodePolygon)).some((group) => {
    if (group.length === 1 || gdal.Geometry.fromWKB(encodeMultiPolygon(group)).isValid()) return false;
    const valid = group.flatMap((wkb) => decodeParts(wkb).polygons.flatMap((rings) => repaired(rings)));
    return areaOf(uniteCascaded(valid)) < areaOf(valid) * (1 - leastOverlap);
  });
}

function areaOf(polygons: readonly Buffer[]): number {
  return polygons.reduce((sum, wkb) => {
    const polygon = gdal.Geometry.fromWKB(wkb);
    return sum + (polygon instanceof gdal.Polygon ? polygon.getArea() : 0);
  }, 0);
}

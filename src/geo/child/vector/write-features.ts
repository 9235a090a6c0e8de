import { decodeParts } from '../../formats/ogr/wkb.ts';
import {
  type Parts,
  type Positions,
  positionsOf,
  type SourceFeature,
} from '../../formats/features/geometry.ts';
import type { Heights } from '../../formats/features/heights.ts';
import type { FindingsCollector } from '../../gather-findings.ts';
import type { FlatGeobufResult } from '../../protocol.ts';
import { createFeatureWriter, type FeatureWriter, type WrittenFeatures } from './features/feature-writer.ts';
import { wound } from './geometry-text.ts';
import { openVectorFile, type VectorTask } from './open.ts';
import { chooseReferenceSystem } from './reference-system.ts';
import { isWithinWorld, linesWithinWorld, pointsWithinWorld, polygonsWithinWorld } from './reprojection.ts';
import { repaired } from './repair.ts';

/**
 * Writes the features of a file as a FlatGeobuf, without dissolving.
 * @throws {Problem} if the file cannot be read or its coordinates have no place in WGS 84.
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

/** @param onEarth its geometry in longitude and latitude, on any turn around the earth. */
export function addFeature(
  writer: FeatureWriter,
  { properties, geometry }: SourceFeature,
  onEarth: Parts | undefined,
): void {
  const isMulti = /^multi/i.test(geometry?.type ?? '');
  if (geometry === undefined || onEarth === undefined)
    return writer.add({ properties, parts: undefined, isMulti });
  const parts = withinWorld(onEarth);
  const places = { inFile: geometry.parts, onEarth, inWorld: parts };
  const heights = heightsInWorld(geometry.heights, places);
  writer.add({
    properties,
    parts,
    isMulti,
    heights,
    areHeightsLost: geometry.isHigh && heights === undefined,
  });
}

/** Converts to RFC 7946: cut at 180°, outer rings counter-clockwise. Geometry that needs no cut is neither repaired nor rounded. */
export function withinWorld({ points, lines, polygons }: Parts): Parts {
  return {
    points: pointsWithinWorld(points),
    lines: lines.flatMap(linesWithinWorld),
    polygons: polygons.flatMap((rings) => {
      if (rings.every(isWithinWorld)) return [wound(rings)];
      return polygonsWithinWorld(rings, repaired).flatMap((wkb) => decodeParts(wkb).polygons.map(wound));
    }),
  };
}

/** Returns the heights of the converted geometry; undefined if it was cut or bent. */
function heightsInWorld(
  heights: Heights | undefined,
  { inFile, onEarth, inWorld }: Readonly<Record<'inFile' | 'onEarth' | 'inWorld', Parts>>,
): Heights | undefined {
  const { lines, polygons } = onEarth;
  if (heights === undefined || ![...lines, ...polygons.flat()].every(isWithinWorld)) return undefined;
  const [fileLists, earthLists] = [positionsOf(inFile), positionsOf(onEarth)];
  const placed = new Map<Positions, readonly number[]>();
  for (const [index, list] of positionsOf(inWorld).entries()) {
    const [inFileList = [], onEarthList = []] = [fileLists[index], earthLists[index]];
    const own = heights.get(inFileList);
    if (own === undefined || onEarthList.length !== inFileList.length) return undefined;
    // A reversed ring is a new list.
    const isReversed = index > lines.length && list !== onEarthList;
    placed.set(list, isReversed ? own.toReversed() : own);
  }
  return placed;
}

/** Converts written features to the answer of the child. */
export function writtenResult(written: WrittenFeatures | undefined): FlatGeobufResult['features'] {
  if (written === undefined) return undefined;
  const { path, count, box } = written;
  return { path, count, box: box === undefined ? null : [...box] };
}

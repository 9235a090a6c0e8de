import { vectorWarnings } from '../../../messages/vector.ts';
import type { FindingsCollector } from '../../findings-collector.ts';
import type { Parts, Positions } from '../../formats/features/geometry.ts';
import type { SourceFeature, VectorFile } from '../../formats/features/vector-file.ts';
import { describeFeatures } from './open.ts';
import { chooseReferenceSystem } from './reference-system.ts';
import { createUnion } from './unions.ts';

/** Takes the features of a file to WGS 84 and unites their geometry; describes them in the findings. */
export interface Dissolve {
  /** @throws {Problem} when the geometry has no place on the earth. */
  add(feature: SourceFeature): void;
  finish(): Parts;
}

export function createDissolve(file: VectorFile, findings: FindingsCollector): Dissolve {
  const system = chooseReferenceSystem(file.crs);
  const extent = createExtent();
  const types = new Set<string>();
  let [features, repaired] = [0, 0];
  const union = createUnion(() => {
    repaired += 1;
  });
  return {
    add({ geometry }) {
      features += 1;
      if (geometry === undefined) return;
      types.add(geometry.type);
      extent.add(geometry.parts);
      union.add(system.toWgs84(geometry.parts, `feature ${features}`));
    },
    finish() {
      const geometry_types = [...types].toSorted();
      const place = { crs: system.name, extent: extent.bounds() };
      describeFeatures(file, findings, { features, ...(types.size > 0 && { geometry_types }) }, place);
      if (types.size > 0 && system.warning !== undefined) {
        findings.warn(system.warning.code, system.warning.message);
      }
      if (repaired > 0) findings.warn('geometry_repaired', vectorWarnings.repaired(repaired));
      return union.finish();
    },
  };
}

function createExtent() {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  const add = (positions: Positions) => {
    for (let i = 0; i + 1 < positions.length; i += 2) {
      const [x, y] = [positions[i] ?? 0, positions[i + 1] ?? 0];
      if (x < west) west = x;
      if (x > east) east = x;
      if (y < south) south = y;
      if (y > north) north = y;
    }
  };
  return {
    add({ points, lines, polygons }: Parts) {
      add(points);
      lines.forEach(add);
      for (const [outer = []] of polygons) add(outer);
    },
    bounds: (): [number, number, number, number] | null =>
      west <= east && south <= north ? [west, south, east, north] : null,
  };
}

import type { FindingsCollector } from '../../findings-collector.ts';
import type { Parts, Positions } from '../../formats/features/geometry.ts';
import { chooseReferenceSystem } from './reference-system.ts';
import { createAreaUnion, createLineUnion, createPointUnion } from './unions.ts';
import type { SourceFeature, SourceGeometry, VectorFile } from '../../formats/features/vector-file.ts';

/** Takes the features of a file to WGS 84 and unites their geometry; what it sees goes into the findings. */
export interface Dissolve {
  add(feature: SourceFeature): void;
  finish(): Parts;
}

/** Begins with nothing. @throws {Problem} from `add` when a geometry has no place on the earth. */
export function createDissolve(file: VectorFile, findings: FindingsCollector): Dissolve {
  const system = chooseReferenceSystem(file.crs);
  const extent = createExtent();
  const types = new Set<string>();
  let [features, repaired] = [0, 0];
  const areas = createAreaUnion(() => {
    repaired += 1;
  });
  const [points, lines] = [createPointUnion(), createLineUnion()];

  const addGeometry = ({ type, parts: source }: SourceGeometry) => {
    types.add(type);
    extent.add(source);
    const parts = system.toWgs84(source, `feature ${features}`);
    points.add(parts.points);
    parts.lines.forEach((line) => lines.add(line));
    parts.polygons.forEach((polygon) => areas.add(polygon));
  };
  const describe = () => {
    const layers = file.source.layers.map((layer) =>
      layer.name === file.source.layer || file.source.layer === null
        ? {
            ...layer,
            features,
            geometry_types: types.size > 0 ? [...types].toSorted() : layer.geometry_types,
          }
        : layer,
    );
    findings.setSource({ ...file.source, layers, crs: system.name, extent: extent.bounds() });
    if (features === 0) findings.warn('empty_layer', 'The file has no features.');
    if (types.size > 0 && system.warning !== undefined) {
      findings.warn(system.warning.code, system.warning.message);
    }
    if (repaired > 0) findings.warn('geometry_repaired', repairSentence(repaired));
  };
  return {
    add({ geometry }) {
      features += 1;
      if (geometry !== undefined) addGeometry(geometry);
    },
    finish() {
      describe();
      return { points: points.finish(), lines: lines.finish(), polygons: areas.finish() };
    },
  };
}

function repairSentence(polygons: number): string {
  return polygons === 1
    ? 'One polygon was not valid (its outline crosses or touches itself) and was repaired.'
    : `${polygons} polygons were not valid (their outlines cross or touch themselves) and were repaired.`;
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

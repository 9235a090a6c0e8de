import type { Feature, Layer } from 'gdal-async';
import { featureProblems } from '../../../messages/geojson.ts';
import type { SourceGeometry } from '../features/geometry.ts';
import { lastError, quietly } from '../../gdal/last-error.ts';
import type { SourceFeature } from '../features/vector-file.ts';
import { decodeParts } from './wkb-decode.ts';
import { kindName } from './wkb-kinds.ts';

/** Where the parts of a feature come from. */
export interface ShapeReading {
  readonly withGeometry: boolean;
  /** A deleted feature is passed over. */
  readonly propertiesOf: (fid: number) => Buffer | undefined | 'deleted';
  /** Reads the geometry where GDAL's binding has no name for it. */
  readonly geometryOf: ((fid: number) => SourceGeometry | undefined) | undefined;
}

/**
 * Reads the shapes of a layer with GDAL, one by one; the properties of each come from `propertiesOf`, which is given its
 * number in the file (GDAL's `fid`).
 * @throws {Problem} when a part of the layer cannot be read.
 */
export function* readShapes(
  layer: Layer,
  { withGeometry, propertiesOf, geometryOf = () => undefined }: ShapeReading,
): Generator<SourceFeature, void, void> {
  let number = 0;
  for (let feature = nextFeature(layer, 0); feature !== null; feature = nextFeature(layer, number)) {
    number += 1;
    const { fid } = feature;
    const properties = propertiesOf(fid);
    const isWanted = withGeometry && properties !== 'deleted';
    const geometry = isWanted ? (geometryOf(fid) ?? takeGeometry(feature, number)) : undefined;
    feature.destroy();
    if (properties !== 'deleted') yield { properties, geometry };
  }
}

/** Reads the feature after `number`; null at the end. @throws {Problem} when GDAL cannot read it. */
function nextFeature(layer: Layer, number: number): Feature | null {
  const feature =
    quietly<Feature | null>(() => (number === 0 ? layer.features.first() : layer.features.next())) ?? null;
  const failure = lastError();
  if (failure !== undefined) throw featureProblems.unreadable(number + 1).because(failure);
  return feature;
}

function takeGeometry(feature: Feature, number: number): SourceGeometry | undefined {
  const geometry = quietly(() => feature.getGeometry());
  if (geometry === undefined) throw featureProblems.unreadable(number);
  if (geometry === null) return undefined;
  const wkb = geometry.toWKB('LSB', 'ISO');
  let leftOut = 0;
  const parts = decodeParts(wkb, { leaveOut: () => (leftOut += 1) });
  return { type: kindName(wkb.readUInt32LE(1)), parts, leftOut, isFlattened: false };
}

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import gdal, { type Feature, type Layer } from 'gdal-async';
import { MiB } from '../../../common/units.ts';
import { featureProblems } from '../../../messages/geojson.ts';
import { readFeatureSequence } from '../geojson/document.ts';
import { readGeometry } from '../features/geometry.ts';
import { lastError, quietly } from '../../gdal/last-error.ts';
import type { SourceFeature, SourceGeometry } from '../features/vector-file.ts';
import { decodeParts, kindName, UnsupportedKind } from './wkb.ts';

/** What is read of a layer in one go; bounds memory and the size of the text that GDAL writes. */
const maxBatchFeatures = 5000;
const maxBatchBytes = 16 * MiB;

/**
 * Reads a layer with GDAL, batch by batch: geometry as binary, attributes as GDAL's GeoJSON writer puts them, never
 * through the binding's fields (which turn booleans into numbers and text into dates).
 * @throws {Problem} when a part of the layer cannot be read.
 */
export function* readLayer(
  layer: Layer,
  options: { readonly geometry: boolean; readonly scratch: string },
): Generator<SourceFeature, void, void> {
  const path = join(options.scratch, 'attributes.geojsonl');
  const hasGeometry = layer.geomType !== gdal.wkbNone;
  let number = 0;
  let feature = nextFeature(layer, number);
  while (feature !== null) {
    const shapes: (SourceGeometry | undefined)[] = [];
    const text = openSequence(path);
    for (let bytes = 0; feature !== null && shapes.length < maxBatchFeatures && bytes < maxBatchBytes;) {
      number += 1;
      const shape = options.geometry ? takeGeometry(feature, number) : undefined;
      // What the binding cannot hand over as binary (curves) stays in the feature, and is written as lines.
      if (hasGeometry && shape !== 'curved') feature.setGeometry(null);
      if (shape === 'curved') addCurved(text, feature, number);
      else text.add(feature);
      feature.destroy();
      shapes.push(shape === 'curved' ? undefined : shape?.geometry);
      bytes += shape === 'curved' || shape === undefined ? 0 : shape.bytes;
      feature = nextFeature(layer, number);
    }
    text.close();
    let index = 0;
    const first = number - shapes.length + 1;
    for (const { properties, geometry } of readFeatureSequence(path, first)) {
      const where = `feature ${first + index}`;
      yield {
        properties,
        geometry: geometry === undefined ? shapes[index] : readGeometry(geometry, where),
      };
      index += 1;
    }
    if (index !== shapes.length) throw new Error(`GDAL wrote ${index} of ${shapes.length} features`);
    rmSync(path);
  }
}

/**
 * A new GeoJSONSeq file. Its layer says that it is in WGS 84, which is what makes GDAL write all coordinates as they are.
 */
function openSequence(path: string): { add(feature: Feature): void; close(): void } {
  const dataset = gdal.drivers.get('GeoJSONSeq').create(path);
  const layer = dataset.layers.create('features', gdal.SpatialReference.fromEPSG(4326), 0, [
    'COORDINATE_PRECISION=15',
  ]);
  return {
    add: (feature) => layer.features.add(feature),
    close: () => dataset.close(),
  };
}

/** The feature after `number`; null at the end. What GDAL only remarks on does not count; a feature that it cannot read ends the work. */
function nextFeature(layer: Layer, number: number): Feature | null {
  const feature =
    quietly<Feature | null>(() => (number === 0 ? layer.features.first() : layer.features.next())) ?? null;
  const failure = lastError();
  if (failure !== undefined) throw featureProblems.unreadable(number + 1).because(failure);
  return feature;
}

function takeGeometry(
  feature: Feature,
  number: number,
): { readonly geometry: SourceGeometry | undefined; readonly bytes: number } | 'curved' {
  const geometry = quietly(() => feature.getGeometry());
  if (geometry === undefined) return 'curved';
  if (geometry === null) return { geometry: undefined, bytes: 0 };
  const wkb = geometry.toWKB('LSB', 'ISO');
  const type = kindName(wkb.readUInt32LE(1));
  try {
    return { geometry: { type, parts: decodeParts(wkb) }, bytes: wkb.length };
  } catch (error) {
    if (!(error instanceof UnsupportedKind)) throw error;
    // GDAL writes curves as lines, but not those inside a collection.
    if (geometry instanceof gdal.CompoundCurve || geometry instanceof gdal.CircularString) return 'curved';
    if (geometry instanceof gdal.MultiCurve) return 'curved';
    throw featureProblems.unconvertible(number).because(error);
  }
}

/** @throws {Problem} when GDAL cannot write the feature's geometry as lines. */
function addCurved(sequence: { add(feature: Feature): void }, feature: Feature, number: number): void {
  quietly(() => sequence.add(feature));
  const failure = lastError();
  if (failure !== undefined) throw featureProblems.unconvertible(number).because(failure);
}

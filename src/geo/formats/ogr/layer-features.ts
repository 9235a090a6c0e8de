import { rmSync } from 'node:fs';
import { join } from 'node:path';
import gdal, { type Feature, type Layer } from 'gdal-async';
import { MiB } from '../../../common/units.ts';
import { featureProblems } from '../../../messages/geojson.ts';
import { readFeatureSequence } from '../geojson/document.ts';
import { readGeometry, type SourceGeometry } from '../features/geometry.ts';
import { lastError, quietly } from '../../gdal/last-error.ts';
import type { SourceFeature } from '../features/vector-file.ts';
import { createTextKeeper } from './kept-texts.ts';
import { BrokenWkb, decodeParts } from './wkb-decode.ts';
import { kindName } from './wkb-kinds.ts';

/** Features of a layer that are read at once; bounds memory and the text that GDAL writes. */
const maxBatchFeatures = 5000;
const maxBatchBytes = 16 * MiB;

interface LayerReading {
  readonly withGeometry: boolean;
  readonly scratch: string;
  /** Opens the same layer anew, so that two readings do not disturb each other. */
  readonly reopen: () => Layer;
  /** The columns that hold JSON and not text. */
  readonly jsonColumns: ReadonlySet<string>;
}

/**
 * Reads a layer with GDAL, batch by batch: geometry as binary, attributes as GDAL's GeoJSON writer puts them, never
 * through the binding's fields (which turn booleans into numbers and text into dates).
 * @throws {Problem} when a part of the layer cannot be read.
 */
export function* readLayer(
  layer: Layer,
  { withGeometry, scratch, reopen, jsonColumns }: LayerReading,
): Generator<SourceFeature, void, void> {
  const keepTexts = createTextKeeper(reopen, jsonColumns);
  const path = join(scratch, 'attributes.geojsonl');
  const hasGeometry = layer.geomType !== gdal.wkbNone;
  let number = 0;
  let feature = nextFeature(layer, number);
  while (feature !== null) {
    const shapes: (SourceGeometry | undefined)[] = [];
    const text = openSequence(path);
    for (let bytes = 0; feature !== null && shapes.length < maxBatchFeatures && bytes < maxBatchBytes;) {
      number += 1;
      const shape = withGeometry ? takeGeometry(feature, number) : undefined;
      // What the binding cannot hand over as binary (curves) stays in the feature, and is written as lines.
      if (hasGeometry && shape !== 'curved') feature.setGeometry(null);
      if (shape === 'curved') addCurved(text, feature, number);
      else text.add(feature);
      feature.destroy();
      const plain = shape === 'curved' ? undefined : shape;
      shapes.push(plain?.geometry);
      bytes += plain?.bytes ?? 0;
      feature = nextFeature(layer, number);
    }
    text.close();
    let index = 0;
    const first = number - shapes.length + 1;
    for (const { properties, geometry } of readFeatureSequence(path, first)) {
      const shape = geometry ? readGeometry(geometry, `feature ${first + index}`) : shapes[index];
      yield { properties: properties && keepTexts(properties, first + index), geometry: shape };
      index += 1;
    }
    if (index !== shapes.length) throw new Error(`GDAL wrote ${index} of ${shapes.length} features`);
    rmSync(path);
  }
}

/**
 * Reads the shapes of a layer with GDAL, one by one; the properties of each come from `propertiesOf`, which is given its
 * number in the file (GDAL's `fid`).
 * @throws {Problem} when a part of the layer cannot be read.
 */
export function* readShapes(
  layer: Layer,
  reading: {
    readonly withGeometry: boolean;
    /** A deleted feature is passed over. */
    readonly propertiesOf: (fid: number) => Buffer | undefined | 'deleted';
  },
): Generator<SourceFeature, void, void> {
  let number = 0;
  for (let feature = nextFeature(layer, 0); feature !== null; feature = nextFeature(layer, number)) {
    number += 1;
    const properties = reading.propertiesOf(feature.fid);
    const isWanted = reading.withGeometry && properties !== 'deleted';
    const shape = isWanted ? takeGeometry(feature, number) : undefined;
    feature.destroy();
    if (properties === 'deleted') continue;
    if (shape === 'curved') throw featureProblems.unconvertible(number);
    yield { properties, geometry: shape?.geometry };
  }
}

/** Creates a GeoJSONSeq file, whose layer is in WGS 84 so that GDAL writes all coordinates as they are. */
function openSequence(path: string) {
  const dataset = gdal.drivers.get('GeoJSONSeq').create(path);
  const layer = dataset.layers.create('features', gdal.SpatialReference.fromEPSG(4326), 0, [
    'COORDINATE_PRECISION=15',
  ]);
  return {
    add: (feature: Feature) => layer.features.add(feature),
    close: () => dataset.close(),
  };
}

/** Reads the feature after `number`; null at the end. @throws {Problem} when GDAL cannot read it. */
function nextFeature(layer: Layer, number: number): Feature | null {
  const feature =
    quietly<Feature | null>(() => (number === 0 ? layer.features.first() : layer.features.next())) ?? null;
  const failure = lastError();
  if (failure !== undefined) throw featureProblems.unreadable(number + 1).because(failure);
  return feature;
}

function takeGeometry(feature: Feature, number: number) {
  const geometry = quietly(() => feature.getGeometry());
  if (geometry === undefined) return 'curved';
  if (geometry === null) return undefined;
  const wkb = geometry.toWKB('LSB', 'ISO');
  const type = kindName(wkb.readUInt32LE(1));
  try {
    let leftOut = 0;
    const parts = decodeParts(wkb, { leaveOut: () => (leftOut += 1) });
    return { geometry: { type, parts, leftOut, isFlattened: false }, bytes: wkb.length };
  } catch (error) {
    if (!(error instanceof BrokenWkb)) throw error;
    // GDAL writes curves as lines, but not those inside a collection.
    if ([gdal.CompoundCurve, gdal.CircularString, gdal.MultiCurve].some((kind) => geometry instanceof kind))
      return 'curved';
    throw featureProblems.unconvertible(number).because(error);
  }
}

/** @throws {Problem} when GDAL cannot write the feature's geometry as lines. */
function addCurved(sequence: ReturnType<typeof openSequence>, feature: Feature, number: number): void {
  quietly(() => sequence.add(feature));
  const failure = lastError();
  if (failure !== undefined) throw featureProblems.unconvertible(number).because(failure);
}

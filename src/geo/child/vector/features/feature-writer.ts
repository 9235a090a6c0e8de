import { join } from 'node:path';
import { JsonReader } from '../../../../json/json-reader.ts';
import { vectorWarnings } from '../../../../messages/vector/english.ts';
import { type Parts, positionsOf } from '../../../formats/features/geometry.ts';
import { bytesFrom } from '../../../formats/geojson/geojson-file.ts';
import type { Heights } from '../../../formats/features/heights.ts';
import type { FindingsCollector } from '../../../gather-findings.ts';
import type { Column, GeometryTypeName } from '../../../flatgeobuf/layout.ts';
import { createTally } from './tally.ts';
import { createColumns, encodeValue } from './columns.ts';
import { around, boxAround, createNumbers, openSpool, writeFeatureFile } from './feature-file.ts';
import {
  commonType,
  encodeGeometry,
  type EncodedGeometry,
  geometryTableAt,
  promoted,
  raised,
  writtenTypes,
} from './geometry-bytes.ts';
import { encodeHeader, type HeaderFacts } from './header.ts';
import type { Box } from './hilbert.ts';

/** Maximum number of features in a file: each takes 60 bytes of memory until the end. */
export const maxFeatures = 8_000_000;
/** First letter of JSON's `null`. */
const nullLetter = 0x6e;

export interface WrittenFeatures {
  readonly path: string;
  readonly count: number;
  /** West, south, east, north; undefined if no feature has a geometry. */
  readonly box: Box | undefined;
  readonly columns: readonly Column[];
}

export interface PlacedFeature {
  /** JSON text of an object. */
  readonly properties: Buffer | undefined;
  /** In WGS 84 by RFC 7946; undefined without geometry. */
  readonly parts: Parts | undefined;
  /** True if the file has a multi-geometry, even with one member. */
  readonly isMulti: boolean;
  /** Heights of the positions of `parts`; undefined if they have no heights. */
  readonly heights?: Heights | undefined;
  /** True if the file has heights for this feature that cannot be assigned to its positions. */
  readonly areHeightsLost?: boolean;
}

export type FeatureWriter = ReturnType<typeof createFeatureWriter>;

/**
 * Creates a writer of features one by one as a FlatGeobuf with all properties. Requires twice the size of the features
 * in `folder`, and no memory for them.
 */
export function createFeatureWriter(folder: string, findings: Pick<FindingsCollector, 'warn'>) {
  const spool = openSpool(folder);
  const [columns, boxes] = [createColumns(), createNumbers(4)];
  const types = new Set<GeometryTypeName>();
  const [fillable, lost] = [createTally(), createTally()];
  let [isTooMuch, hasHeights] = [false, false];
  let extent: Box | undefined;
  let repeated: { readonly name: string; readonly feature: number } | undefined;

  /** Returns the values of a feature as JSON texts with their columns; the last value of a repeated name wins. */
  function valuesOf(properties: Buffer): Buffer[] {
    const values = new Map<number, Buffer>();
    const reader = new JsonReader(bytesFrom(properties), properties.length);
    for (const name of reader.members()) {
      const json = Buffer.from(reader.capture());
      const column = columns.numberOf(name.replaceAll('\u0000', '\ufffd').toWellFormed());
      if (column === undefined) isTooMuch = true;
      else {
        if (values.has(column)) repeated ??= { name, feature: boxes.count };
        values.set(column, json);
      }
    }
    return [...values].flatMap(([column, json]) => {
      if (json[0] === nullLetter) return [];
      columns.see(column, json);
      return [pair(column, json.length), json];
    });
  }

  return {
    /** Ignores features beyond the maximum of a FlatGeobuf. */
    add({ properties, parts, isMulti, heights, areHeightsLost }: PlacedFeature): void {
      isTooMuch ||= boxes.count === maxFeatures;
      if (isTooMuch) return;
      const encoded = parts && encodeGeometry(parts, isMulti, heights);
      const box = boxAround(parts === undefined ? [] : positionsOf(parts));
      if (encoded !== undefined) {
        types.add(encoded.type);
        hasHeights ||= heights !== undefined;
        if (areHeightsLost) lost.add(boxes.count + 1);
        else if (heights === undefined || [...heights.values()].some(hasGap)) fillable.add(boxes.count + 1);
        extent = extent === undefined ? box : around(extent, box);
      }
      boxes.push(box);
      const values = properties === undefined ? [] : valuesOf(properties);
      spool.push([...keptGeometry(encoded), ...values]);
    },
    /** Writes the file; returns undefined if there are too many features, which the findings report. */
    finish(): WrittenFeatures | undefined {
      try {
        if (isTooMuch) {
          findings.warn('features_left_out', vectorWarnings.featuresLeftOut(maxFeatures));
          return undefined;
        }
        spool.flush();
        if (repeated !== undefined)
          findings.warn('property_repeated', vectorWarnings.lastKept(repeated.name, repeated.feature));
        if (lost.first !== undefined)
          findings.warn('heights_left_out', vectorWarnings.heightsLeftOut(lost.count, lost.first));
        if (hasHeights && fillable.first !== undefined)
          findings.warn('heights_filled', vectorWarnings.heightsFilled(fillable.count, fillable.first));
        const { columns: found, mixed } = columns.finish();
        const [first] = mixed;
        if (first !== undefined)
          findings.warn('values_as_json', vectorWarnings.valuesAsJson(mixed.length, first));
        const geometryType = commonType(types);
        const header = encodeHeader({
          columns: found,
          features: boxes.count,
          extent,
          geometryType,
          hasHeights,
        });
        const featureAt = (index: number) =>
          encodeFeature(spool.read(index), { columns: found, geometryType, hasHeights });
        const path = join(folder, 'features.fgb');
        writeFeatureFile(path, { header, boxes, extent, featureAt });
        return { path, count: boxes.count, box: extent, columns: found };
      } finally {
        spool.close();
      }
    },
  };
}

const hasGap = (heights: readonly number[]): boolean => heights.some(Number.isNaN);

/** Number of a column or geometry type, and the size of the following bytes. */
function pair(number: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeUInt32LE(number, 0);
  bytes.writeUInt32LE(length, 4);
  return bytes;
}

function keptGeometry(encoded: EncodedGeometry | undefined): Buffer[] {
  if (encoded === undefined) return [pair(0, 0)];
  return [pair(writtenTypes.indexOf(encoded.type), encoded.bytes.length), encoded.bytes];
}

/** Offset of a feature's table, after the length, the root and the list of its fields, and of its contents. */
const [tableAt, geometryAt] = [20, 32];

/** Encodes a stored feature with its length. */
function encodeFeature(
  kept: Buffer,
  { columns, geometryType, hasHeights }: Pick<HeaderFacts, 'columns' | 'geometryType' | 'hasHeights'>,
): readonly Uint8Array[] {
  const type = writtenTypes[kept.readUInt32LE(0)] ?? 'Unknown';
  let at = 8 + kept.readUInt32LE(4);
  const hasGeometry = at > 8;
  const own: EncodedGeometry = { type, bytes: kept.subarray(8, at) };
  const geometry = hasGeometry
    ? promoted(hasHeights ? raised(own) : own, geometryType).bytes
    : Buffer.alloc(0);
  const values: Buffer[] = [];
  while (at < kept.length) {
    const [column, end] = [kept.readUInt32LE(at), at + 8 + kept.readUInt32LE(at + 4)];
    values.push(encodeValue(column, columns[column]?.type ?? 'Json', kept.subarray(at + 8, end)));
    at = end;
  }
  const valueBytes = values.reduce((sum, { length }) => sum + length, 0);
  const valuesAt = geometryAt + geometry.length;
  const padding = Buffer.alloc((4 - (valueBytes % 4)) % 4);
  const head = Buffer.alloc(geometryAt);
  head.writeUInt32LE(valuesAt + 4 + valueBytes + padding.length - 4, 0);
  head.writeUInt32LE(tableAt - 4, 4);
  // Vtable: its length, that of the table, and the offsets of geometry and values.
  for (const [index, value] of [8, 12, hasGeometry ? 4 : 0, 8].entries())
    head.writeUInt16LE(value, 8 + 2 * index);
  head.writeInt32LE(tableAt - 8, tableAt);
  if (hasGeometry) head.writeUInt32LE(geometryAt + geometryTableAt - (tableAt + 4), tableAt + 4);
  head.writeUInt32LE(valuesAt - (tableAt + 8), tableAt + 8);
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32LE(valueBytes, 0);
  return [head, geometry, length, ...values, padding];
}

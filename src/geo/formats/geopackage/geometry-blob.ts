import type { SourceGeometry } from '../features/geometry.ts';
import { BrokenWkb, decodeParts } from '../ogr/wkb-decode.ts';
import { kindName } from '../ogr/wkb-kinds.ts';

/** The GeoPackage's own header in front of the binary: "GP", a version, flags and the number of the reference system. */
const magic = 0x4750;
const headerBytes = 8;
const flagsAt = 3;
/** Bytes of the envelope behind the header, by the flags' three bits. */
const envelopeBytes: readonly (number | undefined)[] = [0, 32, 48, 48, 64];

/** Decodes the geometry in a cell of a GeoPackage. @throws {BrokenWkb} */
export function decodeGeometry(cell: Uint8Array): SourceGeometry {
  const bytes = Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength);
  const isGeoPackage = bytes.length > headerBytes && bytes.readUInt16BE(0) === magic;
  const envelope = isGeoPackage ? envelopeBytes[(bytes.readUInt8(flagsAt) >> 1) & 7] : undefined;
  if (envelope === undefined) throw new BrokenWkb('the cell holds no geometry of a GeoPackage');
  const wkb = bytes.subarray(headerBytes + envelope);
  let leftOut = 0;
  let isFlattened = false;
  const parts = decodeParts(wkb, {
    leaveOut: () => (leftOut += 1),
    flatten: () => (isFlattened = true),
  });
  const isLittle = wkb.readUInt8(0) === 1;
  return {
    type: kindName(isLittle ? wkb.readUInt32LE(1) : wkb.readUInt32BE(1)),
    parts,
    leftOut,
    isFlattened,
  };
}

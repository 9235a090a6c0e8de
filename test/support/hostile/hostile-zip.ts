import { crc32, deflateRawSync } from 'node:zlib';

/** One entry of an archive that may lie: everything left out is true. */
export interface ZipEntry {
  readonly name: string | Uint8Array;
  /** The unpacked bytes. */
  readonly bytes: Uint8Array | string;
  /** Method: 8, deflated, by default; any other number stores the bytes as they are. */
  readonly method?: number;
  /** Packed bytes that differ from those of `bytes`. */
  readonly packed?: Uint8Array;
  /** Claims of the central directory. */
  readonly says?: EntryClaims;
  /** Claims of the local header; by default those of the central directory. */
  readonly localSays?: EntryClaims;
  /** Bytes after the packed ones, such as a data descriptor. */
  readonly behind?: Uint8Array;
}

interface EntryClaims {
  readonly name?: string | Uint8Array;
  readonly flags?: number;
  readonly method?: number;
  readonly crc?: number;
  readonly packedBytes?: number;
  readonly unpackedBytes?: number;
  readonly unixMode?: number;
  /** Offset of the entry. */
  readonly offset?: number;
  readonly extra?: Uint8Array;
}

/** Claims of the end record; everything left out is true. */
export interface EndClaims {
  readonly entries?: number;
  readonly listOffset?: number;
  readonly comment?: Uint8Array;
  /** Writes a zip64 end record with these claims, and its locator. */
  readonly zip64?: {
    readonly entries?: bigint;
    readonly listOffset?: bigint;
    readonly recordOffset?: bigint;
  };
}

export function hostileZip(entries: readonly ZipEntry[], end: EndClaims = {}): Buffer {
  const bodies: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const truth = truthOf(entry, offset);
    const listed = { ...truth, ...entry.says };
    const body = Buffer.concat([
      header(Buffer.from('PK\u0003\u0004'), { ...listed, ...entry.localSays }, 'local'),
      truth.packed,
      entry.behind ?? Buffer.alloc(0),
    ]);
    list.push(header(Buffer.from('PK\u0001\u0002\u0014\u0003'), listed, 'listed'));
    bodies.push(body);
    offset += body.length;
  }
  const directory = Buffer.concat(list);
  const tail = endOf({ entries: entries.length, listOffset: offset, listBytes: directory.length }, end);
  return Buffer.concat([...bodies, directory, tail]);
}

function truthOf(entry: ZipEntry, offset: number) {
  const bytes = Buffer.from(entry.bytes);
  const method = entry.method ?? 8;
  const packed = Buffer.from(entry.packed ?? (method === 8 ? deflateRawSync(bytes) : bytes));
  return {
    name: entry.name,
    flags: 0,
    method,
    crc: crc32(bytes),
    packed,
    packedBytes: packed.length,
    unpackedBytes: bytes.length,
    unixMode: 0,
    offset,
    extra: Buffer.alloc(0),
  };
}

function header(start: Buffer, says: Required<EntryClaims>, where: 'local' | 'listed'): Buffer {
  const name = Buffer.from(says.name);
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(says.flags, 2);
  common.writeUInt16LE(says.method, 4);
  common.writeUInt32LE(says.crc, 10);
  common.writeUInt32LE(says.packedBytes, 14);
  common.writeUInt32LE(says.unpackedBytes, 18);
  common.writeUInt16LE(name.length, 22);
  common.writeUInt16LE(says.extra.length, 24);
  if (where === 'local') return Buffer.concat([start, common, name, says.extra]);
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE((says.unixMode << 16) >>> 0, 6);
  tail.writeUInt32LE(says.offset, 10);
  return Buffer.concat([start, common, tail, name, says.extra]);
}

function endOf(
  truth: { readonly entries: number; readonly listOffset: number; readonly listBytes: number },
  says: EndClaims,
): Buffer {
  const comment = Buffer.from(says.comment ?? []);
  const end = Buffer.alloc(18);
  for (const at of [4, 6]) end.writeUInt16LE((says.entries ?? truth.entries) % 65_536, at);
  end.writeUInt32LE(truth.listBytes, 8);
  end.writeUInt32LE(says.listOffset ?? truth.listOffset, 12);
  end.writeUInt16LE(comment.length, 16);
  return Buffer.concat([zip64End(truth, says.zip64), Buffer.from('PK\u0005\u0006'), end, comment]);
}

function zip64End(
  truth: { readonly entries: number; readonly listOffset: number; readonly listBytes: number },
  says: EndClaims['zip64'],
): Buffer {
  if (says === undefined) return Buffer.alloc(0);
  const record = Buffer.alloc(52);
  record.writeBigUInt64LE(44n, 0);
  for (const at of [20, 28]) record.writeBigUInt64LE(says.entries ?? BigInt(truth.entries), at);
  record.writeBigUInt64LE(BigInt(truth.listBytes), 36);
  record.writeBigUInt64LE(says.listOffset ?? BigInt(truth.listOffset), 44);
  const locator = Buffer.alloc(16);
  locator.writeBigUInt64LE(says.recordOffset ?? BigInt(truth.listOffset + truth.listBytes), 4);
  locator.writeUInt32LE(1, 12);
  return Buffer.concat([Buffer.from('PK\u0006\u0006'), record, Buffer.from('PK\u0006\u0007'), locator]);
}

/** The zip64 extra field: sizes and offset of an entry as 64-bit numbers, in this order. */
export function zip64Extra(...values: readonly bigint[]): Buffer {
  const field = Buffer.alloc(4 + values.length * 8);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(values.length * 8, 2);
  values.forEach((value, index) => field.writeBigUInt64LE(value, 4 + index * 8));
  return field;
}

import { inflateRawSync } from 'node:zlib';

export interface Member {
  readonly name: Buffer;
  readonly bytes: Buffer;
  /** As the archive's list gives them. */
  readonly flags: number;
}

/** Where the parts of an archive lie, as far as its list can be followed. */
export interface ZipLayout {
  /** Of the record at the end. */
  readonly endAt: number;
  readonly listed: readonly { readonly at: number; readonly localAt: number }[];
}

const maxMembers = 200;
const maxUnpackedBytes = 4 * 2 ** 20;
const utf8Flag = 0x800;

export function zipLayoutOf(bytes: Buffer): ZipLayout | undefined {
  const endAt = bytes.lastIndexOf('PK\u0005\u0006');
  if (endAt < 0 || endAt + 22 > bytes.length) return undefined;
  const listed: { at: number; localAt: number }[] = [];
  let at = bytes.readUInt32LE(endAt + 16);
  while (listed.length < maxMembers && at + 46 <= bytes.length && isAt(bytes, at, 'PK\u0001\u0002')) {
    listed.push({ at, localAt: bytes.readUInt32LE(at + 42) });
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return { endAt, listed };
}

/** What can be unpacked of an archive that may be damaged. */
export function membersOf(bytes: Buffer): readonly Member[] {
  return (zipLayoutOf(bytes)?.listed ?? []).flatMap(({ at, localAt }) => {
    if (localAt + 30 > bytes.length) return [];
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
    const start = localAt + 30 + bytes.readUInt16LE(localAt + 26) + bytes.readUInt16LE(localAt + 28);
    const packed = bytes.subarray(start, start + bytes.readUInt32LE(at + 20));
    const unpacked = bytes.readUInt16LE(at + 10) === 0 ? Buffer.from(packed) : inflate(packed);
    const name = Buffer.from(bytes.subarray(at + 46, nameEnd));
    const flags = bytes.readUInt16LE(at + 8) & utf8Flag;
    return unpacked === undefined ? [] : [{ name, bytes: unpacked, flags }];
  });
}

function inflate(packed: Buffer): Buffer | undefined {
  try {
    return inflateRawSync(packed, { maxOutputLength: maxUnpackedBytes });
  } catch {
    return undefined;
  }
}

const isAt = (bytes: Buffer, at: number, text: string): boolean =>
  bytes.toString('latin1', at, at + text.length) === text;

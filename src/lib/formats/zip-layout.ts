/** A member of a ZIP archive as in its records. */
export interface ZipMember {
  readonly name: string;
  readonly bytes: number;
  /** Compressed size (DEFLATE), undefined for a stored member. Less than 4 GiB; then `bytes` is as well. */
  readonly packedBytes?: number | undefined;
  readonly crc32: number;
  /** Offset of the local header. */
  readonly offset: number;
  /** True if the checksum follows the data, because it was not known before. */
  readonly isStreamed: boolean;
}

const signatures = {
  local: 0x04_03_4b_50,
  behind: 0x08_07_4b_50,
  central: 0x02_01_4b_50,
  end64: 0x06_06_4b_50,
  locator64: 0x07_06_4b_50,
  end: 0x06_05_4b_50,
};
/** Placeholder in a 32-bit field whose value is in a ZIP64 field; with 16 bits for counts. */
const elsewhere = 0xff_ff_ff_ff;
const elsewhere16 = 0xff_ff;
const versions = { plain: 20, zip64: 45 };
const unix = 3 << 8;
const regularFile = 0o100644;
const flags = { streamed: 0x8, utf8: 0x800 };
/** 1 January 1980, the earliest date: equal contents give equal bytes. */
const date = 0x00_21;
export const heads = { local: 30, central: 46, end: 22, locator64: 20, end64: 56 };
const extra64 = 0x00_01;

const isLarge = (number: number): boolean => number >= elsewhere;

/** A part of a record: a number with its size in bytes, or text. */
type Field = readonly [size: 2 | 4 | 8, value: number] | string;

function record(...fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.map((field) => {
      if (typeof field === 'string') return Buffer.from(field);
      const [size, value] = field;
      const bytes = Buffer.alloc(size);
      if (size === 8) bytes.writeBigUInt64LE(BigInt(value));
      else bytes.writeUIntLE(value, 0, size);
      return bytes;
    }),
  );
}

const flagsOf = ({ isStreamed }: Pick<ZipMember, 'isStreamed'>): number =>
  flags.utf8 | (isStreamed ? flags.streamed : 0);

/** Compression method: 8 is DEFLATE, 0 is stored. */
const methodOf = ({ packedBytes }: Pick<ZipMember, 'packedBytes'>): number =>
  packedBytes === undefined ? 0 : 8;

export function localHead(member: Omit<ZipMember, 'offset'>): Buffer {
  const { name, bytes, packedBytes = bytes, crc32, isStreamed } = member;
  const is64 = isLarge(bytes);
  const unknown = is64 ? elsewhere : 0;
  const [sum, packed, size] = isStreamed ? [0, unknown, unknown] : [crc32, packedBytes, bytes];
  return record(
    [4, signatures.local],
    [2, is64 ? versions.zip64 : versions.plain],
    [2, flagsOf({ isStreamed })],
    [2, methodOf(member)],
    [2, 0],
    [2, date],
    [4, sum],
    [4, packed],
    [4, size],
    [2, Buffer.byteLength(name)],
    [2, is64 ? 20 : 0],
    name,
    ...(is64
      ? ([
          [2, extra64],
          [2, 16],
          [8, 0],
          [8, 0],
        ] as const)
      : []),
  );
}

/** Returns the data descriptor of a streamed member; empty for any other. */
export function behind({
  bytes,
  packedBytes = bytes,
  crc32,
  isStreamed,
}: Pick<ZipMember, 'bytes' | 'packedBytes' | 'crc32' | 'isStreamed'>): Buffer {
  if (!isStreamed) return Buffer.alloc(0);
  const size = isLarge(bytes) ? 8 : 4;
  return record([4, signatures.behind], [4, crc32], [size, packedBytes], [size, bytes]);
}

export function centralEntry(member: ZipMember): Buffer {
  const { name, bytes, packedBytes = bytes, crc32, offset, isStreamed } = member;
  const large: Field[] = [];
  if (isLarge(bytes)) large.push([8, bytes], [8, bytes]);
  if (isLarge(offset)) large.push([8, offset]);
  const size = Math.min(bytes, elsewhere);
  const version = large.length > 0 ? versions.zip64 : versions.plain;
  return record(
    [4, signatures.central],
    [2, unix | version],
    [2, version],
    [2, flagsOf({ isStreamed })],
    [2, methodOf(member)],
    [2, 0],
    [2, date],
    [4, crc32],
    [4, Math.min(packedBytes, elsewhere)],
    [4, size],
    [2, Buffer.byteLength(name)],
    [2, large.length > 0 ? 4 + large.length * 8 : 0],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, regularFile * 0x1_00_00],
    [4, Math.min(offset, elsewhere)],
    name,
    ...(large.length > 0 ? ([[2, extra64], [2, large.length * 8], ...large] as const) : []),
  );
}

interface ListPlace {
  readonly count: number;
  readonly offset: number;
  readonly bytes: number;
}

/** Returns the records at the end of an archive whose central directory is at this place. */
export function endOfArchive({ count, offset, bytes }: ListPlace): Buffer {
  const is64 = isLarge(offset) || isLarge(bytes) || count >= elsewhere16;
  const large = record(
    [4, signatures.end64],
    [8, heads.end64 - 12],
    [2, unix | versions.zip64],
    [2, versions.zip64],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, bytes],
    [8, offset],
    [4, signatures.locator64],
    [4, 0],
    [8, offset + bytes],
    [4, 1],
  );
  const few = Math.min(count, elsewhere16);
  const small = record(
    [4, signatures.end],
    [2, 0],
    [2, 0],
    [2, few],
    [2, few],
    [4, Math.min(bytes, elsewhere)],
    [4, Math.min(offset, elsewhere)],
    [2, 0],
  );
  return is64 ? Buffer.concat([large, small]) : small;
}

/** Returns the size of an archive with these members, in this order. */
export function archiveBytes(members: readonly Pick<ZipMember, 'name' | 'bytes' | 'isStreamed'>[]): number {
  let [offset, list] = [0, 0];
  for (const member of members) {
    const known = { ...member, crc32: 0, offset };
    list += centralEntry(known).length;
    offset += localHead(known).length + member.bytes + behind(known).length;
  }
  return offset + list + endOfArchive({ count: members.length, offset, bytes: list }).length;
}

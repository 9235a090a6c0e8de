const sectorBytes = 512;
const miniBytes = 64;
const smallestInSectors = 4096;
const [free, endOfChain, table] = [0xffffffff, 0xfffffffe, 0xfffffffd];
const entryBytes = 128;
const mostTables = 109;

/** A stream in the root of a compound file. */
export interface Stream {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Positions in a compound file, for tests that change them. */
export const placesOfCompound = { firstTable: 76, directory: 48, moreTables: 68, sectorBits: 30 };

/** Writes a compound file (MS-CFB, version 3) with streams in its root. */
export function compoundFile(streams: readonly Stream[]): Buffer {
  const sectors: Buffer[] = [];
  const next: number[] = [];
  const put = (bytes: Uint8Array): number => {
    const first = sectors.length;
    const count = Math.ceil(bytes.length / sectorBytes);
    if (count === 0) return endOfChain;
    for (let at = 0; at < count; at += 1) {
      const sector = Buffer.alloc(sectorBytes);
      sector.set(bytes.subarray(at * sectorBytes, (at + 1) * sectorBytes));
      sectors.push(sector);
      next.push(at + 1 < count ? first + at + 1 : endOfChain);
    }
    return first;
  };
  const small: Buffer[] = [];
  const nextSmall: number[] = [];
  const placed = streams.map(({ name, bytes }) => {
    if (bytes.length >= smallestInSectors) return { name, size: bytes.length, start: put(bytes) };
    const [start, count] = [nextSmall.length, Math.ceil(bytes.length / miniBytes)];
    for (let at = 0; at < count; at += 1) nextSmall.push(at + 1 < count ? start + at + 1 : endOfChain);
    small.push(Buffer.concat([bytes, Buffer.alloc(count * miniBytes - bytes.length)]));
    return { name, size: bytes.length, start };
  });
  const mini = Buffer.concat(small);
  const miniStart = put(mini);
  const miniTableStart = put(numbers(nextSmall));
  const root = { name: 'Root Entry', kind: 5, child: placed.length === 0 ? free : 1, start: miniStart };
  const directory = put(
    Buffer.concat([
      entry({ ...root, size: mini.length, sibling: free }),
      ...placed.map((each, index) =>
        entry({ ...each, kind: 2, child: free, sibling: index + 2 > placed.length ? free : index + 2 }),
      ),
    ]),
  );
  const inSector = sectorBytes / 4;
  const tables = Math.ceil(sectors.length / (inSector - 1));
  if (tables > mostTables) throw new Error('the compound file needs more tables than its header names');
  const firstTable = sectors.length;
  const all = [...next, ...Array.from({ length: tables }, () => table)];
  while (all.length < tables * inSector) all.push(free);
  const header = Buffer.alloc(sectorBytes);
  header.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  for (const [at, value] of [
    [24, 0x3e],
    [26, 3],
    [28, 0xfffe],
    [placesOfCompound.sectorBits, 9],
    [32, 6],
  ] as const)
    header.writeUInt16LE(value, at);
  for (const [at, value] of [
    [44, tables],
    [placesOfCompound.directory, directory],
    [56, smallestInSectors],
    [60, miniTableStart],
    [64, Math.ceil((nextSmall.length * 4) / sectorBytes)],
    [placesOfCompound.moreTables, endOfChain],
  ] as const)
    header.writeUInt32LE(value, at);
  for (let at = 0; at < mostTables; at += 1)
    header.writeUInt32LE(at < tables ? firstTable + at : free, placesOfCompound.firstTable + at * 4);
  return Buffer.concat([header, ...sectors, numbers(all)]);
}

function numbers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value, at * 4);
  return bytes;
}

interface Entry {
  readonly name: string;
  readonly kind: number;
  readonly child: number;
  readonly sibling: number;
  readonly start: number;
  readonly size: number;
}

function entry({ name, kind, child, sibling, start, size }: Entry): Buffer {
  const bytes = Buffer.alloc(entryBytes);
  bytes.write(name, 'utf16le');
  bytes.writeUInt16LE((name.length + 1) * 2, 64);
  bytes[66] = kind;
  bytes[67] = 1;
  for (const [at, value] of [
    [68, free],
    [72, sibling],
    [76, child],
    [116, start],
    [120, size],
  ] as const)
    bytes.writeUInt32LE(value, at);
  return bytes;
}

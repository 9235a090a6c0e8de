import { SpreadsheetFault } from '../model/types.ts';

/** A stream of a compound file, which older Office programs write (MS-CFB). */
interface Entry {
  readonly name: string;
  readonly isStorage: boolean;
  readonly start: number;
  readonly size: number;
}

const headerBytes = 512;
const entryBytes = 128;
const directInHeader = 109;
/** Numbers from here on are no sectors: the end of a chain, or a free sector. */
const firstSpecial = 0xfffffffa;
const noEntry = 0xffffffff;
const kinds = { storage: 1, stream: 2, root: 5 };
/** Limit of entries, as of files in an archive. */
const maxEntries = 10_000;

/**
 * Opens a compound file. Each sector is read at most once for each chain, whatever the tables say, so that loops end.
 * @throws {SpreadsheetFault}
 */
export function openCompoundFile(bytes: Uint8Array<ArrayBuffer>) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const damaged = (): SpreadsheetFault => new SpreadsheetFault('damaged');
  if (bytes.length < headerBytes) throw damaged();
  const [sectorBits, miniBits] = [view.getUint16(30, true), view.getUint16(32, true)];
  if (![9, 12].includes(sectorBits) || miniBits !== 6) throw damaged();
  const sectorBytes = 2 ** sectorBits;
  const inSector = sectorBytes / 4;
  /** The last sector of some files is not complete. */
  const sectorCount = Math.ceil(bytes.length / sectorBytes) - 1;
  const miniCutoff = view.getUint32(56, true);
  const placeOf = (sector: number): number => {
    if (sector >= sectorCount) throw damaged();
    return (sector + 1) * sectorBytes;
  };
  const numberAt = (sector: number, index: number): number => {
    const at = placeOf(sector) + index * 4;
    if (at + 4 > bytes.length) throw damaged();
    return view.getUint32(at, true);
  };

  const table = allocationTable();

  /** The sectors that hold the allocation table, and the next sector of each sector. */
  function allocationTable(): Uint32Array {
    const places: number[] = [];
    for (let index = 0; index < directInHeader; index += 1) places.push(view.getUint32(76 + index * 4, true));
    let more = view.getUint32(68, true);
    for (let seen = 0; more < firstSpecial; seen += 1) {
      if (seen > sectorCount / inSector + 1) throw damaged();
      for (let index = 0; index < inSector - 1; index += 1) places.push(numberAt(more, index));
      more = numberAt(more, inSector - 1);
    }
    const used = places.filter((sector) => sector < firstSpecial);
    if (new Set(used).size !== used.length) throw damaged();
    const next = new Uint32Array(sectorCount).fill(noEntry);
    for (const [index, sector] of used.entries())
      for (let at = 0; at < inSector && index * inSector + at < sectorCount; at += 1)
        next[index * inSector + at] = numberAt(sector, at);
    return next;
  }

  /** The sectors of a chain, at most `most`. */
  function chainOf(start: number, next: ArrayLike<number>, most = Infinity): readonly number[] {
    const chain: number[] = [];
    const isRead = new Uint8Array(next.length);
    for (let sector = start; sector < firstSpecial && chain.length < most; sector = next[sector] ?? noEntry) {
      if (sector >= next.length || isRead[sector] === 1) throw damaged();
      isRead[sector] = 1;
      chain.push(sector);
    }
    return chain;
  }

  function joined(
    chain: readonly number[],
    source: Uint8Array,
    unit: number,
    size: number,
  ): Uint8Array<ArrayBuffer> {
    const from = unit === sectorBytes ? sectorBytes : 0;
    if (size > chain.length * unit) throw damaged();
    const out = new Uint8Array(size);
    for (const [index, sector] of chain.entries()) {
      const length = Math.min(unit, size - index * unit);
      if (length <= 0) break;
      const at = from + sector * unit;
      // A sector behind the end of a file that is cut short.
      if (at + length > source.length) throw damaged();
      out.set(source.subarray(at, at + length), index * unit);
    }
    return out;
  }

  const directory = chainOf(
    view.getUint32(48, true),
    table,
    Math.ceil((maxEntries * entryBytes) / sectorBytes),
  );
  const list = joined(directory, bytes, sectorBytes, directory.length * sectorBytes);
  const entryView = new DataView(list.buffer);
  const entryCount = Math.floor(list.length / entryBytes);
  const kindOf = (entry: number): number => list[entry * entryBytes + 66] ?? 0;
  const root = 0;
  if (entryCount === 0 || kindOf(root) !== kinds.root) throw damaged();

  function entryOf(entry: number): Entry {
    const at = entry * entryBytes;
    const nameBytes = Math.max(0, Math.min(64, entryView.getUint16(at + 64, true)) - 2);
    const size = entryView.getUint32(at + 120, true);
    return {
      name: new TextDecoder('utf-16le').decode(list.subarray(at, at + nameBytes)),
      isStorage: kindOf(entry) === kinds.storage,
      start: entryView.getUint32(at + 116, true),
      size,
    };
  }

  /** The entries of the root, which are a tree; those of embedded documents are below others. */
  function topEntries(): readonly Entry[] {
    const seen = new Set<number>();
    const waiting = [entryView.getUint32(root * entryBytes + 76, true)];
    const found: Entry[] = [];
    for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
      if (entry >= entryCount || seen.has(entry)) continue;
      seen.add(entry);
      const kind = kindOf(entry);
      if (kind === kinds.stream || kind === kinds.storage) found.push(entryOf(entry));
      for (const field of [68, 72]) waiting.push(entryView.getUint32(entry * entryBytes + field, true));
    }
    return found;
  }

  const entries = topEntries();

  return {
    names: entries.map(({ name }) => name),
    /** Reads a stream of the root; undefined if there is none of that name. */
    read(name: string): Uint8Array<ArrayBuffer> | undefined {
      const entry = entries.find((each) => !each.isStorage && each.name.toLowerCase() === name.toLowerCase());
      if (entry === undefined) return undefined;
      const { start, size } = entry;
      if (size > bytes.length) throw damaged();
      if (size >= miniCutoff) {
        const chain = chainOf(start, table, Math.ceil(size / sectorBytes));
        return joined(chain, bytes, sectorBytes, size);
      }
      const ofRoot = entryOf(root);
      if (ofRoot.size > bytes.length) throw damaged();
      const miniStream = joined(chainOf(ofRoot.start, table), bytes, sectorBytes, ofRoot.size);
      const miniChain = chainOf(view.getUint32(60, true), table);
      const miniTable = joined(miniChain, bytes, sectorBytes, miniChain.length * sectorBytes);
      const next = new Uint32Array(miniTable.buffer, 0, Math.floor(miniTable.length / 4));
      const miniSector = 2 ** miniBits;
      return joined(chainOf(start, next, Math.ceil(size / miniSector)), miniStream, miniSector, size);
    },
  };
}

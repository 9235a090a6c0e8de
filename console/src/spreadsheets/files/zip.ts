import { SpreadsheetFault } from '../model/types.ts';

/** A file in an archive, as in the central directory. */
export interface Member {
  readonly name: string;
  readonly method: number;
  readonly checksum: number;
  readonly packed: Uint8Array<ArrayBuffer>;
}

const signatures = {
  end: 0x06054b50,
  end64: 0x06064b50,
  locator64: 0x07064b50,
  listed: 0x02014b50,
  local: 0x04034b50,
};
const endBytes = 22;
const listedBytes = 46;
const localBytes = 30;
const maxCommentBytes = 0xffff;
/** Marks a field whose 64-bit value is in an extra field. */
const elsewhere = 0xffffffff;
const encryptedFlag = 0x1;
const utf8Flag = 0x800;
const methods = { stored: 0, deflated: 8 };

export const maxMembers = 10_000;
/** Limit for all parts that are read; a sheet of four million cells has some 160 MB. */
export const maxUnpackedBytes = 256 * 1024 * 1024;
/** Limit of the compression ratio of a part larger than `freeBytes`; sheets stay below it. The service has the same limits. */
const maxRatio = 200;
const freeBytes = 10 * 1024 * 1024;
/** A piece of this size can expand a thousandfold before it is counted. */
const pieceBytes = 16 * 1024;

/** Lists the files of an archive by their names in lower case, without unpacking. @throws {SpreadsheetFault} */
export function listMembers(bytes: Uint8Array<ArrayBuffer>): ReadonlyMap<string, Member> {
  try {
    return listed(bytes);
  } catch (error) {
    if (error instanceof RangeError) throw new SpreadsheetFault('damaged');
    throw error;
  }
}

/** @throws {RangeError} if an address is outside the archive */
function listed(bytes: Uint8Array<ArrayBuffer>): ReadonlyMap<string, Member> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let { count, at } = findList(view);
  if (count > maxMembers) throw new SpreadsheetFault('tooManyFiles', String(maxMembers));
  const members = new Map<string, Member>();
  const taken: { readonly name: string; readonly start: number; readonly end: number }[] = [];
  for (; count > 0; count -= 1) {
    if (view.getUint32(at, true) !== signatures.listed) throw new SpreadsheetFault('damaged');
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) =>
      view.getUint16(at + field, true),
    );
    const extraAt = at + listedBytes + (nameBytes ?? 0);
    const name = new TextDecoder().decode(bytes.subarray(at + listedBytes, extraAt)).replaceAll('\\', '/');
    if ((view.getUint16(at + 8, true) & encryptedFlag) !== 0) throw new SpreadsheetFault('encrypted', name);
    const [packedBytes, localAt] = addressOf(view, at, { at: extraAt, end: extraAt + (extraBytes ?? 0) });
    const key = name.replace(/^\/+/, '').toLowerCase();
    if (members.has(key)) throw new SpreadsheetFault('damaged', name);
    if (view.getUint32(localAt, true) !== signatures.local) throw new SpreadsheetFault('damaged', name);
    const dataAt =
      localAt + localBytes + view.getUint16(localAt + 26, true) + view.getUint16(localAt + 28, true);
    if (dataAt + packedBytes > bytes.length) throw new SpreadsheetFault('damaged', name);
    const packed = bytes.subarray(dataAt, dataAt + packedBytes);
    members.set(key, {
      name,
      method: view.getUint16(at + 10, true),
      checksum: view.getUint32(at + 16, true),
      packed,
    });
    taken.push({ name, start: localAt, end: dataAt + packedBytes });
    at = extraAt + (extraBytes ?? 0) + (commentBytes ?? 0);
  }
  // Overlapping files could expand to many times the size of the archive.
  let free = 0;
  for (const { name, start, end } of taken.toSorted((a, b) => a.start - b.start)) {
    if (start < free) throw new SpreadsheetFault('damaged', name);
    free = end;
  }
  return members;
}

/** Number of files in the central directory, and its position. */
function findList(view: DataView): { count: number; at: number } {
  const first = Math.max(0, view.byteLength - endBytes - maxCommentBytes);
  for (let at = view.byteLength - endBytes; at >= first; at -= 1) {
    if (view.getUint32(at, true) !== signatures.end) continue;
    const locatorAt = at - 20;
    if (locatorAt < 0 || view.getUint32(locatorAt, true) !== signatures.locator64)
      return { count: view.getUint16(at + 10, true), at: view.getUint32(at + 16, true) };
    const end64 = Number(view.getBigUint64(locatorAt + 8, true));
    if (view.getUint32(end64, true) !== signatures.end64) throw new SpreadsheetFault('damaged');
    return {
      count: Number(view.getBigUint64(end64 + 32, true)),
      at: Number(view.getBigUint64(end64 + 48, true)),
    };
  }
  throw new SpreadsheetFault('damaged');
}

/** The position of the bytes of a file. 64-bit numbers are in its extra field, for the fields that need them. */
function addressOf(
  view: DataView,
  at: number,
  extra: { at: number; end: number },
): [bytes: number, at: number] {
  const fields = [24, 20, 42].map((field) => view.getUint32(at + field, true));
  for (let field = extra.at; field + 4 <= extra.end;) {
    if (view.getUint16(field, true) === 1) {
      let value = field + 4;
      for (const [index, short] of fields.entries()) {
        if (short !== elsewhere) continue;
        fields[index] = Number(view.getBigUint64(value, true));
        value += 8;
      }
    }
    field += 4 + view.getUint16(field + 2, true);
  }
  return [fields[1] ?? 0, fields[2] ?? 0];
}

/** Remaining number of bytes that may be unpacked, for all parts together. */
export interface Allowance {
  bytes: number;
}

/**
 * Unpacks a file as text, piece by piece. Bytes are counted as they arrive; the stated sizes are not trusted.
 * @throws {SpreadsheetFault}
 */
export async function* textOf(
  { name, method, checksum, packed }: Member,
  allowance: Allowance,
): AsyncGenerator<string> {
  if (method !== methods.stored && method !== methods.deflated) throw new SpreadsheetFault('damaged', name);
  const stream =
    method === methods.stored
      ? piecesOf(packed)
      : piecesOf(packed).pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = stream.getReader();
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let unpackedBytes = 0;
  let crc = ~0;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw new SpreadsheetFault('damaged', name);
      });
      if (done) break;
      unpackedBytes += value.length;
      allowance.bytes -= value.length;
      if (allowance.bytes < 0) throw new SpreadsheetFault('tooLarge', name);
      if (unpackedBytes > freeBytes && unpackedBytes > packed.length * maxRatio)
        throw new SpreadsheetFault('tooTight', name);
      crc = checksummed(crc, value);
      decoder ??= new TextDecoder(value[0] === 0xff && value[1] === 0xfe ? 'utf-16le' : 'utf-8');
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  if (~crc >>> 0 !== checksum) throw new SpreadsheetFault('damaged', name);
  yield decoder?.decode() ?? '';
}

function piecesOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.subarray(at, at + pieceBytes));
      else controller.close();
      at += pieceBytes;
    },
  });
}

type Piece = Blob | DataView<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** Packs files into an archive; a file that is compressed already is stored. */
export async function zipOf(
  files: readonly { readonly name: string; readonly data: Blob; readonly isPacked: boolean }[],
): Promise<Blob> {
  const parts: Piece[] = [];
  const list: Piece[] = [];
  let at = 0;
  let listSize = 0;
  for (const { name, data, isPacked } of files) {
    const encoded = new TextEncoder().encode(name);
    const deflated = isPacked ? data : await deflate(data);
    // The service refuses compression ratios above a hundred as an attack.
    const isStored = isPacked || deflated.size * (maxRatio / 2) < data.size;
    const packed = isStored ? data : deflated;
    const header = new DataView(new ArrayBuffer(listedBytes));
    header.setUint32(0, signatures.listed, true);
    header.setUint16(4, 20, true);
    header.setUint16(6, 20, true);
    header.setUint16(8, utf8Flag, true);
    header.setUint16(10, isStored ? methods.stored : methods.deflated, true);
    // 1 January 1980, the earliest date in the format.
    header.setUint16(14, 0x21, true);
    header.setUint32(16, await checksumOf(data), true);
    header.setUint32(20, packed.size, true);
    header.setUint32(24, data.size, true);
    header.setUint16(28, encoded.length, true);
    header.setUint32(42, at, true);
    const local = new Uint8Array(localBytes);
    // The local header has the same fields from the version on, except the comment and the address.
    local.set(new Uint8Array(header.buffer, 6, 26), 4);
    new DataView(local.buffer).setUint32(0, signatures.local, true);
    parts.push(local, encoded, packed);
    list.push(header, encoded);
    at += localBytes + encoded.length + packed.size;
    listSize += listedBytes + encoded.length;
  }
  const end = new DataView(new ArrayBuffer(endBytes));
  end.setUint32(0, signatures.end, true);
  end.setUint16(8, files.length, true);
  end.setUint16(10, files.length, true);
  end.setUint32(12, listSize, true);
  end.setUint32(16, at, true);
  return new Blob([...parts, ...list, end], { type: 'application/zip' });
}

async function deflate(data: Blob): Promise<Blob> {
  return await new Response(data.stream().pipeThrough(new CompressionStream('deflate-raw'))).blob();
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

async function checksumOf(data: Blob): Promise<number> {
  let crc = ~0;
  const reader = data.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return ~crc >>> 0;
    crc = checksummed(crc, value);
  }
}

/** Continues a checksum over bytes. */
function checksummed(crc: number, bytes: Uint8Array): number {
  let sum = crc;
  for (let at = 0; at < bytes.length; at += 1)
    sum = (crcTable[(sum ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (sum >>> 8);
  return sum;
}

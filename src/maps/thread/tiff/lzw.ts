const clearCode = 256;
const endCode = 257;
const maxBits = 12;
const maxCodes = 4096;

/**
 * Undoes TIFF's LZW: codes of 9 to 12 bits, the highest bit first, which grow one code early (TIFF 6.0, section 13).
 * @returns exactly `length` bytes. @throws {RangeError} when the codes make no sense, or make fewer or more bytes.
 */
export function decodeLzw(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(length);
  // What each code stands for: where in the output it was seen, and how long it is.
  const starts = new Uint32Array(maxCodes);
  const lengths = new Uint32Array(maxCodes);
  let [next, bits, written] = [endCode + 1, 9, 0];
  let [previousStart, previousLength] = [0, 0];
  let [buffer, held] = [0, 0];
  for (let at = 0; ;) {
    while (held < bits) {
      if (at >= bytes.length) {
        if (written === length) return out;
        throw new RangeError('the codes end too early');
      }
      buffer = ((buffer << 8) | (bytes[at] ?? 0)) & 0xff_ff_ff;
      held += 8;
      at += 1;
    }
    held -= bits;
    const code = (buffer >> held) & ((1 << bits) - 1);
    if (code === endCode) break;
    if (code === clearCode) {
      [next, bits, previousLength] = [endCode + 1, 9, 0];
      continue;
    }
    const start = written;
    if (code < clearCode) {
      if (written >= length) throw new RangeError('there are more bytes than pixels');
      out[written] = code;
      written += 1;
    } else {
      const isNew = code === next && previousLength > 0;
      if (code > next || (code === next && !isNew)) throw new RangeError('a code stands for nothing');
      const from = isNew ? previousStart : (starts[code] ?? 0);
      const count = isNew ? previousLength + 1 : (lengths[code] ?? 0);
      if (written + count > length) throw new RangeError('there are more bytes than pixels');
      // Byte by byte: the source may run into what is being written.
      for (let i = 0; i < count; i += 1) out[written + i] = out[from + i] ?? 0;
      written += count;
    }
    if (previousLength > 0 && next < maxCodes) {
      // The code before, and the first byte of this one, which follows it in the output.
      starts[next] = previousStart;
      lengths[next] = previousLength + 1;
      next += 1;
      if (next === (1 << bits) - 1 && bits < maxBits) bits += 1;
    }
    [previousStart, previousLength] = [start, written - start];
  }
  if (written !== length) throw new RangeError('there are fewer bytes than pixels');
  return out;
}

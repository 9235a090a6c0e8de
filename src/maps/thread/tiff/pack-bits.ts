/** Undoes PackBits (TIFF 6.0, section 9). @returns exactly `length` bytes. @throws {RangeError} when there are fewer or more. */
export function decodePackBits(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(length);
  let written = 0;
  for (let at = 0; at < bytes.length && written < length;) {
    const head = bytes[at] ?? 0;
    at += 1;
    if (head === 128) continue;
    const count = head < 128 ? head + 1 : 257 - head;
    if (written + count > length) throw new RangeError('there are more bytes than pixels');
    if (head < 128) {
      out.set(bytes.subarray(at, at + count), written);
      if (at + count > bytes.length) throw new RangeError('the block ends too early');
      at += count;
    } else {
      if (at >= bytes.length) throw new RangeError('the block ends too early');
      out.fill(bytes[at] ?? 0, written, written + count);
      at += 1;
    }
    written += count;
  }
  if (written !== length) throw new RangeError('there are fewer bytes than pixels');
  return out;
}

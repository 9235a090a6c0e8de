import { KiB, MiB } from '../../lib/units.ts';

const defaultLimits = {
  /** A longer body gets no buffer. */
  maxBytes: 4 * MiB,
  /** Total of all answers; clients that do not read would hold ever more memory. */
  maxTakenBytes: 64 * MiB,
  /** Total of idle buffers. */
  maxKeptBytes: 16 * MiB,
};
const minBytes = 16 * KiB;

export interface BodyBuffer {
  /** Buffer of the requested length, with content left over from earlier answers. */
  readonly bytes: Buffer;
  /** Releases the buffer; drop it if the system may still read from it. Later calls do nothing. */
  giveBack(reuse: 'reuse' | 'drop'): void;
}

/** Creates a pool of buffers, because allocating and collecting one per range costs more than filling it. Sizes are powers of two. */
export function createBodyBuffers(limits = defaultLimits) {
  const { maxBytes, maxTakenBytes, maxKeptBytes } = limits;
  const kept = new Map<number, Buffer[]>();
  let keptBytes = 0;
  let takenBytes = 0;

  function takeKept(sizeBytes: number): Buffer | undefined {
    const buffer = kept.get(sizeBytes)?.pop();
    if (buffer !== undefined) keptBytes -= sizeBytes;
    return buffer;
  }

  function keep(buffer: Buffer): void {
    if (keptBytes + buffer.length > maxKeptBytes) return;
    const alike = kept.get(buffer.length) ?? [];
    kept.set(buffer.length, alike);
    alike.push(buffer);
    keptBytes += buffer.length;
  }

  /** Returns a buffer; undefined if the body is too long or too many buffers are in use. */
  return (lengthBytes: number): BodyBuffer | undefined => {
    const sizeBytes = Math.max(minBytes, 2 ** Math.ceil(Math.log2(lengthBytes)));
    if (lengthBytes > maxBytes || takenBytes + sizeBytes > maxTakenBytes) return undefined;
    const buffer = takeKept(sizeBytes) ?? Buffer.allocUnsafeSlow(sizeBytes);
    takenBytes += sizeBytes;
    let isTaken = true;
    return {
      bytes: buffer.subarray(0, lengthBytes),
      giveBack(reuse) {
        if (!isTaken) return;
        isTaken = false;
        takenBytes -= sizeBytes;
        if (reuse === 'reuse') keep(buffer);
      },
    };
  };
}

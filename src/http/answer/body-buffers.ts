import { KiB, MiB } from '../../lib/units.ts';

const defaultLimits = {
  /** A longer body gets no buffer. */
  maxBytes: 4 * MiB,
  /** All answers together; clients that do not read would hold more and more of it. */
  maxTakenBytes: 64 * MiB,
  /** Buffers that wait to be used again. */
  maxKeptBytes: 16 * MiB,
};
const minBytes = 16 * KiB;

/** A buffer for the body of one answer. */
export interface BodyBuffer {
  /** As long as was asked for; what it holds is left over from earlier answers. */
  readonly bytes: Buffer;
  /** Ends its use; a buffer that the system may still read from must not be used again. Later calls do nothing. */
  giveBack(reuse: 'reuse' | 'drop'): void;
}

/**
 * Creates a pool of buffers, because to make and to collect one for each range costs more than to fill it. Sizes are powers
 * of two.
 */
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

  /** Returns a buffer, or undefined for a body that is too long or when too many are taken. */
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

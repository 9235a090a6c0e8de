import { blocksOf } from './blocks.ts';
import type { TiffImage } from './image.ts';
import type { TiffFile } from './walk.ts';

/**
 * What GDAL's COG driver writes behind the header: lines of `KEY=value` that promise readers how blocks lie in the file,
 * so that they can read several at once. Source: "Cloud Optimized GeoTIFF", GDAL's driver documentation.
 */
export type LayoutPromises = ReadonlyMap<string, string>;

export function parsePromises(text: string): LayoutPromises {
  const lines = text.split('\n').filter((line) => line.includes('='));
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1).trim()]),
  );
}

/** Which promises a file does not keep: whoever trusts them would read other pixels than whoever does not. */
export async function brokenPromises(
  tiff: TiffFile,
  promises: LayoutPromises,
  images: readonly TiffImage[],
): Promise<string[]> {
  if (promises.get('KNOWN_INCOMPATIBLE_EDITION') === 'YES') {
    return ['it was edited after it had become a COG'];
  }
  const problems: string[] = [];
  for (const [index, image] of images.entries()) {
    const problem = await brokenPromise(tiff, promises, image);
    if (problem !== undefined) problems.push(`image ${index} ${problem}`);
  }
  return problems;
}

async function brokenPromise(
  tiff: TiffFile,
  promises: LayoutPromises,
  { tables, separatePlanes }: TiffImage,
): Promise<string | undefined> {
  if (tables === undefined) return undefined;
  const isOrdered = promises.get('BLOCK_ORDER') === 'ROW_MAJOR' && !separatePlanes;
  const hasLeaders = promises.get('BLOCK_LEADER') === 'SIZE_AS_UINT4';
  const hasTrailers = promises.get('BLOCK_TRAILER') === 'LAST_4_BYTES_REPEATED';
  if (!isOrdered && !hasLeaders && !hasTrailers) return undefined;
  let last = 0;
  for await (const { start, length } of blocksOf(tiff, tables)) {
    if (start === 0 || length === 0) continue;
    if (isOrdered && start < last) return 'has blocks in another order than the file says';
    last = start;
    // The file is of the little-endian kind wherever GDAL makes these promises.
    const leader = hasLeaders ? await readIfThere(tiff, start - 4, 4) : undefined;
    if (hasLeaders && leader?.getUint32(0, true) !== length) {
      return 'has blocks of another size than stands before them';
    }
    if (!hasTrailers || length < 4) continue;
    const ends = await readIfThere(tiff, start + length - 4, 8);
    if (ends === undefined || ends.getUint32(0) !== ends.getUint32(4)) {
      return 'has blocks of another end than stands behind them';
    }
  }
  return undefined;
}

/** The file may end before what it promises. */
async function readIfThere(
  { read, fileBytes }: TiffFile,
  at: number,
  bytes: number,
): Promise<DataView | undefined> {
  return at >= 0 && at + bytes <= fileBytes ? await read(at, bytes) : undefined;
}

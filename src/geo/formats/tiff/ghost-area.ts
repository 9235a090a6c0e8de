import { blocksOf, type TiffImage } from './image.ts';
import type { TiffFile } from './walk.ts';

/**
 * GDAL's name for what its COG driver writes behind the header: lines of `KEY=value` that tell readers how blocks lie in
 * the file, so that they can read several at once. Source: "Cloud Optimized GeoTIFF", GDAL's driver documentation.
 */
export interface GhostArea {
  /** Bytes that it takes from the header on. */
  readonly bytes: number;
  readonly lines: ReadonlyMap<string, string>;
}

const lead = 'GDAL_STRUCTURAL_METADATA_SIZE=';

/** Reads the ghost area, whose first line tells its size: `GDAL_STRUCTURAL_METADATA_SIZE=000140 bytes\n`. Without one it takes no bytes. */
export async function readGhostArea({
  read,
  fileBytes,
  bigTiff,
  firstDirectory,
}: TiffFile): Promise<GhostArea> {
  const start = bigTiff ? 16 : 8;
  const none = { bytes: 0, lines: new Map<string, string>() };
  if (firstDirectory <= start) return none;
  const lineBytes = lead.length + '000000 bytes\n'.length;
  const line = textOf(await read(start, lineBytes));
  const size = /^(\d{6}) bytes\n$/.exec(line.startsWith(lead) ? line.slice(lead.length) : '')?.[1];
  if (size === undefined) return none;
  const isThere = start + lineBytes + Number(size) <= fileBytes;
  const text = isThere ? textOf(await read(start + lineBytes, Number(size))) : '';
  const lines = text.split('\n').map((each) => /^([^=]*)=([^]*)$/.exec(each)?.slice(1, 3) ?? []);
  return {
    bytes: lineBytes + Number(size),
    lines: new Map(lines.map(([key = '', value = '']) => [key, value.trim()])),
  };
}

function textOf({ buffer, byteOffset, byteLength }: DataView): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

/** Lists what is not true of the ghost area: readers that trust it would read other pixels than those that do not. */
export async function ghostAreaProblems(
  tiff: TiffFile,
  ghostArea: GhostArea,
  images: readonly TiffImage[],
): Promise<string[]> {
  if (ghostArea.lines.get('KNOWN_INCOMPATIBLE_EDITION') === 'YES') {
    return ['it was edited after it had become a COG'];
  }
  const problems: string[] = [];
  for (const [index, image] of images.entries()) {
    const problem = await ghostAreaProblem(tiff, ghostArea, image);
    if (problem !== undefined) problems.push(`image ${index} ${problem}`);
  }
  return problems;
}

async function ghostAreaProblem(
  tiff: TiffFile,
  ghostArea: GhostArea,
  { tables, separatePlanes }: TiffImage,
): Promise<string | undefined> {
  if (tables === undefined) return undefined;
  const isOrdered = ghostArea.lines.get('BLOCK_ORDER') === 'ROW_MAJOR' && !separatePlanes;
  const hasLeaders = ghostArea.lines.get('BLOCK_LEADER') === 'SIZE_AS_UINT4';
  const hasTrailers = ghostArea.lines.get('BLOCK_TRAILER') === 'LAST_4_BYTES_REPEATED';
  if (!isOrdered && !hasLeaders && !hasTrailers) return undefined;
  let last = 0;
  for await (const { start, length } of blocksOf(tiff, tables)) {
    if (start === 0 || length === 0) continue;
    if (isOrdered && start < last) return 'has blocks in another order than the file says';
    last = start;
    // The file is little-endian wherever GDAL writes a ghost area.
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

/** Reads what the file may be too short for. */
async function readIfThere(
  { read, fileBytes }: TiffFile,
  at: number,
  bytes: number,
): Promise<DataView | undefined> {
  return at >= 0 && at + bytes <= fileBytes ? await read(at, bytes) : undefined;
}

import { blocksOf, type TiffImage } from './image.ts';
import type { TiffFile } from './walk.ts';

interface TiffLayout extends TiffFile {
  readonly ghostArea: Awaited<ReturnType<typeof readGhostArea>>;
  readonly directories: readonly TiffImage[];
}

const lead = 'GDAL_STRUCTURAL_METADATA_SIZE=';

/**
 * Reads the ghost area: GDAL's name for what its COG driver writes behind the header, lines of `KEY=value` that tell how
 * blocks lie in the file. The first line tells its size: `GDAL_STRUCTURAL_METADATA_SIZE=000140 bytes\n`. `bytes` counts
 * from the header on; 0 without one. Source: "Cloud Optimized GeoTIFF", GDAL's driver documentation.
 */
export async function readGhostArea({ read, fileBytes, bigTiff, firstDirectory }: TiffFile) {
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
export async function ghostAreaProblems(layout: TiffLayout): Promise<string[]> {
  if (layout.ghostArea.lines.get('KNOWN_INCOMPATIBLE_EDITION') === 'YES')
    return ['it was edited after it had become a COG'];
  const problems: string[] = [];
  for (const [index, image] of layout.directories.entries()) {
    const problem = await ghostAreaProblem(layout, image);
    if (problem !== undefined) problems.push(`image ${index} ${problem}`);
  }
  return problems;
}

async function ghostAreaProblem(layout: TiffLayout, image: TiffImage): Promise<string | undefined> {
  const { lines } = layout.ghostArea;
  const isOrdered = lines.get('BLOCK_ORDER') === 'ROW_MAJOR' && !image.separatePlanes;
  const hasLeaders = lines.get('BLOCK_LEADER') === 'SIZE_AS_UINT4';
  const hasTrailers = lines.get('BLOCK_TRAILER') === 'LAST_4_BYTES_REPEATED';
  if (!isOrdered && !hasLeaders && !hasTrailers) return undefined;
  let last = 0;
  for await (const { start, length } of blocksOf(layout, image)) {
    if (start === 0 || length === 0) continue;
    if (isOrdered && start < last) return 'has blocks in another order than the file says';
    last = start;
    // The file is little-endian wherever GDAL writes a ghost area.
    const leader = hasLeaders ? await readIfThere(layout, start - 4, 4) : undefined;
    if (hasLeaders && leader?.getUint32(0, true) !== length) {
      return 'has blocks of another size than stands before them';
    }
    if (!hasTrailers || length < 4) continue;
    const ends = await readIfThere(layout, start + length - 4, 8);
    if (ends === undefined || ends.getUint32(0) !== ends.getUint32(4)) {
      return 'has blocks of another end than stands behind them';
    }
  }
  return undefined;
}

/** Reads what the file may be too short for. */
function readIfThere(tiff: TiffFile, at: number, bytes: number): Promise<DataView> | undefined {
  return at >= 0 && at + bytes <= tiff.fileBytes ? tiff.read(at, bytes) : undefined;
}

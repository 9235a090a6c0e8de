import { createCache } from '../../../../common/cache.ts';
import { MiB } from '../../../lib/units.ts';
import { drawingProblems } from '../../../messages/drawing/english.ts';
import { BrokenTiff, readNumber } from '../../../geo/formats/tiff/walk.ts';
import { decodeMesh, maxMeshBytes, type ViewMesh } from '../../../../common/maps/raster/mesh.ts';
import type { ThreadContext } from '../objects/context.ts';
import { type CogHead, type CogImage, readCogHead, readInPages } from '../tiff/cog-head.ts';
import { type Placement, readPlacement } from '../tiff/placement.ts';
import { type Block, BrokenBlock, decodeBlock, finishedBlock } from '../tiff/decode-block.ts';
import { createBlockCache, type LentBlock } from './block-cache.ts';

const maxHeads = 500;
const maxPageBytes = 8 * MiB;
const maxKeptMeshBytes = 16 * MiB;
/** Compressed blocks are smaller than their pixels; incompressible ones are slightly larger. */
const maxLengthOf = (blockBytes: number) => 2 * blockBytes + 4096;

/** Position of a block by column and row, and the plane if each band has its own blocks. */
export interface BlockPlace {
  readonly column: number;
  readonly row: number;
  readonly plane: number;
}

/** Recently used rasters of a thread. */
export type OpenRasters = ReturnType<typeof createOpenRasters>;

/** Reads heads, meshes and blocks of COGs by ranges, and caches the most recently used ones. */
export function createOpenRasters(context: ThreadContext, maxBlockBytes: number) {
  const heads = createCache<CogHead>({ max: maxHeads });
  const placements = createCache<Placement | undefined>({ max: maxHeads });
  const pages = createCache<Uint8Array>({ maxBytes: maxPageBytes, bytesOf: (page) => page.byteLength });
  const meshes = createCache<ViewMesh & { readonly byteLength: number }>({
    maxBytes: maxKeptMeshBytes,
    bytesOf: ({ byteLength }) => byteLength,
  });
  const blocks = createBlockCache(maxBlockBytes);

  async function openHead(key: string): Promise<CogHead> {
    const sizeBytes = await context.size(key);
    // Reading a missing object rejects with the reason.
    if (sizeBytes === undefined) await context.read(key, 0, 1);
    try {
      const head = await readCogHead(readInPages(context, pages, { key, sizeBytes: sizeBytes ?? 0 }));
      if (!head.isDrawable) throw drawingProblems.notDrawable();
      return head;
    } catch (error) {
      throw error instanceof BrokenTiff ? drawingProblems.brokenRaster().because(error) : error;
    }
  }

  async function readBlock(key: string, { tiff }: CogHead, image: CogImage, place: BlockPlace) {
    const { tables, format, blockBytes } = image;
    const index = place.plane * image.blocksPerPlane + place.row * image.across + place.column;
    if (index >= tables.count) throw new BrokenBlock('the file does not tell of all its blocks');
    const { offsets, byteCounts } = tables;
    const numberOf = async ({ at, size }: typeof offsets) =>
      readNumber(await tiff.read(at + index * size, size), 0, size, tiff.littleEndian);
    const start = await numberOf(offsets);
    const length = byteCounts === undefined ? blockBytes : await numberOf(byteCounts);
    // GDAL omits blocks without data, and reads them as zeros.
    if (start === 0 || length === 0) return undefined;
    if (length > maxLengthOf(blockBytes) || start + length > tiff.fileBytes)
      throw new BrokenBlock(`a block of ${blockBytes} bytes has ${length} in the file`);
    return decodeBlock(await context.read(key, start, length), format, blockBytes);
  }

  return {
    /** Opens a COG. @throws {Problem} if its head is inconsistent. */
    head: async (key: string): Promise<CogHead> => await heads.get(key, async () => await openHead(key)),
    /**
     * Reads the placement of a raster in its own CRS; undefined for a form of georeference that is not supported here.
     * @throws {Problem}
     */
    placement: async (key: string): Promise<Placement | undefined> =>
      await placements.get(key, async () => {
        const { tiff, levels } = await heads.get(key, async () => await openHead(key));
        const full = levels[0]?.image;
        if (full === undefined) return undefined;
        return await readPlacement(tiff, full).catch((error: unknown) => {
          throw error instanceof BrokenTiff ? drawingProblems.brokenRaster().because(error) : error;
        });
      }),
    /** Reads the positions of the pixels of a raster in Web Mercator. @throws {Problem} if its mesh is invalid. */
    async mesh(key: string): Promise<ViewMesh> {
      return await meshes.get(key, async () => {
        const bytes = await context.read(key, 0, maxMeshBytes + 1);
        try {
          return { ...decodeMesh(bytes), byteLength: bytes.length };
        } catch (error) {
          throw drawingProblems.brokenRaster().because(error);
        }
      });
    },
    /** Lends a block; omitted blocks are nodata, or zeros. The block rejects with a {Problem} if its content does not match its size. */
    lendBlock(key: string, head: CogHead, image: CogImage, place: BlockPlace): LentBlock {
      const name = `${key} ${image.tables.offsets.at} ${place.plane} ${place.column} ${place.row}`;
      return blocks.lend(name, async () => {
        try {
          return (await readBlock(key, head, image, place)) ?? emptyBlock(image, head.emptySample);
        } catch (error) {
          const isBroken = error instanceof BrokenBlock || error instanceof BrokenTiff;
          throw isBroken ? drawingProblems.brokenRaster().because(error) : error;
        }
      });
    },
  };
}

function emptyBlock({ tileWidth, tileHeight, format }: CogImage, value: number): Block {
  const samples = tileWidth * tileHeight * format.samplesPerPixel;
  return finishedBlock(value === 0 ? new Uint8Array(samples) : new Float64Array(samples).fill(value));
}

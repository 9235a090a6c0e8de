import { rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { CogComposition } from '../../composition.ts';
import type { TiledRaster } from '../../engine.ts';
import { createFindings } from '../../gather-findings.ts';
import { arrangedTilesOf, type CheckedTile, layOutTiles } from '../../formats/tiff/join-tiles.ts';
import { type GdalLog, openGdalLog } from '../../gdal/log-file.ts';
import type { ComposeRequest, ComposeResult } from '../../protocol.ts';
import { describeHead } from './assemble.ts';
import { levelsFrom, prepareLevels } from './levels.ts';
import { arrangePart } from './part-file.ts';
import { createMeshWriter, isDrawableFile, type WriteMesh } from './view/view.ts';
import { verifyCog } from './image/write-cog.ts';

/**
 * Plans a COG of each raster from arranged files of tiles, most of whose tiles need not be present.
 * @throws {Error} if the tiles do not cover their raster.
 */
export async function composeRasters(task: ComposeRequest): Promise<ComposeResult> {
  const gdalLog = await openGdalLog(task.scratch);
  const rasters: ComposeResult['rasters'] = [];
  const writeMesh = createMeshWriter();
  for (const [index, raster] of task.rasters.entries()) {
    const cogPath = join(task.scratch, `cog-${index}.tif`);
    rasters.push(await composeRaster(raster, cogPath, { gdalLog, writeMesh }));
  }
  return { rasters };
}

async function composeRaster(
  tiled: TiledRaster,
  cogPath: string,
  { gdalLog, writeMesh }: { readonly gdalLog: GdalLog; readonly writeMesh: WriteMesh },
): Promise<ComposeResult['rasters'][number]> {
  const findings = createFindings();
  const { heads, tiles } = await findings.time(
    'assemble',
    async () =>
      await prepareLevels(tiled, cogPath, { gdalLog, tilesOf: arrangedTilesOf, finish: arrangePart }),
  );
  const laidOut = await findings.time('write', async () => await layOutTiles(levelsFrom(heads, tiles)));
  // GDAL sees a complete file whose tiles are holes.
  await writeFile(cogPath, laidOut.head, { flag: 'wx' });
  await truncate(cogPath, laidOut.sizeBytes);
  const described = await describeHead(tiled, heads, findings);
  await Promise.all(heads.map((path) => rm(path)));
  // The final object is compared with the checksums of the tiles.
  const compare = async (): Promise<void> => await Promise.resolve();
  await findings.time('verify', () => verifyCog(cogPath, { ...described, gdalLog }, compare));
  const meshPath = await writeMesh(described, `${cogPath}.mesh`);
  const needsView = meshPath !== undefined && !(await isDrawableFile(cogPath));
  const composition = compositionOf(cogPath, laidOut);
  return { bbox: described.bbox, meshPath, needsView, composition, findings: findings.gathered() };
}

/** Joins consecutive tiles of a file into one piece. */
function compositionOf(
  cogPath: string,
  { head, tiles }: { readonly head: Buffer; readonly tiles: readonly CheckedTile[] },
) {
  const pieces: { path: string; start: number; length: number }[] = [
    { path: cogPath, start: 0, length: head.length },
  ];
  const blocks: CogComposition['blocks'][number][] = [[head.length, crc32(head)]];
  for (const { path, start, length, checksum } of tiles) {
    const last = pieces.at(-1);
    if (last?.path === path && last.start + last.length === start) last.length += length;
    else pieces.push({ path, start, length });
    blocks.push([length, checksum]);
  }
  return { pieces, blocks };
}

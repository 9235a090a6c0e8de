import { isDeepStrictEqual } from 'node:util';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import gdal from 'gdal-async';
import type { TiledRaster } from '../../engine.ts';
import { createFindings, type FindingsCollector } from '../../gather-findings.ts';
import type { AssembleResult, AssembleRequest } from '../../protocol.ts';
import { joinTiles, tileBytesOf, tileChecksumsOf } from '../../formats/tiff/join-tiles.ts';
import { planCog } from './image/cog-options.ts';
import { describeRaster } from './image/description.ts';
import { openGdalLog, type GdalLog } from '../../gdal/log-file.ts';
import { bboxOf, readGeoreference } from './image/georeference.ts';
import { levelsFrom, prepareLevels } from './levels.ts';
import { describeSource, describeWrittenCog, warnOfRaster } from './report.ts';
import { type CountIfSmall, createSmallCounter } from './count-pixels.ts';
import { createMeshWriter, isDrawableFile, type WriteMesh } from './view/view.ts';
import { verifyCog } from './image/write-cog.ts';

/**
 * Assembles a COG of each raster from its encoded tiles.
 * @throws {Error} if the tiles do not cover their raster.
 */
export async function assembleRasters(task: AssembleRequest): Promise<AssembleResult> {
  const gdalLog = await openGdalLog(task.scratch);
  const rasters: AssembleResult['rasters'] = [];
  const [writeMesh, countIfSmall] = [createMeshWriter(), createSmallCounter()];
  for (const [index, raster] of task.rasters.entries()) {
    const cogPath = join(task.scratch, `cog-${index}.tif`);
    rasters.push(await assembleRaster(raster, cogPath, { gdalLog, writeMesh, countIfSmall }));
  }
  return { rasters };
}

/** Shared by the rasters of one request, which have one grid. */
interface Shared {
  readonly gdalLog: GdalLog;
  readonly writeMesh: WriteMesh;
  readonly countIfSmall: CountIfSmall;
}

async function assembleRaster(
  tiled: TiledRaster,
  cogPath: string,
  { gdalLog, writeMesh, countIfSmall }: Shared,
): Promise<AssembleResult['rasters'][number]> {
  const findings = createFindings();
  const { heads, tiles, made } = await findings.time(
    'assemble',
    async () => await prepareLevels(tiled, cogPath, { gdalLog, tilesOf: tileBytesOf }),
  );
  const checksums = await findings.time(
    'write',
    async () => await joinTiles(levelsFrom(heads, tiles), cogPath),
  );
  const described = await describeHead(tiled, heads, findings);
  await Promise.all([...heads, ...made.map(({ path }) => path)].map((path) => rm(path)));

  // The encoder has decoded the tiles and compared them with their pixels.
  const compare = async (): Promise<void> => {
    if (!isDeepStrictEqual(await tileChecksumsOf(cogPath), checksums))
      throw new Error('the COG differs from its tiles');
  };
  await findings.time('verify', () => verifyCog(cogPath, { ...described, gdalLog }, compare));
  const meshPath = await writeMesh(described, `${cogPath}.mesh`);
  const needsView = meshPath !== undefined && !(await isDrawableFile(cogPath));
  const counts = await countIfSmall(cogPath, described.raster, { gdalLog, findings });
  return { cogPath, bbox: described.bbox, meshPath, needsView, counts, findings: findings.gathered() };
}

/** Describes a raster in the findings by the head of its full resolution. */
export async function describeHead(
  tiled: TiledRaster,
  [head = '']: readonly string[],
  findings: FindingsCollector,
) {
  const source = await gdal.openAsync(head, 'r', ['GTiff']);
  const raster = describeRaster(source);
  const georeference = readGeoreference(source);
  const bbox = bboxOf(georeference);
  const plan = planCog(raster, [tiled.dataType !== 'Float32']);
  findings.setRaster({ ...describeSource(source, raster, georeference), cog: describeWrittenCog(plan) });
  warnOfRaster(findings, source, { georeference });
  source.close();
  return { raster, georeference, bbox };
}

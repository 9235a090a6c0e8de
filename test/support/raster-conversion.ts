import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import gdal from 'gdal-async';
import { type Findings, createFindings } from '../../src/geo/findings.ts';
import { convertRaster } from '../../src/geo/child/raster/convert.ts';

/**
 * Converts rasters in this process, with the settings of an engine child: what makes hundreds of conversions quick.
 * `folder` outlives all of them.
 */
export function createConversion(folder: string) {
  gdal.config.set('GDAL_NUM_THREADS', '2');
  gdal.config.set('GDAL_DISABLE_READDIR_ON_OPEN', 'EMPTY_DIR');
  gdal.config.set('GDAL_PAM_ENABLED', 'NO');
  gdal.config.set('CPL_LOG', join(folder, 'gdal.log'));
  const convert = async (inputPath: string): Promise<{ cogPath: string; findings: Findings }> => {
    const findings = createFindings();
    const scratch = await mkdtemp(join(folder, 'scratch-'));
    const { cogPath } = await convertRaster({ inputPath, scratch }, findings);
    return { cogPath, findings: findings.gathered() };
  };
  return {
    convert,
    async convertBytes(bytes: Uint8Array): Promise<{ cogPath: string; findings: Findings }> {
      const path = join(await mkdtemp(join(folder, 'input-')), 'input');
      await writeFile(path, bytes);
      return await convert(path);
    },
  };
}

import { createGdalRasterReader } from '../../../src/geo/child/raster/raster-reader.ts';
import { UnprocessableFile } from '../../../src/geo/engine.ts';
import { createFindings } from '../../../src/geo/gather-findings.ts';
import { makeInput } from '../../../src/landscape/compute/child/make/make-input.ts';
import { MadeInput } from '../../../src/landscape/compute/input-work.ts';
import type { LandscapeEngine } from '../../../src/landscape/compute/landscape-engine.ts';
import { Problem } from '../../../src/lib/errors.ts';
import { inTurn } from '../geo/engine.ts';

/** Creates an engine that makes input rasters in this process. */
export function createMakingEngine(): Pick<LandscapeEngine, 'makeInput'> {
  return {
    async makeInput({ work, signal }) {
      return await inTurn(signal, async () => {
        try {
          return MadeInput.parse(JSON.parse(JSON.stringify(await makeInput(createGdalRasterReader, work))));
        } catch (error) {
          // As a child answers.
          if (!(error instanceof Problem)) throw error;
          throw new UnprocessableFile(error.message, createFindings().gathered(), {
            sentence: error.sentence,
          });
        }
      });
    },
  };
}

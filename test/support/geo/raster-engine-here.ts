import { aborted } from '../../../src/lib/concurrency/promises.ts';
import { AreasResult, ValuesResult } from '../../../src/geo/protocol.ts';
import type { Engines } from '../../../src/runtime/engines.ts';
import { openEngineHere } from './engine-here.ts';
import { inTurn } from './engine.ts';

/** Opens engines that read and compute rasters in this process; the conditions of `openEngineHere` apply. */
export async function openRasterEnginesHere(): Promise<Pick<Engines, 'geo' | 'landscape'>> {
  const geo = await openEngineHere('raster');
  const { createGdalRasterReader } = await import('../../../src/geo/child/raster/raster-reader.ts');
  const { createTileEncoder } = await import('../../../src/geo/child/raster/part-file.ts');
  const { computeBatch } = await import('../../../src/landscape/compute/compute-batch.ts');
  const { findWindows } = await import('../../../src/landscape/compute/find-windows.ts');
  const { moveInputs } = await import('../../../src/landscape/compute/move-inputs.ts');
  const { inspectSources } = await import('../../../src/landscape/compute/sources.ts');
  const reader = createGdalRasterReader();
  const parts = { reader, createEncoder: createTileEncoder };
  const { countAreas } = await import('../../../src/geo/child/areas/count-areas.ts');
  const { countValues } = await import('../../../src/geo/child/areas/count-values.ts');
  return {
    geo: {
      ...geo,
      // A child that counts has fewer drivers than this process has loaded.
      countAreas: async ({ signal, ...task }) =>
        await inTurn(signal, async () =>
          AreasResult.parse(JSON.parse(JSON.stringify(await countAreas({ task: 'areas', ...task })))),
        ),
      countValues: async ({ signal, ...task }) =>
        await inTurn(signal, async () =>
          ValuesResult.parse(JSON.parse(JSON.stringify(await countValues({ task: 'values', ...task })))),
        ),
    },
    landscape: {
      inspect: async ({ work, signal }) =>
        await inTurn(signal, async () => await inspectSources(reader, work)),
      findWindows: async ({ work, signal }) =>
        await inTurn(signal, async () => await findWindows(reader, work)),
      moveInputs: async ({ work, signal }) =>
        await inTurn(signal, async () => await moveInputs(reader, work)),
      makeInput: async ({ work, signal }) => {
        const { makeInput } = await import('../../../src/landscape/compute/child/make/make-input.ts');
        return await inTurn(signal, async () => await makeInput(createGdalRasterReader, work));
      },
      async compute({ batch, signal }) {
        const stopped = aborted(signal).then((): never => {
          throw signal.reason;
        });
        const work = await Promise.race([batch, stopped]);
        return await inTurn(signal, async () => await computeBatch(parts, work));
      },
    },
  };
}

import type { RunFigures } from './spread-site.ts';
import { wideBlocks } from '../src/landscape/spread/pass-spec.ts';

/** The size of Kazakhstan at 10 m, pixels. */
const country = { width: 216_000, height: 125_000 };
/** Numbers of cores in the model; each core computes a block, or publishes an output, at a time. */
const modelCores = [8, 64, 400] as const;

/** The cost of a run over the whole country. */
export interface WholeCountry {
  readonly blocks: number;
  readonly coreHours: number;
  /** Bytes that the store sends, and receives. */
  readonly readBytes: number;
  readonly writtenBytes: number;
  readonly temporalHours: number;
  readonly postgresHours: number;
  readonly hours: readonly { readonly cores: number; readonly hours: number }[];
}

/**
 * Extrapolates the figures of a run on one worker with one core: all are proportional to the number of pixels. The last round of blocks
 * counts as complete, even with few blocks; each output is published by a single core.
 * @param pixels of the measured run.
 * @param outputs number of its outputs.
 */
export function modelOf(
  figures: RunFigures,
  { pixels, outputs }: { readonly pixels: number; readonly outputs: number },
): WholeCountry {
  const times = (country.width * country.height) / pixels;
  const shape = wideBlocks(country);
  const blocks = shape.columns * Math.ceil(country.height / shape.height);
  const blockPixels = (country.width / shape.columns) * shape.height;
  const blocksSeconds = figures.blocks?.wallSeconds ?? figures.wallSeconds;
  const blockSeconds = (blocksSeconds * blockPixels) / pixels;
  const outputSeconds = ((figures.wallSeconds - blocksSeconds) * times) / outputs;
  return {
    blocks,
    coreHours: (figures.workerSeconds * times) / 3600,
    readBytes: figures.readBytes * times,
    writtenBytes: figures.writtenBytes * times,
    temporalHours: (figures.temporalSeconds * times) / 3600,
    postgresHours: (figures.postgresSeconds * times) / 3600,
    hours: modelCores.map((cores) => ({
      cores,
      hours:
        (Math.ceil(blocks / cores) * blockSeconds +
          Math.ceil(outputs / Math.min(cores, outputs)) * outputSeconds) /
        3600,
    })),
  };
}

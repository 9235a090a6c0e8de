import type { RunFigures } from './spread-site.ts';
import { wideBlocks } from '../src/landscape/spread/pass-spec.ts';

/** All of Kazakhstan at 10 m. */
const country = { width: 216_000, height: 125_000 };
/** Cores for which the model says how long a run takes; each computes a block, or publishes an output, at a time. */
const modelCores = [8, 64, 400] as const;

/** What a run over the whole country takes. */
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
 * Reckons with the figures of a run on one worker of one core: all grow with the pixels. The last round of blocks is a whole one, however
 * few there are in it; each output is published by one core, and then no other core can help it.
 * @param pixels of the measured run. @param outputs that it had.
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

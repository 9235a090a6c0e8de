import { setImmediate } from 'node:timers/promises';
import type { Problem } from '../../lib/errors.ts';
import { KiB, MiB } from '../../lib/units.ts';
import { type Feature, readFeature } from './feature.ts';
import { meets } from './geometry.ts';
import type { Box } from '../../standards/boxes.ts';
import type { FeatureFile, FeatureFiles } from './open-file.ts';
import { type FeaturePlace, findFeatures } from './search.ts';
import { featureSentences } from '../../messages/standards/english.ts';

/** Features within this gap are read together, up to the maximum of one read. */
const [maxGapBytes, maxReadBytes] = [16 * KiB, MiB];
/** Larger features are read one at a time per process: each takes a multiple of its size in memory. */
export const largeFeatureBytes = 16 * MiB;
/** Larger features are not read. */
const maxFeatureBytes = 64 * MiB;
const usualBounds = { features: 50_000, bytes: 64 * MiB };
/** Number of features after which a read yields to the event loop. */
const featuresPerTurn = 200;

export interface Wanted {
  /** Boxes in degrees; a feature must meet at least one. Undefined for all features. */
  readonly boxes?: readonly Box[] | undefined;
  /** Number of the first feature. */
  readonly from: number;
  /** Maximum number of features in the answer. */
  readonly limit: number;
  /** Limits of one request's reads, including features that are not in its answer. */
  readonly bounds?: { readonly features: number; readonly bytes: number };
  /** Creates the problem for a feature that is too large; by default that for pages. */
  readonly tooLarge?: (index: number, maxMiB: number) => Problem;
  readonly matches?: ((feature: Feature) => boolean) | undefined;
  /** Called with each feature; false ends the answer before it. @param bytes size of the feature in the file */
  readonly take: (feature: Feature, index: number, bytes: number) => boolean;
}

/**
 * Reads features in file order. @returns the number of the feature at which the next answer continues; undefined at the
 * end. An answer may have fewer features than requested: one request does a bounded amount of work.
 */
export async function readFeatures(
  files: FeatureFiles,
  file: FeatureFile,
  { boxes, from, limit, bounds = usualBounds, tooLarge = featureSentences.tooLarge, matches, take }: Wanted,
): Promise<number | undefined> {
  let [taken, lookedAt, bytesLookedAt] = [0, 0, 0];
  let stoppedAt: number | undefined;

  /** Reads adjacent features; returns the number of the first one that it leaves to the next answer. */
  async function readRun(run: readonly FeaturePlace[]): Promise<number | undefined> {
    const [first] = run;
    const last = run.at(-1);
    if (first === undefined || last === undefined) return undefined;
    const bytes = await files.featureBytes(file, first.start, last.end - first.start);
    for (const { index, start, end } of run) {
      lookedAt += 1;
      bytesLookedAt += end - start;
      const feature = readFeature(bytes.subarray(start - first.start, end - first.start), file);
      const isWanted = isWithin(feature, boxes) && matches?.(feature) !== false;
      if (isWanted) {
        if (taken === limit || !take(feature, index, end - start)) return index;
        taken += 1;
      }
      if (lookedAt >= bounds.features || bytesLookedAt >= bounds.bytes) return index + 1;
      if (lookedAt % featuresPerTurn === 0) await setImmediate();
    }
    return undefined;
  }

  let run: FeaturePlace[] = [];
  for await (const found of findFeatures(files, file, { boxes, from })) {
    if ('stoppedAt' in found) {
      stoppedAt = found.stoppedAt;
      break;
    }
    if (found.end - found.start > largeFeatureBytes) {
      const left = await readRun(run);
      // The features before it form a separate answer.
      if (left !== undefined || taken > 0) return left ?? found.index;
      if (found.end - found.start > maxFeatureBytes) throw tooLarge(found.index, maxFeatureBytes / MiB);
      await files.alone(async () => await readRun([found]));
      const next = found.index + 1;
      return next < file.features ? next : undefined;
    }
    const [first, last] = [run[0], run.at(-1)];
    const isApart =
      first !== undefined &&
      last !== undefined &&
      (found.start < last.end ||
        found.start - last.end > maxGapBytes ||
        found.end - first.start > maxReadBytes);
    // One feature beyond the limit tells whether there are more.
    if (isApart || run.length > limit - taken) {
      const left = await readRun(run);
      if (left !== undefined) return left < file.features ? left : undefined;
      run = [];
    }
    run.push(found);
  }
  const left = (await readRun(run)) ?? stoppedAt;
  return left !== undefined && left < file.features ? left : undefined;
}

function isWithin({ geometry }: Feature, boxes: readonly Box[] | undefined): boolean {
  if (boxes === undefined) return true;
  return geometry !== undefined && boxes.some((box) => meets(geometry, box));
}

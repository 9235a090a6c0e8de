import { setImmediate } from 'node:timers/promises';
import type { Problem } from '../../lib/errors.ts';
import { KiB, MiB } from '../../lib/units.ts';
import { type Feature, readFeature } from './feature.ts';
import { meets } from './geometry.ts';
import type { Box } from '../../standards/boxes.ts';
import type { FeatureFile, FeatureFiles } from './open-file.ts';
import { type FeaturePlace, findFeatures } from './search.ts';
import { featureDoor } from '../../messages/features.ts';

/** Features that lie so close to each other are read at once, up to so many bytes. */
const [maxGapBytes, maxReadBytes] = [16 * KiB, MiB];
/** Larger features are read one at a time in a process: each takes several times as much memory. */
export const largeFeatureBytes = 16 * MiB;
/** A larger feature is not read. */
const maxFeatureBytes = 64 * MiB;
const usualBounds = { features: 50_000, bytes: 64 * MiB };
/** So many features are read before others get their turn. */
const featuresPerTurn = 200;

export interface Wanted {
  /** Boxes in degrees, of which a feature meets at least one; undefined for all features. */
  readonly boxes?: readonly Box[] | undefined;
  /** The number of the feature to begin with. */
  readonly from: number;
  /** The most features of the answer. */
  readonly limit: number;
  /** The limits of what one request reads, also of what is not in its answer. */
  readonly bounds?: { readonly features: number; readonly bytes: number };
  /** The problem of a feature that is too large to be read; that of pages unless another one is given. */
  readonly tooLarge?: (index: number, maxMiB: number) => Problem;
  readonly matches?: ((feature: Feature) => boolean) | undefined;
  /** Gets each feature; false ends the answer before it. @param bytes of the feature in the file */
  readonly take: (feature: Feature, index: number, bytes: number) => boolean;
}

/**
 * Reads features in the order of the file. @returns the number of the feature with which another answer goes on, undefined at the end. An
 * answer may end before it has as many features as are wanted: one request does a fixed amount of work.
 */
export async function readFeatures(
  files: FeatureFiles,
  file: FeatureFile,
  { boxes, from, limit, bounds = usualBounds, tooLarge = featureDoor.tooLarge, matches, take }: Wanted,
): Promise<number | undefined> {
  let [taken, lookedAt, bytesLookedAt] = [0, 0, 0];
  let stoppedAt: number | undefined;

  /** Reads some features that lie beside each other; returns the number of the first that it leaves to another answer. */
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
      // What lies before it is an answer of its own.
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
    // One feature more than there is room for tells whether there are more.
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

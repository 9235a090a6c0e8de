import { indexLevels, indexNodeBytes, indexNodeSize } from './layout.ts';
import type { Box } from '../../standards/boxes.ts';
import type { FeatureFile, FeatureFiles } from './open-file.ts';
import { longAt, WrongFlatGeobuf } from './table-reader.ts';

/** Position of a feature in the file. */
export interface FeaturePlace {
  /** Zero-based number. */
  readonly index: number;
  /** Offset in the file. */
  readonly start: number;
  /** End offset, which is the start of the next feature. */
  readonly end: number;
}

/** Maximum number of nodes per walk, in addition to those of found features. */
const maxIdleNodes = 200_000;

/** Yields the positions of features whose boxes meet one of these, in file order from number `from` on; all features without boxes. */
export async function* findFeatures(
  files: FeatureFiles,
  file: FeatureFile,
  { boxes, from }: { readonly boxes: readonly Box[] | undefined; readonly from: number },
): AsyncGenerator<FeaturePlace | StoppedAt> {
  const levels = indexLevels(file.features);
  const leavesAt = levels[0]?.start ?? 0;
  let idle = 0;

  async function readNodes(first: number, count: number) {
    const start = file.indexAt + first * indexNodeBytes;
    return await files.indexBytes(file, start, count * indexNodeBytes);
  }

  /** Walks the children of a node. Ignores the child offsets in nodes: they follow from the node numbers. */
  async function* walk(level: number, first: number): AsyncGenerator<FeaturePlace | StoppedAt> {
    const { start = 0, end = 0 } = levels[level] ?? {};
    const count = Math.min(indexNodeSize, end - first);
    // One more node tells the end of the last leaf.
    const bytes = await readNodes(first, level === 0 && first + count < end ? count + 1 : count);
    for (let i = 0; i < count; i += 1) {
      const node = first + i;
      const lastLeaf = (node - start + 1) * indexNodeSize ** level - 1;
      if (lastLeaf < from) continue;
      if (boxes !== undefined && !meetsAny(bytes, i * indexNodeBytes, boxes)) {
        idle += 1;
        if (idle > maxIdleNodes) {
          yield { stoppedAt: Math.min(file.features, lastLeaf + 1) };
          return;
        }
        continue;
      }
      if (level === 0) yield placeOf(file, bytes, i, node - leavesAt);
      else {
        const below = levels[level - 1];
        for await (const found of walk(level - 1, (below?.start ?? 0) + (node - start) * indexNodeSize)) {
          yield found;
          if ('stoppedAt' in found) return;
        }
      }
    }
  }

  if (file.features > 0) yield* walk(levels.length - 1, 0);
}

/** The walk has reached the limit of one request, and continues with this feature in the next. */
export interface StoppedAt {
  readonly stoppedAt: number;
}

function placeOf(file: FeatureFile, bytes: Buffer, child: number, index: number): FeaturePlace {
  const offsetOf = (at: number) => file.featuresAt + longAt(bytes, at * indexNodeBytes + 32);
  const isLast = index === file.features - 1;
  const [start, end] = [offsetOf(child), isLast ? file.sizeBytes : offsetOf(child + 1)];
  if (start >= end || end > file.sizeBytes) throw new WrongFlatGeobuf('a feature lies outside of it');
  return { index, start, end };
}

function meetsAny(bytes: Buffer, at: number, boxes: readonly Box[]): boolean {
  const [west, south, east, north] = [0, 8, 16, 24].map((offset) => bytes.readDoubleLE(at + offset));
  if (west === undefined || south === undefined || east === undefined || north === undefined) return false;
  return boxes.some((box) => west <= box[2] && east >= box[0] && south <= box[3] && north >= box[1]);
}

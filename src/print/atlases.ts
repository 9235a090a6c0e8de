import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { z } from 'zod';
import { makerOf, resultOf, wantResult } from '../jobs/result-kinds.ts';
import type { PendingResult } from '../jobs/results.ts';
import { sheetProblems } from '../messages/drawing/english.ts';
import { AtlasOrder, prepareAtlasContent } from './atlas-content.ts';
import type { SheetDependencies } from './sheet-subject.ts';

const secondsPerSheet = 20;

const atlases = resultOf({
  name: 'atlas',
  input: AtlasOrder,
  content: z.object({ object_key: z.string() }),
  kept: sql`interval '30 days'`,
  notNow: sheetProblems.atlasFailed,
});

/** A stored atlas. */
export interface MadeAtlas {
  readonly isPending: false;
  readonly objectKey: string;
}

/**
 * Returns an atlas, or enqueues the job that makes it, once for its content. Any number of processes may call this at once.
 * @throws {Problem} when there is nothing to draw, or the last attempt failed recently
 */
export async function prepareAtlas(
  dependencies: SheetDependencies,
  order: AtlasOrder,
  signal: AbortSignal,
): Promise<MadeAtlas | PendingResult> {
  const content = await prepareAtlasContent(dependencies, order, signal);
  if (content.isPending) return content;
  const wanted = { key: content.key, input: order, datasetId: order.datasetId };
  const found = await wantResult(dependencies, atlases, wanted);
  return found.isPending ? found : { isPending: false, objectKey: found.content.object_key };
}

/** Creates the maker of atlases. @param openPrinting opens the drawing resources of one atlas */
export const createAtlasMaker = (
  openPrinting: () => { readonly printing: SheetDependencies; close(): Promise<void> },
) =>
  makerOf(atlases, async (attempt, { key, input: order }) => {
    const { printing, close } = openPrinting();
    try {
      const { signal } = attempt;
      const content = await prepareAtlasContent(printing, order, signal);
      if (content.isPending || content.key !== key) return undefined;
      const bytes = await printing.pool.run('sheets', await content.request(), {
        affinity: key,
        signal,
        deadlineMs: 1000 * secondsPerSheet * (content.sheets + 1),
      });
      return { object_key: await attempt.store('atlas', '.pdf', Readable.from([Buffer.from(bytes.buffer)])) };
    } finally {
      await close();
    }
  });

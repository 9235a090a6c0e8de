import type { z } from 'zod';
import { EngineDied } from '../geo/engine.ts';
import type { Errand, GdalChildren } from '../geo/gdal/children.ts';
import { InspectionResult } from '../landscape/compute/batch.ts';
import { type ComputeTask, type LandscapeEngine, SourceUnreadable } from '../landscape/compute/engine.ts';
import { Computed, type LandscapeRequest } from './landscape-messages.ts';

const entry = new URL('./landscape-child.ts', import.meta.url);

/** The landscape engine that computes in children with GDAL, in the sandbox of all of them. */
export function createLandscapeEngine(children: GdalChildren): LandscapeEngine {
  const ask = async <T>(
    request: z.infer<typeof LandscapeRequest>,
    result: Errand<T>['result'],
    { scratch, signal }: ComputeTask<unknown>,
  ): Promise<T> => {
    const reply = await children.run({ entry, request, result, drivers: 'raster', scratch, signal });
    if (reply.outcome === 'done') return reply.result;
    // No file of a user's is to blame for how long a batch takes.
    throw new EngineDied(
      reply.outcome === 'overdue' ? 'the landscape engine was over its deadline' : reply.message,
    );
  };
  return {
    inspect: (task) => ask({ task: 'inspect', work: task.work }, InspectionResult, task),
    async compute(task) {
      const computed = await ask({ task: 'compute', work: task.work }, Computed, task);
      if ('unreadable' in computed) throw new SourceUnreadable(computed.unreadable);
      return computed.result;
    },
  };
}

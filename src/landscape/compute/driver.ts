import type { z } from 'zod';
import { EngineDied } from '../../geo/engine.ts';
import type { GdalChildren } from '../../geo/parent/children.ts';
import type { EngineRequest } from '../../geo/parent/engine-request.ts';
import {
  type BandFile,
  InspectionResult,
  type LandscapeEngine,
  OutsideWindows,
  WindowsFound,
  SourceUnreadable,
  Computed,
  Moved,
  type LandscapeRequest,
} from './landscape-engine.ts';

const entry = new URL('./child/main.ts', import.meta.url);

/** Creates the landscape engine that computes in sandboxed child processes with GDAL. */
export function createLandscapeEngine(children: GdalChildren): LandscapeEngine {
  let compiled: Promise<void> | undefined;
  const ask = async <T>(
    request: z.infer<typeof LandscapeRequest>,
    result: EngineRequest<T>['result'],
    task: Pick<EngineRequest<T>, 'folders' | 'signal'>,
  ): Promise<T> => {
    // Without compiled modules, child processes start more slowly but give the same results.
    await (compiled ??= children.compile(entry).catch(() => undefined));
    const inputs = request.work.sources.map(({ path }) => path);
    const reply = await children.run({ entry, request, result, drivers: 'raster', inputs, ...task });
    // The file of a user is never the cause of a timeout or of too much output.
    if (reply.outcome !== 'done')
      throw new EngineDied(`the landscape engine gave no result: ${reply.outcome}`);
    return reply.result;
  };
  return {
    inspect: ({ work, scratch, signal }) =>
      ask({ task: 'inspect', work }, InspectionResult, { folders: [scratch], signal }),
    async findWindows({ work, scratch, signal }) {
      const found = await ask({ task: 'find-windows', work }, WindowsFound, { folders: [scratch], signal });
      if ('unreadable' in found) throw new SourceUnreadable(found.unreadable);
      const isComplete = ({ key }: BandFile) => found.windows[key]?.length === work.windows.length;
      if (!work.sources.every(isComplete))
        throw new EngineDied('the landscape engine has found windows of other sources');
      return found.windows;
    },
    async moveInputs({ work, scratch, signal }) {
      const moved = await ask({ task: 'move-inputs', work }, Moved, { folders: [scratch], signal });
      if ('unreadable' in moved) throw new SourceUnreadable(moved.unreadable);
      if (moved.blocks.length !== work.blocks.length)
        throw new EngineDied('the landscape engine has moved inputs of other blocks');
      return moved.blocks;
    },
    async compute({ work, scratch, signal }) {
      const folders = [scratch, work.folder] as const;
      const computed = await ask({ task: 'compute', work }, Computed, { folders, signal });
      if ('unreadable' in computed) throw new SourceUnreadable(computed.unreadable);
      if ('outside' in computed) throw new OutsideWindows(computed.outside);
      const { sources, parts, seconds, gaps } = computed.result;
      const own = async (path: string) => await children.ownResult(work.folder, path);
      return {
        sources,
        parts: await Promise.all(
          parts.map(async ({ paths, ...part }) => ({ ...part, paths: await Promise.all(paths.map(own)) })),
        ),
        seconds,
        ...(gaps && { gaps }),
      };
    },
  };
}

import { EngineDied, UnprocessableFile } from '../../geo/engine.ts';
import { engineProblems } from '../../messages/raster/english.ts';
import type { GdalChildren } from '../../geo/parent/children.ts';
import type { EngineRequest } from '../../geo/parent/engine-request.ts';
import {
  type BandFile,
  type Batch,
  InspectionResult,
  type LandscapeEngine,
  WindowsFound,
  Computed,
  Moved,
  type LandscapeRequest,
} from './landscape-engine.ts';
import { OutsideWindows, SourceUnreadable } from './source-errors.ts';
import { MadeInput } from './input-work.ts';

/** Making an input may take as many times the deadline of an upload: its grid is often larger than its sources. */
const slowestInput = 8;

const entry = new URL('./child/main.ts', import.meta.url);
const makingEntry = new URL('./child/make/main.ts', import.meta.url);

/** Compiles the modules of a program before its first start. Without them, child processes start more slowly but give the same results. */
function createCompiler(children: GdalChildren) {
  const compiled = new Map<URL, Promise<void>>();
  return async (program: URL): Promise<void> => {
    const known = compiled.get(program) ?? children.compile(program).catch(() => undefined);
    compiled.set(program, known);
    await known;
  };
}

/** Creates the landscape engine that computes in sandboxed child processes with GDAL. */
export function createLandscapeEngine(children: GdalChildren): LandscapeEngine {
  const compile = createCompiler(children);
  type Task<T> = Pick<EngineRequest<T>, 'folders' | 'signal' | 'rest'>;
  const send = async <T>(
    request: Pick<EngineRequest<T>, 'request' | 'result'>,
    { sources }: Pick<Batch, 'sources'>,
    task: Task<T>,
  ): Promise<T> => {
    await compile(entry);
    const inputs = sources.map(({ path }) => path);
    const reply = await children.run({ entry, ...request, drivers: 'raster', inputs, ...task });
    // The file of a user is never the cause of a timeout or of too much output.
    if (reply.outcome !== 'done')
      throw new EngineDied(`the landscape engine gave no result: ${reply.outcome}`);
    return reply.result;
  };
  const ask = async <T>(request: LandscapeRequest, result: EngineRequest<T>['result'], task: Task<T>) =>
    await send({ request, result }, request.work, task);
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
    async makeInput({ work, scratch, signal, onProgress }) {
      const deadlineSeconds = slowestInput * children.deadlineSeconds;
      await compile(makingEntry);
      const reply = await children.run({
        entry: makingEntry,
        request: { task: 'make-input', work },
        result: MadeInput,
        drivers: 'raster',
        inputs: work.sources.map(({ path }) => path),
        folders: [scratch, work.folder],
        signal,
        onProgress,
        deadlineSeconds,
      });
      if (reply.outcome === 'problem')
        throw new UnprocessableFile(reply.message, reply.findings, { sentence: reply.sentence });
      if (reply.outcome === 'overdue') throw engineProblems.overDeadline(Math.round(deadlineSeconds / 60));
      if (reply.outcome !== 'done')
        throw new EngineDied(`the landscape engine made no input: ${reply.outcome}`);
      const { path, figures } = reply.result;
      return { path: await children.ownResult(work.folder, path), figures };
    },
    async compute({ files, batch, scratch, signal }) {
      const folders = [scratch, files.folder] as const;
      const rest = batch.then((work) => ({ work }));
      const request = { request: { task: 'compute' }, result: Computed };
      const computed = await send(request, files, { rest, folders, signal });
      if ('unreadable' in computed) throw new SourceUnreadable(computed.unreadable);
      if ('outside' in computed) throw new OutsideWindows(computed.outside);
      const { sources, parts, seconds, gaps } = computed.result;
      const own = async (path: string) => await children.ownResult(files.folder, path);
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

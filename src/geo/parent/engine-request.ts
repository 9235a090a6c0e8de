import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { ResourceError } from '../../common/resource-error.ts';
import { EngineDied } from '../engine.ts';
import type { Findings } from '../findings.ts';
import { childCommand } from './sandbox/command.ts';
import { childEnvironment } from './sandbox/environment.ts';
import { exceedsFileLimit } from './sandbox/file-limit.ts';
import type { Isolation, Reach } from './sandbox/isolation.ts';
import type { Layer } from '../layers.ts';
import type { Ceilings, Limits } from './sandbox/limits.ts';
import { type Ending, superviseChild } from './sandbox/supervise.ts';
import type { Tools } from './sandbox/tools.ts';
import type { DriverSet } from '../drivers.ts';
import { Answer } from '../protocol.ts';

/** One request for one child. */
export interface Errand<T> {
  /** The program of the child; it answers with `answerOnce`. */
  readonly entry: URL;
  readonly request: { readonly task: string; readonly [field: string]: unknown };
  readonly result: z.ZodType<T>;
  readonly drivers: DriverSet;
  /** Whatever the request names: the child sees no other file. */
  readonly inputs: readonly string[];
  /** Existing folders; the first one is empty, and the child lives there. */
  readonly folders: Reach['folders'];
  /** Beside the bound of memory, which is the same for all. */
  readonly limits?: Omit<Limits, 'memoryBytes'>;
  /** Kills the child and everything it started. */
  readonly signal: AbortSignal;
}

/** What became of an errand. A `problem` is the file's fault and a sentence for the user. */
export type Reply<T> =
  | { readonly outcome: 'done'; readonly result: T; readonly findings: Findings }
  | { readonly outcome: 'problem'; readonly message: string; readonly findings: Findings }
  | { readonly outcome: 'overdue'; readonly by: 'deadline' | 'processor time' }
  /** It wanted to write a larger file than its limits allow. */
  | { readonly outcome: 'too-large'; readonly fileBytes: number };

/** What is the same for all children of a process. */
export interface ChildSettings {
  readonly tools: Tools;
  readonly ceilings: Ceilings;
  readonly memoryBytes: number;
  /** Empty but in tests. */
  readonly withoutLayers: readonly Layer[];
  readonly log: { info(event: object, message: string): void; warn(event: object, message: string): void };
}

/** How one child is started. */
export interface Way {
  readonly isolation: Isolation;
  readonly skippedDrivers: readonly string[];
  readonly deadlineSeconds: number;
}

/**
 * Has a child do an errand.
 * @throws {EngineDied} when the child ended without an answer.
 * @throws {ResourceError} when the machine kept it from its work.
 * @throws the signal's reason when that killed it.
 */
export async function runErrand<T>(
  settings: ChildSettings,
  errand: Omit<Errand<T>, 'drivers'>,
  way: Way,
): Promise<Reply<T>> {
  const { log, withoutLayers } = settings;
  const startedAt = performance.now();
  const ending = await startChild(settings, errand, way);
  const event = { task: errand.request.task, ms: Math.round(performance.now() - startedAt) };
  if (ending.how === 'aborted') throw errand.signal.reason;
  if (ending.how === 'overdue') {
    log.warn({ ...event, by: ending.by }, 'geo engine child was over its time');
    return { outcome: 'overdue', by: ending.by };
  }
  if (ending.how === 'died') {
    log.warn({ ...event, reason: ending.reason }, 'geo engine child died');
    throw new EngineDied(`the geo engine ended without an answer: ${ending.reason}`);
  }
  const answer = validateEngineOutput(Answer, ending.answer);
  if (answer.outcome === 'problem') return answer;
  if (answer.outcome === 'done')
    return { ...answer, result: validateEngineOutput(errand.result, answer.result) };
  log.warn({ ...event, reason: answer.message }, 'geo engine child failed');
  if (answer.outcome === 'fault') throw new EngineDied(`the geo engine failed: ${answer.message}`);
  const fileBytes = withoutLayers.includes('limits') ? undefined : errand.limits?.fileBytes;
  if (fileBytes !== undefined && (await exceedsFileLimit(errand.folders, fileBytes)))
    return { outcome: 'too-large', fileBytes };
  throw new ResourceError(`the geo engine lacks resources: ${answer.message}`);
}

async function startChild(
  { tools, ceilings, memoryBytes, withoutLayers }: ChildSettings,
  errand: Omit<Errand<unknown>, 'drivers' | 'result'>,
  way: Way,
): Promise<Ending> {
  const isOff = (layer: Layer): boolean => withoutLayers.includes(layer);
  const { request, inputs, folders, signal } = errand;
  const { isolation, skippedDrivers } = way;
  return await superviseChild({
    command: childCommand({
      tools,
      ceilings,
      isolation,
      reach: { entry: fileURLToPath(errand.entry), inputs, folders },
      limits: isOff('limits') ? undefined : { memoryBytes, ...errand.limits },
      withoutLayers,
    }),
    env: isOff('fixed-environment') ? undefined : childEnvironment({ scratch: folders[0], skippedDrivers }),
    cwd: folders[0],
    request,
    deadlineSeconds: isOff('supervision') ? undefined : way.deadlineSeconds,
    signal,
  });
}

/**
 * Validates what a child says like a user's input: a hostile file may have taken the child over.
 * @throws {EngineDied} when it does not fit the schema.
 */
export function validateEngineOutput<T>(schema: z.ZodType<T>, said: unknown): T {
  const read = schema.safeParse(said);
  if (read.success) return read.data;
  throw new EngineDied('the geo engine ended without an answer: it answered nonsense');
}

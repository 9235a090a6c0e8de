import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { ResourceError } from '../../lib/errors.ts';
import { Answer } from '../protocol.ts';
import type { DriverSet } from '../child-program.ts';
import { engineChildren, engineEnds, enginePeak } from '../../metrics/instruments.ts';
import { inSpan, type Span, type SpanAttributes } from '../../tracing/tracing.ts';
import { EngineDied } from '../engine.ts';
import type { Sentence } from '../../lib/message.ts';
import type { Findings } from '../findings.ts';
import {
  childEnvironment,
  type Isolation,
  isolationArguments,
  type Reach,
  type Tools,
} from './sandbox/isolation.ts';
import { projVariables, type ReferenceSystems } from './reference-systems.ts';
import { type Ceilings, heapArguments, limitArguments, type Limits } from './sandbox/limits.ts';
import { exceedsFileLimit, type Ending, superviseChild } from './sandbox/supervise.ts';

/** Program of the geo engine's own children. */
export const geoEntry = new URL('../child/main.ts', import.meta.url);

const stepName = /^[a-z_]{1,20}$/;
const maxSteps = 20;

export interface EngineRequest<T> {
  /** Program of the child, which answers with `answerOnce`. */
  readonly entry: URL;
  readonly request: { readonly task: string; readonly [field: string]: unknown };
  /** Further fields of the request: the child starts and loads its program while it waits for them; their failure ends it. */
  readonly rest?: Promise<object> | undefined;
  readonly result: z.ZodType<T>;
  readonly drivers: DriverSet;
  /** All files that the request names: the child sees no other. */
  readonly inputs: readonly string[];
  /** Existing folders; the first one is empty, and is the child's working directory. */
  readonly folders: Reach['folders'];
  /** Limits besides memory, which is the same for all. */
  readonly limits?: Omit<Limits, 'memoryBytes'>;
  /** Timeout; by default that of an upload. */
  readonly deadlineSeconds?: number;
  /** Kills the child and everything that it has started. */
  readonly signal: AbortSignal;
  /** See `EngineTask`. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

/**
 * `problem` is a fault of the file, with a sentence for the user and a `reason` for the log; `too-large` means that a
 * file exceeds the limits.
 */
export type EngineResponse<T> =
  | { readonly outcome: 'done'; readonly result: T; readonly findings: Findings }
  | {
      readonly outcome: 'problem';
      readonly message: string;
      readonly sentence?: Sentence | undefined;
      readonly reason?: string | undefined;
      readonly findings: Findings;
    }
  /** Nothing is done yet: the raster has this many values according to the child. */
  | { readonly outcome: 'needs-time'; readonly values: number }
  | { readonly outcome: 'overdue'; readonly by: 'deadline' | 'processor time' }
  | { readonly outcome: 'too-large'; readonly fileBytes: number };

export interface ChildSettings {
  readonly tools: Tools;
  readonly ceilings: Ceilings;
  readonly memoryBytes: number;
  readonly isolation: Isolation;
  readonly referenceSystems: ReferenceSystems;
  readonly skippedDrivers: readonly string[];
  readonly deadlineSeconds: number;
  /** 0 by default. */
  readonly niceness?: number;
  readonly log: { info(event: object, message: string): void; warn(event: object, message: string): void };
}

/** Starts a child for a request and waits for its end. */
export type StartChild = (
  settings: ChildSettings,
  request: Omit<EngineRequest<unknown>, 'drivers' | 'result'>,
) => Promise<Ending>;

/**
 * Sends a request to a new child.
 * @throws {EngineDied} if the child ends without an answer.
 * @throws {ResourceError} if the machine prevents the work.
 * @throws the signal's reason if that killed it.
 */
export async function sendRequest<T>(
  settings: ChildSettings,
  request: Omit<EngineRequest<T>, 'drivers'>,
  start: StartChild,
): Promise<EngineResponse<T>> {
  const attributes = { 'steppe.engine.isolation': settings.isolation };
  const description = { name: `engine ${request.request.task}`, kind: 'client', attributes } as const;
  return await inSpan(description, async (span) => {
    const startedAt = performance.now();
    engineChildren.inc();
    const ending = await start(settings, request).finally(() => engineChildren.dec());
    const ms = Math.round(performance.now() - startedAt);
    return await responseTo(ending, settings, { ...request, ms, span });
  });
}

async function responseTo<T>(
  ending: Ending,
  { log, memoryBytes }: ChildSettings,
  {
    request: { task },
    result,
    folders,
    rest,
    limits,
    signal,
    ms,
    span,
  }: Omit<EngineRequest<T>, 'drivers'> & { readonly ms: number; readonly span: Span },
): Promise<EngineResponse<T>> {
  engineEnds.inc({ how: ending.how });
  span.set({ 'steppe.engine.ending': ending.how });
  const event = { task, ms };
  if (ending.how === 'aborted') throw signal.aborted ? signal.reason : await failureOf(rest);
  if (ending.how === 'overdue') {
    log.warn({ ...event, by: ending.by }, 'geo engine child was over its time');
    return { outcome: 'overdue', by: ending.by };
  }
  if (ending.how === 'died') {
    log.warn({ ...event, reason: ending.reason }, 'geo engine child died');
    throw new EngineDied(`the geo engine ended without an answer: ${ending.reason}`);
  }
  const answer = validateEngineOutput(Answer, ending.answer);
  span.set({ 'steppe.engine.outcome': answer.outcome });
  // The child may report any number, so that it is capped at the child's limit.
  if (answer.peakBytes !== undefined) enginePeak.observe(Math.min(answer.peakBytes, memoryBytes));
  if (answer.outcome === 'done' || answer.outcome === 'problem') span.set(secondsOf(answer.findings));
  if (answer.outcome === 'problem' || answer.outcome === 'needs-time') return answer;
  if (answer.outcome === 'done') return { ...answer, result: validateEngineOutput(result, answer.result) };
  log.warn({ ...event, reason: answer.message }, 'geo engine child failed');
  if (answer.outcome === 'fault') throw new EngineDied(`the geo engine failed: ${answer.message}`);
  const fileBytes = limits?.fileBytes;
  if (fileBytes !== undefined && (await exceedsFileLimit(folders, fileBytes)))
    return { outcome: 'too-large', fileBytes };
  throw new ResourceError(`the geo engine lacks resources: ${answer.message}`);
}

/** Returns the failure that has ended a child which waited for the rest of its request. */
async function failureOf(rest: Promise<object> | undefined): Promise<unknown> {
  return await rest?.then(
    () => new Error('a child was ended without a reason'),
    (error: unknown) => error,
  );
}

/** Durations of steps as the child reports them; unknown names may contain anything and are dropped. */
function secondsOf({ timings }: Findings): SpanAttributes {
  const known = Object.entries(timings).filter(([step]) => stepName.test(step));
  return Object.fromEntries(
    known.slice(0, maxSteps).map(([step, seconds]) => [`steppe.engine.${step}_seconds`, seconds]),
  );
}

/** Starts a child with all protections. */
export const startGuarded: StartChild = async (
  settings,
  { entry, inputs, folders, limits, deadlineSeconds = settings.deadlineSeconds, ...task },
) => {
  const { memoryBytes, isolation, referenceSystems, skippedDrivers } = settings;
  const reach = { entry: fileURLToPath(entry), inputs: [...inputs, ...referenceSystems.folders], folders };
  return await superviseChild({
    command: childCommand(settings, isolation, reach, { memoryBytes, ...limits }),
    env: {
      ...childEnvironment(folders[0], skippedDrivers, memoryBytes),
      ...projVariables(referenceSystems),
    },
    cwd: folders[0],
    request: task.request,
    rest: task.rest,
    deadlineSeconds,
    niceness: settings.niceness,
    signal: task.signal,
    onProgress: task.onProgress,
  });
};

/**
 * Returns the command line of a child. Every tool is replaced by the next one or ends with it: setpriv makes the kernel
 * kill the child when its parent dies, prlimit sets limits, and the isolation comes last.
 * @throws {Error} if the system lacks the tools for the isolation.
 */
export function childCommand(
  { tools, ceilings, niceness = 0 }: Pick<ChildSettings, 'tools' | 'ceilings' | 'niceness'>,
  isolation: Isolation,
  reach: Reach,
  limits: Limits | undefined,
): readonly [command: string, ...args: string[]] {
  const isolated = isolationArguments(isolation, tools, reach);
  if (isolated === undefined) throw new Error(`the tools for ${isolation} are not installed`);
  const { setpriv, prlimit, nice } = tools;
  // bubblewrap drops privileges itself, and unshare requires those that it is given.
  const privileges = isolation === 'none' ? ['--no-new-privs'] : [];
  const isLimited = prlimit !== undefined && limits !== undefined;
  const [command, ...args] = [
    ...(setpriv === undefined ? [] : [setpriv, '--pdeathsig', 'KILL', ...privileges, '--']),
    ...(nice === undefined || niceness === 0 ? [] : [nice, '-n', String(niceness), '--']),
    ...(isLimited ? [prlimit, ...limitArguments(limits, ceilings), '--'] : []),
    ...isolated,
    process.execPath,
    ...heapArguments(limits ?? {}),
    reach.entry,
  ];
  return [command, ...args];
}

/**
 * Validates the output of a child like user input: a hostile file may have taken the child over.
 * @throws {EngineDied} if it does not fit the schema.
 */
export function validateEngineOutput<T>(schema: z.ZodType<T>, said: unknown): T {
  const read = schema.safeParse(said);
  if (read.success) return read.data;
  throw new EngineDied('the geo engine ended without an answer: it answered nonsense');
}

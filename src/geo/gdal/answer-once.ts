import './trim-gdal-async.ts';
import { flushCompileCache } from 'node:module';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { messageOf } from '../../lib/error-facts.ts';
import { isResourceError, Problem } from '../../lib/errors.ts';
import { KiB } from '../../lib/units.ts';
import { engineProblems } from '../../messages/raster/english.ts';
import { createFindings, type FindingsCollector } from '../gather-findings.ts';
import type { Answer } from '../protocol.ts';
import { answerDescriptor } from '../child-program.ts';
import { NeedsTime, tellProgressTo } from './progress.ts';
import { isOutOfMemory } from './last-error.ts';

/** Performs a request of the parent, which is trusted. */
type Perform<Request> = (request: Request, findings: FindingsCollector) => Promise<unknown>;

/**
 * Runs the life of a child: reads one request from standard input, answers it once and is killed by its parent. If the
 * parent dies before, which closes the input, the child exits.
 * @param loadRest loads the modules that only some requests need, when the modules are compiled for later children
 */
export function answerOnce<Request>(perform: Perform<Request>, loadRest?: () => Promise<void>): void {
  const requests = createInterface({ input: process.stdin });
  requests.once('line', (line) => {
    let toParent: Socket | undefined;
    const tell = (text: string): void => {
      toParent ??= new Socket({ fd: answerDescriptor, readable: false });
      toParent.write(`${text}\n`);
    };
    tellProgressTo((share) => tell(share.toFixed(3)));
    void answer(line, perform, loadRest).then((answered) => {
      const peakBytes = process.resourceUsage().maxRSS * KiB;
      tell(JSON.stringify({ ...answered, peakBytes }));
    });
  });
  requests.once('close', () => process.kill(process.pid, 'SIGKILL'));
}

/** Converts the result of one request, a line of JSON, to the answer. */
export async function answer<Request>(
  line: string,
  perform: Perform<Request>,
  loadRest?: () => Promise<void>,
): Promise<Answer> {
  const findings = createFindings();
  try {
    const request = JSON.parse(line);
    const isCompiling = request.task === 'compile';
    if (isCompiling) await loadRest?.();
    const result = isCompiling ? flushCompileCache() : await perform(request, findings);
    return { outcome: 'done', result, findings: findings.gathered() };
  } catch (error) {
    if (error instanceof NeedsTime) return { outcome: 'needs-time', values: error.values };
    const known = error instanceof Problem || !isOutOfMemory(error) ? error : engineProblems.needsMemory();
    if (known instanceof Problem) {
      const reason = known.cause === undefined ? {} : { reason: messageOf(known.cause) };
      const sentence = known.sentence && { code: known.sentence.code, facts: [...known.sentence.facts] };
      return {
        outcome: 'problem',
        message: known.message,
        sentence,
        ...reason,
        findings: findings.gathered(),
      };
    }
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { outcome: isResourceError(error) ? 'no-resources' : 'fault', message: text };
  }
}

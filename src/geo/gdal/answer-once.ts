import { Problem } from '../../errors.ts';
import { isResourceError } from './faults.ts';
import { createFindings, type FindingsCollector } from './findings-collector.ts';
import type { Answer } from './messages.ts';

/**
 * The life of a child: it takes one request over IPC, answers it once and is killed by its parent; when the parent is
 * gone before that, it ends by itself.
 */
export function answerOnce(
  perform: (request: unknown, findings: FindingsCollector) => Promise<unknown>,
): void {
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.once('message', (request) => {
    void answer(request, perform).then((answered) => process.send?.(answered));
  });
}

async function answer(request: unknown, perform: Parameters<typeof answerOnce>[0]): Promise<Answer> {
  const findings = createFindings();
  try {
    const result = await perform(request, findings);
    return { outcome: 'done', result, findings: findings.gathered() };
  } catch (error) {
    if (error instanceof Problem) {
      return { outcome: 'problem', message: error.message, findings: findings.gathered() };
    }
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { outcome: isResourceError(error) ? 'no-resources' : 'fault', message: text };
  }
}

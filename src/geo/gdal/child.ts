/**
 * The process in which GDAL runs. It takes one request over IPC, answers it once and is killed by its parent; when the
 * parent is gone before that, it ends by itself.
 */
import { Problem } from '../../errors.ts';
import { createFindings, type FindingsCollector } from './findings-collector.ts';
import { isResourceError } from './faults.ts';
import { Request, type Answer, type Work } from './messages.ts';

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.once('message', (message) => {
  void answer(message).then((answered) => process.send?.(answered));
});

async function answer(message: unknown): Promise<Answer> {
  const findings = createFindings();
  try {
    const result = await perform(Request.parse(message), findings);
    return { outcome: 'done', result, findings: findings.gathered() };
  } catch (error) {
    if (error instanceof Problem) {
      return { outcome: 'problem', message: error.message, findings: findings.gathered() };
    }
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { outcome: isResourceError(error) ? 'no-resources' : 'fault', message: text };
  }
}

async function perform(request: Request, findings: FindingsCollector): Promise<unknown> {
  if (request.task === 'probe') return (await import('./load.ts')).describeGdal();
  return await tasks[request.task](request, findings);
}

/** GDAL is loaded by the tasks that need it, after the check that no driver but the allowed ones is registered. */
const tasks: Readonly<Record<Work['task'], (work: Work, findings: FindingsCollector) => Promise<unknown>>> = {
  async raster(work, findings) {
    (await import('./load.ts')).refuseForeignDrivers('raster');
    return (await import('./raster/convert.ts')).convertRaster(work, findings);
  },
  async vector(work, findings) {
    (await import('./load.ts')).refuseForeignDrivers('vector');
    return (await import('./vector/assemble.ts')).assembleVector(work, findings);
  },
  async table(work, findings) {
    return (await import('./vector/table.ts')).readTable(work, findings);
  },
  async features(work, findings) {
    (await import('./load.ts')).refuseForeignDrivers('vector');
    return (await import('./vector/features.ts')).readFeatureTable(work, findings);
  },
};

/**
 * The process in which GDAL runs. It takes one request over IPC, answers it once and is killed by its parent; when the
 * parent is gone before that, it ends by itself.
 */
import { Problem } from '../../errors.ts';
import { isResourceError } from './faults.ts';
import { Request, type Answer, type Work } from './messages.ts';

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.once('message', (message) => {
  void answer(message).then((answered) => process.send?.(answered));
});

async function answer(message: unknown): Promise<Answer> {
  try {
    return { outcome: 'done', result: await perform(Request.parse(message)) };
  } catch (error) {
    if (error instanceof Problem) return { outcome: 'problem', message: error.message };
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { outcome: isResourceError(error) ? 'no-resources' : 'fault', message: text };
  }
}

async function perform(request: Request): Promise<unknown> {
  return request.task === 'probe' ? (await import('./load.ts')).describeGdal() : tasks[request.task](request);
}

/** GDAL is loaded by the tasks that need it, after the check that no driver but the allowed ones is registered. */
const tasks: Readonly<Record<Work['task'], (work: Work) => Promise<unknown>>> = {
  async raster(work) {
    (await import('./load.ts')).refuseForeignDrivers('raster');
    return (await import('./raster/convert.ts')).convertRaster(work);
  },
  async vector(work) {
    (await import('./load.ts')).refuseForeignDrivers('vector');
    return (await import('./vector/assemble.ts')).assembleVector(work);
  },
  async table(work) {
    return (await import('./vector/table.ts')).readTable(work);
  },
  async features(work) {
    (await import('./load.ts')).refuseForeignDrivers('vector');
    return (await import('./vector/features.ts')).readFeatureTable(work);
  },
};

import { httpRequests, httpSeconds } from '../../metrics/instruments.ts';
import type { App } from '../request/schemas.ts';
import { isProbe } from './probes.ts';

/** Counts answers by the template of their route, so that ids make no series of their own; probes are not counted. */
export function addRequestMetrics(app: App): void {
  app.addHook(
    'onResponse',
    ({ method, routeOptions: { url } }, { statusCode: status, elapsedTime }, done) => {
      if (!isProbe(url)) {
        const route = url ?? 'none';
        httpRequests.inc({ route, method, status });
        httpSeconds.observe({ route, method }, elapsedTime / 1000);
      }
      done();
    },
  );
}

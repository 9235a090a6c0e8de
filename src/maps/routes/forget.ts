import type { App } from '../../http/request/schemas.ts';
import type { Maps } from '../service/maps.ts';

/**
 * Before a change by this process is answered, maps forget what they knew; changes by other processes are heard from the database. What is
 * refused has changed nothing.
 */
export function forgetWhatIsChanged(app: App, { maps }: { readonly maps: Maps }): void {
  app.addHook('onSend', ({ method, routeOptions }, { statusCode }, _payload, done) => {
    const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(method) || routeOptions.config.changesNothing === true;
    if (!isRead && statusCode < 400) maps.forgetAll();
    done();
  });
}

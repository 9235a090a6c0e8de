import type { App } from '../../http/request/schemas.ts';
import type { Maps } from '../service/maps.ts';

/**
 * Drops cached maps before this process answers a change; changes by other processes arrive as database notifications.
 * A refused request has changed nothing.
 */
export function forgetWhatIsChanged(app: App, { maps }: { readonly maps: Maps }): void {
  app.addHook('onSend', ({ method, routeOptions }, { statusCode }, _payload, done) => {
    const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(method) || routeOptions.config.changesNothing === true;
    if (!isRead && statusCode < 400) maps.forgetAll();
    done();
  });
}

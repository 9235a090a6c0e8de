import type { App } from '../http/request/schemas.ts';
import { registerLegendRoutes } from './routes/legends.ts';
import { registerMapDescriptionRoutes } from './routes/descriptions.ts';
import { registerRasterTileRoutes } from './routes/raster-tiles.ts';
import type { Services } from '../runtime/api/services.ts';
import { registerThumbnailRoutes } from './routes/thumbnails.ts';
import { registerVectorTileRoutes } from './routes/vector-tiles.ts';

/** Registers all that is drawn for maps of other programs. */
export function registerMapRoutes(app: App, services: Services): void {
  forgetWhatIsChanged(app, services);
  registerRasterTileRoutes(app, services);
  registerVectorTileRoutes(app, services);
  registerMapDescriptionRoutes(app, services);
  registerLegendRoutes(app, services);
  registerThumbnailRoutes(app, services);
}

/**
 * Before a change by this process is answered, maps forget what they knew; changes by other processes are heard from the database. What is
 * refused has changed nothing.
 */
function forgetWhatIsChanged(app: App, { maps }: Services): void {
  app.addHook('onSend', ({ method, routeOptions }, { statusCode }, _payload, done) => {
    const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(method) || routeOptions.config.changesNothing === true;
    if (!isRead && statusCode < 400) maps.forgetAll();
    done();
  });
}

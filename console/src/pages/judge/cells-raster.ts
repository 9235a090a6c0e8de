import type { Box } from '../../map/place/boxes.ts';
import { asLayerFailure, LayerFailure } from '../../map/layers/read-layer.ts';
import { rangeAuthorization, readDataset, readProj } from '../../map/layers/layer-requests.ts';
import { mapSources } from '../../map/map-state.ts';
import { placeOf, type RasterPlace } from '../../raster/projection.ts';

/** The layer of cells of a run, which the worker has opened. */
export interface CellsRaster {
  readonly url: string;
  readonly place: RasterPlace;
  readonly box: Box;
}

/** Opens the layer of cells. The layer has the grid of the run, whose place the zoning gives. @throws {LayerFailure} */
export async function openCells(runId: string, zoningId: string): Promise<CellsRaster> {
  const { rasters } = mapSources();
  const url = new URL(`landscape/runs/${runId}/layers/cells.cog`, document.baseURI).href;
  try {
    const [, opened, proj, { bbox: box }] = await Promise.all([
      rasters.authorize(rangeAuthorization()),
      rasters.open({ url }),
      readProj(zoningId),
      readDataset(zoningId),
    ]);
    const place = placeOf(opened, proj);
    if (place === undefined || box === undefined) throw new LayerFailure('no_place');
    return { url, place, box };
  } catch (error) {
    throw asLayerFailure(error);
  }
}

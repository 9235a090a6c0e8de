import type { RasterReader } from '../../geo/raster-reader.ts';
import { bandByKey, nodeByCode } from '../graph/graph.ts';
import { isElevation } from '../graph/zoning-inputs.ts';
import { lagsOf } from '../grid/reference-grid.ts';
import { withHalo } from '../model/tiles.ts';
import { haloOf } from './evaluate-tile.ts';
import type { FoundWindows, WindowSearch } from './landscape-engine.ts';
import { openSources } from './sources.ts';

/** Finds the window of each source that is needed for windows of the grid; pixels are not read. @throws {SourceUnreadable} */
export async function findWindows(reader: RasterReader, search: WindowSearch): Promise<FoundWindows> {
  const { grid } = search;
  const nodes = search.nodes.map((code) => known(nodeByCode(code), code));
  const files = search.sources.map(({ key, path }) => ({ band: known(bandByKey(key), key), path }));
  const halo = haloOf(nodes, lagsOf(grid));
  using sources = await openSources(reader, grid, files);
  const windowsOn = (band: (typeof files)[number]['band']) =>
    search.windows.map((window) => {
      const needed = isElevation(band) ? withHalo(window, halo, grid) : window;
      return sources.windowOn(band.key, needed) ?? null;
    });
  return Object.fromEntries(files.map(({ band }) => [band.key, windowsOn(band)]));
}

function known<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new Error(`the graph knows no ${name}`);
  return found;
}

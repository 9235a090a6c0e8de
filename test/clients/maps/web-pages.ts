import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listenOn } from '../../support/ports.ts';
import { projectRoot } from '../../support/project.ts';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
};
const root = pathToFileURL(projectRoot).href;
/** Paths of packages, as a bundler resolves them. */
const imports = {
  'maplibre-gl': `/${import.meta.resolve('maplibre-gl').slice(root.length)}`,
  'ol/': '/node_modules/ol/',
  rbush: '/node_modules/rbush/index.js',
  quickselect: '/node_modules/quickselect/index.js',
};

/** Program of a page with a map without layers, at an integer zoom. */
export const emptyMap = `import { Map } from 'maplibre-gl';
const answer = await fetch('https://steppe.example/dataset-groups/ID/tilejson.json');
const [lon, lat, zoom] = (await answer.json()).center;
const style = { version: 8, center: [lon, lat], zoom, sources: {}, layers: [] };
const map = new Map({ container: 'map', style });
await map.once('load');`;

/** A page of 800 × 600 pixels with only a map, which its program calls `map`. */
function pageOf(program: string): string {
  return `<!doctype html>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/node_modules/maplibre-gl/dist/maplibre-gl.css">
<style>body { margin: 0 } #map { width: 800px; height: 600px } .ol-control, .maplibregl-control-container { display: none }</style>
<script type="importmap">${JSON.stringify({ imports })}</script>
<div id="map"></div>
<script type="module">
${program}
globalThis.map = map;
</script>`;
}

/** Serves pages of the programs by name, and the packages that they import, as a site of another origin than the service. */
export async function servePages(programs: ReadonlyMap<string, string>) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://127.0.0.1');
    const program = programs.get(pathname.slice(1));
    if (program !== undefined) {
      response.setHeader('content-type', 'text/html; charset=utf-8').end(pageOf(program));
      return;
    }
    const type = pathname.startsWith('/node_modules/') ? types[extname(pathname)] : undefined;
    if (type === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('content-type', type);
    createReadStream(join(projectRoot, pathname))
      .on('error', () => response.destroy())
      .pipe(response);
  });
  return {
    origin: `http://127.0.0.1:${await listenOn(server)}`,
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

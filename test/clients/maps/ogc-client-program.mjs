// Reads Steppe in the way of portals that use ogc-client, such as GeoNetwork-UI. Arguments: the folder of
// ogc-client, the address of the service, and the ids of a vector of points, of a table by KATO and of a
// raster. Prints the results as JSON.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [folder, address, vector, table, raster] = process.argv.slice(2);
const require = createRequire(`${folder}/program.js`);
const { OgcApiEndpoint, WmtsEndpoint } = await import(
  pathToFileURL(require.resolve('@camptocamp/ogc-client')).href
);

const endpoint = new OgcApiEndpoint(`${address}/ogc`);
const idsOf = (items) => items.map(({ id }) => id);
const collections = await endpoint.allCollections;
const described = [];
for (const { name } of collections) described.push((await endpoint.getCollectionInfo(name)).id);
const box = [60, 50, 60.45, 51];
const first = await endpoint.getCollectionItems(vector, 5);
const second = await endpoint.getCollectionItems(vector, 5, 5);
const whole = await endpoint.getCollectionItems(vector, 100, 0, false, undefined, box);
const one = await endpoint.getCollectionItem(vector, String(whole[0].id));
const day = { start: new Date('2023-12-31'), end: new Date('2024-01-01') };
const dated = await endpoint.getCollectionItems(table, 100, 0, false, undefined, undefined, undefined, day);
const url = await endpoint.getCollectionItemsUrl(vector, { asJson: true, limit: 3, extent: box });
const tileset = async (name, ...args) =>
  await fetch(await endpoint[name](...args)).then(({ status }) => status);
const wmts = await new WmtsEndpoint(`${address}/datasets/${raster}/wmts`).isReady();
const [layer] = wmts.getLayers();
const { name, defaultStyle, matrixSets } = wmts.getLayerByName(layer.name);
const tile = await fetch(
  wmts.getTileUrl(name, defaultStyle, matrixSets[0].identifier, 5, 10, 22, 'image/png'),
);
console.log(
  JSON.stringify({
    title: (await endpoint.info).title,
    features: await endpoint.featureCollections,
    vectorTiles: (await endpoint.vectorTileCollections).length,
    mapTiles: await endpoint.mapTileCollections,
    hasFeatures: await endpoint.hasFeatures,
    hasTiles: await endpoint.hasTiles,
    described: described.length === collections.length,
    pages: [idsOf(first), idsOf(second)],
    inBox: whole.map(({ properties }) => properties.i),
    one: one.properties,
    dated: dated.length,
    byAddress: (await fetch(url).then((response) => response.json())).features.length,
    tilesets: [await tileset('getVectorTilesetUrl', vector), await tileset('getMapTilesetUrl', raster)],
    tile: [tile.status, tile.headers.get('content-type')],
  }),
);

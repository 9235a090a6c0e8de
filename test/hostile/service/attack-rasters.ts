import {
  ascii,
  doubles,
  handmadeTiff,
  imageTags,
  shorts,
  tag,
  type HandmadeTag,
} from '../../support/hostile/hostile-tiffs.ts';
import {
  attacksBy,
  escapeXml,
  rasterPlaces,
  rasterVrt,
  systemWithGrid,
  vectorPlaces,
  vectorVrt,
  type Attack,
  type Targets,
} from './attack.ts';

/** Value of every pixel of a raster that becomes ready. */
export const pixelValue = 7;

const imageDescription = 270;
const esriProjection = 3072;

/** Files named .tif. Those that become ready contain 2 by 2 pixels of `pixelValue`. */
export function attackRasters(targets: Targets): readonly Attack[] {
  const places = rasterPlaces(targets);
  const attack = attacksBy('raster', 'raster', 'a.tif');
  return [
    attack('a virtual raster', rasterVrt(places), 'refused'),
    attack('a virtual vector file', vectorVrt(vectorPlaces(targets)), 'refused'),
    attack('places in the network', places.join('\n'), 'refused'),
    ...places
      .filter((place) => place.startsWith('<'))
      .map((xml, index) => attack(`a service described in XML, ${index}`, xml, 'refused')),
    attack('a virtual raster behind the first bytes of a TIFF', `II*\0${rasterVrt(places)}`, 'failed'),
    attack('a virtual raster in the description', image(ascii(imageDescription, rasterVrt(places)))),
    attack('a virtual raster in its metadata', image(metadata(domain('xml:VRT', rasterVrt(places))))),
    attack(
      'overviews elsewhere',
      image(metadata(item('OVERVIEW_FILE', places[0] ?? '', 'OVERVIEWS'))),
      'failed',
    ),
    attack('positions, heights and parts elsewhere', image(metadata(elsewhere(targets)))),
    attack(
      'an entity in its XMP',
      image({ tag: tag.xmp, type: 'byte', values: Buffer.from(entity(targets)) }),
    ),
    attack('grids of its reference system elsewhere', image(...systemTags(targets))),
    { ...attack('a name that leads elsewhere', image()), filename: `../../../..${targets.storedRaster}` },
    { ...attack('a name in the network', image()), filename: `/vsicurl/${targets.urls[0]}/a.tif` },
  ];
}

function image(...tags: readonly HandmadeTag[]): Buffer<ArrayBuffer> {
  const pixels = Buffer.alloc(4, pixelValue);
  return Buffer.from(handmadeTiff([{ tags: imageTags(2, 2, ...tags), blocks: [pixels] }]));
}

function metadata(...items: readonly string[]): HandmadeTag {
  return ascii(tag.gdalMetadata, `<GDALMetadata>${items.join('')}</GDALMetadata>`);
}

function item(name: string, value: string, inDomain: string): string {
  return `<Item name="${name}" domain="${inDomain}">${escapeXml(value)}</Item>`;
}

function domain(name: string, xml: string): string {
  return `<Item domain="${name}" format="xml">${escapeXml(xml)}</Item>`;
}

/** Everything in GDAL's metadata that names a file. */
function elsewhere(targets: Targets): string {
  return rasterPlaces(targets)
    .slice(0, 4)
    .flatMap((place, index) => [
      item('X_DATASET', place, 'GEOLOCATION'),
      item('Y_DATASET', place, 'GEOLOCATION'),
      item('SRS', systemWithGrid(place), 'GEOLOCATION'),
      item('RPC_DEM', place, 'RPC'),
      item(`SUBDATASET_${index + 1}_NAME`, place, 'SUBDATASETS'),
      item('DERIVED_DATASET_1_NAME', place, 'DERIVED_SUBDATASETS'),
      item('MASK_FILE', place, 'PROXY_OVERVIEW_REQUEST'),
      item('METADATAFILE', place, 'IMAGERY'),
    ])
    .join('');
}

function entity({ canaryCsv, urls }: Targets): string {
  return `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file://${canaryCsv}"><!ENTITY b SYSTEM "${urls[0]}/b">]><x>&a;&b;</x>`;
}

/** CRS in a GeoTIFF as programs of ESRI write it: as text in place of a name. */
function systemTags({ canaryCsv }: Targets): readonly HandmadeTag[] {
  const text = `ESRI PE String = ${systemWithGrid(canaryCsv)}|`;
  const keys = [1, 1, 0, 3, 1024, 0, 1, 1, 1026, tag.geoAscii, text.length, 0, esriProjection, 0, 1, 32_767];
  return [
    doubles(tag.pixelScale, 0.1, 0.1, 0),
    doubles(tag.tiepoint, 0, 0, 0, 70, 50, 0),
    shorts(tag.geoKeys, ...keys),
    ascii(tag.geoAscii, text),
  ];
}

import { xmlText } from '../../../../common/xml-text.ts';
import type { MapLayer, Subject } from './subject.ts';

/** A file that the page makes for a program. */
export interface MadeFile {
  readonly kind: 'xyz' | 'wmts' | 'features' | 'stac' | 'qlr';
  readonly name: string;
  readonly text: string;
}

const maxZoom = 18;

/** The files that add the maps and the services to QGIS: connections to load, and layers to add. */
export function qgisFiles(subject: Subject): readonly MadeFile[] {
  const { kind, type, maps, base, name } = subject;
  const stem = kind === 'service' ? 'steppe' : `steppe-${subject.id.slice(0, 8)}`;
  const files: MadeFile[] = [];
  if (maps.length > 0) {
    files.push(
      { kind: 'qlr', name: `${stem}.qlr`, text: layerDefinition(name, maps) },
      { kind: 'xyz', name: `${stem}-xyz.xml`, text: xyzConnections(maps) },
      { kind: 'wmts', name: `${stem}-wmts.xml`, text: wmtsConnections(maps) },
    );
  }
  if (kind === 'service' || type === 'vector' || type === 'vector_with_kato')
    files.push({ kind: 'features', name: 'steppe-ogc.xml', text: featuresConnection(`${base}/ogc`) });
  if (kind === 'service')
    files.push({ kind: 'stac', name: 'steppe-stac.xml', text: stacConnection(`${base}/stac`) });
  return files;
}

const tilesOf = ({ address }: MapLayer) => `${address}/tiles/{z}/{x}/{y}.png`;
/** Names of connections have to be unique, and a slash makes a folder. */
const nameOf = ({ name }: MapLayer) => `Steppe: ${name.replaceAll('/', '-')}`;

function connections(kind: string, version: string, items: readonly string[]): string {
  return `<!DOCTYPE connections>\n<${kind} version="${version}">\n${items.map((item) => `  ${item}\n`).join('')}</${kind}>\n`;
}

function element(name: string, attributes: Readonly<Record<string, string | number>>): string {
  const written = Object.entries(attributes).map(([key, value]) => `${key}="${xmlText(String(value))}"`);
  return `<${name} ${written.join(' ')}/>`;
}

const noCredentials = { username: '', password: '', authcfg: '' };

function xyzConnections(maps: readonly MapLayer[]): string {
  const items = maps.map((map) =>
    element('xyztiles', {
      name: nameOf(map),
      url: tilesOf(map),
      zmin: 0,
      zmax: maxZoom,
      tilePixelRatio: 0,
      referer: '',
      ...noCredentials,
    }),
  );
  return connections('qgsXYZTilesConnections', '1.0', items);
}

function wmtsConnections(maps: readonly MapLayer[]): string {
  const items = maps.map((map) =>
    element('wms', { name: nameOf(map), url: `${map.address}/wmts`, dpiMode: 7, ...noCredentials }),
  );
  return connections('qgsWMSConnections', '1.0', items);
}

function featuresConnection(url: string): string {
  const paging = { maxnumfeatures: '', pagesize: '', pagingenabled: 'true' };
  const item = element('wfs', {
    name: 'Steppe',
    url,
    version: 'OGC_API_FEATURES',
    ...paging,
    ...noCredentials,
  });
  return connections('qgsWFSConnections', '1.1', [item]);
}

function stacConnection(url: string): string {
  return connections('qgsStacConnections', '1.0', [
    element('stac', { name: 'Steppe', url, ...noCredentials }),
  ]);
}

const mercator =
  '<srs><spatialrefsys nativeFormat="Wkt"><authid>EPSG:3857</authid><srid>3857</srid></spatialrefsys></srs>';

/** A group of layers in the `.qlr` format of QGIS; the first layer is visible. */
function layerDefinition(name: string, maps: readonly MapLayer[]): string {
  const layers = maps.map((map, index) => {
    const source = `type=xyz&url=${encodeURIComponent(tilesOf(map))}&zmax=${maxZoom}&zmin=0`;
    return { id: `steppe_${index}_${map.address.slice(-12).replaceAll(/\W/g, '_')}`, name: map.name, source };
  });
  const tree = layers.map(({ id, name: title, source }, index) =>
    element('layer-tree-layer', {
      id,
      name: title,
      source,
      providerKey: 'wms',
      checked: index === 0 ? 'Qt::Checked' : 'Qt::Unchecked',
      expanded: 0,
    }),
  );
  const definitions = layers.map(
    ({ id, name: title, source }) =>
      `<maplayer type="raster"><id>${id}</id><datasource>${xmlText(source)}</datasource><layername>${xmlText(title)}</layername>${mercator}<provider>wms</provider></maplayer>`,
  );
  return `<!DOCTYPE qgis-layer-definition>
<qlr>
  <layer-tree-group name="" checked="Qt::Checked" expanded="1">
    <layer-tree-group name="${xmlText(name)}" checked="Qt::Checked" expanded="1">
${tree.map((item) => `      ${item}\n`).join('')}    </layer-tree-group>
  </layer-tree-group>
  <maplayers>
${definitions.map((item) => `    ${item}\n`).join('')}  </maplayers>
</qlr>
`;
}

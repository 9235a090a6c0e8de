import { xmlText } from '../../../common/xml-text.ts';
import { denominatorOf, halfWorld } from '../../../common/maps/raster/web-mercator.ts';
import { wholeBounds } from './tile-json.ts';

/** A map as a layer of a Web Map Tile Service. */
export interface WmtsLayer {
  readonly id: string;
  readonly title: string;
  readonly abstract: string;
  /** Address of this description. */
  readonly url: string;
  /** With `{TileMatrix}`, `{TileCol}` and `{TileRow}` for the position of a tile, and `{Time}` if the layer has days. */
  readonly tiles: string;
  readonly legend: string;
  /** West, south, east, north in degrees; west > east across 180°. */
  readonly bounds: readonly [number, number, number, number];
  readonly maxZoom: number;
  /** `YYYY-MM-DD`, in ascending order; the last one is the default. */
  readonly days: readonly string[];
}

const matrixSet = 'WebMercatorQuad';
const tileSize = 256;

/** Describes a layer by OGC's WMTS 1.0.0 (07-057r7), for clients with RESTful tile addresses. */
export function wmtsCapabilities(layer: WmtsLayer): string {
  const { id, title, abstract, url, tiles, legend, maxZoom, days } = layer;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.0.0">
  <ows:ServiceIdentification>
    <ows:Title>${xmlText(title)}</ows:Title>
    <ows:ServiceType>OGC WMTS</ows:ServiceType>
    <ows:ServiceTypeVersion>1.0.0</ows:ServiceTypeVersion>
  </ows:ServiceIdentification>
  <Contents>
    <Layer>
      <ows:Title>${xmlText(title)}</ows:Title>
      <ows:Abstract>${xmlText(abstract)}</ows:Abstract>
${boxOf(layer)}
      <ows:Identifier>${xmlText(id)}</ows:Identifier>
      <Style isDefault="true">
        <ows:Identifier>default</ows:Identifier>
        <LegendURL format="image/png" xlink:href="${xmlText(legend)}"/>
      </Style>
      <Format>image/png</Format>
${dimensionOf(days)}      <TileMatrixSetLink>
        <TileMatrixSet>${matrixSet}</TileMatrixSet>
      </TileMatrixSetLink>
      <ResourceURL format="image/png" resourceType="tile" template="${xmlText(tiles)}"/>
    </Layer>
    <TileMatrixSet>
      <ows:Identifier>${matrixSet}</ows:Identifier>
      <ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS>
      <WellKnownScaleSet>urn:ogc:def:wkss:OGC:1.0:GoogleMapsCompatible</WellKnownScaleSet>
${Array.from({ length: maxZoom + 1 }, (_, zoom) => matrixOf(zoom)).join('\n')}
    </TileMatrixSet>
  </Contents>
  <ServiceMetadataURL xlink:href="${xmlText(url)}"/>
</Capabilities>
`;
}

function boxOf({ bounds }: WmtsLayer): string {
  const [left, south, right, north] = wholeBounds(bounds);
  return `      <ows:WGS84BoundingBox>
        <ows:LowerCorner>${left} ${south}</ows:LowerCorner>
        <ows:UpperCorner>${right} ${north}</ows:UpperCorner>
      </ows:WGS84BoundingBox>`;
}

function dimensionOf(days: readonly string[]): string {
  const last = days.at(-1);
  if (last === undefined) return '';
  return `      <Dimension>
        <ows:Identifier>Time</ows:Identifier>
        <ows:UOM>ISO8601</ows:UOM>
        <Default>${last}</Default>
${days.map((day) => `        <Value>${day}</Value>`).join('\n')}
      </Dimension>
`;
}

function matrixOf(zoom: number): string {
  const count = 2 ** zoom;
  return `      <TileMatrix>
        <ows:Identifier>${zoom}</ows:Identifier>
        <ScaleDenominator>${denominatorOf(zoom)}</ScaleDenominator>
        <TopLeftCorner>${-halfWorld} ${halfWorld}</TopLeftCorner>
        <TileWidth>${tileSize}</TileWidth>
        <TileHeight>${tileSize}</TileHeight>
        <MatrixWidth>${count}</MatrixWidth>
        <MatrixHeight>${count}</MatrixHeight>
      </TileMatrix>`;
}

import { classNoData, floatNoData } from '../model/bands.ts';
import type { GraphNode } from '../model/node.ts';

/** Writes a node's legend as SLD 1.0.0 for its raster, transparent without a value; GeoServer and QGIS know `type`. */
export function legendSld({ output, legend }: GraphNode): string {
  const noData = output.type === 'uint8' ? classNoData : floatNoData;
  const entries = legend.entries.map(
    ({ value, color, label }) =>
      `<ColorMapEntry color="${color}" quantity="${value}" label="${escapeXml(label)}"/>`,
  );
  const colorMap = [
    `<ColorMapEntry color="#000000" quantity="${noData}" opacity="0" label="No data"/>`,
    ...entries,
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld">
  <NamedLayer>
    <Name>${escapeXml(output.group)}</Name>
    <UserStyle>
      <Title>${escapeXml(output.title)}</Title>
      <FeatureTypeStyle>
        <Rule>
          <RasterSymbolizer>
            <ColorMap type="${legend.kind}">
              ${colorMap.join('\n              ')}
            </ColorMap>
          </RasterSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
`;
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

import { hexOf, type ColourMap } from '../../../common/maps/style/colour-map.ts';
import { xmlText } from '../../../common/xml-text.ts';

const kinds = { intervals: 'DISCRETE', ramp: 'INTERPOLATED', values: 'EXACT' } as const satisfies Record<
  ColourMap['kind'],
  string
>;

/**
 * Writes the colours of a raster as a QGIS style (QML), since QGIS writes SLD for rasters but does not open it.
 * @param opacity 0 to 1
 */
export function writeQml(
  { kind, stops }: ColourMap,
  { band, opacity }: { readonly band: number; readonly opacity: number },
): string {
  const finite = stops.map(({ value }) => value).filter((value) => Math.abs(value) < 1e299);
  const [least, greatest] = [finite[0] ?? 0, finite.at(-1) ?? 0];
  const items = stops.map(({ value, colour, label }) => {
    const [quantity, alpha] = [Math.abs(value) < 1e299 ? String(value) : 'inf', colour[3]];
    return `<item value="${quantity}" color="${hexOf(colour)}" alpha="${alpha}" label="${xmlText(label)}"/>`;
  });
  return `<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>
<qgis version="3.22.0" styleCategories="Symbology">
<pipe>
<rasterrenderer type="singlebandpseudocolor" band="${band}" opacity="${opacity}" alphaBand="-1" nodataColor="" classificationMin="${least}" classificationMax="${greatest}">
<rastershader><colorrampshader colorRampType="${kinds[kind]}" classificationMode="1" clip="0" minimumValue="${least}" maximumValue="${greatest}">
${items.join('\n')}
</colorrampshader></rastershader>
</rasterrenderer>
</pipe>
<blendMode>0</blendMode>
</qgis>
`;
}

import { quantityOf } from './sld-literal.ts';
import { childOf, descendantsOf, type Element } from './xml-tree.ts';

/** An interval as a style has it. */
export interface WrittenInterval {
  readonly quantity: string;
  readonly label: string;
}

/** A label that says whether its bound belongs to it, such as `<= 50`. */
const bound = /^\s*(<=|=<|≤|⩽|<)\s*([+-]?[\d.,]+(?:e[+-]?\d+)?)/i;

/**
 * Returns whether the quantity of an interval belongs to it: as its labels say, else as the program does that has written it. GeoServer leaves
 * it to the next interval; QGIS includes it, and is the one that writes `inf`.
 */
export function reachesItsBound(intervals: readonly WrittenInterval[], isOfQgis: boolean): boolean {
  for (const { quantity, label } of intervals) {
    const [, sign, number] = bound.exec(label) ?? [];
    if (sign !== undefined && number !== undefined && quantityOf(number) === quantityOf(quantity))
      return sign !== '<';
  }
  return isOfQgis || intervals.some(({ quantity }) => /^\s*\+?inf\s*$/i.test(quantity));
}

/**
 * Returns whether QGIS has written the style of a raster: in a layer of constraints without any, as GeoTools does too, which gives each
 * FeatureTypeStyle a name.
 */
export function isOfQgis(root: Element): boolean {
  return root.children.some((layer) => {
    const constraint = childOf(childOf(layer, 'LayerFeatureConstraints'), 'FeatureTypeConstraint');
    return (
      layer.name === 'UserLayer' &&
      constraint?.children.length === 0 &&
      descendantsOf(layer, 'FeatureTypeStyle').every((style) => childOf(style, 'Name') === undefined)
    );
  });
}

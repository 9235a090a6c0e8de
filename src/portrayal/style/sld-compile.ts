import { compiledOf, type CompiledStyle } from './compiled-style.ts';
import { fitStyle } from './fit-style.ts';
import { isOfQgis } from './interval-bounds.ts';
import { readRasters } from './sld-raster.ts';
import { readRules, titleOf } from './sld-rule.ts';
import { createNotes, type Note, type Undrawn } from './undrawn.ts';
import { descendantsOf, readXml, type Element } from './xml-tree.ts';

/**
 * Compiles what can be drawn of an SLD 1.0.0, or 1.1.0 with Symbology Encoding, into plain data of a bounded size;
 * undeclared prefixes are forgiven. Nothing that the file names is fetched, and no expression is computed.
 * @throws Error when the text is not XML, its root is not StyledLayerDescriptor, or it is nested too deep.
 */
export function compileSld(xml: string): CompiledStyle {
  const root = readXml(xml);
  if (root.name !== 'StyledLayerDescriptor') throw new Error(`the root is ${root.name}`);
  const { note, parts } = createNotes();
  if (root.isCut) note('elements_beyond_limit');
  const style = chooseStyle(root, note);
  const ruleElements = descendantsOf(style, 'Rule');
  const rasters = readRasters(ruleElements, note, isOfQgis(root));
  const rules = readRules(ruleElements, note);
  noteSigns(style, note);
  const title = titleOf(style === root ? undefined : style, note);
  return fitStyle(compiledOf({ title, rasters, rules, leftOut: parts() }));
}

/** The default style of the file, else its first; a file may have several layers, each with several styles. */
function chooseStyle(root: Element, note: Note): Element {
  const styles = descendantsOf(root, 'UserStyle');
  if (styles.length > 1) note('other_styles');
  const isDefault = ({ children }: Element) =>
    children.some(({ name, text }) => name === 'IsDefault' && (text === '1' || text === 'true'));
  return styles.find(isDefault) ?? styles[0] ?? root;
}

/** Elements of which nothing is drawn. */
const signs = new Map<string, Undrawn>([
  ['TextSymbolizer', 'labels'],
  ['ShadedRelief', 'hillshade'],
  ['ExternalGraphic', 'pictures'],
  ['GraphicStroke', 'strokes_of_signs'],
  ['GraphicFill', 'fills_of_signs'],
  ['Displacement', 'offsets'],
  ['PerpendicularOffset', 'offsets'],
  ['Rotation', 'offsets'],
  ['VendorOption', 'vendor_options'],
]);
/** What they are made of needs no name of its own. */
const whole: readonly string[] = ['TextSymbolizer', 'ShadedRelief', 'ContrastEnhancement', 'ExternalGraphic'];

function noteSigns({ children }: Element, note: Note): void {
  for (const child of children) {
    const part = signs.get(child.name);
    if (part !== undefined) note(part);
    if (!whole.includes(child.name)) noteSigns(child, note);
  }
}

import { compiledOf, type CompiledStyle } from './compiled-style.ts';
import { fitStyle } from './fit-style.ts';
import { isOfQgis } from './sld-colour-map.ts';
import { readRasters } from './sld-raster.ts';
import { readRules, titleOf } from './sld-rule.ts';
import { createNotes, type Note, type Undrawn } from './undrawn.ts';
import { descendantsOf, type Element, readXml, type XmlFault, XmlRefused } from './xml-tree.ts';

/**
 * Compiles the drawable part of an SLD 1.0.0, or 1.1.0 with Symbology Encoding, to plain data of a bounded size;
 * undeclared prefixes are accepted. Fetches nothing, and evaluates constant expressions only.
 * @throws {XmlRefused} if the text is not XML, its root is not StyledLayerDescriptor, or it is nested too deep.
 */
export function compileSld(xml: string): CompiledStyle {
  const root = readXml(xml, 'StyledLayerDescriptor');
  const notes = createNotes();
  if (root.isCut) notes.note('elements_beyond_limit');
  const style = chooseStyle(root, notes.note);
  const elements = ruleElementsOf(style).map(({ element, layer }, index) => {
    const [name, number] = [titleOf(element, () => undefined), index + 1];
    return { element, layer, number, note: notes.noteFor({ number, name }) };
  });
  const rasters = readRasters(elements, notes.note, isOfQgis(root));
  const rules = readRules(elements);
  const ofRules = new Map(elements.map(({ element, note }) => [element, note]));
  noteSigns(style, notes.note, ofRules);
  const title = titleOf(style === root ? undefined : style, notes.note);
  return fitStyle(compiledOf({ title, rasters, rules, leftOut: notes.parts(), leftOutRules: notes.rules() }));
}

/** Result of compiling an SLD: a `CompiledStyle` as JSON with its undrawn parts, or the first fault. */
export type StyleResult =
  | { readonly compiled: string; readonly leftOut: readonly Undrawn[] }
  | { readonly fault: XmlFault };

/** Compiles an untrusted text. */
export function compileStyle(text: string): StyleResult {
  try {
    const style = compileSld(text);
    return { compiled: JSON.stringify(style), leftOut: style.leftOut };
  } catch (error) {
    if (error instanceof XmlRefused) return { fault: error.fault };
    throw error;
  }
}

/** Rules of a style in the order of the file, each with the number of its FeatureTypeStyle. */
function ruleElementsOf(style: Element): readonly { readonly element: Element; readonly layer: number }[] {
  const layers = new Map<Element, number>();
  for (const [layer, each] of descendantsOf(style, 'FeatureTypeStyle').entries()) {
    for (const rule of descendantsOf(each, 'Rule')) layers.set(rule, layer);
  }
  return descendantsOf(style, 'Rule').map((element) => ({ element, layer: layers.get(element) ?? 0 }));
}

/** Returns the default style of the file, or its first one; a file may have several layers, each with several styles. */
function chooseStyle(root: Element, note: Note): Element {
  const styles = descendantsOf(root, 'UserStyle');
  if (styles.length > 1) note('other_styles');
  const isDefault = ({ children }: Element) =>
    children.some(({ name, text }) => name === 'IsDefault' && (text === '1' || text === 'true'));
  return styles.find(isDefault) ?? styles[0] ?? root;
}

/** Elements that are never drawn. */
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
/** Their children are not named separately. */
const whole: readonly string[] = ['TextSymbolizer', 'ShadedRelief', 'ContrastEnhancement', 'ExternalGraphic'];

function noteSigns({ children }: Element, note: Note, ofRules: ReadonlyMap<Element, Note>): void {
  for (const child of children) {
    const part = signs.get(child.name);
    const own = ofRules.get(child) ?? note;
    if (part !== undefined) own(part);
    if (!whole.includes(child.name)) noteSigns(child, own, ofRules);
  }
}

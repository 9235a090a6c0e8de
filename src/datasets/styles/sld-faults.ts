import { invalidFields, type Problem } from '../../common/errors.ts';
import { readable } from '../../common/readable.ts';

export const rootName = 'StyledLayerDescriptor';
const maxShownCharacters = 100;
const headCharacters = 4096;

/** The 422 on `file`; `detail` goes on after its name. */
export function wrongSld(detail: string, cause?: unknown): Problem {
  return invalidFields({ file: detail }, cause);
}

/** Text from the file as it may stand in a message. */
export function shown(text: string): string {
  return readable(text, maxShownCharacters);
}

const qgis = 'in QGIS, open the properties of the layer and choose Style, Save Style, As SLD Style File';
const wrapped = `put it inside of a ${rootName}, with the version that it is written for`;
const report = 'it says why a service sent no style; mend that, and ask for the style again';
const page =
  'perhaps the error or sign-in page of a web server; open it in a browser to see what it says, and download the style again';

/** What other files that people take for an SLD are, and what to do, by the local name of their root element. */
const otherKinds = new Map([
  ['html', { kind: 'an HTML page', advice: page }],
  ['qgis', { kind: 'a style or project in the format of QGIS', advice: qgis }],
  ['qlr', { kind: 'a layer definition of QGIS', advice: qgis }],
  ['qgis-layer-definition', { kind: 'a layer definition of QGIS', advice: qgis }],
  ['ServiceExceptionReport', { kind: 'an error report', advice: report }],
  ['ExceptionReport', { kind: 'an error report', advice: report }],
  ...['FeatureTypeStyle', 'CoverageStyle', 'UserStyle', 'NamedLayer', 'UserLayer'].map(
    (name) => [name, { kind: 'only a part of an SLD', advice: wrapped }] as const,
  ),
]);

/** Says which root was found instead of the right one. */
export function wrongRoot(name: string): Problem {
  const localName = name.slice(name.indexOf(':') + 1);
  const other = otherKinds.get(localName) ?? otherKinds.get(localName.toLowerCase());
  if (other === undefined) return wrongSld(`must have the root element ${rootName}, not ${shown(name)}`);
  return wrongSld(`is ${other.kind} (its root element is ${shown(name)}), not an SLD: ${other.advice}`);
}

/** `declaration` is what stands between `<!DOCTYPE` and its end. */
export function hasDoctype(declaration: string): Problem {
  const root = /[^\s[>]+/.exec(declaration.slice(0, headCharacters))?.[0] ?? 'nothing';
  if (otherKinds.has(root.toLowerCase())) return wrongRoot(root.toLowerCase());
  const advice = 'an SLD needs none: remove it, from <!DOCTYPE to the > that ends it';
  return wrongSld(`must not have a DOCTYPE (it is that of ${shown(root)}); ${advice}`);
}

const position = /^(\d+):(\d+): (.*?)\.?$/s;

/** Explains a fault of the parser's, `line:column: reason.`; `text` is the whole file. */
export function notWellFormed(text: string, reason: string): Problem {
  const head = text.slice(0, headCharacters).trimStart();
  if (/^[{[]/.test(head)) return wrongSld('begins like JSON, but an SLD is XML; export the style as SLD');
  if (/^<(?:!doctype\s+)?html[\s>]/i.test(head)) return wrongRoot('html');
  if (head === '') return wrongSld('holds nothing but blanks');
  if (!head.startsWith('<')) {
    const start = shown(head.slice(0, 20));
    return wrongSld(`is not XML: it begins with "${start}" instead of a < sign`);
  }
  const [, line, column, fault] = position.exec(reason.slice(0, 2 * maxShownCharacters)) ?? [];
  if (line === undefined || fault === undefined) return wrongSld(`is not well-formed XML: ${shown(reason)}`);
  return wrongSld(
    `is not well-formed XML: line ${line}, column ${column}: ${shown(fault)}${adviceOn(fault)}`,
  );
}

function adviceOn(fault: string): string {
  if (fault.startsWith('malformed character entity')) return '; XML has no such character';
  return fault.includes('entity') ? '; write & itself as &amp; and other characters as they are' : '';
}

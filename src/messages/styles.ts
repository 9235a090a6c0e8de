import { invalidFields, type Problem } from '../common/errors.ts';
import { readable } from '../common/readable.ts';
import { problem } from './define.ts';
import { fieldFaults } from './validation.ts';

const shown = (text: string): string => readable(text, 100);
const root = 'StyledLayerDescriptor';
const asUtf8 = 'save it as UTF-8';
const qgis = 'in QGIS, open the properties of the layer and choose Style, Save Style, As SLD Style File';

/** Other files that people take for an SLD, and what to do about them. */
const otherFiles = {
  webPage: [
    'an HTML page',
    'open its address in a browser to see what the web server says, and download the style again',
  ],
  qgisStyle: ['a style or project in the format of QGIS', qgis],
  qgisLayer: ['a layer definition of QGIS', qgis],
  errorReport: [
    'an error report',
    'it says why a service sent no style; fix that, and ask for the style again',
  ],
  fragment: ['only a part of an SLD', `put it inside of a ${root} of the version that it is written for`],
} as const;

/** Faults of an SLD: `invalid` on `file`, but for one that is not there. */
export const sldProblems = {
  none: problem('not_found', () => 'no SLD has been uploaded'),
  missing: fileProblem(() => fieldFaults.missing),
  wrongExtension: fileProblem(
    (allowed: readonly string[]) => `must have one of the extensions ${allowed.join(', ')}`,
  ),
  empty: fileProblem(() => 'is empty'),
  tooLarge: fileProblem((mebibytes: number) => `must have at most ${mebibytes} MiB`),
  blank: fileProblem(() => 'contains nothing but white space'),
  zip: fileProblem(() => 'is a ZIP archive; unpack it, and upload the .sld file that is in it'),
  json: fileProblem(() => 'begins like JSON, but an SLD is XML; export the style as SLD'),
  notXml: fileProblem((start: string) => `is not XML: it begins with "${shown(start)}" instead of a < sign`),
  unsupportedEncoding: fileProblem((name: string) => `is in ${name}, which is not supported; ${asUtf8}`),
  unknownEncoding: fileProblem(
    (label: string) => `says that it is in ${shown(label)}, an unknown encoding; ${asUtf8}`,
  ),
  falseEncoding: fileProblem(
    (label: string) =>
      `says that it is in ${shown(label)}, but is not; ${asUtf8}, and say so in its first line`,
  ),
  wrongBytes: fileProblem(
    (encoding: string) =>
      `is not valid ${encoding} text; ${asUtf8}, or name its encoding in its first line, such as <?xml version="1.0" encoding="windows-1251"?>`,
  ),
  longDeclaration: fileProblem(
    () => 'has an XML declaration that is too long; shorten it to <?xml version="1.0" encoding="UTF-8"?>',
  ),
  doctype: fileProblem(
    (name: string) =>
      `must not have a DOCTYPE (it is that of ${shown(name)}); an SLD needs none: remove it, from <!DOCTYPE to the > that ends it`,
  ),
  tooDeep: fileProblem((levels: number) => `is nested deeper than ${levels} elements`),
  tooManyAttributes: fileProblem((max: number) => `has an element with more than ${max} attributes`),
  wrongRoot: fileProblem((name: string) => `must have the root element ${root}, not ${shown(name)}`),
  otherFile: fileProblem((kind: keyof typeof otherFiles, name: string) => {
    const [what, advice] = otherFiles[kind];
    return `is ${what} (its root element is ${shown(name)}), not an SLD: ${advice}`;
  }),
  notWellFormed: fileProblem((reason: string, place?: { readonly line: string; readonly column: string }) => {
    const where = place === undefined ? '' : `line ${place.line}, column ${place.column}: `;
    return `is not well-formed XML: ${where}${shown(reason)}${adviceOn(reason)}`;
  }),
};

/** The reason for which the parser refuses a reference that does not end. */
export const unendedEntity = (name: string): string => `the entity &${name} does not end`;

function adviceOn(reason: string): string {
  if (reason.startsWith('malformed character entity')) return '; XML has no such character';
  return reason.includes('entity') ? '; write & itself as &amp; and other characters as they are' : '';
}

function fileProblem<Facts extends readonly unknown[]>(
  sentence: (...facts: Facts) => string,
): (...facts: Facts) => Problem {
  return (...facts) => invalidFields({ file: sentence(...facts) });
}

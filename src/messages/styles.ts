import { invalidFields, type Problem } from '../lib/errors.ts';
import { readable } from '../lib/readable.ts';
import { problem, sentences } from './define.ts';
import { fieldFaults } from './validation.ts';
import { Message } from '../lib/message.ts';

const shown = (text: string): string => readable(text, 100);
const asUtf8 = 'save it as UTF-8';
const qgis = 'in QGIS, open the properties of the layer and choose Style, Save Style, As SLD Style File';
const errorReport = 'it says why a service sent no style; fix that, and ask for the style again';
const fragment = 'put it inside of a StyledLayerDescriptor of the version that it is written for';
const fragmentRoots = /^(?:featuretypestyle|coveragestyle|userstyle|namedlayer|userlayer)$/;

/** Files that are often taken for an SLD, by their root elements, and what to do about them. */
const otherFiles: readonly (readonly [root: RegExp, what: string, advice: string])[] = [
  [
    /^html$/,
    'an HTML page',
    'open its address in a browser to see what the web server says, and download the style again',
  ],
  [/^qgis$/, 'a style or project in the format of QGIS', qgis],
  [/^(?:qlr|qgis-layer-definition)$/, 'a layer definition of QGIS', qgis],
  [/^(?:service)?exceptionreport$/, 'an error report', errorReport],
  [fragmentRoots, 'only a part of an SLD', fragment],
];

/** Faults of an SLD: `invalid` on `file`, but for one that is not there. */
export const sldProblems = sentences('sld', {
  none: problem('not_found', () => 'no SLD has been uploaded'),
  missing: fileProblem(() => fieldFaults.missing.english),
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
    (root: string) =>
      otherFile(root.toLowerCase()) ??
      `must not have a DOCTYPE (it is that of ${shown(root)}); an SLD needs none: remove it, from <!DOCTYPE to the > that ends it`,
  ),
  tooDeep: fileProblem((levels: number) => `is nested deeper than ${levels} elements`),
  tooManyAttributes: fileProblem((max: number) => `has an element with more than ${max} attributes`),
  wrongRoot: fileProblem(
    (root: string) =>
      otherFile(root) ?? `must have the root element StyledLayerDescriptor, not ${shown(root)}`,
  ),
  notWellFormed: fileProblem((reason: string, line?: string, column?: string) => {
    const place = line === undefined ? '' : `line ${line}, column ${column}: `;
    const advice = reason.startsWith('malformed character entity')
      ? '; XML has no such character'
      : reason.includes('entity')
        ? '; write & itself as &amp; and other characters as they are'
        : '';
    return `is not well-formed XML: ${place}${shown(reason)}${advice}`;
  }),
});

function otherFile(root: string): string | undefined {
  const localName = root.slice(root.indexOf(':') + 1).toLowerCase();
  const [, what, advice] = otherFiles.find(([roots]) => roots.test(localName)) ?? [];
  return what === undefined
    ? undefined
    : `is ${what} (its root element is ${shown(root)}), not an SLD: ${advice}`;
}

function fileProblem<Facts extends readonly unknown[]>(
  sentence: (...facts: Facts) => string,
): (...facts: Facts) => Problem {
  return (...facts) => invalidFields({ file: new Message(sentence(...facts)) });
}

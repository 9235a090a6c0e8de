import type { contents } from '../../messages/contents.ts';

type TextContent = keyof typeof contents;

/** Stands before each text of a sequence. */
const recordSeparator = '\u001e';

/** Texts by how they begin, after blanks; the first that fits holds. */
const beginnings: readonly (readonly [content: TextContent, pattern: RegExp])[] = [
  ['lfsPointer', /^version https:\/\/git-lfs/],
  ['json', /^\{/],
  ['jsonList', /^\[/],
  ['html', /^<(?:!doctype\s+html|html|head|body|script|div|meta|title)\b/i],
  ['commentedJson', /^(?:\/\/|\/\*)/],
  ['javaScript', /^(?:(?:var|let|const|export|module|window|self|this)\b|[\w$.]{1,100}\s*=\s*[{[(])/],
  ['javaScript', /^(?:[\w$.]{1,100}\s*\(\s*[{[]|\)\]\}'|;|\(\s*[{[(f])/],
  ['wkt', /^(?:SRID=\d+;)?(?:MULTI)?(?:POINT|LINESTRING|POLYGON|GEOMETRYCOLLECTION)\s*(?:ZM?|M)?\s*\(/i],
  ['asciiGrid', /^ncols\s+\d/i],
  ['tab', /^!table\b/i],
  ['mif', /^version\s+\d+\s+(?:charset|delimiter|coordsys|columns)\b/i],
  ['dxf', /^(?:999\r?\n[^\n]*\n *)?0\s+SECTION\b/],
  ['e00', /^EXP\s+\d\s/],
];

/** Local names of the roots of XML files. */
const roots: Readonly<Record<string, TextContent>> = {
  kml: 'kml',
  gpx: 'gpx',
  FeatureCollection: 'gml',
  StyledLayerDescriptor: 'sld',
  qgis: 'qgis',
  'qgis-layer-definition': 'qgis',
  osm: 'osm',
  VRTDataset: 'vrt',
  html: 'html',
  ExceptionReport: 'serviceError',
  ServiceExceptionReport: 'serviceError',
  Error: 'serviceError',
};

/** Names a text by how it begins; plain text when nothing better is known. */
export function foreignText(text: string): TextContent {
  const start = text.trimStart();
  if (start.startsWith(recordSeparator)) return 'sequence';
  if (start === '') return 'blank';
  const begun = beginnings.find(([, pattern]) => pattern.test(start));
  if (begun !== undefined) return begun[0];
  if (start.startsWith('<')) return xmlContent(start);
  const [line = ''] = start.split(/\r?\n/, 1);
  return /[;\t]|,[^ ]/.test(line) ? 'csv' : 'text';
}

/** What may stand before the root: the declaration, comments, the document type. */
const beforeRoot = [
  { start: '<!--', end: '-->' },
  { start: '<?', end: '>' },
  { start: '<!', end: '>' },
];

/** A quick look, as the file is not read here. */
function xmlContent(text: string): TextContent {
  let at = 0;
  for (;;) {
    const rest = text.slice(at).trimStart();
    const found = beforeRoot.find(({ start }) => rest.startsWith(start));
    if (found === undefined) return rootContent(rest, text);
    if (/^<!doctype\s+qgis\b/i.test(rest)) return 'qgis';
    const end = rest.indexOf(found.end, found.start.length);
    if (end === -1) return 'xml';
    at = text.length - rest.length + end + found.end.length;
  }
}

function rootContent(root: string, text: string): TextContent {
  const name = /^<(?:[\w.-]{1,50}:)?([\w.-]{1,50})/.exec(root)?.[1] ?? '';
  const known = Object.hasOwn(roots, name) ? roots[name] : undefined;
  return known ?? (text.includes('opengis.net/gml') ? 'gml' : 'xml');
}

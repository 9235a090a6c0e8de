import type { contents } from '../../messages/contents/english.ts';

type TextContent = keyof typeof contents;

/** Precedes each text of a JSON text sequence. */
const recordSeparator = '\u001e';

/** Kinds of text by their beginning after blanks; the first match counts. */
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

/** Kinds of XML files by the local name of the root. */
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

/** Returns the kind of a text from its beginning; plain text by default. */
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

/** Markup before the root: declaration, comments, document type. */
const beforeRoot = [
  { start: '<!--', end: '-->' },
  { start: '<?', end: '>' },
  { start: '<!', end: '>' },
];

/** Detects the kind of an XML text heuristically, without parsing it. */
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

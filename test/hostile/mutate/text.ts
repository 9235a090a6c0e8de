import { type Mutation, oddText } from './mutation.ts';
import type { Random } from './random.ts';

/** Replaces one match of a pattern; texts have one byte per character, replacements are in UTF-8. */
const replace =
  (pattern: RegExp, by: (found: string, random: Random) => string): Mutation =>
  (bytes, { random }) => {
    const text = bytes.toString('latin1');
    const places = Array.from(text.matchAll(pattern));
    if (places.length === 0) return undefined;
    const { 0: found, index } = random.pick(places);
    const put = Buffer.from(by(found, random)).toString('latin1');
    return Buffer.from(text.slice(0, index) + put + text.slice(index + found.length), 'latin1');
  };
const replaceBy = (pattern: RegExp, ...pieces: readonly string[]): Mutation =>
  replace(pattern, (_, random) => random.pick(pieces));
const putBefore = (pattern: RegExp, ...pieces: readonly string[]): Mutation =>
  replace(pattern, (found, random) => random.pick(pieces) + found);

const changeEncoding: Mutation = (bytes, { random }) => {
  const text = bytes.toString('utf8');
  const wide = Buffer.from(`\ufeff${text}`, 'utf16le');
  const marked = Buffer.from(`\ufeff${text}`);
  return random.pick([
    marked,
    wide,
    wide.subarray(2),
    Buffer.from(wide).swap16(),
    Buffer.from(text, 'latin1'),
  ]);
};
/** Removes or repeats a range between two matches. */
const changeRange: Mutation = (bytes, { random }) => {
  const text = bytes.toString('latin1');
  const places = Array.from(text.matchAll(/[[\]{},:<>]/g), ({ index }) => index);
  const from = random.below(places.length - 1);
  const [start = 0, end = 0] = [
    places[from],
    places[Math.min(places.length - 1, from + 1 + random.below(40))],
  ];
  const times = random.pick([0, 0, 2, 3, 200]);
  return Buffer.from(text.slice(0, start) + text.slice(start, end).repeat(times) + text.slice(end), 'latin1');
};

const number = /-?\d[\d.eE+-]*/g;
const oddNumbers =
  '0 -0 1e400 -1e400 1e-400 NaN Infinity 0x10 01 1. +1 90.0000001 -91 180 -180 181 -9223372036854775809 9007199254740993 0.1234567890123456789 "1" null []';
const types =
  'Feature FeatureCollection GeometryCollection Point MultiPoint LineString MultiLineString Polygon MultiPolygon Topology Curve point';
const members = 'type coordinates geometry geometries features properties crs'.split(' ');

export const geojsonMutations: readonly Mutation[] = [
  ...Array<Mutation>(3).fill(replaceBy(number, ...oddNumbers.split(' '))),
  ...Array<Mutation>(2).fill(
    replaceBy(
      new RegExp(`"(?:${types.replaceAll(' ', '|')})"`, 'g'),
      ...types.split(' ').map((type) => `"${type}"`),
    ),
  ),
  replace(/"(?:[^"\\]|\\.)*"/g, (_, random) => JSON.stringify(oddText(random))),
  replaceBy(/"(?:[^"\\]|\\.)*"/g, '"\\ud800"', '"\\u0000"', '"\\x"', '"', '"\t"', "'x'", 'x'),
  replace(new RegExp(`"(?:${members.join('|')})"`, 'g'), (found, random) =>
    random.pick([...members.map((name) => `"${name}"`), found.toUpperCase(), `${found}:null,${found}`]),
  ),
  replaceBy(/[[\]{},:]/g, ...'{}[],:', '', ' ', '[]', '{}', ',,'),
  replace(number, (found, random) => {
    const depth = random.pick([2, 10, 63, 64, 65, 1000, 100_000]);
    const [open, close] = random.pick([['[', ']'] as const, ['{"a":', '}'] as const]);
    return open.repeat(depth) + found + (random.chance(0.8) ? close.repeat(depth) : '');
  }),
  putBefore(
    /"type"/g,
    '"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::3857"}},',
    '"crs":{"type":"name","properties":{"name":"EPSG:999999"}},',
    '"crs":{"type":"link","properties":{"href":"http://127.0.0.1:9/crs","type":"proj4"}},',
    '"crs":null,',
    '"crs":[[]],',
  ),
  changeRange,
  changeRange,
  changeEncoding,
];

const tag = /<[/\w][^<>]*>/g;
const references =
  '&a; &#0; &#x110000; &#xD800; &amp;amp; & %p; ]]> <![CDATA[ <!-- <!------> <?php?> <?xml?> <script>alert(1)</script> <ogc:Literal>NaN</ogc:Literal>'.split(
    ' ',
  );
const declarations = ['UTF-8', 'UTF-16', 'UTF-7', 'windows-1251', 'EBCDIC', '', 'x'.repeat(5000)].flatMap(
  (encoding) => ['1.0', '1.1', ''].map((version) => `<?xml version="${version}" encoding="${encoding}"?>`),
);

export const sldMutations: readonly Mutation[] = [
  replaceBy(tag, ''),
  replace(tag, (found, random) =>
    random.pick([
      found.replace(/[\w:]+/, 'x:y'),
      found.replace(/[\w:]+/, oddText(random)),
      found.replace('>', ' a="1" a="2" xmlns:sld="http://127.0.0.1:9/">'),
      found.replace('>', Array.from({ length: 20_000 }, (_, index) => ` a${index}=""`).join('')) + '>',
      found.slice(0, -1),
    ]),
  ),
  replace(tag, (found, random) => found.repeat(random.pick([2, 100, 100_000]))),
  putBefore(tag, ...references, '<xi:include href="file:///etc/hostname" parse="text"/>'),
  replace(/(?<=>)[^<>]+(?=<)|(?<=")[^"<>]*(?=")/g, (_, random) => oddText(random)),
  putBefore(
    /<\w/g,
    '<!DOCTYPE x [<!ENTITY a "b">]>',
    '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">',
    '<!DOCTYPE x [<!ENTITY % p SYSTEM "file:///etc/hostname"> %p;]>',
    '<!DOCTYPE',
  ),
  replaceBy(/^<\?xml[^>]*>|^/g, ...declarations),
  changeRange,
  changeEncoding,
];

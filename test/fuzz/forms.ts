import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { type Definitions, resolve, type Schema } from './document.ts';
import { nastyText } from './nasty.ts';
import { valuesOf } from './values.ts';

/** The kind of a file by its bytes, as far as the contract tells. */
export type FileKind = 'tiff' | 'geopackage' | 'zip' | 'json' | 'sld' | 'nothing';

/** One part of a form; text with a character for each byte. */
export interface Part {
  readonly name: string;
  readonly bytes: string;
  /** The kind of the bytes of a file, and the extension of its name when there is no doubt about it. */
  readonly file?: { readonly name: string; readonly kind: FileKind; readonly extension: string | undefined };
  readonly mediaType?: string;
}

/** How a form is written: as it should be, or broken, which it must then be called (400). */
export const damages = [
  'none',
  'cut short',
  'no last boundary',
  'no boundary',
  'other boundary',
  'json',
  'empty',
] as const;
export interface Form {
  readonly parts: readonly Part[];
  readonly damage: (typeof damages)[number];
}

function fixture(path: string): string {
  return readFileSync(new URL(`../fixtures/${path}`, import.meta.url), 'latin1');
}

const contents: readonly (readonly [FileKind, string])[] = [
  ['tiff', fixture('raster/one_pixel_epsg4326.tif')],
  ['tiff', 'II*\0'],
  ['tiff', 'MM\0*garbage'],
  ['tiff', `II+\0${'\xff'.repeat(60)}`],
  ['tiff', fixture('raster-damaged/byte_truncated.tif')],
  ['geopackage', `SQLite format 3\0${'\0'.repeat(200)}`],
  ['zip', fixture('vector/geojson_inside.zip')],
  ['zip', 'PK\x03\x04 no more'],
  ['json', fixture('vector/trio.geojson')],
  ['json', '{"type":"FeatureCollection","features":[]}'],
  ['json', ' \n{'],
  [
    'json',
    `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":null,"properties":{"kato":"1","2020":1}}]}`,
  ],
  ['sld', '<StyledLayerDescriptor version="1.0.0"/>'],
  ['nothing', '<!DOCTYPE x [<!ENTITY e "e">]><StyledLayerDescriptor>&e;</StyledLayerDescriptor>'],
  ['nothing', '<html/>'],
  ['nothing', ''],
  ['nothing', '\x89PNG\r\n\x1a\n'],
  ['nothing', '\0'.repeat(4096)],
  ['nothing', 'PK\x05\x06'],
];

const extensions = [...'.tif .tiff .TIF .gpkg .zip .geojson .sld .xml .txt'.split(' '), ''];
const stems = ['map', 'Қала 2024', '😀', 'x'.repeat(260), 'a.b', ' '] as const;
/** Names of which only the service can say what is left when they are made safe. */
const strangeNames: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '.tif',
    '',
    '../../x.tif',
    'C:\\maps\\x.tif',
    'a\u0000.tif',
    '"quoted".tif',
    "a';b.tif",
    'a%0D%0Ab.tif',
    'map.tif ',
    'map.tif.',
    'map.tif/',
    '\u202efit.geojson',
    'x.\uff54if',
    `${'x'.repeat(5000)}.tif`,
  ),
  nastyText.map((text) => text.slice(0, 5000)),
);

/** Content by the extension that it should have. */
const matching: readonly (readonly [extension: string, FileKind])[] = [
  ['.tif', 'tiff'],
  ['.TIFF', 'tiff'],
  ['.geojson', 'json'],
  ['.gpkg', 'geopackage'],
  ['.zip', 'zip'],
  ['.sld', 'sld'],
  ['.xml', 'sld'],
];

interface NamedContent {
  readonly content: readonly [FileKind, string];
  readonly name: string;
  /** Undefined when there may be doubt. */
  readonly extension: string | undefined;
}

const goodFiles: fc.Arbitrary<NamedContent> = fc
  .tuple(fc.constantFrom(...stems), fc.constantFrom(...matching), fc.nat())
  .map(([stem, [extension, kind], index]) => {
    const fitting = contents.filter(([each]) => each === kind);
    return { content: fitting[index % fitting.length] ?? [kind, ''], name: stem + extension, extension };
  });

/** The parts with a file, if they have any, that its form takes: without luck few uploads would get anywhere. */
function fitted(parts: readonly Part[], index: number): readonly Part[] {
  const names = new Set(parts.map(({ name }) => name));
  const fileType = parts.find(({ name }) => name === 'file_type')?.bytes ?? 'raster';
  const rasterKinds: readonly FileKind[] = names.size === 1 ? ['sld', 'tiff'] : ['tiff'];
  const kinds = fileType === 'raster' ? rasterKinds : ['json', 'zip'];
  const fitting = contents.filter(([kind]) => kinds.includes(kind));
  const [kind, bytes] = fitting[index % fitting.length] ?? ['nothing', ''];
  const extension = matching.find(([, each]) => each === kind)?.[0] ?? '';
  const file = { name: `map${extension}`, kind, extension };
  return parts.map((part) => (part.name === 'file' ? { ...part, bytes, file } : part));
}

const anyFiles: fc.Arbitrary<NamedContent> = fc
  .tuple(
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...contents) },
      fc.string({ unit: 'binary-ascii', maxLength: 50 }).map((text) => ['nothing', `?${text}`] as const),
    ),
    fc.oneof(
      fc.tuple(fc.constantFrom(...stems), fc.constantFrom(...extensions)),
      strangeNames.map((name) => [name, undefined] as const),
    ),
  )
  .map(([content, [stem, extension]]) => ({ content, name: stem + (extension ?? ''), extension }));

const files: fc.Arbitrary<Part> = fc
  .record({
    named: fc.oneof({ weight: 3, arbitrary: goodFiles }, { weight: 1, arbitrary: anyFiles }),
    mediaType: fc.option(fc.constantFrom('image/tiff', 'text/plain', 'garbage', 'a/b; c="d', '\xff'), {
      nil: undefined,
    }),
  })
  .map(({ named: { content, name, extension }, mediaType }) => ({
    name: 'file',
    bytes: content[1],
    file: { name, kind: content[0], extension: extension?.toLowerCase() },
    ...(mediaType === undefined ? {} : { mediaType }),
  }));

/** Forms for a schema: complete ones, ones that lack a part or have one twice, wrong values, and broken writing. */
export function formsOf(given: Schema, definitions: Definitions): fc.Arbitrary<Form> {
  const { properties = {}, required = [] } = resolve(given, definitions);
  const partsOf = ([name, schema]: readonly [string, Schema]): fc.Arbitrary<readonly Part[]> => {
    const one = schema.format === 'binary' ? files : textParts(name, schema, definitions);
    const none = fc.constant([]);
    const once = one.map((part) => [part]);
    const weights = required.includes(name) ? [1, 40, 1] : [30, 20, 1];
    const choices = [none, once, fc.tuple(one, one)];
    return fc.oneof(...choices.map((arbitrary, index) => ({ weight: weights[index] ?? 0, arbitrary })));
  };
  const unknown = fc
    .tuple(nastyText, nastyText)
    .map(([name, text]) => ({ name: `x${name.slice(0, 1000)}`, bytes: toBytes(text) }));
  return fc
    .record({
      described: fc.tuple(...Object.entries(properties).map(partsOf)),
      others: fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, fc.array(unknown, { maxLength: 3 })),
      damage: fc.oneof({ weight: 15, arbitrary: fc.constant('none' as const) }, fc.constantFrom(...damages)),
      turned: fc.boolean(),
      fitting: fc.option(fc.nat(), { freq: 3 }),
    })
    .map(({ described, others, damage, turned, fitting }) => {
      const drawn: readonly Part[] = [...described.flat(), ...others];
      const parts = fitting === null ? drawn : fitted(drawn, fitting);
      return { parts: turned ? parts.toReversed() : parts, damage };
    });
}

function textParts(name: string, schema: Schema, definitions: Definitions): fc.Arbitrary<Part> {
  const valid =
    name === 'meta'
      ? fc.jsonValue().map((value) => JSON.stringify({ value }))
      : valuesOf(schema, definitions, name);
  const text = fc.oneof({ weight: 25, arbitrary: valid.map(String) }, { weight: 1, arbitrary: nastyText });
  return text.map((value) => ({ name, bytes: toBytes(value) }));
}

function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

const boundary = 'fuzzing-0f9a';

/** The form as it goes out. */
export function writeForm({ parts, damage }: Form): { readonly contentType: string; readonly bytes: string } {
  const whole = parts
    .map((part) => `--${boundary}\r\n${headersOf(part)}\r\n\r\n${part.bytes}\r\n`)
    .concat(`--${boundary}--\r\n`)
    .join('');
  const contentType = `multipart/form-data; boundary=${boundary}`;
  const written: Readonly<Record<Form['damage'], readonly [contentType: string, bytes: string]>> = {
    none: [contentType, whole],
    'cut short': [contentType, whole.slice(0, Math.floor(whole.length / 2))],
    'no last boundary': [contentType, whole.slice(0, -boundary.length - 6)],
    'no boundary': ['multipart/form-data', whole],
    'other boundary': [`${contentType}x`, whole],
    json: ['application/json', '{}'],
    empty: [contentType, ''],
  };
  const [type, bytes] = written[damage];
  return { contentType: type, bytes };
}

/** As browsers write them: quotes and line ends of names as escapes. */
function headersOf({ name, file, mediaType }: Part): string {
  const quoted = (text: string): string =>
    toBytes(text).replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const filename = file === undefined ? '' : `; filename="${quoted(file.name)}"`;
  return (
    `Content-Disposition: form-data; name="${quoted(name)}"${filename}` +
    (mediaType === undefined ? '' : `\r\nContent-Type: ${mediaType}`)
  );
}

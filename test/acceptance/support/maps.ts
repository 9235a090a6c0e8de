import assert from 'node:assert/strict';
import { convertIndexedToRgb, decode } from 'fast-png';
import { tileAt as tileOf } from '../../support/maps/tiles.ts';
import type { Client } from '../client.ts';
import { fetchBytes } from './bytes.ts';
import { SaxesParser } from 'saxes';

/** Address `z/x/y` of the tile of WebMercatorQuad that contains a place. */
export const tileAt = (...place: Parameters<typeof tileOf>): string => tileOf(...place).join('/');

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Colours of the picture, as `#rrggbb`; `none` where it is transparent. */
  readonly colours: ReadonlySet<string>;
}

/** Reads a PNG with software that the service does not use. */
export function readPicture(bytes: Buffer): Picture {
  assert.equal(bytes.toString('latin1', 0, 8), '\u0089PNG\r\n\u001A\n');
  const picture = decode(new Uint8Array(bytes));
  const { width, height } = picture;
  const samples = picture.palette === undefined ? picture.data : convertIndexedToRgb(picture);
  const perPixel = samples.length / (width * height);
  const found = new Set<number>();
  for (let at = 0; at < samples.length; at += perPixel) {
    const isClear = perPixel === 4 && samples[at + 3] === 0;
    const [red = 0, green = 0, blue = 0] = [samples[at], samples[at + 1], samples[at + 2]];
    found.add(isClear ? -1 : red * 65_536 + green * 256 + blue);
  }
  const colourOf = (number: number) => (number < 0 ? 'none' : `#${number.toString(16).padStart(6, '0')}`);
  const colours = new Set([...found].map(colourOf));
  return { width, height, colours };
}

/** Colour of the pixel of a tile that contains a place: `#rrggbb`, with two more digits where it is half-opaque, or `none`. */
export async function colourAt(
  client: Client,
  path: string,
  [longitude, latitude]: readonly [longitude: number, latitude: number],
  zoom = 12,
): Promise<string> {
  const tile = tileAt(longitude, latitude, zoom);
  const { bytes } = await fetchBytes(client, 200, `${path}/tiles/${tile}.png`);
  const picture = decode(new Uint8Array(bytes));
  const [, column = 0, row = 0] = tileAt(longitude, latitude, zoom + 8)
    .split('/')
    .map(Number);
  const at = (row % picture.height) * picture.width + (column % picture.width);
  const isIndexed = picture.palette !== undefined;
  const samples = isIndexed ? convertIndexedToRgb(picture) : picture.data;
  const perPixel = samples.length / (picture.width * picture.height);
  const pixel = Buffer.from(samples.slice(at * perPixel, (at + 1) * perPixel));
  if (perPixel < 4) return `#${pixel.toString('hex')}`;
  return pixel[3] === 0 ? 'none' : `#${pixel.toString('hex').replace(/ff$/, '')}`;
}

/** Fetches a picture and expects a PNG. */
export async function fetchPicture(client: Client, path: string) {
  const { bytes, headers } = await fetchBytes(client, 200, path);
  assert.equal(headers['content-type'], 'image/png', path);
  return { ...readPicture(bytes), headers };
}

/** Path of an address in a description, from the root of the service. */
export function pathOf({ baseUrl }: Client, address = ''): string {
  assert.ok(address.startsWith(`${baseUrl}/`), address);
  return address.slice(baseUrl.length);
}

/** Replaces `{z}`, `{x}` and `{y}` in an address with those of a tile. */
export function placed(address: string, tile: string): string {
  return address.replace('{z}/{x}/{y}', tile);
}

/** Style that draws values up to 125.5 in red, all others in green. */
export const redAndGreen = new File(
  [
    '<StyledLayerDescriptor version="1.0.0"><NamedLayer><UserStyle><Title>Two</Title><FeatureTypeStyle><Rule>',
    '<RasterSymbolizer><ColorMap type="intervals"><ColorMapEntry color="#ff0000" quantity="125.5" label="low"/>',
    '<ColorMapEntry color="#00ff00" quantity="300" label="high"/></ColorMap></RasterSymbolizer>',
    '</Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>',
  ],
  'two.sld',
);

export interface TileJson {
  readonly tilejson: string;
  readonly name: string;
  readonly tiles: readonly string[];
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly bounds: readonly number[];
  readonly center?: readonly number[];
  readonly legend?: string;
  readonly vector_layers?: readonly { readonly id: string; readonly fields: object }[];
}

export interface Element {
  /** Name with its prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Text of the element, without that of its children. */
  text: string;
}

/**
 * Lists the elements of a document in the order of their start tags.
 * @throws when it is not well-formed
 */
export function elementsOf(document: string): readonly Element[] {
  const parser = new SaxesParser();
  const [elements, open]: [Element[], Element[]] = [[], []];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: { ...attributes }, text: '' };
    elements.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(document).close();
  return elements;
}

import { fileURLToPath } from 'node:url';
import { createCanvas, GlobalFonts, ImageData, type SKRSContext2D } from '@napi-rs/canvas';
import { type RgbaPicture, encodeRgbaPng, encodeIndexedPng } from '../../png/png.ts';
import { cssOf, type Rgba } from '../../../../common/maps/style/colour-map.ts';

/** Drawing context of a picture. */
export type Pen = SKRSContext2D;

/** A name that no font of the system has. */
const family = 'Steppe Golos Text';
const weights = { text: 400, title: 600 } as const;

/** Sizes in pixels at scale 1 for `text` and `title`, whose x-height is a whole number of pixels; in points on paper. */
const letters = {
  text: { weight: weights.text, size: 13 },
  title: { weight: weights.title, size: 15 },
  heading: { weight: weights.title, size: 16 },
  subheading: { weight: weights.text, size: 9.5 },
  strong: { weight: weights.title, size: 8 },
  grid: { weight: weights.title, size: 11 },
  body: { weight: weights.text, size: 8 },
  small: { weight: weights.text, size: 6 },
  watermark: { weight: weights.title, size: 84 },
} as const;

/** Purpose of a text. */
export type Role = keyof typeof letters;

const fontOf = (role: Role) => `${letters[role].weight} ${letters[role].size}px "${family}"`;

/** Threads share the fonts of their process. */
for (const weight of Object.values(weights)) {
  const styles = GlobalFonts.families.find((known) => known.family === family)?.styles ?? [];
  if (styles.some((style) => style.weight === weight)) continue;
  const file = fileURLToPath(new URL(`golos-text-${weight}.woff2`, import.meta.url));
  if (GlobalFonts.registerFromPath(file, family) === null) throw new Error(`${file} is not a font`);
}

export interface CanvasSize {
  /** In pixels at scale 1, the unit of all positions and lengths. */
  readonly width: number;
  readonly height: number;
  /** Pixels of the picture per unit. */
  readonly scale?: number;
  /** True for exact colours in partly covered pixels, at twice the memory. */
  readonly isTransparent?: boolean;
}

export function openCanvas({ width, height, scale = 1, isTransparent = false }: CanvasSize): Pen {
  const canvas = createCanvas(width * scale, height * scale);
  const pen = canvas.getContext('2d', { colorType: isTransparent ? 'float16' : 'unorm8' });
  pen.scale(scale, scale);
  return pen;
}

/** Returns the size of a pixel of the picture in units. */
export const pixelOf = (pen: Pen): number => 1 / pen.getTransform().a;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function fill(pen: Pen, { x, y, width, height }: Box, colour: Rgba): void {
  pen.fillStyle = cssOf(colour);
  pen.fillRect(x, y, width, height);
}

/** Draws a line of one pixel along the inner edge of a box. */
export function outline(pen: Pen, { x, y, width, height }: Box, colour: Rgba): void {
  const side = pixelOf(pen);
  pen.strokeStyle = cssOf(colour);
  pen.lineWidth = side;
  pen.strokeRect(x + side / 2, y + side / 2, width - side, height - side);
}

/** Writes a line of text from `cleanText`, from `x` on the baseline `y`. */
export function write(pen: Pen, text: string, { x, y, role, colour }: Letters): void {
  pen.font = fontOf(role);
  pen.fillStyle = cssOf(colour);
  pen.fillText(text, x, y);
}

/** Draws the outlines of a line of text with the stroke colour and width of the pen. */
export function outlineText(pen: Pen, text: string, { x, y, role }: Omit<Letters, 'colour'>): void {
  pen.font = fontOf(role);
  pen.strokeText(text, x, y);
}

interface Letters {
  readonly x: number;
  readonly y: number;
  readonly role: Role;
  readonly colour: Rgba;
}

/** Copies opaque pixels to a position of the picture, regardless of the scale of the pen. */
export function putPixels(pen: Pen, { width, height, pixels }: RgbaPicture, { x, y }: Place): void {
  const bytes = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, 4 * width * height);
  pen.putImageData(new ImageData(bytes, width, height), x, y);
}

interface Place {
  readonly x: number;
  readonly y: number;
}

const ruler = openCanvas({ width: 1, height: 1 });

/** Returns the width of a line of text from `cleanText`. */
export function widthOf(text: string, role: Role): number {
  ruler.font = fontOf(role);
  return ruler.measureText(text).width;
}

/** Returns the drawing and releases the canvas memory, whose size the garbage collector does not know. */
export function takePicture(pen: Pen): RgbaPicture {
  const { width, height } = pen.canvas;
  const { data } = pen.getImageData(0, 0, width, height);
  pen.canvas.width = 1;
  pen.canvas.height = 1;
  return { width, height, pixels: new Uint8Array(data.buffer, data.byteOffset, data.length) };
}

const maxColours = 256;
/** A shade of antialiasing has fewer pixels and may be replaced by a similar one. */
const rarePixels = 16;

/** Encodes an opaque picture with a palette if it has few enough colours, as is usual; otherwise in full colour. */
export function encodeLetters({ width, height, pixels }: RgbaPicture): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, width * height);
  const ordered = [...countsOf(words)].toSorted(([, one], [, other]) => other - one);
  const [, ofFirstLeftOut = 0] = ordered[maxColours] ?? [];
  if (ofFirstLeftOut >= rarePixels) return encodeRgbaPng({ width, height, pixels }, 'letters');
  const palette = ordered.slice(0, maxColours).map(([word]) => colourOf(word));
  const places = new Map(ordered.map(([word], place) => [word, place]));
  for (const [word] of ordered.slice(maxColours)) places.set(word, nearestTo(colourOf(word), palette));
  const indices = new Uint8Array(words.length);
  for (let at = 0; at < words.length; at += 1) {
    const isSame = at > 0 && words[at] === words[at - 1];
    indices[at] = (isSame ? indices[at - 1] : places.get(words[at] ?? 0)) ?? 0;
  }
  return encodeIndexedPng({ width, height, indices, palette }, 'letters');
}

function countsOf(words: Uint32Array): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (let start = 0; start < words.length;) {
    const word = words[start] ?? 0;
    let end = start + 1;
    while (words[end] === word) end += 1;
    counts.set(word, (counts.get(word) ?? 0) + end - start);
    start = end;
  }
  return counts;
}

function colourOf(word: number): Rgba {
  const [red = 0, green = 0, blue = 0] = new Uint8Array(Uint32Array.of(word).buffer);
  return [red, green, blue, 255];
}

function nearestTo([red, green, blue]: Rgba, palette: readonly Rgba[]): number {
  const distances = palette.map(([r, g, b]) => Math.abs(r - red) + Math.abs(g - green) + Math.abs(b - blue));
  return distances.indexOf(Math.min(...distances));
}

import type { Rgba } from '../../style/colour-map.ts';
import type { Face } from './font.ts';
import type { Scale } from '../../legend/picture.ts';
import { opaque } from './faces.ts';
import { advanceOf, isSpace } from './text.ts';

/** A white picture that is drawn on; places and lengths are whole pixels of the picture. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly scale: Scale;
  /** Red, green, blue and opacity, which stays 255. */
  readonly pixels: Uint8Array;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Creates a white canvas. */
export function createCanvas(width: number, height: number, scale: Scale): Canvas {
  return { width, height, scale, pixels: new Uint8Array(width * height * 4).fill(255) };
}

/** Mixes a colour into a pixel; `cover` is the share of the pixel that it takes, 0 to 1. Beyond the edges nothing happens. */
export function blend(canvas: Canvas, x: number, y: number, { colour, cover }: Ink): void {
  if (x < 0 || y < 0 || x >= canvas.width || y >= canvas.height) return;
  const share = cover * (colour[3] / 255);
  const at = (y * canvas.width + x) * 4;
  for (const channel of [0, 1, 2] as const) {
    const below = canvas.pixels[at + channel] ?? 0;
    canvas.pixels[at + channel] = Math.round(below + (colour[channel] - below) * share);
  }
}

interface Ink {
  readonly colour: Rgba;
  readonly cover: number;
}

/** Fills a box. */
export function fill(canvas: Canvas, { x, y, width, height }: Box, colour: Rgba): void {
  for (let row = y; row < y + height; row += 1) {
    for (let column = x; column < x + width; column += 1) blend(canvas, column, row, { colour, cover: 1 });
  }
}

/** Draws a line of one pixel along the inner edge of a box. */
export function outline(canvas: Canvas, { x, y, width, height }: Box, colour: Rgba): void {
  fill(canvas, { x, y, width, height: 1 }, colour);
  fill(canvas, { x, y: y + height - 1, width, height: 1 }, colour);
  fill(canvas, { x, y: y + 1, width: 1, height: height - 2 }, colour);
  fill(canvas, { x: x + width - 1, y: y + 1, width: 1, height: height - 2 }, colour);
}

export interface Pen {
  /** Where the first letter begins, on the base line. */
  readonly x: number;
  readonly y: number;
  readonly face: Face;
  readonly colour: Rgba;
}

/** Writes a line of text. */
export function write(canvas: Canvas, text: string, { x, y, face, colour }: Pen): void {
  let pen = x;
  for (const character of text) {
    const glyph = isSpace(character) ? undefined : face.glyphOf(character);
    if (glyph !== undefined) {
      const { pictures } = glyph;
      const parts = Math.round(pen * pictures.length);
      const picture = pictures[parts % pictures.length];
      const start = Math.floor(parts / pictures.length);
      if (picture !== undefined) {
        for (const [at, alpha] of picture.alpha.entries()) {
          if (alpha === 0) continue;
          const column = start + picture.left + (at % picture.width);
          const row = y + picture.top + Math.floor(at / picture.width);
          blend(canvas, column, row, { colour, cover: alpha / opaque });
        }
      }
    }
    pen += advanceOf(character, face);
  }
}

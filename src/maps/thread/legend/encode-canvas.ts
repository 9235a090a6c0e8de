import type { Rgba } from '../../style/colour-map.ts';
import { encodeIndexedPng } from '../../png/indexed-png.ts';
import { encodeRgbaPng } from '../../png/rgba-png.ts';
import type { Canvas } from './canvas.ts';

const maxColours = 256;

/** Encodes a canvas with a palette where its colours are few enough, as they mostly are; else in full colours. */
export function encodeCanvas({ width, height, pixels }: Canvas): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4);
  const places = new Map<number, number>();
  const palette: Rgba[] = [];
  const indices = new Uint8Array(words.length);
  for (const [at, word] of words.entries()) {
    let place = places.get(word);
    if (place === undefined) {
      if (palette.length === maxColours) return encodeRgbaPng({ width, height, pixels }, 'letters');
      place = palette.length;
      places.set(word, place);
      const [red = 0, green = 0, blue = 0] = pixels.subarray(at * 4, at * 4 + 3);
      palette.push([red, green, blue, 255]);
    }
    indices[at] = place;
  }
  return encodeIndexedPng({ width, height, indices, palette }, 'letters');
}

import { encodeIndexedPng } from '../../png/indexed-png.ts';
import { encodeRgbaPng, type RgbaPicture } from '../../png/rgba-png.ts';
import type { Rgba } from '../../style/colour-map.ts';

const maxColours = 256;
/** A shade at the edges of letters has fewer pixels, and may be exchanged for a similar one. */
const rarePixels = 16;

/** Encodes an opaque picture with a palette where its colours are few enough, as they mostly are; else in full colours. */
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

import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import type { Scale } from '../../legend/picture.ts';
import { advanceParts, faceOrders, replacement, type Role } from './faces.ts';

/** A letter as opacities, 0 to `opaque`, row by row. */
interface Picture {
  /** Where it lies from the pen on the base line, in pixels, rightwards and downwards. */
  readonly left: number;
  readonly top: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly alpha: Uint8Array;
}

interface Glyph {
  /** Pixels, with a fraction. */
  readonly advance: number;
  /** One for each part of a pixel at which the letter can begin. */
  readonly pictures: readonly Picture[];
}

export interface Face {
  readonly glyphOf: (character: string) => Glyph | undefined;
}

const maxAtlasBytes = 2 ** 20;
let faces: readonly Face[] | undefined;

/** Returns the letters of a role for pictures of a scale; the atlas is read once. */
export function faceOf(role: Role, scale: Scale): Face {
  faces ??= readAtlas();
  const face = faces[faceOrders.findIndex((order) => order.role === role && order.scale === scale)];
  if (face === undefined) throw new RangeError(`no letters for ${role} at ${scale}`);
  return face;
}

/** Reads what scripts/legend-font.ts has written. */
function readAtlas(): readonly Face[] {
  const packed = readFileSync(new URL('golos-text.bin', import.meta.url));
  const atlas = brotliDecompressSync(packed, { maxOutputLength: maxAtlasBytes });
  let at = 0;
  const heads = faceOrders.map(({ phases }) => {
    const count = atlas.readUInt16LE(at);
    at += 2;
    return Array.from({ length: count }, () => {
      const head = atlas.subarray(at, at + 4 + 4 * phases);
      at += head.length;
      return head;
    });
  });
  const takeAlpha = (bytes: number) => {
    at += bytes;
    return atlas.subarray(at - bytes, at);
  };
  return heads.map((glyphs) => {
    const list = glyphs.map((head) => [head.readUInt16LE(0), readGlyph(head, takeAlpha)] as const);
    const byCode = new Map(list);
    return { glyphOf: (character) => byCode.get(character.codePointAt(0) ?? 0) ?? byCode.get(replacement) };
  });
}

function readGlyph(head: Buffer, takeAlpha: (bytes: number) => Uint8Array): Glyph {
  const pictures: Picture[] = [];
  for (let at = 4; at < head.length; at += 4) {
    const [width, height] = [head.readUInt8(at + 2), head.readUInt8(at + 3)];
    const alpha = takeAlpha(width * height);
    pictures.push({ left: head.readInt8(at), top: head.readInt8(at + 1), width, height, alpha });
  }
  return { advance: head.readUInt16LE(2) / advanceParts, pictures };
}

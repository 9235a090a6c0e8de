import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { advanceParts, faceOrders, opaque } from '../src/maps/thread/legend/faces.ts';
import { projectRoot } from '../test/support/project.ts';
import { fontFolder, type RenderedGlyph, renderFaces } from './legend-font/render.ts';

const folder = join(projectRoot, 'src/maps/thread/legend');

/** The head of a face: how many letters, and of each its character, its width and where its pictures lie. */
function headOf(glyphs: readonly RenderedGlyph[]): Buffer {
  const parts = glyphs.map(({ character, advance, pictures }) => {
    const part = Buffer.alloc(4 + 4 * pictures.length);
    part.writeUInt16LE(character.codePointAt(0) ?? 0, 0);
    part.writeUInt16LE(Math.round(advance * advanceParts), 2);
    for (const [index, { left, top, width, height }] of pictures.entries()) {
      part.writeInt8(left, 4 + 4 * index);
      part.writeInt8(top, 5 + 4 * index);
      part.writeUInt8(width, 6 + 4 * index);
      part.writeUInt8(height, 7 + 4 * index);
    }
    return part;
  });
  const count = Buffer.alloc(2);
  count.writeUInt16LE(glyphs.length);
  return Buffer.concat([count, ...parts]);
}

/** Writes the letters of legends: Golos Text as pictures, drawn by Chromium. `src/maps/thread/legend/font.ts` reads them. */
const faces = await renderFaces(faceOrders);
const alpha = faces.flat().flatMap(({ pictures }) => pictures.flatMap(({ alpha }) => alpha));
const atlas = Buffer.concat([
  ...faces.map(headOf),
  Buffer.from(alpha.map((value) => Math.round((value * opaque) / 255))),
]);
const packed = brotliCompressSync(atlas, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: atlas.length } });
writeFileSync(join(folder, 'golos-text.bin'), packed);
copyFileSync(join(fontFolder, 'LICENSE'), join(folder, 'golos-text.LICENSE'));
console.log(`${faces[0]?.length ?? 0} characters in ${faces.length} faces: ${packed.length} bytes`);

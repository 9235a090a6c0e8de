import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { openBrowser } from '../../test/support/browser.ts';
import { projectRoot } from '../../test/support/project.ts';
import type { FaceOrder } from '../../src/maps/thread/legend/faces.ts';
import { drawnCharacters, madeSigns } from './characters.ts';

const Glyph = z.object({
  character: z.string(),
  /** Pixels. */
  advance: z.number(),
  /** One picture for each phase: where it lies from the pen on the base line, rightwards and downwards, and its opacities. */
  pictures: z.array(
    z.object({
      left: z.number(),
      top: z.number(),
      width: z.number(),
      height: z.number(),
      alpha: z.array(z.number()),
    }),
  ),
});
const Rendered = z.object({ missing: z.array(z.string()), glyphs: z.array(Glyph) });
export type RenderedGlyph = z.infer<typeof Glyph>;

export const fontFolder = join(projectRoot, 'node_modules/@fontsource-variable/golos-text');

/** The rules of the font, with its files inside. */
function fontRules(): string {
  const rules = readFileSync(join(fontFolder, 'index.css'), 'utf8');
  return rules.replace(/url\(\.\/(files\/[^)]*)\)/g, (_, file: string) => {
    const bytes = readFileSync(join(fontFolder, file));
    return `url(data:font/woff2;base64,${bytes.toString('base64')})`;
  });
}

/** Runs in the page. A letter is drawn in black on nothing, so that its opacity is how much of a pixel it covers. */
const renderer = `async ({ face, characters, made }) => {
  const family = '"Golos Text Variable"';
  for (const text of ['a', 'ж', 'ә', 'ş']) await document.fonts.load(face.weight + ' 20px ' + family, text);
  const side = face.size * 3;
  const canvas = new OffscreenCanvas(side, side);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.fontKerning = 'none';
  context.textRendering = 'geometricPrecision';
  const use = (size, fallback) => { context.font = face.weight + ' ' + size + 'px ' + family + ', ' + fallback; };
  const origin = [face.size, face.size * 2];
  const picture = (paint) => {
    context.clearRect(0, 0, side, side);
    paint();
    const { data } = context.getImageData(0, 0, side, side);
    let [left, top, right, bottom] = [side, side, -1, -1];
    for (let y = 0; y < side; y += 1) for (let x = 0; x < side; x += 1) {
      if (data[(y * side + x) * 4 + 3] < 8) continue;
      [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
    }
    if (right < 0) return { left: 0, top: 0, width: 0, height: 0, alpha: [] };
    const alpha = [];
    for (let y = top; y <= bottom; y += 1) for (let x = left; x <= right; x += 1) alpha.push(data[(y * side + x) * 4 + 3]);
    return { left: left - origin[0], top: top - origin[1], width: right - left + 1, height: bottom - top + 1, alpha };
  };
  const phases = (paint) => Array.from({ length: face.phases }, (_, phase) => picture(() => paint(origin[0] + phase / face.phases)));
  const missing = characters.filter((character) => {
    const [one, other] = ['serif', 'monospace'].map((fallback) => {
      use(face.size, fallback);
      return JSON.stringify(picture(() => context.fillText(character, ...origin)));
    });
    return one !== other;
  });
  use(face.size, 'serif');
  const glyphs = characters.map((character) => ({
    character,
    advance: context.measureText(character).width,
    pictures: phases((x) => context.fillText(character, x, origin[1])),
  }));
  for (const [character, parts] of made) {
    const letters = parts.filter((part) => 'text' in part);
    const ends = letters.map(({ text, size, right = 0 }) => {
      use(face.size * size, 'serif');
      return right * face.size + context.measureText(text).width;
    });
    const advance = Math.max(...ends);
    const pictures = phases((x) => {
      for (const part of parts) {
        if ('bar' in part) {
          const thickness = Math.max(1, Math.round(face.size * (face.weight > 500 ? 0.11 : 0.085)));
          context.fillRect(x + advance * 0.12, origin[1] - part.bar * face.size - thickness, advance * 0.76, thickness);
          continue;
        }
        use(face.size * part.size, 'serif');
        context.fillText(part.text, x + (part.right ?? 0) * face.size, Math.round(origin[1] - part.up * face.size));
      }
    });
    glyphs.push({ character, advance, pictures });
  }
  // The box that stands for every other character.
  const [boxWidth, boxHeight] = [Math.round(face.size * 0.5), Math.round(face.size * 0.7)];
  const line = Math.max(1, Math.round(face.size / 16));
  const gap = line;
  context.lineWidth = line;
  glyphs.push({
    character: '\\ufffd',
    advance: boxWidth + 2 * gap,
    pictures: phases(() => context.strokeRect(origin[0] + gap + line / 2, origin[1] - boxHeight + line / 2, boxWidth - line, boxHeight - line)),
  });
  return { missing, glyphs };
}`;

/** Draws every character of the atlas in one face, by Chromium. @throws {Error} when the font lacks one. */
export async function renderFaces(
  faces: readonly FaceOrder[],
): Promise<readonly (readonly RenderedGlyph[])[]> {
  // Without hints a letter has the same shape wherever it begins.
  const browser = await openBrowser({ more: ['--font-render-hinting=none'] });
  try {
    const page = await browser.newPage();
    await page.setContent(`<style>${fontRules()}</style>`);
    const rendered: (readonly RenderedGlyph[])[] = [];
    for (const face of faces) {
      const order = JSON.stringify({ face, characters: drawnCharacters(), made: [...madeSigns] });
      const found: unknown = await page.evaluate(`(${renderer})(${order})`);
      const { missing, glyphs } = Rendered.parse(found);
      if (missing.length > 0) throw new Error(`Golos Text has no ${missing.join(' ')}`);
      rendered.push(glyphs);
    }
    return rendered;
  } finally {
    await browser.close();
  }
}

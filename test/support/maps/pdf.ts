import { inflateSync } from 'node:zlib';

/** A piece of text that a page draws. */
interface DrawnText {
  readonly text: string;
  /** Position in points; y increases downwards, like that of the pens of sheets. */
  readonly x: number;
  readonly y: number;
}

export interface PdfPage {
  readonly texts: readonly DrawnText[];
  /** All text, without separators between the pieces. */
  readonly text: string;
  /** The operators of the page. */
  readonly content: string;
  /** True if a watermark lies across the map. */
  readonly isMarked: boolean;
  /** Widths of lines in points, by the name of the graphics state that sets them. */
  readonly lineWidths: ReadonlyMap<string, number>;
}

export interface ReadPdf {
  readonly pages: readonly PdfPage[];
  /** Fonts embedded in the file with a table from glyphs to characters. */
  readonly embeddedFonts: readonly string[];
  readonly images: readonly { readonly width: number; readonly height: number }[];
}

/** The colour of the outlines of a watermark, which no other line has: they are paths, not text. */
const markColour = /^\.2745 \.298 \.2863 RG/m;

/** Reads a PDF in the form that Skia writes: consecutive objects, and streams in DEFLATE. */
export function readPdf(bytes: Uint8Array): ReadPdf {
  const file = Buffer.from(bytes).toString('latin1');
  const objects = new Map<string, string>();
  for (const [, number = '', body = ''] of file.matchAll(/(?:^|\n)(\d+) 0 obj\n(.*?)\nendobj/gs))
    objects.set(number, body);
  const objectOf = (reference: string | undefined) => objects.get(reference ?? '') ?? '';
  const streamOf = (body: string) => {
    const start = body.indexOf('stream\n') + 7;
    const raw = Buffer.from(body.slice(start, body.lastIndexOf('\nendstream')), 'latin1');
    return body.slice(0, start).includes('/FlateDecode')
      ? inflateSync(raw).toString('latin1')
      : raw.toString('latin1');
  };
  const fontsOf = (page: string) =>
    new Map(
      [...page.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = '', number]) => {
        const table = /\/ToUnicode (\d+) 0 R/.exec(objectOf(number))?.[1];
        return [
          name,
          table === undefined ? new Map<number, string>() : charactersOf(streamOf(objectOf(table))),
        ];
      }),
    );
  const pages = [...objects.values()].filter((body) => /\/Type \/Page\n/.test(body));
  return {
    pages: pages.map((page) => {
      const content = streamOf(objectOf(/\/Contents (\d+) 0 R/.exec(page)?.[1]));
      const resources = `${page}${objectOf(/\/Resources (\d+) 0 R/.exec(page)?.[1])}`;
      const texts = textsOf(content, fontsOf(resources));
      const lineWidths = new Map(
        [...resources.matchAll(/\/(G\d+) (\d+) 0 R/g)].map(([, name = '', number]) => [
          name,
          Number(/\/LW ([\d.]+)/.exec(objectOf(number))?.[1]),
        ]),
      );
      const isMarked = markColour.test(content);
      return { content, isMarked, lineWidths, texts, text: texts.map(({ text }) => text).join('') };
    }),
    embeddedFonts: [...objects.values()].flatMap((body) => {
      const [, name] = /\/BaseFont \/([\w+-]+)/.exec(body) ?? [];
      const descendant = objectOf(/\/DescendantFonts \[(\d+) 0 R/.exec(body)?.[1]);
      const descriptor = objectOf(/\/FontDescriptor (\d+) 0 R/.exec(descendant)?.[1]);
      const isWhole = /\/ToUnicode/.test(body) && /\/FontFile2/.test(descriptor);
      return name !== undefined && isWhole ? [name] : [];
    }),
    images: [...objects.values()].flatMap((body) => {
      if (!body.includes('/Subtype /Image')) return [];
      const of = (name: string) => Number(new RegExp(`/${name} (\\d+)`).exec(body)?.[1]);
      return [{ width: of('Width'), height: of('Height') }];
    }),
  };
}

/** Characters of glyphs, from a ToUnicode table (PDF 1.4, 9.10.3). */
function charactersOf(table: string): ReadonlyMap<number, string> {
  const characters = new Map<number, string>();
  const hex = (text: string | undefined) => Number.parseInt(text ?? '', 16);
  for (const [, part = ''] of table.matchAll(/beginbfchar\n(.*?)endbfchar/gs))
    for (const [, glyph, code] of part.matchAll(/<([\da-f]+)> <([\da-f]+)>/gi))
      characters.set(hex(glyph), String.fromCodePoint(hex(code)));
  for (const [, part = ''] of table.matchAll(/beginbfrange\n(.*?)endbfrange/gs))
    for (const [, first, last, code] of part.matchAll(/<([\da-f]+)> <([\da-f]+)> <([\da-f]+)>/gi))
      for (let glyph = hex(first); glyph <= hex(last); glyph += 1)
        characters.set(glyph, String.fromCodePoint(hex(code) + glyph - hex(first)));
  return characters;
}

function textsOf(
  content: string,
  fonts: ReadonlyMap<string, ReadonlyMap<number, string>>,
): readonly DrawnText[] {
  return [...content.matchAll(/BT\n(.*?)ET/gs)].map(([, block = '']) => {
    const font = fonts.get(/\/(F\d+) /.exec(block)?.[1] ?? '');
    const [, x, y] = /([-\d.]+) ([-\d.]+) Tm/.exec(block) ?? [];
    const glyphs = [...block.matchAll(/<([\da-f]+)>/gi)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? []);
    const text = glyphs.map((glyph) => font?.get(Number.parseInt(glyph, 16)) ?? '\u0000').join('');
    return { text, x: Number(x), y: Number(y) };
  });
}

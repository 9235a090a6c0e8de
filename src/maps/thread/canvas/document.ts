import { hash } from 'node:crypto';
import { createCanvas, ImageData, PDFDocument } from '@napi-rs/canvas';
import type { RgbaPicture } from '../../png/png.ts';
import type { Box, Pen } from './canvas.ts';

/** A document of pages whose pens draw in points from the upper left corner. */
export interface Document {
  begin(width: number, height: number): Pen;
  end(): void;
  /** Returns the bytes; equal content has equal bytes. */
  close(): Uint8Array<ArrayBuffer>;
}

/**
 * Skia identifies each PDF/A document by a random number and the time: in its metadata, and in its trailer in whichever
 * kind of string is shorter.
 */
const identifiers = /uuid:[0-9a-f-]{36}|\/ID \[[^]*\](?=>>\s+startxref)/g;

/** Opens a PDF/A-2b document. @param title from `cleanText` */
export function openDocument(title: string): Document {
  const document = new PDFDocument({
    title,
    creator: 'Steppe',
    producer: 'Steppe (Skia)',
    pdfa: true,
    encodingQuality: 101,
  });
  return {
    begin(width, height) {
      const pen: unknown = document.beginPage(width, height);
      if (!isPen(pen)) throw new TypeError('a page has no pen');
      return pen;
    },
    end: () => document.endPage(),
    close: () => identifiedByContent(document.close()),
  };
}

function isPen(pen: unknown): pen is Pen {
  return typeof pen === 'object' && pen !== null && 'drawImage' in pen;
}

/**
 * Replaces the identifiers by hashes of the content. Offsets stay valid: those in the metadata keep their length, and
 * the trailer is at the end.
 */
function identifiedByContent(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const digest = hash('sha256', text.replaceAll(identifiers, ''), 'hex').slice(0, 32);
  const uuid = digest.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  const own = (found: string) =>
    found.startsWith('uuid') ? `uuid:${uuid}` : `/ID [<${digest}> <${digest}>]`;
  return new Uint8Array(Buffer.from(text.replaceAll(identifiers, own), 'latin1'));
}

/** Draws opaque pixels into a box without smoothing. */
export function drawPixels(pen: Pen, { width, height, pixels }: RgbaPicture, box: Box): void {
  const canvas = createCanvas(width, height);
  const bytes = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, 4 * width * height);
  canvas.getContext('2d').putImageData(new ImageData(bytes, width, height), 0, 0);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(canvas, box.x, box.y, box.width, box.height);
  canvas.width = 1;
  canvas.height = 1;
}

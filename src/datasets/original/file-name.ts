import { maxNameCharacters } from '../../validation/fields.ts';

/**
 * Returns a safe version of the client's file name: the last path segment, without control characters, at most 255
 * characters including the extension. Empty if nothing is left.
 */
export function cleanFileName(sent: string): string {
  const segment = sent.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const name = segment.replaceAll(/\p{Cc}/gu, '');
  const characters = [...name];
  if (characters.length <= maxNameCharacters) return name;
  const extension = [...suffixOf(name)];
  const stemCharacters = Math.max(0, maxNameCharacters - extension.length);
  return [...characters.slice(0, stemCharacters), ...extension].slice(0, maxNameCharacters).join('');
}

/** Returns the last dot and the text after it, with Latin letters in lower case (U+212A is not a k); empty without a dot. */
export function extensionOf(filename: string): string {
  return suffixOf(filename).replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function suffixOf(filename: string): string {
  const dot = filename.lastIndexOf('.');
  return dot === -1 ? '' : filename.slice(dot);
}

const contentTypes: ReadonlyMap<string, string> = new Map([
  ['.fgb', 'application/flatgeobuf'],
  ['.geojson', 'application/geo+json'],
  ['.gpkg', 'application/geopackage+sqlite3'],
  ['.zip', 'application/zip'],
  ['.tif', 'image/tiff'],
  ['.tiff', 'image/tiff'],
  ['.sld', 'application/vnd.ogc.sld+xml'],
  ['.xml', 'application/xml'],
]);

const mediaType =
  /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?:[ \t]*;[ \t]*[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"(?:[^"\\]|\\.)*"))*$/;

/**
 * Returns the media type to store for a file: the one it was sent with if that is well formed and specific (form
 * libraries send `text/plain` by default), otherwise the one of its extension.
 */
export function contentTypeOf(sent: string | undefined, filename: string): string {
  const byExtension = contentTypes.get(extensionOf(filename)) ?? 'application/octet-stream';
  if (sent === undefined || sent.length > 255) return byExtension;
  const essence = (sent.split(';', 1)[0] ?? '').trim().toLowerCase();
  const isWellFormed = mediaType.test(sent.trim()) && /^[\t\x20-\x7e]*$/.test(sent);
  return isWellFormed && essence !== 'text/plain' ? sent.trim() : byExtension;
}

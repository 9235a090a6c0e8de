import type { UnitColumns } from '../../../../common/maps/units/unit-properties.ts';
import { MiB } from '../../../lib/units.ts';
import { fileProblems } from '../../../messages/request/english.ts';
import { vectorTileProblems } from '../../../messages/drawing/english.ts';
import type { ThreadContext } from '../objects/context.ts';

/** Content of a GeoJSON, which determines where its attributes are. */
export type VectorKind = 'vector' | 'units' | 'districts';

/** A stored GeoJSON. */
export interface VectorSource {
  /** Key of the object, whose bytes never change. */
  readonly key: string;
  readonly kind: VectorKind;
  /** Columns of a table by KATO; absent for others. */
  readonly columns?: UnitColumns | undefined;
}

/** A GeoJSON with the name of its layer in a tile. */
export interface VectorLayer extends VectorSource {
  readonly name: string;
}

/** Parsing a text of this length takes about 300 MiB. */
export const maxSourceBytes = 64 * MiB;
/** Each opening bracket begins a list, and a list takes 80 bytes: short numbers would make more lists than memory holds. */
export const maxLists = 2_000_000;
const bytesPerRead = 8 * MiB;
const openingBracket = 0x5b;

/** A parsed but unchecked GeoJSON, and the size of its text. */
export interface ParsedSource {
  readonly json: unknown;
  readonly textBytes: number;
}

/**
 * Reads a whole stored GeoJSON by ranges.
 * @throws {Problem} `not_found` if it is gone; `invalid` if it is too large to be drawn, or not JSON.
 */
export async function readSource(key: string, context: ThreadContext): Promise<ParsedSource> {
  const textBytes = await context.size(key);
  if (textBytes === undefined) throw fileProblems.gone();
  if (textBytes > maxSourceBytes) {
    throw vectorTileProblems.tooLarge(Math.ceil(textBytes / MiB), maxSourceBytes / MiB);
  }
  const text = new Uint8Array(textBytes);
  for (let at = 0; at < textBytes;) {
    const part = await context.read(key, at, Math.min(bytesPerRead, textBytes - at));
    if (part.length === 0) throw fileProblems.gone();
    text.set(part, at);
    at += part.length;
  }
  return { json: parseSource(text), textBytes };
}

/** Parses a GeoJSON. @throws {Problem} `invalid` if it is too large to be drawn, or not JSON */
export function parseSource(text: Uint8Array): unknown {
  if (countLists(text) > maxLists) throw vectorTileProblems.tooManyPositions(maxLists);
  return parse(text);
}

/** Counts the brackets that may begin a position, including those within texts. */
function countLists(text: Uint8Array): number {
  let lists = 0;
  for (let i = 0; i < text.length; i += 1) if (text[i] === openingBracket) lists += 1;
  return lists;
}

/** Shorter whole numbers are exact doubles; coordinates are shorter. */
const longNumber = /[0-9]{16}/;

/** Keeps whole numbers beyond double precision as text: they are codes, and rounding would change them. */
function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const isLost = typeof value === 'number' && !Number.isSafeInteger(value);
  const digits = isLost ? context?.source : undefined;
  return digits !== undefined && /^-?[0-9]+$/.test(digits) ? digits : value;
}

function parse(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder().decode(bytes);
    return longNumber.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch (error) {
    throw vectorTileProblems.notGeoJson().because(error);
  }
}

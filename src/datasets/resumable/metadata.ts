import { uploadProblems } from '../../messages/request/english.ts';

/** Metadata that a client sends before the file. */
export interface SentMetadata {
  /** File name as sent, including folders; empty without one. */
  readonly filename: string;
  readonly mediaType: string | undefined;
  /** Slot of the Landscape Program for the file. */
  readonly slot: string | undefined;
  /** True for a file from which rasters are made (`use` is `rasters`); it becomes no dataset. */
  readonly isSource: boolean;
  /** Text parts of an upload, by name. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Parses `Upload-Metadata`: comma-separated names without blanks and commas, each with a value in Base64 of UTF-8.
 * @throws {Problem} `malformed`
 */
export function readMetadata(header: string): SentMetadata {
  const values = new Map<string, string>();
  for (const pair of header.split(',').map((text) => text.trim())) {
    if (pair === '') continue;
    const [name = '', encoded = '', ...more] = pair.split(/ +/);
    const value = decode(encoded);
    if (value === undefined || more.length > 0 || values.has(name)) throw uploadProblems.wrongMetadata();
    values.set(name, value);
  }
  const { filename = '', filetype, slot, use, ...fields } = Object.fromEntries(values);
  const isSource = use === 'rasters';
  return { filename, mediaType: filetype, slot: slot === '' ? undefined : slot, isSource, fields };
}

function decode(encoded: string): string | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
}

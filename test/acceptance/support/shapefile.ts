import { hostileZip } from '../../support/hostile/hostile-zip.ts';

/** Encodes a text of Russian and ASCII letters in windows-1251. */
export function windows1251(text: string): Buffer {
  return Buffer.from(
    [...text].map((letter) => {
      const code = letter.codePointAt(0) ?? 0;
      return code < 0x80 ? code : code - 0x410 + 0xc0;
    }),
  );
}

/** Files by name. */
type Files = Readonly<Record<string, Uint8Array | string>>;

/** A ZIP archive of these files. */
export function zipFileOf(files: Files, name = 'layer.zip'): File {
  const zip = hostileZip(Object.entries(files).map(([member, bytes]) => ({ name: member, bytes })));
  return new File([Uint8Array.from(zip)], name);
}

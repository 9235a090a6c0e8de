import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import type { Entry } from 'yauzl';
import { createEvidence } from '../shapefile/charset/evidence.ts';
import { likeliestCyrillic } from '../shapefile/charset/fit.ts';

const utf8Flag = 0x800;
/** The extra field of a name in Unicode: a version, the checksum of the name that it stands for, UTF-8. */
const unicodeName = { id: 0x7075, version: 1, headBytes: 5 } as const;

/** Returns the name of a file in its archive: UTF-8 where there is one, else in the Cyrillic charset of the likeliest letters. */
export function nameOf(entry: Entry): string {
  const raw = entry.fileNameRaw;
  const utf8 = (entry.generalPurposeBitFlag & utf8Flag) !== 0 || isUtf8(raw) ? raw : unicodeNameOf(entry);
  return (utf8 === undefined ? guessed(raw) : Buffer.from(utf8).toString()).replaceAll('\\', '/');
}

function unicodeNameOf({ extraFields, fileNameRaw }: Entry): Uint8Array | undefined {
  const field = extraFields.find(({ id }) => id === unicodeName.id)?.data;
  if (field === undefined || field.length <= unicodeName.headBytes) return undefined;
  const name = field.subarray(unicodeName.headBytes);
  // A program that knows nothing of the field may have renamed the file.
  const isMeant = field[0] === unicodeName.version && field.readUInt32LE(1) === crc32(fileNameRaw);
  return isMeant && isUtf8(name) ? name : undefined;
}

function guessed(raw: Uint8Array): string {
  const evidence = createEvidence();
  evidence.add(raw, { begin: 0, end: raw.length, room: raw.length + 1 });
  return likeliestCyrillic(evidence.finish()).charset.decode(raw);
}

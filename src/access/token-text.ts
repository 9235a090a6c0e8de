import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Enough base62 digits for the bytes of the secret, and for a CRC-32. */
const secretDigits = 43;
const checksumDigits = 6;
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const pattern = /^(?<text>steppe_(?<id>[0-9a-f]{16})_[0-9A-Za-z]{43})(?<checksum>[0-9A-Za-z]{6})$/;

/** Creates a token of 256 random bits: `steppe_<id>_<secret>` with a checksum at its end. The id is not secret. */
export function createTokenText() {
  const id = randomBytes(8).toString('hex');
  const secret = inBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretDigits);
  const text = `steppe_${id}_${secret}`;
  return { id, text: text + checksumOf(text) };
}

/** Returns the id in a token; undefined when the text is not a token, or mistyped. */
export function tokenIdOf(token: string): string | undefined {
  const { text = '', id, checksum } = pattern.exec(token)?.groups ?? {};
  return checksum === checksumOf(text) ? id : undefined;
}

/** Returns the digest that is stored. A slow hash would add nothing, because 256 random bits cannot be guessed. */
export function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function checksumOf(text: string): string {
  return inBase62(BigInt(crc32(text)), checksumDigits);
}

function inBase62(number: bigint, length: number): string {
  let text = '';
  for (let rest = number; rest > 0n; rest /= 62n) text = `${digits[Number(rest % 62n)]}${text}`;
  return text.padStart(length, '0');
}

import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** DER writers, and a signer that makes CMS signatures with its own certificate. */

function element(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length < 0x80 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

/** Writes an indefinite length, as BER allows. */
const open = (tag: number, ...parts: readonly Uint8Array[]): Buffer =>
  Buffer.concat([Buffer.of(tag, 0x80), ...parts, Buffer.of(0, 0)]);
const sequence = (...parts: readonly Uint8Array[]) => element(0x30, ...parts);
const set = (...parts: readonly Uint8Array[]) => element(0x31, ...parts);
const integer = (...bytes: readonly number[]) => element(0x02, Buffer.from(bytes));
const octets = (bytes: Uint8Array) => element(0x04, bytes);
const time = (text: string) => element(0x17, Buffer.from(text));

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const groups = [first * 40 + second, ...rest].flatMap((number) => {
    const digits = [number & 0x7f];
    for (let left = Math.floor(number / 128); left > 0; left = Math.floor(left / 128))
      digits.unshift((left & 0x7f) | 0x80);
    return digits;
  });
  return element(0x06, Buffer.from(groups));
}

const nameOf = (name: string) => sequence(set(sequence(oid('2.5.4.3'), element(0x0c, Buffer.from(name)))));

/** GOST R 34.10-2012 and 34.11-2012 with 256 bits, which OpenSSL does not support. */
const gost = { signature: '1.2.643.7.1.1.1.1', digest: '1.2.643.7.1.1.2.2' };
const sha256 = '2.16.840.1.101.3.4.2.1';
const kinds = {
  rsa: {
    signature: '1.2.840.113549.1.1.11',
    make: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  },
  ec: {
    signature: '1.2.840.10045.4.3.2',
    make: () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
  },
} as const;

interface SigningOptions {
  /** Names GOST algorithms, like a signature whose key is unknown here. */
  readonly isGost?: boolean;
  /** Signs the content directly, without attributes. */
  readonly isPlain?: boolean;
  /** Includes the content in the signature. */
  readonly isAttached?: boolean;
  /** Writes indefinite lengths. */
  readonly isBer?: boolean;
  /** Time of signing that the signature states. */
  readonly at?: string;
  /** Certificates to send instead of the signer's. */
  readonly certificates?: readonly Buffer[];
}

interface SignerOptions {
  readonly from?: string;
  readonly to?: string;
  /** Issuer of the certificate; by default the signer itself. */
  readonly issuer?: ReturnType<typeof createSigner>;
  /** Allows the certificate to issue others. */
  readonly isIssuer?: boolean;
  /** Last byte of the serial number. */
  readonly serial?: number;
}

/** Creates a signer with a new key and a certificate, which is self-signed unless another signer issues it. */
export function createSigner(
  kind: keyof typeof kinds,
  name: string,
  {
    from = '250601080000Z',
    to = '400601080000Z',
    issuer,
    isIssuer = false,
    serial: last = 0x1b,
  }: SignerOptions = {},
) {
  const { publicKey, privateKey } = kinds[kind].make();
  const serial = integer(0x5c, 0x3a, last);
  const ownIssuer: Issuer = { kind, name, key: privateKey };
  const by = issuer?.asIssuer ?? ownIssuer;
  const certificate = certificateOf(by, { publicKey, name, serial, times: [from, to], isIssuer });
  return {
    serial: Buffer.of(0x5c, 0x3a, last).toString('hex').toUpperCase(),
    certificate,
    asIssuer: ownIssuer,
    sign(
      content: Buffer,
      {
        isGost = false,
        isPlain = false,
        isAttached = false,
        isBer = false,
        at = '260204051200Z',
        certificates = [certificate],
      }: SigningOptions = {},
    ): Buffer {
      const outer = isBer ? open : element;
      const digestName = sequence(oid(isGost ? gost.digest : sha256));
      const attribute = (type: string, value: Uint8Array) => sequence(oid(type), set(value));
      const digest = createHash('sha256').update(content).digest();
      const attributes = [
        attribute('1.2.840.113549.1.9.3', oid('1.2.840.113549.1.7.1')),
        attribute('1.2.840.113549.1.9.5', time(at)),
        attribute('1.2.840.113549.1.9.4', octets(digest)),
      ];
      const signature = sign('sha256', isPlain ? content : set(...attributes), privateKey);
      const signer = sequence(
        integer(1),
        sequence(nameOf(by.name), serial),
        digestName,
        ...(isPlain ? [] : [element(0xa0, ...attributes)]),
        sequence(oid(isGost ? gost.signature : kinds[kind].signature)),
        octets(signature),
      );
      const inner = isBer
        ? open(0x24, octets(content.subarray(0, 9)), octets(content.subarray(9)))
        : octets(content);
      const data = outer(
        0x30,
        integer(1),
        set(digestName),
        outer(0x30, oid('1.2.840.113549.1.7.1'), ...(isAttached ? [outer(0xa0, inner)] : [])),
        element(0xa0, ...certificates),
        set(signer),
      );
      return outer(0x30, oid('1.2.840.113549.1.7.2'), outer(0xa0, data));
    },
  };
}

interface Issuer {
  readonly kind: keyof typeof kinds;
  readonly name: string;
  readonly key: KeyObject;
}

interface Certified {
  readonly publicKey: KeyObject;
  readonly name: string;
  readonly serial: Buffer;
  /** First and last moment of validity, as UTCTime. */
  readonly times: readonly [from: string, to: string];
  readonly isIssuer: boolean;
}

function certificateOf(
  issuer: Issuer,
  { publicKey, name, serial, times: [from, to], isIssuer }: Certified,
): Buffer {
  const algorithm = sequence(oid(kinds[issuer.kind].signature));
  const yes = element(0x01, Buffer.of(0xff));
  const mayIssue = sequence(sequence(oid('2.5.29.19'), yes, octets(sequence(yes))));
  const body = sequence(
    element(0xa0, integer(2)),
    serial,
    algorithm,
    nameOf(issuer.name),
    sequence(time(from), time(to)),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(isIssuer ? [element(0xa3, mayIssue)] : []),
  );
  const signature = element(0x03, Buffer.of(0), sign('sha256', body, issuer.key));
  return sequence(body, algorithm, signature);
}

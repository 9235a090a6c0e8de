import { type KeyObject, X509Certificate, constants, hash, verify } from 'node:crypto';
import { readable } from '../../lib/readable.ts';
import type { DossierSigner } from './dossier-schema.ts';
import { type Element, NotDer, octetsOf, oidOf, readElement } from './der.ts';

/** The bytes are not CMS SignedData (RFC 5652). */
export class NotCms extends Error {
  override readonly name = 'NotCms';
}

const tags = { integer: 0x02, octets: 0x04, oid: 0x06, sequence: 0x30, set: 0x31, first: 0xa0, keyId: 0x80 };
const oids = {
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  commonName: '2.5.4.3',
};
const digests: ReadonlyMap<string, string> = new Map([
  ['2.16.840.1.101.3.4.2.1', 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
]);
/** Signature algorithms with a known padding and digest. */
const checkedSignatures: ReadonlyMap<string, string> = new Map([
  ['1.2.840.113549.1.1.1', 'rsa'],
  ['1.2.840.113549.1.1.11', 'rsa'],
  ['1.2.840.113549.1.1.12', 'rsa'],
  ['1.2.840.113549.1.1.13', 'rsa'],
  ['1.2.840.10045.4.3.2', 'ec'],
  ['1.2.840.10045.4.3.3', 'ec'],
  ['1.2.840.10045.4.3.4', 'ec'],
  ['1.3.101.112', 'ed25519'],
]);
const maxNameCharacters = 500;
const maxSigners = 20;

interface SignerInfo {
  readonly issuer: Element | undefined;
  /** Upper-case hexadecimal; empty when the signer is identified by its key. */
  readonly serial: string;
  /** The first value of each attribute, by OID. */
  readonly attributes: ReadonlyMap<string, Element> | undefined;
  /** The signed bytes, if there are signed attributes. */
  readonly signedBytes: Buffer | undefined;
  readonly digest: string;
  readonly algorithm: string;
  readonly signature: Buffer;
}

export interface SignedData {
  readonly contentType: string;
  /** The signed content, unless the signature is detached. */
  readonly content: Buffer | undefined;
  readonly certificates: readonly X509Certificate[];
  readonly signers: readonly SignerInfo[];
}

/** Reads a signature. Its contents are not trusted. @throws {NotCms} */
export function readSignedData(bytes: Buffer): SignedData {
  try {
    const info = expect(readElement(bytes), tags.sequence);
    if (oidOf(expect(info.children[0], tags.oid)) !== oids.signedData)
      throw new NotCms('another kind of CMS');
    const data = expect(expect(info.children[1], tags.first).children[0], tags.sequence);
    const [version, algorithms, encapsulated, ...rest] = data.children;
    expect(version, tags.integer);
    expect(algorithms, tags.set);
    const [type, content] = expect(encapsulated, tags.sequence).children;
    const signers = expect(rest.at(-1), tags.set).children;
    if (signers.length > maxSigners) throw new NotCms('too many signers');
    return {
      contentType: oidOf(expect(type, tags.oid)),
      content: content === undefined ? undefined : octetsOf(expect(content, tags.first)),
      certificates: rest
        .filter(({ tag }) => tag === tags.first)
        .flatMap(({ children }) => certificatesIn(children)),
      signers: signers.map(signerOf),
    };
  } catch (cause) {
    throw cause instanceof NotDer ? new NotCms(cause.message, { cause }) : cause;
  }
}

function expect(element: Element | undefined, tag: number): Element {
  if (element?.tag !== tag) throw new NotCms('the parts of a signature are not there');
  return element;
}

/** Certificates of other types and invalid ones are left out; their signer is then unknown. */
function certificatesIn(elements: readonly Element[]): X509Certificate[] {
  return elements.slice(0, maxSigners).flatMap(({ tag, bytes }) => {
    try {
      return tag === tags.sequence ? [new X509Certificate(bytes)] : [];
    } catch {
      return [];
    }
  });
}

function signerOf(element: Element): SignerInfo {
  const [version, id, digest, ...rest] = expect(element, tags.sequence).children;
  expect(version, tags.integer);
  const attributes = rest[0]?.tag === tags.first ? rest.shift() : undefined;
  const [algorithm, signature] = rest;
  const [issuer, serial] = id?.tag === tags.sequence ? id.children : [];
  if (id?.tag !== tags.sequence && id?.tag !== tags.keyId) throw new NotCms('a signer is not named');
  return {
    issuer,
    serial: serial === undefined ? '' : hexOf(expect(serial, tags.integer).content),
    attributes: attributes && attributesIn(attributes),
    // Attributes are signed with the tag of a SET, not with the tag that is transmitted (RFC 5652, 5.4).
    signedBytes: attributes && Buffer.concat([Buffer.of(tags.set), attributes.bytes.subarray(1)]),
    digest: algorithmOf(digest),
    algorithm: algorithmOf(algorithm),
    signature: octetsOf(expect(signature, tags.octets)),
  };
}

function attributesIn({ children }: Element): ReadonlyMap<string, Element> {
  return new Map(
    children.map((each) => {
      const [type, values] = expect(each, tags.sequence).children;
      const [value] = expect(values, tags.set).children;
      if (value === undefined) throw new NotCms('an attribute without a value');
      return [oidOf(expect(type, tags.oid)), value];
    }),
  );
}

function algorithmOf(element: Element | undefined): string {
  return oidOf(expect(expect(element, tags.sequence).children[0], tags.oid));
}

function hexOf(integer: Buffer): string {
  return integer
    .toString('hex')
    .toUpperCase()
    .replace(/^(?:00)+(?=..)/, '');
}

/** A signer with its certificate in the signature. */
export interface CertifiedSigner {
  readonly signer: DossierSigner;
  readonly certificate: X509Certificate | undefined;
}

/** Returns the statements of a signature about its signers, checked against the bytes that should be signed. */
export function signersOf(data: SignedData, signed: Buffer): DossierSigner[] {
  return certifiedSignersOf(data, signed).map(({ signer }) => signer);
}

/** Returns the same signers with their certificates. */
export function certifiedSignersOf(data: SignedData, signed: Buffer): CertifiedSigner[] {
  return data.signers.map((info) => {
    const certificate = certificateOf(data, info);
    return { signer: signerIn(data, { info, certificate, signed }), certificate };
  });
}

interface Examined {
  readonly info: SignerInfo;
  readonly certificate: X509Certificate | undefined;
  readonly signed: Buffer;
}

function signerIn(data: SignedData, { info, certificate, signed }: Examined): DossierSigner {
  const signature = checkSignature(info, certificate, signed);
  const facts = {
    valid_from: momentOf(certificate?.validFromDate),
    valid_to: momentOf(certificate?.validToDate),
    signed_at: timeOf(info.attributes?.get(oids.signingTime)),
  };
  return {
    subject: certificate === undefined ? null : nameOf(certificate.subject),
    issuer: certificate === undefined ? commonNameIn(info.issuer) : nameOf(certificate.issuer),
    serial: info.serial || (certificate?.serialNumber ?? ''),
    ...facts,
    validity: validityOf(facts),
    // Without attributes, the signature covers the bytes directly.
    digest: info.attributes === undefined ? signature : checkDigest(data, info, signed),
    signature,
  };
}

type Times = Readonly<Pick<DossierSigner, 'valid_from' | 'valid_to' | 'signed_at'>>;

/** Compares times, which are texts in UTC that sort in order. */
function validityOf({ valid_from: from, valid_to: to, signed_at: at }: Times): DossierSigner['validity'] {
  if (from === null || to === null || at === null) return 'not_checked';
  return from <= at && at <= to ? 'right' : 'wrong';
}

/** Finds the certificate of a signer. For a signer that is identified by its key it is the only certificate, otherwise unknown. */
function certificateOf({ certificates }: SignedData, { serial }: SignerInfo): X509Certificate | undefined {
  if (serial === '') return certificates.length === 1 ? certificates[0] : undefined;
  return certificates.find(({ serialNumber }) => serialNumber.replace(/^(?:00)+(?=..)/, '') === serial);
}

function checkDigest(
  { content, contentType }: SignedData,
  { attributes, digest }: SignerInfo,
  signed: Buffer,
): DossierSigner['digest'] {
  if (content !== undefined && !content.equals(signed)) return 'wrong';
  const stated = attributes?.get(oids.messageDigest);
  const type = attributes?.get(oids.contentType);
  if (stated === undefined || type === undefined || oidOf(type) !== contentType) return 'wrong';
  const algorithm = digests.get(digest);
  if (algorithm === undefined) return 'not_checked';
  return hash(algorithm, signed, 'buffer').equals(octetsOf(stated)) ? 'right' : 'wrong';
}

function checkSignature(
  { algorithm, digest, signedBytes, signature }: SignerInfo,
  certificate: X509Certificate | undefined,
  signed: Buffer,
): DossierSigner['signature'] {
  const kind = checkedSignatures.get(algorithm);
  const hash = digests.get(digest);
  const key = keyOf(certificate);
  if (kind === undefined || hash === undefined || key?.asymmetricKeyType !== kind) return 'not_checked';
  const padding = kind === 'rsa' ? { padding: constants.RSA_PKCS1_PADDING } : {};
  try {
    const isRight = verify(
      kind === 'ed25519' ? null : hash,
      signedBytes ?? signed,
      { key, ...padding },
      signature,
    );
    return isRight ? 'right' : 'wrong';
  } catch {
    return 'wrong';
  }
}

/** Returns the key; undefined for algorithms that this OpenSSL does not support, such as GOST. */
function keyOf(certificate: X509Certificate | undefined): KeyObject | undefined {
  try {
    return certificate?.publicKey;
  } catch {
    return undefined;
  }
}

/** Converts the lines of a distinguished name in Node.js to one line. */
function nameOf(lines: string): string {
  return readable(lines.split('\n').toReversed().join(', '), maxNameCharacters);
}

function commonNameIn(name: Element | undefined): string {
  const parts = name?.children.flatMap(({ children }) => children) ?? [];
  const found = parts.find(
    ({ children: [type] }) => type?.tag === tags.oid && oidOf(type) === oids.commonName,
  );
  const text = found?.children[1]?.content.toString('utf8') ?? '';
  return text === '' ? '' : readable(`CN=${text}`, maxNameCharacters);
}

const utcTime = /^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/;

/** Reads a UTCTime or GeneralizedTime in whole seconds; null for anything else. */
function timeOf(element: Element | undefined): string | null {
  const text = element?.content.toString('latin1') ?? '';
  const full = utcTime.test(text) ? `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}` : text;
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/.exec(full) ?? [];
  return momentOf(new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`));
}

function momentOf(date: Date | undefined): string | null {
  return date === undefined || Number.isNaN(date.getTime()) ? null : date.toISOString();
}

import { X509Certificate } from 'node:crypto';

const longestChain = 6;
const mostCertificates = 100;
const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads the certificates that a reader trusts: one in DER, or any number of them in PEM; undefined for anything else. */
export function readCertificates(bytes: Buffer): readonly X509Certificate[] | undefined {
  const blocks = bytes.toString('latin1').match(block);
  try {
    return blocks === null
      ? [new X509Certificate(bytes)]
      : blocks.slice(0, mostCertificates).map((each) => new X509Certificate(each));
  } catch {
    return undefined;
  }
}

interface Chain {
  /** Those that a reader trusts: of signers, or of issuers. */
  readonly trusted: readonly X509Certificate[];
  /** Others, which may lie between. */
  readonly others: readonly X509Certificate[];
  /** When it was signed. */
  readonly at: Date;
}

/**
 * Returns whether a certificate is a trusted one, or was issued below one by certificates that may issue and were valid then. Whether one of them was revoked
 * is not looked up.
 */
export function isTrusted(certificate: X509Certificate, chain: Chain, length = 1): boolean {
  if (length > longestChain || !isValidAt(certificate, chain.at)) return false;
  if (chain.trusted.some(({ raw }) => raw.equals(certificate.raw))) return true;
  const issuers = (among: readonly X509Certificate[]) => among.filter((each) => isIssuer(each, certificate));
  return (
    issuers(chain.trusted).some((issuer) => isValidAt(issuer, chain.at)) ||
    issuers(chain.others).some((issuer) => isTrusted(issuer, chain, length + 1))
  );
}

const isValidAt = ({ validFromDate, validToDate }: X509Certificate, at: Date): boolean =>
  validFromDate <= at && at <= validToDate;

/** Returns whether a certificate that may issue others has issued this one: by name, and by its key. */
function isIssuer(issuer: X509Certificate, certificate: X509Certificate): boolean {
  try {
    return (
      issuer.ca &&
      !issuer.raw.equals(certificate.raw) &&
      certificate.checkIssued(issuer) &&
      certificate.verify(issuer.publicKey)
    );
  } catch {
    return false; // a key that this OpenSSL does not know
  }
}

/** Returns whether a certificate says that it has issued itself, and its key has not: then it was changed. */
export function isBrokenSelf(certificate: X509Certificate): boolean {
  if (certificate.subject !== certificate.issuer) return false;
  try {
    return !certificate.verify(certificate.publicKey);
  } catch {
    return false;
  }
}

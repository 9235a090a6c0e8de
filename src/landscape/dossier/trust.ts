import { X509Certificate } from 'node:crypto';

const longestChain = 6;
const mostCertificates = 100;
const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads trusted certificates: one in DER, or any number in PEM; undefined for anything else. */
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
  /** The trusted certificates, of signers or issuers. */
  readonly trusted: readonly X509Certificate[];
  /** Other certificates, which may be intermediate. */
  readonly others: readonly X509Certificate[];
  /** The signing time. */
  readonly at: Date;
}

/**
 * Returns whether a certificate is trusted, or was issued through a chain of certificates that may issue and were valid at the time.
 * Revocation is not checked.
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

/** Returns whether a certificate that may issue others has issued this one, by name and key. */
function isIssuer(issuer: X509Certificate, certificate: X509Certificate): boolean {
  try {
    return (
      issuer.ca &&
      !issuer.raw.equals(certificate.raw) &&
      certificate.checkIssued(issuer) &&
      certificate.verify(issuer.publicKey)
    );
  } catch {
    return false; // a key that this OpenSSL does not support
  }
}

/** Returns whether a certificate claims to be self-signed but its signature is invalid: it was changed. */
export function isBrokenSelf(certificate: X509Certificate): boolean {
  if (certificate.subject !== certificate.issuer) return false;
  try {
    return !certificate.verify(certificate.publicKey);
  } catch {
    return false;
  }
}

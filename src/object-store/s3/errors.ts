import { S3ServiceException } from '@aws-sdk/client-s3';
import { codeOf } from '../../lib/error-facts.ts';
import { StoreUnavailable } from '../object-store.ts';

/** Called with faults that an operator has to repair; temporary failures are reported to the callers only. */
export type OnRefusal = (sentence: string, error: unknown) => void;

/** Names and codes of network failures, and of credentials that could not be obtained. */
const codesOfWay = new Set(
  (
    'ECONNREFUSED ECONNRESET ECONNABORTED ETIMEDOUT EPIPE ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH ENETDOWN ' +
    'ERR_STREAM_PREMATURE_CLOSE ERR_SSL_WRONG_VERSION_NUMBER CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT ' +
    'SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_TLS_CERT_ALTNAME_INVALID'
  ).split(' '),
);
const namesOfWay = new Set(['TimeoutError', 'AbortError', 'NetworkingError', 'RequestTimeout']);

/** By name, because some servers also answer 404 to unknown credentials. */
const namesOfNothing = new Set(['NoSuchKey', 'NoSuchUpload', 'NotFound']);

/** Returns whether a call failed because the object or upload does not exist. */
export function isNotThere(error: unknown): boolean {
  return error instanceof S3ServiceException && namesOfNothing.has(error.name);
}

/** Returns whether a read failed because the object does not exist; a missing upload does not count. */
export function isNoObject(error: unknown): boolean {
  return isNotThere(error) && error instanceof Error && error.name !== 'NoSuchUpload';
}

/** Translates an error of the SDK into one of the port; returns a bug of our own unchanged. */
export function meantOfStore(error: unknown, onRefusal: OnRefusal): unknown {
  if (!(error instanceof Error) || error instanceof StoreUnavailable) return error;
  if (error instanceof S3ServiceException) {
    const status = error.$metadata.httpStatusCode ?? 500;
    const sentence = refusals[error.name] ?? (status === 403 || status === 401 ? refused : undefined);
    if (sentence !== undefined) onRefusal(sentence, error);
    const isAway = status >= 500 || status === 429 || status === 408 || isThrottled(error.name);
    return sentence !== undefined || isAway ? new StoreUnavailable({ cause: described(error) }) : error;
  }
  const missing = error.name === 'CredentialsProviderError' ? noCredentials : undefined;
  const sentence = error.message === 'Region is missing' ? noRegion : missing;
  if (sentence !== undefined) {
    onRefusal(sentence, error);
    return new StoreUnavailable({ cause: error });
  }
  const isOfWay = namesOfWay.has(error.name) || codesOfWay.has(codeOf(error) ?? '');
  return isOfWay ? new StoreUnavailable({ cause: error }) : error;
}

const refused =
  'the object store refuses the credentials: check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, the clock, and that they may list the bucket and its uploads, and read, write and delete its objects';
const noCredentials =
  'there are no credentials for the object store: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or let the machine have a role';
const noRegion = 'the region of the object store is not known: set region in OBJECT_STORE_URL, or AWS_REGION';
const refusals: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: refused,
  XAdminUserNotFound: refused, // versitygw, with 404
  NoSuchBucket: 'the bucket of OBJECT_STORE_URL is not there: make it, or correct the name',
  PermanentRedirect: 'the bucket of OBJECT_STORE_URL is in another region: set region in the URL',
  AuthorizationHeaderMalformed: 'the bucket of OBJECT_STORE_URL is in another region: set region in the URL',
};

function isThrottled(name: string): boolean {
  return name === 'SlowDown' || name === 'ServiceUnavailable' || name === 'RequestTimeout';
}

/** An answer without a body, such as to a HEAD, has no message. */
function described(error: S3ServiceException): Error {
  const { httpStatusCode: status } = error.$metadata;
  return new Error(`${error.name}: ${error.message || 'no message'} (${status ?? 'no status'})`, {
    cause: error,
  });
}

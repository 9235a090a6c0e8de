import { s3UrlFailures } from '../../messages/service/english.ts';

/** Place of objects in an S3 store, from OBJECT_STORE_URL or REFERENCE_BUCKETS. */
export interface S3Location {
  readonly bucket: string;
  /** Prefix of each key: empty, or with a trailing slash. */
  readonly prefix: string;
  /** Undefined for AWS itself. */
  readonly endpoint: string | undefined;
  /** Undefined: from the environment. */
  readonly region: string | undefined;
  /** True if the bucket is in the path of a request, not in the host name. */
  readonly forcePathStyle: boolean;
  /** Profile of the AWS configuration files with the credentials; undefined: as the AWS SDK finds them. */
  readonly profile?: string | undefined;
  /** True for a public bucket, to which no credentials are sent. */
  readonly isAnonymous?: boolean;
}

/** Most servers other than AWS have a single region with this name. */
const usualRegion = 'us-east-1';
const knownParameters = ['endpoint', 'region', 'path_style'];
const identities = ['profile', 'anonymous'];
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const prefixPath = /^(?:[\w.-]+\/)*$/;

/**
 * Parses `s3://bucket[/prefix]?endpoint=…&region=…&path_style=true`.
 * @throws {Error} with one readable line that names the variable.
 */
export function readS3Url(text: string): S3Location {
  return readLocation(text, 'OBJECT_STORE_URL', knownParameters);
}

/**
 * Parses a bucket of REFERENCE_BUCKETS, which may also have `profile=…` or `anonymous=true`.
 * @throws {Error} with one readable line that names the variable.
 */
export function readReferenceBucket(text: string): S3Location {
  const variable = 'REFERENCE_BUCKETS';
  const location = readLocation(text, variable, [...knownParameters, ...identities]);
  const { searchParams } = new URL(text);
  const profile = searchParams.get('profile') ?? undefined;
  const isAnonymous = flagOf(searchParams, 'anonymous', variable);
  if (profile !== undefined && isAnonymous) throw new Error(s3UrlFailures(variable).twoIdentities);
  return { ...location, profile, isAnonymous };
}

function readLocation(text: string, variable: string, known: readonly string[]): S3Location {
  const failures = s3UrlFailures(variable);
  const url = new URL(text);
  const { hostname: bucket, searchParams } = url;
  for (const name of searchParams.keys()) {
    if (!known.includes(name))
      throw new Error(
        failures.unknownParameter(name, `${known.slice(0, -1).join(', ')} and ${known.at(-1) ?? ''}`),
      );
  }
  if (!bucketName.test(bucket)) throw new Error(failures.bucket);
  // Credentials in a URL end up in process lists and logs.
  if (url.username !== '' || url.password !== '') throw new Error(failures.credentials);
  const path = url.pathname.replace(/^\//, '');
  const prefix = path === '' || path.endsWith('/') ? path : `${path}/`;
  if (!prefixPath.test(prefix) || prefix.split('/').includes('..')) throw new Error(failures.prefix);
  const endpoint = searchParams.get('endpoint') ?? undefined;
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    throw new Error(failures.endpoint);
  }
  return {
    bucket,
    prefix,
    endpoint,
    region: searchParams.get('region') ?? (endpoint === undefined ? undefined : usualRegion),
    forcePathStyle: flagOf(searchParams, 'path_style', variable),
  };
}

function flagOf(parameters: URLSearchParams, name: string, variable: string): boolean {
  const value = parameters.get(name) ?? 'false';
  if (value !== 'true' && value !== 'false') throw new Error(s3UrlFailures(variable).flag(name));
  return value === 'true';
}

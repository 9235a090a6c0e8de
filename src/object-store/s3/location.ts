import { objectStoreUrlFailures as failures } from '../../messages/service/english.ts';

/** Place of the objects in an S3 store, from OBJECT_STORE_URL. */
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
}

/** Most servers other than AWS have a single region with this name. */
const usualRegion = 'us-east-1';
const knownParameters = new Set(['endpoint', 'region', 'path_style']);
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const prefixPath = /^(?:[\w.-]+\/)*$/;

/**
 * Parses `s3://bucket[/prefix]?endpoint=…&region=…&path_style=true`.
 * @throws {Error} with one readable line that names the variable.
 */
export function readS3Url(text: string): S3Location {
  const url = new URL(text);
  const { hostname: bucket, searchParams } = url;
  for (const name of searchParams.keys()) {
    if (!knownParameters.has(name)) throw new Error(failures.unknownParameter(name));
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
  const pathStyle = searchParams.get('path_style') ?? 'false';
  if (pathStyle !== 'true' && pathStyle !== 'false') throw new Error(failures.pathStyle);
  return {
    bucket,
    prefix,
    endpoint,
    region: searchParams.get('region') ?? (endpoint === undefined ? undefined : usualRegion),
    forcePathStyle: pathStyle === 'true',
  };
}

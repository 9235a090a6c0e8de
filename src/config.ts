import { availableParallelism } from 'node:os';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { isLoopbackName } from './lib/addresses.ts';
import { issueMessage, validationMessages } from './validation/validation-messages.ts';
import { maxRasterValues } from './geo/child-program.ts';
import { GiB, KiB, MiB } from './lib/units.ts';
import { settingFailures } from './messages/service/english.ts';

const positiveInteger = z.coerce.number().int().min(1);
const drainSeconds = z.coerce.number().int().min(0).max(3600).optional();
const databaseUrl = z.url({ error: 'must be a URL such as postgres://steppe@localhost/steppe' }).optional();
const storeUrl = z
  .url({ error: 'must be a URL such as file:///srv/steppe/objects or s3://bucket?region=eu-central-1' })
  .optional();
/** A comma-separated list of NATS servers is not a URL. */
const queueUrl = z
  .string()
  .refine((text) => text.startsWith('nats://') || URL.canParse(text), {
    error: 'must be a URL such as nats://localhost:4222, or that of DATABASE_URL',
  })
  .optional();
const engineUrl = z
  .string()
  .startsWith('temporal://', { error: 'must be a URL such as temporal://localhost:7233/?namespace=steppe' })
  .optional();
/** Kinds of work that a worker can take: jobs about datasets, landscape runs, and blocks of runs that are distributed over many workers. */
const workerRoles = ['datasets', 'runs', 'blocks'] as const;
const roleList = listOf(
  (text) => workerRoles.some((role) => role === text),
  `must be some of ${workerRoles.join(', ')}, with commas between`,
).pipe(z.array(z.enum(workerRoles)));
const networks = listOf(
  (text) => isProxy(text) && isIP(text.split('/')[0] ?? '') !== 0,
  'must be addresses or networks with commas between, such as 10.0.0.0/8',
);
const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
const webOrigins = listOf(
  (text) => URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text,
  'must be `*`, or origins with commas between, such as https://maps.example:8443',
);
const hostNames = listOf(
  (text) => /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)$/i.test(text),
  'must be host names with commas between, without ports',
).transform((names) => names.map((name) => name.toLowerCase()));
const remoteHosts = listOf(
  (text) =>
    /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[1-9]\d{0,4})?$/i.test(text) && URL.canParse(`https://${text}`),
  'must be host names with commas between, such as archive.example or archive.example:8443',
).transform((names) => names.map((name) => new URL(`https://${name}`).host));
const remoteBuckets = listOf(
  (text) => text.startsWith('s3://') && URL.canParse(text),
  'must be buckets with commas between, such as s3://archive?region=eu-central-1',
);
const filesLocation = z.string().regex(/^(?:\/[a-z0-9_-]+)+\/$/, {
  error: 'must be a location of nginx with a slash at both ends, such as /steppe-objects/',
});
const proxies = listOf(
  isProxy,
  'must be addresses or networks with commas between, such as 10.0.0.0/8, or loopback, linklocal or uniquelocal',
);
/** HTTPS only: a party that can change an issuer's answers in transit can sign every token. */
const issuerUrl = webUrl.refine(
  (text) => text.startsWith('https:') || (URL.canParse(text) && isLoopbackName(new URL(text).hostname)),
  { error: 'must be an https URL' },
);

/** The origin is literal, because pages may have to name it; the URL is public and has no password. */
const tilesUrl = z.string().refine((text) => webUrl.safeParse(text).success && isTilesUrl(text), {
  error:
    'must be an http or https URL with {z}, {x} and {y} in its path, such as https://tiles.example/{z}/{x}/{y}.png',
});

/** Samplers of traces, by their OpenTelemetry names. */
const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Default limit of the cells of a run: what one machine computes in days, and the size of the largest raster upload. */
const maxPixels = { local: 1e10, spread: maxRasterValues };

/** Environment variables of the service. Only this file reads `process.env`. */
const Environment = z.object({
  HTTP_HOST: z.string().min(1).default('127.0.0.1'),
  HTTP_PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  HTTP_MAX_UPLOAD_BYTES: bytes(1).default(2 * GiB),
  RESUMABLE_MAX_BYTES: bytes(1).default(64 * GiB),
  RESUMABLE_HELD_BYTES: bytes(1).default(128 * GiB),
  RESUMABLE_EXPIRY_SECONDS: positiveInteger.default(86_400),
  EXPORT_SPOOL_BYTES: bytes(64 * MiB).default(8 * GiB),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: databaseUrl,
  DATABASE_DIRECT_URL: databaseUrl,
  OBJECT_STORE_URL: storeUrl,
  MESSAGE_QUEUE_URL: queueUrl,
  WORKFLOW_ENGINE_URL: engineUrl,
  WORKER_ROLES: roleList.default([...workerRoles]),
  WORKER_CONCURRENCY: positiveInteger.max(256).default(availableParallelism()),
  ENGINE_DEADLINE_SECONDS: positiveInteger.default(3600),
  ENGINE_MEMORY_BYTES: bytes(256 * MiB).optional(),
  PROJ_GRIDS_DIR: z.string().min(1).optional(),
  ENGINE_ISOLATION: z.enum(['auto', 'bubblewrap', 'namespaces', 'none']).default('auto'),
  LANDSCAPE_MAX_PIXELS: positiveInteger.optional(),
  LANDSCAPE_SPREAD_PIXELS: positiveInteger.default(64e6),
  AUTH_MODE: z.enum(['off', 'token', 'oidc']).default('off'),
  OIDC_ISSUER: issuerUrl.optional(),
  OIDC_AUDIENCE: z.string().optional(),
  CORS_ALLOWED_ORIGINS: z.literal('*').or(webOrigins).default([]),
  PUBLIC_URL: webUrl.optional(),
  ALLOWED_HOSTS: hostNames.optional(),
  TRUST_PROXY: proxies.default([]),
  NGINX_FILES_LOCATION: filesLocation.optional(),
  WEBHOOK_ALLOWED_NETWORKS: networks.default([]),
  REFERENCE_HOSTS: remoteHosts.default([]),
  REFERENCE_BUCKETS: remoteBuckets.default([]),
  BASE_MAP_URL: tilesUrl.optional(),
  BASE_MAP_ATTRIBUTION: z.string().default(''),
  DRAIN_DELAY_SECONDS: drainSeconds,
  DRAIN_SECONDS: drainSeconds,
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  ACCESS_LOG: z.enum(['on', 'off']).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.optional(),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_TRACES_SAMPLER: z.enum(samplers).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  TILE_THREADS: positiveInteger.max(64).default(Math.min(2, availableParallelism())),
  TILE_RATE: positiveInteger.default(200),
  MCP: z.enum(['on', 'off']).default('off'),
  BASE_URL: z.string().optional(),
  STEPPE_TOKEN: z.string().optional(),
  METADATA_ORGANISATION: z.string().max(255).optional(),
  METADATA_EMAIL: z.email({ error: 'must be an e-mail address' }).max(255).optional(),
  METADATA_LICENCE: z.string().max(2000).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});

/** Issuer of the tokens that the service accepts. */
type Authentication =
  | { readonly mode: 'off' }
  | { readonly mode: 'token' }
  | { readonly mode: 'oidc'; readonly issuer: string; readonly audience: string };

export type Config = Readonly<ReturnType<typeof readConfig>>;

type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Keeps the AWS SDK, which reads the environment itself, from requesting credentials from the metadata address of AWS. */
export function disableCloudMetadata(environment: NodeJS.ProcessEnv = process.env): void {
  environment['AWS_EC2_METADATA_DISABLED'] ??= 'true';
}

export function isChildOfNpm(environment: EnvironmentVariables = process.env): boolean {
  return environment['npm_lifecycle_event'] !== undefined;
}

/**
 * Reads the configuration from environment variables; an empty value counts as unset.
 * @throws {Error} with one readable line per wrong variable, each naming it.
 */
export function readConfig(environment: EnvironmentVariables = process.env) {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(given, validationMessages);
  if (!parsed.success) {
    // Of several errors of one variable, the last one is the most specific: for a URL without {z}, {x} and {y}, it also
    // says that a URL is required.
    const faults = new Map(parsed.error.issues.map((issue) => [issue.path.join('.'), issueMessage(issue)]));
    throw new Error(
      settingFailures.wrong([...faults].map(([variable, { english }]) => `${variable}: ${english}`)),
    );
  }
  const env = parsed.data;
  return {
    httpHost: env.HTTP_HOST,
    httpPort: env.HTTP_PORT,
    maxUploadBytes: env.HTTP_MAX_UPLOAD_BYTES,
    uploadLimits: {
      maxBytes: env.RESUMABLE_MAX_BYTES,
      maxHeldBytes: env.RESUMABLE_HELD_BYTES,
      maxUnfinished: 500,
      expirySeconds: env.RESUMABLE_EXPIRY_SECONDS,
    },
    exportSpoolBytes: env.EXPORT_SPOOL_BYTES,
    /** Absolute path. */
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    /** Connection to the same database for LISTEN, which a pooler may not support. */
    databaseDirectUrl: env.DATABASE_DIRECT_URL,
    objectStoreUrl: env.OBJECT_STORE_URL,
    messageQueueUrl: env.MESSAGE_QUEUE_URL,
    workflowEngineUrl: env.WORKFLOW_ENGINE_URL,
    workerRoles: env.WORKER_ROLES,
    workerConcurrency: env.WORKER_CONCURRENCY,
    metricsHost: env.METRICS_HOST,
    metricsPort: env.METRICS_PORT,
    /** The default depends on the role, as for the next two. */
    accessLog: env.ACCESS_LOG,
    drainDelaySeconds: env.DRAIN_DELAY_SECONDS,
    drainSeconds: env.DRAIN_SECONDS,
    engineDeadlineSeconds: env.ENGINE_DEADLINE_SECONDS,
    /** Memory of one engine process; the default depends on the machine. */
    engineMemoryBytes: env.ENGINE_MEMORY_BYTES,
    /** `auto` selects the strongest isolation that works. */
    engineIsolation: env.ENGINE_ISOLATION,
    /** Absolute path. */
    gridsFolder: env.PROJ_GRIDS_DIR === undefined ? undefined : resolve(env.PROJ_GRIDS_DIR),
    /** Maximum number of cells in the reference grid of a run. */
    landscapeMaxPixels:
      env.LANDSCAPE_MAX_PIXELS ?? maxPixels[env.WORKFLOW_ENGINE_URL === undefined ? 'local' : 'spread'],
    /** Runs on smaller grids stay on one machine, and so do all runs without a workflow engine. */
    landscapeSpreadPixels: env.LANDSCAPE_SPREAD_PIXELS,
    authentication: authenticationOf(env),
    /** `*` allows reads from any origin. */
    corsAllowedOrigins: env.CORS_ALLOWED_ORIGINS,
    /** Address of the service for browsers. */
    publicUrl: env.PUBLIC_URL,
    /** In lower case. */
    allowedHosts: env.ALLOWED_HOSTS,
    /** Proxies whose `X-Forwarded-For` names the client. */
    trustedProxies: env.TRUST_PROXY,
    /** Location of nginx over the folder of objects, from which it sends files in place of the api. */
    filesLocation: env.NGINX_FILES_LOCATION,
    /** Private networks that webhooks may address. */
    webhookNetworks: env.WEBHOOK_ALLOWED_NETWORKS,
    /** Hosts, in lower case and with a port if it is not 443, whose files datasets may refer to; none switches the feature off. */
    referenceHosts: env.REFERENCE_HOSTS,
    /** Buckets whose objects datasets may refer to, as URLs. */
    referenceBuckets: env.REFERENCE_BUCKETS,
    /** Tiles of the background map. */
    baseMap:
      env.BASE_MAP_URL === undefined
        ? undefined
        : { url: env.BASE_MAP_URL, attribution: env.BASE_MAP_ATTRIBUTION },
    /** Number of drawing threads of an api process. */
    tileThreads: env.TILE_THREADS,
    /** Tiles drawn per client and second. */
    tileRate: env.TILE_RATE,
    /** True if the api serves the Model Context Protocol at `/mcp`. */
    hasMcp: env.MCP === 'on',
    /** Service that `steppe mcp` queries, and the token for it. */
    mcpBaseUrl: env.BASE_URL,
    mcpToken: env.STEPPE_TOKEN,
    /** Default contact for datasets without one in their metadata. */
    publisher: {
      organisation: env.METADATA_ORGANISATION,
      email: env.METADATA_EMAIL,
      licence: env.METADATA_LICENCE,
    },
    logLevel: env.LOG_LEVEL,
    /** Undefined if tracing is off. The exporter reads the endpoint and its headers from the environment itself. */
    tracing:
      env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? undefined
        : {
            serviceName: env.OTEL_SERVICE_NAME,
            sampler: env.OTEL_TRACES_SAMPLER,
            samplerRatio: env.OTEL_TRACES_SAMPLER_ARG,
          },
  };
}

function authenticationOf(env: z.infer<typeof Environment>): Authentication {
  const { AUTH_MODE: mode, OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience } = env;
  if (mode !== 'oidc') return { mode };
  if (issuer !== undefined && audience !== undefined) return { mode, issuer, audience };
  const missing = (['OIDC_ISSUER', 'OIDC_AUDIENCE'] as const).filter((name) => env[name] === undefined);
  throw new Error(settingFailures.wrong([settingFailures.missingForOidc(missing)]));
}

/** Returns true for an address, a network, or the name of a range. */
function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', prefix, ...more] = text.split('/');
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (bits === 0 || address.includes('%') || more.length > 0) return false;
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= bits);
}

function isTilesUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return /^[a-z0-9.:[\]-]+$/.test(url.host) && ['{z}', '{x}', '{y}'].every((place) => text.includes(place));
}

const sizeUnits: Readonly<Record<string, number>> = { KiB, MiB, GiB, TiB: 1024 * GiB };

/** A size in bytes, or with an unambiguous unit: `2G` and `2GB` may be 2^31 or 2 * 10^9 bytes. */
function bytes(min: number) {
  const error = `must be a whole number of bytes, or a number with KiB, MiB, GiB or TiB, such as 2GiB or ${2 * GiB}, and at least ${min} bytes`;
  return z.string().transform(bytesIn).pipe(z.number({ error }).int({ error }).min(min, { error }));
}

function bytesIn(text: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([KMGT]iB)$/.exec(text.trim()) ?? [];
  return number === undefined ? Number(text) : Number(number) * (sizeUnits[unit] ?? NaN);
}

/** A comma-separated list; blanks around items are ignored. */
function listOf(isItem: (text: string) => boolean, error: string) {
  return z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((items) => items.every(isItem), { error });
}

import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { GiB } from './units.ts';

const positiveInteger = z.coerce.number().int().positive();
const optionalUrl = z.url().optional();

/** The environment variables that the service reads; nothing else in the code looks at `process.env`. */
const Environment = z.object({
  HTTP_HOST: z.string().min(1).default('127.0.0.1'),
  HTTP_PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  HTTP_MAX_UPLOAD_BYTES: positiveInteger.default(2 * GiB),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: optionalUrl,
  OBJECT_STORE_URL: optionalUrl,
  MESSAGE_QUEUE_URL: optionalUrl,
  WORKER_CONCURRENCY: positiveInteger.max(256).default(availableParallelism()),
  ENGINE_DEADLINE_SECONDS: positiveInteger.default(3600),
  LANDSCAPE_MAX_PIXELS: positiveInteger.default(1e10),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});

export interface Config {
  readonly httpHost: string;
  readonly httpPort: number;
  readonly maxUploadBytes: number;
  /** Absolute. */
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly objectStoreUrl: string | undefined;
  readonly messageQueueUrl: string | undefined;
  readonly workerConcurrency: number;
  readonly engineDeadlineSeconds: number;
  /** Of the reference grid of a run. */
  readonly landscapeMaxPixels: number;
  readonly logLevel: z.infer<typeof Environment>['LOG_LEVEL'];
}

/**
 * Reads the configuration from environment variables; an empty value counts as unset.
 * @throws {Error} with one readable line per wrong variable, each naming it.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`Wrong configuration. ${lines.join('. ')}`);
  }
  const env = parsed.data;
  return {
    httpHost: env.HTTP_HOST,
    httpPort: env.HTTP_PORT,
    maxUploadBytes: env.HTTP_MAX_UPLOAD_BYTES,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    objectStoreUrl: env.OBJECT_STORE_URL,
    messageQueueUrl: env.MESSAGE_QUEUE_URL,
    workerConcurrency: env.WORKER_CONCURRENCY,
    engineDeadlineSeconds: env.ENGINE_DEADLINE_SECONDS,
    landscapeMaxPixels: env.LANDSCAPE_MAX_PIXELS,
    logLevel: env.LOG_LEVEL,
  };
}

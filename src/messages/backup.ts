/** Why a backup or a restore ends without success. */
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

/** Faults of a command line. A hint at the help follows each sentence, so none has a full stop. */
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
  unknownLevel: '--level: region or district',
  noBackupFolder: 'say into which folder to back up',
  noRestoreFolder: 'say which folder to restore',
  noTokenAction: 'say what to do with tokens: create, list or revoke',
  noTokenId: 'say which token to revoke, by its id',
  wrongTokenName: (max: number) =>
    `--name: say what the token is for, in at most ${max} printable characters`,
  wrongScopes: (scopes: readonly string[]) => `--scopes: some of ${scopes.join(', ')}, with commas between`,
  wrongDays: (max: number, given: string) =>
    `--expires-in-days: a whole number from 1 to ${max}, not ${given}`,
} as const;

/** Why a command that was typed correctly cannot do its work. */
export const commandFailures = {
  noFile: (path: string) => `there is no file ${path}`,
  wrongExtension: (path: string, extensions: readonly string[]) =>
    `${path} has to be one of ${extensions.join(', ')}`,
  noData: (dataDir: string) =>
    `there is no data in ${dataDir}; is DATA_DIR right? A new database is made by ./steppe migrate, and by a service that starts`,
  unknownToken: (id: string) => `there is no token ${id}; \`./steppe token list\` lists the existing tokens`,
} as const;

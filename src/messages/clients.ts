/** Why a client of a running service cannot go on. */
export const clientFailures = {
  noConnection: (request: string, reason: string) => `${request}: the connection failed (${reason})`,
  badAnswer: (request: string, status: number, text: string) => `${request}: ${status} ${text}`,
  /** @param hasToken whether the client has sent a token. */
  tokenWanted: (refusal: string, hasToken: boolean) =>
    `${refusal}. Set STEPPE_TOKEN to ${hasToken ? 'another' : 'a'} token; \`./steppe token create\` makes one, or the identity provider of the service.`,
  stillWorking: (status: string, seconds: number) => `still ${status} after ${seconds} seconds`,
  fileFailed: (filename: string, reason: string) => `${filename}: ${reason}`,
  runFailed: (reason: string) => `the run failed: ${reason}`,
} as const;

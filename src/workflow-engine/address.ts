import { workflowEngineUrlFailures as failures } from '../messages/service/english.ts';

/** The address of the workflow engine, from WORKFLOW_ENGINE_URL. */
export interface WorkflowEngineAddress {
  /** Host and port, such as `temporal.example:7233`. */
  readonly server: string;
  readonly namespace: string;
  /** The path of the CA certificates; with it, or one of the next three, connections use TLS. */
  readonly caPath: string | undefined;
  /** The paths of the client certificate and of its key. */
  readonly certPath: string | undefined;
  readonly keyPath: string | undefined;
  /** The path of a file with an API key. */
  readonly apiKeyPath: string | undefined;
}

const form = /^temporal:\/\/([a-z0-9._-]+|\[[0-9a-f:]+\])(?::(\d{1,5}))?\/?(?:\?(.*))?$/i;
const usualPort = '7233';
const usualNamespace = 'steppe';
/** Parameters that name files. */
const pathParameters = ['ca', 'cert', 'key', 'api_key_file'] as const;
const knownParameters: readonly string[] = ['namespace', ...pathParameters];

/**
 * Parses `temporal://host:7233/?namespace=…&ca=…&cert=…&key=…&api_key_file=…`.
 * @throws {Error} with one readable line that names the variable.
 */
export function readWorkflowEngineUrl(text: string): WorkflowEngineAddress {
  const [, host, port = usualPort, query = ''] = form.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) throw new Error(failures.server);
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) {
    if (!knownParameters.includes(name)) throw new Error(failures.unknownParameter(name));
  }
  const [caPath, certPath, keyPath, apiKeyPath] = pathParameters.map(
    (name) => parameters.get(name) || undefined,
  );
  if ((certPath === undefined) !== (keyPath === undefined)) throw new Error(failures.certificateAlone);
  if (certPath !== undefined && apiKeyPath !== undefined) throw new Error(failures.twoProofs);
  return {
    server: `${host}:${port}`,
    namespace: parameters.get('namespace') || usualNamespace,
    caPath,
    certPath,
    keyPath,
    apiKeyPath,
  };
}

/** Lists the parameters that name files, with their paths. */
export function filesOf(
  address: WorkflowEngineAddress,
): readonly (readonly [parameter: string, path: string])[] {
  const { caPath, certPath, keyPath, apiKeyPath } = address;
  return [caPath, certPath, keyPath, apiKeyPath].flatMap((path, index) =>
    path === undefined ? [] : [[pathParameters[index] ?? '', path] as const],
  );
}

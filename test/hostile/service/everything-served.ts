/** An answer of a service. */
export interface Served {
  readonly path: string;
  readonly status: number;
  readonly bytes: Buffer;
}

/** Reads everything that the service serves of a dataset. */
export async function everythingOf(baseUrl: string, id: string): Promise<readonly Served[]> {
  const files = [
    '',
    '.geojson',
    '.cog',
    '/download',
    '/observations',
    '/report',
    '/series',
    '/status',
    '/sld',
  ];
  return await readAll(
    baseUrl,
    files.map((file) => `/datasets/${id}${file}`),
  );
}

/** Reads everything that the service serves of all datasets together. */
export async function everythingShared(baseUrl: string): Promise<readonly Served[]> {
  return await readAll(baseUrl, ['/datasets?page_size=100', '/categories', '/metrics', '/openapi.json']);
}

async function readAll(baseUrl: string, paths: readonly string[]): Promise<readonly Served[]> {
  return await Promise.all(
    paths.map(async (path) => {
      const response = await fetch(baseUrl + path);
      return { path, status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
    }),
  );
}

/** Returns whether an answer contains one of the secrets. */
export function tells({ bytes }: Served, secrets: readonly string[]): boolean {
  return secrets.some((secret) => bytes.includes(secret) || bytes.includes(Buffer.from(secret, 'utf16le')));
}

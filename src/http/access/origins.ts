const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** Whether an `Origin` is that of the service: same host and port, those of `publicUrl` or else of the `Host` header. */
export function isOwnOrigin(
  origin: string,
  { publicUrl, host }: { readonly publicUrl: URL | undefined; readonly host: string | undefined },
): boolean {
  const theirs = parseWebUrl(origin);
  if (theirs === undefined) return false;
  // Behind a proxy that speaks TLS the header has the port that is usual for the browser's scheme.
  const ours = publicUrl ?? parseWebUrl(`${theirs.protocol}//${host ?? ''}`);
  return ours !== undefined && ours.hostname === theirs.hostname && portOf(ours) === portOf(theirs);
}

function parseWebUrl(text: string): URL | undefined {
  return /^https?:\/\/[^/?#@\\\s]+$/i.test(text) ? (URL.parse(text) ?? undefined) : undefined;
}

function portOf({ port, protocol }: URL): string | undefined {
  return port === '' ? defaultPorts[protocol] : port;
}

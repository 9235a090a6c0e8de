import type { Answer } from './http-client.ts';
import type { FuzzRequest } from './requests.ts';

const maxShownBytes = 20_000;

/** A shell line that sends the request again. */
export function curlOf(
  request: Pick<FuzzRequest, 'method' | 'url' | 'headers' | 'body'>,
  baseUrl: string,
): string {
  const { method, url, headers, body } = request;
  const flags = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const curl = [
    'curl -i -g --path-as-is',
    method === 'HEAD' ? '-I' : `-X ${method}`,
    ...flags,
    quoted(baseUrl + url),
  ];
  if (body === undefined) return curl.join(' ');
  const note = body.length > maxShownBytes ? ` # the first of ${body.length} bytes` : '';
  return `printf ${quoted(printfOf(body.subarray(0, maxShownBytes)))} | ${curl.join(' ')} --data-binary @-${note}`;
}

/** The first lines of an answer. */
export function excerptOf({ status, headers, body }: Answer): string {
  return `${status} ${headers['content-type'] ?? ''} ${body.toString('utf8', 0, 600)}`;
}

/** For a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Any bytes as printable text that printf turns into them again. */
function printfOf(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll(/[^ -~]|[%\\]/g, (character) =>
      character === '%' ? '%%' : `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
    );
}

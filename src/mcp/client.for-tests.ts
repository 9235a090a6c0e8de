import { fetchRaw } from '../../test/support/http/raw-http.ts';

export interface Asked {
  readonly token?: string;
  readonly origin?: string;
  readonly host?: string;
  /** Version of the protocol. */
  readonly version?: string;
  /** Client on whose behalf a proxy sends the request. */
  readonly client?: string;
  /** Body to send instead of the message. */
  readonly body?: string;
}

interface ToolResult {
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: {
    readonly note: string;
    readonly answer: unknown;
    readonly cut?: readonly string[];
  };
  readonly isError?: boolean;
}

interface Body {
  readonly id?: number | string | null;
  readonly error?: { readonly code: number };
  readonly result?: ToolResult & {
    readonly protocolVersion?: string;
    readonly tools?: readonly {
      readonly name: string;
      readonly inputSchema: { readonly type: string; readonly additionalProperties: boolean };
      readonly annotations: { readonly readOnlyHint: boolean };
    }[];
  };
}

/** Sends one message to `/mcp`. */
export async function ask(
  { baseUrl }: { readonly baseUrl: string },
  message: unknown,
  { token, origin, host, version, client, body: sent }: Asked = {},
) {
  const { status, bytes } = await fetchRaw(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(origin !== undefined && { origin }),
      ...(host !== undefined && { host }),
      ...(version !== undefined && { 'mcp-protocol-version': version }),
      ...(client !== undefined && { 'x-forwarded-for': client }),
    },
    body: sent ?? JSON.stringify(message),
  });
  const text = bytes.toString();
  const body: Body = text === '' ? {} : JSON.parse(text);
  return { status, text, body };
}

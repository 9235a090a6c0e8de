import assert from 'node:assert/strict';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body parsed as JSON; the type says what the claim goes on to check. */
  read<T = unknown>(): T;
}

export interface Asked {
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly form?: Readonly<Record<string, string | File>> | FormData;
  readonly headers?: Readonly<Record<string, string>>;
  /** Follows redirects; not by default. */
  readonly redirect?: 'follow' | 'manual';
}

/** Speaks HTTP to the service under test, and nothing else. */
export function createAcceptanceClient(baseUrl: string) {
  async function ask(method: string, path: string, asked: Asked = {}): Promise<Answer> {
    const body = bodyOf(asked);
    const response = await fetch(baseUrl + path, {
      method,
      redirect: asked.redirect ?? 'manual',
      ...(asked.headers === undefined ? {} : { headers: { ...asked.headers } }),
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff', `${method} ${path}`);
    assert.ok(response.headers.get('x-request-id'), `${method} ${path} has no X-Request-Id`);
    return {
      status: response.status,
      headers: response.headers,
      text,
      read: () => JSON.parse(text),
    };
  }
  const expect = async (status: number, method: string, path: string, asked?: Asked): Promise<Answer> => {
    const answer = await ask(method, path, asked);
    assert.equal(answer.status, status, `${method} ${path}: ${answer.status} ${answer.text.slice(0, 500)}`);
    return answer;
  };
  return { baseUrl, ask, expect };
}

export type Client = ReturnType<typeof createAcceptanceClient>;

function bodyOf({ json, body, form }: Asked): string | Uint8Array<ArrayBuffer> | FormData | undefined {
  if (json !== undefined) return JSON.stringify(json);
  if (form === undefined || form instanceof FormData) return form ?? body;
  const data = new FormData();
  for (const [name, value] of Object.entries(form)) data.append(name, value);
  return data;
}

import assert from 'node:assert/strict';
import { askAgainWhileBusy } from '../support/http/ask-again.ts';
import { formType, rawForm, type RawPart } from '../support/http/raw-http.ts';
import { assertError, assertFields } from './support/errors.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body parsed as JSON; the claim checks the asserted type. */
  read<T = unknown>(): T;
}

/** A part of a form: text, or a file with a name. */
export type Part = readonly [name: string, value: string | File];

export interface Asked {
  readonly json?: unknown;
  /** Body, sent unchanged. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly form?: Readonly<Record<string, string | File>>;
  /** Parts of a form, in this order. */
  readonly parts?: readonly Part[];
  /** Parts of a form, written by hand. */
  readonly raw?: readonly RawPart[];
  readonly headers?: Readonly<Record<string, string>>;
  /** By default `manual`. */
  readonly redirect?: 'follow' | 'manual';
}

/** Creates a client that accesses the service under test over HTTP alone. */
export function createAcceptanceClient(baseUrl: string) {
  async function ask(method: string, path: string, asked: Asked = {}): Promise<Answer> {
    const { status, headers, text } = await askAgainWhileBusy(async () => {
      const body = bodyOf(asked);
      const each = await fetch(baseUrl + path, {
        method,
        redirect: asked.redirect ?? 'manual',
        headers: { ...(asked.raw === undefined ? {} : formType), ...asked.headers },
        ...(body === undefined ? {} : { body }),
      });
      return { status: each.status, headers: each.headers, text: await each.text() };
    });
    assert.equal(headers.get('x-content-type-options'), 'nosniff', `${method} ${path}`);
    assert.ok(headers.get('x-request-id'), `${method} ${path} has no X-Request-Id`);
    return { status, headers, text, read: () => JSON.parse(text) };
  }
  const expect = async (status: number, method: string, path: string, asked?: Asked): Promise<Answer> => {
    const answer = await ask(method, path, asked);
    assert.equal(answer.status, status, `${describe(method, path, asked)}: ${answer.text.slice(0, 500)}`);
    return answer;
  };
  return {
    baseUrl,
    ask,
    expect,
    /** Expects a status and returns the body. */
    async read<T = unknown>(status: number, method: string, path: string, asked?: Asked): Promise<T> {
      return (await expect(status, method, path, asked)).read<T>();
    },
    /** Expects 200 and returns the body. */
    async get<T = unknown>(path: string): Promise<T> {
      return (await expect(200, 'GET', path)).read<T>();
    },
    /** Expects a status with an error of one sentence, and returns the sentence. */
    async refused(status: number, method: string, path: string, asked?: Asked): Promise<string> {
      return assertError(await expect(status, method, path, asked), describe(method, path, asked));
    },
    /** Expects 422 with a message for exactly these fields, and returns the messages. */
    async invalid(
      fields: readonly string[],
      method: string,
      path: string,
      asked?: Asked,
    ): Promise<Readonly<Record<string, string>>> {
      return assertFields(await expect(422, method, path, asked), fields, describe(method, path, asked));
    },
  };
}

export type Client = ReturnType<typeof createAcceptanceClient>;

function bodyOf({ json, body, form, parts = form && Object.entries(form), raw }: Asked) {
  if (json !== undefined) return JSON.stringify(json);
  if (raw !== undefined) return rawForm(raw);
  if (parts === undefined) return body;
  const data = new FormData();
  for (const [name, value] of parts) data.append(name, value);
  return data;
}

/** Beginning of a request, for the message of a failed claim. */
function describe(method: string, path: string, { json, body, headers, form }: Asked = {}): string {
  const sent = typeof body === 'string' ? body.slice(0, 200) : JSON.stringify({ json, form });
  return `${method} ${path} ${JSON.stringify(headers)} ${sent}`.slice(0, 500);
}

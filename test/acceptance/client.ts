import assert from 'node:assert/strict';
import { askAgainWhileBusy } from '../support/http/ask-again.ts';
import { formType, rawForm, type RawPart } from '../support/http/raw-http.ts';
import { assertError, assertFields } from './support/errors.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body parsed as JSON; the type says what the claim goes on to check. */
  read<T = unknown>(): T;
}

/** A part of a form: text, or a file with a name. */
export type Part = readonly [name: string, value: string | File];

export interface Asked {
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly form?: Readonly<Record<string, string | File>>;
  /** A form of these parts in this order. */
  readonly parts?: readonly Part[];
  /** A form whose parts are written by hand. */
  readonly raw?: readonly RawPart[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Follows redirects; not by default. */
  readonly redirect?: 'follow' | 'manual';
}

/** Speaks HTTP to the service under test, and nothing else. */
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
    /** Expects a status, and gives the body. */
    async read<T = unknown>(status: number, method: string, path: string, asked?: Asked): Promise<T> {
      return (await expect(status, method, path, asked)).read<T>();
    },
    /** The body of what is there. */
    async get<T = unknown>(path: string): Promise<T> {
      return (await expect(200, 'GET', path)).read<T>();
    },
    /** Expects a status with an error in one sentence, and gives the sentence. */
    async refused(status: number, method: string, path: string, asked?: Asked): Promise<string> {
      return assertError(await expect(status, method, path, asked), describe(method, path, asked));
    },
    /** Expects 422 with a message for each of exactly these fields, and gives the messages. */
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

/** The beginning of a request, for people who read that a claim does not hold. */
function describe(method: string, path: string, { json, body, headers, form }: Asked = {}): string {
  const sent = typeof body === 'string' ? body.slice(0, 200) : JSON.stringify({ json, form });
  return `${method} ${path} ${JSON.stringify(headers)} ${sent}`.slice(0, 500);
}

import { z } from 'zod';
import type { Language } from '../../messages/languages/translate.ts';

/** One request to the ordinary routes of the service, with the credentials of the client. */
export interface Asked {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly path: string;
  readonly json?: unknown;
  readonly language: Language;
}

export interface Answered {
  readonly status: number;
  readonly body: unknown;
  /** The token of the next page of a list; absent on the last page. */
  readonly next?: string | undefined;
}

/** Sends requests of tools to the service. */
export interface Ask {
  (asked: Asked): Promise<Answered>;
  /** The address of the service for people, without a trailing slash. */
  readonly base: string;
}

/** The service has refused a request of a tool; the message is a sentence for the client. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** The service is still counting; the same call succeeds later. */
export class Pending extends Error {
  override readonly name = 'Pending';
}

/** A tool: its description in lists, and its function. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /**
   * Checks the arguments and returns the result of the tool.
   * @throws {Refused} for invalid arguments, and when the service refuses; {Pending} while it counts.
   */
  call(ask: Ask, args: unknown): Promise<object>;
}

/** The arguments of every tool. */
export const common = {
  language: z
    .enum(['ru', 'kk', 'en'])
    .default('en')
    .describe('The language of sentences and titles in the answer'),
};

/** Requests a path in the language of a call. @throws {Refused} for any error; {Pending} for 202. */
export type Get = (path: string, json?: unknown) => Promise<Pick<Answered, 'body' | 'next'>>;

interface Definition<Args> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType<Args>;
  run(args: Args, get: Get, ask: Pick<Ask, 'base'>): Promise<object>;
}

/** Defines a read-only tool with the schema of its arguments. */
export function defineTool<Args extends { readonly language: Language }>({
  input,
  run,
  ...facts
}: Definition<Args>): Tool {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' });
  return {
    ...facts,
    inputSchema,
    async call(ask, args) {
      const parsed = input.safeParse(args ?? {});
      if (!parsed.success) throw new Refused(z.prettifyError(parsed.error));
      const { language } = parsed.data;
      const get: Get = async (path, json) => {
        const method = json === undefined ? 'GET' : 'POST';
        return accepted(await ask({ method, path, json, language }));
      };
      return await run(parsed.data, get, ask);
    },
  };
}

const ErrorBody = z.object({
  error: z.string().optional(),
  errors: z.record(z.string(), z.string()).optional(),
  message: z.string().optional(),
});

function accepted({ status, body, next }: Answered): Pick<Answered, 'body' | 'next'> {
  if (status >= 200 && status < 300 && status !== 202) return { body, next };
  const { error, errors = {}, message } = ErrorBody.safeParse(body).data ?? {};
  if (status === 202) throw new Pending(message ?? 'it is being counted');
  const fields = Object.entries(errors).map(([field, fault]) => `${field}: ${fault}`);
  throw new Refused(`${status}: ${error ?? (fields.join('; ') || 'the service has refused it')}`);
}

/** Writes a query string of the defined values. */
export function queryOf(values: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? '' : `?${given.toString()}`;
}

/** The time in seconds for which a call waits for figures that are being counted. */
export const waitSeconds = 20;

export const datasetId = z.guid().toLowerCase().describe('Id of a dataset, as search_datasets has it');
export const runId = z.guid().toLowerCase().describe('Id of a run, as runs has it');
export const kato = z
  .string()
  .regex(/^[0-9]{9}$/)
  .describe('KATO code of a region or district: nine digits, as districts has it');

/** Returns whether a unit has this code, or lies in the region with this code. */
export function isWithin(code: string, unit: string | undefined): boolean {
  if (unit === undefined || code === unit) return true;
  return unit.endsWith('0000000') && code.startsWith(unit.slice(0, 2));
}

import type { FastifyRequest } from 'fastify';
import type { Language } from '../messages/languages/translate.ts';
import { xmlText } from '../../common/xml-text.ts';

/** Returns true if a browser opens the answer as a page, because a person followed a link or typed an address. */
export function isNavigation({ method, headers }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && headers['sec-fetch-mode'] === 'navigate';
}

/** Returns a refusal as a small page with the sentences of its body. */
export function errorPage(status: number, body: object, language: Language): string {
  const { error, errors }: { readonly error?: unknown; readonly errors?: unknown } = body;
  const faults = Object.entries(Object(errors)).map(([field, fault]) => `${field}: ${String(fault)}`);
  const sentences = typeof error === 'string' ? [error] : faults;
  const lines = sentences.map((sentence) => `<p>${xmlText(sentence)}</p>`).join('\n');
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${status}</title>
<h1>${status}</h1>
${lines}
</html>
`;
}

/** The page loads nothing and is not cached. */
export const errorPageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

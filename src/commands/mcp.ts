import { withoutTrailingSlashes } from '../lib/addresses.ts';
import { askOverHttp } from '../mcp/ask.ts';
import { serveStdio } from '../mcp/stdio.ts';
import { usageMistakes } from '../messages/service/english.ts';
import { defineCommand } from './command.ts';
import { UsageError } from './options.ts';

const usage = `Usage: ./steppe mcp [--base-url URL]

Serves the Model Context Protocol on stdin and stdout, for an assistant on this machine: ten tools that read a running service and plan runs.
None of them changes anything. URL is the address of the service, by default BASE_URL, or http://127.0.0.1: and HTTP_PORT.
Where the service asks for tokens, STEPPE_TOKEN is one with data:read. docs/connect.md has an example.`;

/** Serves an MCP client from a running service, which it reaches over HTTP only. */
export const mcp = defineCommand({
  name: 'mcp',
  summary: 'serve tools for assistants (MCP) on stdin and stdout',
  usage,
  isQuiet: true,
  // `--url` is the former name, which existing configurations of assistants use.
  options: { 'base-url': { type: 'string' }, url: { type: 'string' } },
  async run({ values, config, log, shutdown }) {
    const { mcpToken: token, mcpBaseUrl } = config;
    const url = values['base-url'] ?? values.url ?? mcpBaseUrl ?? `http://127.0.0.1:${config.httpPort}`;
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw new UsageError(usageMistakes.wrongUrl(url));
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const ask = askOverHttp({ address: withoutTrailingSlashes(url), headers });
    const report = (error: unknown) => log.error({ error }, 'a tool has failed');
    await serveStdio(ask, { input: process.stdin, output: process.stdout, signal: shutdown, report });
  },
});

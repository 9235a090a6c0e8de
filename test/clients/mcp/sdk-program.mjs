// Accesses Steppe like a program made with the official SDK. Arguments: the folder of the SDK, `http` or
// `stdio`, and the address of the service. Prints the results as JSON.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [folder, way, address] = process.argv.slice(2);
const require = createRequire(`${folder}/program.js`);
const load = async (path) =>
  await import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${path}`)).href);
const { Client } = await load('client/index.js');
const { StdioClientTransport } = await load('client/stdio.js');
const { StreamableHTTPClientTransport } = await load('client/streamableHttp.js');

const transport =
  way === 'http'
    ? new StreamableHTTPClientTransport(new URL(`${address}/mcp`))
    : new StdioClientTransport({ command: './steppe', args: ['mcp', '--base-url', address] });
const client = new Client({ name: 'test', version: '1.0.0' });
await client.connect(transport);
const { tools } = await client.listTools();
const call = async (name, args) => await client.callTool({ name, arguments: args });
const found = await call('search_datasets', { file_type: 'raster', limit: 5 });
const runs = await call('runs', {});
const run_id = runs.structuredContent.answer.runs[0].id;
const place = await call('explain_place', { run_id, lon: 69, lat: 52.5, language: 'ru' });
const balance = await call('whatif', { run_id, v1_min_s_e3: 5, by: 'region' });
const plan = await call('plan_run', {});
const wrong = await call('series', { dataset_id: 'x' });
console.log(
  JSON.stringify({
    server: client.getServerVersion().name,
    tools: tools.map(({ name }) => name),
    found: found.structuredContent.answer.total,
    sentence: place.structuredContent.answer.sentence,
    unit: balance.structuredContent?.answer.unit ?? balance.content[0].text,
    nodes: plan.structuredContent.answer.nodes.length,
    refused: wrong.isError,
  }),
);
await client.close();

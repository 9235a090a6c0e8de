/** What the generator makes of `/openapi.json`. */
export default {
  input: './openapi.json',
  output: { path: './src/generated', module: { extension: '.js' } },
  plugins: [
    '@hey-api/typescript',
    { name: '@hey-api/sdk', responseStyle: 'data', client: false },
    { name: '@hey-api/client-fetch', throwOnError: true },
  ],
};

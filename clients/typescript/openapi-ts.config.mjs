/** What `@hey-api/openapi-ts` makes of `/openapi.json`; the console and the tests do without it. */
export default {
  plugins: [
    '@hey-api/typescript',
    { name: '@hey-api/sdk', responseStyle: 'data', client: true },
    { name: '@hey-api/client-fetch', throwOnError: true },
  ],
};

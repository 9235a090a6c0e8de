import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { AccessPolicy } from '../access/access-policy.ts';
import { addressOf } from '../access/own-addresses.ts';
import type { App } from '../request/schemas.ts';
import { operationTransform, securitySchemesOf, tidyDescription } from './transforms.ts';

const description = `Geodata of Kazakhstan: categories, dataset groups, vector and raster datasets, statistics by KATO.

Every answer has the headers \`X-Content-Type-Options: nosniff\` and \`X-Request-Id\`. Unknown JSON fields, form parts and query
parameters are ignored. JSON bodies are parsed as JSON regardless of their media type. \`HEAD\` works on every \`GET\` path,
\`OPTIONS\` names the methods of a path, and a method that a path does not support is answered with 405 and \`Allow\`.
The \`Link\` header (RFC 8288) of a paged list leads to its other pages, unless a very long query makes it larger than 8 KiB.

The paths below \`/stac\` are a STAC API for other programs: unknown query parameters are answered with 400 there, errors also have \`code\` and
\`description\`, and \`/stac/api\` describes the paths in OpenAPI 3.0.

Errors are \`{error}\`, or \`{errors}\` for invalid fields. Statuses that every path can answer are not listed with each: 403 for
writes from pages of other origins, and for a host name that the service does not have; 415 for a body with a
\`Content-Encoding\`.

With an \`Accept-Language\` that prefers \`ru\` or \`kk\`, errors, \`parse_error\`, the errors of runs and the messages of an import report are in Russian
or Kazakh, otherwise in English; \`Content-Language\` names the language. Reasons without a \`failure\` in the report stay in English.`;

/** The page works offline: it loads everything from the service. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "img-src 'self' data:",
  "style-src 'self' 'unsafe-inline'",
  "object-src 'none'",
  "base-uri 'self'",
  "frame-ancestors 'self'",
].join('; ');

/** Describes every route that is registered after this call, and shows the description on a page at `/docs`. */
export async function addDocumentation(app: App, access: AccessPolicy): Promise<void> {
  const { authentication } = access;
  const securitySchemes = securitySchemesOf(authentication);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Steppe', version: '1.0.0', description },
      ...(access.publicUrl === undefined ? {} : { servers: [{ url: addressOf('', access) }] }),
      tags: [
        { name: 'health', description: 'Liveness and readiness of the service' },
        { name: 'capabilities', description: 'Read the rights and limits of a client' },
        { name: 'categories', description: 'The tree of categories for datasets' },
        { name: 'dataset groups', description: 'Same-named datasets of different periods' },
        { name: 'datasets', description: 'Geo files and their results' },
        {
          name: 'events',
          description: 'Changes as they happen, for listening clients and for other servers',
        },
        { name: 'tables by KATO', description: 'From columns to observations' },
        { name: 'districts', description: 'The administrative units, for maps' },
        {
          name: 'areas',
          description: 'Hectares of the classes of a raster, by administrative units or polygons',
        },
        { name: 'maps', description: 'Tiles, legends and previews in the colours of the style, for any map' },
        { name: 'forms', description: 'Workbooks of others, filled with figures by unit' },
        { name: 'source files', description: 'NetCDF, GRIB, HDF and others, from which rasters are made' },
        { name: 'metadata', description: 'Records of datasets for other catalogues: ISO 19115 and DCAT' },
        {
          name: 'stac',
          description: 'The catalogue for clients of STAC, described in OpenAPI 3.0 at `/stac/api`',
        },
        {
          name: 'features',
          description: 'Features and tiles for clients of OGC APIs, described in OpenAPI 3.0 at `/ogc/api`',
        },
        { name: 'landscape', description: 'The Landscape Program: inputs, runs of the graph, results' },
      ],
      ...(securitySchemes === undefined ? {} : { components: { securitySchemes } }),
    },
    transform: operationTransform(authentication),
    transformObject: tidyDescription,
  });
  await app.register(async (page) => {
    page.decorate('pluginScope', 'open');
    await page.register(swaggerUi, {
      routePrefix: '/docs',
      // Without a trailing slash, the page addresses its files by their whole path.
      indexPrefix: access.publicUrl?.pathname ?? '',
      staticCSP: contentSecurityPolicy,
      // The default badge would contact a validator on the internet.
      uiConfig: { validatorUrl: null },
      theme: { title: 'Steppe' },
    });
  });
}

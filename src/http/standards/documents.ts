import { sendText } from '../answer/answer.ts';
import swagger from '@fastify/swagger';
import type { SwaggerTransform } from '@fastify/swagger';
import { z } from 'zod';
import type { AccessPolicy } from '../access/access-policy.ts';
import { operationTransform, securitySchemesOf, tidyDescription } from '../openapi/transforms.ts';
import type { App } from '../request/schemas.ts';
import { absoluteBase, standardAnswers, mediaTypes } from './answers.ts';
import { type StandardRoot, standardProgramErrors } from '../openapi/standards.ts';
import { standardQuery } from './parameters.ts';

interface Standard {
  readonly root: StandardRoot;
  readonly title: string;
  readonly description: string;
  readonly tag: string;
}

/**
 * Describes every route that is registered below a root after this call, at `{root}/api`, in OpenAPI 3.0: the version
 * that conformance classes and their test suites know. Paths begin below the root.
 */
export async function addStandardDocument(
  app: App,
  { root, title, description, tag }: Standard,
  access: AccessPolicy,
): Promise<void> {
  const decorator = `${tag}_document`;
  const securitySchemes = securitySchemesOf(access.authentication);
  await app.register(swagger, {
    decorator,
    openapi: {
      openapi: '3.0.3',
      info: { title, version: '1.0.0', description },
      tags: [{ name: tag, description }],
      ...(securitySchemes === undefined ? {} : { components: { securitySchemes } }),
    },
    transform: belowRoot(root, operationTransform(access.authentication)),
    transformObject: (document) => JSON.parse(JSON.stringify(tidyDescription(document)), withOneExample),
  });
  app.get(`${root}/api`, {
    config: { scope: 'data:read' },
    schema: {
      tags: [tag],
      operationId: `${tag}Api`,
      summary: 'Read the description of this API',
      description: 'OpenAPI 3.0.',
      querystring: standardQuery({}),
      response: {
        ...standardAnswers('The description', z.looseObject({}), mediaTypes.openApi),
        ...standardProgramErrors(400, 503),
      },
    },
    handler: async (request, reply) => {
      const servers = [{ url: `${absoluteBase(request, access)}${root}` }];
      const document = app.getDecorator<() => object>(decorator)();
      return await sendText(request, reply, { body: { ...document, servers }, type: mediaTypes.openApi });
    },
  });
}

/** OpenAPI 3.0 has one example per schema; 3.1 has lists. */
function withOneExample(_key: string, part: unknown): unknown {
  if (typeof part !== 'object' || part === null || !('examples' in part) || !Array.isArray(part.examples))
    return part;
  const { examples, ...schema } = part;
  return { ...schema, example: examples[0] };
}

function belowRoot(root: StandardRoot, transform: SwaggerTransform): SwaggerTransform {
  return (document) => {
    const { url } = document;
    if (!url.startsWith(`${root}/`) && url !== root) return { url, schema: { hide: true } };
    const described = transform(document);
    const { standardOperationId: operationId } = document.route.config ?? {};
    const schema = operationId === undefined ? described.schema : { ...described.schema, operationId };
    return { ...described, schema, url: described.url.slice(root.length) || '/' };
  };
}

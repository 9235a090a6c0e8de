import type { SwaggerTransform, SwaggerTransformObject } from '@fastify/swagger';
import type { FastifySchema } from 'fastify';
import { z } from 'zod';

/** Stands in the description while it is made: of an operation's schema only such names get through to the end. */
const mark = 'x-body-may-be-absent';

/** Whether a route takes a request without a body. */
export function mayLackBody(schema: FastifySchema | undefined): boolean {
  return schema?.body instanceof z.ZodType && schema.body.safeParse(undefined).success;
}

/** Notes which bodies may be absent; the plugin calls every body required. */
export function markingOptionalBodies(transform: SwaggerTransform): SwaggerTransform {
  return (document) => {
    const described = transform(document);
    return mayLackBody(document.schema)
      ? { ...described, schema: { ...described.schema, [mark]: true } }
      : described;
  };
}

/** Makes the bodies optional that were marked. */
export function freeingOptionalBodies(transform: SwaggerTransformObject): SwaggerTransformObject {
  return (document) =>
    JSON.parse(JSON.stringify(transform(document)), (_key, part: unknown) => {
      if (typeof part !== 'object' || part === null || !(mark in part)) return part;
      const { [mark]: _mark, ...operation } = part;
      if ('requestBody' in operation)
        operation.requestBody = { ...Object(operation.requestBody), required: false };
      return operation;
    });
}

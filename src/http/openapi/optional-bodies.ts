import type { SwaggerTransform, SwaggerTransformObject } from '@fastify/swagger';
import { mayLackBody } from '../request/body.ts';

/** Marks operations while the description is made; the plugin lets only `x-` names through to its end. */
const mark = 'x-body-may-be-absent';

/** Marks the operations whose body may be absent, because the plugin calls every body required. */
export function markingOptionalBodies(transform: SwaggerTransform): SwaggerTransform {
  return (document) => {
    const described = transform(document);
    if (!mayLackBody(document.schema)) return described;
    return { ...described, schema: { ...described.schema, [mark]: true } };
  };
}

/** Makes the bodies of marked operations optional. */
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

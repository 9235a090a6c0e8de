import type { SwaggerTransform, SwaggerTransformObject } from '@fastify/swagger';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { metadataUrlOf } from '../../access/oidc.ts';
import type { AuthenticationPolicy } from '../access/access-policy.ts';
import { mayLackBody } from '../request/body.ts';
import { standardAccessResponses, isStandardPath } from './standards.ts';
import { accessResponses, optionalAccessResponses } from './responses.ts';

const inputSuffix = 'Input';
const securityScheme = 'bearer';
/** Marks operations with an optional body; the plugin preserves only `x-` names. */
const optionalBodyMark = 'x-body-may-be-absent';

/** Describes the credentials; undefined if none are required. */
export function securitySchemesOf(policy: AuthenticationPolicy) {
  if (policy.mode === 'off') return undefined;
  if (policy.mode === 'token') return { [securityScheme]: ownTokens };
  return {
    [securityScheme]: { type: 'openIdConnect', openIdConnectUrl: metadataUrlOf(policy.issuer) } as const,
  };
}

const ownTokens = {
  type: 'http',
  scheme: 'bearer',
  description: 'A token that `./steppe token create` made',
} as const;

/** Describes an operation, with its scope, 401 and 403 if it requires credentials. */
export function operationTransform(policy: AuthenticationPolicy): SwaggerTransform {
  return (document) => {
    const described = jsonSchemaTransform(withAccess(document, policy));
    if (!mayLackBody(document.schema)) return described;
    return { ...described, schema: { ...described.schema, [optionalBodyMark]: true } };
  };
}

type Operation = Parameters<SwaggerTransform>[0];

function withAccess(document: Operation, policy: AuthenticationPolicy): Operation {
  const scope = document.route.config?.scope ?? 'open';
  if (policy.mode === 'off' || scope === 'open' || scope === 'credentials') return document;
  const isOptional = scope === 'optional';
  const security = isOptional ? [{}, { [securityScheme]: [] }] : [{ [securityScheme]: [scope] }];
  const required = isStandardPath(document.url) ? standardAccessResponses : accessResponses;
  const added = isOptional ? optionalAccessResponses : required;
  const response = { ...Object(document.schema.response), ...added };
  return { ...document, schema: { ...document.schema, security, response } };
}

/**
 * Simplifies the description. The type provider makes two versions of each named schema, one for input (`XInput`) and
 * one for output (`X`); unreferenced ones are removed, and `XInput` becomes `X` if it is the only one. Optional bodies
 * are marked as such, although the plugin declares every body required.
 */
export const tidyDescription: SwaggerTransformObject = (document) => {
  const described = jsonSchemaTransformObject(document);
  const { components } = 'components' in described ? described : {};
  const schemas = components?.schemas ?? {};
  const used = findUsed(JSON.stringify(described.paths ?? {}), schemas);
  const kept = Object.entries(schemas)
    .filter(([name]) => used.has(name))
    .map(([name, schema]) => [finalName(name, used), schema])
    .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  const text = JSON.stringify({
    ...described,
    components: { ...components, schemas: Object.fromEntries(kept) },
  }).replaceAll(
    /"#\/components\/schemas\/(\w+)"/g,
    (_reference, name: string) => `"#/components/schemas/${finalName(name, used)}"`,
  );
  return JSON.parse(text, freeOptionalBody);
};

/** Returns the schema names that `text` refers to, directly or indirectly. */
function findUsed(
  text: string,
  schemas: Readonly<Record<string, unknown>>,
  used = new Set<string>(),
): Set<string> {
  for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (used.has(name)) continue;
    used.add(name);
    findUsed(JSON.stringify(schemas[name] ?? {}), schemas, used);
  }
  return used;
}

function finalName(name: string, used: ReadonlySet<string>): string {
  const base = name.endsWith(inputSuffix) ? name.slice(0, -inputSuffix.length) : name;
  return used.has(base) ? name : base;
}

function freeOptionalBody(_key: string, part: unknown): unknown {
  if (typeof part !== 'object' || part === null || !(optionalBodyMark in part)) return part;
  const { [optionalBodyMark]: _mark, ...operation } = part;
  if (!('requestBody' in operation)) return operation;
  return { ...operation, requestBody: { ...Object(operation.requestBody), required: false } };
}

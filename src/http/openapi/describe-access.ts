import type { SwaggerTransform } from '@fastify/swagger';
import { metadataUrlOf } from '../../access/issuer-keys.ts';
import type { AuthenticationPolicy } from '../access/access-policy.ts';
import { accessResponses } from './responses.ts';
import { needOf } from '../access/route-scopes.ts';

const schemeName = 'bearer';

/** Describes the credentials; undefined when none are required. */
export function securitySchemesOf(policy: AuthenticationPolicy) {
  if (policy.mode === 'off') return undefined;
  if (policy.mode === 'token') return { [schemeName]: ownTokens };
  return {
    [schemeName]: { type: 'openIdConnect', openIdConnectUrl: metadataUrlOf(policy.issuer) } as const,
  };
}

const ownTokens = {
  type: 'http',
  scheme: 'bearer',
  description: 'A token that `./steppe token create` made',
} as const;

/** Adds the scope, 401 and 403 to the operations that require credentials; with `AUTH_MODE=off` none does. */
export function describingAccess(
  policy: AuthenticationPolicy,
  transform: SwaggerTransform,
): SwaggerTransform {
  if (policy.mode === 'off') return transform;
  return (document) => {
    const need = needOf([document.route.method].flat()[0] ?? '', document.url);
    if (need === 'nothing' || need === 'credentials') return transform(document);
    const { response, ...schema } = document.schema;
    const withAccess = {
      ...schema,
      security: [{ [schemeName]: [need] }],
      response: { ...Object(response), ...accessResponses },
    };
    return transform({ ...document, schema: withAccess });
  };
}

import { z } from 'zod';

/** What a credential may open; none contains another. */
export const scopes = ['data:read', 'data:write', 'catalog:write', 'landscape:run'] as const;
const Scope = z.enum(scopes);
export type Scope = z.infer<typeof Scope>;

/** Those of `names` that are scopes of ours; issuers also grant what means nothing here. */
export function knownScopes(names: readonly unknown[]): ReadonlySet<Scope> {
  return new Set(
    names.flatMap((name) => {
      const parsed = Scope.safeParse(name);
      return parsed.success ? [parsed.data] : [];
    }),
  );
}

export { scopes as tokenScopes, knownScopes } from '../access/scopes.ts';
export { createToken, listTokens, revokeToken, type TokenListing } from '../access/tokens.ts';

/** Section 4a of the decisions: access. */
export const rows = {
  'D4a off': 'AUTH_MODE=off is the default: every call of the interface works without credentials',
  'D4a modes': 'token and oidc ask for a Bearer token',
  'D4a scopes': 'Scopes are data:read, data:write, catalog:write, landscape:run',
  'D4a 401': 'Without a valid token: 401 with WWW-Authenticate: Bearer',
  'D4a 403': 'Without the scope: 403 {error}',
  'D4a open paths': '/healthz, /readyz, /, /assets/*, /docs, /capabilities and /openapi.json are always open',
  'D4a metrics': '/metrics needs data:read unless it has a port of its own',
  'D4a CORS off': 'CORS is off by default',
  'D4a CORS list': 'CORS_ALLOWED_ORIGINS is an exact list',
  'D4a CORS *': 'or `*`, for reads only',
  'D4a CORS exposes':
    'Content-Range, Accept-Ranges, ETag, Content-Length, Content-Disposition, Link, Location, X-Request-Id, X-Style-Left-Out are exposed',
  'D4a write of a program': 'A write without Origin and without Sec-Fetch-Site: cross-site is allowed',
  'D4a write of our own': 'A write whose Origin is own or exactly listed is allowed',
  'D4a write of the same origin': 'A write with Sec-Fetch-Site: same-origin is allowed',
  'D4a write from elsewhere': 'Any other write is 403',
  'D4a own': 'Own is the host and port of PUBLIC_URL when set, else of the Host header',
  'D4a warning': 'Without auth on a non-loopback address the service warns at start',
  'D4a loopback':
    'On a loopback address, auth off, neither PUBLIC_URL nor ALLOWED_HOSTS set: only localhost, 127.0.0.1 and [::1] are answered',
  'D4a rebinding': 'Any other Host is 403 with the variable to set',
  'D4a ALLOWED_HOSTS':
    'ALLOWED_HOSTS lists host names; any other is 403 everywhere, loopback names and the two probes excepted',
};

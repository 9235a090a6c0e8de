/** Returns whether a route is for the probes of a supervisor, which come every few seconds and say nothing about clients. */
export function isProbe(route: string | undefined): boolean {
  return route === '/healthz' || route === '/readyz';
}

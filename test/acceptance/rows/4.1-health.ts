/** Section 4.1 of the interface. */
export const rows = {
  '4.1 healthz': 'GET /healthz: 200 {status} when the process is alive',
  '4.1 readyz':
    'GET /readyz: 200 or 503 {ready, components}; checks database, object store and message queue',
  '4.1 unavailable':
    'A failing component is reported with the word `unavailable`, never with the raw backend error',
};

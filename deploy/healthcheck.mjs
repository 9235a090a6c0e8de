// Ends with 0 when the process of this container is alive: an api answers at /healthz, a worker for its metrics.
const { HTTP_PORT: http, METRICS_PORT: metrics } = process.env;
const isThere = async (port, path) =>
  await fetch(`http://127.0.0.1:${port}/${path}`, { signal: AbortSignal.timeout(5000) }).then(
    ({ ok }) => ok,
    () => false,
  );
process.exit((await isThere(http || 8080, 'healthz')) || (await isThere(metrics || 9464, 'metrics')) ? 0 : 1);

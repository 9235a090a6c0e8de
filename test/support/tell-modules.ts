/** Preloaded module that prints to stderr each module of OpenTelemetry's SDK and of Temporal's that a program loads. */
import { registerHooks } from 'node:module';

const ofSdk = /@opentelemetry\/(?:core|exporter|otlp|resources|sdk)|@temporalio\/|\/engines\/temporal\//;

registerHooks({
  load(url, context, nextLoad) {
    if (ofSdk.test(url)) process.stderr.write(`loaded ${url}\n`);
    return nextLoad(url, context);
  },
});

/** Loaded before a program, this names every module of OpenTelemetry's SDK and of Temporal's that the program loads, on its stderr. */
import { registerHooks } from 'node:module';

const ofSdk = /@opentelemetry\/(?:core|exporter|otlp|resources|sdk)|@temporalio\/|\/engines\/temporal\//;

registerHooks({
  load(url, context, nextLoad) {
    if (ofSdk.test(url)) process.stderr.write(`loaded ${url}\n`);
    return nextLoad(url, context);
  },
});

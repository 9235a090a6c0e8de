# Steppe with all that it needs. The role is the argument: serve (the default), api, worker, migrate, backup, ...
#   docker build -t steppe . && docker run -p 127.0.0.1:8080:8080 -v steppe:/data steppe
# npm run image builds it with buildah, on a base that it makes of Debian's packages.
ARG BASE=docker.io/library/debian:bookworm-slim

FROM ${BASE} AS build
# npm trusts its own list of authorities only; a company's is in the base.
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
RUN apt-get update -qq \
  && apt-get install -y -qq --no-install-recommends ca-certificates g++ libgdal-dev make npm python3 bubblewrap
# Debian's Node is too old for set-up, and its npm works with that one alone. Those of the service come from the lock file.
RUN npm install --prefix /opt/bootstrap --ignore-scripts --no-audit --no-fund --loglevel error \
  npm@11 "node-linux-$(dpkg --print-architecture | sed s/amd64/x64/)@24"
ENV PATH=/opt/bootstrap/node_modules/.bin:$PATH
WORKDIR /opt/steppe
COPY package.json package-lock.json .npmrc tsconfig.json ./
COPY scripts/setup.mjs scripts/
COPY scripts/setup scripts/setup
COPY console console
COPY common common
COPY examples examples
COPY seeds/reference-systems seeds/reference-systems
# GDAL is compiled against Debian's; npm brings Node, PostgreSQL and the canvas as binaries for glibc on x64 or arm64.
# ./steppe finds all steps done, and has nothing to set up when it starts.
RUN node scripts/setup.mjs && npm prune --omit=dev --ignore-scripts --no-audit --no-fund --loglevel error \
  && find node_modules/gdal-async/deps -type f -not -path '*/data/*' -delete \
  && rm -rf .setup.lock node_modules/gdal-async/build
# The package with which workers use Temporal, where WORKFLOW_ENGINE_URL says so.
COPY engines engines
COPY src/landscape/spread/pass-workflow.ts src/landscape/spread/
RUN node scripts/setup/engine-package.mjs
COPY . .

FROM ${BASE}
RUN apt-get update -qq \
  && apt-get install -y -qq --no-install-recommends bubblewrap ca-certificates libgdal32 tini \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin steppe \
  && install -d -o steppe -g steppe /data \
  && ln -s /opt/steppe/steppe /usr/local/bin/steppe
COPY --from=build /opt/steppe /opt/steppe
# HOME: the AWS SDK and PostgreSQL's client library look there for settings of their own.
ENV PATH=/opt/steppe/node_modules/.bin:/usr/local/bin:/usr/bin:/bin HOME=/data DATA_DIR=/data HTTP_HOST=0.0.0.0 METRICS_HOST=0.0.0.0 METRICS_PORT=9464
# Modules are compiled now, as the user who runs them: the root of a container is read-only.
# The client that has them loaded is not part of the image.
RUN /opt/steppe/deploy/compile-modules.sh && rm -r /opt/steppe/tools
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080 9464
HEALTHCHECK --start-period=60s CMD ["node", "/opt/steppe/deploy/healthcheck.mjs"]
# Children of children that are left over need an init process that reaps them.
ENTRYPOINT ["/usr/bin/tini", "--", "steppe"]
CMD ["serve"]

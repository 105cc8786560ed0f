# The gateway in a container, built from a clone with the npm registry alone. How to run it: docs/install.md.
ARG NODE_IMAGE=docker.io/library/node:22-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
# The package is what runs and nothing else.
RUN npm pack --pack-destination /tmp && \
    npm install --global --prefix /opt/gateway --no-audit --no-fund /tmp/routing-gateway-*.tgz

FROM ${NODE_IMAGE}
COPY --from=build /opt/gateway /opt/gateway
# The only place that is written to. A new volume gets this owner.
RUN install --directory --owner 1000 --group 1000 --mode 700 /data
ENV NODE_ENV=production PATH=/opt/gateway/bin:$PATH LOCAL_SERVERS_HOST=host.docker.internal
# `node` in the base image; a number, so that platforms can see that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 2099
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:2099/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["gateway"]
CMD ["start", "--host", "0.0.0.0", "--port", "2099", "--state", "/data"]

# The images of the server (the last stage) and of the agent (docker build --target agent .). See docs/docker.md.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY apps/agent/package.json apps/agent/
COPY apps/gateway/package.json apps/gateway/
COPY apps/relay/package.json apps/relay/
COPY apps/server/package.json apps/server/
COPY apps/web/package.json apps/web/
COPY packages/base/package.json packages/base/
COPY packages/contract/package.json packages/contract/
COPY packages/frp/package.json packages/frp/
COPY packages/tunnel/package.json packages/tunnel/
COPY stack/package.json stack/
RUN npm ci --no-audit --no-fund
COPY . .
# The Node.js of the lockfile runs in both images.
RUN npm run build && npm prune --omit=dev --no-audit --no-fund && cp -L node_modules/.bin/node /usr/local/bin/tongtu-node


FROM debian:bookworm-slim AS agent
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /nonexistent tongtu \
  && install -d -o tongtu -g tongtu -m 700 /var/lib/tongtu-agent
COPY --from=build /usr/local/bin/tongtu-node /usr/local/bin/node
COPY --from=build /app/apps/agent/dist/tongtu-agent.mjs /opt/tongtu-agent/
COPY docker/agent-health.mjs /opt/tongtu-agent/
# As the starter of the install script sets them: an idle agent shall need little memory, and something starts it again.
ENV TONGTU_STATE=/var/lib/tongtu-agent TONGTU_SUPERVISED=1 MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072 UV_THREADPOOL_SIZE=2
USER 10001:10001
VOLUME /var/lib/tongtu-agent
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ["node", "/opt/tongtu-agent/agent-health.mjs"]
ENTRYPOINT ["node", "--max-semi-space-size=1", "--optimize-for-size", "/opt/tongtu-agent/tongtu-agent.mjs"]


FROM debian:bookworm-slim AS server
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /nonexistent tongtu \
  && install -d -o tongtu -g tongtu -m 700 /data
WORKDIR /app
COPY --from=build /app .
ENV NODE_ENV=production PATH=/app/node_modules/.bin:$PATH DATA_DIR=/data
USER 10001:10001
VOLUME /data
EXPOSE 8080 8443 7000 7200
HEALTHCHECK --interval=30s --timeout=10s --start-period=120s CMD ["node", "docker/server-health.mjs"]
STOPSIGNAL SIGTERM
CMD ["node", "--import", "./tools/require-node-24.js", "stack/src/main.ts"]

#!/usr/bin/env bash
# Builds both images from the Dockerfile and runs them, without a Docker daemon and without Docker Hub. For root on Debian
# with buildah and debootstrap; it needs the package registries of Debian and npm, and about 4 GB in $TMPDIR.
# What differs from Docker: the base images come from debootstrap (with Node.js from node_modules), and the containers
# share the network and the processes of this machine (chroot isolation).
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d "${TMPDIR:-/tmp}/tongtu-images-XXXXXX")
# With KEEP=<folder> a second run finds base images and layers there.
kept=${KEEP:-$work}
store=(--root "$kept/store" --runroot "$kept/run" --storage-driver "${STORAGE_DRIVER:-overlay}")
image() { buildah "${store[@]}" "$@"; }
pids=()

clean_up() {
  for pid in "${pids[@]}"; do kill -TERM -- "-$pid" 2>/dev/null || true; done
  wait || true
  image rm --all >/dev/null 2>&1 || true
  if [ -z "${KEEP:-}" ]; then image rmi --all --force >/dev/null 2>&1 || true; fi
  rm -rf "$work"
}
trap clean_up EXIT

say() { printf '\n== %s (%s s)\n' "$*" "$SECONDS"; }

# Base images by the names that the Dockerfile uses.
make_bases() {
  say 'base images'
  local root="$work/rootfs"
  if [ -n "${ROOTFS:-}" ]; then cp -a "$ROOTFS" "$root"; else debootstrap --variant=minbase bookworm "$root" >/dev/null; fi
  rm -f "$root"/var/cache/apt/archives/*.deb
  local base
  base=$(image from scratch)
  image add -q "$base" "$root" / >/dev/null
  image commit -q "$base" docker.io/library/debian:bookworm-slim >/dev/null
  cp -L node_modules/.bin/node "$root/usr/local/bin/node"
  mkdir -p "$root/usr/local/lib/node_modules"
  cp -a "$(dirname "$(readlink -f "$(command -v npm)")")/.." "$root/usr/local/lib/node_modules/npm"
  ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  base=$(image from scratch)
  # For a registry behind a proxy with a certificate of its own.
  if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
    cp -L "$NODE_EXTRA_CA_CERTS" "$root/etc/extra-ca.pem"
    image config --env NODE_EXTRA_CA_CERTS=/etc/extra-ca.pem "$base"
  fi
  image add -q "$base" "$root" / >/dev/null
  image commit -q "$base" docker.io/library/node:24-bookworm-slim >/dev/null
  rm -rf "$root"
}

build() { # target
  say "build $1"
  image build --isolation chroot --pull=never --layers --format docker --target "$1" -t "localhost/tongtu-$1" . \
    >"$work/build-$1.log" 2>&1 || { tail -40 "$work/build-$1.log"; exit 1; }
  image images --format '{{.Name}} {{.Size}}' "localhost/tongtu-$1"
}

run() { # log, options, container and command …
  local log=$1
  shift
  setsid buildah "${store[@]}" run --isolation chroot "$@" >>"$log" 2>&1 &
  pids+=("$!")
}

wait_for() { # what, seconds, command …
  local what=$1 left=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    left=$((left - 1))
    if [ "$left" -le 0 ]; then
      echo "failed: $what"
      tail -20 "$work"/*.log
      exit 1
    fi
    sleep 1
  done
  say "$what"
}

image inspect --type image docker.io/library/node:24-bookworm-slim >/dev/null 2>&1 || make_bases
build agent
build server

port=$((20000 + RANDOM % 9000))
server=$(image from --pull-never localhost/tongtu-server)
agent=$(image from --pull-never localhost/tongtu-agent)
# A new volume has the owner and the mode of the folder in the image, as with Docker.
data="$work/data" state="$work/state"
install -d -o 10001 -g 10001 -m 700 "$data" "$state"
password=words-for-a-try
serve() {
  run "$work/server.log" --volume "$data:/data" \
    --env HOST=127.0.0.1 --env PORT=$port --env TLS_PORT=$((port + 1)) --env TUNNEL_PORT=$((port + 2)) \
    --env FRP_PORT=$((port + 3)) --env MAPPING_PORTS=$((port + 10))-$((port + 19)) --env ADMIN_PASSWORD=$password \
    --env ACME_EMAIL= "$server" -- node --import ./tools/require-node-24.js stack/src/main.ts
}
server_health() { image run --isolation chroot --env PORT=$port "$server" -- node docker/server-health.mjs; }
agent_health() {
  image run --isolation chroot --volume "$state:/var/lib/tongtu-agent" "$agent" -- \
    sh -c 'node /opt/tongtu-agent/agent-health.mjs'
}

serve
wait_for 'the server is healthy' 90 server_health
ps -o user:12,args -u 10001 | head -5
console="http://127.0.0.1:$port"
jar="$work/jar"
call() { curl -fsS -b "$jar" -c "$jar" -H "Origin: $console" -H 'Content-Type: application/json' "$@"; }
call "$console/api/login_status/" >/dev/null
csrf() { awk '$6 == "csrftoken" { print $7 }' "$jar"; }
call -H "X-CSRFToken: $(csrf)" -d "{\"account\":\"admin\",\"password\":\"$password\"}" "$console/custom/login/" >/dev/null
token=$(call "$console/api/profile/" | sed -n 's/.*"token":"\([^"]*\)".*/\1/p')
run "$work/agent.log" --volume "$state:/var/lib/tongtu-agent" --env TONGTU_SERVER="$console" \
  --env TONGTU_TOKEN="$token" --env TONGTU_PIN= --env TONGTU_NAME=container "$agent" -- \
  node --max-semi-space-size=1 --optimize-for-size /opt/tongtu-agent/tongtu-agent.mjs
is_online='process.exit(JSON.parse(fs.readFileSync(0, "utf8")).results.some((d) => d.name === "container" && d.online) ? 0 : 1)'
online() { call "$console/api/user/routers/" | node_modules/.bin/node -e "$is_online"; }
wait_for 'the agent is online' 30 online
wait_for 'the agent is healthy' 10 agent_health

# An image with a task: drawn by a library with machine code, from fonts in the image.
call -H "X-CSRFToken: $(csrf)" "$console/captcha/?purpose=login" | grep -q image
say 'a captcha is drawn'

# The program itself: buildah would kill it instead of passing the signal on. Nothing else has this user id.
kill -TERM "$(pgrep -u 10001 -f '^/app/node_modules/.bin/node .*stack/src/main.ts')"
wait "${pids[0]}"
say 'the server has stopped by itself, with its database'
serve
wait_for 'the server is healthy again, with its data' 60 server_health
wait_for 'the agent is back' 60 online
echo "done after $SECONDS s"
